"""`from tengen import ...`: the names of the library, and what it writes as JSON."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen.game.values import json_text
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


def test_json_is_written_in_one_place() -> None:
    """Whose types mypy checks: see refused.py. Only the program reads a checkpoint again."""
    packages = ("engine", "protocol", "tengen", "release", "scripts", "examples")
    writers = {
        path.relative_to(ROOT).as_posix()
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"\bjson\.(dumps?|JSONEncoder)\b|^from json", path.read_text("utf-8"), re.M)
    }
    assert writers - {"tengen/lab/train/optimizer.py"} == {"tengen/game/values.py"}
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError):
            json_text({"elo": value})
