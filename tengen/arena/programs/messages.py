"""What a program reports about its move in MESSAGE lines: value, depth, nodes, line.

Several programs share this form, with fields between bars in any order:

    MESSAGE Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10

`Eval` is a number or a distance to the end (`+M5`, `-M 4`), numbers may end in K, M or G. A field
that is missing or unreadable stays unknown; a line without any field is ignored.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tengen.game.record.move_report import Report

_WORD_AND_REST = re.compile(r"([A-Za-z]+)\s*(.*)", re.DOTALL)
# No real number is longer than this, and Python refuses to read very long ones.
_DEPTH = re.compile(r"(\d{1,6})(?!\d)(?:\s*-\s*(\d{1,6})(?!\d))?")
_MATE = re.compile(r"([+-])\s*M\s*(\d{1,6})(?!\d)", re.IGNORECASE)
_COUNT = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,15})?)(?!\d)\s*([KMG]?)", re.IGNORECASE)
_SCALE = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
_SQUARES = re.compile(r"[A-Z]\d{1,2}(\s+[A-Z]\d{1,2})*", re.IGNORECASE)


def read_message(text: str, before: Report | None = None) -> Report | None:
    """The report `before` with what a MESSAGE line adds (`text` without the word MESSAGE).

    Returns `before` itself if the line has no field that is read here.
    """
    found: dict[str, int | str | None] = {}
    for part in text.split("|"):
        found.update(_read_field(part.strip()))
    if not found.keys() & {"depth_plies", "value", "mate_plies", "nodes"}:
        return before
    return replace(before or Report(), **found)  # type: ignore[arg-type]


def _read_field(field: str) -> dict[str, int | str | None]:
    word_and_rest = _WORD_AND_REST.fullmatch(field)
    if word_and_rest is None:
        return {}
    word, rest = word_and_rest[1].lower(), word_and_rest[2]
    if word == "depth" and (depth := _DEPTH.match(rest)):
        return {
            "depth_plies": int(depth[1]),
            "seldepth_plies": int(depth[2]) if depth[2] else None,
        }
    if word == "eval" and (mate := _MATE.match(rest)):
        plies = int(mate[2])
        return {"value": None, "mate_plies": plies if mate[1] == "+" else -plies}
    if word == "eval" and (count := _COUNT.match(rest)):
        return {"value": _scaled(count), "mate_plies": None}
    if word in ("node", "nodes") and (count := _COUNT.match(rest)):
        return {"nodes": _scaled(count)}
    if _SQUARES.fullmatch(field):
        return {"line": field}
    return {}


def _scaled(count: re.Match[str]) -> int:
    return int(float(count[1]) * _SCALE[count[2].upper()])
