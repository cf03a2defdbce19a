"""`from tengen import ...`: the names of the Python API, imported when they are first used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import engine.api
import engine.model
import tengen
from tests.paths import ROOT


def test_every_name_is_the_engine_s_own_and_types_see_the_same() -> None:
    for name in tengen.__all__:
        value = getattr(tengen, name)
        if name != "__version__":
            assert value is getattr(engine.api if name == "Engine" else engine.model, name)
    assert set(tengen.__all__) <= set(dir(tengen))
    tree = ast.parse((ROOT / "tengen" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    imported = [alias.name for node in imports for alias in node.names]
    assert sorted(imported) == sorted(tengen.__all__)


def test_every_public_value_of_the_model_is_there() -> None:
    public = {
        name
        for name, value in vars(engine.model).items()
        if isinstance(value, type) and value.__module__ == "engine.model" and name[0] != "_"
    }
    assert public <= set(tengen.__all__)


def test_another_name_is_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'Motor'"):
        getattr(tengen, "Mo" + "tor")
    with pytest.raises(ImportError):
        exec("from tengen import Motor")


def test_the_engine_is_imported_when_it_is_asked_for() -> None:
    code = "import sys, tengen; dir(tengen); assert 'engine.model' not in sys.modules\n"
    code += "from tengen import Point; assert 'engine.api' not in sys.modules\n"
    code += "from tengen import *; print(Engine().think(Limits(nodes=9)).move)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout == "Point(x=7, y=7)\n"


def test_mypy_knows_the_names_and_their_types(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(
        "from typing import assert_type\n"
        "from tengen import Engine, Limits, Placed, Point, Position\n"
        "engine = Engine()\n"
        "engine.set_position(Position.from_moves('h8 i9', rule='renju'))\n"
        "assert_type(engine.think(Limits(nodes=9)).move, Point)\n"
        "assert_type(Position(9, 9, stones=((1, 2, 1),)).stones, tuple[Placed, ...])\n"
        "Limits(threads=2)\n"
        "from tengen import Motor\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    errors = [line.partition(": error: ") for line in done.stdout.splitlines()]
    assert [text for _, mark, text in errors if mark] == [
        'Unexpected keyword argument "threads" for "Limits"  [call-arg]',
        'Module "tengen" has no attribute "Motor"  [attr-defined]',
    ], done.stdout + done.stderr


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
