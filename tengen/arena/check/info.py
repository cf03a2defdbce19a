"""Checks 41 to 47: INFO."""

from __future__ import annotations

from tengen.arena.check.conversation import TOLERANCE_S, Conversation
from tengen.arena.check.moves import opening_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.player import REMARKS

# What managers send, with the values they send.
_USUAL = (
    "INFO max_memory 367001600",
    "INFO timeout_match 180000",
    "INFO timeout_turn 100",
    "INFO game_type 1",
    "INFO rule 0",
    "INFO time_left 180000",
    "INFO folder .",
)
_UNHEARD_OF = (
    "INFO no_such_key 17",
    "INFO no_such_key",
    "INFO thread_split_depth 8",
    "INFO max_node -1",
    "INFO evaluate 3,4",
    "INFO folder C:\\Documents and Settings\\All Users\\Piskvorky's AI's",
    "INFO folder /a path/with blanks/START 15",
)


@in_game(41, Group.MANDATORY, "INFO gets no answer")
def info_is_silent(c: Conversation) -> None:
    """No manager expects an answer to INFO. Piskvork takes a line printed then as the answer to its
    next request."""
    c.request(*_USUAL)
    c.expect_silence()
    c.begin()


@check(42, Group.MANDATORY, "INFO before START")
def info_before_start(c: Conversation) -> None:
    """Yixin-Board and the web front ends send their settings before START. Only START is answered,
    and the settings stay in force."""
    # A program may still be starting: what it has to say to INFO comes before its OK then.
    c.send(*_USUAL, f"START {c.knowledge.size}")
    c.expect_plain_ok()
    c.clear()
    c.begin()
    c.turn()


@in_game(43, Group.MANDATORY, "INFO between moves")
def info_between(c: Conversation) -> None:
    """time_left comes before every move, and Piskvork sends a changed option at once. The program
    must print nothing, and the game goes on."""
    c.send(*_USUAL)
    c.begin()
    for left_ms in (179900, 179800):
        c.request("INFO timeout_turn 90", f"INFO time_left {left_ms}")
        c.expect_silence()
        c.turn()
    c.send("INFO time_left 2147483647", "INFO max_memory 2147483647")
    c.turn()


@in_game(44, Group.MANDATORY, "INFO with unknown keys, or with blanks in the value")
def info_unknown(c: Conversation) -> None:
    """New keys are added over the years, and each manager has keys of its own. The value of folder
    is the rest of the line: a program that reads it word by word takes a part of it as a command.
    """
    c.request(*_UNHEARD_OF)
    c.expect_silence()
    c.begin()
    c.send(*_UNHEARD_OF)
    c.turn()


@in_game(45, Group.MANDATORY, "INFO while it thinks", turn_ms=400)
def info_while_thinking(c: Conversation) -> None:
    """Piskvork sends INFO during a search when its user changes an option. The move must still
    come, and nothing else."""
    c.request(*c.board_lines(opening_stones()))
    c.process.wait(0.05)
    c.send("INFO game_type 0", "INFO max_memory 367001600")
    c.expect_move()
    c.expect_silence(but=REMARKS)
    c.limit(c.settings.turn_ms)
    c.turn()


@in_game(46, Group.MANDATORY, "INFO evaluate in bursts", is_burst=True)
def info_burst(c: Conversation) -> None:
    """Piskvork sends INFO evaluate for every movement of the mouse over the board while its user
    thinks."""
    c.begin()
    c.request(*(f"INFO evaluate {i % 15},{i // 15}" for i in range(200)))
    c.expect_silence()
    c.turn()


@check(47, Group.MANDATORY, "a move without any limit sent")
def no_info_at_all(c: Conversation) -> None:
    """A script may send START and BEGIN and nothing else. A program that waits for its limits, or
    thinks without end, looks dead. The default of the protocol is 30 seconds a move, and END must
    end the search earlier: here either the move or the exit after END has to come."""
    c.request(f"START {c.knowledge.size}")
    c.expect_ok()
    c.send("BEGIN")
    line = c.process.next_line(c.asked_at + TOLERANCE_S)
    if line is None:
        c.send("END")
        c.expect_exit(TOLERANCE_S)
