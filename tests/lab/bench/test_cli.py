"""`tengen bench` from the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine import net, network
from engine.api import Engine
from engine.model import Limits
from tengen import cli as tengen
from tengen.lab.bench import cli, machine, signature, speed
from tengen.lab.bench.records import QUIET, load_records
from tests.engine.nets import random_net, with_bit_flipped

GROUPS = ["freestyle-15", "freestyle-20", "standard-15", "renju-15", "caro-15"]
LINE = re.compile(r" ?\d+  [a-z_]+ +\d+x\d+ +[a-z]+ +\d+  +(-?\d+|[+-]M\d+)  \d+,\d+")


@pytest.fixture
def few(tmp_path: Path) -> list[str]:
    """Options that make bench short: six positions, one for each group and one more."""
    path = tmp_path / "few.txt"
    lines = [
        "# few",
        "freestyle 15x15 middle 7,7 8,8 6,8 8,6 8,7 9,7 7,5",
        "freestyle 20x20 middle 9,9 10,10 8,10 10,8",
        "standard 15x15 middle 7,7 8,8 6,8 8,6",
        "renju 15x15 middle 7,7 8,8 6,8 8,6",
        "caro 15x15 middle 7,7 8,8 6,8 8,6",
        "caro_exact 9x7 tactical 3,3 4,4 2,3 5,4 4,3 6,4",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return ["bench", "--positions", str(path), "--depth", "3"]


def test_the_table_and_the_last_line(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen.run(few) == 0
    head, *lines, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["#", "rule", "size", "kind", "nodes", "value", "move"]
    assert [int(line.split()[0]) for line in lines] == list(range(1, 7))
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert lines[5].split()[1:4] == ["caro_exact", "9x7", "tactical"]
    assert last == f"Nodes searched: {sum(int(line.split()[4]) for line in lines)}"


def test_every_process_says_the_same(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Twice in this process, and in two others with other hash seeds."""
    few[-1] = "6"
    said = set()
    for _ in range(2):
        assert tengen.run(few) == 0
        said.add(capsys.readouterr().out)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "tengen", *few],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        said.add(done.stdout)
    assert len(said) == 1


def test_speed_as_json(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    # The best round counts: where others have the core, a short search may not reach a second node.
    assert tengen.run([*few, "--speed", "--json", "--rounds", "2", "--time", "0.25"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["nodes"] > 0
    for key in ("make_undo_pairs_per_s", "nodes_per_s", "vcf_share"):
        assert list(figures[key]) == GROUPS
    assert all(pairs > 10_000 for pairs in figures["make_undo_pairs_per_s"].values())
    assert all(nodes > 1000 for nodes in figures["nodes_per_s"].values())
    assert all(0 <= share <= 1 for share in figures["vcf_share"].values())
    assert figures["machine"]["load"] >= 0
    assert 0 < figures["machine"]["core_share"] < 1.1


def test_speed_as_a_table(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen.run([*few, "--speed", "--rounds", "1", "--time", "0.02"]) == 0
    head, *rows, about, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["group", "make+undo/s", "nodes/s", "in", "VCF"]
    assert [row.split()[0] for row in rows] == GROUPS
    assert re.fullmatch(r"load [\d.]+ on \d+ cores; ran on core( \d+)?, had \d+% of it", about)
    assert last.startswith("Nodes searched: ")


def test_speed_of_several_threads(
    few: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Watched(Engine):
        def set_threads(self, count: int) -> str | None:
            asked.append(count)
            return super().set_threads(count)

    monkeypatch.setattr(speed, "Engine", Watched)
    few += ["--speed", "--rounds", "1", "--time", "0.04", "--threads", "3"]
    assert tengen.run(few) == 0
    *_, about, last = capsys.readouterr().out.splitlines()
    said = r"load [\d.]+ on \d+ cores; ran on all with 3 threads, had \d+% of a core"
    assert re.fullmatch(said, about)
    assert last.startswith("Nodes searched: ")
    assert tengen.run([*few, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["machine"]
    assert (figures["threads"], figures["pinned_to"]) == (3, None)
    assert asked == [3, 3]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--json"], "--json needs --speed"),
        (["--threads", "2"], "--threads needs --speed"),
        (["--rounds", "2"], "--rounds needs --speed"),
        (["--time", "0.5"], "--time needs --speed"),
        (["--turn-ms", "500"], "--turn-ms is now --time SECONDS"),
        (["--update", "--depth", "4"], "--update cannot be used with --positions or --depth"),
        (["--positions", "none.txt"], "none.txt: No such file or directory"),
        (["--depth", "0"], "0 is not in the range"),
    ],
)
def test_bad_usage_is_one_line(
    options: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tengen.run(["bench", *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tengen bench: ") and said.err.count("\n") == 1
    assert problem in said.err


def test_positions_that_cannot_be_set_up_are_bad_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("freestyle 15x15 early 7,7 7,7\n", encoding="ascii")
    assert tengen.run(["bench", "--positions", str(path)]) == 2
    assert "two stones on 7,7" in capsys.readouterr().err


def test_update_writes_the_number_and_otherwise_a_difference_is_said(
    few: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    held = tmp_path / "SIGNATURE"
    monkeypatch.setattr(cli, "POSITIONS", Path(few[2]))
    monkeypatch.setattr(cli, "DEPTH_PLIES", 2)
    monkeypatch.setattr(signature, "SIGNATURE", held)
    assert tengen.run(["bench"]) == 0
    assert "tengen/lab/bench/SIGNATURE holds no number" in capsys.readouterr().err
    assert tengen.run(["bench", "--update"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert held.read_text(encoding="ascii") == said.removeprefix("Nodes searched: ") + "\n"
    assert tengen.run(["bench"]) == 0
    assert "tengen/lab/bench/SIGNATURE" not in capsys.readouterr().err
    held.write_text("12\n", encoding="ascii")
    assert tengen.run(["bench"]) == 0
    assert (
        "tengen/lab/bench/SIGNATURE holds 12: this version searches differently"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("options", [[], ["--speed"], ["--tree"]])
def test_a_named_net_that_cannot_be_used_is_refused(
    options: list[str],
    few: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before any search; the net that comes with the engine does not take its place."""
    path = tmp_path / "named.bin"
    monkeypatch.setenv("TENGEN_NET", str(path))
    data = network.encode(random_net(0, 1))
    for content in (b"no net", data[:-1], with_bit_flipped(data, 32)):
        path.write_bytes(content)
        assert tengen.run(["bench", "--positions", few[2], *options]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        assert said.err.startswith("tengen bench: named.bin: ")


def test_another_net_has_a_signature_of_its_own(
    few: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    held, path = tmp_path / "SIGNATURE", tmp_path / "net.bin"
    monkeypatch.setattr(cli, "POSITIONS", Path(few[2]))
    monkeypatch.setattr(cli, "DEPTH_PLIES", 2)
    monkeypatch.setattr(signature, "SIGNATURE", held)
    assert tengen.run(["bench", "--update"]) == 0
    before = held.read_bytes()
    path.write_bytes(network.encode(random_net(0, 1)))
    monkeypatch.setenv("TENGEN_NET", str(path))
    capsys.readouterr()
    assert tengen.run(["bench"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] != f"Nodes searched: {before.decode().strip()}"
    assert "TENGEN_NET names another one" in said.err and "differently" not in said.err
    assert tengen.run(["bench", "--update"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "TENGEN_NET names another one" in said.err
    assert held.read_bytes() == before


def test_a_net_of_the_engine_that_cannot_be_used_is_told(
    few: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As after a change of the values file: the new signature is that of the table."""
    monkeypatch.setattr(network, "default_file", lambda rule: str(tmp_path / f"net-{rule}.bin"))
    monkeypatch.setattr(net, "_shipped", {})
    monkeypatch.delenv("TENGEN_NET", raising=False)
    (tmp_path / "net-4.bin").write_bytes(b"nonsense")
    assert tengen.run(few) == 0
    told, *_ = capsys.readouterr().err.splitlines()
    assert told.startswith("net-4.bin: ") and told.endswith("; this net is not used")


def test_update_needs_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signature, "HERE", tmp_path / "site-packages" / "tengen" / "lab" / "bench")
    assert tengen.run(["bench", "--update"]) == 2
    said = capsys.readouterr()
    expected = "tengen bench: --update needs a checkout of Tengen; this is an installed copy\n"
    assert (said.out, said.err) == ("", expected)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no cores to choose from here")
def test_one_core_is_given_back() -> None:
    before = os.sched_getaffinity(0)
    with machine.one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before


def test_positions_in_any_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same position typed, as a psq file and as a record is the same search."""
    psq, record = tmp_path / "game.psq", tmp_path / "records.txt"
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,9,0\n", encoding="ascii")
    record.write_text("# some\nfreestyle 15x15 given 7,7 8,6 6,8\n", encoding="ascii")
    said = []
    for word in ("h8i9g7", "7,7 8,6 6,8", str(psq), str(record)):
        assert tengen.run(["bench", "--depth", "2", "--positions", word]) == 0
        said.append(capsys.readouterr().out)
    assert len(set(said)) == 1 and "Nodes searched: " in said[0]
    over = "a1 a2 b1 b2 c1 c2 d1 d2 e1"
    assert tengen.run(["bench", "--positions", over]) == 2
    assert "the game is over, Black has won" in capsys.readouterr().err


def test_tree_says_how_deep_and_where_the_nodes_went(
    few: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["bench", "--tree", "--nodes", "3000", *few[1:3]]
    assert tengen.run([*options, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["groups"]) == [*GROUPS, "caro_exact-9x7"]
    for row in document["groups"].values():
        assert row["positions"] == 1
        assert row["mates"] or 3 <= row["depth_plies"] <= row["seldepth_plies"]
    shares = document["shares"]
    assert 0.5 < shares["fail_highs_by_the_first_move"] <= 1
    assert tengen.run(options) == 0
    text = capsys.readouterr().out
    shown = re.sub(r"\W+", "_", text).lower()
    assert all(name in text for name in GROUPS) and all(name in shown for name in shares)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tree", "--speed"], "--tree cannot be used with"),
        (["--tree", "--depth", "5"], "--tree cannot be used with"),
        (["--tree", "--update"], "--tree cannot be used with"),
        (["--nodes", "5000"], "--nodes needs --tree"),
        (["--json"], "--json needs --speed or --tree"),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tengen.run(["bench", *words]) == 2
    assert said in capsys.readouterr().err


def test_the_quiet_positions_are_quiet() -> None:
    records = load_records(QUIET)
    groups = Counter(record.group for record in records)
    assert list(groups) == GROUPS
    assert min(groups.values()) >= 14
    engine = Engine()
    for record in records:
        assert 10 <= len(record.position.stones) <= 22
        engine.set_position(record.position)
        assert engine.think(Limits(nodes=5000)).info.score.mate_plies is None


def test_the_census_counts_every_node() -> None:
    engine = Engine()
    for record in load_records(QUIET)[::20]:
        engine.new_game()
        engine.set_position(record.position)
        nodes = engine.think(Limits(nodes=20_000)).info.nodes
        census = engine.last_census
        assert census.moves + census.vcf_nodes == nodes == 20_000
        assert census.moves >= census.reduced >= census.again > 0
        assert census.fail_highs >= census.first_move > 0
        assert 0 < census.leaf_vcf.wins < census.leaf_vcf.searches
        assert census.iteration_nodes[-1] <= nodes
        assert list(census.iteration_nodes) == sorted(census.iteration_nodes)
