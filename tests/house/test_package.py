"""`from tengen import ...`: the names of the library, imported when they are first used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
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


def test_another_name_is_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'Motor'"):
        getattr(tengen, "Mo" + "tor")
    with pytest.raises(ImportError):
        exec("from tengen import Motor")


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


def test_mypy_knows_the_names_and_their_types(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(
        "from typing import assert_type\n"
        "from tengen import Engine, Move, Point, Position\n"
        "engine, position = Engine(), Position('h8 i9', rule='renju')\n"
        "assert_type(engine.play(position, nodes=9), Move)\n"
        "assert_type(position.legal_moves(), list[Point])\n"
        "position.play(engine.analyze(position).move)\n"
        "position.winner() == 'blue'\n"
        "Engine(cores=2)\n"
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
    assert [text.rpartition("  [")[2] for _, mark, text in errors if mark] == [
        "comparison-overlap]",
        "call-arg]",
        "attr-defined]",
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
