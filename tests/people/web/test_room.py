"""What a room forgets when another position is on the board, without a server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engine.model import Position
from tengen.common.serving.log import SparingLog
from tengen.game.rules.referee import BLACK, WHITE
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import Level, Machine, position_of
from tengen.people.sitting.sitting import Seats, Sitting
from tengen.people.web.analysis import Analyst
from tengen.people.web.library import Library
from tengen.people.web.room import Room
from tests.people.web.running import PATIENCE_S

_SETUP = {
    "do": "setup", "width": 9, "height": 9, "rule": 0, "black": [[4, 4]], "white": [[3, 3]],
}  # fmt: skip


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room for two people."""
    room = Room(Sitting(Game(9, 9, 0), {BLACK: None, WHITE: None}), Library(tmp_path))
    yield room
    room.close()


@pytest.mark.parametrize("change", [{"first": "white"}, {"rule": 1}, {"black": [[5, 5]]}])
def test_a_hint_is_forgotten_in_another_position(room: Room, change: dict[str, Any]) -> None:
    told: list[str] = []
    late: list[str] = []
    room.join(told.append)
    room.hear(json.dumps(_SETUP | {"first": "black"}), told.append)
    room.sitting.hint_level = Level(nodes=50)
    room._reported_s = 1e9  # of a search before, which does not delay the reports of this one
    room.hear('{"do": "hint"}', told.append)
    assert room._reported_s < 1e9
    ends_at = time.monotonic() + PATIENCE_S
    while "hint" not in _kinds(told):
        assert time.monotonic() < ends_at
        room.step()
    room.hear(json.dumps(_SETUP | {"first": "black"} | change), told.append)
    room.join(late.append)
    assert "state" in _kinds(late) and "hint" not in _kinds(late)


def test_an_analysis_begins_anew_when_the_other_side_is_to_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    positions: list[Position] = []

    def seen(game: Game) -> Position:
        positions.append(position_of(game))
        return positions[-1]

    monkeypatch.setattr("tengen.people.web.analysis.position_of", seen)
    analyst = Analyst()
    analyst.set_lines(1)
    for first in (BLACK, BLACK, WHITE):
        analyst.look(Game(9, 9, 0, [(4, 4, BLACK), (3, 3, WHITE)], first), is_busy=False)
    analyst.close()
    assert len(positions) == 2


def test_an_unknown_word_is_refused_with_those_there_are(room: Room) -> None:
    log: list[str] = []
    told: list[str] = []
    room._log = SparingLog(log.append)
    room.join(told.append)
    room.hear('{"do": "quit"}', told.append)
    text = json.loads(told[-1])["text"]
    assert text.startswith("'quit' cannot be done; there are undo, redo") and "setup" in text
    assert log == [f"a message was refused: {text}"]


def test_every_button_sends_a_word_that_the_room_knows(room: Room) -> None:
    page = (resources.files("tengen.people.web") / "page.html").read_text()
    told: list[str] = []
    room.join(told.append)
    (state,) = [json.loads(text) for text in told if '"kind":"state"' in text]
    sent = re.findall(r'data-do="(\w+)"', page)
    assert sorted(sent) == sorted(state["can"]) and set(sent) <= set(room._words(told.append))


def test_no_clock_runs_while_no_page_is_open(tmp_path: Path) -> None:
    now = 0.0
    sitting = Sitting(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock=lambda: now, clock_s=100)
    room = Room(sitting, Library(tmp_path))
    told: list[str] = []
    now = 50.0
    assert sitting.used_s(BLACK) == 0
    room.join(told.append)
    now = 60.0
    assert sitting.used_s(BLACK) == 10
    room.leave(told.append)
    now = 500.0
    room.step()
    assert sitting.used_s(BLACK) == 10 and sitting.game.outcome is None
    room.join(told.append)
    now = 591.0
    room.step()
    # Who has lost on time keeps no time.
    assert sitting.outcome_text() == "White wins: Black has no time left."
    now = 1000.0
    assert sitting.used_s(BLACK) == 101


def test_programs_that_play_each_other_wait_after_each_move(tmp_path: Path) -> None:
    seats: Seats = {BLACK: Machine("random", 1), WHITE: Machine("random", 2)}
    room = Room(Sitting(Game(9, 9, 0), seats), Library(tmp_path), pause_s=600)
    room.join(lambda message: None)
    ends_at = time.monotonic() + PATIENCE_S
    while not room.sitting.game.moves:
        assert time.monotonic() < ends_at
        room.step()
    for _ in range(20):
        room.step()
        assert room.sitting.thinking is None and len(room.sitting.game.moves) == 1
    room.close()


def _kinds(messages: list[str]) -> list[str]:
    return [json.loads(message)["kind"] for message in messages]
