"""Plays a plan for a command: chooses the display and the runner, and prints the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.display import Display, LiveDisplay, PlainDisplay
from tengen.arena.match.options import Execution
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.runner import LocalRunner, Runner
from tengen.arena.match.schedule import KINDS
from tengen.arena.match.summary import print_line, print_result
from tengen.arena.match.tournament import Tournament, TournamentResult
from tengen.arena.programs.workdirs import remove_leftovers
from tengen.game.json_text import json_text

# Boards shown side by side.
_BOARDS = 2


def play_plan(
    plan: Plan,
    console: Console,
    place: RunFolder | Path | None,
    how: Execution,
) -> TournamentResult:
    """Plays a plan and prints its result.

    place  the folder of a run to continue, or a new one; None = the games are not kept.

    ValueError for options that do not fit the plan, or a folder that cannot be used. OSError, after
    the result so far, if a game cannot be written or the cluster is lost.
    """
    remove_leftovers()
    if how.is_json:
        console = Console(stderr=True)  # all but what a program reads
    total = plan.schedule().total
    workers = min(how.jobs, total)
    how.check(plan.names, workers)
    anchors = dict(how.anchors)
    display = make_display(console, plan, total, workers, how)
    with (
        open_runner(plan, display, workers, how.cluster, how.cores) as runner,
        ExitStack() as stack,
    ):
        # Made only now, so that an error above leaves no folder behind.
        if isinstance(place, Path):
            place = stack.enter_context(RunFolder.create(place, plan))
        if not how.is_quiet:
            kept = f"go to {place.path}" if place else "are not kept (--out FOLDER keeps them)"
            print_line(console, f"the games {kept}")
        for name, settings in plan.settings:
            print_line(console, f"{name}: {settings}")
        tournament = Tournament(plan, display, place, place.games if place else (), how.is_fatal)
        error: OSError | None = None
        try:
            result = tournament.play(runner)
        except OSError as reason:  # a full disk, a lost cluster
            result, error = tournament.so_far(), reason
    has_stopped = result.signal is not None or error is not None
    if has_stopped:
        print_line(console, "stopped; the result so far:")
    if how.is_json:
        from tengen.arena.match.result_record import result_record

        click.echo(json_text(result_record(plan, result.scores, anchors)))
    else:
        limits = [(program.name, program.limits_text) for program in plan.programs]
        print_result(console, result.scores, limits, plan.sprt, anchors)
    if result.champion is not None:
        print_line(console, f"{result.champion} has won the knockout")
    if place is not None:
        print_line(console, f"games in {place.path}")
        if has_stopped:
            print_line(console, f"to continue: tengen match --resume {place.path}")
    if result.failure is not None:
        print_line(console, "ended at the first failure")
    if error is not None:
        raise error
    return result


def check_kind(folder: RunFolder) -> None:
    """ValueError if the folder to be continued holds no match, but the games of another command,
    such as `tengen lab tune`."""
    kind = folder.plan.kind
    if kind not in KINDS:
        raise ValueError(
            f"{folder.path} holds a run of another kind ({kind}); continue it with the command that"
            " started it"
        )


def exit_status(result: TournamentResult) -> int:
    """0, or 1 after a failure that ended the run, or what a shell returns for a command that a
    signal has ended."""
    if result.signal is not None:
        return 128 + result.signal
    return 1 if result.failure is not None else 0


def make_display(console: Console, plan: Plan, total: int, workers: int, how: Execution) -> Display:
    """The display that `how` asks for, for so many games, `workers` of them at a time."""
    shown = how.display or ("bar" if console.is_terminal else "lines")
    if shown == "result":
        return Display(console, total, plan.sprt)
    if shown == "lines":
        return PlainDisplay(console, total, plan.sprt)
    boards = min(workers, _BOARDS) * (shown == "boards")
    return LiveDisplay(console, total, plan.sprt, boards)


@contextmanager
def open_runner(
    plan: Plan,
    display: Display,
    workers: int,
    cluster: str | None,
    cores: Sequence[int] | None = None,
) -> Iterator[Runner]:
    """What plays the games of a plan: `workers` at a time here, each on its one of `cores`, or on
    the cluster at that address. ValueError if there is none."""
    if cluster is None:
        yield LocalRunner(plan, display.watchers(workers), cores[:workers] if cores else None)
        return
    try:
        from tengen.arena.match.cluster import ClusterRunner
        from tengen.common.cluster import connect
    except ImportError as error:
        raise ValueError(
            f"--cluster: {error.name} is missing (pip install '.[cluster]', in Tengen's folder)"
        ) from None
    with connect(cluster) as client:
        yield ClusterRunner(plan, client)
