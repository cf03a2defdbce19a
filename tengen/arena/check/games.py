"""Checks 91 to 97: whole games, and positions under each rule."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.text import RULE_NAMES
from tengen.arena.check.conversation import Conversation
from tengen.arena.check.failure import Failure, Skip
from tengen.arena.check.moves import stones_in_turn
from tengen.arena.check.registry import Group, check
from tengen.game.rules.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    FREESTYLE,
    RENJU,
    RULES,
    STANDARD,
    WHITE,
    Cell,
    Referee,
    opponent_of,
)

_MAX_MOVES = 60
_MAX_GAME_S = 8.0

# Positions as moves in turn, Black first, written as in the protocol.
_OWN_FOUR = "7,7 7,8 8,7 8,8 9,7 9,8 10,7 10,8"
_THEIR_FOUR = "7,7 6,7 8,7 0,0 9,7 2,1 10,7"
# What the test scripts of Gomocup send before a program may play in a league: rules, position, and
# the moves that are accepted.
_ADMISSION: tuple[tuple[tuple[int, ...], str, str], ...] = (
    (RULES, _OWN_FOUR, "6,7 11,7"),
    ((STANDARD,), "7,7 7,8 8,7 7,9 6,7 7,10 9,12 7,11 6,13 7,13 8,14", "5,7 9,7"),
    ((CARO, CARO_EXACT), "7,7 5,7 6,7 5,8 8,7 5,6 9,7 11,7", "5,4 5,5 5,9 5,10"),
)
# Black's 6,8 is a foul here.
_FOUL_NEAR = "7,7 7,8 8,6 8,8 7,9 8,5 8,10 8,11"


@check(91, Group.MANDATORY, "a whole game, moving first")
def first_player(c: Conversation) -> str:
    """The referee judges each move. The opponent only plays beside the last stone, so a program
    that tries to win soon makes a five."""
    return _play_game(c, BLACK)


@check(92, Group.MANDATORY, "a whole game, moving second")
def second_player(c: Conversation) -> str:
    """The same with the other colour, by TURN alone."""
    return _play_game(c, WHITE)


def _rule_check(number: int, rule: int) -> None:
    def script(c: Conversation) -> str | None:
        return _play_rule(c, rule)

    script.__doc__ = (
        f"Each league of Gomocup has its rule. Under INFO rule {rule} the program must complete a"
        " five, stop the opponent's, and find a good move in the positions that the test scripts"
        " of Gomocup send before a program is admitted." + _WHAT_ELSE.get(rule, "")
    )
    check(number, Group.MANDATORY, f"rule {rule}: {RULE_NAMES[rule]}")(script)


_WHAT_ELSE = {
    STANDARD: " A row of six does not win.",
    RENJU: " As Black it must not play a forbidden point.",
    CARO: " A five with an opponent's stone at both ends does not win.",
    CARO_EXACT: " A five with an opponent's stone at both ends does not win, nor does a six.",
}
for _number, _rule in enumerate(RULES, start=93):
    _rule_check(_number, _rule)


def _play_rule(c: Conversation, rule: int) -> str | None:
    if rule not in c.settings.rules:
        raise Skip("not among --rules")
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
    """Sends a position and judges the move."""
    c.start()
    c.rule(rule)
    cells = read_cells(text)
    c.board(stones_in_turn(cells))
    move = next(cell for cell in c.stones if cell not in cells)
    board = Referee(c.width, c.height, rule)
    for i, (x, y) in enumerate(cells):
        board.play(x, y, BLACK if i % 2 == 0 else WHITE)
    if not is_good(board, move):
        raise Failure(f"{wanted} under rule {rule} after {text}", f"{move[0]},{move[1]}")


def _stops_five(board: Referee, move: Cell) -> bool:
    colour = _to_move(board)
    if board.makes_win(*move, colour):
        return True
    board.play(*move, colour)
    return not any(board.makes_win(*cell, opponent_of(colour)) for cell in board.empties())


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
        board.play(*reply, opponent_of(colour))
        if board.winner() or board.is_full():
            return f"lost after {len(board.stones())} stones"
        last = c.turn(reply)
        # `expect_move` has checked that the cell is empty; the referee checks it independently.
        if not board.legal(*last):
            raise Failure("a legal move", f"{last[0]},{last[1]}")
        board.play(*last, colour)
        if board.winner():
            return f"won after {len(board.stones())} stones"
    return f"stopped after {len(board.stones())} stones"


def beside(board: Referee, last: Cell) -> Cell:
    """The empty cell nearest to the last stone; of several, the first in reading order."""
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
    """The cells of `7,7 8,8`."""
    pairs = (word.split(",") for word in text.split())
    return [(int(x), int(y)) for x, y in pairs]
