"""`tengen bench` from the command line, and how it measures."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from engine import net, network
from engine.api import Engine
from engine.model import Limits
from tengen.lab.bench import cli, figures, signature
from tengen.lab.bench.signature import MIDDLE, QUIET, load_positions
from tests.commands import Run
from tests.engine.nets import random_net, with_bit_flipped

GROUPS = ["freestyle-15", "freestyle-20", "standard-15", "renju-15", "caro-15"]
LINE = re.compile(r" ?\d+  [a-z_]+ +\d+x\d+ +\d+ +\d+  +(-?\d+|[+-]M\d+)  \d+,\d+")


@pytest.fixture
def few(tmp_path: Path) -> list[str]:
    """Options that make bench short: six positions, one for each group and one more."""
    path = tmp_path / "few.jsonl"
    few = ((0, 15, 7), (0, 20, 4), (1, 15, 4), (4, 15, 4), (8, 15, 4), (9, [9, 7], 6))
    moves = [[3, 3], [4, 4], [2, 4], [4, 2], [4, 3], [5, 3], [3, 1]]
    records = ({"rule": rule, "size": size, "moves": moves[:n]} for rule, size, n in few)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="ascii")
    return ["bench", "--positions", str(path), "--depth", "3"]


def test_the_table_and_the_last_line(few: list[str], run: Run) -> None:
    head, *lines, last = run(*few).good.splitlines()
    assert head.split() == ["#", "rule", "size", "stones", "nodes", "value", "move"]
    assert [int(line.split()[0]) for line in lines] == list(range(1, 7))
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert lines[5].split()[1:4] == ["caro_exact", "9x7", "6"]
    assert last == f"Nodes searched: {sum(int(line.split()[4]) for line in lines)}"


def test_speed_as_json(few: list[str], run: Run) -> None:
    # The best round counts: where others have the core, a short search may not reach a second node.
    found = json.loads(run(*few, "--speed", "--json", "--rounds", "2", "--time", "0.25").good)
    assert found["nodes"] > 0
    for key in ("make_undo_pairs_per_s", "nodes_per_s", "vcf_share"):
        assert list(found[key]) == GROUPS
    assert all(pairs > 10_000 for pairs in found["make_undo_pairs_per_s"].values())
    assert all(nodes > 1000 for nodes in found["nodes_per_s"].values())
    assert all(0 <= share <= 1 for share in found["vcf_share"].values())
    assert found["machine"]["load"] >= 0
    assert 0 < found["machine"]["core_share"] < 1.1


def test_speed_of_several_threads(
    few: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Watched(Engine):
        def set_threads(self, count: int) -> str | None:
            asked.append(count)
            return super().set_threads(count)

    monkeypatch.setattr(figures, "Engine", Watched)
    few += ["--speed", "--rounds", "1", "--time", "0.04", "--threads", "3"]
    head, *rows, about, last = run(*few).good.splitlines()
    assert head.split() == ["group", "make+undo/s", "nodes/s", "in", "VCF"]
    assert [row.split()[0] for row in rows] == GROUPS
    said = r"load [\d.]+ on \d+ cores; ran on all with 3 threads, had \d+% of a core"
    assert re.fullmatch(said, about)
    assert last.startswith("Nodes searched: ")
    machine = json.loads(run(*few, "--json").good)["machine"]
    assert (machine["threads"], machine["pinned_to"]) == (3, None)
    assert asked == [3, 3]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--json"], "--json needs --speed"),
        (["--threads", "2"], "--threads needs --speed"),
        (["--rounds", "2"], "--rounds needs --speed"),
        (["--time", "0.5"], "--time needs --speed"),
        (["--update", "--depth", "4"], "--update cannot be used with --positions or --depth"),
        (["--positions", "none.txt"], "none.txt"),
        (["--depth", "0"], "0: expected a whole number from 1"),
        (["--tree", "--speed"], "--tree cannot be used with"),
        (["--tree", "--depth", "5"], "--tree cannot be used with"),
        (["--tree", "--update"], "--tree cannot be used with"),
        (["--nodes", "5000"], "--nodes needs --tree"),
    ],
)
def test_bad_usage_is_one_line(
    options: list[str], problem: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = run("bench", *options).refusal
    assert line.startswith("tengen bench: ") and problem in line


@pytest.fixture
def held(few: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the signature, which is not there yet, of a bench of few positions."""
    monkeypatch.setattr(cli, "POSITIONS", Path(few[2]))
    monkeypatch.setattr(cli, "DEPTH_PLIES", 2)
    monkeypatch.setattr(signature, "SIGNATURE", tmp_path / "SIGNATURE")
    return tmp_path / "SIGNATURE"


def test_update_writes_the_number_and_otherwise_a_difference_is_said(held: Path, run: Run) -> None:
    assert "tengen/lab/bench/SIGNATURE holds no number" in run("bench").err
    last = run("bench", "--update").good.splitlines()[-1]
    assert held.read_text(encoding="ascii") == last.removeprefix("Nodes searched: ") + "\n"
    assert "tengen/lab/bench/SIGNATURE" not in run("bench").err
    held.write_text("12\n", encoding="ascii")
    said = run("bench")
    assert said.status == 0 and "SIGNATURE holds 12: this version searches differently" in said.err


@pytest.mark.parametrize("options", [[], ["--speed"], ["--tree"]])
def test_a_named_net_that_cannot_be_used_is_refused(
    options: list[str], few: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any search; the net that comes with the engine does not take its place."""
    path = tmp_path / "named.bin"
    monkeypatch.setenv("TENGEN_NET", str(path))
    data = network.encode(random_net(0, 1))
    for content in (b"no net", data[:-1], with_bit_flipped(data, 20)):
        path.write_bytes(content)
        line = run("bench", "--positions", few[2], *options).refusal
        assert line.startswith(f"tengen bench: TENGEN_NET: {path}: ")


def test_another_net_has_a_signature_of_its_own(
    held: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "net.bin"
    last = run("bench", "--update").good.splitlines()[-1]
    before = held.read_bytes()
    path.write_bytes(network.encode(random_net(0, 1)))
    monkeypatch.setenv("TENGEN_NET", str(path))
    said = run("bench")
    assert said.good.splitlines()[-1] != last
    assert "TENGEN_NET names another one" in said.err and "differently" not in said.err
    assert "TENGEN_NET names another one" in run("bench", "--update").refusal
    assert held.read_bytes() == before


def test_a_net_of_the_engine_that_cannot_be_used_is_told(
    few: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a change of the patterns: the new signature is that of the table."""
    monkeypatch.setattr(network, "default_file", lambda rule: str(tmp_path / f"net-{rule}.bin"))
    monkeypatch.setattr(net, "_shipped", {})
    monkeypatch.delenv("TENGEN_NET", raising=False)
    (tmp_path / "net-4.bin").write_bytes(b"nonsense")
    told, *_ = run(*few).err.splitlines()
    assert told.startswith("net-4.bin: ") and told.endswith("; this net is not used")


def test_positions_in_any_form(tmp_path: Path, run: Run) -> None:
    """The same position typed and as a psq file is the same search."""
    psq = tmp_path / "game.psq"
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,9,0\n", encoding="ascii")
    words = ("h8i9g7", "7,7 8,6 6,8", psq)
    [said] = {run("bench", "--depth", "2", "--positions", word).good for word in words}
    assert "Nodes searched: " in said
    over = "a1 a2 b1 b2 c1 c2 d1 d2 e1"
    assert "the game is over, Black has won" in run("bench", "--positions", over).refusal


def test_tree_says_how_deep_and_where_the_nodes_went(
    few: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "TARGET_PLIES", 6)
    options = ["bench", "--tree", "--nodes", "3000", *few[1:3]]
    document = json.loads(run(*options, "--json").good)
    assert list(document["groups"]) == [*GROUPS, "caro_exact-9x7"]
    for row in document["groups"].values():
        assert row["positions"] == 1
        assert row["mates"] or 3 <= row["depth_plies"] <= row["seldepth_plies"]
    shares = document["shares"]
    assert 0.5 < shares["fail_highs_by_the_first_move"] <= 1
    text = run(*options).good
    shown = re.sub(r"\W+", "_", text).lower()
    assert all(name in text for name in GROUPS) and all(name in shown for name in shares)


def test_the_stats_count_every_node() -> None:
    engine = Engine()
    for position in load_positions(QUIET)[::20]:
        engine.new_game()
        engine.set_position(position)
        nodes = engine.think(Limits(nodes=20_000)).info.nodes
        stats = engine.last_search_stats
        assert stats.moves + stats.vcf_nodes == nodes == 20_000
        assert stats.moves >= stats.reduced >= stats.again > 0
        assert stats.fail_highs >= stats.first_move > 0
        assert 0 < stats.leaf_vcf.wins < stats.leaf_vcf.searches
        assert stats.iteration_nodes[-1] <= nodes
        assert list(stats.iteration_nodes) == sorted(stats.iteration_nodes)


# -- measuring


def test_nodes_per_second_count_the_time_of_the_search() -> None:
    position = load_positions(MIDDLE)[0]
    engine = Engine()
    engine.set_memory(None, 2**22)
    engine.set_position(position)
    engine.think(Limits(nodes=1))  # makes the table
    began_s = time.process_time()
    nodes = engine.think(Limits(nodes=50_000)).info.nodes
    expected = nodes / (time.process_time() - began_s)
    meter = figures.Meter([], [position])
    for _ in range(5):  # the best counts
        meter.search(engine, turn_ms=150)
    assert expected / 3 < meter.nodes_per_s < expected * 3


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no cores to choose from here")
def test_one_core_is_given_back() -> None:
    before = os.sched_getaffinity(0)
    with figures.one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before
