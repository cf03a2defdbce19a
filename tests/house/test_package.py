"""`from tengen import ...`: the names of the library. And its dependencies: ranges in
pyproject.toml, one exact version of each in constraints.txt."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import tengen
from tengen import __main__ as command
from tests.paths import ROOT


def test_every_name_is_there_and_types_see_the_same() -> None:
    for name in tengen.__all__:
        value = getattr(tengen, name)
        home = tengen._MODULES[name]
        if name != "__version__":
            assert value is getattr(importlib.import_module(home), name)
    assert set(tengen.__all__) <= set(dir(tengen))
    tree = ast.parse((ROOT / "tengen" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    imported = {alias.name: node.module for node in imports for alias in node.names}
    assert imported == tengen._MODULES
    assert sorted(tengen.__all__) == sorted(imported)
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'Motor'"):
        getattr(tengen, "Mo" + "tor")


def test_each_name_imports_what_it_needs_and_no_more() -> None:
    code = "import sys, tengen; dir(tengen); assert 'engine.text' not in sys.modules\n"
    code += "from tengen import Position; p = Position('h8'); p.svg(); str(p)\n"
    code += "loaded = {name.split('.')[0] for name in sys.modules}\n"
    code += "assert not loaded & {'asyncio', 'click', 'numpy', 'psutil', 'rich', 'scipy'}\n"
    code += "assert 'engine.api' not in sys.modules\n"
    code += "from tengen import Engine, Game\n"
    code += "Engine().review(Game('h8 i9'), nodes=9).annotated()\n"
    code += "assert not sys.modules.keys() & {'click', 'psutil', 'rich'}\n"
    code += "from tengen import *; print(Engine().play(Position(), nodes=9))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout == "h8\n"


@pytest.mark.parametrize("package", ["engine", "protocol"])
def test_a_file_that_hides_a_package_is_named(package: str, tmp_path: Path) -> None:
    file = tmp_path / f"{package}.py"
    file.touch()
    reason = f"{file} hides the package '{package}' of Tengen; rename it"
    run = ["-m", "tengen", "brain", "simple"]
    for words in (run, ["-c", "import tengen; tengen.Engine"]) if package == "engine" else (run,):
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 1 and reason in done.stderr
    assert done.stdout == ""


# -- dependencies

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
    return dict(line.split("==", 1) for line in lines)


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
