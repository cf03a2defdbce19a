"""The commands of docs/TRAINING.md that make a net and try it, on a small set: the same bytes
again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from engine import network
from tengen import cli as tengen
from tengen.lab.train.cli import train_command
from tests.manual import Manual

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "TRAINING.md"
PROGRAM = "tengen"
# A set that takes seconds, where the document has a million positions.
SMALL = {"1e6": "400"}
SHORT = ["--size", "9", "--nodes", "150", "--shard-games", "6"]


def test_every_option_is_in_the_manual() -> None:
    manual = Manual(DOCUMENT.name)
    assert manual.missing_options(train_command) == []


def documented() -> list[list[str]]:
    """The words of each command of the section, without its comment."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(r"Three commands make\s.*?```sh\n(.*?)```", text, re.DOTALL)
    assert found
    return [shlex.split(line, comments=True) for line in found[1].splitlines()]


def make(folder: Path, jobs: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Runs the first two commands in a folder: what they have written, by name."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    for words in documented()[:2]:
        assert words.pop(0) == PROGRAM
        words = [SMALL.get(word, word) for word in words]
        if "selfplay" in words:
            words += SHORT
        if "--jobs" in words:
            words[words.index("--jobs") + 1] = str(jobs)
        else:
            words += ["--jobs", str(jobs)]
        assert tengen.run(words) == 0
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def test_they_write_the_same_bytes_with_any_number_of_jobs_and_the_engine_plays_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, three = (make(tmp_path / str(jobs), jobs, monkeypatch) for jobs in (1, 3))
    assert one.keys() == three.keys()
    assert [name for name in one if one[name] != three[name]] == []
    kinds = {Path(name).suffix for name in one}
    assert kinds == {".games", ".json", ".bin", ".html", ".checkpoint"}
    # The third command names that net, and the engine searches differently with it.
    setting, program, *words = documented()[2]
    name, _, net = setting.partition("=")
    assert program == PROGRAM
    monkeypatch.chdir(tmp_path / "1")
    shipped = network.load(network.default_file(0), 0)
    assert network.load(net, 0).version == shipped.version + 1
    monkeypatch.setattr("tengen.lab.bench.cli.DEPTH_PLIES", 2)
    monkeypatch.delenv("TENGEN_NET", raising=False)
    said = []
    for _ in range(2):
        capsys.readouterr()
        assert tengen.run(words) == 0
        said.append(capsys.readouterr())
        monkeypatch.setenv(name, net)
    own, named = said
    assert own.out.splitlines()[-1] != named.out.splitlines()[-1]
    assert "TENGEN_NET names another one" in named.err and "TENGEN_NET" not in own.err
