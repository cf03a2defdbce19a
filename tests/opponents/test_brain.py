"""What all opponents share: legal moves on every board and by every rule, limits, stopping."""

from __future__ import annotations

import time

import pytest

from engine.model import Info, Limits, Placed, Position, Rule, Stone
from tengen.game.rules.referee import BLACK, WHITE, Cell, Referee, opponent_of
from tengen.opponents.brain import MOVES_LEFT, RESERVE_MS, Baseline, Choice, Clock, TimeUp
from tengen.opponents.registry import BRAINS, create
from tests.opponents.players import drawn, move_of, position_of, think

NAMES = list(BRAINS)
SIZES = [(5, 5), (22, 22), (5, 22), (9, 6)]
RULES = [0, 1, 4, 8, 9]


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
@pytest.mark.parametrize("size", SIZES)
def test_legal_moves_on_every_board(name: str, size: tuple[int, int]) -> None:
    """Some moves of a game with itself, by every rule, with walls on every other board."""
    for rule in RULES:
        walls = [(1, 1), (size[0] - 2, size[1] // 2)] if rule in (0, 4) else []
        board = Referee(*size, rule, walls)
        side = BLACK
        limits = Limits(turn_ms=60_000, nodes=40)
        for _ in range(4):
            cell = think(name, board, side, seed=rule, limits=limits).move
            assert side == WHITE or board.foul(*cell) is None
            board.play(*cell, side)
            side = opponent_of(side)
            if board.winner():
                break


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_to_the_last_cell(name: str) -> None:
    board = Referee(6, 5, 4)
    side = BLACK
    while not board.winner() and not board.is_full():
        cell = think(name, board, side, limits=Limits(turn_ms=60_000, nodes=40)).move
        if side == BLACK and board.foul(*cell) is not None:
            assert set(board.empties()) == board.forbidden_points()
            return
        board.play(*cell, side)
        side = opponent_of(side)
    assert board.winner() or board.is_full()


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_play_equal_moves_whatever_came_before(name: str) -> None:
    board, _ = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . X X . . . .
    . . . . . O . . .
    . . . . . . . . .
    """)
    brain = create(name, 5)
    moves = []
    for _ in range(2):
        brain.set_position(position_of(board, BLACK))
        moves.append(brain.think(Limits(turn_ms=20_000)).move)
        brain.set_position(Position(7, 7))
        brain.think(Limits(turn_ms=20_000))
        brain.new_game()
    assert moves[0] == moves[1] == move_of(name, board, BLACK, seed=5)
    # The order in which stones were placed is no part of a position.
    shuffled = position_of(board, BLACK)
    brain.set_position(shuffled._replace(stones=shuffled.stones[::-1]))
    assert brain.think(Limits(turn_ms=20_000)).move == moves[0]


@pytest.mark.parametrize("name", ["random", "score", "foresight-low", "foresight-high"])
def test_seeds_make_a_difference_where_there_is_chance(name: str) -> None:
    assert len({move_of(name, Referee(15, 15, 0), seed=seed) for seed in range(12)}) > 3


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
    assert brain.think(Limits(turn_ms=60_000)).info.nodes <= 1
    brain.clear_stop()
    # Otherwise they think.
    assert not looks_ahead or brain.think(Limits(turn_ms=60_000)).info.nodes > 100


@pytest.mark.parametrize("name", NAMES)
def test_what_a_brain_cannot_do_is_said(name: str) -> None:
    brain = create(name)
    assert brain.set_memory(10**9) is None
    with pytest.raises(ValueError, match="no parameter"):
        brain.set_parameter("depth", 3)
    full = tuple(Placed(x, y, Stone.WALL) for x in range(5) for y in range(5))
    brain.set_position(Position(5, 5, stones=full))
    with pytest.raises(ValueError, match="no empty point"):
        brain.think(Limits())
    with pytest.raises(ValueError, match="not empty"):
        brain.set_position(Position(5, 5, Rule.CARO, full + full[:1]))


@pytest.mark.parametrize("name", NAMES)
def test_one_report_with_the_move(name: str) -> None:
    brain = create(name)
    brain.set_position(
        Position(15, 15, stones=(Placed(7, 7, Stone.BLACK),), side_to_move=Stone.WHITE)
    )
    heard: list[Info] = []
    result = brain.think(Limits(turn_ms=20_000), heard.append)
    assert heard == [result.info] and result.info.pv == (result.move,)


# -- the clock


def test_the_clock_keeps_something_back() -> None:
    now_ns = time.perf_counter_ns()
    for turn_ms, over_ms in ((100, 85), (1000, 900), (10, 0), (0, 0)):
        started_ns = now_ns - over_ms * 1_000_000
        assert Clock(Limits(turn_ms=turn_ms, started_ns=started_ns), lambda: False).is_over
        early = Limits(turn_ms=turn_ms, started_ns=now_ns + 10**9)
        assert not Clock(early, lambda: False).is_over
    assert RESERVE_MS == 100 - 85


def test_the_clock_shares_out_what_is_left_of_the_game() -> None:
    left_ms = 10_000 * MOVES_LEFT
    for passed_ms, is_over in ((0, False), (9000, True)):
        started_ns = time.perf_counter_ns() - passed_ms * 1_000_000
        limits = Limits(turn_ms=600_000, left_ms=left_ms, started_ns=started_ns)
        assert Clock(limits, lambda: False).is_over == is_over
    assert Clock(Limits(left_ms=-5), lambda: False).is_over


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
