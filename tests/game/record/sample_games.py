"""Games for the tests of the files they are written to, and what holds for every reader of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from tengen.game.played import Report, Termination
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.referee import BLACK, RULES, WHITE, in_turns

SETTING = Setting(15, 15, 0)
MOVES = (
    Move(7, 7, BLACK),
    Move(8, 8, WHITE, 0.0124, Report(3, 5, -12, None, 345, "I9")),
    Move(6, 0, BLACK, 1.5, Report(mate_plies=3)),
    Move(14, 14, WHITE, 0.25),
)
VALUES = st.integers(-9, 9)


def game(
    winner: int = BLACK,
    termination: Termination = Termination.FIVE,
    names: tuple[str, str] = ("Tengen", "Simple"),
    setting: Setting = SETTING,
    moves: tuple[Move, ...] = MOVES,
) -> Game:
    return Game(Job(0, 0, *names, ((7, 7),)), setting, winner, termination, "", moves)


@st.composite
def games(draw: st.DrawFn, names: st.SearchStrategy[str]) -> Game:
    """Games of a few moves on boards of any size, by players with such names."""
    width, height = draw(st.integers(5, 22)), draw(st.integers(5, 22))
    cell = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    moves = tuple(
        Move(x, y, colour, draw(st.integers(0, 10**6)) / 1000, Report(value=draw(VALUES)))
        for x, y, colour in in_turns(draw(st.lists(cell, unique=True, max_size=12)))
    )
    setting = Setting(width, height, draw(st.sampled_from(RULES)))
    termination = draw(st.sampled_from(Termination))
    return game(BLACK, termination, draw(st.tuples(names, names)), setting, moves)


def assert_refused(read: Callable[[str], object], text: str, wrong: str) -> None:
    """The reader says in one line what is wrong with the text."""
    with pytest.raises(ValueError, match=wrong) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def assert_read_or_refused(read: Callable[[str], object], text: str, begins: str) -> None:
    """Whatever the text is, the reader reads it or says in one line what is wrong."""
    try:
        read(text)
    except ValueError as error:
        assert str(error).startswith(begins) and "\n" not in str(error)
