"""The stubs agree with the compiled modules api and trace: names, parameters, defaults, docstrings.

A compiled module has no signatures that `inspect` could read; Cython writes each as the first
line of the docstring. The checker compares these lines with the stub.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.api
import engine.trace
from tests.paths import ROOT

C_TYPE = re.compile(r"\b(?:unsigned )?(?:int|bint|long|double|object|str) (?=[a-z_])")
CONSTANT = re.compile(r"^([A-Z][A-Z_]*) =", re.MULTILINE)
# Cython embeds no signature of a constructor, and a stub needs none without parameters.
CONSTRUCTOR = re.compile(r"^ +def __cinit__\((self, .*)\):$", re.MULTILINE)
PROPERTY = "property"


def parameters(node: ast.FunctionDef) -> str:
    """The parameters with names, kinds and defaults, without types. Stubs write a default that is
    not a constant, such as `Limits()`, as `...`."""
    constant = (ast.Constant, ast.UnaryOp)
    node.args.defaults = [
        default if isinstance(default, constant) else ast.Constant(...)
        for default in node.args.defaults
    ]
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    return ast.unparse(node.args)


def written(stub: str) -> Iterator[tuple[str, str]]:
    """(name, parameters) of everything that a stub declares; constants have no parameters."""
    for node in ast.parse(stub).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, parameters(node)
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), ""
        elif isinstance(node, ast.ClassDef):
            for item in node.body:
                assert isinstance(item, ast.FunctionDef), ast.unparse(item)
                is_property = "property" in map(ast.unparse, item.decorator_list)
                yield f"{node.name}.{item.name}", PROPERTY if is_property else parameters(item)


def compiled(module: types.ModuleType, source: str) -> Iterator[tuple[str, str, str]]:
    """(name, parameters, docstring) of everything public that a compiled module defines."""
    for name in CONSTANT.findall(source):
        assert hasattr(module, name)
        yield name, "", "constants have a comment"
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if not isinstance(value, type):
            yield name, *signature(name, value.__doc__)
            continue
        if made := CONSTRUCTOR.search(source):
            text = f"f({made[1]})\n{value.__doc__ or ''}"
            yield f"{name}.__init__", *signature("f", text)
        for part, member in vars(value).items():
            if isinstance(member, types.GetSetDescriptorType):
                yield f"{name}.{part}", PROPERTY, member.__doc__ or ""
            elif not part.startswith("_"):
                yield f"{name}.{part}", *signature(f"{name}.{part}", member.__doc__)


def signature(name: str, text: str | None) -> tuple[str, str]:
    """(parameters, docstring) from the docstring of a compiled function."""
    first, _, rest = (text or "").partition("\n")
    assert first.startswith(f"{name}("), f"{name} has no embedded signature: {first!r}"
    line = C_TYPE.sub("", first.removeprefix(name))
    node = ast.parse(f"def f{line}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    return parameters(node), rest.strip()


def disagreements(stub: str, module: types.ModuleType, source: str) -> list[str]:
    """Each difference between a stub and its compiled module, one line each."""
    declared = dict(written(stub))
    found = []
    for name, wanted, text in compiled(module, source):
        if name not in declared:
            found.append(f"{name} is missing from the stub")
        elif (stated := declared.pop(name)) != wanted:
            found.append(f"{name}: the stub says ({stated}), the module ({wanted})")
        if not text:
            found.append(f"{name} has no docstring")
    return found + [f"{name} is in the stub only" for name in declared]


@pytest.mark.parametrize("module", [engine.api, engine.trace])
def test_stub_and_module_agree(module: types.ModuleType) -> None:
    path = ROOT / Path(*module.__name__.split("."))
    stub, source = (path.with_suffix(end).read_text(encoding="utf-8") for end in (".pyi", ".pyx"))
    assert disagreements(stub, module, source) == []
    assert len(list(compiled(module, source))) >= 2  # it sees what there is
