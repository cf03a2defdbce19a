"""Checks 61 to 67: how a program exits."""

from __future__ import annotations

import time
from collections.abc import Sequence

import psutil

from tengen.arena.check.conversation import Conversation, Failure
from tengen.arena.check.moves import opening_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.player import REMARKS, first_word
from tengen.arena.programs.watchdog import is_running

# Piskvork kills after 0.7 s, the Gomocup judge after 0.5 s.
_PISKVORK_KILLS_S = 0.7
_JUDGE_KILLS_S = 0.5
# After the end of the input no manager measures the time, but the process must end soon.
_AFTER_INPUT_S = 2.0
# A process is gone from the system's list a moment after it has ended.
_GONE_S = 1.0
# A MESSAGE or DEBUG line that was written before END arrived does not count.
_UNDER_WAY_S = 0.05


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
    c.expect_exit(_AFTER_INPUT_S)


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
    c.expect_exit(_PISKVORK_KILLS_S)
    expect_gone(c, helpers)


def expect_gone(c: Conversation, helpers: Sequence[psutil.Process] = ()) -> None:
    """Failure if any of the helpers, or of what else a program that has ended had started, is still
    there."""
    deadline = time.perf_counter() + _GONE_S
    while left := [*filter(is_running, helpers)] or c.process.stragglers():
        if time.perf_counter() >= deadline:
            names = ", ".join(f"process {process.pid}" for process in left)
            raise Failure("no process of the program", names)
        time.sleep(0.02)


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
