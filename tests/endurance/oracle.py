"""Says of a conversation whether every answer is one that docs/PROTOCOL.md allows.

It is written from that page and shares no code with `protocol/`. Lines are noted as they are sent,
and answers as they come; both can run ahead of each other. What the page leaves open is left open
here: which free square is played, and how an ERROR is worded. So are the colours of stones, which
are needed only to know which stones a finished line of a continuous game takes.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

Point = tuple[int, int]

MAX_LINE = 32768
RULES = (0, 1, 4, 8, 9)
CONTINUOUS = 2
SWAPPING = 5
STARTING = ("START", "RECTSTART", "RESTART")
WITH_DONE = ("BOARD", "SWAP2BOARD", "YXBOARD", "YXBLOCK", "YXBLOCKUNDO")
WITH_PATH = ("YXBLOCKPATH", "YXBLOCKPATHUNDO")
COMMANDS = (*STARTING, "BEGIN", "TURN", "BOARD", "SWAP2BOARD", "ABOUT", "TAKEBACK", "PLAY")
# These work inside a block and do not end it.
URGENT = ("END", "INFO", "STOP", "YXSTOP")
# Words of the Yixin dialect that are answered, or known and silent.
ANALYSES = ("YXNBEST", "YXSEARCHDEFEND", "YXBALANCEONE", "YXBALANCETWO")
BALANCES = {"YXBALANCEONE": 1, "YXBALANCETWO": 2}
MOST_BIAS = 1000
# These take the name of a file, on the same line or the next.
WITH_NAME = ("YXHASHDUMP", "YXHASHLOAD")
SILENT = ("YXRESIGN", "YXBLOCKRESET", "YXBLOCKPATHRESET", "YXHASHCLEAR")

MOVE = re.compile(r"\d+,\d+")
HASH_FILE = re.compile(r"MESSAGE \d+ positions (?:written to|read from) .+")
FORBIDDEN = re.compile(r"FORBID (?:\d{4})*\.")
DETAIL = re.compile(
    r"INFO (?:PV (?:\d+|DONE)|(?:NUMPV|DEPTH|SELDEPTH|NODES|TOTALNODES|TOTALTIME|SPEED) \d+"
    r"|EVAL \S+|WINRATE [01]\.\d{4}|BESTLINE(?: \d+,\d+)+)"
)
# Any such word is a command; one with other characters may be the name of a file.
_YIXIN = re.compile("YX[A-Z0-9_]*")
_BLANKS = re.compile(r"[ \t\v\f]+")
_COMMA = re.compile(" ?, ?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_LEADING = re.compile(r"([+-]?[0-9]+)(?:\.[0-9]*)?[a-zA-Z]*")


class Wrong(AssertionError):
    """An answer that the protocol does not allow, or none where it asks for one."""


@dataclass
class Wanted:
    """What must be printed for a command, all MESSAGE lines left out.

    kind    `ok`, `error`, `unknown`, `about`, `move`, `echo`, `stones` (SWAP2BOARD), `forbidden`,
            `capabilities`, `draw`, `hash file`, `balance`, or `ok or error`.
    points  the squares that the command puts on the board; for `echo` and `ok or error` one.
    count   how many moves are asked for, for `balance`.
    swap    where the answer may be SWAP: `alone` or, with another answer, `and a move`.
    """

    kind: str
    points: list[Point] = field(default_factory=list)
    may_remark: bool = True
    is_reset: bool = False
    count: int = 1
    swap: str = ""


class Oracle:
    """The state of a conversation as seen by a manager that knows the protocol.

    taken      the squares with a stone or wall, as the manager writes them.
    size       the numbers of columns and rows, in the order in which the manager writes a square;
               None before the first START.
    blocked    squares that may not be played.
    has_ended  END was sent: answers may be missing.
    """

    def __init__(self) -> None:
        self.size: Point | None = None
        self.taken: set[Point] = set()
        self.blocked: set[Point] = set()
        self.has_ended = False
        self._is_over = False
        self._is_row_first = False
        self._is_yixin = False
        self._may_have_walls = False
        self._has_paths = False
        self._is_after_yixin = False
        self._rule = 0
        self._detail = 0
        self._is_swapable = False
        self._block: str | None = None
        self._entries: list[tuple[int, ...]] = []
        self._is_bad = False
        self._lines: deque[str] = deque()
        self._wanted: deque[Wanted] = deque()
        self._shown = 0

    # -- what a manager does

    def send(self, line: str) -> None:
        """Note a line that was sent, without its end."""
        words = line.split(maxsplit=1)
        # It overtakes what was sent before it.
        self.has_ended |= bool(words) and words[0].upper() == "END"
        self._lines.append(line)
        self._proceed()

    def close(self) -> None:
        """Note that no line follows: an open block ends as by DONE."""
        self._lines.append("\x00EOF")
        self._proceed()

    @property
    def is_waiting(self) -> bool:
        """Must there be another answer?"""
        return bool(self._wanted)

    def receive(self, line: str) -> None:
        """Take a printed line; Wrong if it cannot come here."""
        if self._is_over:
            raise Wrong(f"after END came {line!r}")
        if not self._wanted:
            raise Wrong(f"nothing was asked, and came {line!r}")
        wanted = self._wanted[0]
        if wanted.kind == "capabilities":
            names = ("MAX_THREAD_NUM", "MAX_HASH_SIZE")
            if not re.fullmatch(rf"MESSAGE INFO {names[self._shown]} \d+", line):
                raise Wrong(f"yxshowinfo was answered by {line!r}")
            self._shown = (self._shown + 1) % 2
            if self._shown == 0:
                self._done()
            return
        if wanted.kind == "draw":
            if line not in ("MESSAGE DRAW ACCEPT", "MESSAGE DRAW REJECT"):
                raise Wrong(f"yxdraw was answered by {line!r}")
            self._done()
            return
        if wanted.kind == "hash file" and (HASH_FILE.fullmatch(line) or line.startswith("ERROR ")):
            self._done()
            return
        if line.startswith("MESSAGE "):
            if not wanted.may_remark:
                raise Wrong(f"before the answer to {wanted.kind} came {line!r}")
            return
        if wanted.kind == "move" and self._detail & 2 and DETAIL.fullmatch(line):
            return
        if line == "SWAP" and wanted.swap:
            is_over = wanted.swap == "alone"
            wanted.swap = ""
            if is_over:
                self.taken = (
                    set(wanted.points) if wanted.is_reset else self.taken | {*wanted.points}
                )
                self._done()
            return
        self._judge(wanted, line)
        self._done()

    def check_over(self) -> None:
        """The program has ended by itself: Wrong if an answer is missing."""
        if self._wanted and not self.has_ended:
            raise Wrong(f"no answer: {self._wanted[0].kind}")

    # -- answers

    def _judge(self, wanted: Wanted, line: str) -> None:
        kind = wanted.kind
        is_error = line.startswith("ERROR ")
        if kind == "ok or error":
            if line != "OK" and not is_error:
                raise Wrong(f"TAKEBACK was answered by {line!r}")
            if line == "OK":
                self.taken.difference_update(wanted.points)
        elif kind == "move":
            if is_error and self._has_paths and "blocked" in line:
                return
            self._take_move(wanted, line)
        elif kind == "stones":
            self._take_stones(wanted, line)
        elif kind == "balance":
            self._take_balance(wanted, line)
        else:
            fits = {
                "ok": line == "OK",
                "error": is_error,
                "unknown": line.startswith("UNKNOWN "),
                "about": line.startswith('name="'),
                "forbidden": FORBIDDEN.fullmatch(line) is not None,
                "echo": line == ",".join(map(str, wanted.points[0])) if wanted.points else False,
            }
            if not fits[kind]:
                raise Wrong(f"wanted {kind}, came {line!r}")
            if kind == "echo":
                self.taken.update(wanted.points)

    def _take_move(self, wanted: Wanted, line: str) -> None:
        if not MOVE.fullmatch(line):
            raise Wrong(f"wanted a move, came {line!r}")
        x, y = map(int, line.split(","))
        taken = set(wanted.points) if wanted.is_reset else self.taken | set(wanted.points)
        self._require_free((x, y), taken)
        if (x, y) in self.blocked:
            raise Wrong(f"{line} was played and is blocked")
        self.taken = taken | {(x, y)}

    def _take_stones(self, wanted: Wanted, line: str) -> None:
        count = len(wanted.points)
        taken = set(wanted.points)
        if line == "SWAP" and count:
            self.taken = taken
            return
        if not re.fullmatch(r"\d+,\d+(?: \d+,\d+)*", line):
            raise Wrong(f"SWAP2BOARD with {count} stones was answered by {line!r}")
        points = [(int(x), int(y)) for x, y in (word.split(",") for word in line.split(" "))]
        if len(points) not in {0: (3,), 3: (1, 2), 5: (1,)}[count]:
            raise Wrong(f"SWAP2BOARD with {count} stones was answered by {line!r}")
        for point in points:
            self._require_free(point, taken)
            taken.add(point)
        self.taken = taken

    def _take_balance(self, wanted: Wanted, line: str) -> None:
        if line.startswith("ERROR ") and ("ends the game" in line or self._has_paths):
            return
        if not re.fullmatch(" ".join([MOVE.pattern] * wanted.count), line):
            raise Wrong(f"wanted {wanted.count} moves, came {line!r}")
        for word in line.split(" "):
            x, y = map(int, word.split(","))
            self._require_free((x, y), self.taken)
            if (x, y) in self.blocked:
                raise Wrong(f"{word} was played and is blocked")
            self.taken.add((x, y))

    def _require_free(self, point: Point, taken: set[Point]) -> None:
        if not self._is_on(point):
            raise Wrong(f"{point} is off the board of {self.size}")
        if point in taken:
            raise Wrong(f"{point} is occupied")

    def _done(self) -> None:
        self._wanted.popleft()
        self._proceed()

    # -- commands, one after the other

    def _proceed(self) -> None:
        """Carry out lines until one wants an answer: what follows depends on it."""
        while self._lines and not self._wanted and not self._is_over:
            line = self._lines.popleft()
            if line == "\x00EOF":
                if self._block is not None:
                    self._close_block()
            else:
                self._carry_out(line)

    def _carry_out(self, line: str) -> None:
        text = line.strip(" \t\v\f")
        words = _BLANKS.split(text, maxsplit=1)
        word, rest = words[0].upper(), words[1] if len(words) > 1 else ""
        is_long = len(line.lstrip(" \t\v\f")) > MAX_LINE
        if self._block is not None and word not in URGENT:
            if word in COMMANDS or _YIXIN.fullmatch(word[:32]):
                self._block = None
                self._want("error", may_remark=False)
                # The command is obeyed after its ERROR.
                self._lines.appendleft(line)
                return
            self._feed(text, is_long)
            return
        if word == "":
            return
        if word == "END":
            self._is_over = True
        elif word in ("STOP", "YXSTOP"):
            self._is_yixin |= word == "YXSTOP"
        elif word == "INFO":
            self._set_option("" if is_long else rest, rest)
        elif is_long and word in ANALYSES:
            self._is_after_yixin = False
            self._want("error")
        elif word in WITH_NAME:
            self._is_yixin, self._is_after_yixin = True, False
            self._block, self._entries, self._is_bad = word, [], False
            if rest.strip(" \t\v\f") or is_long:
                self._close_block()
        elif word.startswith("YX") and word not in (*WITH_DONE, *WITH_PATH):
            self._extend(words[0], rest)
        elif self._is_after_yixin and (word == "DONE" or word[0] in "-0123456789"):
            return
        else:
            self._is_after_yixin = False
            self._command(word, rest, is_long)

    def _command(self, word: str, rest: str, is_long: bool) -> None:
        if word == "ABOUT" and not is_long:
            self._want("about", may_remark=False)
        elif word in WITH_DONE or word in WITH_PATH:
            self._is_yixin |= word.startswith("YX")
            self._block, self._entries, self._is_bad = word, [], False
            self._feed(rest, is_long)
        elif word in COMMANDS or word == "DONE" or word[0] in "-0123456789":
            if is_long or word not in COMMANDS:
                self._want("error")
            else:
                self._obey(word, rest)
        else:
            self._want("unknown", may_remark=False)

    def _obey(self, word: str, rest: str) -> None:
        if word in ("START", "RECTSTART"):
            size = _size(word, rest)
            if size is None or not all(5 <= side <= 22 for side in size):
                self._want("error")
                return
            self._clear((size[1], size[0]) if self._is_row_first else size)
            self._want("ok")
        elif self.size is None:
            self._want("error")
        elif word == "RESTART":
            self._clear(self.size)
            self._want("ok")
        elif word == "BEGIN":
            self._want_move([]) if not self.taken else self._want("error")
        else:
            self._place(word, _point(rest))

    def _place(self, word: str, point: Point | None) -> None:
        """TURN, PLAY and TAKEBACK."""
        if point is None:
            self._want("error")
        elif word == "TAKEBACK":
            if point not in self.taken:
                self._want("error")
            elif self._may_have_walls:
                self._want("ok or error", [point])
            else:
                self.taken.discard(point)
                self._want("ok")
        elif not self._is_on(point) or point in self.taken:
            self._want("error")
        elif word == "PLAY":
            self._note_walls()
            self._want("echo", [point])
        else:
            self._want_move([point])

    def _extend(self, word: str, argument: str) -> None:
        self._is_yixin, self._is_after_yixin = True, False
        match word.upper():
            case "YXSHOWINFO":
                if word.islower() != self._is_row_first:
                    self._is_row_first = word.islower()
                    self._transpose()
                self._want("capabilities")
            case "YXDRAW":
                self._want("draw")
            case "YXSHOWFORBID":
                self._want("forbidden" if self.size else "error", may_remark=False)
            case "YXBALANCEONE" | "YXBALANCETWO":
                self._want_balance(BALANCES[word.upper()], argument.strip(" \t\v\f"))
            case "YXNBEST" | "YXSEARCHDEFEND":
                argument = argument.strip(" \t\v\f")
                is_good = _INTEGER.fullmatch(argument) is not None and int(argument) > 0
                is_best = word.upper() == "YXNBEST"
                if self.size is None or (is_best and not is_good):
                    self._want("error")
                else:
                    self._want_move([], has_move_too=is_best)
            case "YXBLOCKRESET":
                self.blocked.clear()
            case "YXBLOCKPATHRESET":
                self._has_paths = False
            case known if known in SILENT:
                pass
            case _:
                self._is_after_yixin = True

    def _want_balance(self, count: int, argument: str) -> None:
        is_good = not argument or (
            _INTEGER.fullmatch(argument) is not None and abs(int(argument)) <= MOST_BIAS
        )
        if self.size is None or not is_good:
            self._want("error")
        elif not self._is_room(list(self.taken), count):
            self._want("error")
        else:
            self._note_walls()
            self._wanted.append(Wanted("balance", count=count))

    def _set_option(self, rest: str, whole: str) -> None:
        parts = _BLANKS.split((rest or whole[:40]).strip(" \t\v\f"), maxsplit=1)
        key = parts[0].lower()
        value = parts[1].split()[0] if rest and len(parts) > 1 and parts[1].split() else ""
        if key == "show_detail":
            self._is_yixin = True
            number = _LEADING.fullmatch(value)
            if number:
                self._detail = max(0, int(number[1]))
        elif key == "rule":
            number = _INTEGER.fullmatch(value)
            known = {*RULES, *(rule + CONTINUOUS for rule in RULES), SWAPPING}
            if number is not None and int(value) in known:
                self._rule = int(value)
        elif key == "swapable":
            number = _LEADING.fullmatch(value)
            if number:
                self._is_swapable = int(number[1]) > 0

    # -- blocks

    def _feed(self, text: str, is_long: bool) -> None:
        if self._block in WITH_NAME:
            if text:
                self._close_block()
            return
        is_done = False
        for word in _tight(text[:MAX_LINE]).split(" "):
            if word.upper() == "DONE":
                is_done = True
                break
            if word:
                self._take_entry(word)
        if is_long and not is_done:
            self._is_bad = True
            is_done = _tight(text).split(" ")[-1].upper() == "DONE"
        if is_done:
            self._close_block()

    def _take_entry(self, word: str) -> None:
        parts = word.split(",")
        count = 3 if self._block in ("BOARD", "YXBOARD") else 2
        if len(parts) != count or not all(map(_INTEGER.fullmatch, parts)):
            self._is_bad = True
            return
        numbers = tuple(map(int, parts))
        self._is_bad |= count == 3 and numbers[2] not in (1, 2, 3)
        self._entries.append(numbers)

    def _close_block(self) -> None:
        word, self._block = self._block, None
        points = [(entry[0], entry[1]) for entry in self._entries]
        is_good = not self._is_bad and self.size is not None
        are_squares = all(map(self._is_on, points)) and len(set(points)) == len(points)
        match word:
            case "YXHASHDUMP" | "YXHASHLOAD":
                self._want("hash file")
            case "BOARD":
                if is_good and are_squares:
                    has_walls = any(entry[2] == 3 for entry in self._entries)
                    self._want_move(points, is_reset=True, has_walls=has_walls)
                else:
                    self._want("error")
            case "SWAP2BOARD":
                if is_good and are_squares and len(points) in (0, 3, 5) and self._is_room(points):
                    self._may_have_walls = False
                    self._want("stones", points)
                else:
                    self._want("error")
            case "YXBOARD":
                if is_good and are_squares:
                    self.taken = set(points)
                    self._may_have_walls = any(entry[2] == 3 for entry in self._entries)
                else:
                    self._want("error", may_remark=False)
            case "YXBLOCK" | "YXBLOCKUNDO":
                if not is_good or not all(map(self._is_on, points)):
                    self._want("error", may_remark=False)
                elif word == "YXBLOCK":
                    self.blocked.update(points)
                else:
                    self.blocked.difference_update(points)
            case _:
                self._has_paths |= word == "YXBLOCKPATH"
                if not is_good:
                    self._want("error", may_remark=False)

    # -- helpers

    def _want(self, kind: str, points: list[Point] | None = None, may_remark: bool = True) -> None:
        self._wanted.append(Wanted(kind, points or [], may_remark))

    def _want_move(
        self,
        points: list[Point],
        is_reset: bool = False,
        has_walls: bool = False,
        has_move_too: bool = False,
    ) -> None:
        """A search, with these stones put on the board, or on an empty one. has_move_too: where the
        first stone is taken, White's best move follows."""
        taken = set(points) if is_reset else self.taken | set(points)
        if not self._is_room(list(taken)):
            self._want("error")
            return
        if is_reset:
            self._may_have_walls = has_walls
        self._note_walls()
        wanted = Wanted("move", points, is_reset=is_reset)
        if self._rule == SWAPPING and self._is_swapable and len(taken) == 1:
            wanted.swap = "and a move" if has_move_too else "alone"
        self._wanted.append(wanted)

    def _is_room(self, points: list[Point], count: int = 1) -> bool:
        """Are there so many free squares that are not blocked?"""
        assert self.size is not None
        width, height = self.size
        free = {(x, y) for x in range(width) for y in range(height)} - set(points)
        return len(free - self.blocked) >= count

    def _note_walls(self) -> None:
        # In that dialect 2 is renju and 6 freestyle.
        is_other = self._is_yixin and self._rule in (CONTINUOUS, 4 + CONTINUOUS)
        self._may_have_walls |= bool(self._rule & CONTINUOUS) and not is_other

    def _is_on(self, point: Point) -> bool:
        if self.size is None:
            return False
        return 0 <= point[0] < self.size[0] and 0 <= point[1] < self.size[1]

    def _clear(self, size: Point) -> None:
        self.size = size
        self.taken = set()
        self._may_have_walls = False

    def _transpose(self) -> None:
        self.taken = {(y, x) for x, y in self.taken}
        self.blocked = {(y, x) for x, y in self.blocked}
        if self.size is not None:
            self.size = self.size[1], self.size[0]


def _tight(text: str) -> str:
    return _COMMA.sub(",", _BLANKS.sub(" ", text.strip(" \t\v\f")))


def _size(word: str, rest: str) -> Point | None:
    parts = re.split("[, ]", _tight(rest))
    if len(parts) > 2 or not all(map(_INTEGER.fullmatch, parts)):
        return None
    if word == "RECTSTART" and len(parts) == 1:
        return None
    return int(parts[0]), int(parts[-1])


def _point(rest: str) -> Point | None:
    parts = _tight(rest).split(",")
    if len(parts) != 2 or not all(map(_INTEGER.fullmatch, parts)):
        return None
    return int(parts[0]), int(parts[1])
