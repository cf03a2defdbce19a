"""Games that are made up in no time, and a runner that hands them in in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tengen.arena.match.play_game import match_game
from tengen.arena.match.schedule import Job, Setting
from tengen.common.tasks import RunInterrupted
from tengen.game.game import Game
from tengen.game.openings import Opening
from tengen.game.played import Move, Report, Termination
from tengen.game.referee import BLACK, WHITE

BOOK = (Opening(((0, 0),)), Opening(((1, 2), (3, -4))), Opening(((0, 1), (1, 1), (-2, 0))))

Play = Callable[[Job], Game]


def made_up(job: Job, winner: int, termination: Termination = Termination.FIVE) -> Game:
    """A game with two stones more than its opening; the moves need not make sense."""
    cells = [*job.opening, (job.index % 15, 14), (job.index % 15, 0)]
    moves = [Move(x, y, WHITE if number % 2 else BLACK) for number, (x, y) in enumerate(cells)]
    moves[-2] = replace(moves[-2], elapsed_s=0.25, report=Report(5, nodes=job.index))
    moves[-1] = replace(moves[-1], elapsed_s=job.index / 1000)
    why = "broke" if termination.is_failure else ""
    return match_game(
        job, Setting(15, 15, 0), winner, termination, why, tuple(moves), (1, 2), 1.5e9, "here"
    )  # fmt: skip


@dataclass
class FakeRunner:
    """Passes on games in the order that `shuffle` makes of those that wait, and is interrupted
    after `stop_after` of them. `most`: how many have waited at a time."""

    play: Play
    shuffle: Callable[[list[Job]], None] = lambda jobs: None
    stop_after: int | None = None
    on_stop: Callable[[], None] = lambda: None
    rounds: list[list[int]] = field(default_factory=list)
    waiting: list[Job] = field(default_factory=list)
    played: list[Job] = field(default_factory=list)
    most: int = 0
    interrupts: int = 0

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner."""
        self.rounds.append([job.index for job in jobs])
        self.waiting = []
        self.add(jobs)
        while self.waiting:
            if len(self.played) == self.stop_after:
                self.on_stop()
                raise RunInterrupted
            self.most = max(self.most, len(self.waiting))
            self.played.append(self.waiting.pop(0))
            on_game(self.play(self.played[-1]))

    def add(self, jobs: Iterable[Job]) -> None:
        """See Runner."""
        self.waiting.extend(jobs)
        self.shuffle(self.waiting)

    def interrupt(self) -> None:
        """See Runner."""
        self.interrupts += 1
