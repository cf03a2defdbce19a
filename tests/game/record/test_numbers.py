"""Whole numbers as people write them."""

from __future__ import annotations

import pytest

from tengen.game.record.numbers import read_count


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("20000", 20_000),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("1e+6", 1_000_000),
        ("2.5e5", 250_000),
        ("3.0", 3),
        ("999999999999999999", 999_999_999_999_999_999),  # beyond the exact floating point numbers
        ("1e18", 10**18),
    ],
)
def test_digits_and_powers_of_ten(text: str, number: int) -> None:
    assert read_count(text) == number


@pytest.mark.parametrize(
    "text",
    ["", " 5", "-1", "+1", "1.5", "1e-3", "1.55e1", "1e19", "1e99", "20k", "1_000", "²", "e6"],
)
def test_what_is_no_whole_number_is_refused_in_plain_words(text: str) -> None:
    with pytest.raises(ValueError, match="expected a whole number such as 20000 or 1e6"):
        read_count(text)
