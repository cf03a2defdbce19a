"""Positions that checks send, and the leagues of Gomocup.

The positions named "the judge's" are those of the organisers' public tool for testing entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.text import point_name
from tengen.arena.check.conversation import Failure
from tengen.arena.programs.program import OPPONENT, OWN
from tengen.game.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    FREESTYLE,
    RENJU,
    RULES,
    STANDARD,
    Cell,
    Referee,
    opponent_of,
)

# A cell and its field in a BOARD block.
Stone = tuple[int, int, int]

_POINT = re.compile(r"([a-t])(\d\d?)")


@dataclass(frozen=True)
class League:
    """A league: its rule, the side of its board, its limits. `word` is the rule in the name of a
    program."""

    name: str
    rule: int
    word: str
    size: int
    turn_ms: int = 30_000
    match_ms: int = 180_000


LEAGUES = (
    League("freestyle 20", FREESTYLE, "freestyle", 20),
    League("fast", FREESTYLE, "freestyle", 20, turn_ms=5_000, match_ms=120_000),
    League("freestyle 15", FREESTYLE, "freestyle", 15),
    League("standard", STANDARD, "standard", 15),
    League("renju", RENJU, "renju", 15),
    League("caro (rule 8)", CARO, "caro", 15),
    League("caro (rule 9)", CARO_EXACT, "caro", 15),
)

# Says what is wrong with the move (x, y) of a colour on a board; empty if nothing is.
Judge = Callable[[Referee, Cell, int], str]


@dataclass(frozen=True)
class SanityPosition:
    """A position with a clear answer.

    moves     the stones in the order of play, Black first: column letter, row counted from 1 at
              the top, as the organisers write them.
    expected  the answer in words.
    rules     where it is asked.
    """

    title: str
    moves: str
    expected: str
    judge: Judge
    rules: tuple[int, ...]

    @property
    def cells(self) -> list[Cell]:
        """The stones, counted from zero."""
        return _cells(self.moves)


# ---- what is good in a position


def judge_move(board: Referee, cell: Cell, colour: int) -> str:
    """What is against the rules in a move, which is not on the board yet; empty if nothing is."""
    if not board.legal(*cell):
        return "where no stone may be put"
    foul = board.foul(*cell) if colour == BLACK else None
    return f"a foul ({foul})" if foul else ""


def expect_good(
    board: Referee, cell: Cell, colour: int, expected: str, judge: Judge = judge_move
) -> None:
    """Failure for a move that is against the rules, or not what the judge wants."""
    if fault := judge_move(board, cell, colour) or judge(board, cell, colour):
        raise Failure(expected, f"{point_name(cell, board.height)}, {fault}")


def _makes_five(board: Referee, cell: Cell, colour: int) -> str:
    return "" if board.makes_win(*cell, colour) else "which does not win"


def _stops_five(board: Referee, cell: Cell, colour: int) -> str:
    board.play(*cell, colour)
    try:
        other = opponent_of(colour)
        wins = any(board.makes_win(*empty, other) for empty in board.empties())
    finally:
        board.undo()
    return "which lets the opponent make five" if wins else ""


def _one_of(names: str) -> Judge:
    cells = _cells(names)
    return lambda board, cell, colour: "" if cell in cells else "which is another point"


def _cells(names: str) -> list[Cell]:
    return [(ord(x) - ord("a"), int(y) - 1) for x, y in _POINT.findall(names)]


POSITIONS = (
    SanityPosition(
        "a five to make (the judge's)",
        "h8h9i8i9j8j9k8k9",
        "a move that makes five",
        _makes_five,
        RULES,
    ),
    SanityPosition(
        "a five to block",
        # White, to move, has closed one end of Black's four.
        "h8g8i8h10j8j10k8",
        "a move that stops Black's five",
        _stops_five,
        RULES,
    ),
    SanityPosition(
        "a five to block instead of making six",
        # Black, to move: d5 makes six, which wins nothing in these rules and is a foul in renju.
        "a5h12b5i12c5j12e5k12f5b10g12n3",
        "a move that stops White's five",
        _stops_five,
        (STANDARD, RENJU, CARO_EXACT),
    ),
    SanityPosition(
        "an open three to stop, an overline not to count (the judge's)",
        "h8h9i8h10g8h11j13h12g14h14i15",
        "a point that stops the open three",
        _one_of("f8j8"),
        (STANDARD,),
    ),
    SanityPosition(
        "a foul not to make (the judge's)",
        "h8h9i7i9h10i6i11i12",
        "any point but the foul",
        judge_move,
        (RENJU,),
    ),
    SanityPosition(
        "an open three to stop, a closed five not to count (the judge's)",
        "h8f8g8f9i8f7j8l8",
        "a point that stops the open three",
        _one_of("f5f6f10f11"),
        (CARO, CARO_EXACT),
    ),
)


def set_up(position: SanityPosition, size: int, rule: int) -> tuple[Referee, int]:
    """The position on a board of this size, and the colour to move."""
    board = Referee(size, size, rule)
    colour = BLACK
    for cell in position.cells:
        board.play(*cell, colour)
        colour = opponent_of(colour)
    return board, colour


# ---- stones for BOARD


def opening_stones() -> list[Stone]:
    """A few stones at the beginning of a game, where a program thinks for long. OWN is the second
    player and to move."""
    return [(7, 7, OPPONENT), (8, 8, OWN), (10, 6, OPPONENT)]


def quiet_stones(count: int) -> list[Stone]:
    """A position without threats, the side to move being OWN, in the order of play: the first
    stone is OWN if the count is even. At most 24 stones, fit for 15x15."""
    cells = [(3 + 2 * (i % 5) + (i // 5) % 2, 2 + 2 * (i // 5)) for i in range(24)]
    return stones_in_turn(cells[:count])


def stones_in_turn(cells: Sequence[Cell]) -> list[Stone]:
    """The stones of moves in turn, such that OWN is to move after them."""
    fields = (OWN, OPPONENT) if len(cells) % 2 == 0 else (OPPONENT, OWN)
    return [(x, y, fields[i % 2]) for i, (x, y) in enumerate(cells)]


def full_stones(size: int, empty: int) -> list[Stone]:
    """All cells but a few, with no five in any line, and as many OWN stones as the opponent's or
    one fewer."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    # Pairs that shift by one from row to row: at most two in a row or a diagonal, one below.
    own, others = ([(x, y) for x, y in cells if (x + 2 * y) // 2 % 2 == side] for side in (0, 1))
    # The last cells of each colour stay empty.
    total = len(cells) - empty
    own, others = own[: total // 2], others[: total - total // 2]
    moves = [*own, *others]
    moves[::2], moves[1::2] = (others, own) if len(others) > len(own) else (own, others)
    return stones_in_turn(moves)
