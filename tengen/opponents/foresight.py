"""The text "总的来说,要让电脑知道该在哪一点下子……" (an article without a title): tables of the
shape of every point, and a search of forced moves. docs/LADDER.md describes it and where it fails.
The program printed below the text is another brain, `tables.Low` and `tables.High`.

The shape of a point in a line is made of the own stones that touch it on both sides, up to the
first empty cell, other stone or edge.

The text leaves some things open, which are ours: the order of equal points, the smaller shapes,
which reply is assumed, and that a threat does not force an opponent that could make more with the
next stone.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from engine.model import Score
from tengen.game.referee import BLACK, WHITE, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, TimeUp, centre
from tengen.opponents.shapes import Shapes, ShapeTable, run_through_middle

# Shapes by number, more important ones higher. Four = 20 and open three = 15 are from the text.
FIVE, OPEN_FOUR, FOUR, OPEN_THREE, THREE, OPEN_TWO, TWO, ONE = 90, 60, 20, 15, 8, 6, 3, 1
NOTHING = 0
# More than five in a row; whether it wins depends on the rule.
OVERLINE = 91
# Several shapes at one point.
DOUBLE_FOUR, FOUR_THREE, DOUBLE_THREE = 55, 50, 45

_OPEN = {1: ONE, 2: OPEN_TWO, 3: OPEN_THREE, 4: OPEN_FOUR}
_BLOCKED = {1: NOTHING, 2: TWO, 3: THREE, 4: FOUR}

# The most forced steps of an attack.
STEPS = 5
# The most positions searched for either side.
MAX_NODES = 5_000
# The value of a point: its most important shape times this, plus the sum of all four shapes.
_PLACES = 1_000


class Foresight(Baseline):
    """The brain that plays by the text."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """A forced win, else a defence against one, else the highest shape."""
        if not board.stones():
            return Choice([centre(board)])
        table = make_table(board)
        cells = [table.xy(cell) for cell in by_shape(table, colour)]
        if max(best_shape(table, BLACK), best_shape(table, WHITE)) < FIVE:
            for attacker, part in ((colour, 0.5), (opponent_of(colour), 1.0)):
                found = foresee(table, attacker, clock.share(part, MAX_NODES))
                if found is not None:
                    cell, steps = found
                    shape = shape_at(table, cell, attacker)
                    return Choice([table.xy(cell), *cells], Score(shape), 2 * steps + 1)
        return Choice(cells, Score(best_shape(table, colour)))


def make_table(board: Referee) -> ShapeTable:
    """The tables of shapes of both sides, by the rule of the board."""
    black = partial(judge, overline_wins=board.overline_wins(BLACK), has_fouls=board.has_fouls)
    white = partial(judge, overline_wins=board.overline_wins(WHITE), has_fouls=False)
    return ShapeTable(board, read_line, (black, white))


def read_line(line: str) -> int:
    """The shape of the unbroken row through a point."""
    length, left, right = run_through_middle(line)
    if length >= 5:
        return FIVE if length == 5 else OVERLINE
    ends = left.startswith(".") + right.startswith(".")
    return (NOTHING, _BLOCKED[length], _OPEN[length])[ends]


def judge(shapes: Shapes, overline_wins: bool, has_fouls: bool) -> int:
    """The value of a point by its four shapes; see `_PLACES`."""
    return _together(shapes, overline_wins, has_fouls) * _PLACES + sum(shapes)


def _together(shapes: Shapes, overline_wins: bool, has_fouls: bool) -> int:
    if FIVE in shapes:
        return FIVE
    if OVERLINE in shapes:
        return FIVE if overline_wins else NOTHING
    fours = shapes.count(FOUR) + shapes.count(OPEN_FOUR)
    threes = shapes.count(OPEN_THREE)
    if has_fouls and (fours > 1 or threes > 1):
        return NOTHING
    if OPEN_FOUR in shapes:
        return OPEN_FOUR
    if fours > 1:
        return DOUBLE_FOUR
    if fours and threes:
        return FOUR_THREE
    return DOUBLE_THREE if threes > 1 else max(shapes)


def shape_at(table: ShapeTable, cell: int, colour: int) -> int:
    """What a stone of `colour` makes at an empty cell: a shape, or several together."""
    return table.worth[colour][cell] // _PLACES


def best_shape(table: ShapeTable, colour: int) -> int:
    """The most important shape that `colour` could make."""
    return max(table.worth[colour]) // _PLACES


def by_shape(table: ShapeTable, colour: int) -> list[int]:
    """The empty cells by the most important shape that either side could make there; of equal
    ones the own shapes first, then by the sum of all shapes of both sides."""
    own, other = table.worth[colour], table.worth[opponent_of(colour)]

    def key(cell: int) -> tuple[int, bool, int]:
        mine, mine_in_all = divmod(own[cell], _PLACES)
        theirs, theirs_in_all = divmod(other[cell], _PLACES)
        return max(mine, theirs), mine >= theirs, mine_in_all + theirs_in_all

    return sorted(filter(table.is_empty, table.empties), key=key, reverse=True)


def foresee(table: ShapeTable, attacker: int, clock: Clock) -> tuple[int, int] | None:
    """The cell where a win by forced steps begins, and the smallest number of steps; None if none
    is found within STEPS steps and the time."""
    looked_at = 0
    with suppress(TimeUp):
        for steps in range(STEPS + 1):
            before = clock.nodes
            if (cell := _win_by(table, attacker, steps, clock)) is not None:
                return cell, steps
            if clock.nodes - before == looked_at:
                break  # all lines have ended already
            looked_at = clock.nodes - before
    return None


def _win_by(table: ShapeTable, attacker: int, steps: int, clock: Clock) -> int | None:
    """The cell where a win within so many forced steps begins, the attacker to move; None if
    there is none."""
    clock.count()
    mine = table.worth[attacker]
    least = OPEN_THREE if steps else DOUBLE_THREE
    cells = [cell for cell in table.empties if mine[cell] >= least * _PLACES]
    for cell in sorted(cells, key=mine.__getitem__, reverse=True):
        shape = shape_at(table, cell, attacker)
        table.play(cell, attacker)
        try:
            if shape == FIVE or (
                _forces(table, attacker)
                and (shape >= DOUBLE_THREE or _wins_after_reply(table, attacker, steps, clock))
            ):
                return cell
        finally:
            table.undo(cell)
    return None


def _forces(table: ShapeTable, attacker: int) -> bool:
    """Could the attacker make more with the next stone than the opponent?"""
    return best_shape(table, attacker) > best_shape(table, opponent_of(attacker))


def _wins_after_reply(table: ShapeTable, attacker: int, steps: int, clock: Clock) -> bool:
    """Does the attack still win after the assumed reply?"""
    reply = assumed_reply(table, attacker)
    table.play(reply, opponent_of(attacker))
    try:
        return _win_by(table, attacker, steps - 1, clock) is not None
    finally:
        table.undo(reply)


def assumed_reply(table: ShapeTable, attacker: int) -> int:
    """The reply to a threat that is assumed: the point where the attacker's next stone would make
    the most important shape, and of several the one that is best for the defender."""
    mine, theirs = table.worth[attacker], table.worth[opponent_of(attacker)]
    return max(table.empties, key=lambda cell: (mine[cell] // _PLACES, theirs[cell]))
