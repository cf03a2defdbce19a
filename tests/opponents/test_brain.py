"""What all opponents share: legal moves on every board and by every rule, limits, stopping, and
`tengen brain`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from zlib import crc32

import pytest

from engine.model import Info, Limits, Placed, Position, Rule, Stone
from tengen.game.referee import BLACK, RULES, WHITE, Cell, Referee, opponent_of
from tengen.opponents.brain import MOVES_LEFT, Baseline, Choice, Clock, TimeUp
from tengen.opponents.registry import BRAINS, create
from tests.commands import Run
from tests.opponents.players import AMPLE, drawn, move_of, position_of, random_boards, think
from tests.paths import ROOT

NAMES = list(BRAINS)
SHORT = Limits(turn_ms=60_000, nodes=40)


class Obedient(Baseline):
    """Plays the cells that it is given."""

    def __init__(self, cells: list[Cell]) -> None:
        super().__init__()
        self.cells = cells

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        return Choice(self.cells)


def _obeyed(picture: str, cells: list[Cell], side: int = BLACK) -> Cell:
    board, _ = drawn(picture)
    brain = Obedient(cells)
    brain.set_position(position_of(board, side))
    x, y = brain.think(Limits()).move
    return x, y


def test_the_first_allowed_cell_is_played() -> None:
    picture = """
    rule: 4
    . . . . . . .
    . . X . . . .
    . . X X . . .
    . . . . . . #
    . X . . X . .
    . . . . . O .
    """
    board, _ = drawn(picture)
    foul = min(board.forbidden_points())
    for side in (BLACK, WHITE):
        brain = Obedient([])
        brain.set_position(position_of(board, side))
        assert {*brain.forbidden_points()} == board.forbidden_points()
        assert brain.is_forbidden(*foul) == (side == BLACK)
    assert _obeyed(picture, [(2, 1), (6, 3), foul, (5, 2)]) == (5, 2)
    assert _obeyed(picture, [(2, 1), (6, 3), foul, (5, 2)], WHITE) == foul
    assert _obeyed(picture.replace("rule: 4", "rule: 0"), [foul]) == foul
    # None of the named cells may be played: then any cell that may.
    assert _obeyed(picture, [foul, (2, 1)]) == (0, 0)
    assert _obeyed(picture, []) == (0, 0)


def test_excluded_cells_are_passed_over() -> None:
    brain = Obedient([(0, 0), (1, 1), (2, 2)])
    brain.set_position(Position(5, 5, Rule.FREESTYLE, (Placed(1, 1, Stone.BLACK),), Stone.WHITE))
    every = [(x, y) for y in range(5) for x in range(5) if (x, y) != (1, 1)]
    for excluded, move in (((), (0, 0)), (((0, 0),), (2, 2)), (((2, 2), (0, 0)), (1, 0))):
        assert brain.think(Limits(excluded=excluded)).move == move
    with pytest.raises(ValueError, match="no empty point is left"):
        brain.think(Limits(excluded=every))


def test_a_foul_only_where_there_is_nothing_else() -> None:
    only = "rule: 4\nX X X . X X\nO O X O O X\nX O O X O O\nO X X O X X\nX X O O X O\n"
    assert _obeyed(only, []) == (3, 0)
    assert [move_of(name, drawn(only)[0]) for name in NAMES] == [(3, 0)] * len(NAMES)


@pytest.mark.parametrize(
    ("rule", "expected"), [(0, (3, 1)), (1, (1, 3)), (4, (1, 3)), (8, (3, 1)), (9, (1, 3))]
)
def test_a_five_that_does_not_count_comes_last(rule: int, expected: Cell) -> None:
    # Six for Black at 3,1; in caro that wins. Five for Black at 4,5, blocked at both ends.
    picture = f"""
    rule: {rule}
    . . . . . . . . .
    X X X . X X . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . O X X . X X O .
    """
    assert _obeyed(picture, [(3, 1), (1, 3)]) == expected
    in_caro = rule in (8, 9)
    assert _obeyed(picture, [(4, 5), (1, 3)]) == ((1, 3) if in_caro else (4, 5))
    # The same holds for White, who need not stop it.
    assert _obeyed(picture, [(4, 5), (1, 3)], WHITE) == ((1, 3) if in_caro else (4, 5))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [(5, 22), (20, 6)])
def test_legal_moves_on_every_board(name: str, size: tuple[int, int]) -> None:
    """Some moves of a game with itself, by every rule, with walls on every other board."""
    for rule in RULES:
        walls = [(1, 1), (size[0] - 2, size[1] // 2)] if rule in (0, 4) else []
        board = Referee(*size, rule, walls)
        side = BLACK
        for _ in range(4):
            cell = think(name, board, side, seed=rule, limits=SHORT).move
            assert side == WHITE or board.foul(*cell) is None
            board.play(*cell, side)
            side = opponent_of(side)
            if board.winner():
                break


# What each opponent plays and reports on some boards, as a checksum: the ratings of docs/LADDER.md
# are of these programs and no others.
PLAYED = {
    "random": 2288061565, "weights": 3456716999, "score": 103942130, "minimax-basic": 3858302384,
    "foresight-low": 1121483643, "simple": 1175511729, "lines": 697341771,
    "foresight": 3885116298, "minimax": 1887196037, "foresight-high": 111255181,
    "alphabeta": 3482027545,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_opponents_of_the_ladder_are_unchanged(name: str) -> None:
    told = []
    for number, board in enumerate(random_boards(40, RULES)):
        result = think(name, board, 1 + number % 2, number, Limits(turn_ms=600_000, nodes=200))
        told.append((*result.move, str(result.info.score), result.info.depth_plies))
    assert crc32(repr(told).encode()) == PLAYED[name]


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_play_equal_moves_whatever_came_before(name: str) -> None:
    """Nor does the order in which stones were placed matter. Each move comes with one report."""
    board, _ = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . X X . . . .
    . . . . . O . . .
    . . . . . . . . .
    """)
    brain, position = create(name, 5), position_of(board, BLACK)
    moves = set()
    for each in (
        position,
        Position(7, 7),
        position,
        position._replace(stones=position.stones[::-1]),
    ):
        brain.set_position(each)
        heard: list[Info] = []
        result = brain.think(AMPLE, heard.append)
        assert heard == [result.info] and result.info.pv == (result.move,)
        if each.width == 9:
            moves.add(result.move)
        brain.new_game()
    assert moves == {move_of(name, board, BLACK, seed=5)}
    if name in ("random", "score", "simple", "foresight-low", "foresight-high"):
        empty = Referee(15, 15, 0)
        if name == "simple":
            empty.play(7, 7, WHITE)
        assert len({move_of(name, empty, seed=seed) for seed in range(12)}) > 3


@pytest.mark.parametrize("name", NAMES)
def test_little_time_and_a_stop_are_obeyed(name: str) -> None:
    board = Referee(22, 22, 0)
    for i, cell in enumerate([(10, 10), (11, 11), (10, 12), (12, 10), (9, 9), (11, 9)]):
        board.play(*cell, 1 + i % 2)
    brain = create(name)
    brain.set_position(position_of(board, BLACK))
    looks_ahead = name in ("minimax", "alphabeta", "foresight")
    assert not looks_ahead or brain.think(Limits(turn_ms=0)).info.nodes == 0
    brain.request_stop()
    assert brain.think(AMPLE).info.nodes <= 1
    brain.clear_stop()
    # Otherwise they think.
    assert not looks_ahead or brain.think(AMPLE).info.nodes > 100


def test_what_a_brain_cannot_do_is_said() -> None:
    brain = create("lines")
    assert brain.set_memory(10**9) is None and brain.set_threads(2) is not None
    with pytest.raises(ValueError, match="no parameter"):
        brain.set_parameter("depth", 3)
    full = tuple(Placed(x, y, Stone.WALL) for x in range(5) for y in range(5))
    brain.set_position(Position(5, 5, stones=full))
    with pytest.raises(ValueError, match="no empty point"):
        brain.think(Limits())
    with pytest.raises(ValueError, match="not empty"):
        brain.set_position(Position(5, 5, Rule.CARO, full + full[:1]))


# -- the clock


def test_the_clock_keeps_something_back() -> None:
    now_ns = time.perf_counter_ns()
    whole_game = Limits(turn_ms=600_000, left_ms=1000 * MOVES_LEFT)
    for limits, over_ms in (
        (Limits(turn_ms=100), 85), (Limits(turn_ms=1000), 900), (Limits(turn_ms=10), 0),
        (whole_game, 900), (Limits(left_ms=-5), 0),
    ):  # fmt: skip
        late = limits._replace(started_ns=now_ns - over_ms * 1_000_000)
        early = limits._replace(started_ns=now_ns + 10**12)
        assert Clock(late, lambda: False).is_over and not Clock(early, lambda: False).is_over


def test_the_clock_counts_positions_and_hears_stops() -> None:
    is_stopped = False
    clock = Clock(Limits(turn_ms=60_000, nodes=3), lambda: is_stopped)
    part = clock.share(0.5, nodes=2)
    part.count()
    part.count()
    with pytest.raises(TimeUp):
        part.count()
    assert (part.nodes, clock.nodes) == (2, 2)
    rest = clock.share(1.0)
    rest.count()
    with pytest.raises(TimeUp):
        rest.count()
    assert clock.nodes == 3 and clock.is_over
    fresh = Clock(Limits(turn_ms=60_000), lambda: is_stopped)
    fresh.count()
    is_stopped = True
    assert fresh.is_stopped and fresh.is_over
    with pytest.raises(TimeUp):
        fresh.count()


def test_the_ladder_has_every_opponent() -> None:
    ladder = tomllib.loads((ROOT / "docs/ladder.toml").read_text(encoding="utf-8"))
    commands = {each["name"]: each["cmd"] for each in ladder["engine"]}
    tengen = {name for name, command in commands.items() if command == "pbrain-tengen"}
    assert {name: commands[name] for name in NAMES} == {n: f"tengen brain {n}" for n in NAMES}
    assert set(commands) == {*NAMES, *tengen} and len(tengen) == 4
    rated = (ROOT / "docs/LADDER.md").read_text(encoding="utf-8")
    assert all(f"| {name} | " in rated for name in commands)


# -- as programs


def test_an_unknown_name_is_one_line_with_those_there_are(run: Run) -> None:
    for words, said in ((["nobody"], "'nobody'"), ([], "which opponent?")):
        refusal = run("brain", *words).refusal
        assert said in refusal and all(name in refusal for name in BRAINS)


def test_a_brain_speaks_the_protocol() -> None:
    said = "ABOUT\nSTART 15\nINFO rule 4\nBEGIN\nTURN 8,8\n"
    command = [sys.executable, "-m", "tengen", "brain", "foresight", "--seed", "3"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("MESSAGE")]
    assert lines[0].startswith('name="foresight"') and lines[1:3] == ["OK", "7,7"]
    assert re.fullmatch(r"\d+,\d+", lines[3]) and len(lines) == 4
    assert (done.stderr, done.returncode) == ("", 0)


# These ask for a good move. By chance none is found; and score and minimax-basic stop a five
# before they make one, as published.
GOOD_MOVES = {93, 94, 95, 96, 97}
FAILS = {"random": GOOD_MOVES, "score": GOOD_MOVES, "minimax-basic": GOOD_MOVES}


@pytest.mark.slow
@pytest.mark.parametrize("name", BRAINS)
def test_all_mandatory_commands_pass(name: str, tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m tengen brain {name}'
    done = subprocess.run(
        [sys.executable, "-m", "tengen", "check", command, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    checks = json.loads(done.stdout)["results"]
    failed = {check["number"] for check in checks if check["outcome"] == "fail"}
    assert len(checks) > 70
    assert failed == FAILS.get(name, set())
