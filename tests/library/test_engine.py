"""`tengen.Engine`: it takes positions of the library, and its answers name points."""

from __future__ import annotations

import pickle
import threading

import pytest

from tengen.game.game import Game
from tengen.game.position import Position
from tengen.library.engine import Engine
from tengen.study.results import Analysis

WIN = "g10 j10 g9 f10 f9 h11 e9 h9 g8 g11"


def test_a_move_has_a_name_and_a_report_and_can_be_played() -> None:
    position = Position("h8", size="12x15")
    move = Engine().play(position, nodes=2000)
    assert move in position.legal_moves() and position.moves == ("h8",)
    assert move.report is not None and (move.report.nodes or 0) >= 1000
    assert (move.report.line or "").split()[0] == move
    assert pickle.loads(pickle.dumps(move)).report == move.report
    position.play(move)
    assert " ".join(position.moves) == f"h8 {move}"


def test_one_thread_searches_the_same_every_time_and_a_new_game_forgets() -> None:
    engine, position = Engine(), Position("h8 i9 g9")
    first = engine.analyze(position, nodes=5000)
    engine.new_game()
    again = engine.analyze(position, nodes=5000)
    assert (again.lines, again.nodes) == (first.lines, first.nodes)


def test_several_lines_print_themselves() -> None:
    heard: list[Analysis] = []
    analysis = Engine().analyze(
        Position("h8 i9 g9 i7"), nodes=20_000, lines=3, on_report=heard.append
    )
    assert len(analysis.lines) == 3 and analysis.lines[0].move == analysis.move
    assert analysis.lines[0].score >= analysis.lines[1].score >= analysis.lines[2].score
    depth, chance = analysis.depth_plies, f"{analysis.win_chance:.0%}"
    text = str(analysis)
    assert text.startswith(f"{analysis.move} ") and "\n" not in text
    assert f" {chance}  depth {depth}  {' '.join(analysis.pv)}  (" in text
    assert heard and all(isinstance(each, Analysis) for each in heard)


def test_excluded_points_are_left_out() -> None:
    best = Engine().analyze(Position(WIN), nodes=5000).move
    other = Engine().analyze(Position(WIN), nodes=5000, excluded=[best]).move
    assert other != best
    with pytest.raises(ValueError, match="'z1' is not on this"):
        Engine().analyze(Position(WIN), nodes=5000, excluded=["z1"])


def test_a_forced_win_is_solved_with_its_proof_and_its_defences() -> None:
    engine, position = Engine(), Position(WIN)
    solution = engine.solve(position)
    assert solution and solution.is_win and solution.proof is not None and solution.line[0] == "g6"
    assert str(solution).startswith(f"win, a five with stone {solution.plies} at the latest: g6 ")
    wins = engine.solve_all(position, nodes=200_000)
    assert solution.line[0] in [win.line[0] for win in wins]
    assert [win.plies for win in wins] == sorted(win.plies or 0 for win in wins)
    position.undo()
    defences = engine.defences(position, nodes=200_000)
    assert defences.threat.is_win and str(defences).startswith(f"{len(defences.moves)} defences")
    assert not {*defences.refuted} & {*defences.moves, *defences.unknown}
    assert defences.refuted and all(win.is_win for win in defences.refuted.values())
    with pytest.raises(TypeError, match=r"neither true nor false; ask for threat\.is_win or"):
        bool(defences)
    quiet = engine.solve(Position("h8 i9"))
    assert not quiet and not engine.solve(position, nodes=0)
    tried = "by fours, threes and moves that threaten to win by fours"
    assert (quiet.status, quiet.plies, str(quiet)) == ("no win", None, f"no win {tried}")
    fours = engine.solve(Position("h8 i9"), method="vcf")
    assert (fours.moves_tried, str(fours)) == ("vcf", "no win by fours")
    shortest = engine.solve(Position(WIN), nodes=200_000, shortest=True)
    assert shortest.is_shortest and (shortest.plies or 0) <= (solution.plies or 0)
    assert str(engine.solve(position, nodes=0)).startswith("unknown (")


def test_the_value_is_explained_point_by_point() -> None:
    explanation = Engine().explain(Position("h8 i9 g9"))
    assert explanation.net and len(explanation.cells) == 222
    best = max(explanation.cells, key=explanation.cells.__getitem__)
    assert f"{explanation.value:+} (" in str(explanation) and f"most from {best} +" in str(
        explanation
    )


def test_a_level_weakens_play_and_a_seed_repeats_it() -> None:
    moves = []
    for _ in range(2):
        engine, position = Engine(level=1, seed=7), Position()
        for _ in range(6):
            position.play(engine.play(position, nodes=1000))
        moves.append(position.moves)
    full, position = Engine(), Position()
    for _ in range(6):
        position.play(full.play(position, nodes=1000))
    assert moves[0] == moves[1] != position.moves


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 11}, "level 11 does not exist; expected a whole number from 1 to 10"),
        ({"threads": 0}, "threads=0: expected a whole number from 1"),
        ({"seed": -1, "level": 1}, "seed -1 does not exist"),
    ],
)
def test_settings_that_do_not_exist_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Engine(**options)  # type: ignore[arg-type]


def test_a_game_that_is_over_and_what_is_no_position_are_refused() -> None:
    engine = Engine()
    with pytest.raises(ValueError, match="the game is over in this position"):
        engine.play(Position("h8 a1 i8 a2 j8 a3 k8 a4 l8"), nodes=10)


def test_too_little_memory_is_said() -> None:
    with pytest.warns(RuntimeWarning, match="too little"):
        Engine(memory_mb=1)


def test_another_thread_stops_a_search() -> None:
    engine = Engine()
    begun = threading.Event()
    found: list[Analysis] = []

    def search() -> None:
        found.append(engine.analyze(Position("h8 i9"), turn_s=600, on_report=lambda _: begun.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert begun.wait(60)
    engine.stop()
    thread.join(60)
    assert found and found[0].move in Position("h8 i9").legal_moves()


def test_a_review_marks_mistakes_and_annotates_the_game() -> None:
    game = Game("h8 i9 a1 i8 a2 i7 o1 i6 o15 i10", black="Ann", white="Bob")
    steps: list[tuple[str, int, int]] = []
    review = Engine().review(game, nodes=3000, on_step=lambda *step: steps.append(step))
    assert [move.number for move in review.moves] == list(range(1, 11)) and not review.fault
    first = review.mistakes[0]
    assert (first.number, first.move, first.kind) == (3, "a1", "mistake") and first.loss > 0.2
    assert str(first).startswith("  3 black a1 ") and f"better is {first.best.move}" in str(first)
    assert review.turned == first and review.decided in review.moves
    assert str(review).startswith("10 moves, marked: 3 a1 (mistake)")
    assert str(review).endswith("; the game turned at move 3")
    assert steps[0] == ("values of the moves", 0, 10)
    noted = review.annotated()
    assert noted.moves == game.moves and (noted.black, noted.result) == ("Ann", "white")
    second, third = [*noted][1:3]
    assert "Better: " in third.comment
    assert [child.move for child in second.children] == ["a1", first.best.move]


def test_a_game_without_moves_cannot_be_reviewed() -> None:
    with pytest.raises(ValueError, match="game: there is no move to analyse"):
        Engine().review(Game(), nodes=100)
