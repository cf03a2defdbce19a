"""Checks 51 to 56: time for a move and for a game.

A move is late when a manager would call it late: Piskvork and the Gomocup judge allow one second
over the limit. A smaller excess costs the program its own time, and is noted.
"""

from __future__ import annotations

from tengen.arena.check.conversation import TOLERANCE_S, Conversation, Failure
from tengen.arena.check.games import beside, block_five
from tengen.arena.check.moves import opening_stones, quiet_stones
from tengen.arena.check.registry import Group, in_game
from tengen.game.record.numbers import counted
from tengen.game.rules.referee import BLACK, FREESTYLE, WHITE, Referee

_MATCH_MS = 2000
_MATCH_MOVES = 12


@in_game(51, Group.MANDATORY, "timeout_turn is kept")
def turn_limit(c: Conversation) -> str:
    """Every manager that has a clock ends the game when a move is late."""
    c.send("INFO timeout_match 180000", "INFO time_left 180000")
    slowest_s = 0.0
    c.request(*c.board_lines(opening_stones()))
    for i in range(4):
        if i:
            c.request(c.turn_line())
        c.expect_move_in(c.settings.turn_ms / 1000)
        slowest_s = max(slowest_s, c.elapsed_s)
    return f"slowest {slowest_s:.3f} s of {c.settings.turn_ms / 1000:.3f} s"


@in_game(52, Group.MANDATORY, "timeout_turn 0: a move at once", turn_ms=0)
def turn_limit_zero(c: Conversation) -> str:
    """0 means "as fast as possible", not "without a limit". For the judge it is a limit like any
    other, with one second of tolerance."""
    c.request(*c.board_lines(quiet_stones(17)))
    c.expect_move_in(0.0)
    slowest_s = c.elapsed_s
    c.request(c.turn_line())
    c.expect_move_in(0.0)
    return f"slowest {max(slowest_s, c.elapsed_s):.3f} s"


@in_game(
    53, Group.MANDATORY, "a small time_left is kept, whatever timeout_turn says", turn_ms=60_000
)
def small_time_left(c: Conversation) -> str:
    """The limit of a move is the smaller of timeout_turn and time_left. At the end of a long game
    that is time_left."""
    c.send("INFO timeout_match 180000", "INFO time_left 200")
    c.request(*c.board_lines(opening_stones()))
    c.expect_move_in(0.2)
    return f"took {c.elapsed_s:.3f} s of 0.200 s"


@in_game(54, Group.MANDATORY, "time_left of zero and less", turn_ms=60_000)
def no_time_left(c: Conversation) -> None:
    """The clock can run out within the tolerance; the next time_left is then zero or negative. The
    program must still move, at once."""
    c.send("INFO timeout_match 180000")
    c.request("INFO time_left 0", *c.board_lines(quiet_stones(17)))
    c.expect_move_in(0.0)
    c.request("INFO time_left -250", c.turn_line())
    c.expect_move_in(0.0)


@in_game(55, Group.MANDATORY, "the time for a game is kept, move after move", turn_ms=_MATCH_MS)
def match_clock(c: Conversation) -> str:
    """All managers measure the time of a game and send what is left before each move. A program
    that divides it badly has none left for the last moves, and loses on time."""
    c.send(f"INFO timeout_match {_MATCH_MS}")
    board = Referee(c.width, c.height, FREESTYLE)
    left_s = _MATCH_MS / 1000
    request = "BEGIN"
    for move in range(1, _MATCH_MOVES + 1):
        c.request(f"INFO time_left {int(left_s * 1000)}", request)
        x, y = c.expect_move_in(max(0.0, left_s))
        left_s -= c.elapsed_s
        if left_s < -TOLERANCE_S:
            raise Failure(
                f"{_MATCH_MOVES} moves in {_MATCH_MS / 1000:g} s and {TOLERANCE_S:g} s tolerance",
                f"{-left_s:.2f} s too many after {counted(move, 'move')}",
            )
        board.play(x, y, BLACK)
        if board.winner():
            break
        reply = block_five(board, BLACK) or beside(board, (x, y))
        board.play(*reply, WHITE)
        if board.winner():
            break
        request = c.turn_line(reply)
    return f"{left_s:.2f} s left of {_MATCH_MS / 1000:g} s after {counted(move, 'move')}"


@in_game(56, Group.MANDATORY, "a limit that changes between moves", turn_ms=60_000)
def changing_limit(c: Conversation) -> None:
    """Piskvork sends timeout_turn 0 when its user wants a move at once, and the earlier value again
    before the next move."""
    c.send("INFO timeout_turn 0")
    c.request(*c.board_lines(quiet_stones(17)))
    c.expect_move_in(0.0)
    c.limit(200)
    c.request(c.turn_line())
    c.expect_move_in(0.2)
    c.send("INFO timeout_turn 0")
    c.request(c.turn_line())
    c.expect_move_in(0.0)
