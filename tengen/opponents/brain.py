"""What the opponents have in common: a position on the referee's board, a clock, legal moves and
reports. The file of each opponent holds only how it chooses a move.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.model import Info, Limits, Point, Position, Result, Score
from protocol.brain import Brain
from tengen.game.referee import BLACK, DIRECTIONS, FREESTYLE, WHITE, Cell, Referee, set_up

if TYPE_CHECKING:
    from random import Random

# The time for a move when there is no limit.
DEFAULT_TURN_MS = 5_000
# The part of the time for a move that is not used, because the answer takes time to reach the
# manager and the machine may be busy: at least so many ms, and at least one part in so many.
RESERVE_MS = 15
RESERVE_PARTS = 10
# The time left for the game is divided by so many moves.
MOVES_LEFT = 20


class TimeUp(Exception):
    """Raised by `Clock.count` when the time or the nodes for this move are used up."""


class Clock:
    """When to stop thinking: at a time, after a number of positions, or when asked to stop.

    limits      for the move; see `engine.model.Limits`.
    is_stopped  returns True when the manager has asked to stop.
    """

    def __init__(self, limits: Limits, is_stopped: Callable[[], bool]) -> None:
        now_ns = time.perf_counter_ns()
        started_ns = now_ns if limits.started_ns is None else limits.started_ns
        self.nodes = 0
        self._is_stopped = is_stopped
        self._nodes_limit = limits.nodes
        self._deadline_ns = started_ns + _usable_ms(limits) * 1_000_000
        self._whole: Clock | None = None

    @property
    def is_stopped(self) -> bool:
        """True when the manager has asked to stop."""
        return self._is_stopped()

    @property
    def is_over(self) -> bool:
        """True when it is time to play: a limit is reached, or the manager has asked to stop."""
        return (
            self._is_stopped()
            or (self._nodes_limit is not None and self.nodes >= self._nodes_limit)
            or time.perf_counter_ns() >= self._deadline_ns
        )

    def count(self) -> None:
        """Counts a position that is searched; raises TimeUp when it is time to play."""
        if self.is_over:
            raise TimeUp
        self.nodes += 1
        if self._whole is not None:
            self._whole.nodes += 1

    def share(self, part: float, nodes: int | None = None) -> Clock:
        """A clock for one part of the work; what it counts, this clock counts too.

        part   of the time that is left, between 0 and 1.
        nodes  the most positions that it may count.
        """
        now_ns = time.perf_counter_ns()
        left_nodes = None if self._nodes_limit is None else self._nodes_limit - self.nodes
        clock = Clock(Limits(), self._is_stopped)
        clock._deadline_ns = now_ns + int((self._deadline_ns - now_ns) * part)
        clock._nodes_limit = min((n for n in (nodes, left_nodes) if n is not None), default=None)
        clock._whole = self
        return clock


def _usable_ms(limits: Limits) -> int:
    """How many milliseconds may be used for the move, from its start."""
    allowed = [] if limits.turn_ms is None else [limits.turn_ms]
    if limits.left_ms is not None:
        allowed.append(max(0, limits.left_ms) // MOVES_LEFT)
    whole = min(allowed, default=DEFAULT_TURN_MS)
    return max(0, whole - max(RESERVE_MS, whole // RESERVE_PARTS))


class Choice(NamedTuple):
    """What a brain has chosen in a position.

    cells        the best first. The first that may be played is played: no foul, and no five that
                 does not win by the rule. If there is none, the same holds for all empty cells.
    score        of the first cell, in the brain's own unit; for reports.
    depth_plies  how far it has searched, the move itself included.
    """

    cells: Sequence[Cell]
    score: Score = Score()
    depth_plies: int = 1


class Baseline(Brain, ABC):
    """A brain that lacks only `choose`: how it chooses a move. Nothing is kept from one game to the
    next, and hardly any memory is used.

    seed  for random choices; the same seed plays the same games.
    """

    # A brain that knows only five in a row takes an overline of the standard rule, or a five that
    # is blocked at both ends in caro, for a win. False: such points are played last.
    knows_every_rule = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._stop_requested = False
        self._side = BLACK
        self._board = Referee(15, 15, 0)

    @abstractmethod
    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The cells for `colour` to play, the best first.

        The board has an empty cell. It may be changed, but must be restored before returning.
        """

    def set_threads(self, count: int) -> str | None:
        """Changes nothing: one thread searches. Returns a text that says so if more are wanted."""
        return None if count == 1 else f"one thread searches instead of {count}"

    def set_parameter(self, name: str, value: int) -> None:
        """Raises ValueError: there are no parameters."""
        raise ValueError("there is no parameter of that name")

    def set_position(self, position: Position) -> None:
        """Sets up a position; ValueError if that is impossible."""
        board = set_up(position.width, position.height, position.rule, position.stones)
        self._side = int(position.side_to_move)
        self._board = board

    def is_forbidden(self, x: int, y: int) -> bool:
        """True when the rule forbids the side to move to play there."""
        return self._side == BLACK and self._board.foul(x, y) is not None

    def forbidden_points(self) -> list[Point]:
        """The points that the rule forbids to Black, whoever is to move, row by row."""
        points = self._board.forbidden_points()
        return [Point(*cell) for cell in self._board.empties() if cell in points]

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The best cell that may be played; a forbidden point only when all empty cells are
        forbidden, and none of limits.excluded. ValueError where no cell is left."""
        started_ns = limits.started_ns or time.perf_counter_ns()
        if set(self._board.empties()) <= set(limits.excluded):
            raise ValueError("no empty point is left to play")
        clock = Clock(limits, lambda: self._stop_requested)
        choice = self.choose(self._board, self._side, clock)
        move = Point(*self._first_allowed(choice.cells, limits.excluded))
        time_ms = max(0, time.perf_counter_ns() - started_ns) // 1_000_000
        speed_nps = clock.nodes * 1000 // max(1, time_ms)
        depth = choice.depth_plies
        info = Info(depth, depth, choice.score, clock.nodes, speed_nps, time_ms, (move,))
        if on_info is not None:
            on_info(info)
        return Result(move, info)

    def _first_allowed(self, cells: Sequence[Cell], excluded: Sequence[Cell]) -> Cell:
        """The first cell that may be played, see `Choice.cells`."""
        board = self._board
        ranked = [
            cell
            for cell in (*cells, *board.empties())
            if board.legal(*cell) and cell not in excluded
        ]
        if not self.knows_every_rule and board.rule != FREESTYLE:
            ranked.sort(key=lambda cell: _is_vain_five(board, cell))
        return next((cell for cell in ranked if not self.is_forbidden(*cell)), ranked[0])

    def request_stop(self) -> None:
        """Makes `think` return the best move that it has found so far."""
        self._stop_requested = True

    def clear_stop(self) -> None:
        """Cancels an earlier `request_stop`."""
        self._stop_requested = False


def centre(board: Referee) -> Cell:
    """The cell in the middle; on a side of even length, the one further down or to the right."""
    return board.width // 2, board.height // 2


def best_first(scores: dict[Cell, int]) -> list[Cell]:
    """The cells of a score map, the highest first; equal ones in the order of the map."""
    return sorted(scores, key=lambda cell: -scores[cell])


def chance(seed: int, board: Referee) -> Random:
    """Random numbers that depend on the seed and on the stones on the board only."""
    # Imported here: the import takes some milliseconds, which would count for the first move.
    from random import Random

    return Random(f"{seed} {sorted(board.stones())}")


def _is_vain_five(board: Referee, cell: Cell) -> bool:
    """True for a five that does not win by the rule, where neither side would win."""
    makes_five = False
    for colour in (BLACK, WHITE):
        if board.makes_win(*cell, colour):
            return False
        makes_five |= any(_length(board, cell, step, colour) >= 5 for step in DIRECTIONS)
    return makes_five


def _length(board: Referee, cell: Cell, step: Cell, colour: int) -> int:
    """The length of the row that a stone of `colour` at an empty cell would be part of."""
    length = 1
    for sign in (1, -1):
        dx, dy = sign * step[0], sign * step[1]
        x, y = cell[0] + dx, cell[1] + dy
        while board.cell(x, y) == colour:
            length += 1
            x, y = x + dx, y + dy
    return length
