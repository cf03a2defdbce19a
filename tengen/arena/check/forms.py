"""Checks 71 to 78: line ends, case, white space, and how text arrives."""

from __future__ import annotations

from tengen.arena.check.conversation import Conversation
from tengen.arena.check.moves import quiet_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.player import REMARKS

# Long enough that the other half of a line arrives by itself.
_PAUSE_S = 0.03


@check(71, Group.MANDATORY, "CR LF ends the lines")
def carriage_returns(c: Conversation) -> None:
    """The protocol prescribes CR LF, and Piskvork and the Gomocup judge send it."""
    c.end = "\r\n"
    _play_a_little(c)


@check(72, Group.MANDATORY, "LF alone ends the lines")
def line_feeds(c: Conversation) -> None:
    """c-gomoku-cli, Yixin-Board and the judge's local runner end their lines with LF."""
    c.end = "\n"
    _play_a_little(c)


@check(73, Group.MANDATORY, "a block with LF inside and CR LF at its end")
def mixed_line_ends(c: Conversation) -> None:
    """qpiskvork ends the lines inside a BOARD block with LF and all other lines with CR LF."""
    c.end = "\r\n"
    c.start()
    for count in (16, 17):
        *body, done = c.board_lines(quiet_stones(count))
        c.process.discard_unread()
        c.send_text("\n".join(body) + "\n" + done + "\r\n")
        c.expect_move()
        c.turn()


@in_game(74, Group.OPTIONAL, "lower-case commands, upper-case keys")
def other_case(c: Conversation) -> None:
    """Yixin-Board writes everything in lower case, the web front ends write the keys of INFO in
    upper case."""
    c.request(f"start {c.knowledge.size}")
    c.expect_ok()
    c.clear()
    c.request(f"info timeout_turn {c.settings.turn_ms}", "INFO RULE 0", "INFO TIME_LEFT 180000")
    c.expect_silence()
    c.request("begin")
    c.expect_move()
    c.request(c.turn_line().lower())
    c.expect_move()
    c.request(*(line.lower() for line in c.board_lines(quiet_stones(17))))
    c.expect_move()


@in_game(75, Group.OPTIONAL, "blanks and tabs before, between and after the words")
def white_space(c: Conversation) -> None:
    """No manager sends them, but scripts are written by hand. A program that compares the beginning
    of a line takes a leading blank for an unknown command."""
    c.request(f"  START\t{c.knowledge.size}  ")
    c.expect_ok()
    c.clear()
    c.request(f"\tINFO   timeout_turn \t{c.settings.turn_ms} ")
    c.expect_silence()
    x, y = c.free_cell()
    c.stones.add((x, y))
    c.request(f" TURN   {x} ,\t{y} ")
    c.expect_move()
    block = c.board_lines(quiet_stones(17))
    c.request(*(f" {line.replace(',', ' , ')}\t" for line in block))
    c.expect_move()


@in_game(76, Group.MANDATORY, "empty lines are ignored")
def empty_lines(c: Conversation) -> None:
    """A program or a pipe that takes both CR and LF as line ends reads an empty line after each
    line that ends in CR LF."""
    c.request("", "BEGIN", "")
    c.expect_move()
    c.request("", "")
    c.expect_silence(but=REMARKS)
    c.request("", c.turn_line(), "")
    c.expect_move()


@in_game(77, Group.MANDATORY, "many lines in one piece", is_burst=True)
def all_at_once(c: Conversation) -> None:
    """The Gomocup judge writes START, its INFO lines and the first request without waiting for an
    answer. A program that clears its input buffer, or reads only the first line of it, loses
    commands."""
    c.request(
        f"START {c.knowledge.size}",
        f"INFO timeout_turn {c.settings.turn_ms}",
        "INFO timeout_match 180000",
        "INFO time_left 180000",
        *c.board_lines(quiet_stones(17)),
    )
    c.expect_ok()
    c.expect_move()


@in_game(78, Group.MANDATORY, "one line in several pieces")
def in_pieces(c: Conversation) -> None:
    """A pipe carries bytes, not lines: when the manager's buffer is full, the line is cut and the
    rest comes later."""
    x, y = c.free_cell()
    c.process.discard_unread()
    for piece in ("TU", f"RN {x}", f",{y}", c.end):
        c.send_text(piece)
        c.process.wait(_PAUSE_S)
    c.stones.add((x, y))
    c.expect_move()


def _play_a_little(c: Conversation) -> None:
    c.start()
    c.begin()
    c.turn()
    c.send("INFO time_left 180000")
    c.board(quiet_stones(17))
    c.turn()
    c.start()
    c.board([])
