"""What the opponents have in common: a position set up by the referee, a clock, legal moves, and
reports. So the file of each holds its idea and nothing else.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.model import Info, Limits, Point, Position, Result, Score, Stone
from tengen.rules.referee import BLACK, DIRECTIONS, FREESTYLE, WHITE, Cell, Referee

if TYPE_CHECKING:
    from random import Random

# For a move when nothing limits it.
DEFAULT_TURN_MS = 5_000
# Of the time for a move: kept back for the way to the manager, and for a machine that is busy.
RESERVE_MS = 15
RESERVE_PARTS = 10
# A game's time left is shared out among so many moves.
MOVES_LEFT = 20


class TimeUp(Exception):
    """Raised by `Clock.count` when it is time to play."""


class Clock:
    """When to stop thinking: a moment, a number of positions, or a request to stop.

    limits      those of the move; see `engine.model.Limits`.
    is_stopped  has somebody asked to stop?
    """

    def __init__(self, limits: Limits, is_stopped: Callable[[], bool]) -> None:
        now_ns = time.monotonic_ns()
        started_ns = now_ns if limits.started_ns is None else limits.started_ns
        self.nodes = 0
        self._is_stopped = is_stopped
        self._nodes_limit = limits.nodes
        self._deadline_ns = started_ns + _usable_ms(limits) * 1_000_000
        self._whole: Clock | None = None

    @property
    def is_stopped(self) -> bool:
        """True when somebody has asked for the move."""
        return self._is_stopped()

    @property
    def is_over(self) -> bool:
        """True when it is time to play."""
        return (
            self._is_stopped()
            or (self._nodes_limit is not None and self.nodes >= self._nodes_limit)
            or time.monotonic_ns() >= self._deadline_ns
        )

    def count(self) -> None:
        """Counts one more position looked at; TimeUp when it is one too many."""
        if self.is_over:
            raise TimeUp
        self.nodes += 1
        if self._whole is not None:
            self._whole.nodes += 1

    def share(self, part: float, nodes: int | None = None) -> Clock:
        """A clock for one part of the work, which counts on this one too.

        part   of the time that is left, between 0 and 1.
        nodes  positions that it may count at most.
        """
        now_ns = time.monotonic_ns()
        left_nodes = None if self._nodes_limit is None else self._nodes_limit - self.nodes
        clock = Clock(Limits(), self._is_stopped)
        clock._deadline_ns = now_ns + int((self._deadline_ns - now_ns) * part)
        clock._nodes_limit = min((n for n in (nodes, left_nodes) if n is not None), default=None)
        clock._whole = self
        return clock


def _usable_ms(limits: Limits) -> int:
    """Milliseconds from the start of a move that may be thought."""
    allowed = [] if limits.turn_ms is None else [limits.turn_ms]
    if limits.left_ms is not None:
        allowed.append(max(0, limits.left_ms) // MOVES_LEFT)
    whole = min(allowed, default=DEFAULT_TURN_MS)
    return max(0, whole - max(RESERVE_MS, whole // RESERVE_PARTS))


class Choice(NamedTuple):
    """What a brain thinks of a position.

    cells        the best first. Played is the first that is no foul, and no five that does not
                 count by the rule; where there is none among them, the same of all empty cells.
    score        what the first is worth, on a scale of the brain's own; for reports.
    depth_plies  how far it has looked ahead, the move itself included.
    """

    cells: Sequence[Cell]
    score: Score = Score()
    depth_plies: int = 1


class Baseline(ABC):
    """A brain (see `protocol.brain.Brain`) but for its idea, which is `choose`.

    seed  decides where the idea leaves something to chance; equal seeds play equal games.
    """

    # Ideas that know five in a row and no other rule would take an overline of the standard game,
    # or a five that is shut at both ends in caro, for a win: here such points come last.
    knows_every_rule = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._stop_requested = False
        self._side = BLACK
        self._board = Referee(15, 15, 0)

    @abstractmethod
    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The cells for `colour` to play, the best first.

        The board may be changed meanwhile but has to be left as it was. There is at least one
        empty cell.
        """

    def new_game(self) -> None:  # noqa: B027 - right for all of them
        """Nothing is ever learned, so nothing is forgotten."""

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        """No memory to speak of is used."""
        return None

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
        self._side = int(position.side_to_move)
        self._board = board

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The best allowed cell; a forbidden point only when all are. ValueError on a full
        board."""
        started_ns = limits.started_ns or time.monotonic_ns()
        if self._board.is_full():
            raise ValueError("no empty point is left to play")
        clock = Clock(limits, lambda: self._stop_requested)
        choice = self.choose(self._board, self._side, clock)
        move = Point(*self._first_allowed(choice.cells))
        time_ms = max(0, time.monotonic_ns() - started_ns) // 1_000_000
        speed_nps = clock.nodes * 1000 // max(1, time_ms)
        depth = choice.depth_plies
        info = Info(depth, depth, choice.score, clock.nodes, speed_nps, time_ms, (move,))
        if on_info is not None:
            on_info(info)
        return Result(move, info)

    def _first_allowed(self, cells: Sequence[Cell]) -> Cell:
        """The first cell that may be played, as `Choice.cells` says it."""
        board, colour = self._board, self._side
        ranked = [cell for cell in (*cells, *board.empties()) if board.legal(*cell)]
        if not self.knows_every_rule and board.rule != FREESTYLE:
            ranked.sort(key=lambda cell: _is_vain_five(board, cell))
        for cell in ranked:
            if colour != BLACK or board.foul(*cell) is None:
                return cell
        return ranked[0]

    def request_stop(self) -> None:
        """The best found so far will do."""
        self._stop_requested = True

    def clear_stop(self) -> None:
        """Takes an earlier `request_stop` back."""
        self._stop_requested = False


def centre(board: Referee) -> Cell:
    """The cell in the middle; of an even number the one further down or to the right."""
    return board.width // 2, board.height // 2


def best_first(scores: dict[Cell, int]) -> list[Cell]:
    """The cells of a score map, the highest first; equals stay in the order of the map."""
    return sorted(scores, key=lambda cell: -scores[cell])


def chance(seed: int, board: Referee) -> Random:
    """Numbers that depend on the seed and on what stands on the board, and on nothing else."""
    # Imported here: it costs some milliseconds, which a manager bills to the first move.
    from random import Random

    return Random(f"{seed} {sorted(board.stones())}")


def _is_vain_five(board: Referee, cell: Cell) -> bool:
    """Is this a five for one side that does not win by the rule, and no win for the other?"""
    makes_five = False
    for colour in (BLACK, WHITE):
        if board.makes_win(*cell, colour):
            return False
        makes_five |= any(_length(board, cell, step, colour) >= 5 for step in DIRECTIONS)
    return makes_five


def _length(board: Referee, cell: Cell, step: Cell, colour: int) -> int:
    """The length of the row that a stone of `colour` at an empty cell would stand in."""
    length = 1
    for sign in (1, -1):
        dx, dy = sign * step[0], sign * step[1]
        x, y = cell[0] + dx, cell[1] + dy
        while board.cell(x, y) == colour:
            length += 1
            x, y = x + dx, y + dy
    return length
