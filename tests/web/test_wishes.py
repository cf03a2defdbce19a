"""What the page can ask for, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tengen.sitting.opening import Opening
from tengen.web.wishes import MOST_CHARACTERS, WORDS, Analyse, New, Play, Word, read_wish

NEW = {
    "do": "new", "width": 15, "height": 12, "rule": 4, "black": "tengen", "white": "you",
    "level": 3, "time_s": 0.5, "opening": "swap2",
}  # fmt: skip


def test_what_can_be_asked() -> None:
    assert read_wish('{"do": "play", "x": 0, "y": 21}') == Play((0, 21))
    assert read_wish('{"do": "analyse", "lines": 9}') == Analyse(9)
    for word in WORDS:
        assert read_wish(json.dumps({"do": word})) == Word(word)
    assert read_wish(json.dumps(NEW)) == New(15, 12, 4, ("tengen", "you"), 3, 0.5, Opening.SWAP2)
    assert read_wish(json.dumps(NEW | {"opening": "", "time_s": 3600})) == New(
        15, 12, 4, ("tengen", "you"), 3, 3600.0, None
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a message is one JSON object"),
        ("[1]", "a message is one JSON object"),
        ("{", "a message is one JSON object"),
        ("[" * 1500, "a message is one JSON object"),
        ("NaN", "a message is one JSON object"),
        ("{}", "'None' cannot be done; there are undo, redo"),
        ('{"do": "quit"}', "'quit' cannot be done"),
        ('{"do": ["undo"]}', "cannot be done"),
        ('{"do": "undo", "turns": 3}', "undo comes with nothing"),
        ('{"do": "play", "x": 1}', "play comes with x, y"),
        ('{"do": "play", "x": 1, "y": 22}', "y is a whole number from 0 to 21"),
        ('{"do": "play", "x": 1.0, "y": 2}', "x is a whole number from 0 to 21"),
        ('{"do": "play", "x": true, "y": 2}', "x is a whole number"),
        ('{"do": "analyse"}', "analyse comes with lines"),
        ('{"do": "analyse", "lines": 10}', "lines is a whole number from 0 to 9"),
        ("x" * (MOST_CHARACTERS + 1), "a message has at most 2000 characters"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_wish(text)


def test_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="text, not bytes"):
        read_wish(b"{}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"width": 4}, "width is a whole number from 5 to 22"),
        ({"height": 23}, "height is a whole number from 5 to 22"),
        ({"rule": 2}, "there is no rule '2'; there are 0 or freestyle"),
        ({"rule": True}, "there is no rule"),
        ({"rule": []}, "there is no rule"),
        ({"black": "nobody"}, "there is no player 'nobody'; there are you, tengen"),
        ({"white": 7}, "there is no player '7'"),
        ({"level": 0}, "level is a whole number from 1 to 10"),
        ({"level": 11}, "level is a whole number from 1 to 10"),
        ({"time_s": 0}, "time_s is from 0.01 to 3600"),
        ({"time_s": 1e400}, "time_s is from 0.01 to 3600"),
        ({"time_s": "1"}, "time_s is a number of seconds"),
        ({"opening": "pro"}, "an opening is one of balance, swap1, swap2, or empty"),
        ({"opening": None}, "an opening is one of"),
        ({"opening": {}}, "an opening is one of"),
        ({"black": "you"}, "the opening swap2 needs a game against a program"),
        ({"more": 1}, "new comes with width, height"),
    ],
)
def test_games_that_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_wish(json.dumps(NEW | change))
