"""What a room forgets when another position is on the board, without a server."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from engine.model import Position
from tengen.game.rules.referee import BLACK, WHITE
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import Level, position_of
from tengen.people.sitting.sitting import Sitting
from tengen.people.web.analysis import Analyst
from tengen.people.web.room import Room
from tests.people.web.running import PATIENCE_S

_SETUP = {
    "do": "setup", "width": 9, "height": 9, "rule": 0, "black": [[4, 4]], "white": [[3, 3]],
}  # fmt: skip


@pytest.mark.parametrize("change", [{"first": "white"}, {"rule": 1}, {"black": [[5, 5]]}])
def test_a_hint_is_forgotten_in_another_position(change: dict[str, Any]) -> None:
    room = Room(Sitting(Game(9, 9, 0), {BLACK: None, WHITE: None}))
    told: list[str] = []
    late: list[str] = []
    room.join(told.append)
    room.hear(json.dumps(_SETUP | {"first": "black"}), told.append)
    room.sitting.hint_level = Level(nodes=50)
    room.hear('{"do": "hint"}', told.append)
    ends_at = time.monotonic() + PATIENCE_S
    while "hint" not in _kinds(told):
        assert time.monotonic() < ends_at
        room.step()
    room.hear(json.dumps(_SETUP | {"first": "black"} | change), told.append)
    room.join(late.append)
    assert "state" in _kinds(late) and "hint" not in _kinds(late)
    room.close()


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


def _kinds(messages: list[str]) -> list[str]:
    return [json.loads(message)["kind"] for message in messages]
