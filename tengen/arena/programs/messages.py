"""What a program reports about its move in MESSAGE lines: value, depth, nodes, line.

Several programs share this form, with fields between bars in any order:

    MESSAGE Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10

`Eval` is a number or a distance to the end (`+M5`, `-M 4`), numbers may end in K, M or G. A field
that is missing or unreadable stays unknown; a line without any field is ignored.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tengen.game.played import Report

# No real number is longer than these, and Python refuses to read very long ones.
_PLIES = r"(\d{1,6})(?!\d)"
_COUNT = r"([+-]?\d{1,15}(?:\.\d{1,15})?)(?!\d)\s*([kmg]?)"
# The beginning of a field, and all of one with the expected moves.
_FIELD = re.compile(
    rf"\s*(?:depth\s*{_PLIES}(?:\s*-\s*{_PLIES})?|eval\s*(?:([+-])\s*m\s*{_PLIES}|{_COUNT})"
    rf"|nodes?\s*{_COUNT}|([a-z]\d{{1,2}}(?:\s+[a-z]\d{{1,2}})*)\s*$)"
)
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_message(text: str, before: Report | None = None) -> Report | None:
    """The report `before` with what a MESSAGE line adds (`text` without the word MESSAGE).

    Returns `before` itself if the line has no field that is read here.
    """
    found: dict[str, int | str | None] = {}
    line: dict[str, str] = {}
    for part in text.split("|"):
        if (field := _FIELD.match(part.lower())) is None:
            continue
        depth, seldepth, sign, mate, value, value_scale, nodes, nodes_scale, _ = field.groups()
        if depth:
            found["depth_plies"] = int(depth)
            found["seldepth_plies"] = int(seldepth) if seldepth else None
        elif mate:
            found |= {"value": None, "mate_plies": int(sign + mate)}
        elif value:
            found |= {"value": _scaled(value, value_scale), "mate_plies": None}
        elif nodes:
            found["nodes"] = _scaled(nodes, nodes_scale)
        else:
            line = {"line": part.strip()}
    return replace(before or Report(), **found, **line) if found else before  # type: ignore[arg-type]


def _scaled(count: str, scale: str) -> int:
    return int(float(count) * _SCALE[scale])
