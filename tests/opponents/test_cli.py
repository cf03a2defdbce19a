"""The opponents as programs: `tengen brain`, and the results of `tengen check`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.opponents.registry import BRAINS

PROGRAM = [sys.executable, "-m", "tengen", "brain"]


def _run(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], input=said, capture_output=True, text=True, timeout=60
    )


def test_the_list_names_all_with_their_ideas() -> None:
    done = _run("--list")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split(None, 1) for line in done.stdout.splitlines()]
    assert lines == [[name, entry.idea] for name, entry in BRAINS.items()]


@pytest.mark.parametrize(("words", "said"), [(("nobody",), "'nobody'"), ((), "which opponent?")])
def test_an_unknown_name_is_one_line_with_those_there_are(
    words: tuple[str, ...], said: str
) -> None:
    done = _run(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert said in done.stderr and all(name in done.stderr for name in BRAINS)


@pytest.mark.parametrize("name", ["weights", "foresight", "simple"])
def test_a_brain_speaks_the_protocol(name: str) -> None:
    done = _run(name, "--seed", "3", said="ABOUT\nSTART 15\nINFO rule 4\nBEGIN\nTURN 8,8\n")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("MESSAGE")]
    assert lines[0].startswith(f'name="{name}"') and lines[1:3] == ["OK", "7,7"]
    assert re.fullmatch(r"\d+,\d+", lines[3]) and len(lines) == 4
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_seed_reaches_the_brain() -> None:
    def first(seed: str) -> str:
        said = "START 15\nBEGIN\n"
        return _run("random", "--seed", seed, said=said).stdout.splitlines()[-1]

    assert first("1") == first("1")
    assert len({first(seed) for seed in "12345"}) > 1


# These ask for a good move. By chance none is found; and score and minimax-basic stop a five
# before they make one, as published.
GOOD_MOVES = {93, 94, 95, 96, 97}
FAILS = {"random": GOOD_MOVES, "score": GOOD_MOVES, "minimax-basic": GOOD_MOVES}


@pytest.mark.slow
@pytest.mark.parametrize("name", BRAINS)
def test_all_mandatory_commands_pass(name: str, tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m tengen brain {name}'
    done = subprocess.run(
        [sys.executable, "-m", "tengen", "check", command, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    checks = json.loads(done.stdout)["results"]
    failed = {check["number"] for check in checks if check["outcome"] == "fail"}
    assert len(checks) > 70
    assert failed == FAILS.get(name, set())
