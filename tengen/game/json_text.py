"""Values of JSON by their types: what goes to a page, into a record, or to another program.

mypy refuses to pass anything else to `json_text`, such as an error, a path or a set. Nothing else
in the house writes JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Record: TypeAlias = dict[str, Json]


def json_text(value: Json, indent: int | None = None, is_compact: bool = False) -> str:
    """The text of a value, in ASCII, on one line unless it is to be indented. ValueError for a
    number that is not finite, which JSON has not."""
    separators = (",", ":") if is_compact else None
    return json.dumps(value, indent=indent, separators=separators, allow_nan=False)
