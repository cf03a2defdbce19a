"""The programs at the board: Tengen itself, or any of the opponents by name.

A program thinks in a thread of its own, so that the front end need not wait and can stop it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from engine.model import (
    MAX_LEVEL,
    Info,
    Limits,
    Point,
    Position,
    Result,
    Root,
    Rule,
    Score,
    strength_of,
)
from protocol.brain import Brain, CanPonder
from protocol.choices import Answer
from tengen.common.process import awake_s
from tengen.game.played import Report, Termination, TimeControl
from tengen.game.position import COLOURS
from tengen.game.position import Position as Shown
from tengen.library.program import Program, ProgramFailed
from tengen.opponents.registry import BRAINS, create
from tengen.people.session.game import Game
from tengen.study.options import Resources


class ProgramBrain(Brain):
    """A program, started when it is first asked. Memory, threads and parameters are left to it.
    ValueError if there is no such program."""

    def __init__(self, command: str) -> None:
        try:
            self._program = Program(command)
        except ProgramFailed as failed:
            raise ValueError(failed.detail) from None
        self.name = self._program.name
        self._is_stopped = False
        self._position = Position(15, 15)

    def new_game(self) -> None:
        """Nothing: a position that does not continue the program's game begins another one."""

    def set_position(self, position: Position) -> str | None:
        """The position of the next search."""
        self._position = position
        return None

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The program's move. ProgramFailed if it fails, also by `request_stop`."""

        def hear(report: Report) -> None:
            if on_info is not None:
                on_info(_info(report, ()))

        position = _shown(self._position)
        turn_s = None if limits.turn_ms is None else limits.turn_ms / 1000
        move = self._program.play(position, turn_s=turn_s, nodes=limits.nodes, on_report=hear)
        point = Point(move.x, move.y)
        return Result(point, _info(move.report or Report(), (point,)))

    def request_stop(self) -> None:
        """Gives the search up, or the next one."""
        self._is_stopped = True
        self._program.interrupt()

    def clear_stop(self) -> None:
        """Cancels an earlier stop."""
        if self._is_stopped:
            self._program.close()
        self._is_stopped = False

    def close(self) -> None:
        """Ends the program."""
        self.request_stop()
        self._program.close()


def _shown(position: Position) -> Shown:
    """The position for the library, where the last stone is a move if it can have been one."""
    size, rule = (position.width, position.height), int(position.rule)
    stones, side = position.stones, int(position.side_to_move)
    shown = Shown.begin(size, rule, stones[:-1], side)
    shown.play_stones(stones[-1:])
    if shown.turn != COLOURS[side] or shown.is_over:  # it was set up, perhaps where renju forbids
        shown = Shown.begin(size, rule, stones, side)
    return shown


def _info(report: Report, pv: tuple[Point, ...]) -> Info:
    return Info(
        report.depth_plies or 0,
        report.seldepth_plies or 0,
        Score(report.value or 0, report.mate_plies),
        report.nodes or 0,
        0,
        0,
        pv,
    )


TENGEN = "tengen"
# What a protocol program's command line comes after.
COMMAND = "cmd="
DEFAULT_TIME_S = 1.0
# So long Tengen thinks in a person's time at most; where the process was stopped, perhaps less.
PONDER_S = 120.0


@dataclass(frozen=True)
class Level:
    """How long a program may think about a move: seconds, or nodes if they are given; and whether
    it `ponders` besides, while a person thinks."""

    time_s: float = DEFAULT_TIME_S
    nodes: int | None = None
    ponders: bool = False

    def limits(self, is_analysis: bool = False) -> Limits:
        """The limits of one search. With `is_analysis` the value is wanted as much as the move, so
        that even the only move is searched."""
        if self.nodes is not None:
            return Limits(nodes=self.nodes, is_analysis=is_analysis)
        return Limits(turn_ms=round(self.time_s * 1000), is_analysis=is_analysis)

    @property
    def may_ponder(self) -> bool:
        """It ponders; never by nodes, because the same game has the same moves then."""
        return self.ponders and self.nodes is None

    def control(self) -> TimeControl | None:
        """The time of a move as files have it; None for nodes."""
        return TimeControl(self.time_s) if self.nodes is None else None

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes:,} nodes a move"
        return f"{self.time_s:,.10g} s a move"  # never as 1e+06


class PlayerFailed(Exception):
    """A program gave no move; the text says why, in one line.

    termination  of a game that the program loses by this; None where it does not lose. `detail` is
                 then the reason, as a predicate.
    """

    def __init__(self, text: str, termination: Termination | None = None, detail: str = "") -> None:
        super().__init__(text)
        self.termination = termination
        self.detail = detail


class Stopwatch:
    """How long somebody has thought about a move, in seconds in which the machine did not sleep."""

    def __init__(self) -> None:
        self._stopped_by: set[str] = set()
        self.begin()

    def begin(self, passed_s: float = 0.0) -> None:
        """A turn begins, or goes on; a watch that stands still does so on."""
        self._stopped_at = awake_s()
        self._began = self._stopped_at - passed_s

    @property
    def passed_s(self) -> float:
        """Since the turn began, without the time in which the watch stood still."""
        return (self._stopped_at if self._stopped_by else awake_s()) - self._began

    def stop(self, reason: str) -> None:
        """The watch stands still until nothing has a reason for that any more."""
        if not self._stopped_by:
            self._stopped_at = awake_s()
        self._stopped_by.add(reason)

    def go_on(self, reason: str) -> None:
        """One reason less to stand still, if it was one."""
        if self._stopped_by == {reason}:
            self._began += awake_s() - self._stopped_at
        self._stopped_by.discard(reason)


class PendingSearch:
    """One search of a program, under way or over. Its methods never wait, except `wait`."""

    def __init__(
        self, name: str, position: Position, limits: Limits, can_hurry: bool = True
    ) -> None:
        self.name = name
        # `stop` gives a move, and does not merely give the search up.
        self.can_hurry = can_hurry
        self.position = position
        self.limits = limits
        self.info: Info | None = None  # of the last finished iteration, or of the end
        self.on_news: Callable[[], None] = lambda: None
        self._watch = Stopwatch()
        self._answer: Result | Answer | Exception | None = None
        self._is_over = threading.Event()
        self._guard = threading.RLock()
        self._is_stopped = False
        self._brain: Brain | None = None  # while it searches

    @property
    def is_over(self) -> bool:
        """The search has ended; `result` can be called."""
        return self._is_over.is_set()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the search was started, up to its end, as far as we ran."""
        return self._watch.passed_s

    def stop(self) -> None:
        """Makes the program move now, with the best that it has found so far."""
        with self._guard:
            self._is_stopped = True
            if self._brain is not None:
                self._brain.request_stop()

    def take_over(self, position: Position, limits: Limits, on_news: Callable[[], None]) -> bool:
        """The opponent has moved: a search that ponders this position goes on as one for the move,
        whose clock begins to run. False if that is not possible; the search is to be stopped."""
        if position != self.position or limits.nodes is not None:
            return False
        with self._guard:
            brain = None if self._is_stopped else self._brain
            if not isinstance(brain, CanPonder):
                return False
            self.limits, self.on_news = limits, on_news
            self._watch.begin()
            return brain.ponder_hit(limits)

    def end_pondering(self, after_s: float) -> None:
        """Waits so many seconds, and stops the search if it still ponders then."""
        if not self.wait(after_s):
            with self._guard:
                if self.limits.is_ponder:
                    self.stop()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits for the end of the search, at most `timeout_s` seconds; returns `is_over`."""
        # Not Thread.join(): if a signal handler raises an exception in it, Python 3.11 and 3.12
        # take the thread for ended although it still runs.
        return self._is_over.wait(timeout_s)

    def result(self) -> Result:
        """The move, on an empty point, and what is known about it; to be called after the end.
        PlayerFailed if the program failed or answered a point that is not empty."""
        answer = self._outcome()
        assert isinstance(answer, Result)
        self._check(answer.move)
        return answer

    def _outcome(self) -> Result | Answer:
        """What was found, to be called after the end; PlayerFailed if the program failed."""
        answer = self._answer
        assert answer is not None
        if isinstance(answer, ProgramFailed):
            detail = " ".join(answer.detail.split())
            raise PlayerFailed(f"{self.name} {detail}", Termination(answer.reason), detail)
        if isinstance(answer, Exception):
            text = " ".join(str(answer).split())
            raise PlayerFailed(f"{self.name} failed: {type(answer).__name__}: {text}")
        return answer

    def _check(self, point: Point) -> None:
        """PlayerFailed if a point that was answered is not empty."""
        x, y = point
        inside = 0 <= x < self.position.width and 0 <= y < self.position.height
        if not inside or any((stone.x, stone.y) == (x, y) for stone in self.position.stones):
            # One of ours, which has a fault; a program from elsewhere has lost by it already.
            raise PlayerFailed(f"{self.name} answered {x},{y}, which is not an empty point")

    # -- for the thread that searches

    def _run(self, brain: Brain, is_new_game: bool) -> None:
        answer: Result | Answer | Exception
        try:
            brain.clear_stop()
            with self._guard:
                self._brain = brain
                if self._is_stopped:  # before the thread had begun
                    brain.request_stop()
            if is_new_game:
                brain.new_game()
            brain.set_position(self.position)
            answer = self._search(brain)
        except Exception as error:  # whatever it is, the front end reports it in one line
            answer = error
        with self._guard:
            # From here on stop() would stop the next search of this program.
            self._brain = None
        self._watch.stop("over")
        if isinstance(answer, Result):
            self.info = answer.info  # also of a move that was found without iterations
        self._answer = answer
        self._is_over.set()
        self.on_news()

    def _search(self, brain: Brain) -> Result | Answer:
        """The search itself."""

        def hear(info: Info) -> None:
            self.info = info
            self.on_news()

        return brain.think(self.limits, hear)


class EnginePlayer:
    """A program at the board.

    name   one of `names()`, or `cmd=COMMAND`, which starts a protocol program. ValueError, in one
           line, if there is no such program. It does not move when it is stopped.
    seed   decides where a program leaves something to chance; None = 0 for opponents.
    resources   what Tengen may use, of which the hash table takes at most `hash_bytes`.
    strength_level  of Tengen, from 1 to MAX_LEVEL, the whole engine. Below it every game is another
           one, unless `seed` is given.
    """

    def __init__(
        self,
        name: str,
        seed: int | None = None,
        hash_bytes: int | None = None,
        strength_level: int = MAX_LEVEL,
        resources: Resources = Resources(),  # noqa: B008
    ) -> None:
        # What it was made of.
        self.key, self.level = name, strength_level if name == TENGEN else None
        self._turn = threading.Lock()  # held by the thread that uses the brain
        self._forgets = False
        self._brain: Brain
        if name.startswith(COMMAND):
            self._brain = ProgramBrain(name.removeprefix(COMMAND))
            self.name = self._brain.name
            return
        self.name = name.capitalize()
        if name != TENGEN:
            self._brain = create(name, seed or 0)
            return
        from engine.api import Engine

        self._brain = engine = resources.give(Engine(), hash_bytes)
        if strength_level != MAX_LEVEL:
            self.name = f"{self.name} {strength_level}"
            engine.set_strength(strength_of(strength_level), seed)

    def new_game(self) -> None:
        """The program forgets what it knows of earlier games before its next search."""
        self._forgets = True

    def start(
        self, position: Position, limits: Limits, on_news: Callable[[], None] = lambda: None
    ) -> PendingSearch:
        """Starts a search for a move of the side to move. A search that still runs, because it was
        stopped a moment ago, ends first. `on_news` as in `begin`."""
        can_hurry = not isinstance(self._brain, ProgramBrain)
        return self.begin(PendingSearch(self.name, position, limits, can_hurry), on_news)

    def ponder(self, position: Position) -> PendingSearch:
        """Starts a search in the opponent's time, which ends by itself after PONDER_S. RuntimeError
        where the system has no room for another thread."""
        # Without a limit of nodes, which would hold for the answer too.
        search = self.start(position, Limits(is_ponder=True))
        try:
            end = threading.Thread(target=search.end_pondering, args=[PONDER_S], daemon=True)
            end.start()
        except RuntimeError:
            search.stop()  # nothing would end it
        return search

    @property
    def is_whole(self) -> bool:
        """It is Tengen at its full strength: a lower level that pondered would be stronger than it
        says."""
        return self.level == MAX_LEVEL

    @property
    def root(self) -> Root | None:
        """The moves of the position that Tengen searches; None of other programs."""
        root: Root | None = getattr(self._brain, "root", None)
        return root

    def close(self) -> None:
        """Ends the process of a program that has one; the player must not be used afterwards."""
        if isinstance(self._brain, ProgramBrain):
            self._brain.close()

    def begin(
        self, thinking: PendingSearch, on_news: Callable[[], None] = lambda: None
    ) -> PendingSearch:
        """Starts a search that was made for this program; otherwise as `start`. `on_news` is called
        in the thread of the search when it has a new `info` and when it is over."""
        thinking.on_news = on_news
        threading.Thread(target=self._run, args=[thinking], name=self.name, daemon=True).start()
        return thinking

    def _run(self, thinking: PendingSearch) -> None:
        with self._turn:
            is_new_game, self._forgets = self._forgets, False
            thinking._run(self._brain, is_new_game)


def names() -> list[str]:
    """The names of all programs to play against."""
    return [TENGEN, *BRAINS]


def position_of(game: Game, reply: Point | None = None) -> Position:
    """The board of a game as programs take it, or the one after a reply."""
    added = () if reply is None else ((*reply, game.to_move),)
    side = game.colour_of(len(game.moves) + len(added))
    return Position(game.width, game.height, Rule(game.rule), (*game.stones, *added), side)
