"""An engine with a net: which file it uses, what it changes, its value divided among cells."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from engine import network
from engine.api import Engine
from engine.breakdown import Breakdown, break_down
from engine.model import MAX_SIZE, Limits, Point, Position, Rule
from engine.net import LoadedNet, NetFiles
from engine.network import Network
from tests.engine.net_oracle import ask
from tests.engine.nets import THREE, counting_net, random_net
from tests.engine.positions import engine_at, from_picture, probe_of, random_position, turned
from tests.engine.probe import ProbeNet

MOVES = "h8 i9 h10 g9 j8 i7 h7"
QUICK = Limits(nodes=10_000)


def written(folder: Path, net: Network, name: str = "net.bin") -> str:
    path = folder / name
    path.write_bytes(network.encode(net))
    return str(path)


def played(engine: Engine, rule: Rule = Rule.FREESTYLE, **parameters: int) -> tuple[object, ...]:
    """What a short search finds, and where its nodes went."""
    for name, value in parameters.items():
        engine.set_parameter(name, value)
    engine.new_game()
    engine.set_position(Position.from_moves(MOVES, rule=rule))
    move, info = engine.think(QUICK)
    return move, info.score, info.depth_plies, info.pv, engine.last_search_stats


def test_the_value_is_the_nets_alone(tmp_path: Path) -> None:
    position = Position.from_moves(MOVES)
    net = random_net(0, 2)
    engine, plain = Engine(written(tmp_path, net)), Engine()
    for each in (engine, plain):
        each.set_parameter("use_net", int(each is engine))
        assert each.set_position(position) is None
    assert engine.static_value() == max(-20000, min(20000, ask(net, position).value))
    assert engine.static_value() != plain.static_value()
    parts, table = engine.explain(), plain.explain()
    assert parts.value == engine.static_value() and table.value == plain.static_value()
    assert parts.table is None and parts.net is not None
    assert table.table is not None and table.net is None
    engine.set_parameter("use_net", 0)
    assert engine.static_value() == plain.static_value()
    assert engine.explain() == table


@pytest.mark.parametrize("rule", list(Rule))
def test_a_net_changes_the_search_by_its_value_and_by_its_policy(
    rule: Rule, tmp_path: Path
) -> None:
    engine = Engine(written(tmp_path, random_net(rule, 1)))
    without = played(engine, rule, use_net=0)
    by_value = played(engine, rule, use_net=1, policy_points=0)
    assert without != by_value != played(engine, rule, policy_points=150)


def test_every_path_searches_the_same_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, random_net(0, 3))
    counts = set()
    for simd in ("plain", "v2", "avx2", "vnni", "", "sse9"):
        monkeypatch.setenv("TENGEN_SIMD", simd)
        counts.add(played(Engine(path), policy_lmr=30))
    assert len(counts) == 1
    assert counts != {played(Engine(path), use_net=0)}


def test_the_value_is_that_of_the_position_alone() -> None:
    """Whatever the engine was told before: undo, boards of other sizes, the same stones under
    another rule."""
    engine = Engine()
    for rule in (0, 1, 0, 4, 8, 9, 8):
        engine.set_position(Position.from_moves(MOVES, rule=Rule(rule)))
        engine.think(QUICK)
        engine.play(9, 9)
        engine.undo()
        for position in (engine.get_position(), Position.from_moves("h8 h9", 20, rule)):
            engine.set_position(position)
            assert engine.static_value() == engine_at(position).static_value()


def test_a_file_is_used_under_its_own_rule_only(tmp_path: Path) -> None:
    files = NetFiles(written(tmp_path, random_net(1, 6)))
    for rule in Rule:
        loaded, problem = files.find(rule)
        assert problem is None
        if rule == Rule.STANDARD:
            assert loaded is not None
            assert (loaded.rule, loaded.version, loaded.name) == (1, 6, "random 6")
        else:
            assert loaded is None or loaded.name != "random 6"


def test_a_shipped_file_is_found_and_a_damaged_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine import net

    monkeypatch.setattr(network, "default_file", lambda rule: str(tmp_path / f"net-{rule}.bin"))
    monkeypatch.setattr(net, "_shipped", {})
    monkeypatch.delenv("TENGEN_NET", raising=False)
    written(tmp_path, random_net(8, 9), "net-8.bin")
    (tmp_path / "net-9.bin").write_bytes(b"nonsense")
    files = NetFiles()
    assert files.find(0) == (None, None)
    assert files.find(8)[0].name == "random 9"  # type: ignore[union-attr]
    assert files.find(9) == (None, "net-9.bin: too short for a net file; this net is not used")
    assert files.find(9) == (None, None)
    assert NetFiles().find(8)[0] is files.find(8)[0]


SIZES = ((5, 5), (9, 12), (MAX_SIZE, MAX_SIZE))


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
        for way in (1, 4, 7):
            image, move = turned(position, way)
            other = break_down(image, net)
            same = other.net or other.table
            assert same is not None and part.rounding == same.rounding
            assert {move(*point): number for point, number in part.cells.items()} == same.cells
            if set(image.stones) == set(position.stones):
                assert other == found


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


def test_without_memory_for_a_net_the_table_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(Path(network.default_file(Rule.FREESTYLE)).read_bytes())

    def fail(path: str, rule: int) -> None:
        raise MemoryError

    monkeypatch.setattr(network, "load_with_crc", fail)
    engine = Engine(net_file=str(file))
    text = engine.set_position(Position(15, 15, Rule.FREESTYLE))
    assert text == "not enough memory for the net: the static value is that of the table"
    assert engine.set_position(Position(15, 15, Rule.FREESTYLE)) is None
    assert engine.think(Limits(nodes=100)).move is not None
