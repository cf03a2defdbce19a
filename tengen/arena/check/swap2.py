"""Checks 105 to 107 and 116 to 118: SWAP2BOARD."""

from __future__ import annotations

import re

from tengen.arena.check.conversation import Conversation, Failure
from tengen.arena.check.moves import quiet_stones
from tengen.arena.check.registry import Group, check
from tengen.arena.programs.player import OPPONENT, OWN, REMARKS
from tengen.game.rules.referee import Cell

_PAIR = re.compile(r"(\d+),(\d+)")
_THREE = [(7, 7), (8, 8), (5, 9)]
_FIVE = [*_THREE, (4, 4), (10, 3)]


@check(105, Group.OPTIONAL, "SWAP2BOARD with no stone: three moves")
def place(c: Conversation) -> None:
    """The judge asks the first player of a swap2 game to place black, white, black."""
    _start(c)
    _ask(c, [], counts=(3,), may_swap=False)


@check(106, Group.OPTIONAL, "SWAP2BOARD with three stones: SWAP, one move or two")
def choose(c: Conversation) -> None:
    """The judge asks the second player to take black, to stay white and move, or to place two
    more stones."""
    _start(c)
    _ask(c, _THREE, counts=(1, 2), may_swap=True)


@check(107, Group.OPTIONAL, "SWAP2BOARD with five stones: SWAP or one move")
def choose_again(c: Conversation) -> None:
    """The judge asks the first player again after two more stones. Then the game goes on with
    BOARD."""
    _start(c)
    _ask(c, _FIVE, counts=(1,), may_swap=True)
    c.board(quiet_stones(6))


@check(116, Group.OPTIONAL, "SWAP2BOARD with four stones or a wrong line: one ERROR")
def impossible(c: Conversation) -> None:
    """Each request has one answer, also when its body is wrong. A program that answers line by line
    is read one request too early from then on."""
    _start(c)
    _ask(c, [], counts=(3,), may_swap=False)
    for body in (["7,7", "8,8", "9,7", "8,6"], ["7,7", "rubbish", "8,8"], ["7,7", "8,8", "7,7"]):
        c.request("SWAP2BOARD", *body, "DONE")
        c.expect_refusal("SWAP2BOARD", max(c.turn_s, 1.0))
        c.expect_silence(but=REMARKS)
    c.board(quiet_stones(6))


@check(117, Group.OPTIONAL, "SWAP2BOARD keeps the limit of a move")
def limit(c: Conversation) -> str:
    """The judge charges the time for the answer like that for a move. A program that searches the
    opening at its leisure loses before the first move."""
    longest_s = 0.0
    for stones, counts in (([], (3,)), (_THREE, (1, 2)), (_FIVE, (1,))):
        _start(c)
        _ask(c, stones, counts=counts, may_swap=bool(stones))
        longest_s = max(longest_s, c.elapsed_s)
        c.check_time(c.turn_s, "an answer")
    return f"{longest_s:.3f} s"


@check(118, Group.OPTIONAL, "swap2 games as the Gomocup judge conducts them")
def games(c: Conversation) -> None:
    """One program asks and answers itself: what it places it has to judge. After the answers the
    game goes on with BOARD, for either colour, and TURN."""
    _start(c)
    stones = _ask(c, [], counts=(3,), may_swap=False)
    _start(c)
    added = _ask(c, stones, counts=(1, 2), may_swap=True)
    if len(added) == 2:
        stones = [*stones, *added]
        _start(c)
        added = _ask(c, stones, counts=(1,), may_swap=True)
    stones = [*stones, *added]
    own = len(stones) % 2
    fields = [(x, y, OWN if i % 2 == own else OPPONENT) for i, (x, y) in enumerate(stones)]
    c.send("INFO time_left 179000")
    c.board(fields)
    c.send("INFO time_left 178900")
    c.turn()


def _start(c: Conversation) -> None:
    c.start()
    c.rule(1)


def _ask(
    c: Conversation, stones: list[Cell], *, counts: tuple[int, ...], may_swap: bool
) -> list[Cell]:
    """The stones that answer SWAP2BOARD, none for SWAP. Skip for ERROR or UNKNOWN, Failure for any
    other answer that is not allowed."""
    c.request("INFO time_left 180000", "SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE")
    text = c.expect_plain("the answer to SWAP2BOARD", max(c.turn_s, 1.0))
    c.skip_if_refused("SWAP2BOARD", text)
    if may_swap and text == "SWAP":
        return []
    words = text.split(" ")
    cells = [(int(m[1]), int(m[2])) for word in words if (m := _PAIR.fullmatch(word))]
    on_board = all(x < c.width and y < c.height for x, y in cells)
    distinct = len({*cells, *stones}) == len(cells) + len(stones)
    if not (len(cells) == len(words) and len(cells) in counts and on_board and distinct):
        numbers = " or ".join(str(count) for count in counts)
        expected = f"{numbers} moves x,y on empty cells" + (", or SWAP" if may_swap else "")
        raise Failure(expected, repr(text[:200]))
    return cells
