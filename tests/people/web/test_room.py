"""A room without a server: what it forgets and when it waits; what the page can ask it for."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Limits, Position, Rule
from protocol.opening_rules import Opening
from tengen.common.process import AwakeClock
from tengen.common.server import SparingLog
from tengen.game.referee import BLACK, WHITE
from tengen.people.session import engine_player
from tengen.people.session.engine_player import TENGEN, EnginePlayer, Level, position_of
from tengen.people.session.game import Game
from tengen.people.session.players import Seats
from tengen.people.session.session import GameSession
from tengen.people.web.analysis import Analyst
from tengen.people.web.library import Library
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
from tengen.people.web.room import Room
from tengen.study.options import Resources
from tests.people.conftest import Clock
from tests.people.web.running import PATIENCE_S, until
from tests.people.web.talk import read

_SETUP = {
    "do": "setup", "width": 9, "height": 9, "rule": 0, "black": [[4, 4]], "white": [[3, 3]],
}  # fmt: skip


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room for two people."""
    room = Room(GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}), Library(tmp_path))
    yield room
    room.close()


@pytest.fixture
def told(room: Room) -> list[str]:
    """What its page is told."""
    told: list[str] = []
    room.join(told.append)
    return told


@pytest.mark.parametrize("change", [{"first": "white"}, {"rule": 1}, {"black": [[5, 5]]}])
def test_a_hint_is_forgotten_in_another_position(
    room: Room, told: list[str], change: dict[str, Any]
) -> None:
    late: list[str] = []
    room.hear(json.dumps(_SETUP | {"first": "black"}), told.append)
    room._reported_s = 1e9  # of a search before, which does not delay the reports of the next
    position = position_of(room.session.game)
    room._report(engine_player.PendingSearch("Next", position, Limits()))
    assert _kinds(told)[-1] == "thinking"
    room.session.hint_level = Level(nodes=50)
    room.hear('{"do": "hint"}', told.append)
    until(lambda: "hint" in _kinds(told), room.step)
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
    analyst.stop()
    assert len(positions) == 2


def _found(analyst: Analyst, game: Game, is_enough: Callable[[dict[str, Any]], bool]) -> None:
    """Shows the game to the analyst until it has found enough."""
    until(lambda: (report := analyst.look(game, is_busy=False)) and is_enough(report))


def test_what_an_analysis_has_found_is_known_again_while_one_steps() -> None:
    analyst, game = Analyst(), Game(15, 15, 0)
    for cell in ((7, 7), (8, 8), (6, 6), (9, 9)):
        game.play(cell)
    analyst.set_lines(2)
    _found(analyst, game, lambda report: report["depth_plies"] >= 8)
    game.undo()
    _found(analyst, game, lambda report: report["depth_plies"] >= 1)
    game.redo()
    again: dict[str, Any] | None = analyst.look(game, is_busy=False)
    assert again is not None and again["depth_plies"] >= 8 and len(again["lines"]) == 2
    # Reports of the new search come when they say more.
    depth = again["depth_plies"]
    _found(analyst, game, lambda report: report["depth_plies"] >= depth or pytest.fail("less"))
    _found(analyst, game, lambda report: report["now"] is not None and report["lost"] == ())
    analyst.set_lines(1)
    assert analyst.look(game, is_busy=False) is None
    analyst.stop()


@pytest.mark.parametrize(("stones", "points"), [(((4, 0),), 3), ((), 25)])
def test_moves_far_from_every_stone_are_left_out(
    stones: tuple[tuple[int, int], ...], points: int
) -> None:
    analyst, game = Analyst(), Game(5, 5, 0)
    for cell in stones:
        game.play(cell)
    analyst.use(Resources(), near=1)
    analyst.set_lines(9)
    analyst.look(game, is_busy=False)
    thinking = analyst._thinking
    assert thinking is not None
    assert 25 - len(stones) - len(thinking.limits.excluded) == points
    _found(analyst, game, lambda report: len(report["lines"]) <= points)
    analyst.stop()


def test_an_analysis_has_no_end_but_a_proof() -> None:
    analyst, game = Analyst(), Game(15, 15, 0)
    game.play((4, 4))
    analyst.set_lines(1)
    analyst.look(game, is_busy=False)
    thinking = analyst._thinking
    assert thinking is not None
    assert (thinking.limits.turn_ms, thinking.limits.nodes) == (None, None)
    assert analyst.is_searching
    for cell in ((4, 0), (5, 4), (5, 0), (6, 4), (6, 0), (7, 4), (14, 14)):
        game.play(cell)
    _found(analyst, game, lambda report: bool(report["lines"][0]["score"] == "+M1"))
    analyst._thinking.wait(PATIENCE_S)  # type: ignore[union-attr]
    assert not analyst.is_searching
    analyst.stop()


@pytest.mark.parametrize("is_closed", [False, True])
def test_an_analysis_pauses_when_nobody_looks(
    room: Room, told: list[str], monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    room.hear('{"do": "play", "x": 4, "y": 4}', told.append)
    room.hear('{"do": "analyse", "lines": 1}', told.append)
    assert room._analyst.is_searching
    room.leave(told.append) if is_closed else room.hear('{"do": "away"}', told.append)
    room.step()
    assert room._analyst.is_searching
    monkeypatch.setattr("tengen.people.web.room.AWAY_S", 0)
    room.step()
    assert not room._analyst.is_searching
    room.join(told.append) if is_closed else room.hear('{"do": "here"}', told.append)
    room.step()
    assert room._analyst.is_searching


def test_tengen_ponders_only_while_somebody_looks_at_the_game(tmp_path: Path) -> None:
    seats: Seats = {BLACK: None, WHITE: EnginePlayer(TENGEN, hash_bytes=1 << 20)}
    session = GameSession(Game(9, 9, 0), seats, Level(ponders=True))
    room, told = Room(session, Library(tmp_path)), list[str]()
    room.join(told.append)
    for request, ponders in (
        ('{"do": "here"}', True), ('{"do": "away"}', False), ('{"do": "here"}', True),
        ('{"do": "analyse", "lines": 1}', False), ('{"do": "analyse", "lines": 0}', True),
        ('{"do": "solve"}', False), ('{"do": "enough"}', True),
    ):  # fmt: skip
        room.hear(request, told.append)
        assert (session._pondering is not None) == ponders, request
    room.leave(told.append)
    room.step()
    assert session._pondering is None
    room.close()


def test_how_programs_think_changes_nothing_else(tmp_path: Path) -> None:
    command = f"cmd={sys.executable}"
    seats: Seats = {BLACK: EnginePlayer(command), WHITE: EnginePlayer(TENGEN, hash_bytes=1 << 20)}
    session = GameSession(Game(15, 15, 0), {**seats}, opening=Opening.SWAP2)
    session.wait()
    room, told = Room(session, Library(tmp_path)), list[str]()
    room.join(told.append, is_guest=True)
    asked = NEW | {"black": command, "white": TENGEN, "level": 10}
    sit = {"do": "sit", **{key: asked[key] for key in PLAYERS}}
    for change, level in ((asked, 10), (sit, 10), (sit | {"level": 9}, 9)):
        told.clear()
        room.hear(json.dumps(change), told.append)
        is_refused = "only on the machine itself" in "".join(told)
        assert is_refused == (change is asked)
        assert session.level == (Level() if is_refused else Level(0.5, ponders=True))
        player = session.seats[WHITE]
        assert session.seats[BLACK] is seats[BLACK] and player and player.level == level
    assert session.is_waiting and session.ask is not None
    room.close()


def test_the_analysis_uses_what_was_chosen(
    room: Room, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Resources] = []
    give = Resources.give

    def note(self: Resources, engine: Engine, hash_bytes: int | None = None) -> Engine:
        given.append(self)
        return give(self, engine, hash_bytes)

    monkeypatch.setattr(Resources, "give", note)
    room._most = 64, 1000  # of the machine
    room.hear('{"do": "play", "x": 4, "y": 4}', told.append)
    room.hear('{"do": "use", "threads": 2, "memory_mib": 64}', told.append)
    room.hear('{"do": "analyse", "lines": 1}', told.append)
    assert given == [Resources(2, 64)]
    state = read(told[-1])
    assert (state["threads"], state["memory_mib"], state["line_count"]) == (2, 64, 1)
    room.hear('{"do": "use", "threads": 64, "memory_mib": 30}', told.append)
    assert read(told[-1])["text"].startswith("31457280 bytes of memory are too little")
    for threads, memory_mib in ((65, 64), (2, 1001)):
        request = {"do": "use", "threads": threads, "memory_mib": memory_mib}
        room.hear(json.dumps(request), told.append)
        assert re.search(r"at `\$.threads`|at most 64 threads and 1000", read(told[-1])["text"])
    assert room._analyst.is_searching and room._analyst.resources == Resources(2, 64)


def test_what_stops_a_win_is_known_until_the_game_is_another_one(
    room: Room, told: list[str]
) -> None:
    cells = [[4, 4], [0, 0], [3, 4], [0, 2], [5, 4]]
    for x, y in cells:
        room.hear(json.dumps({"do": "play", "x": x, "y": y}), told.append)
    refute = json.dumps({"do": "refute", "cells": cells, "x": 8, "y": 8})
    room.hear(refute, told.append)
    assert read(told[-1])["text"] == "this position is no longer in the game"
    room.hear('{"do": "defend"}', told.append)
    until(lambda: "proof" in _kinds(told), room.step)
    found = next(each for each in map(read, told) if each["kind"] == "proof")
    assert (found["side"], found["unknown"], found["after"]) == ("black", [], cells)
    assert [2, 4] in found["moves"] and [8, 8] not in found["refuted"]
    for number in (1, 2):  # also after a move that ends this position for others
        room.hear(refute, told.append)
        shown = [each for each in map(read, told) if each["kind"] == "proof"][number]
        assert (shown["first"], shown["after"], shown["side"]) == ([8, 8], cells, "black")
        assert len(shown["nodes"]) > 1
        room.hear('{"do": "play", "x": 2, "y": 4}', told.append)
    room.hear(json.dumps(_SETUP | {"first": "white"}), told.append)
    room.hear(refute, told.append)
    assert read(told[-1])["text"] == "this position is no longer in the game"


def test_an_unknown_word_is_refused_with_those_there_are(room: Room, told: list[str]) -> None:
    log: list[str] = []
    room._log = SparingLog(log.append)
    room.hear('{"do": "quit"}', told.append)
    text = read(told[-1])["text"]
    assert text.startswith("'quit' cannot be done; there are undo, redo") and "setup" in text
    assert log == [f"a message was refused: {text}"]


def test_every_button_sends_a_word_that_the_room_knows(room: Room, told: list[str]) -> None:
    page = (resources.files("tengen.people.web") / "page.html").read_text()
    (state,) = [read(text) for text in told if '"kind":"state"' in text]
    sent = re.findall(r'data-do="(\w+)"', page)
    assert sorted(sent) == sorted(state["can"]) and set(sent) <= set(room._words(told.append))


def test_no_clock_runs_while_no_page_is_open(tmp_path: Path, clock: Clock) -> None:
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=100)
    room = Room(session, Library(tmp_path))
    told: list[str] = []
    clock.now_s = 50.0
    assert session.used_s(BLACK) == 0
    room.join(told.append)
    clock.now_s = 60.0
    assert session.used_s(BLACK) == 10
    room.leave(told.append)
    clock.now_s = 500.0
    room.step()
    assert session.used_s(BLACK) == 10 and session.game.outcome is None
    room.join(told.append)
    clock.now_s = 591.0
    room.step()
    # Who has lost on time keeps no time.
    assert session.outcome_text() == "White wins: Black has no time left."
    clock.now_s = 1000.0
    assert session.used_s(BLACK) == 101


def test_no_clock_runs_while_the_board_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The laptop was closed: nobody could play meanwhile, and no page was told what it showed."""
    slept_s = 0.0
    clock = AwakeClock(lambda: time.perf_counter() + slept_s)
    monkeypatch.setattr(engine_player, "awake_s", clock.look)
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=100)
    room = Room(session, Library(tmp_path))
    room.join(lambda text: None)
    position = position_of(session.game)
    thinking = EnginePlayer("simple").start(position, Level(nodes=1).limits())
    for _ in range(3):
        slept_s += 3600
        room.step()
    assert session.game.outcome is None
    assert thinking.wait(PATIENCE_S)
    assert max(session.used_s(BLACK), thinking.elapsed_s) < 60
    room.close()


def test_nothing_is_done_where_nothing_happens(tmp_path: Path, clock: Clock) -> None:
    """But a clock, once a second, while a page is open."""
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=100)
    room = Room(session, Library(tmp_path))
    told: list[str] = []
    room.join(told.append)
    room.hear('{"do": "play", "x": 4, "y": 4}', told.append)
    until(lambda: not session.is_unsaved, room.step)
    assert list(tmp_path.iterdir())
    room._reader._thread.submit(int).result()  # what it still had to tell is told
    news: list[None] = []
    room.on_news = lambda: news.append(None)
    clock.now_s = 0.25
    assert room.step() == pytest.approx(0.751)
    clock.now_s = 1.001
    del told[:]
    assert room.step() == pytest.approx(1.0)
    assert _kinds(told) == ["clock"] and not news
    room.leave(told.append)
    del news[:]
    assert room.step() is None and not news


def test_programs_that_play_each_other_wait_after_each_move(tmp_path: Path) -> None:
    seats: Seats = {BLACK: EnginePlayer("random", 1), WHITE: EnginePlayer("random", 2)}
    room = Room(GameSession(Game(9, 9, 0), seats), Library(tmp_path), pause_s=600)
    room.join(lambda message: None)
    until(lambda: room.session.game.moves, room.step)
    for _ in range(20):
        room.step()
        assert room.session.thinking is None and len(room.session.game.moves) == 1
    room.close()


def _kinds(messages: list[str]) -> list[str]:
    return [read(message)["kind"] for message in messages]


NEW = {
    "do": "new", "width": 15, "height": 12, "rule": 4, "black": "tengen", "white": "you",
    "level": 3, "time_s": 0.5, "ponders": True, "clock_s": None, "handicap": 0, "opening": "swap2",
}  # fmt: skip
PLAYERS: dict[str, Any] = {
    "black": "tengen", "white": "you", "level": 3, "time_s": 0.5, "ponders": True,
}  # fmt: skip
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
