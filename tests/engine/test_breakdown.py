"""The static value divided among cells: exact sums, equal cells, divisions that are known."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from functools import cache

import pytest

from engine import network
from engine.api import Engine
from engine.breakdown import Breakdown, break_down
from engine.model import MAX_SIZE, Placed, Point, Position, Rule, Stone
from engine.net import LoadedNet
from engine.network import Network
from tests.engine.nets import THREE, counting_net, random_net
from tests.engine.positions import engine_at, from_picture, probe_of, random_position
from tests.engine.probe import ProbeNet

SIZES = ((5, 5), (7, 5), (9, 12), (15, 15), (MAX_SIZE, MAX_SIZE))


@cache
def loaded(rule: int, extreme: bool) -> LoadedNet:
    return LoadedNet(random_net(rule, 3, extreme))


def some_position(rule: int, size: tuple[int, int], seed: str) -> Position:
    rnd = random.Random(f"{rule}/{seed}")
    return random_position(rnd, Rule(rule), size, (0, size[0] * size[1] // 2))


def check_sums(position: Position, found: Breakdown) -> None:
    """Every part adds up to what is above it, and rounding hides no more than rounding can."""
    part = found.table or found.net
    assert part is not None and (found.table is None) == (found.net is not None)
    taken = {(s.x, s.y) for s in position.stones}
    points = [(x, y) for y in range(position.height) for x in range(position.width)]
    assert list(part.cells) == [point for point in points if point not in taken]
    rest = part.value - sum(part.cells.values()) - part.rounding
    if found.table:
        assert rest == found.table.threats + found.table.tempo
    if found.net:
        assert rest == found.net.empty_board
    assert abs(part.rounding) <= len(part.cells) // 2 + 1
    assert found.value == part.value + found.limit


@pytest.mark.parametrize("rule", list(Rule))
def test_sums_are_exact(rule: Rule) -> None:
    engine = Engine()
    engine.set_parameter("use_net", 0)
    for size in SIZES:
        for extreme in (False, True):
            position = some_position(rule, size, f"sums {extreme}")
            net = loaded(rule, extreme)
            found = break_down(position, net)
            check_sums(position, found)
            alone = break_down(position)
            check_sums(position, alone)
            assert alone.policy is None
            # The values are those that the engine searches with.
            engine.set_position(position)
            assert alone.value == engine.static_value()
            probe, board = ProbeNet(net, "plain"), probe_of(position)
            assert found.net is not None and found.net.value == probe.value(board)
            assert found.net.name == "random 3" and found.net.version == 3
            assert found.value == max(-20000, min(20000, found.net.value))
            bare = position._replace(stones=tuple(s for s in position.stones if s.stone == 3))
            for empty in (bare, Position(15, 15, rule)):
                empty = empty._replace(side_to_move=position.side_to_move)
                assert found.net.empty_board == probe.value(probe_of(empty))


# -- symmetry


def turned(position: Position, way: int) -> tuple[Position, Callable[[int, int], Point]]:
    """One of the 8 symmetries: the position, and where a point goes."""
    width, height = position.width, position.height

    def move(x: int, y: int) -> Point:
        x = width - 1 - x if way & 1 else x
        y = height - 1 - y if way & 2 else y
        return Point(y, x) if way & 4 else Point(x, y)

    stones = tuple(Placed(*move(x, y), stone) for x, y, stone in position.stones)
    size = (height, width) if way & 4 else (width, height)
    return position._replace(width=size[0], height=size[1], stones=stones), move


SYMMETRIC = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . O . X . .
    . . . O X O . . .
    . . . . X . . . .
    . . O . . . O . .
    . . . . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("is_symmetric", [False, True])
def test_a_turned_position_has_the_turned_parts(rule: Rule, is_symmetric: bool) -> None:
    """So the halves of a symmetric one, which is its own image, have equal parts."""
    position = some_position(rule, (8, 10), "turned")
    if is_symmetric:
        position = from_picture(SYMMETRIC, rule=rule)[0]
    for net in (loaded(rule, False), None):
        found = break_down(position, net)
        part = found.net or found.table
        assert part is not None and len(set(part.cells.values())) > 10
        for way in range(1, 8):
            image, move = turned(position, way)
            other = break_down(image, net)
            same = other.net or other.table
            assert same is not None and part.rounding == same.rounding
            assert {move(*point): number for point, number in part.cells.items()} == same.cells
            if set(image.stones) == set(position.stones):
                assert other == found


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.CARO, Rule.CARO_EXACT])
def test_exchanged_colours_have_the_same_parts(rule: Rule) -> None:
    position = some_position(rule, (9, 7), "colours")
    swap = {Stone.BLACK: Stone.WHITE, Stone.WHITE: Stone.BLACK, Stone.WALL: Stone.WALL}
    stones = tuple(Placed(x, y, swap[stone]) for x, y, stone in position.stones)
    other = position._replace(stones=stones, side_to_move=swap[position.side_to_move])
    assert break_down(position, loaded(rule, False)) == break_down(other, loaded(rule, False))


# -- nets whose division is known


def test_a_net_that_counts_gives_each_cell_what_it_counts_for() -> None:
    picture = """
    . . . . . . . . .
    . . X . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . O . .
    . . . . . . . . .
    . . . . . . O . .
    . . . . . . . . .
    """
    position, _ = from_picture(picture)
    board = probe_of(position)
    for own, other in ((1, 0), (0, -2), (3, 1)):
        found = break_down(position, LoadedNet(counting_net(own, other)))
        assert found.net is not None and found.net.empty_board == 0
        wanted = dict.fromkeys(found.net.cells, 0.0)
        for side, factor in ((1, own), (2, other)):
            counted = [p for p in board.empties() if board.threat(*p, side) == THREE]
            assert counted
            for x, y in counted:
                wanted[Point(x, y)] += 110 * factor * min(3, len(counted)) / len(counted)
        for point, number in found.net.cells.items():
            assert abs(number - wanted[point]) <= 0.5, point
        assert found.net.value == sum(wanted.values())
        assert found.net.rounding == found.net.value - sum(found.net.cells.values())


def test_a_value_beyond_the_limit_is_cut_off_in_a_part_of_its_own() -> None:
    net = random_net(0, 4)
    net = net._replace(w3=array("b", [0] * len(net.w3)), b3=array("i", [network.BIAS_LIMIT]))
    position = Position.from_moves("h8 i9 h9 h10")
    found = break_down(position, LoadedNet(net))
    check_sums(position, found)
    assert found.value == 20000 and found.limit < -90000


# -- the policy


@pytest.mark.parametrize("rule", list(Rule))
def test_the_policy_is_the_nets_for_every_move_near_a_stone(rule: Rule) -> None:
    position = some_position(rule, (9, 9), "policy")
    board, net = probe_of(position), loaded(rule, False)
    found = break_down(position, net).policy
    assert found is not None
    points = [move.point for move in found]
    assert ProbeNet(net, "plain").policies(board, points) == [move.logit for move in found]
    engine = engine_at(position)
    assert set(points) <= set(board.empties())
    assert not any(engine.is_forbidden(*point) for point in points)


def test_an_empty_board_has_a_policy_for_every_cell() -> None:
    found = break_down(Position(6, 5), loaded(0, False))
    assert found.policy is not None and len(found.policy) == 30
    assert found.net is not None and found.net.value == found.net.empty_board
    assert not any(found.net.cells.values())


# -- bad input


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected engine\.model\.Position, got 'h8'"):
        break_down("h8")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two stones on 1,1"):
        break_down(Position(9, 9)._replace(stones=(Placed(1, 1, Stone.BLACK),) * 2))
    with pytest.raises(ValueError, match="the net is for rule 1, the position for rule 0"):
        break_down(Position(9, 9), loaded(Rule.STANDARD, False))
    net: Network = random_net(0, 1)
    with pytest.raises(TypeError):
        break_down(Position(9, 9), net)  # type: ignore[arg-type]
