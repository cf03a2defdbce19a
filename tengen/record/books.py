"""The books that come with the arena: for each rule a file of openings that neither side is much
ahead in, made by `tengen openings` (docs/MEASUREMENTS.md says how)."""

from __future__ import annotations

from importlib.resources import files

from tengen.record.openings import Opening, built_in_openings, read_openings

_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro-exact"}
# The openings reach so far from the centre; on a board not much larger they are other positions.
_LEAST_SIDE = 13


def default_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The openings of a run that names none: the rule's book, and on small boards a few simple
    ones."""
    if min(width, height) < _LEAST_SIDE or rule not in _NAMES:
        return built_in_openings(width, height)
    name = f"{_NAMES[rule]}.txt"
    text = files("tengen.record").joinpath("books", name).read_text(encoding="ascii")
    return read_openings(text, f"book {name}")
