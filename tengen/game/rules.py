"""What is said of each rule, and the points where a colour wins with its next stone, or the one
after. tengen/game/referee.py has the rules, engine/text.py reads their names."""

from __future__ import annotations

from collections.abc import Iterable

from engine.text import RULE_NAMES, read_rule
from tengen.game.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    DIRECTIONS,
    FREESTYLE,
    RENJU,
    STANDARD,
    Cell,
    Referee,
)

_REACH = 4  # cells along a line that can belong to the same five

# The names in tables and in the sgf files that we write.
RULE_TITLES = RULE_NAMES | {CARO_EXACT: "caro, exactly five"}
# What files of games say else, without signs and digits: the opening rules of renju and of
# tournaments of gomoku, and words in which other programs write a rule.
_SAID_NAMES = {
    **dict.fromkeys(
        ("rif", "yamaguchi", "soosyrv", "soosorv", "soosõrv", "sosorov", "taraguchi",
         "tarannikov", "sakata", "renju", "連珠", "连珠"),
        RENJU,
    ),
    **dict.fromkeys(("swap", "pro", "longpro", "standard"), STANDARD),
    **dict.fromkeys(("freestyle", "freegomoku", "五子棋"), FREESTYLE),
}  # fmt: skip

# What a player has to know, in one line for each rule.
RULE_TEXTS = {
    FREESTYLE: "five or more in a row win",
    STANDARD: "exactly five in a row win, six or more do not",
    RENJU: "Black wins with exactly five and may not make an overline, a double four or a double"
    " three; White wins with five or more",
    CARO: "five in a row win unless stones of the other colour stand at both ends; six or more win",
    CARO_EXACT: "exactly five in a row win unless stones of the other colour stand at both ends",
}


def read_said_rule(text: str) -> int:
    """The rule that a file of a game names: as for `read_rule`, or by the rule for its opening,
    such as Soosyrv-8, or in a longer text. ValueError as for `read_rule`."""
    try:
        return read_rule(text)
    except ValueError:
        letters = "".join(char for char in text.lower() if char.isalpha())
        if letters in _SAID_NAMES:
            return _SAID_NAMES[letters]
        # `pro` and `swap` are in too many words.
        for name, rule in _SAID_NAMES.items():
            if len(name) > 4 and name in letters:
                return rule
        raise


def five_points(board: Referee, cells: Iterable[Cell], colour: int) -> list[Cell]:
    """The cells among these where a stone of `colour` wins."""
    return [cell for cell in cells if board.makes_win(*cell, colour)]


def open_four_points(board: Referee, colour: int, around: Cell | None = None) -> set[Cell]:
    """The empty cells where a stone of `colour` may be played and leaves two or more points to win
    at; with `around`, only cells in line with it."""
    candidates = board.empties() if around is None else _in_line(board, around)
    own = [(x, y) for x, y, stone in board.stones() if stone == colour]
    found = set()
    for cell in candidates:
        if sum(max(abs(x - cell[0]), abs(y - cell[1])) <= _REACH for x, y in own) < 3:
            continue  # no four without them, and most cells have none
        if colour == BLACK and board.foul(*cell) is not None:
            continue
        board.play(*cell, colour)
        if len(five_points(board, _in_line(board, cell), colour)) > 1:
            found.add(cell)
        board.undo()
    return found


def _in_line(board: Referee, cell: Cell) -> list[Cell]:
    """The empty cells that can belong to the same five as `cell`."""
    x, y = cell
    steps = [step for step in range(-_REACH, _REACH + 1) if step]
    near = [(x + i * dx, y + i * dy) for dx, dy in DIRECTIONS for i in steps]
    return [at for at in near if board.legal(*at)]
