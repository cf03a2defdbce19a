"""The dialect of Yixin-Board, Rapfi's interface and web front ends: what its words ask for.

Yixin-Board takes every line that it does not know as a move. So a word of the dialect has an answer
in the dialect's own form, or none; one that cannot be carried out has a line that begins with
ERROR, which goes to that program's log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.model import MAX_LINES, Info, Limits, Line, Point, Score, Stone, win_chance
from protocol.blocks import Block, PathBlock
from protocol.brain import Brain
from protocol.choices import Answer
from protocol.messages import (
    QUOTED_CHARACTERS,
    Refusal,
    clip,
    counted,
    error,
    format_point,
    name_point,
    parse_integer,
    quote,
    squares,
)
from protocol.preferences import MAX_THREADS
from protocol.stones import Stones

# Of `INFO show_detail`, a sum of these: what is printed about a search besides the usual reports.
SHOW_BEST = 1  # MESSAGE REALTIME: the best move, for a mark on the board
SHOW_LINES = 2  # INFO: every line with its values

# Assumed where the system does not tell how much memory it has.
_UNKNOWN_MEMORY_BYTES = 2**32
# Half an hour: "until stopped", for an analysis without any limit.
UNTIL_STOPPED_MS = 2_000_000

# What INFO can ask for and Tengen cannot do: the key, the values that ask for nothing, and the
# reason. A wish for it is answered by one remark.
_WITHOUT_EFFECT: dict[str, tuple[tuple[str, ...], str]] = {
    "caution_factor": ((), "the search itself decides how many moves it looks at"),
    "start_depth": (("0", "1"), "every search begins with its first iteration"),
    "nbestsym": (("0",), "of moves that a symmetry exchanges only one is listed"),
    "checkmate": (("0",), "every search is for the best move, not for a win alone"),
    "usedatabase": (("0",), "Tengen keeps no database of positions"),
    "vcthread": (("0",), "all threads, those of thread_num, search together"),
}


def remark_on(key: str, value: str) -> str | None:
    """A remark about `INFO key value`, `key` in lower case, where it asks for what Tengen cannot
    do; else None."""
    if key not in _WITHOUT_EFFECT:
        return None
    neutral, reason = _WITHOUT_EFFECT[key]
    if value in neutral:
        return None
    shown = value if len(value) <= QUOTED_CHARACTERS else f"{value[:QUOTED_CHARACTERS]}..."
    return f"{f'INFO {key} {shown}'.strip()} has no effect: {reason}"


def capability_lines(memory_bytes: int | None, machine_bytes: int) -> tuple[str, ...]:
    """The answer to yxshowinfo: how many threads make sense here, and the largest hash table as the
    binary logarithm of its size in KiB.

    memory_bytes   limit for the whole program, None = that of the machine
    machine_bytes  memory of the machine, 0 = not known
    """
    threads = min(os.cpu_count() or 1, MAX_THREADS)
    table_kib = (memory_bytes or machine_bytes or _UNKNOWN_MEMORY_BYTES) // 2 // 1024
    return (
        f"MESSAGE INFO MAX_THREAD_NUM {threads}",
        f"MESSAGE INFO MAX_HASH_SIZE {max(10, table_kib.bit_length() - 1)}",
    )


def forbidden_line(points: Iterable[Point]) -> str:
    """The answer to yxshowforbid: two digits for each number, and a full stop."""
    return f"FORBID {''.join(f'{x:02}{y:02}' for x, y in points)}."


def draw_line(score: Score | None) -> str:
    """The answer to yxdraw, the opponent's offer: a draw is taken where the last search of the
    game saw less than an even one. `score` is what it saw, from our view; None = no search."""
    is_taken = score is not None and score < Score(0)
    return f"MESSAGE DRAW {'ACCEPT' if is_taken else 'REJECT'}"


def opening_lines(word: str, answer: Answer) -> tuple[str, ...]:
    """The answer to a step of swap2 or Soosyrv-8. The numbers of a square have a blank between
    them."""
    opening, step = word.removeprefix("YX").split("STEP")
    squares = [f"{point.x} {point.y}" for point in answer.stones]
    if step == "1":
        said = [f"MOVE{i} {square}" for i, square in enumerate(squares, start=1)]
    elif word == "YXSWAP2STEP2" and len(squares) == 2:
        said = [f"MOVE{i} {square}" for i, square in enumerate(squares, start=4)]
    elif word == "YXSOOSORVSTEP3":
        said = [f"MOVE4 {squares[0]} {answer.fifths}"]
    elif word == "YXSOOSORVSTEP5":
        said = [f"MOVE5 {text}" for text in ("REFRESH", *squares, "DONE")]
    elif word == "YXSOOSORVSTEP6":
        said = [f"MOVE5C {squares[0]}"]
    else:
        number = 1 if step == "2" else 2
        said = [f"SWAP{number} {'YES' if answer.is_swap else 'NO'}"]
    remark = f"MESSAGE {opening.capitalize()}: {answer.remark}"
    return (remark, *(f"MESSAGE {opening} {text}" for text in said))


def line_count(argument: str) -> int:
    """The number of lines that `yxnbest` asks for; Refusal where that is not a number from 1. More
    than MAX_LINES count as so many."""
    count = parse_integer(argument)
    if count is None or count < 1:
        raise Refusal(f"{quote(argument)} is not a number of lines; send YXNBEST 1 or more")
    return min(count, MAX_LINES)


def analysis_limits(limits: Limits, count: int) -> Limits:
    """The limits of a search for so many lines, from those of a move. An analysis without any limit
    goes on until it is stopped."""
    if limits == Limits(started_ns=limits.started_ns, excluded=limits.excluded):
        limits = limits._replace(turn_ms=UNTIL_STOPPED_MS)
    return limits._replace(lines=count, is_analysis=True)


def detail_lines(
    info: Info, detail: int, height: int, to_manager: Callable[[Point], Point]
) -> tuple[str, ...]:
    """What follows the usual report of a search in this dialect.

    detail      sum of SHOW_BEST and SHOW_LINES
    height      rows of the board, counted from the bottom in the names of squares
    to_manager  turns a point of the engine into the order of coordinates that the manager uses
    """
    lines = info.lines or (Line(info.score, info.depth_plies, info.seldepth_plies, info.pv),)
    found = []
    for i, line in enumerate(lines[1:], 2):
        depth = f"{line.depth_plies}-{line.seldepth_plies}"
        names = [name_point(point, height) for point in line.pv]
        found.append(squares(f"MESSAGE ({i}) {line.score} | {depth} |", names))
    if detail & SHOW_BEST:
        found.append("MESSAGE REALTIME REFRESH")
        found.append(f"MESSAGE REALTIME BEST {format_point(to_manager(info.pv[0]))}")
    if detail & SHOW_LINES:
        for i, line in enumerate(lines):
            found += _block(i, len(lines), line, info, to_manager)
    return tuple(found)


def _block(
    number: int, count: int, line: Line, info: Info, to_manager: Callable[[Point], Point]
) -> list[str]:
    """One line of play as the front ends read it; they put it together from these texts."""
    return [
        f"INFO PV {number}",
        f"INFO NUMPV {count}",
        f"INFO DEPTH {line.depth_plies}",
        f"INFO SELDEPTH {line.seldepth_plies}",
        f"INFO NODES {info.nodes}",
        f"INFO TOTALNODES {info.nodes}",
        f"INFO TOTALTIME {info.time_ms}",
        f"INFO SPEED {info.speed_nps}",
        f"INFO EVAL {line.score}",
        f"INFO WINRATE {win_chance(line.score):.4f}",
        squares("INFO BESTLINE", [format_point(to_manager(point)) for point in line.pv]),
        "INFO PV DONE",
    ]


class HashFile(NamedTuple):
    """What is to be done with a file; it thinks in the place of a brain, so that END and STOP act
    meanwhile.

    word   YXHASHDUMP or YXHASHLOAD.
    name   of the file, as it was sent.
    """

    word: str
    name: str
    brain: Brain

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> str:
        """Write or read the file; returns how much that was. The limits have no effect."""
        path = os.fsdecode(self.name.encode("latin-1"))
        if self.word == "YXHASHDUMP":
            return f"{counted(self.brain.save_hash(path), 'position')} written to {self.name}"
        return f"{counted(self.brain.load_hash(path), 'position')} read from {self.name}"

    def answer(self, outcome: object) -> str:
        """The line that tells what think() has returned or raised."""
        if isinstance(outcome, str):
            return clip(f"MESSAGE {outcome}")
        if isinstance(outcome, NotImplementedError):
            return error(f"{self.word}: {outcome}")
        reason = outcome.strerror if isinstance(outcome, OSError) else None
        return error(f"{self.word}: {self.name}: {reason or str(outcome) or 'not enough memory'}")


def hash_file(block: PathBlock, brain: Brain) -> HashFile:
    """What a word with its body asks for. Refusal where that is impossible."""
    if block.fault is not None:
        raise Refusal(f"{block.word}: {block.fault}")
    if not block.name:
        raise Refusal(f"{block.word}: send the name of a file on the next line")
    return HashFile(block.word, block.name, brain)


# More than a user chooses; Yixin-Board sends 484 paths to block all squares but one.
MAX_PATHS = 20_000

# The stones of a position: Black's and White's.
_Sides = tuple[frozenset[Point], frozenset[Point]]


class Blocked:
    """The blocked squares and paths, with squares as the manager writes them."""

    def __init__(self) -> None:
        self._points: set[Point] = set()
        # The last squares of the paths, by the position that the moves before make.
        self._paths: dict[_Sides, set[Point]] = {}

    def excluded(self, stones: Stones) -> tuple[Point, ...]:
        """The free squares of a board that are not played, row by row."""
        if not self._points and not self._paths:
            return ()
        found = self._points | self._paths.get(_sides_of(stones), set())
        return tuple([point for point in stones.free() if point in found])

    def reset(self) -> None:
        """Yxblockreset: take all squares back. Paths stay."""
        self._points.clear()

    def reset_paths(self) -> None:
        """Yxblockpathreset: take all paths back."""
        self._paths.clear()

    def take(self, block: Block, stones: Stones) -> None:
        """Carry out a body that was read without a fault. Refusal, and nothing done, where a
        square of yxblock is off the board, or too many paths are blocked."""
        match block.word:
            case "YXBLOCK" | "YXBLOCKUNDO":
                for point in block.points:
                    stones.require(point)
                is_undo = block.word == "YXBLOCKUNDO"
                change = self._points.difference_update if is_undo else self._points.update
                change(block.points)
            case "YXBLOCKPATH":
                self._block_path(block.points, stones)
            case _:
                *before, last = block.points or [Point(-1, -1)]
                self._paths.get(_sides_after(before), set()).discard(last)

    def transpose(self) -> None:
        """Exchange columns and rows."""
        self._points = _transposed(self._points)
        self._paths = {
            (frozenset(_transposed(black)), frozenset(_transposed(white))): _transposed(points)
            for (black, white), points in self._paths.items()
        }

    def _block_path(self, points: list[Point], stones: Stones) -> None:
        # Yixin-Board blocks "all but this" on boards of any size with the squares of a 22x22 one.
        if not points or not all(stones.has(point) for point in points):
            return
        if sum(map(len, self._paths.values())) >= MAX_PATHS:
            raise Refusal(f"{MAX_PATHS} paths are blocked already: send YXBLOCKPATHRESET")
        *before, last = points
        self._paths.setdefault(_sides_after(before), set()).add(last)


def _sides_of(stones: Stones) -> _Sides:
    placed = stones.placed.items()
    black = frozenset(point for point, stone in placed if stone is Stone.BLACK)
    return black, frozenset(point for point, stone in placed if stone is Stone.WHITE)


def _sides_after(moves: list[Point]) -> _Sides:
    return frozenset(moves[::2]), frozenset(moves[1::2])


def _transposed(points: set[Point] | frozenset[Point]) -> set[Point]:
    return {Point(y, x) for x, y in points}
