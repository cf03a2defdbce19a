"""The command `tengen` under a Windows Python, and the Windows engine against the Linux engine."""

from __future__ import annotations

import json
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from release.windows import DIST, NAME
from tengen.lab.bench.signature import DEPTH_PLIES, read_signature
from tests.paths import ROOT

pytestmark = pytest.mark.windows

PROGRAM = DIST / NAME / f"{NAME}.exe"
RULES = (0, 1, 4, 8, 9)
# What the Windows build must reach of the Linux build's nodes per second.
ENOUGH = 0.95


def tengen(python: Path, *words: str, folder: Path, text: str = "") -> str:
    """What `python -m tengen WORDS` prints in a folder, with `text` as its input; the command must
    succeed. All streams are pipes, as wine needs it."""
    done = subprocess.run(
        ["wine", str(python), "-m", "tengen", *words],
        cwd=folder, input=text, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"status {done.returncode}: {done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_match_of_two_programs(python: Path, tmp_path: Path) -> None:
    # A folder with a blank and letters outside ASCII for the program, and for the games.
    home = tmp_path / "Tengen für alle"
    home.symlink_to(PROGRAM.parent, target_is_directory=True)
    engine, brain = f'cmd="{home / PROGRAM.name}"', f'cmd="{python}" -m tengen brain simple'
    out = tmp_path / "the games 天元"
    shown = tengen(
        python, "match", "--engine", "name=Tengen", engine, "nodes=500", "--engine", "name=simple",
        brain, "turn=0.3", "--games", "2", "--out", str(out), folder=tmp_path,
    )  # fmt: skip
    assert "2 games, ended by: 2 five" in shown
    assert [game["winner"] in ("black", "white") for game in games(out)] == [True, True]
    assert len(list((out / "psq").iterdir())) == 2


@pytest.mark.verify  # takes a minute
def test_a_check_of_the_program(python: Path, tmp_path: Path) -> None:
    shown = tengen(python, "check", f'"{PROGRAM}"', folder=tmp_path)
    print(shown.splitlines()[-1])
    assert ", 0 failed" in shown.splitlines()[-1]


def test_a_game_in_the_terminal(python: Path, tmp_path: Path) -> None:
    words = "h8\nundo\ng7\nsave kept.psq\nquit\n"
    shown = tengen(python, "play", "--time", "0.1", folder=tmp_path, text=words)
    assert shown.count("Tengen plays ") == 2
    assert (tmp_path / "kept.psq").is_file()


def test_a_solved_position(python: Path, tmp_path: Path) -> None:
    shown = tengen(python, "solve", "h8i7h7h6g8a1f8", "--side", "black", folder=tmp_path)
    assert "Black wins" in shown


def test_the_signature(python: Path, tmp_path: Path) -> None:
    shown = tengen(python, "bench", folder=tmp_path)
    assert shown.splitlines()[-1] == f"Nodes searched: {read_signature()}"


@pytest.mark.verify
def test_it_searches_as_fast_as_on_linux(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # in the checkout, the Windows Python would find the Linux engine
    # The same nodes for both, so that the time alone differs. wine does not tell a Windows program
    # its processor time; Linux tells it of the whole process. The start is measured alone and
    # subtracted. In turns, because other load comes and goes.
    tools = {"Windows": ["wine", str(python)], "Linux": [sys.executable]}
    took_s: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(7):
        for name, start in tools.items():
            bench = [*start, "-m", "tengen", "bench", "--depth"]
            took_s[name].append(
                processor_s([*bench, str(DEPTH_PLIES)]) - processor_s([*bench, "1"])
            )
    ratios = [linux / windows for windows, linux in zip(*took_s.values(), strict=True)]
    best, middle = min(took_s["Linux"]) / min(took_s["Windows"]), statistics.median(ratios)
    rates = [(read_signature() or 0) / min(took_s[name]) / 1e6 for name in tools]
    print(f"nodes a second: {rates[0]:.2f} M on Windows, {rates[1]:.2f} M on Linux, best of 7")
    print(f"Windows / Linux: best {best:.3f}, median of the rounds {middle:.3f}")
    assert max(best, middle) >= ENOUGH


def processor_s(command: list[str]) -> float:
    """The processor time of a command."""
    import resource  # not on Windows, where pytest reads this file too

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_two_games_have_the_same_moves_as_on_linux(tmp_path: Path) -> None:
    play_both(tmp_path / "games", rule=4, count=2, nodes=500)


@pytest.mark.verify
def test_forty_games_have_the_same_moves_as_on_linux(tmp_path: Path) -> None:
    moves = sum(play_both(tmp_path / str(rule), rule, 8, nodes=5000) for rule in RULES)
    print(f"40 games, {moves} moves, those of each pair the same, no failure")


def play_both(out: Path, rule: int, count: int, nodes: int) -> int:
    """Plays the Linux program against the Windows program through the arena, and returns the number
    of moves they chose. Both games of a pair, colours exchanged, must have the same moves, and no
    game may end by a failure."""
    linux = shlex.join([sys.executable, str(ROOT / "tengen" / "pbrain.py")])
    windows = shlex.join(["wine", str(PROGRAM)])
    subprocess.run(
        [
            sys.executable, "-m", "tengen", "match", "--engine", "name=Linux", f"cmd={linux}",
            "--engine", "name=Windows", f"cmd={windows}", "--each", f"nodes={nodes}",
            "--rule", str(rule), "--games", str(count), "--out", str(out),
        ],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    pairs: dict[int, list[dict[str, Any]]] = {}
    for game in games(out):
        pairs.setdefault(game["pair"], []).append(game)
    assert len(pairs) == count // 2
    for first, second in pairs.values():
        assert {first["black"], second["black"]} == {"Linux", "Windows"}
        assert first["moves"] == second["moves"]
        assert first["reports"] == second["reports"]  # values, depths and nodes too
        assert {first["termination"], second["termination"]} <= {"FIVE", "FULL"}
    return sum(
        len(game["moves"]) - game["opening_moves"] for pair in pairs.values() for game in pair
    )


def games(out: Path) -> Iterator[dict[str, Any]]:
    """The games of a match, from the file in its folder."""
    _, *lines = (out / "games.jsonl").read_text(encoding="utf-8").splitlines()
    yield from map(json.loads, lines)
