"""Checks 51 to 67: time for a move and for a game, and how a program exits.

A move is late when a manager would call it late: Piskvork and the Gomocup judge allow one second
over the limit. A smaller excess costs the program its own time, and is noted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import psutil

from tengen.arena.check.conversation import TOLERANCE_S, Conversation, Failure
from tengen.arena.check.games import beside, block_five
from tengen.arena.check.moves import opening_stones, quiet_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import REMARKS, first_word
from tengen.arena.programs.watchdog import is_running
from tengen.game.record.numbers import counted
from tengen.game.referee import BLACK, FREESTYLE, WHITE, Referee

_MATCH_MS = 2000
_MATCH_MOVES = 12
# Piskvork kills after 0.7 s, the Gomocup judge after 0.5 s.
_PISKVORK_KILLS_S = 0.7
_JUDGE_KILLS_S = 0.5
# After the end of the input no manager measures the time, but the process must end soon.
AFTER_INPUT_S = 2.0
# A process is gone from the system's list a moment after it has ended.
_GONE_S = 1.0
# A MESSAGE or DEBUG line that was written before END arrived does not count.
_UNDER_WAY_S = 0.05


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


@in_game(61, Group.MANDATORY, "END: exits within 0.7 s and prints nothing more")
def end(c: Conversation) -> str:
    """The judge kills the program after 0.5 s, Piskvork after 0.7 s, and its temporary files stay
    behind. c-gomoku-cli waits without a limit on Unix, so a program that does not exit stops the
    whole run."""
    c.begin()
    return _end_now(c)


@in_game(62, Group.MANDATORY, "END right after START, and as the first command")
def end_early(c: Conversation) -> str:
    """Piskvork ends a process that it has just started when its user cancels the game."""
    said = _end_now(c)
    c.again()
    c.send("END")
    c.expect_exit(c.settings.timeout_s)
    return said


@in_game(63, Group.MANDATORY, "END while it thinks", turn_ms=30_000)
def end_while_thinking(c: Conversation) -> str:
    """Undo and New in Piskvork's menu send END during a search. The search must stop before its
    limit, and print no move."""
    c.request(*c.board_lines(opening_stones()))
    c.process.wait(0.2)
    return _end_now(c, under_way_s=_UNDER_WAY_S)


@in_game(64, Group.MANDATORY, "END and the end of the input at once")
def end_and_close(c: Conversation) -> str:
    """Piskvork closes the pipe right after END."""
    c.begin()
    return _end_now(c, close=True)


@in_game(65, Group.MANDATORY, "the end of the input without END")
def end_of_input(c: Conversation) -> None:
    """A manager that crashes or is killed sends nothing more. A program that does not notice stays
    in memory and may keep a processor busy."""
    c.begin()
    c.process.close_input()
    c.expect_exit(AFTER_INPUT_S)


@check(66, Group.MANDATORY, "the end of the input before any command")
def end_of_nothing(c: Conversation) -> None:
    """The same for a program that was only started."""
    c.process.close_input()
    c.expect_exit(c.settings.timeout_s)


@in_game(67, Group.MANDATORY, "no process is left behind")
def nothing_left(c: Conversation) -> None:
    """Managers know the process they have started, but not its children. Children that stay take
    processor time from the next game."""
    c.begin()
    helpers = c.process.children()
    c.send("END")
    expect_gone(c, _PISKVORK_KILLS_S, helpers)


def expect_gone(c: Conversation, within_s: float, helpers: Sequence[psutil.Process] = ()) -> str:
    """Expects the end of the process, and of the helpers and all else that it has started; returns
    how long its own took."""
    took_s = c.expect_exit(within_s)
    deadline = time.perf_counter() + _GONE_S
    while left := [*filter(is_running, helpers)] or c.process.stragglers():
        if time.perf_counter() >= deadline:
            names = ", ".join(f"process {process.pid}" for process in left)
            raise Failure("no process of the program", names)
        time.sleep(0.02)
    return f"{took_s:.2f} s"


def _end_now(c: Conversation, *, close: bool = False, under_way_s: float = 0.0) -> str:
    """Sends END and expects what managers expect; returns how long the exit took."""
    c.process.discard_unread()
    c.send("END")
    if close:
        c.process.close_input()
    took_s = c.expect_exit(_PISKVORK_KILLS_S)
    for line in c.rest_of_output():
        is_remark = first_word(line.escaped) in REMARKS
        if not (is_remark and line.read_at < c.asked_at + under_way_s):
            raise Failure("nothing after END", repr(line.escaped[:200]))
    late = ", later than the judge waits" if took_s > _JUDGE_KILLS_S else ""
    return f"{took_s:.3f} s{late}"
