"""The documents: links, files and make targets exist, commands can be typed as they stand, the
examples run. And how long a file of code may be.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.settings import read_settings
from scripts import ledger
from tengen import cli as tengen
from tests.paths import ROOT
from tests.processes import POSIX_ONLY

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
ROOMS = ("engine", "examples", "protocol", "scripts", "tengen", "tests")
CODE = (".css", ".h", ".js", ".pxd", ".py", ".pyi", ".pyx", ".sh")


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            is_there = "://" in target or (document.parent / target).exists()
            assert is_there, (document.name, target)


def test_files_and_make_targets_that_are_named_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    path = r"`((?:engine|protocol|tengen|tests|docs|scripts|release|\.ci)/[a-z0-9_./-]+)[`\s]"
    for document in PAGES:
        text = document.read_text(encoding="utf-8")
        for name in re.findall(path, text):
            assert (ROOT / name).exists(), (document.name, name)
        for target in re.findall(r"(?:`|^)make (?:TENGEN_\w+=\w+ )?([a-z-]+)", text, re.MULTILINE):
            assert target in targets, (document.name, target)


def test_no_file_of_code_is_longer_than_contributing_says() -> None:
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    limit = re.search(r"at most (\d+) lines; `([\w/.]+)` may have up to (\d+) lines", text)
    assert limit
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in CODE]
    too_long = {}
    for path in (*paths, ROOT / "Makefile", ROOT / "setup.py"):
        name, count = path.relative_to(ROOT).as_posix(), path.read_bytes().count(b"\n")
        if count > int(limit[3] if name == limit[2] else limit[1]):
            too_long[name] = count
    assert len(paths) > 200 and too_long == {}


# -- the ledger and the settings file


def test_the_ledger_has_no_gaps_and_a_true_index() -> None:
    entries = "".join(path.read_text(encoding="utf-8") for path in ledger.FOLDER.glob("*.md"))
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", entries, re.MULTILINE)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert ledger.make_index() == ledger.PAGE.read_text("utf-8"), "run scripts/ledger.py"


def test_every_setting_of_the_example_can_be_used(tmp_path: Path) -> None:
    text = (ROOT / "release" / "zip" / "pbrain-tengen.example.toml").read_text(encoding="ascii")
    settings = tmp_path / "pbrain-tengen.toml"
    # The settings are comments that are one line of TOML.
    settings.write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.MULTILINE), encoding="ascii")
    found = read_settings(str(settings))
    assert len(found.notices) == 1 and "settings from" in found.notices[0]
    assert found.hash_mb == 256
    assert found.log == str(tmp_path / "tengen.log")


# -- commands

_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What is not run here, as the beginning of the command, and where it is.
LEFT_OUT = {
    "make": "targets: above, and .ci/run",
    ". .venv/bin/activate": "made by `make build`",
    ".venv/bin/pytest": "these tests",
    'eval "$(_TENGEN_COMPLETE=': "a shell: tests/common",
    "_TENGEN_COMPLETE=fish_source": "a shell: tests/common",
    "tengen board": "serves until it is ended: tests/people/web",
    "tengen lab sprt": "builds two commits: tests/lab/sprt",
    "tengen lab queue": "builds two commits: tests/lab/sprt",
    "tengen check dist/windows/TENGEN.zip": "needs the program for Windows: tests/windows",
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
PRINTED = {
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
    (work / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "ladder.toml", work / "docs")
    monkeypatch.chdir(work)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    return work


@POSIX_ONLY
@pytest.mark.parametrize(
    "document",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in SLOW else [])
        for path in PAGES
        if not all(map(is_left_out, commands_of(path)))
    ],
)
def test_the_commands_of_a_document_work(
    document: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They run in the order of the document, in one folder."""
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
        shown = capsys.readouterr()
        assert status == 0, (command, shown.out, shown.err)
        for beginning, text in PRINTED.items():
            assert text in shown.out or not command.startswith(beginning), shown.out


# -- examples

# A line that each example must print.
PROMISES = {
    "one_move": r"^White plays [a-o]\d+$",
    "find_a_win": r"^Black plays [a-o]\d+ and completes a five with stone number \d+ from now$",
    "best_lines": r"^3\. [a-o]\d+ +[+-]\d+ +\d+%  depth \d+  [a-o]\d+ ",
    "pondering": r"^White plays [a-o]\d+ \d+\.\d s later$",
    "renju_fouls": r"^forbidden for Black: e5, double three$",
    "self_play": r"^(draw|black wins|white wins)",
}


def output_of(*arguments: str, stdin: str = "") -> str:
    """What a new Python process prints; it must end with status 0 and print nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},  # also where the project is not installed
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.py")), ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    assert re.search(PROMISES[path.stem], output_of(str(path)), re.MULTILINE)


def test_the_python_of_the_readme_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert re.match(r"[a-o]\d+ +[+-]\d+ +\d+%  depth \d+  ", output_of("-", stdin=block))
