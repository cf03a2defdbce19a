"""Says of a conversation whether every answer is one that docs/PROTOCOL.md allows.

It is written from that page and shares no code with `protocol/`. Lines are noted as they are sent,
and answers as they come; both can run ahead of each other. What the page leaves open is left open
here: which free square is played, and how an ERROR is worded. So are the colours of stones, which
are needed only to know which stones a finished line of a continuous game takes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

Point = tuple[int, int]

MAX_LINE = 32768
RULES = (0, 1, 4, 8, 9)
CONTINUOUS = 2
SWAPPING = 5
STARTING = ("START", "RECTSTART", "RESTART")
# How many stones come with the steps of Soosyrv-8 that have any.
SOOSORV = {f"YXSOOSORVSTEP{i}": {n} for i, n in ((2, 3), (3, 3), (4, 4), (5, 4))} | {
    "YXSOOSORVSTEP6": {*range(5, 13)}
}
WITH_DONE = ("BOARD", "SWAP2BOARD", "YXBOARD", "YXBLOCK", "YXBLOCKUNDO", *SOOSORV)
WITH_PATH = ("YXBLOCKPATH", "YXBLOCKPATHUNDO")
COMMANDS = (*STARTING, "BEGIN", "TURN", "BOARD", "SWAP2BOARD", "ABOUT", "TAKEBACK", "PLAY")
# These work inside a block and do not end it.
URGENT = ("END", "INFO", "STOP", "YXSTOP")
# Words of the Yixin dialect that are answered, or known and silent.
STEPS = {"YXSWAP2STEP1": 0, "YXSWAP2STEP2": 3, "YXSWAP2STEP3": 5, "YXSOOSORVSTEP1": 0}
ANALYSES = ("YXNBEST", "YXSEARCHDEFEND", "YXBALANCEONE", "YXBALANCETWO", *STEPS)
BALANCES = {"YXBALANCEONE": 1, "YXBALANCETWO": 2}
MOST_BIAS = 1000
# These take the name of a file, on the same line or the next.
WITH_NAME = ("YXHASHDUMP", "YXHASHLOAD")
SILENT = ("YXRESIGN", "YXBLOCKRESET", "YXBLOCKPATHRESET", "YXHASHCLEAR")

# What the lines of an answer look like, MESSAGE lines before it left out.
MOVE = r"\d+,\d+"
ERROR = "ERROR .*"
# After `MESSAGE SWAP2` or `MESSAGE SOOSORV`, what answers a step. Its numbers have no comma.
SQUARE = r"\d+ \d+"
ANSWERS = {
    **dict.fromkeys(("YXSWAP2STEP1", "YXSOOSORVSTEP1"), [f"MOVE{i} {SQUARE}" for i in (1, 2, 3)]),
    "YXSWAP2STEP2": [f"SWAP1 (?:YES|NO)|MOVE4 {SQUARE}"],
    "YXSOOSORVSTEP2": ["SWAP1 (?:YES|NO)"],
    "YXSOOSORVSTEP3": [f"MOVE4 {SQUARE} [1-8]"],
    **dict.fromkeys(("YXSWAP2STEP3", "YXSOOSORVSTEP4"), ["SWAP2 (?:YES|NO)"]),
    "YXSOOSORVSTEP6": [f"MOVE5C {SQUARE}"],
}
HASH_FILE = rf"MESSAGE \d+ positions (?:written to|read from) .+|{ERROR}"
# The answer to SWAP2BOARD, by the number of stones that were sent.
STONES = {0: f"{MOVE} {MOVE} {MOVE}", 3: f"SWAP|{MOVE}(?: {MOVE})?", 5: f"SWAP|{MOVE}"}
DETAIL = re.compile(
    r"INFO PV (?:\d+|DONE)|INFO EVAL (?:-?\d+|[+-]M\d+)|INFO WINRATE [01]\.\d{4}"
    r"|INFO (?:NUMPV|DEPTH|SELDEPTH|NODES|TOTALNODES|TOTALTIME|SPEED) \d+"
    r"|INFO BESTLINE(?: \d+,\d+)+"
)
# Any such word is a command; one with other characters may be the name of a file.
_YIXIN = re.compile("YX[A-Z0-9_]*")
_BLANKS = re.compile(r"[ \t\v\f]+")
_COMMA = re.compile(" ?, ?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_LEADING = re.compile(r"([+-]?[0-9]+)(?:\.[0-9]*)?[a-zA-Z]*")


class Wrong(AssertionError):
    """An answer that the protocol does not allow, or none where it asks for one."""


class Wanted(NamedTuple):
    """A line that must be printed.

    pattern     of the whole line.
    act         what becomes of the position; called with the line.
    may_remark  MESSAGE lines may come before it.
    may_detail  so may the lines of a search in detail.
    """

    pattern: str
    act: Callable[[str], None] = lambda line: None
    may_remark: bool = True
    may_detail: bool = False


class Oracle:
    """The state of a conversation as seen by a manager that knows the protocol.

    taken      the squares with a stone or wall, as the manager writes them.
    size       the numbers of columns and rows, in the order in which the manager writes a square;
               None before the first START.
    blocked    squares that may not be played.
    is_row_first   of the two numbers of a square, that of its row comes first.
    has_ended  END was sent: answers may be missing.
    """

    def __init__(self) -> None:
        self.size: Point | None = None
        self.taken: set[Point] = set()
        self.blocked: set[Point] = set()
        self.has_ended = False
        self._is_over = False
        self.is_row_first = False
        self.is_yixin = False
        self._may_have_walls = False
        self._has_paths = False
        self._is_after_yixin = False
        self._rule = 0
        self.detail = 0
        self._is_swapable = False
        self._block: str | None = None
        self._fifths = 0
        self._entries: list[tuple[int, ...]] = []
        self._is_bad = False
        self._lines: deque[str] = deque()
        self._wanted: deque[Wanted] = deque()

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

    @property
    def height(self) -> int:
        """The number of rows."""
        assert self.size is not None
        return self.size[0 if self.is_row_first else 1]

    def first_free(self) -> Point:
        """The first square without a stone."""
        assert self.size is not None
        columns, rows = self.size
        return next((x, y) for y in range(rows) for x in range(columns) if (x, y) not in self.taken)

    def receive(self, line: str) -> None:
        """Take a printed line; Wrong if it cannot come here."""
        if self._is_over:
            raise Wrong(f"after END came {line!r}")
        if not self._wanted:
            raise Wrong(f"nothing was asked, and came {line!r}")
        wanted = self._wanted[0]
        if re.fullmatch(wanted.pattern, line):
            self._wanted.popleft()
            wanted.act(line)
            self._proceed()
        elif not (
            (wanted.may_remark and line.startswith("MESSAGE "))
            or (wanted.may_detail and self.detail & 2 and DETAIL.fullmatch(line))
        ):
            raise Wrong(f"wanted {wanted.pattern}, came {line!r}")

    def check_over(self) -> None:
        """The program has ended by itself: Wrong if an answer is missing."""
        if self._wanted and not self.has_ended:
            raise Wrong(f"no answer: {self._wanted[0].pattern}")

    # -- answers

    def _put(self, line: str, before: set[Point], is_blocking: bool = True) -> None:
        """The squares of a printed line get stones, on a board with those stones before."""
        if line.startswith("ERROR "):
            return
        taken = set(before)
        for x, y in re.findall(r"(\d+),(\d+)", line):
            point = int(x), int(y)
            if not self._is_on(point):
                raise Wrong(f"{point} is off the board of {self.size}")
            if point in taken:
                raise Wrong(f"{point} is occupied")
            if is_blocking and point in self.blocked:
                raise Wrong(f"{point} was played and is blocked")
            taken.add(point)
        self.taken = taken

    def _swap(self, line: str, taken: set[Point], has_move_too: bool) -> None:
        """Instead of a move the first stone may be taken; then nothing is put on the board, also
        where White's best move follows."""
        self._put("" if line == "SWAP" else line, taken)
        if line == "SWAP" and has_move_too:
            self._want(MOVE, may_remark=False)

    def _take_back(self, line: str, point: Point) -> None:
        if line == "OK":
            self.taken.discard(point)

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
                self._want(ERROR, may_remark=False)
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
            self.is_yixin |= word == "YXSTOP"
        elif word == "INFO":
            self._set_option("" if is_long else rest, rest)
        elif is_long and word in ANALYSES:
            self._is_after_yixin = False
            self._want(ERROR)
        elif word in WITH_NAME:
            self.is_yixin, self._is_after_yixin = True, False
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
            self._want('name=".*', may_remark=False)
        elif word in WITH_DONE or word in WITH_PATH:
            self.is_yixin |= word.startswith("YX")
            self._block, self._entries, self._is_bad = word, [], False
            self._fifths = 0
            self._feed(rest, is_long)
        elif word in COMMANDS or word == "DONE" or word[0] in "-0123456789":
            if is_long or word not in COMMANDS:
                self._want(ERROR)
            else:
                self._obey(word, rest)
        else:
            self._want("UNKNOWN .*", may_remark=False)

    def _obey(self, word: str, rest: str) -> None:
        if word in ("START", "RECTSTART"):
            size = _size(word, rest)
            if size is None or not all(5 <= side <= 22 for side in size):
                self._want(ERROR)
                return
            self._clear((size[1], size[0]) if self.is_row_first else size)
            self._want("OK")
        elif self.size is None:
            self._want(ERROR)
        elif word == "RESTART":
            self._clear(self.size)
            self._want("OK")
        elif word == "BEGIN":
            self._want_move([]) if not self.taken else self._want(ERROR)
        else:
            self._place(word, _point(rest))

    def _place(self, word: str, point: Point | None) -> None:
        """TURN, PLAY and TAKEBACK."""
        if point is None:
            self._want(ERROR)
        elif word == "TAKEBACK":
            if point not in self.taken:
                self._want(ERROR)
            else:
                pattern = f"OK|{ERROR}" if self._may_have_walls else "OK"
                self._want(pattern, lambda line: self._take_back(line, point))
        elif not self._is_on(point) or point in self.taken:
            self._want(ERROR)
        elif word == "PLAY":
            self._note_walls()
            self._want(f"{point[0]},{point[1]}", lambda line: self._put(line, self.taken, False))
        else:
            self._want_move([point])

    def _extend(self, word: str, argument: str) -> None:
        self.is_yixin, self._is_after_yixin = True, False
        match word.upper():
            case "YXSHOWINFO":
                if word.islower() != self.is_row_first:
                    self.is_row_first = word.islower()
                    self._transpose()
                for name in ("MAX_THREAD_NUM", "MAX_HASH_SIZE"):
                    self._want(rf"MESSAGE INFO {name} \d+", may_remark=False)
            case "YXDRAW":
                self._want("MESSAGE DRAW (?:ACCEPT|REJECT)", may_remark=False)
            case "YXSHOWFORBID":
                self._want(r"FORBID (?:\d{4})*\." if self.size else ERROR, may_remark=False)
            case "YXBALANCEONE" | "YXBALANCETWO":
                self._want_balance(BALANCES[word.upper()], argument.strip(" \t\v\f"))
            case step if step in STEPS:
                stones = list(self.taken) if STEPS[step] else []
                is_good = self.size is not None and len(stones) == STEPS[step]
                # The numbers of stones of each colour may be wrong.
                self._want_step(step, stones, is_good, f"|{ERROR}" * bool(stones))
            case "YXNBEST" | "YXSEARCHDEFEND":
                argument = argument.strip(" \t\v\f")
                is_good = _INTEGER.fullmatch(argument) is not None and int(argument) > 0
                is_best = word.upper() == "YXNBEST"
                if self.size is None or (is_best and not is_good):
                    self._want(ERROR)
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

    def _want_step(self, step: str, stones: list[Point], is_good: bool, failure: str = "") -> None:
        """The answer to a step of swap2 or Soosyrv-8, which leaves the board as it was."""
        if not is_good or not self._is_room(stones):
            self._want(ERROR)
            return
        fifths = ["MOVE5 REFRESH", *[f"MOVE5 {SQUARE}"] * self._fifths, "MOVE5 DONE"]
        first, *others = ANSWERS.get(step, fifths)
        if step == "YXSWAP2STEP2":
            others = [f"MOVE5 {SQUARE}"]
        start = f"MESSAGE {'SWAP2' if 'SWAP2' in step else 'SOOSORV'} "
        failure += "|ERROR .*blocked.*" * self._has_paths

        def act(line: str) -> None:
            if not line.startswith("ERROR ") and " SWAP1 " not in line:
                for other in others:
                    self._want(f"{start}(?:{other})")

        self._want(f"{start}(?:{first}){failure}", act)

    def _want_balance(self, count: int, argument: str) -> None:
        is_good = not argument or (
            _INTEGER.fullmatch(argument) is not None and abs(int(argument)) <= MOST_BIAS
        )
        if self.size is None or not is_good or not self._is_room(list(self.taken), count):
            self._want(ERROR)
            return
        self._note_walls()
        failure = ERROR if self._has_paths else "ERROR .*ends the game.*"
        pattern = f"{' '.join([MOVE] * count)}|{failure}"
        self._want(pattern, lambda line: self._put(line, self.taken))

    def _set_option(self, rest: str, whole: str) -> None:
        parts = _BLANKS.split((rest or whole[:40]).strip(" \t\v\f"), maxsplit=1)
        key = parts[0].lower()
        value = parts[1].split()[0] if rest and len(parts) > 1 and parts[1].split() else ""
        if key == "show_detail":
            self.is_yixin = True
            number = _LEADING.fullmatch(value)
            if number:
                self.detail = max(0, int(number[1]))
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
        if self._block in SOOSORV and not self._entries and _INTEGER.fullmatch(word):
            self._fifths = int(word)
            return
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
                self._want(HASH_FILE)
            case "BOARD":
                if is_good and are_squares:
                    has_walls = any(entry[2] == 3 for entry in self._entries)
                    self._want_move(points, is_reset=True, has_walls=has_walls)
                else:
                    self._want(ERROR)
            case "SWAP2BOARD":
                if is_good and are_squares and len(points) in (0, 3, 5) and self._is_room(points):
                    self._may_have_walls = False
                    self._want(STONES[len(points)], lambda line: self._put(line, {*points}, False))
                else:
                    self._want(ERROR)
            case str() as step if step in SOOSORV:
                is_good &= are_squares and len(points) in SOOSORV[step]
                is_good &= step[-1] not in "45" or 1 <= self._fifths <= 8
                self._want_step(step, points[:4], is_good)
            case "YXBOARD":
                if is_good and are_squares:
                    self.taken = set(points)
                    self._may_have_walls = any(entry[2] == 3 for entry in self._entries)
                else:
                    self._want(ERROR, may_remark=False)
            case "YXBLOCK" | "YXBLOCKUNDO":
                if not is_good or not all(map(self._is_on, points)):
                    self._want(ERROR, may_remark=False)
                elif word == "YXBLOCK":
                    self.blocked.update(points)
                else:
                    self.blocked.difference_update(points)
            case _:
                self._has_paths |= word == "YXBLOCKPATH"
                if not is_good:
                    self._want(ERROR, may_remark=False)

    # -- helpers

    def _want(
        self, pattern: str, act: Callable[[str], None] = lambda line: None, may_remark: bool = True
    ) -> None:
        self._wanted.append(Wanted(pattern, act, may_remark))

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
            self._want(ERROR)
            return
        if is_reset:
            self._may_have_walls = has_walls
        self._note_walls()
        may_swap = self._rule == SWAPPING and self._is_swapable and len(taken) == 1
        pattern = MOVE + "|SWAP" * may_swap + "|ERROR .*blocked.*" * self._has_paths
        self._wanted.append(
            Wanted(pattern, lambda line: self._swap(line, taken, has_move_too), may_detail=True)
        )

    def _is_room(self, points: list[Point], count: int = 1) -> bool:
        """Are there so many free squares that are not blocked?"""
        assert self.size is not None
        width, height = self.size
        free = {(x, y) for x in range(width) for y in range(height)} - set(points)
        return len(free - self.blocked) >= count

    def _note_walls(self) -> None:
        # In that dialect 2 is renju and 6 freestyle.
        is_other = self.is_yixin and self._rule in (CONTINUOUS, 4 + CONTINUOUS)
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
