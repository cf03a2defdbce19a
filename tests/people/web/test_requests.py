"""What the page can ask for, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol.opening_rules import Opening
from tengen.game.referee import WHITE
from tengen.people.web.requests import (
    MOST_CHARACTERS,
    MOST_OPENED,
    Analyse,
    Balance,
    Comment,
    Fifths,
    File,
    Load,
    Mark,
    New,
    Open,
    Play,
    Resume,
    Setup,
    Show,
    Sit,
    Try,
    Use,
    Word,
    read_request,
)

NEW = {
    "do": "new", "width": 15, "height": 12, "rule": 4, "black": "tengen", "white": "you",
    "level": 3, "time_s": 0.5, "clock_s": 0, "handicap": 0, "opening": "swap2",
}  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ({"do": "play", "x": 0, "y": 21}, Play(0, 21)),
        ({"do": "analyse", "lines": 9}, Analyse(9)),
        ({"do": "use", "threads": 64, "memory_mib": 30}, Use(64, 30)),
        ({"do": "try", "cells": [[7, 7]], "x": 8, "y": 9}, Try(((7, 7),), 8, 9)),
        ({"do": "undo"}, Word("undo")),
        (NEW, New(15, 12, 4, "tengen", "you", 3, 0.5, opening=Opening.SWAP2)),
        (
            NEW | {"opening": "", "clock_s": 60, "handicap": 2, "black": "cmd=wine x.exe"},
            New(15, 12, 4, "cmd=wine x.exe", "you", 3, 0.5, 60.0, 2),
        ),
        ({"do": "show", "cells": [[7, 7], [8, 8]]}, Show(((7, 7), (8, 8)))),
        ({"do": "add"}, Word("add")),
        ({"do": "fifths", "number": 10}, Fifths(10)),
        ({"do": "balance", "moves": 2}, Balance(2)),
        (
            {"do": "sit", "black": "you", "white": "you", "level": 1, "time_s": 2},
            Sit("you", "you", 1, 2.0),
        ),
        ({"do": "open", "text": "h8", "rule": 4, "game": 3}, Open("h8", 4, 3)),
        ({"do": "load", "name": "x"}, Load("x")),
        ({"do": "resume", "time_s": 2}, Resume(2.0)),
        ({"do": "comment", "node": 3, "text": "why?"}, Comment(3, "why?")),
        # Half of a character, which no file can hold, and a whole one.
        ({"do": "comment", "node": 3, "text": "\ud800\U0001f600"}, Comment(3, "\ufffd\U0001f600")),
        (
            {"do": "mark", "node": 0, "x": 1, "y": 2, "mark": "circle", "text": ""},
            Mark(0, 1, 2, "circle", ""),
        ),
        (
            {"do": "setup", "width": 9, "height": 8, "rule": 0, "black": [[1, 2]],
             "white": [[3, 4]], "first": "white"},
            Setup(9, 8, 0, ((1, 2),), ((3, 4),), WHITE),
        ),
    ],
)  # fmt: skip
def test_what_can_be_asked(asked: dict[str, Any], meant: object) -> None:
    assert read_request(json.dumps(asked)) == meant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a message is one JSON object"),
        ("[" * 1500, "a message is one JSON object"),
        ("{}", "'None' cannot be done; do is a word"),
        ('{"do": ["undo"]}', "cannot be done"),
        ('{"do": "undo", "turns": 3}', "undo comes with nothing"),
        ('{"do": "play", "x": 1}', "play comes with x, y"),
        ('{"do": "play", "x": 1.0, "y": 2}', "x is a whole number from 0 to 21"),
        ('{"do": "play", "x": true, "y": 2}', "x is a whole number"),
        ('{"do": "analyse", "lines": 10}', "lines is a whole number from 0 to 9"),
        ('{"do": "use", "threads": 0, "memory_mib": 64}', "threads is a whole number from 1 to 64"),
        ('{"do": "use", "threads": 1, "memory_mib": 29}', "memory_mib is a whole number from 30"),
        ('{"do": "show", "cells": [[1, 2, 3]]}', "cells is a list of points"),
        ('{"do": "show", "cells": 7}', "cells is a list of points"),
        ('{"do": "open", "text": 7, "rule": 0, "game": 0}', "text is a text"),
        (
            '{"do": "file", "data": "(;)", "name": "", "rule": 0, "game": 0}',
            "a file comes as bytes",
        ),
        ('{"do": "file", "name": "", "rule": 0, "game": 0}', "file comes with data, name"),
        (
            '{"do": "setup", "width": 9, "height": 9, "rule": 0, "black": [], "white": [],'
            ' "first": []}',
            "first is black or white",
        ),
        (
            json.dumps({"do": "load", "name": "x" * MOST_CHARACTERS}),
            "a message has at most 10000 characters",
        ),
        ("x" * (MOST_OPENED + 1), "a message has at most 4000000 characters"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_request(text)


def test_a_file_comes_behind_its_wish() -> None:
    request = b'{"do": "file", "name": "a.sgf", "rule": 4, "game": 2}'
    for data in (b"", b"(;\xff)", b"(;\n;\n)", b"x" * MOST_OPENED):
        assert read_request(request + b"\n" + data) == File(data, "a.sgf", 4, 2)


def test_other_bytes_are_refused() -> None:
    for data in (b"\xff", b"x" * 20_000, b'{"do": "file"}\n', b"[]\n"):
        with pytest.raises(ValueError):
            read_request(data)
    with pytest.raises(ValueError, match="text, but for files"):
        read_request(b"{}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"width": 4}, "width is a whole number from 5 to 22"),
        ({"rule": 2}, "there is no rule '2'; there are 0 or freestyle"),
        ({"rule": True}, "there is no rule"),
        ({"black": "nobody"}, "there is no player 'nobody'; there are you, tengen"),
        ({"level": 11}, "level is a whole number from 1 to 10"),
        ({"time_s": 0}, "time_s is from 0.01 to 3600"),
        ({"time_s": 1e400}, "time_s is from 0.01 to 3600"),
        ({"time_s": "1"}, "time_s is a number of seconds"),
        ({"opening": "pro"}, "an opening is one of balance, swap1, swap2, soosyrv8, "),
        ({"opening": {}}, "an opening is one of"),
        ({"more": 1}, "new comes with width, height"),
        ({"clock_s": -1}, "clock_s is from 0.01 to 86400"),
        ({"handicap": 6}, "handicap is a whole number from 0 to 5"),
        ({"black": {}}, "there is no player '{}'; there are you, .*, cmd=COMMAND"),
        ({"black": "cmd=" + "x" * 1000}, "there is no player 'cmd=xx"),
    ],
)
def test_games_that_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_request(json.dumps(NEW | change))
