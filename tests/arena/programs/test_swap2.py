"""The negotiation of swap2: the colours it ends with, and how a program loses in it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tengen.arena.programs.clocks import Clock
from tengen.arena.programs.player import Patience, Player
from tengen.arena.programs.program import Program
from tengen.arena.programs.swap2 import FIRST, SECOND, Agreement, Swap2Failed, negotiate
from tengen.game.record.termination import Termination
from tengen.game.record.time_control import TimeControl
from tengen.game.rules.referee import Cell
from tests.scripted import AMPLE_S, BRIEF_S
from tests.stopwatch import HUNG_MS, Stopwatch

THREE = "5,5 6,7 9,8"
CELLS = ((5, 5), (6, 7), (9, 8))


class Scripted:
    """Gives one answer after another, each in half a second, and records what it was asked."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[tuple[Cell, ...], float | None, str]] = []
        # How many answers it had given when it was suspended.
        self.suspended_after: list[int] = []

    def ask_swap2(
        self, stones: Sequence[Cell], limit_s: float | None, left_line: str
    ) -> tuple[str, float]:
        self.asked.append((tuple(stones), limit_s, left_line))
        return self._answers.pop(0), 0.5

    def suspend(self) -> None:
        self.suspended_after.append(len(self.asked))


def _negotiate(first: Scripted, second: Scripted, size: int = 15) -> Agreement:
    return negotiate(size, size, (first, second), (Clock(TimeControl()), Clock(TimeControl())))


@pytest.mark.parametrize(
    ("first", "second", "black", "more"),
    [
        ((THREE,), ("SWAP",), SECOND, ()),
        ((THREE,), ("swap",), SECOND, ()),
        ((THREE,), ("SWAP YES",), SECOND, ()),
        ((" 5 , 5   6,7\t9,8 ",), ("Swap2",), SECOND, ()),
        ((THREE,), ("7,7",), FIRST, ((7, 7),)),
        ((THREE, "SWAP"), ("7,7 3,3",), FIRST, ((7, 7), (3, 3))),
        ((THREE, "0,14"), ("7,7 3,3",), SECOND, ((7, 7), (3, 3), (0, 14))),
    ],
)
def test_who_plays_black_and_with_which_stones(
    first: tuple[str, ...], second: tuple[str, ...], black: int, more: tuple[Cell, ...]
) -> None:
    players = Scripted(*first), Scripted(*second)
    assert _negotiate(*players) == Agreement(black, (*CELLS, *more))
    assert players[1].asked[0][0] == CELLS
    assert [asked[0] for asked in players[0].asked] == [(), (*CELLS, (7, 7), (3, 3))][: len(first)]


@pytest.mark.parametrize(
    ("first", "second", "loser", "detail"),
    [
        (
            ("SWAP",),
            (),
            FIRST,
            "answered SWAP2BOARD with 'SWAP' after no stones; expected three moves",
        ),
        (
            ("5,5 6,7",),
            (),
            FIRST,
            "answered SWAP2BOARD with '5,5 6,7' after no stones; expected three moves",
        ),
        (("5,5 6,7 5,5",), (), FIRST, "played f10, a cell that is not empty"),
        (("5,5 6,7 15,5",), (), FIRST, "played 15,5, off the board"),
        (("5,5 6,7 5,-1",), (), FIRST, "played 5,-1, off the board"),
        (
            (THREE,),
            ("1,1 2,2 3,3",),
            SECOND,
            "answered SWAP2BOARD with '1,1 2,2 3,3' after 3 stones;"
            " expected SWAP or one move or two moves",
        ),
        ((THREE,), ("6,7",), SECOND, "played g8, a cell that is not empty"),
        ((THREE,), ("1,1 9,8",), SECOND, "played j7, a cell that is not empty"),
        (
            (THREE, "0,0 0,1"),
            ("1,1 2,2",),
            FIRST,
            "answered SWAP2BOARD with '0,0 0,1' after 5 stones; expected SWAP or one move",
        ),
        ((THREE, "2,2"), ("1,1 2,2",), FIRST, "played c13, a cell that is not empty"),
        (
            (THREE,),
            ("perhaps",),
            SECOND,
            "answered SWAP2BOARD with 'perhaps' after 3 stones;"
            " expected SWAP or one move or two moves",
        ),
        (
            ("9" * 5000 + ",1",),
            (),
            FIRST,
            f"answered SWAP2BOARD with {'9' * 80!r} after no stones; expected three moves",
        ),
    ],
)
def test_an_invalid_answer_loses(
    first: tuple[str, ...], second: tuple[str, ...], loser: int, detail: str
) -> None:
    with pytest.raises(Swap2Failed) as failure:
        _negotiate(Scripted(*first), Scripted(*second))
    assert failure.value.loser == loser
    assert failure.value.termination is Termination.ILLEGAL
    assert failure.value.detail == detail


def test_every_answer_is_charged_to_the_clock_of_its_program() -> None:
    first, second = Scripted(THREE, "SWAP"), Scripted("7,7 3,3")
    clocks = (Clock(TimeControl(3, 10)), Clock(TimeControl(4, 20)))
    negotiate(15, 15, (first, second), clocks)
    assert [clock.used_s for clock in clocks] == [1.0, 0.5]
    assert first.asked[1][1:] == (3, "INFO time_left 9500")
    assert second.asked[0][1:] == (4, "INFO time_left 20000")


@pytest.mark.parametrize("is_suspending", [True, False])
def test_each_program_is_suspended_after_its_answer(is_suspending: bool) -> None:
    first, second = Scripted(THREE, "SWAP"), Scripted("7,7 3,3")
    clocks = (Clock(TimeControl()), Clock(TimeControl()))
    negotiate(15, 15, (first, second), clocks, is_suspending)
    assert first.suspended_after == [1, 2] * is_suspending
    assert second.suspended_after == [1] * is_suspending


# ---- programs

# Answers each SWAP2BOARD with the next of its arguments.
_BRAIN = """
import sys, time
answers = sys.argv[1:]
log = []
for line in sys.stdin:
    log.append(line.strip())
    word = (line.split() or [""])[0]
    if word == "START":
        print("OK", flush=True)
    elif word == "DONE":
        asked = log[max(i for i, text in enumerate(log) if text == "SWAP2BOARD") :]
        print("MESSAGE asked", " ".join(asked), flush=True)
        answer = answers.pop(0)
        if answer == "crash":
            sys.exit("lost its mind")
        if answer == "late":
            time.sleep(0.5)
            answer = "SWAP"
        if answer != "stall":
            print(answer, flush=True)
    elif word == "END":
        break
"""


def _play(
    tmp_path: Path,
    first: tuple[str, ...],
    second: tuple[str, ...],
    turn_s: float | None = AMPLE_S,
    late_s: float = 0.8,
) -> Agreement:
    path = tmp_path / "brain.py"
    path.write_text(_BRAIN, encoding="ascii")
    # The time of the first program is ample unless there is no limit.
    controls = TimeControl(turn_s and AMPLE_S), TimeControl(turn_s)
    patience = Patience(AMPLE_S, tolerance_s=0.2, late_s=late_s, exit_s=0.3)
    pair = [
        Player(Program(name, (sys.executable, "-SE", str(path), *script), control), patience)
        for name, script, control in zip(
            ("first", "second"), (first, second), controls, strict=True
        )
    ]
    try:
        for player in pair:
            player.new_game(15, 15, 1)
        return negotiate(15, 15, (pair[0], pair[1]), (Clock(controls[0]), Clock(controls[1])))
    finally:
        for player in pair:
            player.close()


def test_real_programs_agree(tmp_path: Path) -> None:
    agreement = _play(tmp_path, (THREE, "SWAP"), ("7,7 3,3",))
    assert agreement == Agreement(FIRST, (*CELLS, (7, 7), (3, 3)))


@pytest.mark.parametrize(
    ("answer", "termination", "detail"),
    [
        ("crash", Termination.CRASH, "ended with status 1: lost its mind"),
        ("late", Termination.TIMEOUT, " s of 0.200 s"),
        ("stall", Termination.STALL, "no "),
        ("ERROR no book", Termination.ILLEGAL, "answered SWAP2BOARD with 'ERROR no book'"),
        (
            "UNKNOWN swap2board",
            Termination.ILLEGAL,
            "answered SWAP2BOARD with 'UNKNOWN swap2board'",
        ),
    ],
)
def test_real_programs_fail(
    tmp_path: Path, answer: str, termination: Termination, detail: str
) -> None:
    with pytest.raises(Swap2Failed) as failure:
        _play(
            tmp_path,
            (THREE,),
            (answer,),
            turn_s=BRIEF_S if answer in ("late", "stall") else AMPLE_S,
            late_s=AMPLE_S if answer == "late" else 0.8,
        )
    assert failure.value.loser == SECOND
    assert failure.value.termination is termination
    assert detail in failure.value.detail


@pytest.mark.parametrize("loser", [FIRST, SECOND])
def test_a_refusal_without_a_time_limit_is_not_waited_for(tmp_path: Path, loser: int) -> None:
    scripts = (("UNKNOWN",), ("SWAP",)) if loser == FIRST else ((THREE,), ("UNKNOWN",))
    # Without a time limit an answer is waited for ten minutes.
    watch = Stopwatch()
    with pytest.raises(Swap2Failed, match="answered SWAP2BOARD with 'UNKNOWN'") as failure:
        _play(tmp_path, *scripts, turn_s=None)
    assert failure.value.loser == loser
    assert watch.ms() < HUNG_MS
