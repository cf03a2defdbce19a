"""Whole numbers as people write them."""

from __future__ import annotations

import re

# Digits, or digits and a power of ten. Nothing that is counted needs more than 18 digits.
_COUNT = re.compile(r"\d{1,18}(?:\.\d{1,18})?(?:[eE]\+?\d{1,2})?", re.ASCII)
_MOST = 10**18


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
