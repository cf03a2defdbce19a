"""The Makefile: the list of its targets, and its messages about what a machine lacks."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("make") is None, reason="needs make and sh"
)


def run(*command: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs it as from a fresh shell, without what a make that runs these tests has exported."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "PYTHON", "CC")
    }
    return subprocess.run(
        command, cwd=cwd, env=inherited | variables, capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files of a fresh clone that setting up reads."""
    (tmp_path / "engine").mkdir()
    for name in ("Makefile", "constraints.txt", "pyproject.toml", "engine/version.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    return tmp_path


def stub(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_make_alone_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    assert phony
    targets = set(phony[1].replace("\\", "").split())
    listed = {line.split()[1] for line in run("make").stdout.splitlines()}
    assert listed == targets - {"style", "types"}  # which `make lint` runs


def test_the_opponent_of_make_match_is_any_brain() -> None:
    assert 'name=simple cmd=".venv/bin/tengen brain simple"' in run("make", "-n", "match").stdout
    said = run("make", "-n", "match", "OPPONENT=foresight").stdout
    assert 'name=foresight cmd=".venv/bin/tengen brain foresight"' in said


@pytest.mark.parametrize(
    "target",
    [
        *("build", "match", "test", "verify", "lint", "package-test", "exe", "exe-test"),
        *("debug-test", "sanitize-test", "thread-test", "portable-check", "nightly"),
    ],
)
def test_every_target_names_what_is_missing_in_one_line(clone: Path, target: str) -> None:
    done = run("make", target, "PYTHON=no-such-python", "CC=no-such-cc", cwd=clone)
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1
    assert "Missing on this machine: Python 3.11 or newer" in said[0]
    assert "no-such-python" in said[0]
    assert "a working C compiler, 'no-such-cc'" in said[0]
    assert not (clone / ".venv").exists()


def test_an_old_python_is_not_taken(tmp_path: Path) -> None:
    old = stub(tmp_path / "python3", "exit 1  # as an old one does when asked for its version")
    done = run("scripts/doctor.sh", PYTHON=old)
    assert done.returncode == 1 and f"(PYTHON={old} is not)" in done.stderr


def test_missing_venv_and_headers_are_named(tmp_path: Path) -> None:
    real = shlex.quote(sys.executable)
    bare = stub(
        tmp_path / "python3",
        f'case "$2" in\n'
        f"*ensurepip*) exit 1 ;;\n"
        f"*include*) echo {shlex.quote(str(tmp_path))}/include ;;\n"
        f'*) exec {real} "$@" ;;\n'
        f"esac",
    )
    done = run("scripts/doctor.sh", PYTHON=bare)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "python3-venv" in done.stderr
    assert f"{tmp_path}/include/Python.h (Debian: apt-get install python3-dev)" in done.stderr


def test_a_compiler_without_its_headers_is_named() -> None:
    done = run("scripts/doctor.sh", PYTHON=sys.executable, CC="false")
    assert done.returncode == 1 and "a working C compiler, 'false'" in done.stderr


def test_a_good_machine_gets_its_python_named() -> None:
    done = run("scripts/doctor.sh", PYTHON=sys.executable, CC="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{sys.executable}\n", "")


def test_the_tests_that_it_names_exist() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    paths = set(re.findall(r"tests/[\w/]+\.py", text))
    assert [path for path in sorted(paths) if not (ROOT / path).is_file()] == []
    code = "".join((ROOT / path).read_text(encoding="utf-8") for path in paths)
    names = re.findall(r"(?:::|[ ,])(test_\w+)(?=[ \\)]|$)", text, re.MULTILINE)
    assert len(names) > 8
    assert [name for name in names if f"def {name}(" not in code] == []
