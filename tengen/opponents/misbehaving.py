"""A program for testing match runners: it plays legal moves at once, or misbehaves as told.

    python -m tengen.opponents.misbehaving [SWITCH ...]
    python tengen/opponents/misbehaving.py [SWITCH ...]

Without switches, two copies of it fill the board without a five. Each switch is one thing that
real programs do wrong, or a correct behaviour that careless managers do not expect;
`--help` lists them. Switches can be combined. It has a protocol loop of its own, because the loop
that the other opponents share prevents all of this.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

if not __package__:
    # Started as a file: the packages are found from the place of this file.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tengen.opponents.quick_board import BLACK, WALL, WHITE, Board, Cell
from tengen.opponents.switches import AT_MOVE, read_switches

if TYPE_CHECKING:
    import argparse

# What hangs, floods or stays behind ends by itself after this time, in case its manager fails.
LIFE_S = 600
_PAGE_BYTES = 4096
_NAME = b'name="Misbehaving", version="1.0", author="the Tengen developers", country=""'
_ABSURD = (
    "MESSAGE",
    "DEBUG",
    "message eval",
    "MESSAGE Depth | Eval | Node | ",
    "MESSAGE Depth 7-3 | Eval nan | Node -5 | Time -1ms | Z99",
    f"MESSAGE Depth {'9' * 400} | Eval -{'9' * 400}.5 | Node {'9' * 400}G",
    f"MESSAGE Depth {'9' * 5000}",
    f"MESSAGE Eval +M{'9' * 5000}",
    f"MESSAGE Node {'9' * 5000}",
    "MESSAGE [/red] %s {0} \\ \x1b[2J \x07",
)
# A child writes a character when it has allocated its memory, and keeps running. Its last argument
# is the label by which it can be found.
_CHILD = (
    "import os, sys, time; b = bytearray(int(sys.argv[1]) << 20);"
    f" b[::{_PAGE_BYTES}] = bytes([1]) * len(b[::{_PAGE_BYTES}]);"
    f" os.write(2, b'.'); time.sleep({LIFE_S})"
)


class Misbehaving:
    """The program: reads commands and answers them as its switches say."""

    def __init__(self, switches: argparse.Namespace) -> None:
        self._switches = switches
        self._line_end = b"\r\n" if switches.crlf else b"\n"
        self._rule = 0
        self._turn_ms = self._left_ms = 0
        self._board = Board(15, 15, 0, switches.instant)
        self._moves = 0
        self._colour = BLACK
        self._asked_at = 0.0
        self._hoard: list[bytearray] = []
        self._starts = 0
        self._ponder: _Ponder | None = _Ponder() if switches.ponder else None
        # The misbehaviour asked for, and from which move on.
        self._due: list[tuple[int, Callable[[], bool]]] = []
        for name in [name.replace("-", "_") for part in AT_MOVE.values() for name, _ in part]:
            if (n := getattr(switches, name)) is not None:
                self._due.append((n, getattr(self, f"_{name}")))

    # ---- the protocol

    def run(self) -> None:
        """Answers commands until END or the end of the input."""
        switches = self._switches
        if switches.dead_on_arrival:
            self._die(127, "error while loading shared libraries: libnothing.so.1: cannot open")
        if switches.ignore_end:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if switches.slow_start:
            time.sleep(switches.slow_start)
        if switches.banner:
            self._say("Misbehaving 1.0, a program with a banner")
        for line in self._lines():
            words = line.decode("ascii", "replace").split(maxsplit=1)
            if not words:
                continue
            word = words[0].upper()
            if word == "END":
                break
            self._obey(word, words[1].strip() if len(words) > 1 else "")
        if switches.ignore_end:
            self._hang()
        # Without any clean-up, which would only take time.
        os._exit(0)

    def _lines(self) -> Iterator[bytes]:
        if not self._switches.races:
            yield from sys.stdin.buffer
            return
        while chunk := os.read(0, 65536):
            yield from reversed(chunk.splitlines())

    def _obey(self, word: str, rest: str) -> None:
        self._asked_at = time.monotonic()
        if word in ("START", "RECTSTART"):
            self._start([int(side) for side in rest.replace(",", " ").split()])
        elif word == "INFO":
            self._note(rest)
        elif word == "BEGIN":
            self._move()
        elif word == "TURN":
            x, y = _numbers(rest)
            self._board.play(x, y, self._board.colour_to_move)
            self._move()
        elif word == "BOARD":
            self._set_up(self._body())
            self._move()
        elif word == "SWAP2BOARD":
            stones = self._body()
            self._say(self._switches.swap2 or self._swap2_answer(stones))
        elif word == "ABOUT":
            os.write(1, _NAME + self._line_end)
        else:
            self._say(f"UNKNOWN {word.lower()}")

    def _start(self, sides: list[int]) -> None:
        self._board = self._new_board(sides[0], sides[-1])
        self._moves = 0
        self._starts += 1
        switches = self._switches
        if switches.no_ok or (switches.one_game and self._starts > 1):
            return
        if switches.dies_on_second_start and self._starts > 1:
            self._die(4, "fatal: the board is in use")
        if switches.error_on_start:
            self._say(f"ERROR size {sides[0]} is not supported")
            return
        if switches.children and self._starts == 1:
            self._start_children()
        if switches.litter:
            self._litter(".")
        self._say("OK - everything is fine" if switches.chatty_ok else "OK")

    def _new_board(self, width: int, height: int) -> Board:
        return Board(width, height, self._rule, self._switches.instant)

    def _note(self, info: str) -> None:
        key, _, value = info.lower().partition(" ")
        if key == "rule":
            # It comes after START in most managers; the board is still empty then.
            self._rule = int(value)
            board = self._board
            if not board.stone_count:
                self._board = self._new_board(board.width, board.height)
        elif key == "timeout_turn":
            self._turn_ms = int(value)
        elif key == "time_left":
            self._left_ms = int(value)
        elif key == "folder" and self._switches.litter:
            self._litter(info.partition(" ")[2])
        if self._switches.answers_info:
            self._say("UNKNOWN info")

    def _body(self) -> list[list[int]]:
        body = []
        for line in sys.stdin.buffer:
            text = line.decode("ascii", "replace").strip()
            if text.upper() == "DONE":
                break
            body.append(_numbers(text))
        return body

    def _set_up(self, body: list[list[int]]) -> None:
        board = self._new_board(self._board.width, self._board.height)
        fields = [field for _, _, field in body]
        is_black = fields.count(1) == fields.count(2)
        own, other = (BLACK, WHITE) if is_black else (WHITE, BLACK)
        colours = {1: own, 2: other, 3: WALL}
        for x, y, field in body:
            board.play(x, y, colours[field])
        self._board = board

    def _swap2_answer(self, stones: list[list[int]]) -> str:
        # Three stones that make no threat; later always the choice to stay White and move.
        width, height = self._board.width, self._board.height
        if not stones:
            return f"0,0 {width - 1},0 0,{height - 1}"
        self._set_up([[x, y, 2 - i % 2] for i, (x, y) in enumerate(stones)])
        return _text(self._board.quiet_move(WHITE))

    def _move(self) -> None:
        self._moves += 1
        self._colour = self._board.colour_to_move
        switches = self._switches
        if self._ponder is not None:
            self._ponder.pause()
        if switches.only_as in (None, self._colour):
            self._prepare()
            for n, act in self._due:
                if self._moves >= n and act():
                    return
        self._answer(self._choose())

    def _prepare(self) -> None:
        """What is done before every move."""
        switches = self._switches
        if switches.think:
            time.sleep(switches.think)
        if switches.memory_hog and self._moves >= switches.memory_at and not self._hoard:
            self._hoard.append(_touched(switches.memory_hog))
        if switches.leak:
            self._hoard.append(_touched(switches.leak))
        if switches.stderr:
            os.write(2, b"info: thinking\n")
        if switches.plain_text:
            self._say("let me see")
        if switches.nodes_report:
            nodes = 1000 * self._moves if self._ponder is None else self._ponder.count
            self._say(
                f"MESSAGE Depth {self._moves}-{self._moves + 2} | Eval {10 * self._moves}"
                f" | Node {nodes} | Time 1ms | H8 H9"
            )

    def _choose(self) -> Cell:
        if self._switches.instant:
            return self._board.first_empty()
        if self._switches.forbidden and self._colour == BLACK and self._board.has_fouls:
            return self._board.towards_foul() or self._board.quiet_move(BLACK)
        return self._board.quiet_move(self._colour)

    def _answer(self, cell: Cell, more: str = "") -> None:
        """Plays the move and prints it; `more` follows in the same write."""
        self._board.play(*cell, self._colour)
        text = _text(cell)
        self._say((f"  {text.replace(',', ' , ')} " if self._switches.blanks else text) + more)
        if self._ponder is not None:
            self._ponder.resume()

    def _say(self, text: str) -> None:
        os.write(1, text.encode("ascii") + self._line_end)

    # ---- misbehaving at a move; True if this request gets no further answer

    def _crash(self) -> bool:
        self._die(3, f"fatal: something broke on move {self._moves}")

    def _exit(self) -> bool:
        os._exit(0)

    def _abort(self) -> bool:
        os.abort()

    def _stall(self) -> bool:
        self._hang()

    def _late(self) -> bool:
        limits_ms = [ms for ms in (self._turn_ms, self._left_ms) if ms > 0]
        over_at = self._asked_at + min(limits_ms, default=0) / 1000 + self._switches.late_by
        time.sleep(max(0.0, over_at - time.monotonic()))
        return False

    def _illegal(self) -> bool:
        cell = self._board.first_occupied()
        if cell is not None:
            self._say(_text(cell))
        return cell is not None

    def _off_board(self) -> bool:
        self._say(f"{self._board.width},0")
        return True

    def _forbidden(self) -> bool:
        cell = self._board.foul() if self._colour == BLACK else None
        if cell is not None:
            self._answer(cell)
        return cell is not None

    def _garbage(self) -> bool:
        self._say("I resign, well played")
        return True

    def _error(self) -> bool:
        self._say("ERROR no move found")
        return True

    def _suggest(self) -> bool:
        self._say(f"SUGGEST {_text(self._choose())}")
        return True

    def _no_line_end(self) -> bool:
        os.write(1, _text(self._choose()).encode("ascii"))
        return True

    def _two_moves(self) -> bool:
        self._answer(self._choose(), self._line_end.decode() + "0,0")
        return True

    def _split(self) -> bool:
        x, y = self._choose()
        self._board.play(x, y, self._colour)
        os.write(1, b"%d," % x)
        time.sleep(0.05)
        self._say(str(y))
        return True

    def _long_line(self) -> bool:
        self._say("MESSAGE " + "x" * 1_000_000)
        return False

    def _binary(self) -> bool:
        os.write(1, bytes(range(128, 256)) + b"\0\7" + self._line_end)
        return False

    def _absurd(self) -> bool:
        for text in _ABSURD:
            self._say(text)
        return False

    def _endless_line(self) -> bool:
        self._flood_with(1, b"x" * 4096)

    def _flood(self) -> bool:
        self._flood_with(1, b"MESSAGE I am still thinking" + self._line_end)

    def _flood_stderr(self) -> bool:
        self._flood_with(2, b"warning: I am still thinking\n")

    def _closes_output(self) -> bool:
        os.close(1)
        self._hang()

    def _closes_input(self) -> bool:
        # In this order: the next request follows the answer, and must fail to be written.
        os.close(0)
        self._answer(self._choose())
        self._hang()

    # ---- helpers

    def _die(self, status: int, words: str) -> NoReturn:
        os.write(2, words.encode("ascii") + b"\n")
        os._exit(status)

    def _hang(self) -> NoReturn:
        time.sleep(LIFE_S)
        os._exit(0)

    def _flood_with(self, pipe: int, piece: bytes) -> NoReturn:
        pieces = piece * (65536 // len(piece))
        ends_at = time.monotonic() + LIFE_S
        while time.monotonic() < ends_at:
            os.write(pipe, pieces)
        os._exit(0)

    def _litter(self, folder: str) -> None:
        with open(os.path.join(folder, "litter"), "wb") as file:
            file.truncate(self._switches.litter << 20)

    def _start_children(self) -> None:
        import subprocess

        memory = str(self._switches.child_memory)
        for i in range(self._switches.children):
            # The first child leaves the process group and the session, as daemons do.
            child = subprocess.Popen(
                [sys.executable, "-SEc", _CHILD, memory, self._switches.label],
                stderr=subprocess.PIPE,
                start_new_session=i == 0,
            )
            assert child.stderr is not None
            child.stderr.read(1)


class _Ponder:
    """A thread that counts as fast as it can while it is not paused."""

    def __init__(self) -> None:
        import threading

        self.count = 0
        self._may_run = threading.Event()
        threading.Thread(target=self._work, daemon=True).start()

    def resume(self) -> None:
        """The opponent's time begins."""
        self._may_run.set()

    def pause(self) -> None:
        """The opponent's time is over; `count` is the total since the start of the program."""
        self._may_run.clear()

    def _work(self) -> None:
        while self._may_run.wait():
            self.count += 1


def _touched(mebibytes: int) -> bytearray:
    """Memory that is really in use: every page has been written to."""
    block = bytearray(mebibytes << 20)
    block[::_PAGE_BYTES] = b"\1" * len(block[::_PAGE_BYTES])
    return block


def _text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.replace(",", " ").split()]


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with `argv` (default: the command line)."""
    switches = read_switches(argv)
    try:
        Misbehaving(switches).run()
    except BrokenPipeError:
        # The manager has gone.
        os._exit(1)


if __name__ == "__main__":
    main()
