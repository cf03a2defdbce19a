"""A whole run: plays, records, counts and shows the games of a plan until the last game, a verdict
of the sequential test, or a signal.

Games end in any order but are counted and written in the order of the jobs. The result therefore
does not depend on how many games are played at a time, or where.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tengen.arena.match.display import Display
from tengen.arena.match.jobs import Job
from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher
from tengen.arena.match.records import RunFolder
from tengen.arena.match.runner import LocalRunner, Runner
from tengen.arena.match.schedule import Schedule
from tengen.arena.match.scoreboard import Scoreboard, Standing
from tengen.arena.match.summary import state_line
from tengen.arena.stats.elo import Estimate, elo_estimate, los
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.sprt import Sprt, Verdict
from tengen.common.commands import open_cluster
from tengen.common.process import signals_call
from tengen.common.tasks import RunInterrupted
from tengen.game.game import Game
from tengen.game.played import Termination


@dataclass(frozen=True)
class MatchResult:
    """What has come of a match or a tournament.

    scores   of all games that were counted.
    sprt     the sequential test, and `verdict`, what it has decided: "H0 accepted" or "H1
             accepted"; else "undecided".
    signal   the number of the signal that stopped the run.
    failure  the game that ended a run with `is_fatal`.
    games    in order, if they were kept, as `tengen.Match` does.
    """

    scores: Scoreboard
    sprt: Sprt | None = None
    verdict: Verdict = Verdict.UNDECIDED
    signal: int | None = None
    failure: Game | None = None
    games: tuple[Game, ...] = field(default=(), repr=False)

    @property
    def status(self) -> int:
        """The exit status of a command: 0, or 1 after a failure that ended the run, or what a shell
        returns for a command that a signal has ended."""
        if self.signal is not None:
            return 128 + self.signal
        return 1 if self.failure is not None else 0

    @property
    def standings(self) -> Mapping[str, Standing]:
        """Of each program: wins, losses, draws, points, mean_s and longest_s of its moves."""
        return self.scores.standings

    @property
    def failures(self) -> tuple[tuple[int, str, str], ...]:
        """The games lost by a failure: (number of the game, program, why)."""
        return tuple(self.scores.failures)

    @property
    def repeated_games(self) -> int:
        """How many games are equal to an earlier one: the more, the less `elo` can be trusted."""
        return self.scores.repeats.count

    @property
    def pairs(self) -> Pentanomial:
        """How many pairs of games, one opening with both colours, gave the first of two programs
        how many points. ValueError for a tournament, which has ratings."""
        if len(self.standings) != 2:
            raise ValueError("a tournament of three programs or more has ratings")
        first, second = self.standings
        pairing = self.scores.pairings.get((first, second))
        return Pentanomial() if pairing is None else pairing.pentanomial

    @property
    def elo(self) -> Estimate:
        """The strength of the first program against the second in Elo, with the interval that holds
        it in 95 of 100 matches: `elo`, `low`, `high`, and `is_known`, False after too few games."""
        return elo_estimate(self.pairs)

    @property
    def los(self) -> float:
        """The likelihood that the first program is the stronger one, 0 to 1."""
        return los(self.pairs)

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The ratings of all programs, the best first, with intervals; their mean is 0. ValueError
        if no games connect them."""
        return tuple(rate(self.scores.pentanomials))

    def __str__(self) -> str:
        return state_line(self.scores, self.sprt)


class _Ended(Exception):
    """Raised through the runner when no more games are needed."""


class Tournament:
    """A run of a plan.

    played    games of the same plan that were played before, from the first on.
    folder    where the games are written; None = nowhere.
    is_fatal  the first failure of a program ends the run.
    schedule  what is played; None = what the plan says.

    `play` raises ValueError if the games played before are those of another plan, and OSError if a
    game cannot be written or the cluster is lost; `so_far` is the result then.
    """

    def __init__(
        self,
        plan: Plan,
        display: Display,
        folder: RunFolder | None = None,
        played: Sequence[Game] = (),
        is_fatal: bool = False,
        schedule: Schedule | None = None,
    ) -> None:
        self._plan = plan
        self._schedule = schedule or plan.schedule()
        self._display = display
        self._folder = folder
        self._is_fatal = is_fatal
        self._scores = Scoreboard(plan.names)
        self._verdict = Verdict.UNDECIDED
        self._failure: Game | None = None
        self._played = deque(played)
        # Games that ended while an earlier one was still being played.
        self._waiting: dict[int, Game] = {}
        self._next_index = 0

    def play(self, runner: Runner) -> MatchResult:
        """Plays all games. SIGINT and SIGTERM end the run and all its programs at once."""
        with signals_call(runner.interrupt) as received:
            try:
                with self._display:
                    self._play_jobs(runner)
            except _Ended:
                pass
            except RunInterrupted:
                number = received[-1] if received else signal.SIGINT
                return replace(self.so_far(), signal=number)
        return replace(self.so_far(), failure=self._failure)

    def so_far(self) -> MatchResult:
        """The result of the games that were counted."""
        return MatchResult(self._scores, self._plan.sprt, self._verdict)

    def _play_jobs(self, runner: Runner) -> None:
        jobs = self._take_played()
        if not jobs:
            return
        if self._next_index:
            self._display.resumed(self._scores)

        def take(game: Game) -> None:
            if game.termination is not Termination.INTERRUPTED:
                self._waiting[game.number - 1] = game
                runner.add(self._take_ready(is_new=True))

        runner.run(jobs, take)

    def _take_ready(self, is_new: bool) -> list[Job]:
        """Counts all games that are next in order, and returns the jobs that their results have
        led to; raises _Ended with the game that ends the run."""
        more: list[Job] = []
        while (game := self._waiting.pop(self._next_index, None)) is not None:
            if is_new and self._folder is not None:
                self._folder.write(game)
            self._next_index += 1
            completes_pair = self._scores.add(game)
            more += self._schedule.game_counted(game)
            if is_new:
                self._display.game_counted(game, self._scores)
            if self._is_fatal and game.is_failure:
                self._failure = game
                raise _Ended
            if is_new and self._schedule.failure is not None:
                raise _Ended
            if completes_pair and self._plan.sprt is not None:
                (pairing,) = self._scores.pairings.values()
                self._verdict = self._plan.sprt.verdict(pairing.pentanomial)
                if self._verdict is not Verdict.UNDECIDED:
                    raise _Ended
        return more

    def _take_played(self) -> list[Job]:
        """Counts the earlier games, and returns the jobs that are still to be played. ValueError if
        an earlier game has no place in the run."""
        jobs = list(self._schedule.jobs)
        for job in jobs:  # grows, where results lead to more
            if not (self._played and _is_game_of(self._played[0], job, self._plan)):
                break
            self._waiting[job.index] = self._played.popleft()
            jobs += self._take_ready(is_new=False)
        if self._played:
            raise ValueError(f"game {self._played[0].number} was played in another run")
        return jobs[self._next_index :]


def _is_game_of(game: Game, job: Job, plan: Plan) -> bool:
    if plan.setting.opening_rule is not None:
        # The programs decided the colours and the opening.
        return (game.pair, set(game.names)) == (job.pair, {job.black, job.white})
    # The record of a game has no options of its own.
    source = (game.match.source if game.match else None) or (0, 0)
    cells = tuple(stone[:2] for stone in game.stones[: game.opening_moves])
    return (game.pair, *game.names, cells, source) == (
        job.pair, job.black, job.white, job.opening, job.source
    )  # fmt: skip


@contextmanager
def open_runner(
    plan: Plan,
    watchers: Callable[[int], Sequence[Watcher]],
    workers: int,
    cluster: str | None,
    cores: Sequence[int] | None = None,
) -> Iterator[Runner]:
    """What plays the games of a plan: `workers` at a time here, each on its one of `cores`, or on
    the cluster at that address; `watchers` gives what follows them. ValueError for no cluster."""
    if cluster is None:
        yield LocalRunner(plan, watchers(workers), cores[:workers] if cores else None)
        return
    with open_cluster(cluster) as client:
        from tengen.arena.match.cluster import ClusterRunner

        yield ClusterRunner(plan, client)
