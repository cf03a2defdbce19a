"""Checks 1 to 13 and 41 to 47: before the first command, START, ABOUT, INFO."""

from __future__ import annotations

import re

from tengen.arena.check.conversation import TOLERANCE_S, Conversation, Failure, Skip, shorten
from tengen.arena.check.moves import opening_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import REMARKS, first_word

# One field of the answer to ABOUT: a key and a quoted value.
_ABOUT_FIELD = re.compile(r'\s*([A-Za-z]+)\s*=\s*"([^"=]*)"\s*')
# How long the check waits for a greeting.
_GREETING_S = 0.4
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


@check(1, Group.MANDATORY, "silent before the first command")
def silent_at_first(c: Conversation) -> None:
    """c-gomoku-cli takes the first line it reads as the answer to ABOUT, Piskvork as the answer to
    START. A greeting is a wrong answer to both."""
    c.expect_silence(max(_GREETING_S, c.settings.quiet_s))


@check(2, Group.MANDATORY, "START is answered by exactly OK")
def start_is_answered(c: Conversation) -> None:
    """Piskvork and c-gomoku-cli compare the whole line with OK: with one more word or blank it is
    another answer. MESSAGE and DEBUG lines may come before it. A start that took longer than an
    answer may take fails here, and in no other check."""
    c.request(f"START {c.knowledge.size}")
    text = c.expect_plain("the line OK")
    slow_s = max(c.elapsed_s, c.knowledge.start_s)
    if slow_s > c.settings.timeout_s:
        raise Failure(f"the line OK within {c.settings.timeout_s:g} s", f"OK after {slow_s:.2f} s")
    if text != "OK":
        raise Failure("the line OK and nothing else on it", repr(text[:200]))


@check(3, Group.MANDATORY, "START 15 or START 20 works")
def standard_size(c: Conversation) -> str:
    """All leagues of Gomocup play on 15x15 or 20x20. A program with neither size can play in none
    of them."""
    refused: list[str] = []
    for size in (15, 20):
        if refused:
            c.again()
        c.request(f"START {size}")
        text = c.expect_line("OK to START 15 or START 20", _is_ok_or_refusal)
        if first_word(text) == "OK":
            return f"{size}x{size}"
        refused.append(repr(text[:100]))
    raise Failure("OK to START 15 or START 20", " and ".join(refused))


@check(4, Group.MANDATORY, "every size: OK or ERROR, and moves on the board")
def every_size(c: Conversation) -> str:
    """Managers offer many sizes (Piskvork 5 to 120, qpiskvork 8 to 25). A program may refuse a
    size, but if it accepts one, its moves must be on that board."""
    refused = []
    for i, size in enumerate(c.settings.sizes):
        if i:
            c.again()
        c.request(f"START {size}")
        text = c.expect_line(f"OK or ERROR to START {size}", _is_ok_or_refusal)
        if first_word(text) != "OK":
            refused.append(f"START {size}: {shorten(text)}")
            continue
        c.clear(size, size)
        c.limit(c.settings.turn_ms)
        c.begin()
        # A stone in the far corner shows whether the program knows where the board ends.
        far = (size - 1, size - 1)
        c.turn(None if far in c.stones else far)
    if refused:
        raise Skip("; ".join(refused))
    return ", ".join(f"{size}x{size}" for size in c.settings.sizes)


@in_game(5, Group.MANDATORY, "START again in the same process")
def start_again(c: Conversation) -> None:
    """c-gomoku-cli plays all its games in one process and sends START before each. START empties
    the board: BEGIN and the same TURN must be possible again."""
    c.begin()
    cell = c.free_cell()
    c.turn(cell)
    for _ in range(2):
        c.start()
        c.begin()
        c.start()
        c.turn(cell)


@check(6, Group.MANDATORY, "START and ABOUT in one piece: both answered, in order", is_burst=True)
def start_and_about(c: Conversation) -> None:
    """qpiskvork writes both without waiting for the first answer."""
    c.request(f"START {c.knowledge.size}", "ABOUT")
    c.expect_ok()
    c.expect_line("a line about the program", _is_plain)


@check(7, Group.MANDATORY, "START, INFO and BEGIN in one piece: OK, then a move", is_burst=True)
def whole_beginning(c: Conversation) -> None:
    """Managers write what they have to say without waiting for each answer, and a busy machine
    gathers the rest. A program that reads and answers in several threads may then answer in another
    order. Where it does, the other checks leave it time after every line."""
    c.request(*beginning(c))
    c.expect_plain_ok()
    c.expect_move(c.settings.turn_ms / 1000)


def beginning(c: Conversation) -> list[str]:
    """The first lines of a game in which the program begins."""
    c.clear(c.knowledge.size, c.knowledge.size)
    return [f"START {c.knowledge.size}", f"INFO timeout_turn {c.settings.turn_ms}", "BEGIN"]


@check(11, Group.MANDATORY, "ABOUT is answered before START")
def about_first(c: Conversation) -> str:
    """c-gomoku-cli sends ABOUT first and waits for a line that is not UNKNOWN, ERROR or MESSAGE.
    Without one it never starts a game."""
    c.request("ABOUT")
    text = c.expect_line("a line about the program", _is_plain)
    c.start()
    c.begin()
    return shorten(text)


@check(12, Group.MANDATORY, 'ABOUT has the form name="...", version="...", ...')
def about_form(c: Conversation) -> None:
    """qpiskvork recognises the line by the word name. c-gomoku-cli reads the values between the
    quotes; an equals sign or a quote inside a value misleads it."""
    c.request("ABOUT")
    text = c.expect_line("a line about the program", _is_plain)
    expected = 'one line of key="value", with commas between, name among the keys'
    keys = []
    rest = text
    while rest:
        found = _ABOUT_FIELD.match(rest)
        if found is None:
            raise Failure(expected, repr(text[:200]))
        keys.append(found[1].lower())
        rest = rest[found.end() :]
        if rest and not rest.startswith(","):
            raise Failure(expected, repr(text[:200]))
        rest = rest[1:]
    if "name" not in keys or len(set(keys)) != len(keys):
        raise Failure(expected, repr(text[:200]))


@in_game(13, Group.MANDATORY, "ABOUT in the middle of a game changes nothing")
def about_between(c: Conversation) -> None:
    """A manager may ask for the name whenever its user wants to see it, not only at the start."""
    c.begin()
    c.request("ABOUT")
    c.expect_line("a line about the program", _is_plain)
    c.turn()


def _is_plain(text: str) -> bool:
    return first_word(text) not in ("OK", "MESSAGE", "DEBUG", "ERROR", "UNKNOWN")


def _is_ok_or_refusal(text: str) -> bool:
    return first_word(text) in ("OK", "ERROR", "UNKNOWN")


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
