"""The commands in the `sh` blocks of the documents: each can be typed as it stands.

Those of one document run in its order in one folder, with shorter limits. LEFT_OUT says what runs
elsewhere.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tengen import cli as tengen
from tests.paths import ROOT
from tests.processes import POSIX_ONLY

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# What is not run here, as the beginning of the command, and where it is.
LEFT_OUT = {
    "make": "targets: tests/house/test_make.py, .ci/run",
    ". .venv/bin/activate": "made by `make build`",
    ".venv/bin/pytest": "these tests",
    'eval "$(_TENGEN_COMPLETE=': "a shell: tests/house/test_package.py",
    "_TENGEN_COMPLETE=fish_source": "a shell: tests/house/test_package.py",
    "tengen board": "serves until it is ended: tests/people/web",
    "tengen lab sprt": "builds two commits: tests/lab/sprt",
    "tengen lab queue": "builds two commits: tests/lab/sprt",
    "tengen check dist/windows/TENGEN.zip": "needs the program for Windows: tests/windows",
    'tengen check "wine': "needs wine: tests/windows",
}
# Documents whose commands take long even so.
SLOW = {"LADDER.md", "SELFPLAY.md", "TRAINING.md"}
# Shorter limits: what the command begins with, what is replaced, and by what.
SHORTER = (
    ("tengen match --config docs/ladder.toml", r"$", " --games 2"),
    ("tengen match", r"--games \d+", "--games 2"),
    ("tengen match", r"--turn \S+", "--nodes 50"),
    ("tengen match", r"nodes=\d+", "nodes=50"),
    ("tengen analyze", r"$", " --nodes 100"),
    ("tengen check", r"$", " --only 2,3"),
    ("tengen lab selfplay", r"--positions \S+", "--positions 60 --nodes 100"),
    ("tengen lab train", r"$", " --passes 1 --batch 50"),
    ("tengen lab tune", r"--nodes \d+ --iterations \d+", "--nodes 20 --iterations 2"),
    ("tengen bench", r"$", " --depth 2"),
)
# What commands print, where a document says what comes of them.
SAID = {
    "tengen solve h8i9h9h10g8i8h7h11": "checked: it wins against every defence",
    "tengen analyze --review games/": "first, game 2",
}
_BRAIN = """\
import sys
from tengen.cli import main
sys.argv = ["tengen", "brain", "simple"]
main()
"""
_GAME = "(;GM[4]FF[4]SZ[15];B[hh];W[ig];B[hg];W[hf];B[gh];W[ih];B[hi];W[he];B[hj])\n"


def commands_of(document: Path) -> list[str]:
    """The commands of a document, without comments, each in one line."""
    blocks = "".join(_BLOCK.findall(document.read_text(encoding="utf-8")))
    lines = [re.sub(r"\s+# .*", "", line) for line in blocks.replace("\\\n", " ").splitlines()]
    return [" ".join(line.split()) for line in lines if line]


def is_left_out(command: str) -> bool:
    return any(command.startswith(beginning) for beginning in LEFT_OUT)


def shortened(command: str) -> str:
    for beginning, pattern, replacement in SHORTER:
        if command.startswith(beginning) and not command.endswith("--explain"):
            command = re.sub(pattern, replacement, command)
    return command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the documents call yours."""
    work, programs = tmp_path / "work", tmp_path / "programs"
    work.mkdir()
    programs.mkdir()
    for name in ("b.py", "mine.py", "my_brain.py"):
        (work / name).write_text(_BRAIN, encoding="ascii")
    for name in ("pbrain-a", "pbrain-mine"):
        (programs / name).write_text(f"#!{sys.executable}\n{_BRAIN}", encoding="ascii")
        (programs / name).chmod(0o755)
    (work / "game.sgf").write_text(_GAME, encoding="ascii")
    shutil.copytree(ROOT / "docs", work / "docs")
    monkeypatch.chdir(work)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    return work


@POSIX_ONLY
@pytest.mark.parametrize(
    "document",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in SLOW else [])
        for path in DOCUMENTS
        if not all(map(is_left_out, commands_of(path)))
    ],
)
def test_the_commands_of_a_document_work(
    document: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in commands_of(document):
        if is_left_out(command):
            continue
        if found := re.match(r"(\w+)=(\S+) ", command):  # as in `TENGEN_NET=file tengen bench`
            monkeypatch.setenv(found[1], found[2])
            command = command[found.end() :]
        monkeypatch.setattr(sys, "stdin", io.StringIO())  # no answer to whoever asks
        program, *words = shlex.split(shortened(command))
        assert program == "tengen", command
        if words[0] == "brain":  # at the end of its input its process ends as well
            done = subprocess.run(
                [sys.executable, "-m", "tengen", *words], stdin=subprocess.DEVNULL
            )
            assert done.returncode == 0, command
            continue
        status = tengen.run(words)
        said = capsys.readouterr()
        assert status == 0, (command, said.out, said.err)
        for beginning, text in SAID.items():
            assert text in said.out or not command.startswith(beginning), said.out


def test_everything_that_is_left_out_or_expected_is_in_a_document() -> None:
    commands = [command for document in DOCUMENTS for command in commands_of(document)]
    for beginning in (*LEFT_OUT, *SAID):
        assert any(command.startswith(beginning) for command in commands), beginning
