"""The engine for people who write Python: it takes positions of this library, and its answers name
points. `engine.api` is the engine itself."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from warnings import warn

from engine.api import Engine as Core
from engine.model import (
    MAX_LEVEL,
    Info,
    Limits,
    SolveLimits,
    strength_of,
)
from engine.net import NetFiles
from tengen.game.arguments import (
    MOST_MIB,
    file_name,
    function,
    milliseconds,
    of_type,
    real,
    several,
    whole,
)
from tengen.game.played import Report
from tengen.game.position import Point, Position
from tengen.study.results import (
    Analysis,
    Defences,
    Explanation,
    Move,
    Solution,
    Wins,
    analysis_of,
    defences_of,
    points_of,
    solution_of,
    wins_of,
)

if TYPE_CHECKING:
    from tengen.game.game import Game
    from tengen.study.review import Review

_MIB = 1 << 20
# The time to go through a game where nothing else is said.
_GAME_TIME_MS = 45_000


class Engine:
    """Tengen's engine.

        engine = Engine()
        print(engine.analyze(Position("h8 i9"), turn_s=1, lines=3))

    threads    how many search; with one, the same nodes are searched every time.
    level      1, a beginner, to 10, the whole engine. `play` alone is weakened.
    seed       the same seed, positions and limits give the same moves below level 10.
    memory_mb  for the whole program, in MiB.
    net_file   a net to use under its rule, see docs/NET.md; None = the file that TENGEN_NET in the
               environment names, if any.

    What it has learned stays in its table until `new_game`. Any thread may call `stop`; everything
    else is for one thread at a time. Times are in seconds; without any limit it takes five.
    ValueError, in one line, for numbers that do not exist and a net that cannot be used. Here and
    below, TypeError, in one line, for a value of another kind.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        level: int = MAX_LEVEL,
        seed: int | None = None,
        memory_mb: int | None = None,
        net_file: str | os.PathLike[str] | None = None,
    ) -> None:
        path = None if net_file is None else file_name("net_file", net_file)
        NetFiles(path).check()
        memory = None if memory_mb is None else whole("memory_mb", memory_mb, 1, MOST_MIB) * _MIB
        self._core = Core(path)
        problems = [
            self._core.set_memory(memory),
            self._core.set_threads(whole("threads", threads, 1)),
        ]
        self._core.set_strength(strength_of(level), seed)
        for problem in filter(None, problems):
            warn(problem, RuntimeWarning, stacklevel=2)

    @property
    def core(self) -> Core:
        """The engine itself (`engine.api.Engine`): pondering, the table in a file, parameters."""
        return self._core

    def new_game(self) -> None:
        """Forgets everything learned from earlier searches."""
        self._core.new_game()

    def stop(self) -> None:
        """Ends a running search, which then returns what it has found. Any thread may call this."""
        self._core.request_stop()

    def play(
        self,
        position: Position,
        *,
        turn_s: float | None = None,
        left_s: float | None = None,
        nodes: int | None = None,
        depth_plies: int | None = None,
    ) -> Move:
        """The move that the engine plays. The position is not changed.

        turn_s       the time for this move, and `left_s`, what is left for all moves of the game.
        nodes        the most stones made in the search.
        depth_plies  the last iteration.
        ValueError if the game is over.
        """
        began_at = time.monotonic()
        limits = Limits(
            milliseconds("turn_s", turn_s), None, milliseconds("left_s", left_s), nodes, depth_plies
        )
        self._set(position)
        result = self._core.think(limits)
        info, move = result.info, Point(*result.move, position.height)
        line = " ".join(points_of(info.pv, position.height))
        score = info.score
        value = score.value if score.mate_plies is None else None
        report = Report(
            info.depth_plies, info.seldepth_plies, value, score.mate_plies, info.nodes, line
        )
        return Move.of(move, time.monotonic() - began_at, report)

    def analyze(
        self,
        position: Position,
        *,
        turn_s: float | None = None,
        nodes: int | None = None,
        depth_plies: int | None = None,
        lines: int = 1,
        excluded: Iterable[str] = (),
        on_report: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """The best moves with their values.

        lines      how many moves, 1 to 64; four take about three times as many nodes as one.
        excluded   points that are left out.
        on_report  called with an Analysis after each finished iteration; what it raises ends the
                   search.
        The other limits are those of `play`. ValueError if the game is over.
        """
        function("on_report", on_report)
        of_type("position", position, Position, "a tengen.Position")
        points = [position.point(point) for point in several("excluded", excluded)]
        limits = Limits(
            milliseconds("turn_s", turn_s),
            nodes=nodes,
            depth_plies=depth_plies,
            is_analysis=True,
            lines=lines,
            excluded=[(point.x, point.y) for point in points],
        )

        def hear(info: Info) -> None:
            if on_report is not None and info.pv:
                on_report(analysis_of(info, position.height))

        self._set(position)
        return analysis_of(self._core.think(limits, hear).info, position.height)

    def solve(
        self,
        position: Position,
        *,
        time_s: float | None = None,
        nodes: int | None = None,
        moves: int | None = None,
        method: str = "vct",
        shortest: bool = False,
    ) -> Solution:
        """Whether the side to move wins by threats, with the proof of a win.

        moves     the most stones of the winner, the five included.
        method    "vct", fours, threes and moves that threaten to win by fours; "threes", fours and
                  threes; "vcf", fours alone.
        shortest  use what is left of the limits to shorten the win; `is_shortest` of the answer
                  says whether it is proved that no shorter one by these moves exists.
        Without a limit of time or nodes it goes on until these moves are exhausted.
        """
        self._set(position)
        of_type("shortest", shortest, bool, "True or False")
        limits = SolveLimits(nodes, milliseconds("time_s", time_s), moves, method, shortest)
        return solution_of(self._core.solve(limits), position.height, method)

    def solve_all(
        self, position: Position, *, time_s: float | None = None, nodes: int | None = None
    ) -> Wins:
        """Every first move that begins a win by threats, the shortest win first, and those that the
        limits left undecided (`unknown`)."""
        self._set(position)
        limits = SolveLimits(nodes, milliseconds("time_s", time_s))
        return wins_of(self._core.solve_all(limits), position.height, limits.method)

    def defences(
        self, position: Position, *, time_s: float | None = None, nodes: int | None = None
    ) -> Defences:
        """The moves of the side to move that stop every win by threats of its opponent, and the
        wins that refute the others (`refuted`)."""
        self._set(position)
        limits = SolveLimits(nodes, milliseconds("time_s", time_s))
        return defences_of(self._core.defences(limits), position.height, limits.method)

    def explain(self, position: Position) -> Explanation:
        """Where the value of a position without search comes from, point by point."""
        self._set(position)
        found = self._core.explain()
        part = found.net or found.table
        cells = {} if part is None else part.cells
        return Explanation(
            found.value,
            None if found.net is None else found.net.name,
            {Point(*cell, position.height): value for cell, value in cells.items()},
            found,
        )

    def review(
        self,
        game: Game,
        *,
        time_s: float | None = None,
        nodes: int | None = None,
        loss: float = 0.2,
        on_step: Callable[[str, int, int], None] | None = None,
    ) -> Review:
        """Goes through a game: the value of each move, mistakes, missed wins with their proofs.

        time_s   for the whole game, 45 if no limit is given; `nodes`, for each position.
        loss     how much of the chance to win, 0 to 1, a mistake loses.
        on_step  called with what is done, how much of it, and how much there is; what it raises
                 ends the review.
        ValueError if there is no move to go through.
        """
        from tengen.game.game import Game
        from tengen.study.reviewer import Budget, review

        of_type("game", game, Game, "a tengen.Game")
        function("on_step", on_step)
        loss = real("loss", loss, 0, 1)
        nodes = None if nodes is None else whole("nodes", nodes, 1)
        time_ms = milliseconds("time_s", time_s)
        if time_ms is None and nodes is None:
            time_ms = _GAME_TIME_MS
        report = on_step or (lambda what, done, total: None)
        return review(self._core, Core(), "game", game, Budget(time_ms, nodes), loss, report)

    def _set(self, position: Position) -> None:
        of_type("position", position, Position, "a tengen.Position")
        if position.is_over:
            raise ValueError("the game is over in this position")
        if problem := self._core.set_position(position.to_model()):
            warn(problem, RuntimeWarning, stacklevel=3)
