"""Every dependency is pinned, once, to the same version everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def wanted() -> list[str]:
    """Every requirement of pyproject.toml but the project's own name."""
    extras = PROJECT["project"]["optional-dependencies"]
    lists = [PROJECT["build-system"]["requires"], PROJECT["project"]["dependencies"]]
    lists += extras.values()
    return [entry for entries in lists for entry in entries if not entry.startswith("tengen[")]


def constraints() -> dict[str, str]:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", line) for line in lines)
    assert len({line.split("==")[0] for line in lines}) == len(lines), "a name stands twice"
    return dict(line.split("==", 1) for line in lines)


def test_every_requirement_is_exact_and_agrees_with_the_constraints() -> None:
    for entry in wanted():
        name, _, version = entry.partition("==")
        assert version, f"{entry} is not pinned"
        assert constraints().get(name) == version


def test_the_engine_needs_only_the_standard_library() -> None:
    assert PROJECT["project"]["dependencies"] == []


def test_the_architecture_page_gives_a_reason_for_each() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for entry in wanted():
        assert f"| `{entry.partition('==')[0]}` |" in page


def test_every_room_is_packaged() -> None:
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert rooms <= set(PROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
