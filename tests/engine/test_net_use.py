"""An engine with a net: which file it uses, what the net changes, and that all paths play alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import network
from engine.api import Engine
from engine.model import Limits, Position, Rule
from engine.net import NetFiles
from engine.network import Network
from tests.engine.net_oracle import ask
from tests.engine.nets import random_net
from tests.engine.positions import engine_at

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


def test_the_net_can_be_switched_off_and_on_with_several_threads() -> None:
    engine, fresh = Engine(), Engine()
    engine.set_threads(3)
    for each in (engine, fresh):
        each.set_position(Position.from_moves(MOVES))
    for use in (1, 0, 1):
        for each in (engine, fresh):
            each.set_parameter("use_net", use)
        assert engine.think(QUICK).move is not None
        assert engine.static_value() == fresh.static_value()


def test_an_engine_without_a_position_plays_with_its_net(tmp_path: Path) -> None:
    path = written(tmp_path, random_net(0, 4))
    engine, other = Engine(path), Engine(path)
    engine.play(7, 7)
    other.set_position(engine.get_position())
    assert engine.static_value() == other.static_value()
    engine, other = Engine(path), Engine(path)
    other.set_position(engine.get_position())
    for each in (engine, other):
        each.play(7, 7)
    assert engine.think(QUICK).info.lines == other.think(QUICK).info.lines
    assert engine.last_search_stats == other.last_search_stats


def test_an_engine_without_a_position_warns_of_its_net_file(tmp_path: Path) -> None:
    engine = Engine(str(tmp_path / "no.bin"))
    with pytest.warns(RuntimeWarning, match=r"no\.bin: No such file or directory"):
        engine.think(QUICK)


def test_the_table_is_kept_where_the_net_file_is_a_folder(tmp_path: Path) -> None:
    engine = Engine(str(tmp_path))
    assert engine.set_position(Position.from_moves(MOVES)) is not None
    engine.think(QUICK)
    count = engine.save_hash(str(tmp_path / "table.bin"))
    assert engine.load_hash(str(tmp_path / "table.bin")) == count


# -- which file


def test_a_damaged_file_is_told_once_and_the_shipped_net_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TENGEN_NET", raising=False)
    path = Path(written(tmp_path, random_net(0, 5)))
    path.write_bytes(path.read_bytes()[:-3])
    engine, plain = Engine(str(path)), Engine()
    position = Position.from_moves(MOVES)
    problem = engine.set_position(position)
    assert problem is not None
    assert problem.startswith("net.bin: ") and problem.endswith("; this net is not used")
    assert engine.set_position(position) is None
    assert plain.set_position(position) is None
    assert engine.static_value() == plain.static_value()


@pytest.mark.parametrize(
    ("at", "byte", "text"),
    [
        (10, 7, "made for rule 7, which does not exist"),
        (8, 1, "not a net file of format 2"),
        (10, 1, "damaged (checksum differs)"),
        (5000, 255, "damaged (checksum differs)"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, at: int, byte: int, text: str) -> None:
    path = Path(written(tmp_path, random_net(0, 5)))
    data = bytearray(path.read_bytes())
    assert data[at] != byte
    data[at] = byte
    path.write_bytes(data)
    problem = Engine(str(path)).set_position(Position(15, 15))
    assert problem == f"net.bin: {text}; this net is not used"


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


def test_the_environment_names_a_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_NET", written(tmp_path, random_net(0, 7)))
    loaded, _ = NetFiles().find(0)
    assert loaded is not None and loaded.name == "random 7"
    other = written(tmp_path, random_net(0, 8), "other.bin")
    loaded, _ = NetFiles(other).find(0)
    assert loaded is not None and loaded.name == "random 8"
    monkeypatch.setenv("TENGEN_NET", "")
    assert NetFiles().path is None


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
