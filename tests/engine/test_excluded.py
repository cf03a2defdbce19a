"""Points that a search may not play (Limits.excluded): they are never the move, and the value is
that of the moves that are left."""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Point, Position, Result, Rule, SolveLimits, Stone
from tests.engine.announced_wins import Announcement, check
from tests.engine.checked_search import referee_of
from tests.engine.positions import SHAPES, from_picture, random_moves, random_walls

RULES = list(Rule)
ATTACK = Limits(nodes=200_000)


def think(position: Position, limits: Limits, threads: int = 1) -> Result:
    engine = Engine()
    engine.set_memory(64 * 2**20)
    engine.set_threads(threads)
    engine.set_position(position)
    return engine.think(limits)


def empty_points(position: Position) -> list[Point]:
    taken = {(stone.x, stone.y) for stone in position.stones}
    return [
        Point(x, y)
        for y in range(position.height)
        for x in range(position.width)
        if (x, y) not in taken
    ]


def require_allowed(position: Position, result: Result, excluded: set[Point]) -> None:
    """No line begins with an excluded point, and Black makes no foul where another move is left."""
    referee = referee_of(position)
    allowed = [point for point in empty_points(position) if point not in excluded]
    assert result.move == result.info.pv[0]
    for line in result.lines:
        assert line.pv[0] in allowed, (position, excluded, line)
        if position.side_to_move is Stone.BLACK and referee.foul(*line.pv[0]) is not None:
            assert all(referee.foul(*point) for point in allowed), (position, excluded, line)


def random_position(rnd: random.Random, rule: Rule) -> Position:
    width, height = rnd.choice(SHAPES)
    walls = random_walls(width, height, rnd) if rnd.random() < 0.3 else ()
    count = rnd.randrange(min(40, width * height - len(walls) - 3))
    placed = [Placed(x, y, Stone.WALL) for x, y in walls]
    for i, (x, y) in zip(range(count), random_moves(width, height, rnd, walls), strict=False):
        placed.append(Placed(x, y, Stone.WHITE if i % 2 else Stone.BLACK))
    side = Stone.WHITE if count % 2 else Stone.BLACK
    return Position(width, height, rule, tuple(placed), side)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_no_search_plays_an_excluded_point(rule: Rule) -> None:
    """In positions with fives, fours and wins as they come, for one line and several, with one
    thread and more, whether few points are excluded or nearly all."""
    rnd = random.Random(20 + rule)
    engine = Engine()
    engine.set_memory(64 * 2**20)
    for number in range(120):
        position = random_position(rnd, rule)
        free = empty_points(position)
        engine.set_position(position)
        engine.set_threads(2 if number % 10 == 0 else 1)
        limits = Limits(
            nodes=rnd.choice((1, 50, 400, 1500)),
            lines=rnd.choice((1, 1, 2, 4)),
            is_analysis=rnd.random() < 0.4,
        )
        excluded = {engine.think(limits).move}
        require_allowed(position, engine.think(limits._replace(excluded=tuple(excluded))), excluded)
        for share in (0.5, 1.0):
            excluded = set(rnd.sample(free, round(share * len(free))))
            excluded.discard(rnd.choice(free))
            result = engine.think(limits._replace(excluded=tuple(excluded)))
            require_allowed(position, result, excluded)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_move_by_move_until_none_is_left(rule: Rule) -> None:
    rnd = random.Random(30 + rule)
    position = random_position(rnd, rule)._replace(width=6, height=6, stones=())
    for x, y in ((2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (3, 4)):
        colour = Stone.BLACK if x == 2 else Stone.WHITE
        position = position._replace(stones=(*position.stones, Placed(x, y, colour)))
    position = position._replace(side_to_move=Stone.BLACK)
    engine = Engine()
    engine.set_position(position)
    excluded: set[Point] = set()
    while len(excluded) < 30:
        result = engine.think(Limits(nodes=300, excluded=excluded))
        require_allowed(position, result, excluded)
        excluded.add(result.move)
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
    for _ in range(400):
        position = random_position(rnd, Rule.FREESTYLE)
        if checked == 12:
            break
        engine = Engine()
        engine.set_memory(64 * 2**20)
        engine.set_position(position)
        if any(stone.stone is Stone.WALL for stone in position.stones):
            continue
        if (engine.solve(SolveLimits(nodes=2000)).plies or 1) == 1:
            continue
        best = engine.think(Limits(nodes=3000, is_analysis=True))
        if best.info.score.mate_plies is None:
            continue
        result = engine.think(Limits(nodes=3000, is_analysis=True, excluded=(best.move,)))
        plies = result.info.score.mate_plies
        assert result.move != best.move
        if plies is not None and 3 <= plies <= 7:
            verdict = check(Announcement(position, plies), ATTACK, result.move)
            assert verdict.ok, (position, best.move, result, verdict)
            checked += 1
    assert checked == 12


def test_the_first_move_of_a_game() -> None:
    middle = Point(7, 7)
    result = think(Position(15, 15), Limits(nodes=500, excluded=(middle,)))
    assert result.move != middle and max(abs(c - 7) for c in result.move) == 1
    several = think(Position(15, 15), Limits(nodes=500, lines=3, excluded=(middle,)))
    assert middle not in [line.pv[0] for line in several.lines]


def test_far_points_are_played_where_all_near_ones_are_excluded() -> None:
    position = Position(15, 15, Rule.FREESTYLE, (Placed(2, 2, Stone.BLACK),), Stone.WHITE)
    near = {p for p in empty_points(position) if max(p) < 10}
    result = think(position, Limits(nodes=500, excluded=near))
    require_allowed(position, result, near)


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
    engine = Engine()
    engine.set_position(Position.from_moves("h8 i9 h9 h7"))
    first = engine.think(Limits(nodes=2000)).move
    assert engine.think(Limits(nodes=2000, excluded=(first,))).move != first
    engine.new_game()
    assert engine.think(Limits(nodes=2000)).move == first


@pytest.mark.parametrize("excluded", [((1, 2, 3),), (5,), ((1.5, 2),), (("a", "b"),)])
def test_what_is_no_point_is_refused(excluded: object) -> None:
    with pytest.raises(ValueError, match="expected pairs x, y"):
        Limits(excluded=excluded)  # type: ignore[arg-type]
