"""What a run shows: a progress bar on a terminal, else a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from tengen.common.console import timed_bar
from tengen.game.record.numbers import counted
from tengen.lab.selfplay.run import Goal, Progress

# Seconds between two lines where there is no terminal.
_LINE_S = 60.0


@contextmanager
def shown(console: Console, goal: Goal) -> Iterator[Callable[[Progress], None]]:
    """Inside the context, call what is yielded with how far the run is."""
    bar = timed_bar(console, transient=True)
    task = bar.add_task("", total=goal.games or goal.positions)
    began_s = line_s = time.monotonic()
    is_first = True
    # The positions of shards that were written since the run began, and how many an hour.
    new, speed = 0, 0.0

    def update(state: Progress) -> None:
        nonlocal is_first, line_s, new, speed
        now_s = time.monotonic()
        if state.positions - state.was_positions != new:
            new = state.positions - state.was_positions
            speed = new / (now_s - began_s) * 3600
        games = counted(state.games + state.waiting, "game")
        text = f"{games}, {counted(state.positions, 'position')}"
        if new:
            text += f", {speed:,.0f} positions an hour"
        done = state.games + state.waiting if goal.games else state.positions
        if is_first:  # what was there before says nothing about the time that is left
            bar.reset(task, completed=done)
            is_first = False
        bar.update(task, completed=done, description=text)
        if not console.is_terminal and now_s - line_s >= _LINE_S:
            line_s = now_s
            console.print(text)

    with bar:
        yield update
