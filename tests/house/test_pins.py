"""Dependencies: ranges in pyproject.toml, one exact version of each in constraints.txt."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tengen import __main__ as command
from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Installs the others, so nothing requires it.
INSTALLER = "pip"
# Where constraints.txt is used: the names of the system as markers know them.
SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)
# The oldest Python that Tengen runs on, and the one that runs this.
PYTHONS: tuple[dict[str, str], ...] = (
    {"python_version": "3.11", "python_full_version": "3.11.0"},
    {},
)


def wanted() -> list[Requirement]:
    """Every requirement of pyproject.toml: to build, to run, of the extras, to develop."""
    project = PROJECT["project"]
    lists = [PROJECT["build-system"]["requires"], project["dependencies"]]
    lists += project["optional-dependencies"].values()
    lists += PROJECT["dependency-groups"].values()
    return [Requirement(entry) for entries in lists for entry in entries]


def constraints() -> dict[str, str]:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", line) for line in lines)
    assert len({line.split("==")[0] for line in lines}) == len(lines), "a name stands twice"
    return dict(line.split("==", 1) for line in lines)


def test_every_range_admits_the_version_that_is_tested() -> None:
    pinned = constraints()
    for requirement in wanted():
        assert requirement.specifier.contains(pinned[requirement.name]), requirement


def test_every_requirement_is_a_range() -> None:
    # An exact version in the metadata would collide with other packages of an environment.
    for requirement in wanted():
        operators = {specifier.operator for specifier in requirement.specifier}
        assert ">=" in operators and operators <= {">=", "<"}, requirement


def _needs(name: str, extras: set[str]) -> list[Requirement]:
    """What a package requires on any of the systems; nothing if it is not installed here."""
    try:
        requirements = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    environments = [
        system | python | {"extra": extra}
        for system in SYSTEMS
        for python in PYTHONS
        for extra in ("", *extras)
    ]
    return [
        requirement
        for requirement in map(Requirement, requirements)
        if requirement.marker is None
        or any(requirement.marker.evaluate(environment) for environment in environments)
    ]


def test_every_pin_is_used_and_nothing_is_missing() -> None:
    waiting, used = wanted(), {INSTALLER}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in used:
            used.add(name)
            waiting += _needs(name, requirement.extras)
    assert used == set(constraints())


def test_the_command_knows_its_packages_and_their_extras() -> None:
    lists = {None: PROJECT["project"]["dependencies"]} | PROJECT["project"]["optional-dependencies"]
    needed = {(Requirement(each).name, extra) for extra, own in lists.items() for each in own}
    assert set(command._NEEDED.values()) == needed


def test_each_has_its_reason_beside_it() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    reasons = re.findall(r'^    "([a-z0-9-]+)>=[^"]*", # \w', text, re.MULTILINE)
    assert sorted(reasons) == sorted(requirement.name for requirement in wanted())


def test_every_package_is_shipped() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"release", "tests"}
    assert packages <= set(PROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
