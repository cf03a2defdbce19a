"""Values as text: whole numbers as people write them, and JSON by its types: what goes to a page,
into a record, or to another program.

mypy refuses to pass anything else to `json_text`, such as an error, a path or a set. Nothing else
in the house writes JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Record: TypeAlias = dict[str, Json]
# Digits, or digits and a power of ten. Nothing that is counted needs more than 18 digits.
_COUNT = re.compile(r"\d{1,18}(?:\.\d{1,18})?(?:[eE]\+?\d{1,2})?", re.ASCII)
_MOST = 10**18


def json_text(value: Json, indent: int | None = None, is_compact: bool = False) -> str:
    """The text of a value, in ASCII, on one line unless it is to be indented. ValueError for a
    number that is not finite, which JSON has not."""
    separators = (",", ":") if is_compact else None
    return json.dumps(value, indent=indent, separators=separators, allow_nan=False)


def read_count(text: str) -> int:
    """The whole number that a text gives in digits, `20000`, or with a power of ten, `1e6` or
    `2.5e5`. ValueError for any other text, a negative number or one above 10^18."""
    if _COUNT.fullmatch(text):
        from decimal import Decimal  # what the library imports should be fast

        number = Decimal(text)
        if number == number.to_integral_value() and number <= _MOST:
            return int(number)
    raise ValueError(f"{text!r}: expected a whole number such as 20000 or 1e6")


def counted(count: int, thing: str) -> str:
    """So many things: `1 game`, `1,000 games`."""
    return f"{count:,} {thing}{'s' * (count != 1)}"
