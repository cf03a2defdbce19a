"""What is inside the source archive and the wheel, and what the metadata says."""

from __future__ import annotations

import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from engine import version
from tests.package.conftest import tracked_files
from tests.paths import ROOT

pytestmark = pytest.mark.package

PACKAGES = ("engine", "protocol", "tengen")


def _inside_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def _metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def test_the_source_archive_holds_the_whole_project(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {
            name.partition("/")[2]
            for name in archive.getnames()
            if archive.getmember(name).isfile()
        }
    assert inside >= set(tracked_files())
    made = inside - set(tracked_files())
    assert all(name in ("PKG-INFO", "setup.cfg") or ".egg-info/" in name for name in made), made


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    inside = _inside_wheel(wheel)
    packaged = [name for name in tracked_files() if name.split("/")[0] in PACKAGES]
    sources = {name for name in packaged if name.endswith((".h", ".pyx", ".pxd"))}
    compiled = {name.split(".")[0] for name in sources if name.endswith(".pyx")}
    expected = {name for name in packaged if name not in sources}
    assert expected <= inside
    others = {name for name in inside - expected if ".dist-info/" not in name}
    assert {name.split(".")[0] for name in others} == compiled
    assert all(fnmatch(name, "*.so") or fnmatch(name, "*.pyd") for name in others)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in inside)


def test_the_metadata_says_what_the_sources_say(wheel: Path) -> None:
    said = _metadata(wheel)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert said["Version"] == version.__version__
    assert said["Author"] == version.AUTHOR
    assert said["Author-email"] == (version.EMAIL or None)
    assert said["Project-URL"] == (f"Homepage, {version.WWW}" if version.WWW else None)
    assert said["License-Expression"] == "MIT" and said["License-File"] == "LICENSE"
    requirements = [Requirement(text) for text in said.get_all("Requires-Dist", [])]
    unconditional = {str(r) for r in requirements if r.marker is None}
    assert unconditional == {str(Requirement(text)) for text in project["dependencies"]}
    assert said.get_all("Provides-Extra") == ["board", "cluster", "lab"]
    assert not any(specifier.operator == "==" for r in requirements for specifier in r.specifier)
