"""What a run shows: a progress bar on a terminal, else a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tengen.lab.selfplay.run import Goal
from tengen.lab.selfplay.run import Progress as State

# Seconds between two lines where there is no terminal.
_LINE_S = 60.0


@contextmanager
def shown(console: Console, goal: Goal) -> Iterator[Callable[[State], None]]:
    """Inside the context, call what is yielded with how far the run is."""
    speed = _Speed()
    if not console.is_terminal:
        last = time.monotonic()

        def print_state(state: State) -> None:
            nonlocal last
            speed.note(state)
            if time.monotonic() - last >= _LINE_S:
                last = time.monotonic()
                console.print(speed.text(state))

        yield print_state
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=goal.games or goal.positions)
        is_first = True

        def update(state: State) -> None:
            nonlocal is_first
            speed.note(state)
            done = state.games + state.waiting if goal.games else state.positions
            if is_first:  # what was there before says nothing about the time that is left
                bar.reset(task, completed=done)
                is_first = False
            bar.update(task, completed=done, description=speed.text(state))

        yield update


class _Speed:
    """Positions an hour, from shards that were written since the run began."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._positions = 0
        self._seconds = 0.0

    def note(self, state: State) -> None:
        """Takes the time when another shard has been written."""
        new = state.positions - state.was_positions
        if new != self._positions:
            self._positions, self._seconds = new, time.monotonic() - self._began

    def text(self, state: State) -> str:
        """The line of a run."""
        text = f"{state.games + state.waiting} games, {state.positions} positions"
        if self._positions:
            text += f", {self._positions / self._seconds * 3600:,.0f} positions an hour"
        return text
