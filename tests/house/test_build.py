"""The Makefile and setup.py: what can be called exists, and one line names what a machine lacks."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

BUILD = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
NEEDS_MAKE = pytest.mark.skipif(
    os.name == "nt" or shutil.which("make") is None, reason="needs make and sh"
)
# Of the make or the compiler that runs these tests.
INHERITED = ("CC", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "PYTHON")


def run(*command: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs it as from a fresh shell."""
    environment = {name: value for name, value in os.environ.items() if name not in INHERITED}
    return subprocess.run(
        command, cwd=cwd, env=environment | variables, capture_output=True, text=True, timeout=300
    )


def stub(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@NEEDS_MAKE
def test_a_bare_machine_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    for name in ("Makefile", "constraints.txt", "pyproject.toml", "engine/version.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    done = run("make", "build", "PYTHON=no-such-python", "CC=no-such-cc", cwd=tmp_path)
    [line] = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode == 2 and "Missing on this machine: Python 3.11 or newer" in line
    assert "no-such-python" in line and "a working C compiler, 'no-such-cc'" in line
    assert not (tmp_path / ".venv").exists()


@NEEDS_MAKE
def test_the_doctor_names_what_a_python_lacks(tmp_path: Path) -> None:
    bare = stub(
        tmp_path / "python3",
        f'case "$2" in\n'
        f"*ensurepip*) exit 1 ;;\n"
        f"*include*) echo {shlex.quote(str(tmp_path))}/include ;;\n"
        f'*) exec {shlex.quote(sys.executable)} "$@" ;;\n'
        f"esac",
    )
    done = run("scripts/doctor.sh", PYTHON=bare, CC="true")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    header = f"{tmp_path}/include/Python.h (Debian: apt-get install python3-dev)"
    assert "python3-venv" in done.stderr and header in done.stderr
    done = run("scripts/doctor.sh", PYTHON=sys.executable, CC="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{sys.executable}\n", "")


# -- setup.py


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of what the package is built from, without anything compiled."""
    for name in (
        "LICENSE",
        "MANIFEST.in",
        "README.md",
        "constraints.txt",
        "pyproject.toml",
        "setup.py",
    ):
        shutil.copy(ROOT / name, tmp_path)
    compiled = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.html", "__pycache__")
    for name in ("engine", "protocol", "tengen/lab/train"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=compiled)
    return tmp_path


def test_what_is_missing_ends_the_build_with_one_line(sources: Path) -> None:
    done = run(*BUILD, cwd=sources, TENGEN_SANITIZE="treads")
    wrong = "setup.py: TENGEN_SANITIZE=treads: expected 1, thread or nothing\n"
    assert (done.returncode, done.stderr) == (1, wrong)
    (sources / "engine/data/values.bin").unlink()
    expected = "setup.py: the engine's sources are incomplete: no engine/data/values.bin"
    done = run(*BUILD, cwd=sources)
    assert (done.returncode, done.stderr) == (1, f"{expected}\n")
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "."]
    done = run(*pip, cwd=sources)
    assert done.returncode == 1 and expected in done.stderr
    assert not list(sources.glob("*.whl"))


@pytest.mark.skipif(os.name == "nt", reason="setuptools itself names a missing MSVC")
def test_a_compiler_or_headers_that_do_not_work_are_named(sources: Path) -> None:
    no_header = "fatal error: stdlib.h: No such file or directory"
    broken = stub(sources / "broken-cc", f"echo '{no_header}' >&2\nexit 1")
    problems = {
        "no-such-cc": "no C compiler: 'no-such-cc' cannot be run",
        broken: f"the C compiler {broken} does not work: fatal error: stdlib.h",
    }
    for compiler, problem in problems.items():
        done = run(*BUILD, cwd=sources, CC=compiler)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"setup.py: {problem}")
    # A Python whose headers are elsewhere, as on a system without its -dev package.
    (sources / "sitecustomize.py").write_text(
        "import sysconfig\n"
        "real = sysconfig.get_path\n"
        "sysconfig.get_path = lambda name, *rest, **more: "
        "'/no/headers' if name == 'include' else real(name, *rest, **more)\n",
        encoding="ascii",
    )
    done = run(*BUILD, cwd=sources, CC=broken, PYTHONPATH=str(sources))
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("setup.py: no Python headers: /no/headers/Python.h is missing")


def test_a_source_archive_needs_no_compiler(sources: Path) -> None:
    done = run(sys.executable, "setup.py", "-q", "sdist", cwd=sources, CC="no-such-cc")
    assert done.returncode == 0, done.stderr
    assert len(list((sources / "dist").glob("tengen-*.tar.gz"))) == 1
    assert not list(sources.rglob("*.c"))
