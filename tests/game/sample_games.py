"""Games for the tests of the files they are written to, and what holds for every reader of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from tengen.game.files.positions import Choice, choose_game
from tengen.game.files.sgf import result_of
from tengen.game.game import Game
from tengen.game.node import first_properties, move_properties
from tengen.game.played import MatchFacts, Move, Report, Termination
from tengen.game.referee import BLACK, RULES, WHITE, Cell, in_turns
from tengen.game.rules import RULE_TITLES

MOVES = (
    Move(7, 7, BLACK),
    Move(8, 8, WHITE, 0.0124, Report(3, 5, -12, None, 345, "I9")),
    Move(6, 0, BLACK, 1.5, Report(mate_plies=3)),
    Move(14, 14, WHITE, 0.25),
)
VALUES = st.integers(-9, 9)


def game(
    result: str = "black",
    termination: Termination = Termination.FIVE,
    names: tuple[str, str] = ("Tengen", "Simple"),
    size: tuple[int, int] = (15, 15),
    rule: int = 0,
    moves: tuple[Move, ...] = MOVES,
) -> Game:
    """A game of a match as it is when it has ended."""
    info = {"RU": RULE_TITLES[rule], "GN": "1", "PB": names[0], "PW": names[1]}
    made = Game.of("match", first_properties(info, size))
    node = made.root
    for move in moves:
        node = node.append(move_properties(move.x, move.y, move.colour))
        node.time_s, node.report = move.elapsed_s, move.report
        if move is moves[0]:
            node.comment = "opening"
    made.match = MatchFacts(0, 0, min(1, len(moves)), (0, 0), (0, 0), 0.0)
    made.termination, made.is_judged, made.result = termination, True, result
    made.root.set("RE", result_of(made))
    return made


@st.composite
def games(draw: st.DrawFn, names: st.SearchStrategy[str]) -> Game:
    """Games of a few moves on boards of any size, by players with such names."""
    width, height = draw(st.integers(5, 22)), draw(st.integers(5, 22))
    cell = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    moves = tuple(
        Move(x, y, colour, draw(st.integers(0, 10**6)) / 1000, Report(value=draw(VALUES)))
        for x, y, colour in in_turns(draw(st.lists(cell, unique=True, max_size=12)))
    )
    rule, termination = draw(st.sampled_from(RULES)), draw(st.sampled_from(Termination))
    both = draw(st.tuples(names, names))
    return game("black", termination, both, (width, height), rule, moves)


def read_saved_game(
    text: str, rule: int | None = None, is_cut: bool = False, number: int = 1
) -> Game:
    """A game of a file, whole unless it `is_cut`."""
    try:
        found = choose_game(text, "text", Choice(rule, game=number if number > 1 else None))
    except ValueError as error:
        raise ValueError(str(error).removeprefix("text: ")) from None
    if found is None:
        raise ValueError("is no file of games")
    if found[1].fault and not is_cut:
        raise ValueError(found[1].fault)
    return found[1]


def cells(game: Game) -> tuple[Cell, ...]:
    """Where its moves are."""
    return tuple(stone[:2] for stone in game.stones)


def times(game: Game) -> tuple[float | None, ...]:
    """How long its moves took."""
    return tuple(node.time_s for node in game)


def assert_refused(read: Callable[[str], object], text: str, wrong: str) -> None:
    """The reader says in one line what is wrong with the text."""
    with pytest.raises(ValueError, match=wrong) as caught:
        read(text)
    assert "\n" not in str(caught.value)
