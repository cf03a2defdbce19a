"""Checks 91 to 97: whole games, and positions under each rule."""

from __future__ import annotations

import time

from engine.text import RULE_NAMES, point_name
from tengen.arena.check.conversation import Conversation, Failure, Skip
from tengen.arena.check.leagues import POSITIONS, SanityPosition, judge_move, set_up
from tengen.arena.check.moves import stones_in_turn
from tengen.arena.check.registry import Group, check
from tengen.game.record.numbers import counted
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
    def script(c: Conversation) -> None:
        _play_rule(c, rule)

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


def _play_rule(c: Conversation, rule: int) -> None:
    if rule not in c.settings.rules:
        raise Skip("not among --rules")
    if c.knowledge.size < 15:
        raise Skip("the positions need a board of 15x15")
    for position in POSITIONS:
        if rule in position.rules:
            _ask(c, rule, position)


def _ask(c: Conversation, rule: int, position: SanityPosition) -> None:
    """Sends a position and judges the move."""
    c.start()
    c.rule(rule)
    c.board(stones_in_turn(position.cells))
    (move,) = c.stones - set(position.cells)
    board, colour = set_up(position, c.width, rule)
    if fault := judge_move(board, move, colour) or position.judge(board, move, colour):
        name = point_name(move, c.height)
        expected = f"{position.expected} under rule {rule}"
        if rule != FREESTYLE:
            expected += " (--rules leaves out rules that a program does not play)"
        raise Failure(expected, f"{name}, {fault}")


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
            return f"lost after {counted(len(board.stones()), 'stone')}"
        last = c.turn(reply)
        # `expect_move` has checked that the cell is empty; the referee checks it independently.
        if not board.legal(*last):
            raise Failure("a legal move", point_name(last, size))
        board.play(*last, colour)
        if board.winner():
            return f"won after {counted(len(board.stones()), 'stone')}"
    return f"stopped after {counted(len(board.stones()), 'stone')}"


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
