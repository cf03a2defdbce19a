"""Types of the compiled module engine/breakdown.pyx. All values are centi-stones, for the side to
move."""

from typing import NamedTuple

from engine.model import Point, Position
from engine.net import LoadedNet

class TablePart(NamedTuple):
    """The value of the table: the cells, threats, tempo and rounding add up to it.

    cells     by empty cell, in rows from the top left.
    kinds     the kinds of threats that there are: "own three" for the side to move, "three" for the
              opponent. `threats` is the value of all of them together.
    rounding  what the cells have lost by being whole numbers.
    """

    value: int
    cells: dict[Point, int]
    kinds: tuple[str, ...]
    threats: int
    tempo: int
    rounding: int

class NetPart(NamedTuple):
    """The value of a net: the empty board, the cells and rounding add up to it.

    empty_board  the value of a board without stones, of any size.
    cells        by empty cell, in rows from the top left.
    """

    name: str
    version: int
    value: int
    empty_board: int
    cells: dict[Point, int]
    rounding: int

class Move(NamedTuple):
    """One move in the policy. logit: times 8128, as in docs/NET.md."""

    point: Point
    logit: int

class Breakdown(NamedTuple):
    """The static value: that of the table without a net, otherwise the net's, and what limits it.

    table   None with a net.
    net     None without one.
    limit   what is cut off because the static value stays within +-20000; nearly always 0.
    policy  the moves that the search generates and the rule allows; None without a net.
    """

    value: int
    table: TablePart | None
    net: NetPart | None
    limit: int
    policy: tuple[Move, ...] | None

def break_down(position: Position, net: LoadedNet | None = None) -> Breakdown: ...
