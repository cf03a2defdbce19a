"""`tengen analyze` of recorded games."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sgfmill import sgf as sgfmill

from engine.api import Engine
from engine.model import Info, Limits, Result, Score, Solution, SolveLimits, Status
from engine.model import Point as ModelPoint
from engine.text import read_moves
from tengen.game.files.formats import parse_game
from tengen.game.files.sgf import read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.position import COLOURS, Point
from tengen.game.proof import check_proof
from tengen.game.referee import BLACK, RENJU, WHITE, set_up
from tengen.study.results import Line
from tengen.study.review import (
    FOUL,
    INACCURACY,
    MISSED_WIN,
    MISTAKE,
    Review,
    ReviewedMove,
    accuracy_text,
    review_page,
    turn_texts,
)
from tengen.study.reviewer import DOUBTS, VALUES, WINS, Budget, before, review
from tengen.study.solver import Check
from tests.arena.report.report_sample import game, header, write_run
from tests.commands import Run
from tests.game.sample_games import read_saved_game

from .conftest import Asked

# On 11x11: Black makes an open three; White plays elsewhere; Black plays elsewhere too and misses
# the open four; White does not defend, and Black wins after all.
MISSED = "f6 a1 g6 a3 h6 c1 k11 e1 i6 j6 e6"
# Black makes three in a row and White does not stop it.
PLAIN = "f6 a1 g6 a3 h6 c1 i6 j6 e6"


def game_of(points: str, size: int = 11, rule: int = 0) -> Game:
    return Game(points, size=size, rule=rule, black="A", white="B")


def reviewed(game: Game, nodes: int = 600, threshold: float = 0.2) -> Review:
    return review(Engine(), Engine(), "it", game, Budget(nodes=nodes), threshold)


def kinds(found: Review) -> dict[int, str]:
    return {step.number: step.kind for step in found.moves if step.kind}


def test_a_missed_win_is_found_and_proved() -> None:
    found = reviewed(game_of(MISSED))
    assert found.winner == "black" and found.fault == ""
    step = found.moves[6]
    assert (step.number, step.kind, step.colour) == (7, MISSED_WIN, "black")
    assert step.win is not None and step.win.proof is not None and step.win.plies == 3
    assert step.check is not None and step.check.ok
    board = set_up(11, 11, 0, found.stones[:6])
    assert check_proof(board, BLACK, step.win.proof, 3).ok
    assert step.best.score == Score(0, 3) and step.best.move in ("e6", "i6")


def test_a_win_that_is_kept_is_not_missed() -> None:
    found = reviewed(game_of(PLAIN))
    assert MISSED_WIN not in kinds(found).values()
    # A longer win than the best one is a win too.
    assert [step.played.mate_plies for step in found.moves[-5:]] == [None, -4, 3, -2, 1]
    assert found.decided is not None and found.decided.number <= 6
    assert all(0 <= step.loss <= 1 for step in found.moves)


def test_values_agree_from_move_to_move() -> None:
    """What is played is worth at most the best move, and what follows shows its value."""
    found = reviewed(game_of(MISSED))
    for step, following in zip(found.moves, found.moves[1:], strict=False):
        assert step.played == before(following.best.score)
        assert step.played <= step.best.score
    assert found.moves[-1].played == Score(0, 1)


def test_a_pass_and_the_empty_board_are_no_fault_of_a_move() -> None:
    found = reviewed(parse_game("(;SZ[15]RU[renju];B[hh];W[ih];B[];W[hg];B[ii])"), 3000)
    assert [step.colour for step in found.moves[1:3]] == ["white", "white"]
    assert found.moves[0].loss < 0.1
    # White's move was worth little, the pass much.
    assert found.moves[1].played.value < 0 < found.moves[2].best.score.value
    assert reviewed(game_of("a1 h8 b1 i9 c3", 15), 3000).moves[0].loss > 0.4
    assert reviewed(game_of("h8 i9", 15), 3000).moves[0].loss < 0.1


def test_a_foul_loses() -> None:
    # Black's h8 makes two threes.
    found = reviewed(game_of("h9 a1 h10 a3 i8 a5 j8 a7 h8", 15, RENJU))
    assert (found.winner, found.moves[-1].kind) == ("white", FOUL)
    assert found.moves[-1].played == Score(0, -2)
    assert r'"mark":"\u00d7"' in review_page(found, "it")  # a sign that its board knows


def steps_of(chances: str) -> tuple[ReviewedMove, ...]:
    """Moves after which Black is ahead (+), behind (-), or has a forced win (#)."""
    steps = []
    for number, sign in enumerate(chances, start=1):
        colour = BLACK if number % 2 else WHITE
        value = {"+": 100, "-": -100, "#": 0}[sign] * (1 if colour == BLACK else -1)
        mate = (9 if colour == BLACK else -8) if sign == "#" else None
        score, move = Score(value, mate), Point(number, 0, 11)
        steps.append(ReviewedMove(number, move, COLOURS[colour], Line(score, 0, (move,)), score))
    return tuple(steps)


@pytest.mark.parametrize(
    ("winner", "chances", "turned", "decided", "texts"),
    [
        ("black", "-+-++##", 4, 6, [
            "the game turned at move 4, White's e11", "Black's win was forced from move 6 on",
        ]),
        ("black", "+++", None, None, ["Black was ahead all the time"]),
        # Games end by time or resignation too.
        ("black", "++-", None, None, ["Black was not ahead at the end"]),
        (None, "-+", None, None, []),
    ],
)  # fmt: skip
def test_where_the_game_turned(
    winner: str | None, chances: str, turned: int | None, decided: int | None, texts: list[str]
) -> None:
    game = game_of("f6 a1 g6")
    if winner:
        game.result = winner
    found = Review(game, game.stones, "", None, steps_of(chances), 0.2)
    assert (found.turned and found.turned.number) == turned
    assert (found.decided and found.decided.number) == decided
    assert turn_texts(found) == texts


def test_the_winner_that_an_sgf_file_names(tmp_path: Path, run: Run) -> None:
    file, page = tmp_path / "game.sgf", tmp_path / "page.html"
    file.write_text("(;GM[4]SZ[11]RE[W+Resign];B[ff];W[gg];B[aa])")
    status, out, err = run("analyze", str(file), "--nodes", "50", "--report", str(page))
    assert (status, err) == (0, "") and "3 moves, White won\n" in out
    assert '"r":"w"' in page.read_text()
    # Moves that end the game say more than what the record says.
    file.write_text(write_sgf(reviewed(game_of(PLAIN)).annotated()).replace("RE[B+]", "RE[W+]"))
    assert "9 moves, Black won\n" in run("analyze", str(file), "--nodes", "50")[1]


def test_a_page_of_a_record_that_goes_wrong_out_of_turn(tmp_path: Path, run: Run) -> None:
    """Its moves up to there are a game that the page can show."""
    file, page = tmp_path / "game.sgf", tmp_path / "page.html"
    file.write_text("(;GM[4]SZ[11];B[ff];W[gg];B[aa];B[ab])")
    status, out, err = run("analyze", str(file), "--nodes", "50", "--report", str(page))
    assert (status, err) == (0, "") and page.exists()
    assert "analysed up to move 3: move 4, a10, is Black's, but it is White's turn\n" in out


def test_a_proof_that_is_too_long_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """The check ends at its bound; the win still counts, and the text says what is missing."""
    file = tmp_path / "game.psq"
    file.write_text(psq_of(MISSED))
    words = (str(file), "--nodes", "400", "--rule", "standard")
    monkeypatch.setattr("tengen.study.reviewer._CHECKED_STONES", 1)
    step = reviewed(game_of(MISSED)).moves[6]
    assert step.kind == MISSED_WIN and step.win is not None and step.check is not None
    assert step.check.ok is None and step.check.stones == 2
    assert "beginning with e6 (a proof too long to check)" in run("analyze", *words)[1]
    record = json.loads(run("analyze", *words, "--json")[1])
    assert record["steps"][6]["kind"] == "missed win" and not record["steps"][6]["is_proved"]


def test_a_proof_that_the_referee_refuses_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.study.reviewer.check_answer", lambda *_: Check(False, 1, "wrong"))
    step = reviewed(game_of(MISSED)).moves[6]
    assert step.win is None and step.check is None


def test_the_sgf_has_notes_and_better_lines() -> None:
    found = reviewed(game_of(MISSED).by_rule(1))
    text = write_sgf(found.annotated())
    assert found.annotated().said_rule == 1
    # Our reader follows the game itself, and another reader sees the variations.
    assert read_saved_game(text).stones == found.stones
    nodes = list(sgfmill.Sgf_game.from_string(text.replace("GM[4]", "GM[1]")).get_main_sequence())
    assert len(nodes) == len(found.stones) + 1
    marked = nodes[7]
    assert marked.get("BM") == 2 and "misses a win with stone 3" in marked.get("C")
    alternative = nodes[6][1]
    colour, (row, column) = alternative.get_move()
    move = found.moves[6].best.move
    assert colour == "b" and (column, 10 - row) == (move.x, move.y)
    assert "win chance" in nodes[1].get("C") and nodes[0].get("RE") == "B+"


def test_the_sgf_keeps_what_the_file_says() -> None:
    text = (
        "(;SZ[11]RU[renju]PB[a]GC[old]KO[kept];B[ff]C[mine](;W[gg];B[];W[aa];B[bb]C[last])"
        "(;W[ee]C[other]))"
    )
    found = reviewed(read_saved_game(text))
    assert [step.colour for step in found.moves] == ["black", "white", "white", "black"]
    assert not found.fault
    written = write_sgf(found.annotated())
    for kept in ("KO[kept]", "C[mine\n", "GC[old", ";B[]", "C[other]", "C[last\n"):
        assert kept in written
    assert read_saved_game(written).stones == found.stones


PSQ = "Piskvorky 11x11, 11:11, 0\n{}\nA\nB\n0\n"


def psq_of(points: str) -> str:
    cells = [cell for point in points.split() for cell in read_moves(point, 11, 11)]
    return PSQ.format("\n".join(f"{x + 1},{y + 1},0" for x, y in cells))


def test_the_command(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.psq"
    file.write_text(psq_of(f"{MISSED} k3"))
    notes, page = tmp_path / "notes.sgf", tmp_path / "page.html"
    words = (str(file), "--nodes", "400", "--sgf", str(notes), "--report", str(page))
    status, out, err = run("analyze", *words)
    assert (status, err) == (0, "")
    assert f"{file} names no rule; freestyle is assumed" in out
    assert "A - B, freestyle 11x11, 11 moves, Black won\n" in out
    assert "analysed up to move 11: psq: move 12 is played after the end of the game\n" in out
    assert len([*read_sgf(notes.read_text())[0].root.main_line()]) == 13
    assert '"mark":"??"' in page.read_text()


def test_json(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.psq"
    file.write_text(psq_of(MISSED))
    status, out, err = run("analyze", str(file), "--nodes", "400", "--json", "--rule", "standard")
    assert (status, err) == (0, "")
    record = json.loads(out)
    assert (record["rule"], record["winner"], record["moves"]) == (1, "black", 11)
    assert [step["number"] for step in record["steps"]] == list(range(1, 12))
    missed = record["steps"][6]
    assert missed["kind"] == "missed win" and missed["is_proved"] and missed["loss"] > 0
    assert missed["best"] == {"value": None, "mate_plies": 3, "win_chance": 1.0}


def test_a_damaged_record_is_analysed_up_to_there(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.psq"
    file.write_text(psq_of("f6 a1 g6").replace("7,6,0", "7,6,0\n30,1,0\n1,1,0"))
    status, out, _ = run("analyze", str(file), "--nodes", "50")
    assert status == 0 and "analysed up to move 3: psq, line 5: the move is outside" in out
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[4]SZ[11];B[ff];W[aa];B[ff];W[bb])")
    status, out, _ = run("analyze", str(file), "--nodes", "50")
    assert status == 0 and "analysed up to move 2: sgf: move 3 is played on a stone" in out
    with pytest.raises(ValueError):
        read_saved_game(file.read_text())


def test_a_mistake_is_one_only_if_longer_searches_say_so() -> None:
    """Searches of an engine whose values are given: the longer ones decide."""
    # White's first move loses by the first searches only.
    first, longer = {1: 0, 2: 0, 3: 300, 4: -10, 5: 10}, {1: 0, 2: 0, 3: 10}
    found = _with_values(first, longer)
    assert kinds(found) == {} and not any(step.is_unsure for step in found.moves)
    first = {1: 0, 2: 0, 3: 300, 4: -300, 5: 300}
    found = _with_values(first, first)
    assert kinds(found) == {2: MISTAKE}
    assert found.moves[1].loss > 0.2


def test_a_smaller_loss_is_an_inaccuracy() -> None:
    values = {1: 0, 2: 0, 3: 100, 4: -100, 5: 100}
    found = _with_values(values, values)
    assert kinds(found) == {2: INACCURACY} and 0.1 < found.moves[1].loss < 0.2
    assert found.accuracy("black") == 1
    assert found.accuracy("white") == pytest.approx(1 - found.moves[1].loss / 2)
    assert accuracy_text(found) == "accuracy: Black 100.0 %, White 94.4 %"
    assert re.findall(r"^;(W\[..\])C.*DO\[\]$", write_sgf(found.annotated()), re.MULTILINE) == [
        "W[ak]"
    ]
    # It has to be confirmed too, and a smaller one is none.
    assert kinds(_with_values(values | {4: -80, 5: 80}, {1: 0, 2: 0, 3: 80})) == {}


def test_a_proof_that_a_move_loses_counts_for_one_grade_more() -> None:
    """Whatever chance was seen before the move, which depends on how long the searches were."""
    game = game_of("h8 i9 i8 i7 j8 a15 k8 g8 l8", 15)
    loss = reviewed(game, threshold=2.0).moves[5].loss
    for times, kind in ((4, INACCURACY), (1.5, MISTAKE)):
        found = reviewed(game, threshold=times * loss)
        assert kinds(found)[6] == kind and found.decided == found.moves[5]


def test_a_loss_that_there_was_no_time_to_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.study.reviewer._LEAST_DEEPER", 10**6)
    values = {1: 0, 2: 0, 3: 300, 4: -300, 5: 300}
    found = _with_values(values, values, Budget(time_ms=10_000))
    assert kinds(found) == {}
    assert [step.number for step in found.moves if step.is_unsure] == [2]


def _with_values(
    first: dict[int, int],
    longer: dict[int, int],
    budget: Budget = Budget(nodes=100),  # noqa: B008
) -> Review:
    """The review of four quiet moves by an engine that has these values of positions, by the
    number of the next move, in its first and its longer searches."""
    brain = valued(first, longer)
    return review(brain, brain, "it", game_of("f6 a1 k11 a11"), budget, 0.2)


class Valued(Asked):
    """An engine whose values are given, and which finds no wins."""

    values: list[dict[int, int]]
    seen: set[int]
    mates: dict[int, int]  # announced by longer searches

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        return Solution(Status.NO_WIN, None, (), 10, 2000, None)

    def think(
        self,
        limits: Limits = Limits(),  # noqa: B008
        on_info: Callable[[Info], None] | None = None,
    ) -> Result:
        number = len(self.position.stones) + 1
        is_longer = number in self.seen
        values = self.values[is_longer]
        self.seen.add(number)
        line = (ModelPoint(5, 0),)
        score = Score(values.get(number, 0))
        if is_longer and number in self.mates:
            score = Score(0, self.mates[number])
        return Result(line[0], Info(1, 1, score, 10, 10, 1, line))


def valued(first: dict[int, int], longer: dict[int, int]) -> Valued:
    brain = Valued()
    brain.values, brain.seen, brain.mates = [first, longer], set(), {}
    return brain


def test_the_result_is_shown_though_a_file_cannot_be_written(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.psq"
    file.write_text(psq_of("f6 a1"))
    status, out, err = run(
        "analyze", str(file), "--nodes", "20", "--sgf", str(tmp_path / "no/x.sgf")
    )
    assert status == 2 and "2 W" in out
    assert err == f"tengen analyze: {tmp_path}/no/x.sgf: No such file or directory\n"


def test_a_win_that_only_a_longer_search_announces_is_missed_too() -> None:
    brain = valued({1: 0, 2: 0, 3: 300, 4: -300, 5: 300}, {1: 0, 2: 0, 4: -10, 5: 10})
    brain.mates = {3: 9}
    found = review(brain, brain, "it", game_of("f6 a1 k11 a11"), Budget(nodes=100), 0.2)
    assert kinds(found)[3] == MISSED_WIN and found.moves[2].best.score == Score(0, 9)
    assert found.moves[2].check is None


def test_a_review_can_be_given_up_to_its_end() -> None:
    """Each longer look too is announced before it begins, so that the caller may refuse it."""
    looks: list[int] = []

    class Counting(Asked):
        def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
            looks.append(len(told))
            return Solution(Status.NO_WIN, None, (), 10, 2000, None)

    told: list[tuple[str, int, int]] = []
    game, budget = game_of("f6 a1 k11 a11"), Budget(nodes=100)
    values = {1: 0, 2: 0, 3: 300, 4: -300, 5: 300}
    review(valued(values, values), Counting(), "it", game, budget, 0.2, lambda *w: told.append(w))
    assert told == [
        *((VALUES, done, 5) for done in range(5)),
        *((WINS, done, 4) for done in range(4)),
        (DOUBTS, 0, 1),
    ]
    assert looks == [6, 7, 8, 9]


def test_a_busy_machine_does_not_hide_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[SolveLimits] = []

    class Hurried(Asked):
        """Finds nothing within a limit of time, as where others use the processor."""

        def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
            asked.append(limits)
            if limits.time_ms is None:
                return super().solve(limits)
            return Solution(Status.UNKNOWN, None, (), 10, 1000, None)

    found = review(Engine(), Hurried(), "it", game_of(MISSED), Budget(time_ms=200), 0.2)
    assert kinds(found)[7] == MISSED_WIN
    assert found.moves[6].win is not None
    assert {limits.nodes for limits in asked if limits.time_ms is None} == {60_000}


# -- several games


def _small(folder: Path) -> tuple[str, ...]:
    """A folder with two files of games, three games in all, a file without one, and another."""
    folder.mkdir()
    (folder / "b.psq").write_text(psq_of("f6 a1 g6"))
    (folder / "a.sgf").write_text("(;GM[4]SZ[11];B[ff];W[gg])\n(;GM[4]SZ[11];B[aa];W[bb];B[cc])")
    (folder / "c.psq").write_text("Piskvorky 11x11, 11:11, 0\n")
    (folder / "notes.txt").write_text("no game")
    return "analyze", "--review", str(folder), "--nodes", "20"


def test_a_folder_is_gone_through_with_all_games_of_its_files(tmp_path: Path, run: Run) -> None:
    words = _small(tmp_path / "games")
    status, out, err = run(*words, "--sgf", str(tmp_path / "notes"))
    names = [f"{tmp_path}/games/{name}" for name in ("a.sgf, game 1", "a.sgf, game 2", "b.psq")]
    assert status == 1 and err == f"{tmp_path}/games/c.psq: there is no move to analyse\n"
    heads = [line for line in out.splitlines() if " moves, " in line]
    assert [head.split(": ")[0] for head in heads] == names
    shown = [Path(name).name for name in names]
    assert [line.split("  ")[0] for line in out.splitlines()[-3:]] == shown
    written = sorted(path.name for path in (tmp_path / "notes").iterdir())
    assert written == ["a.sgf-1.sgf", "a.sgf-2.sgf", "b.psq.sgf"]
    status, out, _ = run(*words, "--json")
    assert [json.loads(line)["moves"] for line in out.splitlines()] == [2, 3, 3]


def test_a_folder_is_gone_through_with_those_below_it(tmp_path: Path, run: Run) -> None:
    games = [game(number, "A", "B", "black") for number in range(2)]
    folder = write_run(tmp_path / "games" / "first", header("A", "B"), games)
    for below in (folder / "sgf", tmp_path / "games" / "other" / "deep"):
        below.mkdir(parents=True)
        (below / "x.sgf").write_text("(;GM[4]SZ[11];B[ff];W[gg])")
    status, out, err = run("analyze", "--review", str(tmp_path / "games"), "--nodes", "20")
    assert (status, err) == (0, "")
    names = [line.split("  ")[0] for line in out.splitlines()][-3:]
    # The games of a match once, not its files as well.
    assert names == ["first, game 1", "first, game 2", "x.sgf"]


def test_equal_names_in_several_folders_stay_apart(tmp_path: Path, run: Run) -> None:
    files = [tmp_path / folder / "x.sgf" for folder in "ab"]
    for file, point in zip(files, ("ff", "gg"), strict=True):
        file.parent.mkdir()
        file.write_text(f"(;GM[4]SZ[11];B[{point}])")
    words = ("analyze", "--review", *map(str, files), "--nodes", "20")
    out = run(*words, "--sgf", str(tmp_path / "notes"), "--report", str(tmp_path / "pages"))[1]
    notes = [tmp_path / "notes" / name for name in ("x.sgf.sgf", "x.sgf (2).sgf")]
    assert ["B[ff]" in note.read_text() for note in notes] == [True, False]
    assert len([*(tmp_path / "pages").iterdir()]) == 2
    assert [line.split("  ")[0] for line in out.splitlines()][-2:] == ["x.sgf", "x.sgf (2)"]


@pytest.mark.parametrize("is_typed", [True, False])
def test_a_pasted_game_is_gone_through(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, is_typed: bool
) -> None:
    words = PLAIN.split()
    if not is_typed:
        words = ["-"]
        data = io.TextIOWrapper(io.BytesIO(PLAIN.encode()))
        monkeypatch.setattr("sys.stdin", data)
    status, out, err = run("analyze", "--review", *words, "--size", "11", "--nodes", "50")
    assert (status, err) == (0, "") and "9 moves, Black won" in out and "accuracy: " in out


def test_one_game_of_a_collection_is_chosen(tmp_path: Path, run: Run) -> None:
    *words, _, _ = _small(tmp_path / "games")
    words[-1] += "/a.sgf"
    status, out, _ = run(*words, "--game", "2", "--nodes", "20")
    assert status == 0 and out.count("accuracy") == 1 and "3 moves" in out
