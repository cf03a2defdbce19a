"""The progress bars of commands that take long."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def counting_bar() -> Progress:
    """A bar on stderr with how many are done and the time so far; it disappears at the end, and is
    not shown where stderr is not a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def timed_bar(console: Console, transient: bool = False) -> Progress:
    """A bar with the time so far and the time left, not shown where the console is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=transient,
        disable=not console.is_terminal,
    )


def working_sign(most_s: float | None) -> Progress:
    """A sign on stderr that something is at work, with what it has found and the time so far, for a
    task without a count; it disappears at the end, and is not shown where stderr is not a terminal.

    most_s   how long it takes at most; None = that is not known.
    """
    return Progress(
        SpinnerColumn(),
        TimeElapsedColumn(),
        *([] if most_s is None else [TextColumn(f"of {most_s:g} s")]),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
