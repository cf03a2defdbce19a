"""A simple, honest opponent: it scores every empty point by the rows it makes or stops there, one
move deep, and plays the best. It keeps to the rule of the game, blocks, and builds; it does not
look ahead, so anything that does should beat it.

    python baselines/simple.py [--seed N]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

if not __package__:
    # Started as a file: the rooms are beside its folder, wherever that is called from.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from engine.model import Info, Limits, Point, Position, Result, Score, Stone
from match.referee import BLACK, EMPTY, WHITE, Referee

NAME = "Simple"
VERSION = "1.0"

# The worth of what a stone makes. Only the order of whole situations matters: a win before
# stopping one, an open four before stopping one, a four with an open three before either alone.
WIN = 1_000_000
OPEN_FOUR = 20_000
FOUR = 1_500
OPEN_THREE = 1_200
THREE = 150
OPEN_TWO = 100
TWO = 15
# What the opponent would make at the same point counts this much of it, in tenths.
STOPPING_TENTHS = 7

_LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
_REACH = 4  # cells along a line that can matter to a five through the point

# Rows through the point in the middle of a line of nine: `x` own, `.` empty, anything else shut.
# Taken for open are rows that can become an open four, whatever the rule says of the ends.
_OPEN_THREES = ("..xxx.", ".xxx..", ".xx.x.", ".x.xx.")
_OPEN_TWOS = ("..xx..", ".x.x..", "..x.x.", ".xx...", "...xx.", ".x..x.")


def _through_middle(shapes: Sequence[str]) -> re.Pattern[str]:
    """A pattern for lines of nine cells in which one of `shapes` covers the middle stone."""
    placed = []
    for shape in shapes:
        for i, sign in enumerate(shape):
            before = _REACH - i
            if sign == "x" and 0 <= before and before + len(shape) <= 2 * _REACH + 1:
                placed.append(f".{{{before}}}{re.escape(shape)}")
    return re.compile("|".join(placed))


_OPEN_THREE_LINE = _through_middle(_OPEN_THREES)
_OPEN_TWO_LINE = _through_middle(_OPEN_TWOS)


class Simple:
    """The brain: see `protocol.brain.Brain`.

    seed  decides between points of equal worth; equal seeds play equal games. 0: the point
          nearest to the centre, then the topmost, then the leftmost.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._stop_requested = False
        self._position = Position(15, 15)
        self._board = Referee(15, 15, 0)

    def new_game(self) -> None:
        """Nothing is ever learned, so nothing is forgotten."""

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> None:
        """No memory to speak of is used."""

    def set_parameter(self, name: str, value: int) -> None:
        """ValueError: there is nothing to tune."""
        raise ValueError("there is no parameter of that name")

    def set_position(self, position: Position) -> None:
        """Takes over a position; ValueError when it cannot be set up."""
        stones = position.stones
        walls = [(placed.x, placed.y) for placed in stones if placed.stone == Stone.WALL]
        board = Referee(position.width, position.height, position.rule, walls)
        for placed in stones:
            if placed.stone != Stone.WALL:
                board.play(placed.x, placed.y, int(placed.stone))
        self._position = position
        self._board = board

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The best point by its score; never forbidden unless every point is. The limits need no
        watching: this is over before any of them. ValueError on a full board."""
        started_ns = limits.started_ns or time.monotonic_ns()
        colour = int(self._position.side_to_move)
        points = self._points_of_interest(colour)
        best: tuple[int, float, Point] | None = None
        ties = self._tie_breaks()
        looked_at = 0
        for point in points:
            if best is not None and self._stop_requested:
                break
            looked_at += 1
            candidate = (self._worth(point, colour), ties(point), point)
            if best is None or candidate[:2] > best[:2]:
                best = candidate
        if best is None:
            raise ValueError("no empty point is left to play")
        worth, _, move = best
        score = Score(mate_plies=1) if worth >= WIN else Score(worth)
        time_ms = max(0, time.monotonic_ns() - started_ns) // 1_000_000
        speed_nps = looked_at * 1000 // max(1, time_ms)
        info = Info(1, 1, score, looked_at, speed_nps, time_ms, (move,))
        if on_info is not None:
            on_info(info)
        return Result(move, info)

    def request_stop(self) -> None:
        """The best point so far will do."""
        self._stop_requested = True

    def clear_stop(self) -> None:
        """Takes an earlier `request_stop` back."""
        self._stop_requested = False

    def _points_of_interest(self, colour: int) -> list[Point]:
        """The empty points within two cells of a stone, or all if there is none (or no empty one)
        there; without the forbidden ones unless there are no others."""
        board = self._board
        stones = board.stones()
        if not stones and board.legal(board.width // 2, board.height // 2):
            return [Point(board.width // 2, board.height // 2)]
        near = {
            Point(x + dx, y + dy)
            for x, y, _ in stones
            for dx in range(-2, 3)
            for dy in range(-2, 3)
            if board.legal(x + dx, y + dy)
        }
        everything = [Point(x, y) for x, y in board.empties()]
        for points in (sorted(near), everything):
            allowed = points
            if colour == BLACK:
                allowed = [point for point in points if board.foul(*point) is None]
            if allowed:
                return allowed
        return everything

    def _tie_breaks(self) -> Callable[[Point], float]:
        """A number for each point that depends on position and seed only; the higher is played."""
        if self._seed == 0:
            middle_x = (self._board.width - 1) / 2
            middle_y = (self._board.height - 1) / 2
            return lambda p: -(abs(p.x - middle_x) + abs(p.y - middle_y)) - p.y / 1e3 - p.x / 1e6
        rng = random.Random(f"{self._seed} {sorted(self._board.stones())}")
        numbers = {
            (x, y): rng.random()
            for y in range(self._board.height)
            for x in range(self._board.width)
        }
        return lambda p: numbers[p]

    def _worth(self, point: Point, colour: int) -> int:
        """What the point is worth to `colour`: what it makes, and part of what it stops."""
        opponent = BLACK + WHITE - colour
        made = self._made(point, colour)
        if made >= WIN:
            return made
        # A point where Black may not play needs no stopping.
        if opponent == BLACK and self._board.foul(*point) is not None:
            return made
        return made + self._made(point, opponent) * STOPPING_TENTHS // 10

    def _made(self, point: Point, colour: int) -> int:
        """The worth of all that a stone of `colour` makes at the point."""
        board = self._board
        if board.makes_win(*point, colour):
            return WIN
        total = 0
        completions: set[Point] = set()
        board.play(*point, colour)
        for dx, dy in _LINES:
            cells = [Point(point.x + i * dx, point.y + i * dy) for i in range(-_REACH, _REACH + 1)]
            line = "".join(self._sign(cell, colour) for cell in cells)
            if not _has_room(line):
                continue
            own = line.count("x")
            if own >= 4:
                new = {cell for cell in cells if self._completes(cell, colour)}
                completions |= new
                if new:
                    continue
            if own >= 3:
                total += OPEN_THREE if _OPEN_THREE_LINE.match(line) else THREE
            elif own == 2:
                total += OPEN_TWO if _OPEN_TWO_LINE.match(line) else TWO
        board.undo()
        if len(completions) >= 2:
            return total + OPEN_FOUR
        return total + (FOUR if completions else 0)

    def _completes(self, cell: Point, colour: int) -> bool:
        return self._board.legal(*cell) and self._board.makes_win(*cell, colour)

    def _sign(self, cell: Point, colour: int) -> str:
        stone = self._board.cell(*cell)
        return "." if stone == EMPTY else "x" if stone == colour else "#"


def _has_room(line: str) -> bool:
    """Could a five through the middle of a line of nine still come about?"""
    before, after = line[:_REACH], line[_REACH + 1 :]
    return len(before) - before.rfind("#") - 1 + (after + "#").find("#") >= _REACH


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program with `argv` (default: the command line); returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="simple", description="A simple Gomoku opponent that speaks the Gomocup protocol."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="choose between equal moves (default 0)"
    )
    arguments = parser.parse_args(argv)

    from protocol.loop import run
    from protocol.messages import About

    run(lambda: Simple(arguments.seed), About(NAME, VERSION, "the Tengen developers"))


if __name__ == "__main__":
    raise SystemExit(main())
