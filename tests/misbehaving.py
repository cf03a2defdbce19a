"""A program for testing match runners: it plays legal moves at once, or misbehaves as told.

    python -m tests.misbehaving [--SWITCH [VALUE] ...]

Without switches, two copies of it fill the board without a five. Each switch is one thing that
real programs do wrong, or a correct behaviour that careless managers do not expect. It has a
protocol loop of its own, because the loop of the opponents prevents all of this.

At its own move N of a game, counted from 1, and if it still can at all later ones (N is 1 where it
is left out), in this order; the first four only precede the move:

    long-line, binary, absurd       a MESSAGE of a million characters, no text, absurd numbers
    late                            the move comes --late-by seconds (0.5) after its time is over
    crash, exit, abort              ends with status 3 and a line on the error output, with 0, or by
                                    a signal
    closes-output, closes-input     and stays alive
    stall, garbage, error, no-line-end   no move that a manager can read
    illegal, off-board, forbidden   a cell that is taken, one off the board, Black's foul in renju
    suggest                         SUGGEST and the move, which follows after PLAY
    split, two-moves                in two pieces 50 ms apart; a second line with a move follows
    flood, flood-stderr, endless-line   without end

For the whole time:

    dead-on-arrival, slow-start S   ends with status 127 before it reads; reads nothing for S s
    no-ok, error-on-start           START is not answered, or by ERROR
    dies-on-second-start            the second START of a process ends it
    ignore-end                      stays alive after END and the end of input, and ignores SIGTERM
    memory-hog MIB, leak MIB        takes so much memory at move --memory-at (1), or at every move
    children K                      starts so many processes that outlive it, the first in a session
                                    of its own; each holds --child-memory MIB (0)
    ponder                          keeps a core busy in the opponent's time; see nodes-report
    banner, chatty-ok, answers-info, plain-text, stderr   more lines than it is asked for
    blanks, crlf                    blanks around the numbers of a move; CR LF at the end of lines
    nodes-report                    a MESSAGE with depth, value and nodes before each move
    swap2 TEXT                      the answer to every SWAP2BOARD
    instant                         plays the first empty cell: for measuring the cost of a runner
    think S                         takes S seconds for a move
    only-as COLOUR                  misbehaves at moves of black or white only
    label TEXT                      does nothing; its children can be found by it, too

What hangs or floods ends by itself after ten minutes.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

if not __package__:
    # Started as a file: the packages are found from the place of this file.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from tengen.game.referee import BLACK, RENJU, WHITE, Cell, Referee

# How tests start it.
COMMAND = (sys.executable, "-E", str(Path(__file__).resolve()))
LIFE_S = 600
# In the order in which they take effect; the method of the same name does it.
AT_MOVE = (
    *("long-line", "binary", "absurd", "late"),
    *("crash", "exit", "abort", "closes-output", "closes-input"),
    *("stall", "garbage", "error", "suggest", "no-line-end", "illegal", "off-board", "forbidden"),
    *("split", "two-moves", "flood", "flood-stderr", "endless-line"),
)
_PAGE_BYTES = 4096
_NAME = 'name="Misbehaving", version="1.0", author="the Tengen developers", country=""'
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
    """The program: reads commands and answers them as its switches say, which have their values as
    texts."""

    def __init__(self, switches: dict[str, str]) -> None:
        self._switches = switches
        self._line_end = b"\r\n" if "crlf" in switches else b"\n"
        self._rule = 0
        self._turn_ms = self._left_ms = 0
        self._board = Referee(15, 15, 0)
        self._moves = 0
        self._colour = BLACK
        self._asked_at = 0.0
        self._hoard: list[bytearray] = []
        self._starts = 0
        self._ponder = _Ponder() if "ponder" in switches else None
        # The misbehaviour asked for, and from which move on.
        self._due: list[tuple[int, Callable[[], bool]]] = [
            (self._number(name, 1), getattr(self, "_" + name.replace("-", "_")))
            for name in AT_MOVE
            if name in switches
        ]

    def _number(self, switch: str, default: int = 0) -> int:
        return int(self._switches.get(switch) or default)

    # ---- the protocol

    def run(self) -> None:
        """Answers commands until END or the end of the input."""
        switches = self._switches
        if "dead-on-arrival" in switches:
            self._die(127, "error while loading shared libraries: libnothing.so.1: cannot open")
        if "ignore-end" in switches:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(float(switches.get("slow-start", 0)))
        if "banner" in switches:
            self._say("Misbehaving 1.0, a program with a banner")
        for line in sys.stdin.buffer:
            word, _, rest = line.decode("ascii", "replace").strip().partition(" ")
            if word.upper() == "END":
                break
            if word:
                self._obey(word.upper(), rest.strip())
        if "ignore-end" in switches:
            self._hang()
        # Without any clean-up, which would only take time.
        os._exit(0)

    def _obey(self, word: str, rest: str) -> None:
        self._asked_at = time.monotonic()
        match word:
            case "START" | "RECTSTART":
                self._start(_numbers(rest))
            case "INFO":
                self._note(rest)
            case "BEGIN":
                self._move()
            case "TURN":
                x, y = _numbers(rest)
                self._board.play(x, y, self._colour_to_move)
                self._move()
            case "BOARD":
                self._set_up(self._body())
                self._move()
            case "SWAP2BOARD":
                stones = self._body()
                self._say(self._switches.get("swap2") or self._swap2_answer(stones))
            case "PLAY" if "suggest" in self._switches:
                x, y = _numbers(rest)
                self._answer((x, y))
            case "ABOUT":
                self._say(_NAME)
            case _:
                self._say(f"UNKNOWN {word.lower()}")

    def _start(self, sides: list[int]) -> None:
        self._board = Referee(sides[0], sides[-1], self._rule)
        self._moves = 0
        self._starts += 1
        switches = self._switches
        if "no-ok" in switches:
            return
        if "dies-on-second-start" in switches and self._starts > 1:
            self._die(4, "fatal: the board is in use")
        if "error-on-start" in switches:
            self._say(f"ERROR size {sides[0]} is not supported")
            return
        if self._starts == 1:
            self._start_children(self._number("children"))
        self._say("OK - everything is fine" if "chatty-ok" in switches else "OK")

    def _note(self, info: str) -> None:
        key, _, value = info.lower().partition(" ")
        if key == "rule":
            # It comes after START in most managers; the board is still empty then.
            self._rule = int(value)
            if not self._board.stones():
                self._board = Referee(self._board.width, self._board.height, self._rule)
        elif key == "timeout_turn":
            self._turn_ms = int(value)
        elif key == "time_left":
            self._left_ms = int(value)
        if "answers-info" in self._switches:
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
        fields = [field for _, _, field in body]
        is_black = fields.count(1) == fields.count(2)
        colours = {1: BLACK if is_black else WHITE, 2: WHITE if is_black else BLACK}
        walls = [(x, y) for x, y, field in body if field == 3]
        self._board = Referee(self._board.width, self._board.height, self._rule, walls)
        for x, y, field in body:
            if field != 3:
                self._board.play(x, y, colours[field])

    def _swap2_answer(self, stones: list[list[int]]) -> str:
        # Three stones that make no threat; later always the choice to stay White and move.
        width, height = self._board.width, self._board.height
        if not stones:
            return f"0,0 {width - 1},0 0,{height - 1}"
        self._set_up([[x, y, 2 - i % 2] for i, (x, y) in enumerate(stones)])
        return _text(self._quiet_move(WHITE))

    def _move(self) -> None:
        self._moves += 1
        self._colour = self._colour_to_move
        if self._ponder is not None:
            self._ponder.pause()
        if self._switches.get("only-as") in (None, {BLACK: "black", WHITE: "white"}[self._colour]):
            self._prepare()
            for n, act in self._due:
                if self._moves >= n and act():
                    return
        self._answer(self._choose())

    def _prepare(self) -> None:
        """What is done before every move."""
        switches = self._switches
        time.sleep(float(switches.get("think", 0)))
        if "memory-hog" in switches and not self._hoard:
            if self._moves >= self._number("memory-at", 1):
                self._hoard.append(_touched(self._number("memory-hog")))
        if "leak" in switches:
            self._hoard.append(_touched(self._number("leak")))
        if "stderr" in switches:
            os.write(2, b"info: thinking\n")
        if "plain-text" in switches:
            self._say("let me see")
        if "nodes-report" in switches:
            nodes = 1000 * self._moves if self._ponder is None else self._ponder.count
            self._say(
                f"MESSAGE Depth {self._moves}-{self._moves + 2} | Eval {10 * self._moves}"
                f" | Node {nodes} | Time 1ms | H8 H9"
            )

    def _choose(self) -> Cell:
        if "instant" in self._switches:
            return self._board.empties()[0]
        if "forbidden" in self._switches and self._may_foul:
            return _towards_foul(self._board) or self._quiet_move(BLACK)
        return self._quiet_move(self._colour)

    def _quiet_move(self, colour: int) -> Cell:
        """The first empty cell that a pattern without fives gives to this colour, else the first of
        all; no foul unless every empty cell is one."""
        empties = self._board.empties()
        own = [(x, y) for x, y in empties if ((x + 2 * y) % 4 < 2) == (colour == BLACK)]
        for cell in own + empties:
            if colour == WHITE or self._board.foul(*cell) is None:
                return cell
        return empties[0]

    @property
    def _colour_to_move(self) -> int:
        return WHITE if len(self._board.stones()) % 2 else BLACK

    @property
    def _may_foul(self) -> bool:
        return self._board.rule == RENJU and self._colour == BLACK

    def _answer(self, cell: Cell, more: str = "") -> None:
        """Plays the move and prints it; `more` follows in the same write."""
        self._board.play(*cell, self._colour)
        text = _text(cell)
        self._say((f"  {text.replace(',', ' , ')} " if "blanks" in self._switches else text) + more)
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
        late_s = float(self._switches.get("late-by", 0.5))
        over_at = self._asked_at + min(limits_ms, default=0) / 1000 + late_s
        time.sleep(max(0.0, over_at - time.monotonic()))
        return False

    def _illegal(self) -> bool:
        taken = [(y, x) for x, y, _ in self._board.stones()]
        if taken:
            y, x = min(taken)
            self._say(_text((x, y)))
        return bool(taken)

    def _off_board(self) -> bool:
        self._say(f"{self._board.width},0")
        return True

    def _forbidden(self) -> bool:
        fouls = self._board.forbidden_points() if self._may_foul else set()
        if fouls:
            self._answer(min(fouls))
        return bool(fouls)

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
        _flood_with(1, b"x" * 4096)

    def _flood(self) -> bool:
        _flood_with(1, b"MESSAGE I am still thinking" + self._line_end)

    def _flood_stderr(self) -> bool:
        _flood_with(2, b"warning: I am still thinking\n")

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

    def _start_children(self, count: int) -> None:
        import subprocess

        memory = str(self._number("child-memory"))
        for i in range(count):
            # The first child leaves the process group and the session, as daemons do.
            child = subprocess.Popen(
                [sys.executable, "-SEc", _CHILD, memory, self._switches.get("label", "")],
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
        self.resume, self.pause = self._may_run.set, self._may_run.clear
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while self._may_run.wait():
            self.count += 1


def _towards_foul(board: Referee) -> Cell | None:
    """Black's next stone of a cross whose middle becomes a double three; None if there is no room
    for one. No stone of it makes a three that an opponent would answer."""
    best: tuple[int, int, Cell] | None = None
    for y in range(4, board.height - 4):
        for x in range(4, board.width - 4):
            arms = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            lines = [(x + i, y) for i in range(-4, 5)] + [(x, y + i) for i in range(-4, 5)]
            free = [cell for cell in arms if board.legal(*cell)]
            own = sum(board.cell(*cell) == BLACK for cell in arms)
            is_clear = all(board.legal(*cell) for cell in lines if cell not in arms)
            if free and own + len(free) == 4 and is_clear:
                from_middle = abs(x - board.width // 2) + abs(y - board.height // 2)
                best = max(best or (-1, 0, free[0]), (own, -from_middle, free[0]))
    return best[2] if best else None


def _flood_with(pipe: int, piece: bytes) -> NoReturn:
    pieces = piece * (65536 // len(piece))
    ends_at = time.monotonic() + LIFE_S
    while time.monotonic() < ends_at:
        os.write(pipe, pieces)
    os._exit(0)


def _touched(mebibytes: int) -> bytearray:
    """Memory that is really in use: every page has been written to."""
    block = bytearray(mebibytes << 20)
    block[::_PAGE_BYTES] = b"\1" * len(block[::_PAGE_BYTES])
    return block


def _text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.replace(",", " ").split()]


def main() -> None:
    """Runs the program with the switches of the command line."""
    switches: dict[str, str] = {}
    for word in sys.argv[1:]:
        if word.startswith("--"):
            # A switch that is not described does nothing, and a test of it would prove nothing.
            assert word[2:] in (__doc__ or ""), word
            switches[word[2:]] = ""
        else:
            switches[list(switches)[-1]] = word
    try:
        Misbehaving(switches).run()
    except BrokenPipeError:
        # The manager has gone.
        os._exit(1)


if __name__ == "__main__":
    main()
