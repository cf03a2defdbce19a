"""Searches with the parameters at the ends of their ranges: legal moves and no crash.

In a debug build the searches also compare the board with a recomputed one, and their asserts hold.
"""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, SolveLimits, Stone
from engine.parameters import PARAMS
from tests.engine.checked_search import checked_think
from tests.engine.positions import engine_at, from_picture, from_pos
from tests.engine.test_params import CLOCK
from tests.stopwatch import Stopwatch, in_time, timed

NODES = 400
ROWS = {row.name: row for row in PARAMS}
ENDS = [(row.name, value) for row in PARAMS for value in (row.low, row.high)]

POSITIONS = (
    from_pos("h8i9g9i7j8h6", Rule.FREESTYLE),
    from_pos("h8i9g9i7j8h6g6f9", Rule.RENJU),
    # A double three is in the air, beside the edge and a wall.
    from_picture(
        """
        . . . . . . .
        . X . . O # .
        . X O . . . .
        . . X X O . .
        . O . . . . .
        """,
        Stone.BLACK,
        Rule.CARO,
    )[0],
)


def _search_all(engine: Engine) -> None:
    """Searches of all positions, and the threat solver."""
    for position in POSITIONS:
        engine.new_game()
        engine.set_position(position)
        checked_think(engine, Limits(nodes=NODES))
        # The table now holds entries, and the search begins again with other moves in front.
        checked_think(engine, Limits(nodes=NODES // 2, is_analysis=True))
        engine.solve(SolveLimits(nodes=NODES // 2))
        engine.check()


@pytest.mark.parametrize(("name", "value"), ENDS)
def test_a_parameter_at_the_end_of_its_range(name: str, value: int) -> None:
    engine = Engine()
    engine.set_memory(None, 2**20)
    engine.set_parameter(name, value)
    _search_all(engine)


def test_all_parameters_at_the_ends_of_their_ranges() -> None:
    """All at the low end, all at the high end, and ends chosen at random."""
    engine = Engine()
    engine.set_memory(None, 2**20)
    rnd = random.Random(5)
    for number in range(12):
        for row in PARAMS:
            ends = (row.low, row.high)
            engine.set_parameter(row.name, ends[number] if number < 2 else rnd.choice(ends))
        _search_all(engine)


@timed
@pytest.mark.parametrize("name", sorted(CLOCK))
def test_the_clock_at_the_ends_of_its_ranges(name: str) -> None:
    engine = engine_at(POSITIONS[0])
    for value in (ROWS[name].low, ROWS[name].high):
        engine.set_parameter(name, value)
        for limits in (Limits(turn_ms=20), Limits(turn_ms=60, left_ms=400), Limits(left_ms=-5)):
            watch = Stopwatch()
            checked_think(engine, limits)
            # The least time of a move can be set to a second.
            in_time(watch.ms(), 2000)


@pytest.mark.parametrize("size", [(5, 5), (5, 22), (22, 5), (22, 22)])
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_the_smallest_and_largest_boards(size: tuple[int, int], rule: Rule) -> None:
    """From the empty board, and with two empty cells left."""
    engine = Engine()
    engine.set_memory(None, 2**20)
    engine.set_position(Position(*size, rule))
    for _ in range(4):
        engine.play(*checked_think(engine, Limits(nodes=NODES)).move)
    width, height = size
    # Pairs of a colour, shifted from row to row: no five anywhere.
    stones = [
        Placed(x, y, Stone(1 + (x // 2 + y) % 2)) for y in range(height) for x in range(width)
    ]
    for side in (Stone.BLACK, Stone.WHITE):
        engine.new_game()
        engine.set_position(Position(*size, rule, stones[:-2], side))
        assert engine.winner() is None
        for _ in range(2):
            engine.play(*checked_think(engine, Limits(nodes=NODES)).move)
