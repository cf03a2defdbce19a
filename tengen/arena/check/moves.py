"""Checks 21 to 36 and 71 to 78: requests for a move, the form of the answers, and how text arrives.

No check asks for a move after a five: no manager does, and the answer would mean nothing. A check
that does not look for a five asks for so few moves that only the last one can make it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.arena.check.conversation import Conversation, Failure, Stone
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import NEITHER, OPPONENT, OWN, REMARKS
from tengen.game.referee import Cell

_EXACT_MOVE = re.compile(r"(0|[1-9]\d*),(0|[1-9]\d*)")
# No manager cuts shorter lines; Piskvork cuts at 8000 bytes.
_MAX_LINE_BYTES = 1000
# Long enough that the other half of a line arrives by itself.
_PAUSE_S = 0.03


@in_game(21, Group.MANDATORY, "BEGIN is answered by a move")
def begin(c: Conversation) -> None:
    """Piskvork, qpiskvork and c-gomoku-cli ask for the first move of a game with it."""
    c.begin()


@in_game(22, Group.MANDATORY, "TURN is answered by a move on an empty cell")
def turn(c: Conversation) -> None:
    """All managers ask for most moves with TURN. The program has to remember all earlier stones,
    its own included."""
    c.begin()
    for _ in range(4):
        c.turn()


@in_game(23, Group.MANDATORY, "TURN as the first command after START")
def turn_first(c: Conversation) -> None:
    """Piskvork sends TURN first when exactly one stone is on the board."""
    for _ in range(3):
        c.turn()


@in_game(24, Group.MANDATORY, "BOARD without a stone")
def board_empty(c: Conversation) -> None:
    """The Gomocup judge opens every game with BOARD and DONE, even on an empty board."""
    c.board([])
    c.turn()


@in_game(25, Group.MANDATORY, "BOARD with one stone")
def board_one(c: Conversation) -> None:
    """The Gomocup judge sends this to the second player, where other managers send TURN."""
    c.board([(7, 7, OPPONENT)])
    c.turn()


@in_game(26, Group.MANDATORY, "BOARD with many stones, own first")
def board_own_first(c: Conversation) -> None:
    """Every manager sets up positions and fixed openings this way. Here the program is the first
    player."""
    c.board(quiet_stones(16))
    c.turn()


@in_game(27, Group.MANDATORY, "BOARD with many stones, the opponent's first")
def board_opponent_first(c: Conversation) -> None:
    """The same for the second player: the opponent has one stone more."""
    c.board(quiet_stones(17))
    c.turn()


@in_game(28, Group.MANDATORY, "BOARD with stones of field 3")
def board_walls(c: Conversation) -> None:
    """In a continuous game Piskvork sends the stones of finished lines as field 3. They belong to
    neither side, but their cells are taken. Here they lie around the centre, where a program that
    ignores them would play."""
    walls = [(x, 7, NEITHER) for x in range(5, 10)]
    c.board([*walls, (6, 6, OWN), (8, 8, OPPONENT)])
    for _ in range(3):
        c.turn()


@in_game(29, Group.MANDATORY, "BOARD replaces the earlier position")
def board_replaces(c: Conversation) -> None:
    """Managers send BOARD after undoing a move, or for every move (c-gomoku-cli if told to). The
    earlier stones are gone, so a TURN may use a cell that was taken."""
    c.board(quiet_stones(17))
    gone = (quiet_stones(17)[0][0], quiet_stones(17)[0][1])
    c.board([(7, 7, OPPONENT)])
    c.turn(None if gone in c.stones else gone)
    c.board(quiet_stones(16))


@in_game(30, Group.MANDATORY, "a move on an almost full board")
def board_almost_full(c: Conversation) -> None:
    """The judge and c-gomoku-cli play until the board is full. With few cells left neither side can
    win, but a move must still come."""
    c.board(full_stones(c.width, empty=6))
    c.turn()
    c.turn()


@in_game(31, Group.MANDATORY, "a move is x,y and nothing else")
def exact_moves(c: Conversation) -> None:
    """Piskvork takes the first line that is not MESSAGE or DEBUG as the move. qpiskvork needs the
    comma as the second or third character, the judge needs two numbers and nothing else. Blanks,
    signs or text around the move fail in one of them."""
    c.request("BEGIN")
    _expect_exact_move(c)
    c.request(c.turn_line())
    _expect_exact_move(c)
    c.request(*c.board_lines(quiet_stones(17)))
    _expect_exact_move(c)


@in_game(32, Group.MANDATORY, "one answer to one request")
def one_answer(c: Conversation) -> None:
    """A manager reads a second line as the answer to its next request. From then on it reads every
    answer one request too early."""
    c.expect_silence(but=REMARKS)
    c.begin()
    c.expect_silence(but=REMARKS)
    c.turn()
    c.expect_silence(but=REMARKS)
    c.board(quiet_stones(16))
    c.expect_silence(but=REMARKS)


@in_game(33, Group.MANDATORY, "only MESSAGE and DEBUG lines come before an answer")
def only_remarks(c: Conversation) -> None:
    """Piskvork takes any other line as the answer, even MESSAGE without a text. SUGGEST is not
    allowed either: only Piskvork knows it, and the judge and c-gomoku-cli go on waiting for a move.
    """
    c.begin()
    c.turn()
    c.board(quiet_stones(17))
    c.expect_silence(but=REMARKS)
    remarks = ("MESSAGE ", "DEBUG ")
    for line in c.process.lines:
        text = line.escaped.strip()
        if not text or text.upper().startswith(remarks):
            continue
        if not re.match(r"OK\b|\d+\s*,\s*\d+", text, re.IGNORECASE):
            raise Failure("MESSAGE text, DEBUG text, OK or a move", repr(line.escaped[:200]))


@in_game(34, Group.MANDATORY, "all lines end alike, are ASCII and not too long")
def clean_lines(c: Conversation) -> str:
    """qpiskvork splits lines at CR LF once it has seen one, otherwise at CR or LF alone. Piskvork
    cuts lines after 8000 bytes. Characters outside ASCII are garbled under another code page."""
    c.begin()
    c.turn()
    # For what may still follow the last move, such as the other half of its line end.
    c.process.wait(c.settings.quiet_s)
    ends = {line.end for line in c.process.lines}
    if len(ends) != 1:
        names = ", ".join(sorted(repr(end.decode()) for end in ends))
        raise Failure("the same line end everywhere", names)
    for line in c.process.lines:
        if not line.raw.isascii():
            raise Failure("ASCII", repr(line.raw[:100]))
        if len(line.raw) > _MAX_LINE_BYTES:
            raise Failure(
                f"lines of at most {_MAX_LINE_BYTES} bytes",
                f"one of {len(line.raw)} bytes: {line.escaped[:60]!r}...",
            )
    return {b"\r\n": "CR LF", b"\n": "LF", b"\r": "CR"}.get(ends.pop(), "")


@in_game(35, Group.MANDATORY, "nothing on the error output")
def no_errors(c: Conversation) -> None:
    """Piskvork reads the error output through the same pipe, and takes its lines as answers."""
    c.send("INFO max_memory 367001600", "INFO game_type 1", "INFO rule 0")
    c.begin()
    c.turn()
    c.board(quiet_stones(16))
    c.send("END")
    c.process.wait(0.7)
    c.process.kill()
    if c.process.error_output:
        text = c.process.error_output.decode("utf-8", "replace")
        raise Failure("nothing on the error output", repr(text[:200]))


@in_game(36, Group.MANDATORY, "an unknown command is answered UNKNOWN, and the game goes on")
def unknown_command(c: Conversation) -> str | None:
    """Managers try optional commands, and do not use them if they are refused. An answer that
    begins with ERROR is a refusal as well; without any answer managers wait."""
    c.begin()
    c.request("NOSUCHCOMMAND 1 2 3")
    expected = "a line beginning with UNKNOWN"
    text = c.expect_line(expected, lambda text: text.split()[0].upper() in ("UNKNOWN", "ERROR"))
    c.turn()
    return None if text.upper().startswith("UNKNOWN") else "answered ERROR"


def opening_stones() -> list[Stone]:
    """A few stones at the beginning of a game, where a program thinks for long. OWN is the second
    player and to move."""
    return [(7, 7, OPPONENT), (8, 8, OWN), (10, 6, OPPONENT)]


def quiet_stones(count: int) -> list[Stone]:
    """A position without threats, the side to move being OWN, in the order of play: the first
    stone is OWN if the count is even. At most 24 stones, fit for 15x15."""
    cells = [(3 + 2 * (i % 5) + (i // 5) % 2, 2 + 2 * (i // 5)) for i in range(24)]
    return stones_in_turn(cells[:count])


def stones_in_turn(cells: Sequence[Cell]) -> list[Stone]:
    """The stones of moves in turn, such that OWN is to move after them."""
    fields = (OWN, OPPONENT) if len(cells) % 2 == 0 else (OPPONENT, OWN)
    return [(x, y, fields[i % 2]) for i, (x, y) in enumerate(cells)]


def full_stones(size: int, empty: int) -> list[Stone]:
    """All cells but a few, with no five in any line, and as many OWN stones as the opponent's or
    one fewer."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    # Pairs that shift by one from row to row: at most two in a row or a diagonal, one below.
    colours = {(x, y): (x + 2 * y) // 2 % 2 for x, y in cells}
    own = [cell for cell in cells if colours[cell] == 0]
    others = [cell for cell in cells if colours[cell] == 1]
    # The last cells of each colour stay empty.
    total = len(cells) - empty
    own, others = own[: total // 2], others[: total - total // 2]
    stones: list[Stone] = []
    for i in range(len(others)):
        if len(others) > len(own):
            stones.append((*others[i], OPPONENT))
            stones += [(*cell, OWN) for cell in own[i : i + 1]]
        else:
            stones.append((*own[i], OWN))
            stones.append((*others[i], OPPONENT))
    return stones


def _expect_exact_move(c: Conversation) -> None:
    text = c.expect_plain("a line x,y", c.turn_s)
    if not _EXACT_MOVE.fullmatch(text):
        raise Failure("a line x,y and nothing else on it", repr(text[:200]))
    x, y = text.split(",")
    c.stones.add((int(x), int(y)))


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
