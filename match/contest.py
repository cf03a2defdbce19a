"""A whole run: a schedule played, recorded, counted and shown, to its end or until a signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from match.display import Display
from match.game import Game, Setting
from match.player import Patience
from match.program import Program
from match.records import RecordWriter
from match.runner import RunInterrupted, Runner
from match.schedule import Job
from match.tally import Tally


@dataclass(frozen=True)
class ContestResult:
    """What was counted, and the number of the signal that ended the run early, if one did."""

    tally: Tally
    signal: int | None


@dataclass(frozen=True)
class Contest:
    """All that a run needs: who plays what under which conditions.

    concurrency  games at a time.
    """

    programs: Sequence[Program]
    setting: Setting
    jobs: Sequence[Job]
    patience: Patience
    concurrency: int = 1

    def play(self, display: Display, records: RecordWriter | None = None) -> ContestResult:
        """Plays all games. SIGINT and SIGTERM end the run at once, with no program left."""
        tally = Tally([program.name for program in self.programs])
        runner = Runner(
            {program.name: program for program in self.programs},
            self.setting,
            self.patience,
            display.watchers(self.concurrency),
        )

        def on_game(game: Game) -> None:
            if records is not None:
                records.write(game)
            tally.add(game)
            display.game_counted(game, tally)

        with _signals_interrupt(runner) as received:
            try:
                with display:
                    runner.run(self.jobs, on_game)
            except RunInterrupted:
                return ContestResult(tally, received[-1] if received else signal.SIGINT)
        return ContestResult(tally, None)


@contextmanager
def _signals_interrupt(runner: Runner) -> Iterator[list[int]]:
    """While inside, SIGINT and SIGTERM interrupt the runner; gives the list of those received."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may handle signals
        return

    def handle(number: int, frame: FrameType | None) -> None:
        received.append(number)
        runner.interrupt()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
