"""The stubs agree with the compiled modules: names, parameters, defaults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import engine.api
from tests.paths import ROOT

# What modules import from others, and what Cython adds.
NOT_IN_STUBS = (
    r".*\.[A-Z][A-Z_]*",
    r".*\.__(test|pyx_capi|reduce_cython|setstate_cython)__",
)
STUBS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in [*ROOT.glob("engine/*.pyi"), *ROOT.glob("tengen/lab/train/*.pyi")]
)


def test_stubs_and_modules_agree(tmp_path: Path) -> None:
    assert "engine.api" in STUBS
    allowed = tmp_path / "allowed"
    allowed.write_text("\n".join(NOT_IN_STUBS), encoding="ascii")
    options = ["--concise", "--ignore-disjoint-bases", "--ignore-unused-allowlist"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *options, f"--allowlist={allowed}", *STUBS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", [name for name in vars(engine.api.Engine) if name[0] != "_"])
def test_every_method_of_the_engine_has_a_docstring(name: str) -> None:
    assert getattr(engine.api.Engine, name).__doc__
