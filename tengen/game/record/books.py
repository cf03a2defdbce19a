"""The opening books that come with Tengen: for each rule a file of balanced openings, made by
`tengen openings` (docs/MEASUREMENTS.md says how)."""

from __future__ import annotations

from importlib.resources import files

from engine.text import RULE_NAMES
from tengen.game.record.openings import Opening, built_in_openings, read_openings

# On smaller boards the edge is too near for the openings to be balanced.
_LEAST_SIDE = 13


def default_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The openings of a run that names no file: the book of the rule, and on small boards a few
    simple openings."""
    if min(width, height) < _LEAST_SIDE or rule not in RULE_NAMES:
        return built_in_openings(width, height)
    name = f"{RULE_NAMES[rule]}.txt"
    text = files("tengen.game.record").joinpath("books", name).read_text(encoding="ascii")
    return read_openings(text, f"book {name}")
