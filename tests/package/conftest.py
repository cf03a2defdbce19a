"""What the package tests share, made once: a source archive, the wheel built from it, and two
environments outside the checkout, one with Tengen's requirements and one without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.paths import ROOT

CONSTRAINTS = ROOT / "constraints.txt"
BUILD_S = 400


class Installed:
    """An environment with Tengen in it."""

    def __init__(self, folder: Path) -> None:
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / "python"
        # As from a fresh shell: nothing of the checkout, nor of the environment that runs pytest.
        self._variables = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "MAKEFLAGS")
        }
        self._variables["PATH"] = f"{self.scripts}{os.pathsep}{os.environ['PATH']}"

    def run(
        self, *words: str | Path, cwd: Path, text: str = "", status: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command of this environment in `cwd`; it must end with `status`."""
        program = shutil.which(words[0], path=str(self.scripts))
        assert program, f"{words[0]} is not installed"
        command = [program, *words[1:]]
        done = subprocess.run(
            command, cwd=cwd, env=self._variables, input=text, capture_output=True, text=True,
            timeout=300,
        )  # fmt: skip
        assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done


def tracked_files() -> list[str]:
    """The files that git knows, or would if asked to add everything, by their names with `/`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = set(listed.stdout.split("\0")) - {""}
    return sorted(name for name in names if (ROOT / name).is_file())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive of a fresh clone, and the wheel built from that archive."""
    clone = tmp_path_factory.mktemp("clone")
    for name in tracked_files():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clone / name)
    folder = tmp_path_factory.mktemp("dist")
    # Without --sdist or --wheel `build` makes the wheel from the archive.
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, clone],
        env={**os.environ, "PIP_CONSTRAINT": str(CONSTRAINTS)},
        capture_output=True, text=True, timeout=BUILD_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def sdist(built: Path) -> Path:
    [path] = built.glob("*.tar.gz")
    return path


@pytest.fixture(scope="session")
def install(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, list[str]], Installed]:
    """Makes an empty environment and installs the wheel there, with more options for pip."""

    def make(name: str, options: list[str]) -> Installed:
        folder = tmp_path_factory.mktemp(name) / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        installed = Installed(folder)
        pip = [sys.executable, "-m", "pip", "--python", str(installed.python)]
        quiet = ["install", "-qq", "--disable-pip-version-check"]
        command = [*pip, *quiet, "--constraint", str(CONSTRAINTS), *options, str(wheel)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S)
        assert done.returncode == 0, done.stdout + done.stderr
        return installed

    return make


@pytest.fixture(scope="session")
def full(install: Callable[[str, list[str]], Installed]) -> Installed:
    """An environment as `pip install tengen` leaves it."""
    return install("full", [])


@pytest.fixture(scope="session")
def bare(install: Callable[[str, list[str]], Installed]) -> Installed:
    """An environment as `pip install --no-deps tengen` leaves it."""
    return install("bare", ["--no-deps"])
