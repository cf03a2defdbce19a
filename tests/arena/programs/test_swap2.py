"""The negotiation of swap2: the colours it ends with, and how a program loses in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tengen.arena.programs.program import Clock, Program
from tengen.arena.programs.spec import ProgramSpec
from tengen.arena.programs.swap2 import FIRST, SECOND, Agreement, Swap2Failed, negotiate
from tengen.game.played import Termination, TimeControl
from tengen.game.referee import Cell

THREE = "5,5 6,7 9,8"
CELLS = ((5, 5), (6, 7), (9, 8))


class Scripted(Program):
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


_ILLEGAL = "answered SWAP2BOARD with {!r} after {}; expected {}"


@pytest.mark.parametrize(
    ("first", "second", "loser", "detail"),
    [
        (("SWAP",), (), FIRST, _ILLEGAL.format("SWAP", "no stones", "three moves")),
        (
            (f"SWAP {THREE}",),
            (),
            FIRST,
            _ILLEGAL.format(f"SWAP {THREE}", "no stones", "three moves"),
        ),
        (("5,5 6,7",), (), FIRST, _ILLEGAL.format("5,5 6,7", "no stones", "three moves")),
        (("9" * 5000 + ",1",), (), FIRST, _ILLEGAL.format("9" * 80, "no stones", "three moves")),
        (("5,5 6,7 5,5",), (), FIRST, "played f10, a cell that is not empty"),
        (("5,5 6,7 15,5",), (), FIRST, "played 15,5, off the board"),
        (("5,5 6,7 5,-1",), (), FIRST, "played 5,-1, off the board"),
        (
            (THREE,),
            ("1,1 2,2 3,3",),
            SECOND,
            _ILLEGAL.format("1,1 2,2 3,3", "3 stones", "SWAP or one move or two moves"),
        ),
        ((THREE,), ("1,1 9,8",), SECOND, "played j7, a cell that is not empty"),
        (
            (THREE, "0,0 0,1"),
            ("1,1 2,2",),
            FIRST,
            _ILLEGAL.format("0,0 0,1", "5 stones", "SWAP or one move"),
        ),
        ((THREE, "2,2"), ("1,1 2,2",), FIRST, "played c13, a cell that is not empty"),
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


@pytest.mark.parametrize("is_suspending", [True, False])
def test_every_answer_is_charged_to_its_program_which_is_suspended_then(
    is_suspending: bool,
) -> None:
    first, second = Scripted(THREE, "SWAP"), Scripted("7,7 3,3")
    clocks = (Clock(TimeControl(3, 10)), Clock(TimeControl(4, 20)))
    negotiate(15, 15, (first, second), clocks, is_suspending)
    assert [clock.used_s for clock in clocks] == [1.0, 0.5]
    assert first.asked[1][1:] == (3, "INFO time_left 9500")
    assert second.asked[0][1:] == (4, "INFO time_left 20000")
    assert first.suspended_after == [1, 2] * is_suspending
    assert second.suspended_after == [1] * is_suspending
