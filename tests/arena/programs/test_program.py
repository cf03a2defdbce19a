"""What a program is asked and how its answers are taken, in a process that takes no time: its clock
is moved on by what it says. Real processes are in test_process.py and in the tests of matches."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.programs import program as program_module
from tengen.arena.programs.process import Line
from tengen.arena.programs.program import Clock, Program, ProgramFailed, Timeouts, read_message
from tengen.arena.programs.spec import ProgramSpec
from tengen.arena.programs.swap2 import FIRST, SECOND, Agreement, Swap2Failed, negotiate
from tengen.game.played import Move, Report, Termination, TimeControl
from tengen.game.referee import BLACK, WHITE, Cell, Referee

# Words after which an answer is expected.
REQUESTS = ("START", "RECTSTART", "ABOUT", "BEGIN", "TURN", "PLAY", "DONE")
T = Termination


class Script:
    """In the place of a process: gives one answer after the other. Parts of an answer are separated
    by `;`: `sleep 0.2`, `exit`, anything else is a line."""

    pid = 1
    is_stopped = False

    def __init__(self, *answers: str) -> None:
        self.answers = deque(answers)
        self.sent: list[str] = []
        self.now = 1000.0
        self._lines: deque[tuple[float, str]] = deque()

    def __call__(self, command: Sequence[str], cwd: Path) -> Script:
        """As the constructor of a process."""
        return self

    def now_s(self) -> float:
        return self.now

    def send(self, lines: Sequence[str]) -> None:
        self.sent += lines
        if lines[-1].split()[0] not in REQUESTS:
            return
        at = self.now
        for part in self.answers.popleft().split(";") if self.answers else ():
            if part.startswith("sleep "):
                at += float(part.split()[1])
            elif part:
                self._lines.append((at, part))

    def next_line(self, deadline: float) -> Line | None:
        if not self._lines or self._lines[0][0] > deadline:
            self.now = max(self.now, deadline)
            return None
        at, text = self._lines.popleft()
        self.now = max(self.now, at)
        if text == "exit":
            raise EOFError
        return Line(text.encode(), b"\n", at)

    def discard_unread(self) -> list[Line]:
        found = [Line(text.encode(), b"\n", at) for at, text in self._lines if at <= self.now]
        self._lines.clear()
        return found

    def finish(self) -> tuple[int, str]:
        return 3, "something broke"

    def nothing(self, *_: object) -> None:
        pass

    close_input = wait = kill = kill_tree = resume = suspend = nothing


def _program(
    patch: pytest.MonkeyPatch, script: Script, control: TimeControl | None = None, **more: Any
) -> Program:
    patch.setattr(program_module, "EngineProcess", script)
    spec = replace(ProgramSpec("A", ("a",), control or TimeControl(0.5)), **more)
    return Program(spec, Timeouts(start_s=10, tolerance_s=0.5, late_s=0.8))


def _ask(program: Program, board: Referee | None = None, colour: int = BLACK) -> Move:
    return program.ask_move(board or Referee(15, 15, 0), colour, Clock(program.spec.control))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("7,7", (7, 7)),
        ("MESSAGE hm;DEBUG 1,1; +7 , 7 ", (7, 7)),
        ("hm;sleep 0.9;7,7", (7, 7)),
        ("sleep 1.2;7,7", (T.TIMEOUT, "took 1.200 s of 0.500 s")),
        ("sleep 1.9;7,7", (T.STALL, "no move in 1.8 s")),
        ("hm;7;sleep 2;7,7", (T.ILLEGAL, "no move in 1.8 s, but 'hm'")),
        ("MESSAGE hm;exit", (T.CRASH, "ended with status 3: something broke")),
        ("ERROR what?", (T.ILLEGAL, "answered BEGIN with 'ERROR what?'")),
        ("MESSAGE hm;unknown", (T.ILLEGAL, "answered BEGIN with 'unknown'")),
        ('UNKNOWN "BEGIN": there are START INFO', (T.ILLEGAL, "answered BEGIN with 'UNKNOWN ")),
        ("unknown begin (not info)", (T.ILLEGAL, "answered BEGIN with 'unknown begin (not info)'")),
        # What is suggested is to be played; what is played then counts.
        ("SUGGEST 7,7|7,7", (7, 7)),
        (" suggest  7 , 7|8,8", (8, 8)),
        ("SUGGEST 7,7|ERROR no such command", (T.ILLEGAL, "answered PLAY 7,7 with 'ERROR no such")),
        ("SUGGEST h8", (T.ILLEGAL, "no move in 1.8 s, but 'SUGGEST h8'")),
    ],
)
def test_how_an_answer_is_taken(
    answer: str, outcome: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _program(monkeypatch, Script("OK", *answer.split("|")))
    program.new_game(15, 15, 0)
    if isinstance(outcome[0], int):
        move = _ask(program)
        assert (move.x, move.y) == outcome
        return
    with pytest.raises(ProgramFailed) as failure:
        _ask(program)
    assert failure.value.termination is outcome[0]
    assert failure.value.detail.startswith(outcome[1])


@pytest.mark.parametrize("answer", ["UNKNOWN info", "UNKNOWN", "ERROR what is that"])
def test_an_answer_to_info_is_no_refusal_of_the_request(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers to the settings are there before the first request is made. Then each request
    may be preceded by one to the time that is left."""
    script = Script(f"OK;{answer}", "7,7", f"{answer};8,8", f"{answer};ERROR no more")
    program = _program(monkeypatch, script)
    program.new_game(15, 15, 0)
    assert [_ask(program).x, _ask(program).x] == [7, 8]
    with pytest.raises(ProgramFailed, match="answered BEGIN with 'ERROR no more'"):
        _ask(program)


def test_without_a_limit_a_move_is_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(monkeypatch, Script("OK", "sleep 599;7,7", "sleep 601;7,7"), TimeControl())
    program.new_game(15, 15, 0)
    assert _ask(program).elapsed_s == 599
    with pytest.raises(ProgramFailed, match="stall: no move in 600 s"):
        _ask(program)


@pytest.mark.parametrize(
    ("times_s", "left_ms", "late"),
    [
        ((1.0, 1.0), 400, "took 1.000 s of 0.400 s"),
        # The tolerance, 0.5 s, forgives lateness once a game.
        ((1.6, 0.2, 0.2), 0, "took 0.200 s of 0.000 s"),
    ],
)
def test_the_match_clock_runs_out_over_several_moves(
    times_s: tuple[float, ...], left_ms: int, late: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last move alone would be on time."""
    script = Script("OK", *(f"sleep {each};0,0" for each in times_s))
    program = _program(monkeypatch, script, TimeControl(None, 1.4))
    program.new_game(15, 15, 0)
    clock, board = Clock(program.spec.control), Referee(15, 15, 0)
    for elapsed_s in times_s[:-1]:
        assert program.ask_move(board, BLACK, clock).elapsed_s == pytest.approx(elapsed_s)
    with pytest.raises(ProgramFailed, match=f"timeout: {late}"):
        program.ask_move(board, BLACK, clock)
    assert script.sent[-2:] == [f"INFO time_left {left_ms}", "BEGIN"]


def test_clocks() -> None:
    clock, other = Clock(TimeControl(0.5, 0.6, 0.2)), Clock(TimeControl())
    assert (clock.limit_s, clock.left_line()) == (0.5, "INFO time_left 600")
    clock.spend(0.45)
    assert clock.limit_s == pytest.approx(0.35)
    clock.spend(0.7)
    assert clock.limit_s == pytest.approx(-0.15) and clock.left_line() == "INFO time_left 0"
    clock.spend(0.0)  # what it earns pays what it has overdrawn first
    assert clock.left_line() == "INFO time_left 50"
    assert other.limit_s is None
    assert other.left_line() == "INFO time_left 2147483647"
    assert Clock(TimeControl(0)).limit_s == 0


def test_a_game_as_the_program_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script("OK", "7,7", "9,9", "OK", "0,0")
    program = _program(
        monkeypatch, script, TimeControl(60),
        nodes=500, depth_plies=7, memory_bytes=70 * 2**20, threads=2, options=(("caution", "3"),),
    )  # fmt: skip
    board = Referee(15, 15, 4)
    program.new_game(15, 15, 4)
    assert _ask(program, board).report is None
    board.play(7, 7, BLACK)
    board.play(8, 8, WHITE)
    assert _ask(program, board).x == 9
    # A second game, by BOARD because it begins with an opening.
    program.new_game(15, 12, 1)
    board = Referee(15, 12, 1, walls=[(3, 3)])
    for cell, colour in (((1, 2), BLACK), ((3, 4), WHITE), ((5, 6), BLACK)):
        board.play(*cell, colour)
    _ask(program, board, WHITE)
    program.dispose()
    settings = (
        "INFO max_memory 73400320\nINFO timeout_turn 60000\nINFO timeout_match 0\n"
        "INFO game_type 1\nINFO rule {}\nINFO max_node 500\nINFO max_depth 7\n"
        "INFO thread_num 2\nINFO caution 3\n"
    )
    said = "".join(f"{line}\n" for line in script.sent)
    folders = set(re.findall("INFO folder (.*)\n", said))
    assert len(folders) == 1
    assert not Path(folders.pop()).exists(), "a folder was left behind"
    left = "INFO time_left 2147483647\n"
    assert re.sub("INFO folder .*\n", "", said) == (
        f"START 15\n{settings.format(4)}{left}BEGIN\n{left}TURN 8,8\n"
        f"RECTSTART 15,12\n{settings.format(1)}{left}"
        "BOARD\n3,3,3\n1,2,2\n3,4,1\n5,6,2\nDONE\nEND\n"
    )


def test_folders_that_were_removed_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = _program(monkeypatch, Script("OK", "OK"))
    program.new_game(15, 15, 0)
    (place,) = tmp_path.glob("tengen-match-*")
    program.close()
    shutil.rmtree(place)
    program.new_game(15, 15, 0)
    assert sorted(path.name for path in place.iterdir()) == ["keep", "work"]
    program.dispose()
    assert not place.exists()


# -- reports


def test_reports_are_read_while_the_program_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        "MESSAGE Depth 3-9 | Eval 12 | Node 1000 | Speed 5 | Time 2ms | H8 H9;"
        "DEBUG 1,1;MESSAGE hello;MESSAGE Depth 4-11 | Eval +M5;7,7"
    )
    heard: list[Report] = []
    program = _program(monkeypatch, Script("OK", said))
    program.new_game(15, 15, 0)
    answer = program.ask_move(Referee(15, 15, 0), BLACK, Clock(TimeControl()), heard.append)
    assert answer.report == Report(4, 11, None, 5, 1000, "H8 H9")
    assert [report.depth_plies for report in heard] == [3, 4]


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (
            "Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10",
            Report(12, 20, 35, None, 123456, "H8 H9 I10"),
        ),
        ("Depth 12-20 | Eval -35 | Time 812ms | H8", Report(12, 20, -35, None, None, "H8")),
        ("Speed 3M | Depth 5 | Eval +M 7 | Node 123K | Time 1s", Report(5, None, None, 7, 123000)),
        ("eval -m4 | nodes 2.5M", Report(None, None, None, -4, 2_500_000)),
        ("Eval 0|Depth 0-0||", Report(0, 0, 0)),
        ("hello | world", None),
        ("Time 3ms | H8", None),
        ("Depth deep | Eval good | Node many", None),
        ("", None),
    ],
)
def test_messages(text: str, report: Report | None) -> None:
    assert read_message(text) == report


@given(st.text(st.sampled_from("DepthEvalNod M+-.0123456789|KH "), max_size=60))
def test_no_message_breaks_the_reader(text: str) -> None:
    read_message(text)


# -- swap2: the colours it ends with, and how a program loses in it


THREE = "5,5 6,7 9,8"
CELLS = ((5, 5), (6, 7), (9, 8))


class Negotiator(Program):
    """Gives one answer after another, each in half a second, and records what it was asked."""

    def __init__(self, *answers: str) -> None:
        super().__init__(ProgramSpec("scripted", ()))
        self._answers = list(answers)
        self.asked: list[tuple[tuple[Cell, ...], float | None, str]] = []
        # How many answers it had given when it was suspended.
        self.suspended_after: list[int] = []

    def ask_swap2(self, stones: Sequence[Cell], clock: Clock) -> str:
        self.asked.append((tuple(stones), clock.limit_s, clock.left_line()))
        clock.spend(0.5)
        return self._answers.pop(0)

    def suspend(self) -> None:
        self.suspended_after.append(len(self.asked))


def _negotiate(first: Negotiator, second: Negotiator, size: int = 15) -> Agreement:
    return negotiate(size, size, (first, second), (Clock(TimeControl()), Clock(TimeControl())))


@pytest.mark.parametrize(
    ("first", "second", "black", "more"),
    [
        *(((THREE,), (word,), SECOND, ()) for word in ("SWAP", "swap", "SWAP YES")),
        ((" 5 , 5   6,7\t9,8 ",), ("Swap2",), SECOND, ()),
        ((THREE,), ("7,7",), FIRST, ((7, 7),)),
        ((THREE, "SWAP"), ("7,7 3,3",), FIRST, ((7, 7), (3, 3))),
        ((THREE, "0,14"), ("7,7 3,3",), SECOND, ((7, 7), (3, 3), (0, 14))),
    ],
)
def test_who_plays_black_and_with_which_stones(
    first: tuple[str, ...], second: tuple[str, ...], black: int, more: tuple[Cell, ...]
) -> None:
    players = Negotiator(*first), Negotiator(*second)
    assert _negotiate(*players) == Agreement(black, (*CELLS, *more))
    assert players[1].asked[0][0] == CELLS
    assert [asked[0] for asked in players[0].asked] == [(), (*CELLS, (7, 7), (3, 3))][: len(first)]


@pytest.mark.parametrize(
    ("first", "second", "loser", "detail"),
    [
        (("SWAP",), (), FIRST, "after no stones; expected three moves"),
        ((f"SWAP {THREE}",), (), FIRST, "after no stones; expected three moves"),
        (("5,5 6,7",), (), FIRST, "after no stones; expected three moves"),
        (("9" * 5000 + ",1",), (), FIRST, "after no stones; expected three moves"),
        (("5,5 6,7 5,5",), (), FIRST, "played f10, a cell that is not empty"),
        (("5,5 6,7 15,5",), (), FIRST, "played 15,5, off the board"),
        (("5,5 6,7 5,-1",), (), FIRST, "played 5,-1, off the board"),
        (
            *((THREE,), ("1,1 2,2 3,3",), SECOND),
            "after 3 stones; expected SWAP or one move or two moves",
        ),
        ((THREE,), ("1,1 9,8",), SECOND, "played j7, a cell that is not empty"),
        ((THREE, "0,0 0,1"), ("1,1 2,2",), FIRST, "after 5 stones; expected SWAP or one move"),
        ((THREE, "2,2"), ("1,1 2,2",), FIRST, "played c13, a cell that is not empty"),
    ],
)
def test_an_invalid_answer_loses(
    first: tuple[str, ...], second: tuple[str, ...], loser: int, detail: str
) -> None:
    with pytest.raises(Swap2Failed) as failure:
        _negotiate(Negotiator(*first), Negotiator(*second))
    assert failure.value.loser == loser
    assert failure.value.termination is Termination.ILLEGAL
    answer = f"answered SWAP2BOARD with {(first, second)[loser][-1][:80]!r} "
    assert failure.value.detail == answer * detail.startswith("after") + detail


@pytest.mark.parametrize("is_suspending", [True, False])
def test_every_answer_is_charged_and_its_program_suspended_then(is_suspending: bool) -> None:
    first, second = Negotiator(THREE, "SWAP"), Negotiator("7,7 3,3")
    clocks = (Clock(TimeControl(3, 10)), Clock(TimeControl(4, 20)))
    negotiate(15, 15, (first, second), clocks, is_suspending)
    assert [clock.used_s for clock in clocks] == [1.0, 0.5]
    assert first.asked[1][1:] == (3, "INFO time_left 9500")
    assert second.asked[0][1:] == (4, "INFO time_left 20000")
    assert first.suspended_after == [1, 2] * is_suspending
    assert second.suspended_after == [1] * is_suspending
