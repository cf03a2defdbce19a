"""Thinking in the opponent's time: which search goes on, which ends, and what is printed."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result, Score
from protocol import game, pondering
from protocol.pondering import Ponderer, expected_reply
from tests.protocol.conversation import REAL, Program
from tests.protocol.test_session import Talk
from tests.stopwatch import Stopwatch, in_time, timed

EXPECTED = Position.from_moves("h8 i9 h9 h10")
OTHER = Position.from_moves("h8 i9 h9 g9")
QUIET = Position.from_moves("h8 i9 h9 h10 g8 i8")
MOVE = Point(3, 3)
NO_LIMITS = Limits()


class Watched(Engine):
    """An engine that notes what is asked of it, and in what order."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.reports: list[Info] = []
        self.clock: Limits | None = None
        self.failure: Exception | None = None

    def set_position(self, position: Position) -> str | None:
        self.calls.append("set_position")
        return super().set_position(position) or "a notice"

    def think(
        self, limits: Limits = NO_LIMITS, on_info: Callable[[Info], None] | None = None
    ) -> Result:
        def hear(info: Info) -> None:
            self.reports.append(info)
            if on_info is not None:
                on_info(info)

        self.calls.append("ponder" if limits.is_ponder else "think")
        result = super().think(limits, hear)
        if self.failure is not None:
            raise self.failure
        self.calls.append("end")
        return result

    def ponder_hit(self, limits: Limits | None = None) -> bool:
        self.clock = limits
        return super().ponder_hit(limits)

    def until_it_has_begun(self) -> None:
        while not self.reports:
            time.sleep(0.001)


@pytest.fixture
def engine() -> Watched:
    return Watched()


@pytest.fixture
def ponderer(engine: Watched) -> Ponderer:
    ponderer = Ponderer(engine)
    ponderer.ponder(EXPECTED, Limits(nodes=2000))
    engine.until_it_has_begun()
    return ponderer


def test_the_search_for_the_expected_reply_goes_on(engine: Watched, ponderer: Ponderer) -> None:
    told: list[Info] = []
    ponderer.clear_stop()
    assert ponderer.set_position(EXPECTED) == "a notice"
    before = len(engine.reports)
    ponderer.think(Limits(turn_ms=60_000, nodes=2000, started_ns=7), told.append)
    # Nothing of what was found before the hit.
    assert told == engine.reports[max(before, len(engine.reports) - len(told)) :]
    assert engine.clock == Limits(turn_ms=60_000, started_ns=7)
    assert engine.calls == ["set_position", "ponder", "end"]
    # The next search is one of its own.
    ponderer.think(Limits(nodes=100))
    assert engine.calls[3:] == ["think", "end"]


def test_reports_after_the_hit_are_passed_on(engine: Watched) -> None:
    told: list[Info] = []
    ponderer = Ponderer(engine)
    ponderer.ponder(EXPECTED, Limits())
    engine.until_it_has_begun()

    def hear(info: Info) -> None:
        told.append(info)
        ponderer.request_stop()

    ponderer.clear_stop()
    ponderer.set_position(EXPECTED)
    result = ponderer.think(Limits(turn_ms=60_000), hear)
    # The last iteration may have been cut off after it found a better move.
    assert 0 < told[-1].depth_plies <= result.info.depth_plies + 1
    assert engine.calls[-2:] == ["ponder", "end"]


@pytest.mark.parametrize(
    ("position", "limits"),
    [
        (OTHER, Limits(nodes=100)),
        (EXPECTED, Limits(nodes=2001)),
        (EXPECTED, Limits(nodes=2000, lines=2)),
        (EXPECTED, Limits(nodes=2000, is_analysis=True)),
        (EXPECTED, Limits(nodes=2000, excluded=((1, 1),))),
    ],
)
def test_another_reply_and_other_limits_end_it(
    engine: Watched, ponderer: Ponderer, position: Position, limits: Limits
) -> None:
    ponderer.clear_stop()
    ponderer.set_position(position)
    ponderer.think(limits)
    told = ["set_position"] * (position is OTHER)
    assert engine.calls == ["set_position", "ponder", "end", *told, "think", "end"]


def test_a_stop_before_the_search_is_not_lost(engine: Watched) -> None:
    """It ends the search that ponders, whose hit comes too late then."""
    ponderer = Ponderer(engine)
    ponderer.ponder(EXPECTED, Limits())
    ponderer.clear_stop()
    ponderer.set_position(EXPECTED)
    ponderer.request_stop()
    while "end" not in engine.calls:
        time.sleep(0.001)
    assert ponderer.think(Limits()).info.nodes < 1000
    assert engine.calls[-2:] == ["think", "end"]


def test_whatever_needs_the_engine_ends_it(engine: Watched, ponderer: Ponderer) -> None:
    assert ponderer.idle() is engine
    assert engine.calls == ["set_position", "ponder", "end"]
    ponderer.set_position(EXPECTED)
    ponderer.think(Limits(nodes=2000))
    assert engine.calls[3:] == ["set_position", "think", "end"]


def test_what_it_raises_is_told_where_a_move_is_wanted(engine: Watched, ponderer: Ponderer) -> None:
    engine.failure = ArithmeticError("wrong sum")
    ponderer.set_position(EXPECTED)
    with pytest.raises(ArithmeticError, match="wrong sum"):
        ponderer.think(Limits(nodes=2000))


@pytest.mark.parametrize("is_room", [True, False])
def test_what_cannot_be_pondered_is_not(
    engine: Watched, monkeypatch: pytest.MonkeyPatch, is_room: bool
) -> None:
    """A position that cannot be played, or one for whose search the system has no thread."""

    def refuse(make: object) -> None:
        raise RuntimeError("can't start new thread")

    ponderer = Ponderer(engine)
    with monkeypatch.context() as patch:
        if not is_room:
            patch.setattr(pondering, "start_searcher", refuse)
        ponderer.ponder(EXPECTED._replace(width=99 if is_room else 15), Limits())
    ponderer.set_position(EXPECTED)
    ponderer.think(Limits(nodes=100))
    assert engine.calls == ["set_position", "set_position", "think", "end"]


@pytest.mark.parametrize(
    ("score", "line", "reply"),
    [
        (Score(5), (MOVE, Point(1, 2), Point(2, 2)), Point(1, 2)),
        (Score(5), (MOVE,), None),
        (Score(0, 1), (MOVE, Point(1, 2)), None),
        (Score(0, -2), (MOVE, Point(1, 2)), None),
        (Score(0, 3), (MOVE, Point(1, 2)), Point(1, 2)),
        (Score(0, -4), (MOVE, Point(1, 2)), Point(1, 2)),
    ],
)
def test_the_reply(score: Score, line: tuple[Point, ...], reply: Point | None) -> None:
    assert expected_reply(Info(1, 1, score, 1, 1, 0, line)) == reply


@pytest.mark.parametrize("is_forgotten", [True, False])
def test_a_miss_changes_the_table_only(is_forgotten: bool) -> None:
    """Without what the table remembers, the search after it is the same as alone. It has all its
    nodes; how deep it goes with them depends on the table, so on when the other search ended."""
    alone = Engine()
    alone.set_position(QUIET)
    expected = alone.think(Limits(nodes=30_000))
    ponderer = Ponderer(Engine())
    ponderer.ponder(OTHER, Limits())
    time.sleep(0.1)
    if is_forgotten:
        ponderer.idle().new_game()
    ponderer.set_position(QUIET)
    result = ponderer.think(Limits(nodes=30_000))
    if is_forgotten:
        assert result.move == expected.move
        assert result.info[:4] == expected.info[:4]
    assert 29_000 < result.info.nodes <= 30_000 and result.info.depth_plies > 4


# -- what the session asks for


class Asked(Ponderer):
    """Notes what it is to ponder."""

    def __init__(self) -> None:
        super().__init__(Engine())
        self.asked: list[tuple[Position, Limits]] = []

    def ponder(self, position: Position, limits: Limits) -> None:
        self.asked.append((position, limits))


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    monkeypatch.setattr(game, "Ponderer", lambda brain: brain)
    talk = Talk(brain=Asked())
    talk.all("INFO pondering 1|INFO max_node 3000|START 15")
    return talk


def asked(talk: Talk, *lines: str) -> list[tuple[Position, Limits]]:
    for line in lines:
        talk.say(line)
        talk.session.ponder()
    found: list[tuple[Position, Limits]] = talk.brain.asked
    return found


def test_after_a_move_the_reply_in_its_line_is_pondered(talk: Talk) -> None:
    ((position, limits),) = asked(talk, "TURN 7,7")
    assert [(stone.x, stone.y) for stone in position.stones][0] == (7, 7)
    assert len(position.stones) == 3 and position.side_to_move.name == "WHITE"
    assert (limits.nodes, limits.turn_ms, limits.excluded) == (3000, None, ())


def test_squares_as_rows_and_columns_and_blocked_ones(talk: Talk) -> None:
    ((position, limits),) = asked(talk, "yxshowinfo", "yxblock 0,0 3,1 done", "TURN 2,12")
    assert position.stones[0][:2] == (12, 2)
    assert limits.excluded == ((0, 0), (1, 3))


@pytest.mark.parametrize(
    "lines",
    [
        ("INFO strength 50", "TURN 7,7"),
        ("INFO pondering 0", "TURN 7,7"),
        ("yxboard 7,7,2 done", "yxnbest 2"),
        ("yxboard 7,7,2 done", "yxbalanceone 0"),
        ("SWAP2BOARD DONE",),
        ("BOARD 7,7,1 8,7,1 9,7,1 10,7,1 0,0,2 2,0,2 4,0,2 6,0,2 DONE",),
    ],
    ids=["weaker", "not wanted", "analysis", "balance", "swap2", "a five"],
)
def test_nothing_is_pondered(talk: Talk, lines: tuple[str, ...]) -> None:
    assert asked(talk, *lines) == []


def test_the_setting_ends_what_is_pondered() -> None:
    talk = Talk(brain=Watched())
    talk.all("INFO pondering 1|INFO max_node 3000|START 15|TURN 7,7|INFO max_node 0")
    talk.session.ponder()
    while talk.brain.calls[-1] != "ponder":
        time.sleep(0.001)
    talk.say("INFO pondering 0")
    assert talk.brain.calls[-1] == "end"


# -- the program


def reply_expected(program: Program, command: str) -> tuple[str, float]:
    """Sends a command for a move; the reply that its line expects, a corner where it is too short
    on a busy machine, and how many seconds the move took, without what other programs took of the
    processor."""
    watch = Stopwatch(program.process.pid)
    program.send(command.encode() + b"\n")
    report = ""
    while (line := program.read_line()) is not None and not re.fullmatch(r"\d+,\d+", line):
        report = line if line.startswith("MESSAGE Depth") else report
    took_s = watch.ms() / 1000
    names = [*report.split("|")[-1].split(), "O1"][:2]
    x, y = ord(names[1][0]) - ord("A"), 15 - int(names[1][1:])
    return f"{x},{y}", took_s


def started(*settings: str) -> Program:
    program = Program(REAL)
    program.tell("INFO pondering 1", *settings, "START 15")
    program.expect("OK")
    return program


@timed
def test_a_hit_is_credited_by_the_clock_of_the_game() -> None:
    with started("INFO time_left 20000", "INFO timeout_match 20000") as program:
        reply, alone_s = reply_expected(program, "TURN 7,7")
        time.sleep(max(1.0, 2 * alone_s))
        reply, took_s = reply_expected(program, f"TURN {reply}")
        in_time(1000 * took_s, 300)
        program.end()


@timed
@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_limit_of_a_turn_holds_after_hits_and_misses(is_stopped: bool) -> None:
    """Also where the judge stops the process between its moves."""
    if is_stopped and sys.platform == "win32":
        pytest.skip("needs the signals of POSIX")
    with started("INFO timeout_turn 300") as program:
        reply, _ = reply_expected(program, "TURN 7,7")
        for command in (f"TURN {reply}", "TURN 0,0", "BOARD 7,7,2 DONE"):
            if is_stopped:
                program.process.send_signal(signal.SIGSTOP)
            time.sleep(0.4)
            if is_stopped:
                program.process.send_signal(signal.SIGCONT)
            reply, took_s = reply_expected(program, command)
            in_time(1000 * took_s, 600)


def test_nothing_is_printed_in_the_opponents_time_and_commands_are_answered() -> None:
    with started("INFO timeout_turn 200", "INFO show_detail 3") as program:
        reply_expected(program, "TURN 7,7")
        time.sleep(0.3)
        program.tell("ABOUT", "yxshowforbid", "TAKEBACK 7,7", "PLAY 7,7", "START 16")
        program.expect('name="Tengen".*', r"FORBID \.", "OK", "7,7", "OK")
