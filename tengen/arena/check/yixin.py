"""Checks 201 to 223: the dialect of Yixin-Board and the web front ends.

Yixin-Board takes every line that it does not know as a move, so its commands must be answered in
its own form or not at all. UNKNOWN only fills its log, and skips the check.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable

from tengen.arena.check.conversation import TOLERANCE_S, Conversation, Failure, Skip, Stone
from tengen.arena.check.moves import full_stones, opening_stones, quiet_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import OPPONENT, OWN, first_word
from tengen.game.record.numbers import counted

# The lines that Yixin-Board does not take as a move.
_LOGGED = ("MESSAGE", "DEBUG", "DETAIL", "DATABASE", "INFO", "FORBID", "ERROR", "UNKNOWN")
# Long enough for most programs to have started.
_START_S = 0.4
_START_WORDS = (
    "info timeout_turn 100",
    "info timeout_match 100000",
    "info time_left 100000",
    "info max_node -1",
    "info max_depth 100",
    "info time_increment 0",
    "info caution_factor 1",
    "info thread_num 1",
    "info hash_size 65536",
    "info pondering 0",
    "info vcthread 0",
    "info rule 0",
    "info usedatabase 0",
    "info nbestsym 0",
    "info start_depth 0",
    "info checkmate 0",
    "info database_readonly 1",
)
_ANALYSIS_KEYS = (
    *("max_depth", "max_node", "thread_num", "hash_size", "caution_factor", "strength"),
    *("time_increment", "pondering", "show_detail", "start_depth", "nbestsym", "checkmate"),
)
# Four black stones of a cross with open arms: its empty centre is a double three.
_CROSS = ((6, 7, OWN), (8, 7, OWN), (7, 6, OWN), (7, 8, OWN))
_CORNERS = ((0, 0, OPPONENT), (14, 0, OPPONENT), (0, 14, OPPONENT), (14, 14, OPPONENT))
_FORBID = re.compile(r"FORBID\s+((?:\d{4})*)\.", re.IGNORECASE)


@check(201, Group.YIXIN, "Yixin-Board's first commands")
def first_words(c: Conversation) -> None:
    """Yixin-Board asks for the program's capabilities and sends all its settings before START, in
    lower case. Only lines that it does not take as a move may come back."""
    c.request("info show_detail 1", "yxshowinfo", *_START_WORDS)
    c.expect_silence(max(c.settings.quiet_s, _START_S), but=_LOGGED)
    # A program that is still starting answers later: what comes before OK belongs to the answer.
    c.send(f"start {c.knowledge.size}")
    c.expect_plain_ok(but=_LOGGED)
    c.turn_s = 0.1
    c.request("begin")
    c.expect_move()


@check(202, Group.YIXIN, "yxshowinfo prints the limits of threads and memory")
def show_info(c: Conversation) -> str:
    """Yixin-Board offers its user as many threads and as much memory as MESSAGE INFO
    MAX_THREAD_NUM and MAX_HASH_SIZE say."""
    c.request("yxshowinfo")
    found = _lines_of(c, 4 * _START_S, until="MAX_HASH_SIZE")
    wanted = ("MESSAGE INFO MAX_THREAD_NUM", "MESSAGE INFO MAX_HASH_SIZE")
    told = [text for text in found if " ".join(text.upper().split()).startswith(wanted)]
    if not told:
        raise Skip("yxshowinfo has no answer")
    return "; ".join(text.split(" ", 2)[2] for text in told)


@in_game(203, Group.YIXIN, "start with two numbers")
def start_twice(c: Conversation) -> None:
    """The original Yixin-Board sends width and height even for a square board."""
    size = c.knowledge.size
    c.request(f"start {size} {size}")
    c.expect_ok()
    c.clear(size, size)
    c.begin()


@in_game(204, Group.YIXIN, "a search in lower case: yxhashclear, start, board, done")
def search(c: Conversation) -> None:
    """Each search of Yixin-Board begins like this; yxhashclear has no answer."""
    c.request("INFO time_left 100000", "yxhashclear")
    c.expect_silence(but=_LOGGED)
    c.start()
    c.request(*(line.lower() for line in c.board_lines(quiet_stones(17))))
    c.expect_move()
    c.send("INFO time_left 99000")
    c.request(c.turn_line().lower())
    c.expect_move()
    c.expect_silence(but=_LOGGED)


@in_game(205, Group.YIXIN, "yxboard sets up a position and prints nothing")
def set_up(c: Conversation) -> None:
    """yxboard is BOARD without a search. A move printed here is taken as the answer to the next
    command."""
    _set_up(c)
    c.expect_silence(max(c.turn_s * 2, c.settings.quiet_s), but=_LOGGED)


@in_game(206, Group.YIXIN, "yxstop without a search: nothing")
def stop_idle(c: Conversation) -> None:
    """Yixin-Board sends yxstop as a precaution, and c-gomoku-cli when a line comes late. A move
    printed now would answer no request."""
    c.begin()
    c.request("yxstop", "YXSTOP")
    c.expect_silence(but=_LOGGED)
    c.turn()


@in_game(207, Group.YIXIN, "yxstop in a search: one move, at once")
def stop_search(c: Conversation) -> str:
    """Yixin-Board discards exactly one move after yxstop. It sends the times used here when there
    is no limit."""
    c.send("info timeout_turn 2000000", "info timeout_match 100000000", "info time_left 100000000")
    c.request(*c.board_lines(opening_stones()))
    c.process.wait(0.3)
    c.send("yxstop")
    c.expect_move_in(0.0)
    took = c.elapsed_s
    c.expect_silence(but=_LOGGED)
    return f"{took:.3f} s"


@in_game(208, Group.YIXIN, "yxshowforbid prints the forbidden points")
def show_forbidden(c: Conversation) -> str:
    """Yixin-Board and the web front ends mark these points on the board. Each number has two
    digits, and a full stop ends the list. Renju is rule 2 in this dialect. Here the only forbidden
    point is the centre of the board."""
    c.rule(2)
    c.send("yxshowinfo")
    found = _forbidden(c, (*_CROSS, *_CORNERS), "yxshowforbid")
    if not found:
        raise Skip("yxshowforbid has no answer")
    match = _FORBID.fullmatch(found[0].strip())
    if match is None or match[1] != "0707":
        raise Failure("FORBID 0707.", repr(found[0][:200]))
    return found[0]


@check(209, Group.YIXIN, "yxnbest: a search with one move at its end")
def n_best(c: Conversation) -> None:
    """Front ends analyse a position with yxboard and then yxnbest with the number of lines wanted.
    The search ends with one move like any other."""
    _analyse(c, "yxnbest 2")


@check(210, Group.YIXIN, "yxbalanceone: one move that balances")
def balance(c: Conversation) -> None:
    """The web front ends look for balanced openings with it."""
    _analyse(c, "yxbalanceone 0")


@in_game(211, Group.YIXIN, "an unknown yx word gets no answer")
def unknown_word(c: Conversation) -> None:
    """The dialect grows with every version. A program must print nothing for words that it does not
    know, nor for the lines that belong to them, and must keep the position."""
    c.begin()
    c.request("yxnosuchword 1 2 3", "yxnosuchblock", "1,2", "3,4", "done")
    c.expect_silence(max(c.turn_s * 2, c.settings.quiet_s), but=_LOGGED)
    c.turn()


@in_game(212, Group.YIXIN, "BOARD and its stones on one line")
def one_line(c: Conversation) -> None:
    """The web front ends send a whole block on one line."""
    c.request(" ".join(c.board_lines(quiet_stones(17))))
    c.expect_move()
    c.request("BOARD DONE")
    c.clear()
    c.expect_move()


@in_game(213, Group.YIXIN, "max_depth and max_node end a search", turn_ms=8_000)
def search_limits(c: Conversation) -> str:
    """Front ends limit analysis by depth or nodes and leave the time open."""
    longest = 0.0
    for limit, undo in (("max_depth 2", "max_depth 100"), ("max_node 1000", "max_node -1")):
        c.send(f"INFO {limit}")
        c.request(*c.board_lines(quiet_stones(17)))
        c.expect_move(8.0)
        if c.elapsed_s > 4.0:
            raise Skip(f"INFO {limit} has no effect")
        longest = max(longest, c.elapsed_s)
        c.send(f"INFO {undo}")
    return f"longest {longest:.3f} s"


@in_game(214, Group.YIXIN, "squares as row,col: one order in all that is sent and printed")
def rows_first(c: Conversation) -> None:
    """Yixin-Board writes the row of a square before its column, in both directions."""
    _expect_one_order(c, "info show_detail 1", "yxshowinfo", is_row_first=True)


@in_game(215, Group.YIXIN, "squares as x,y: one order in all that is sent and printed")
def columns_first(c: Conversation) -> None:
    """The web front ends write squares as the protocol does, and their words in upper case."""
    _expect_one_order(c, "YXSHOWINFO", "INFO SHOW_DETAIL 1", is_row_first=False)


@in_game(216, Group.YIXIN, "show_detail 2 or 3: every line with its values")
def details(c: Conversation) -> str:
    """The web front ends and the newer Yixin-Board show a table of lines. They read it from blocks:
    INFO PV with its number, then INFO DEPTH, EVAL, BESTLINE and others, then INFO PV DONE."""
    c.request("YXSHOWINFO", "INFO SHOW_DETAIL 3")
    c.expect_silence(but=_LOGGED)
    _set_up(c)
    c.expect_silence(but=_LOGGED)
    c.request("YXNBEST 2")
    lines = [" ".join(text.upper().split()) for text in _lines_of(c, c.turn_s + TOLERANCE_S)]
    told = [text for text in lines if first_word(text) == "INFO"]
    if not told:
        raise Skip("no INFO lines")
    wanted = ("NUMPV", "DEPTH", "EVAL", "BESTLINE")
    blocks = _blocks(told)
    if not blocks or any(not all(key in block for key in wanted) for block in blocks):
        raise Failure(
            f"blocks of INFO lines with {', '.join(wanted)}", repr(" | ".join(told)[:200])
        )
    return f"{len(blocks)} blocks"


@in_game(217, Group.YIXIN, "REALTIME lines name the best move while it thinks")
def realtime(c: Conversation) -> str:
    """Front ends mark the best move on the board: MESSAGE REALTIME BEST. The last is the move."""
    c.send("YXSHOWINFO", "INFO SHOW_DETAIL 1")
    c.request(*c.board_lines(quiet_stones(17)))
    lines = _lines_of(c, c.turn_s + TOLERANCE_S)
    marks = [text.split()[-1] for text in lines if text.upper().startswith("MESSAGE REALTIME BEST")]
    if not marks:
        raise Skip("no REALTIME lines")
    moves = [text for text in lines if re.fullmatch(r"\d+,\d+", text)]
    if moves != marks[-1:]:
        raise Failure(f"the move {marks[-1]}, named last by REALTIME BEST", repr(moves))
    return f"{len(marks)} marks"


@in_game(218, Group.YIXIN, "yxdraw and yxresign")
def draw_and_resign(c: Conversation) -> str:
    """Yixin-Board offers a draw with yxdraw and reads MESSAGE DRAW ACCEPT or REJECT; it tells with
    yxresign that its user has given up, which has no answer."""
    c.begin()
    c.request("yxdraw")
    c.expect_silence(but=_LOGGED)
    said = [" ".join(line.escaped.upper().split()) for line in c.process.lines]
    found = [text for text in said if text.startswith("MESSAGE DRAW")]
    if not found:
        raise Skip("yxdraw has no answer")
    if found not in (["MESSAGE DRAW ACCEPT"], ["MESSAGE DRAW REJECT"]):
        raise Failure("MESSAGE DRAW ACCEPT or MESSAGE DRAW REJECT", repr(found))
    c.request("yxresign")
    c.expect_silence(but=_LOGGED)
    c.turn()
    return found[0]


@check(219, Group.YIXIN, "yxbalancetwo: two moves on one line that balance")
def balance_two(c: Conversation) -> None:
    """The web front ends look for balanced openings with it, two stones at a time."""
    _analyse(c, "yxbalancetwo 0", move_count=2)


@check(220, Group.YIXIN, "yxsearchdefend: a search with one move at its end")
def search_defend(c: Conversation) -> None:
    """Yixin-Board asks with it which moves defend against what the opponent threatens."""
    _analyse(c, "yxsearchdefend")


@in_game(221, Group.YIXIN, "yxblock: a blocked square is not played", turn_ms=200)
def blocked_squares(c: Conversation) -> str:
    """Front ends block squares to see what else there is: the move of a search, then the next best
    one. yxblockreset takes all of them back. None of these words has an answer."""
    stones = quiet_stones(17)
    c.request(*c.board_lines(stones))
    best = c.expect_move()
    c.start()
    c.request("yxblock", f"{best[0]},{best[1]}", "done")
    c.expect_silence(but=_LOGGED)
    c.request(*c.board_lines(stones))
    second = c.expect_move()
    c.request("yxblockreset")
    c.expect_silence(but=_LOGGED)
    if second == best:
        raise Skip("yxblock has no effect")
    return f"{second[0]},{second[1]} in the place of {best[0]},{best[1]}"


@in_game(222, Group.YIXIN, "yxhashdump and yxhashload: the hash table in a file")
def hash_files(c: Conversation) -> str:
    """The name of the file is on the next line. Nothing may be printed that is taken for a move,
    and a file that is not there, or is no hash file, changes nothing."""
    c.board(quiet_stones(17))
    with tempfile.TemporaryDirectory(prefix="tengen-check-") as folder:
        file = os.path.join(folder, "a name with blanks.hash")
        c.request("yxhashdump", file)
        c.expect_silence(max(c.turn_s * 2, c.settings.quiet_s), but=_LOGGED)
        if not os.path.exists(file):
            raise Skip("yxhashdump writes no file")
        size = os.path.getsize(file)
        with open(os.path.join(folder, "other"), "wb") as other:
            other.write(b"something else")
        for name in (file, os.path.join(folder, "missing"), other.name):
            c.request("yxhashload", name)
            c.expect_silence(max(c.turn_s * 2, c.settings.quiet_s), but=_LOGGED)
        c.turn()
    return f"{size} bytes"


@in_game(223, Group.YIXIN, "the settings of an analysis are never answered")
def analysis_settings(c: Conversation) -> None:
    """INFO with every key that front ends send, and any number. An answer would be taken for that
    to the next command."""
    for value in ("0", "1", "100", "-1", "2147483647"):
        c.request(*(f"INFO {key} {value}" for key in _ANALYSIS_KEYS))
        c.expect_silence(but=_LOGGED)
    c.send("INFO thread_num 1", "INFO hash_size 16384", "INFO strength 100", "INFO max_depth 100")
    c.send("INFO max_node -1", "INFO pondering 0", "INFO show_detail 0")
    c.limit(200)
    c.begin()


def _expect_one_order(c: Conversation, *first: str, is_row_first: bool) -> None:
    """Sends the first lines of a front end, then boards that are not the same when columns and rows
    are exchanged: one with few free cells, and a renju one with a forbidden point on the right-hand
    side of the board."""

    def turned(stones: Iterable[Stone]) -> list[Stone]:
        return [(y, x, field) if is_row_first else (x, y, field) for x, y, field in stones]

    c.request(*first)
    c.expect_silence(but=_LOGGED)
    c.start()
    c.request(*c.board_lines(turned(full_stones(c.width, empty=3))))
    move = c.expect_move()
    marks = [line.escaped for line in c.process.lines if "REALTIME BEST" in line.escaped.upper()]
    if marks and marks[-1].split()[-1] != f"{move[0]},{move[1]}":
        raise Failure(f"the move {move[0]},{move[1]}, named last by REALTIME BEST", marks[-1])
    c.start()
    c.send("INFO rule 4")
    cross = [(x + 4, y - 4, field) for x, y, field in _CROSS]
    request = "yxshowforbid" if is_row_first else "YXSHOWFORBID"
    found = _forbidden(c, tuple(turned([*cross, *_CORNERS])), request)
    wanted = "FORBID 0311." if is_row_first else "FORBID 1103."
    if found and found[0].strip().upper() != wanted:
        raise Failure(wanted, repr(found[0][:200]))


def _forbidden(c: Conversation, stones: tuple[Stone, ...], request: str) -> list[str]:
    """The answers to a request for the forbidden points of a position."""
    _set_up(c, stones)
    c.expect_silence(but=_LOGGED)
    c.request(request)
    return [text for text in _lines_of(c, 0.5) if first_word(text) == "FORBID"]


def _blocks(told: list[str]) -> list[set[str]]:
    """The keys of every block from INFO PV to INFO PV DONE."""
    blocks: list[set[str]] = []
    keys: set[str] | None = None
    for text in told:
        key, _, value = text.removeprefix("INFO ").partition(" ")
        if key != "PV":
            if keys is not None:
                keys.add(key)
        elif value != "DONE":
            keys = set()
        elif keys is not None:
            blocks.append(keys)
            keys = None
    return blocks


def _set_up(c: Conversation, stones: tuple[tuple[int, int, int], ...] | None = None) -> None:
    block = c.board_lines(quiet_stones(17) if stones is None else stones)
    c.request("yxboard", *block[1:-1], "done")


def _lines_of(c: Conversation, seconds: float, until: str = "") -> list[str]:
    """All lines that come within some seconds, or up to one that contains `until`, if given."""
    deadline = c.process.now_s() + seconds
    lines = []
    try:
        while (line := c.process.next_line(deadline)) is not None:
            lines.append(line.escaped)
            if until and until in line.escaped.upper():
                break
    except EOFError:
        raise Failure("the program to go on", "the end of its output") from None
    return lines


def _analyse(c: Conversation, request: str, move_count: int = 1) -> None:
    """Sends a position and a request for moves in it: one line with so many must come. Skip if
    nothing comes, or a refusal."""
    c.start()
    c.send("info timeout_turn 200")
    _set_up(c)
    c.expect_silence(but=_LOGGED)
    c.request(request)
    lines = [text for text in _lines_of(c, 0.2 + TOLERANCE_S) if first_word(text) not in _LOGGED]
    if not lines:
        raise Skip(f"{request.split()[0]} has no answer")
    wanted = " ".join([r"\d+,\d+"] * move_count)
    if len(lines) != 1 or not re.fullmatch(wanted, lines[0].strip()):
        raise Failure(f"one line with {counted(move_count, 'move')}", repr(" | ".join(lines)[:200]))
