"""setup.py where something is missing: each time one line that says what."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

BUILD = ["-q", "build_ext", "--inplace"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of what the package is built from, without anything compiled."""
    for name in ("LICENSE", "MANIFEST.in", "README.md", "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copy(ROOT / "setup.py", tmp_path)
    compiled = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.html", "__pycache__")
    for name in ("engine", "protocol", "tengen/lab/train"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=compiled)
    return tmp_path


def _setup(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return _run([sys.executable, "setup.py", *words], folder, **variables)


def _run(command: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "CC"}
    return subprocess.run(
        command, cwd=folder, env=inherited | variables, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("name", ["engine/search.pyx", "engine/data/values.bin"])
def test_missing_sources_end_the_build(sources: Path, name: str) -> None:
    (sources / name).unlink()
    expected = f"setup.py: the engine's sources are incomplete: no {name}"
    done = _setup(sources, *BUILD)
    assert (done.returncode, done.stderr) == (1, f"{expected}\n")
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "."]
    done = _run(pip, sources)
    assert done.returncode == 1 and expected in done.stderr
    assert not list(sources.glob("*.whl"))


@pytest.mark.skipif(os.name == "nt", reason="setuptools itself names a missing MSVC")
def test_a_compiler_that_is_missing_or_does_not_work_is_named(
    sources: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken-cc"
    no_header = "fatal error: stdlib.h: No such file or directory"
    broken.write_text(f"#!/bin/sh\necho '{no_header}' >&2\nexit 1\n", encoding="ascii")
    broken.chmod(0o755)
    for compiler, problem in (
        ("no-such-cc", "no C compiler: 'no-such-cc' cannot be run"),
        (str(broken), f"the C compiler {broken} does not work: fatal error: stdlib.h"),
    ):
        done = _setup(sources, *BUILD, CC=compiler)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"setup.py: {problem}")


@pytest.mark.skipif(os.name == "nt", reason="headers come with Python there")
def test_missing_headers_are_named(sources: Path, tmp_path: Path) -> None:
    # A Python whose headers are elsewhere, as on a system without its -dev package.
    (tmp_path / "sitecustomize.py").write_text(
        "import sysconfig\n"
        "real = sysconfig.get_path\n"
        "sysconfig.get_path = lambda name, *rest, **more: "
        "'/no/headers' if name == 'include' else real(name, *rest, **more)\n",
        encoding="ascii",
    )
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="ascii")
    broken.chmod(0o755)
    done = _setup(sources, *BUILD, CC=str(broken), PYTHONPATH=str(tmp_path))
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("setup.py: no Python headers: /no/headers/Python.h is missing")


def test_metadata_and_source_archive_need_no_compiler(sources: Path) -> None:
    done = _setup(sources, "-q", "sdist", CC="no-such-cc")
    assert done.returncode == 0, done.stderr
    assert len(list((sources / "dist").glob("tengen-*.tar.gz"))) == 1
    assert not list(sources.rglob("*.c"))


def test_a_sanitizer_that_does_not_exist_is_refused(sources: Path) -> None:
    done = _setup(sources, *BUILD, TENGEN_SANITIZE="treads")
    expected = "setup.py: TENGEN_SANITIZE=treads: expected 1, thread or nothing\n"
    assert (done.returncode, done.stderr) == (1, expected)


def test_pip_and_make_do_not_disturb_each_other(sources: Path) -> None:
    # pip brings a Cython of its own: in one folder each would translate everything again.
    code = "import setup; print(setup.BUILD_DIR)"
    made, installed = (
        _run([sys.executable, "-c", code, *words], sources).stdout
        for words in (BUILD, ["bdist_wheel"])
    )
    assert made == "build/release\n" and installed == "build/release-install\n"
