"""`tengen analyze --explain`: sums, maps, JSON, bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from engine import net as engine_net
from engine import network
from engine.breakdown import break_down
from engine.net import LoadedNet
from engine.text import RULE_NAMES
from tengen.game.files.positions import find_position
from tengen.study.show import print_breakdown, values_of
from tests.commands import Run
from tests.engine.nets import random_net

MOVES = "e5f6e6e7f5g5d6f4"


@pytest.fixture(autouse=True)
def without_nets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No net comes with the program, whatever is in its data."""
    monkeypatch.delenv("TENGEN_NET", raising=False)
    monkeypatch.setattr(network, "default_file", lambda rule: str(tmp_path / f"shipped-{rule}.bin"))
    monkeypatch.setattr(engine_net, "_shipped", {})


def record_of(run: Run, *words: str) -> dict[str, Any]:
    status, out, err = run("analyze", "--explain", *words, "--json")
    assert (status, err) == (0, "") and out.count("\n") == 1
    record: dict[str, Any] = json.loads(out)
    return record


def net_file(folder: Path, rule: int = 0) -> str:
    path = folder / f"net-{rule}.bin"
    path.write_bytes(network.encode(random_net(rule, 2)))
    return str(path)


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_json_says_everything(rule: int, tmp_path: Path, run: Run) -> None:
    words = (MOVES, "--size", "9x8", "--rule", str(rule), "--net", net_file(tmp_path, rule))
    record = record_of(run, *words)
    assert (record["rule"], record["size"], record["side"]) == (rule, [9, 8], "black")
    net, policy = record["net"], record["policy"]
    alone = record_of(run, MOVES, "--size", "9x8", "--rule", str(rule), "--no-net")
    table = alone["table"]
    assert record["table"] is None and alone["net"] is None and alone["policy"] is None
    for part, whole in ((table, alone), (net, record)):
        assert [len(row) for row in part["cells"]] == [9] * 8
        for x, y, _ in record["stones"]:
            assert part["cells"][y][x] is None
        assert whole["value"] == part["value"] + whole["limit"]
    assert sum(move["share"] for move in policy) == pytest.approx(1, abs=1e-4)
    assert policy == sorted(policy, key=lambda move: -move["share"])


@pytest.mark.parametrize("has_net", [False, True])
def test_the_text_adds_up_and_shows_the_numbers_of_the_json(
    has_net: bool, tmp_path: Path, run: Run
) -> None:
    net = ("--net", net_file(tmp_path)) if has_net else ("--no-net",)
    words = (MOVES, "--size", "9", *net)
    record = record_of(run, *words)
    status, out, err = run("analyze", "--explain", *words)
    assert (status, err) == (0, "")
    head, sums, *maps = out.split("\n\n")
    assert head == (
        f"static value {record['value']} for Black, in centi-stones\nrule freestyle, "
        + ("net 'random 2', version 2" if has_net else "without a net")
    )
    numbers = [int(line[20:]) for line in sums.splitlines()]
    assert sum(numbers[:-1]) == numbers[-1] == record["value"]
    if not has_net:
        assert maps.pop(0) == f"kinds of threats: {', '.join(record['table']['kinds'])}"
    assert len(maps) == 1 + has_net
    stones = {(x, y): "XO"[colour - 1] for x, y, colour in record["stones"]}
    shares = {tuple(move["move"]): 100 * move["share"] for move in record["policy"] or ()}
    parts = ((record["net"] or record["table"])["cells"], None)
    for shown, rows in zip(maps, parts, strict=False):
        drawn = [line.split()[1:-1] for line in shown.splitlines()[1:10]]
        for y, row in enumerate(drawn):
            assert len(row) == 9
            for x, sign in enumerate(row):
                if (x, y) in stones:
                    assert sign == stones[x, y]
                elif rows is not None:
                    assert sign == (str(rows[y][x]) if rows[y][x] else ".")
                else:
                    share = shares.get((x, y), 0)
                    assert sign == "." if share < 0.499 else abs(float(sign) - share) < 0.51


def test_the_net_that_the_engine_would_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    path = net_file(tmp_path)
    named = record_of(run, MOVES, "--net", path)
    monkeypatch.setenv("TENGEN_NET", path)
    assert record_of(run, MOVES) == named
    assert record_of(run, MOVES, "--no-net")["net"] is None
    assert record_of(run, MOVES, "--rule", "caro")["net"] is None
    monkeypatch.delenv("TENGEN_NET")
    Path(path).rename(tmp_path / "shipped-0.bin")
    monkeypatch.setattr(engine_net, "_shipped", {})
    assert record_of(run, MOVES) == named


@pytest.mark.parametrize("system", ["truecolor", "standard"])
def test_a_terminal_shows_the_same_in_colours(system: Any, tmp_path: Path) -> None:
    puzzle = find_position(MOVES).position
    found = break_down(puzzle.to_model(), LoadedNet(random_net(0, 2)))
    texts = []
    for console in (
        Console(width=200, force_terminal=True, color_system=system, highlight=False, record=True),
        Console(width=200, color_system=None, highlight=False, record=True),
    ):
        with console.capture() as capture:
            print_breakdown(console, puzzle, found)
        texts.append(capture.get())
    coloured, plain = texts
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain and "\x1b" not in plain
    cells = values_of(found)
    worst, best = min(cells.values()), max(cells.values())
    first = coloured.split("policy, in per cent")[0]
    codes = {"truecolor": ("48;2;225;70;60", "48;2;90;150;235"), "standard": ("41", "44")}
    bad, good = codes[system]
    strongest = worst if -worst > best else best
    assert f"{bad if strongest == worst else good}m{strongest:3}" in first


def test_the_name_of_a_net_is_shown_as_it_is(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "odd.bin"
    path.write_bytes(network.encode(random_net(0, 2)._replace(name="[/b] [red]odd")))
    status, out, err = run("analyze", "--explain", MOVES, "--net", str(path))
    assert (status, err) == (0, "") and "net '[/b] [red]odd', version 2\n" in out
