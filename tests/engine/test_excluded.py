"""Points that a search may not play (Limits.excluded): they are never the move, and the value is
that of the moves that are left."""

from __future__ import annotations

import random

import pytest

from engine.model import Limits, Placed, Point, Position, Result, Rule, SolveLimits, Stone
from tests.engine.announced_wins import Announcement, check
from tests.engine.checked_search import checked_think
from tests.engine.positions import engine_at, from_picture, random_position, referee_of

RULES = list(Rule)
ATTACK = Limits(nodes=200_000)


def think(position: Position, limits: Limits) -> Result:
    """The result of a new engine, checked: no line begins with an excluded point."""
    return checked_think(engine_at(position), limits)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_move_by_move_until_none_is_left(rule: Rule) -> None:
    cells = ((2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (3, 4))
    stones = tuple(Placed(x, y, Stone.BLACK if x == 2 else Stone.WHITE) for x, y in cells)
    engine = engine_at(Position(6, 6, rule, stones))
    excluded: set[Point] = set()
    while len(excluded) < 30:
        excluded.add(checked_think(engine, Limits(nodes=300, excluded=excluded)).move)
    for limits in (Limits(excluded=excluded), Limits(excluded=excluded, lines=3)):
        with pytest.raises(ValueError, match="every empty point is excluded"):
            engine.think(limits)
    assert engine.think(Limits(nodes=300)).move in excluded


FOURS = """
    . . . . . . . . .
    . . O O O O b . .
    . . . . . . . . .
    . a X X X X O . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def point_marked(marks: dict[str, set[tuple[int, int]]], mark: str) -> Point:
    (cell,) = marks[mark]
    return Point(*cell)


@pytest.mark.parametrize("lines", [1, 2])
def test_a_five_that_is_excluded_is_not_played(lines: int) -> None:
    """Then the opponent's five has to be stopped; where that is excluded too, the game is lost."""
    position, marks = from_picture(FOURS.replace(". . O O O O b", ". # O O O O b"))
    own, other = point_marked(marks, "a"), point_marked(marks, "b")
    limits = Limits(nodes=2000, lines=lines)
    assert think(position, limits).move == own
    result = think(position, limits._replace(excluded=(own,)))
    assert result.move == other
    result = think(position, limits._replace(excluded=(own, other)))
    assert result.move not in (own, other)
    assert result.info.score.mate_plies == -2


def test_the_other_five_is_played() -> None:
    position, marks = from_picture("""
        . . . . . . . .
        . . . . . . . .
        . a X X X X b .
        . . O O . O . .
        . . . . . . . .
        . . . O . . . .
        . . . . . . . .
    """)
    both = {point_marked(marks, "a"), point_marked(marks, "b")}
    for point in both:
        result = think(position, Limits(nodes=500, excluded=(point,)))
        assert {result.move} == both - {point}
        assert result.info.score.mate_plies == 1


def test_a_win_that_begins_elsewhere_counts() -> None:
    """Whatever is announced without the best move is a win without it."""
    rnd = random.Random(40)
    checked = 0
    while checked < 12:
        position = random_position(rnd, Rule.FREESTYLE, stones=(4, 40), walls=False)
        engine = engine_at(position)
        if (engine.solve(SolveLimits(nodes=2000)).plies or 1) == 1:
            continue
        limits = Limits(nodes=3000, is_analysis=True)
        best = engine.think(limits)
        if best.info.score.mate_plies is None:
            continue
        result = checked_think(engine, limits._replace(excluded=(best.move,)))
        plies = result.info.score.mate_plies
        if plies is not None and 3 <= plies <= 7:
            verdict = check(Announcement(position, plies), ATTACK, result.move)
            assert verdict.ok, (position, best.move, result, verdict)
            checked += 1


def test_the_first_move_of_a_game() -> None:
    middle = Point(7, 7)
    result = think(Position(15, 15), Limits(nodes=500, excluded=(middle,)))
    assert result.move != middle and max(abs(c - 7) for c in result.move) == 1
    several = think(Position(15, 15), Limits(nodes=500, lines=3, excluded=(middle,)))
    assert middle not in [line.pv[0] for line in several.lines]


def test_far_points_are_played_where_all_near_ones_are_excluded() -> None:
    position = Position(15, 15, Rule.FREESTYLE, (Placed(2, 2, Stone.BLACK),), Stone.WHITE)
    near = {cell for cell in referee_of(position).empties() if max(cell) < 10}
    think(position, Limits(nodes=500, excluded=near))


def test_points_without_effect_change_nothing() -> None:
    """Occupied ones and those off the board."""
    position = Position.from_moves("h8 i9 h9 h7")
    plain = think(position, Limits(nodes=3000))
    same = think(position, Limits(nodes=3000, excluded=((7, 7), (-1, 4), (15, 2), (3, 99))))
    assert (same.move, same.info._replace(time_ms=0, speed_nps=0)) == (
        plain.move,
        plain.info._replace(time_ms=0, speed_nps=0),
    )


def test_the_next_search_is_free_again() -> None:
    engine = engine_at(Position.from_moves("h8 i9 h9 h7"))
    first = engine.think(Limits(nodes=2000)).move
    assert engine.think(Limits(nodes=2000, excluded=(first,))).move != first
    engine.new_game()
    assert engine.think(Limits(nodes=2000)).move == first


@pytest.mark.parametrize("excluded", [((1, 2, 3),), (5,), ((1.5, 2),), (("a", "b"),)])
def test_what_is_no_point_is_refused(excluded: object) -> None:
    with pytest.raises(ValueError, match="expected pairs x, y"):
        Limits(excluded=excluded)  # type: ignore[arg-type]
