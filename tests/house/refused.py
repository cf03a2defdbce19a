"""What mypy refuses: wrong uses of the library, and what is no JSON. Nothing runs this file; `make
types` fails where a line lacks the error that it ignores."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import tengen
from tengen import Engine, Move, Point, Position
from tengen.common.translation import tr
from tengen.game.values import Record, json_text
from tengen.people.web.view import Send, message


def the_library() -> None:
    engine, position = Engine(), Position("h8 i9", rule="renju")
    assert_type(engine.play(position, nodes=9), Move)
    assert_type(position.legal_moves(), list[Point])
    position.play(engine.analyze(position).move)
    print(position.winner() == "blue")  # type: ignore[comparison-overlap]
    Engine(cores=2)  # type: ignore[call-arg]
    print(tengen.Motor)  # type: ignore[attr-defined]


def json(send: Send) -> None:
    record: Record = {"a": [1, (2.5, None)], "b": {"c": tr("{x}", x=["y"])}}
    json_text(record)
    json_text({"text": ValueError("x")})  # type: ignore[dict-item]
    json_text([Path("x")])  # type: ignore[list-item]
    json_text({"a": {"b": [Path("x")]}})  # type: ignore[list-item]
    record = {"text": Path("x")}  # type: ignore[dict-item]
    send(message("note", record))
    send("a text")  # type: ignore[arg-type]
    tr("{reason}", reason=ValueError("x"))  # type: ignore[arg-type]
