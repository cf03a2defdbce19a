"""What the page can ask for, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.model import Rule
from protocol.opening_rules import Opening
from tengen.people.web.requests import (
    MOST_OPENED,
    BadRequest,
    Comment,
    File,
    New,
    Setup,
    Show,
    Word,
    read_request,
)

NEW = {
    "do": "new", "width": 15, "height": 12, "rule": 4, "black": "tengen", "white": "you",
    "level": 3, "time_s": 0.5, "clock_s": None, "handicap": 0, "opening": "swap2",
}  # fmt: skip
PLAYERS: dict[str, Any] = {"black": "tengen", "white": "you", "level": 3, "time_s": 0.5}
BOARD: dict[str, Any] = {"width": 15, "height": 12, "rule": Rule.RENJU}

CHANGES: tuple[dict[str, Any], ...] = (
    {"width": 4}, {"rule": 2}, {"rule": True}, {"black": "nobody"}, {"black": {}}, {"level": 11},
    {"time_s": 0}, {"time_s": 1e400}, {"time_s": "1"}, {"more": 1}, {"opening": "pro"},
    {"opening": {}}, {"clock_s": -1}, {"handicap": 6}, {"black": "cmd=" + "x" * 1000},
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ({"do": "undo"}, Word("undo")),
        (NEW, New(**PLAYERS, **BOARD, opening=Opening.SWAP2)),
        (
            NEW | {"opening": None, "clock_s": 60, "handicap": 2, "black": "cmd=wine x.exe"},
            New(**PLAYERS | {"black": "cmd=wine x.exe"}, **BOARD, clock_s=60.0, handicap=2),
        ),
        ({"do": "show", "cells": [[7, 7], [8, 8]]}, Show(((7, 7), (8, 8)))),
        ({"do": "comment", "node": 3, "text": "why?"}, Comment(3, "why?")),
        (
            {"do": "setup", "width": 9, "height": 8, "rule": 0, "black": [[1, 2]],
             "white": [[3, 4]], "first": "white"},
            Setup(9, 8, Rule.FREESTYLE, ((1, 2),), ((3, 4),), "white"),
        ),
    ],
)  # fmt: skip
def test_what_can_be_asked(asked: dict[str, Any], meant: object) -> None:
    assert read_request(json.dumps(asked)) == meant


@pytest.mark.parametrize(
    "message",
    [
        "", "[" * 1500, "{}", '{"do": ["undo"]}', '{"do": "undo", "turns": 3}',
        '{"do": "play", "x": 1}', '{"do": "play", "x": 1.0, "y": 2}',
        '{"do": "play", "x": true, "y": 2}', '{"do": "play", "x": 22, "y": 2}',
        '{"do": "show", "cells": [[1, 2, 3]]}', '{"do": "show", "cells": 7}',
        '{"do": "open", "text": 7, "rule": 0, "game": 0}',
        # Half of a character, which no file can hold.
        '{"do": "comment", "node": 3, "text": "\\ud800"}',
        '{"do": "file", "name": "", "rule": 0, "game": 0}',
        json.dumps({"do": "load", "name": "x" * 2000}), "x" * (MOST_OPENED + 1), "\ud800",
        b"\xff", b"x" * 20_000, b'{"do": "file"}\n', b"[]\n", b"{}",
        *(json.dumps(NEW | change) for change in CHANGES),
    ],
)  # fmt: skip
def test_what_is_refused(message: str | bytes) -> None:
    with pytest.raises(BadRequest, match=r"^[^\n]{10,300}$"):
        read_request(message)


def test_a_file_comes_behind_its_request() -> None:
    request = b'{"do": "file", "name": "a.sgf", "rule": 4, "game": 2}'
    for data in (b"", b"(;\xff)", b"(;\n;\n)", b"x" * MOST_OPENED):
        assert read_request(request + b"\n" + data) == File("a.sgf", Rule.RENJU, 2, data)
