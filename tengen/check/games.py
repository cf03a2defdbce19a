"""Checks 91 to 97: whole games, and what every rule asks of a player."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from tengen.check.conversation import OPPONENT, OWN, Conversation, Stone
from tengen.check.failure import Failure, Skip
from tengen.check.registry import Group, check
from tengen.rules.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    FREESTYLE,
    RENJU,
    STANDARD,
    WHITE,
    Cell,
    Referee,
)

_MAX_MOVES = 60
_MAX_GAME_S = 8.0
_ALL_RULES = (FREESTYLE, STANDARD, RENJU, CARO, CARO_EXACT)
_NAMES = {
    FREESTYLE: "freestyle",
    STANDARD: "standard",
    RENJU: "renju",
    CARO: "caro",
    CARO_EXACT: "caro with exactly five",
}

# Positions as moves in turn, Black first: letter of the column, number of the row from the top.
_OWN_FOUR = "h8h9i8i9j8j9k8k9"
_THEIR_FOUR = "h8g8i8a1j8c2k8"
# Those that the test scripts of Gomocup send before a program may play in a league, with the
# moves they accept.
_ADMISSION: tuple[tuple[tuple[int, ...], str, str], ...] = (
    (_ALL_RULES, _OWN_FOUR, "g8l8"),
    ((STANDARD,), "h8h9i8h10g8h11j13h12g14h14i15", "f8j8"),
    ((CARO, CARO_EXACT), "h8f8g8f9i8f7j8l8", "f5f6f10f11"),
)
# Black's g9 is a foul here.
_FOUL_NEAR = "h8h9i7i9h10i6i11i12"


@check(91, Group.MANDATORY, "a whole game, moving first")
def first_player(c: Conversation) -> str:
    """Every manager plays games. The referee looks at each move; the opponent only follows, so
    that a program which plays at all soon has its five."""
    return _play_game(c, BLACK)


@check(92, Group.MANDATORY, "a whole game, moving second")
def second_player(c: Conversation) -> str:
    """The same with the other colour, by TURN alone."""
    return _play_game(c, WHITE)


def _rule_check(number: int, rule: int) -> None:
    def script(c: Conversation) -> str | None:
        return _play_rule(c, rule)

    script.__doc__ = (
        f"The leagues are played by different rules. Under INFO rule {rule} the program completes"
        " a five, stops the opponent's, and answers the positions that the test scripts of"
        " Gomocup send before a program is let in." + _WHAT_ELSE.get(rule, "")
    )
    check(number, Group.MANDATORY, f"rule {rule}: {_NAMES[rule]}")(script)


_WHAT_ELSE = {
    STANDARD: " A row of six is nothing here.",
    RENJU: " As Black it does not play a forbidden point.",
    CARO: " A five with an opponent's stone at both ends is nothing here.",
    CARO_EXACT: " A five with an opponent's stone at both ends is nothing here, nor is a six.",
}
for _number, _rule in zip(range(93, 98), _ALL_RULES, strict=True):
    _rule_check(_number, _rule)


def _play_rule(c: Conversation, rule: int) -> str | None:
    if rule not in c.settings.rules:
        raise Skip("not asked for")
    if c.knowledge.size < 15:
        raise Skip("the positions need a board of 15x15")
    _ask(c, rule, _THEIR_FOUR, "a cell that stops the five", _stops_five)
    for rules, text, good in _ADMISSION:
        if rule in rules:
            _ask(c, rule, text, f"one of {good}", _is_one_of(good))
    if rule == RENJU:
        _ask(c, rule, _FOUL_NEAR, "a move that is no foul", _is_no_foul)
    return None


def _ask(
    c: Conversation, rule: int, text: str, wanted: str, is_good: Callable[[Referee, Cell], bool]
) -> None:
    """Sets a position up and judges the answer."""
    c.start()
    c.rule(rule)
    cells = read_cells(text)
    c.board(_fields(cells))
    move = next(cell for cell in c.stones if cell not in cells)
    board = Referee(c.width, c.height, rule)
    for i, (x, y) in enumerate(cells):
        board.play(x, y, BLACK if i % 2 == 0 else WHITE)
    if not is_good(board, move):
        raise Failure(f"{wanted} in {text} under rule {rule}", f"{move[0]},{move[1]}")


def _stops_five(board: Referee, move: Cell) -> bool:
    colour = _to_move(board)
    if board.makes_win(*move, colour):
        return True
    board.play(*move, colour)
    return not any(board.makes_win(*cell, BLACK + WHITE - colour) for cell in board.empties())


def _is_no_foul(board: Referee, move: Cell) -> bool:
    return _to_move(board) != BLACK or board.foul(*move) is None


def _is_one_of(text: str) -> Callable[[Referee, Cell], bool]:
    cells = read_cells(text)
    return lambda _, move: move in cells


def _to_move(board: Referee) -> int:
    return BLACK if len(board.stones()) % 2 == 0 else WHITE


def _play_game(c: Conversation, colour: int) -> str:
    """A game under rule 0 against an opponent that plays beside the last stone."""
    c.start()
    size = c.knowledge.size
    board = Referee(size, size, FREESTYLE)
    deadline = time.perf_counter() + _MAX_GAME_S
    last = (size // 2, size // 2)
    if colour == BLACK:
        last = c.begin()
        board.play(*last, colour)
    while time.perf_counter() < deadline and len(board.stones()) < _MAX_MOVES:
        reply = beside(board, last)
        board.play(*reply, BLACK + WHITE - colour)
        if board.winner() or board.is_full():
            return f"lost after {len(board.stones())} stones"
        last = c.turn(reply)
        # `expect_move` has judged whether the cell is empty; the referee judges once more.
        if not board.legal(*last):
            raise Failure("a legal move", f"{last[0]},{last[1]}")
        board.play(*last, colour)
        if board.winner():
            return f"won after {len(board.stones())} stones"
    return f"broken off after {len(board.stones())} stones"


def beside(board: Referee, last: Cell) -> Cell:
    """The empty cell nearest to the last stone; of several the first in reading order."""
    x, y = last
    return min(
        board.empties(),
        key=lambda cell: (max(abs(cell[0] - x), abs(cell[1] - y)), cell[1], cell[0]),
    )


def block_five(board: Referee, colour: int) -> Cell | None:
    """The first cell where `colour` would win, None if there is none."""
    wins = (cell for cell in board.empties() if board.makes_win(*cell, colour))
    return next(wins, None)


def read_cells(text: str) -> list[Cell]:
    """`h8i9` as cells: 7,7 and 8,8."""
    cells = []
    for word in "".join(f" {sign}" if sign.isalpha() else sign for sign in text).split():
        cells.append((ord(word[0]) - ord("a"), int(word[1:]) - 1))
    return cells


def _fields(cells: Iterable[Cell]) -> list[Stone]:
    """The stones as the side to move sees them."""
    cells = list(cells)
    first = OWN if len(cells) % 2 == 0 else OPPONENT
    return [
        (x, y, first if i % 2 == 0 else OWN + OPPONENT - first) for i, (x, y) in enumerate(cells)
    ]
