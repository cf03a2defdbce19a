"""What is sent as JSON is checked by types, and written in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tengen.game.json_text import json_text
from tests.paths import ROOT

WRITER = "tengen/game/json_text.py"
# What only the program itself reads again: checkpoints of a training.
OWN = "tengen/lab/train/descent.py"
PACKAGES = ("engine", "protocol", "tengen", "release", "scripts", "examples")
HEAD = """
from pathlib import Path
from tengen.common.translation import tr
from tengen.game.json_text import Record, json_text
from tengen.people.web.messages import Send, message
record: Record = {"a": [1, (2.5, None)], "b": {"c": tr("{x}", x=["y"])}}
json_text(record)

def tell(send: Send) -> None:
    send(message("note", record))
"""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_json_is_written_in_one_place() -> None:
    writers = {
        name
        for name, tree in sources()
        for node in ast.walk(tree)
        if ast.unparse(node) in ("json.dumps", "json.dump", "json.JSONEncoder")
        or (isinstance(node, ast.ImportFrom) and node.module == "json")
    }
    assert writers == {WRITER, OWN}


def test_what_builds_records_has_a_type() -> None:
    """No function returns a record that mypy does not look into, where records are sent."""
    loose = {
        f"{name}: {node.name}"
        for name, tree in sources()
        if any(isinstance(node, ast.ImportFrom) and node.module == "tengen.game.json_text"
               for node in tree.body)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None and "dict[str, Any]" in ast.unparse(node.returns)
        and not node.name.startswith(("read_", "parse_"))
    }  # fmt: skip
    assert loose == set()


WRONG = """
json_text({"text": ValueError("x")})
json_text([Path("x")])
json_text({"cells": {1, 2}})
json_text({1: 2})
json_text({"a": {"b": [Path("x")]}})
wrong: Record = {"text": Path("x")}
tr("{reason}", reason=ValueError("x"))
tr("{reason}", reason=(1, 2))
tr("{reason}", reason=None)
message("note", {"text": ValueError("x")})
def bypass(send: Send) -> None: send("a text")
"""


def test_mypy_refuses_what_is_no_json(tmp_path: Path) -> None:
    """Each of the wrong lines, and no other one."""
    file = tmp_path / "sent.py"
    file.write_text(f"{HEAD}{WRONG}", encoding="utf-8")
    words = ["mypy", "--strict", "--no-error-summary", f"--cache-dir={tmp_path}", str(file)]
    found = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    numbers = {int(line.split(":")[1]) for line in found.stdout.splitlines() if " error: " in line}
    first = HEAD.count("\n") + 2
    assert numbers == set(range(first, first + len(WRONG.split("\n")) - 2)), found.stdout


def test_a_number_that_json_has_not_is_refused() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError):
            json_text({"elo": value})
