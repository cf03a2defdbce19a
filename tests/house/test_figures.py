"""Figures that are printed: no negative zero, and no 1 with a plural."""

from __future__ import annotations

import re

import pytest

from tengen.arena.stats.elo import Estimate
from tengen.game.record.numbers import counted
from tests.paths import ROOT

SOURCES = [*(ROOT / "tengen").rglob("*.py")]


def test_a_difference_that_is_rounded_to_zero_has_no_minus() -> None:
    """A figure with a sign says so by the z of its format."""
    wrong = {
        f"{path.name}: {found[0]}"
        for path in SOURCES
        for found in re.finditer(r"\{[^{}]*:\+,?\.\d[fg]\}", path.read_text(encoding="utf-8"))
    }
    assert not wrong
    assert str(Estimate(-0.01, -0.04, 0.02)) == "+0.0 [+0.0, +0.0]"


@pytest.mark.parametrize(("count", "text"), [(0, "0 moves"), (1, "1 move"), (1000, "1,000 moves")])
def test_things_are_counted(count: int, text: str) -> None:
    assert counted(count, "move") == text


def test_one_place_makes_plurals() -> None:
    made = [
        path.name for path in SOURCES if re.search(r"[\"']s[\"'] (\*|if)", path.read_text("utf-8"))
    ]
    assert made == ["numbers.py"]
