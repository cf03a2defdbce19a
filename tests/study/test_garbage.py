"""Any input is read as a position, or refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.proof_file import read_proof
from tengen.game.record.positions import Choice, read_position, read_puzzles
from tests.game.record.test_positions import PICTURE, PSQ, SGF

PUZZLE = '{"rule": 1, "size": 15, "moves": [[7, 7], [8, 8]], "best": [6, 6], "mate": 7}'
PROOF = json.dumps(
    {
        "format": 1,
        "rule": 4,
        "width": 15,
        "height": 15,
        "stones": [[7, 7, 1], [8, 8, 3]],
        "attacker": 2,
        "plies": 3,
        "proof": {"move": [1, 1], "replies": [{"move": [2, 2], "then": {"move": [3, 3]}}]},
    }
)
SAMPLES = (PSQ, SGF.format("renju"), PICTURE, "h8i9g7", "7,7 8,8", PUZZLE, PROOF, "")


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good text with a part of it replaced by anything."""
    text = draw(st.sampled_from(SAMPLES))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 6)))
    some = st.one_of(st.text(max_size=6), st.sampled_from(["-1", "999", "[]", "null", "1e9", '""']))
    return text[:start] + draw(some) + text[end:]


READERS: list[Callable[[str], object]] = [
    lambda text: read_position(text, "source", Choice()),
    lambda text: read_position(text, "source", Choice(after=1)),
    lambda text: read_position(text, "source", Choice(size=(9, 9), side=2)),
    lambda text: read_puzzles(text, "source", Choice()),
    lambda text: read_proof(text).check(),
]


@given(damaged(), st.sampled_from(READERS))
def test_any_text_is_read_or_refused_in_one_line(text: str, read: Callable[[str], object]) -> None:
    try:
        read(text)
    except ValueError as error:
        assert str(error).strip() and len(str(error).splitlines()) == 1, repr(str(error))


@pytest.mark.parametrize("bracket", ["[", '{"a":', '{"moves":[['])
def test_endless_brackets(bracket: str) -> None:
    for read in (lambda text: read_puzzles(text, "source", Choice()), read_proof):
        with pytest.raises(ValueError):
            read(bracket * 100_000)
