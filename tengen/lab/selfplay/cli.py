"""`tengen lab selfplay`: games of the engine against itself, for training."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from engine.text import RULE_NAMES
from tengen.common.commands import (
    RULE_HELP,
    Count,
    Rule,
    Size,
    command,
    is_given,
    open_cluster,
    option,
    usage_errors,
)
from tengen.common.console import timed_bar
from tengen.common.process import signals_call
from tengen.common.tasks import LocalTasks, TaskRunner
from tengen.game.openings import Drawing
from tengen.game.values import counted
from tengen.lab.selfplay.game import Setting, with_net
from tengen.lab.selfplay.run import Goal, Progress, SelfPlayFolder, play_run

DEFAULT_SHARD_GAMES = 1000
# A smaller board has no room for the stones of an opening and a game.
_LEAST_SIDE = 7
_GREATEST_SEED = 2**63 - 1
# Seconds between two lines where there is no terminal.
_LINE_S = 60.0
_MACHINES = "Seed, files and machines"


@command("selfplay")
@option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@option("--size", type=Size(), default="15", help="Side, or WxH.")
@option("--games", type=Count(1), help="Play until the folder has so many games.")
@option(
    "--positions",
    type=Count(1),
    help="Play until it has so many positions.",
)
@option(
    "--nodes",
    type=Count(100, 10**9),
    default=Setting.nodes,
    help="Of a search; one in eight has 20/3 times as many.",
)
@option(
    "--net",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Play with this net.  [default: the engine's]",
)
@option("--no-net", is_flag=True, help="Play with the table of values alone.")
@option(
    "--seed",
    type=Count(0, _GREATEST_SEED),
    default=1,
    help="Random seed of the games.",
    heading=_MACHINES,
)
@option(
    "--shard-games",
    type=Count(1, 100_000),
    default=DEFAULT_SHARD_GAMES,
    help="Games in a file.",
    heading=_MACHINES,
)
@option(
    "--jobs",
    type=Count(1, 256),
    default=1,
    help="How many games are played at a time.",
)
@option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on this dask cluster; local:N starts workers here.",
    heading=_MACHINES,
)
@option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder of the run, new or to be continued.",
)
@click.pass_context
def selfplay_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    games: int | None,
    positions: int | None,
    nodes: int,
    net: Path | None,
    no_net: bool,
    seed: int,
    shard_games: int,
    jobs: int,
    cluster: str | None,
    out: Path,
) -> None:
    """Plays games of the engine against itself, and writes them to files for training.

    Some moves are drawn by chance, and positions inside the searches are searched as well: so the
    files hold positions after bad moves too. The games depend on rule, size, nodes, net and seed
    alone; more processes make the same files sooner. A run that was stopped continues when the same
    command is given again. Example:

    \b
      tengen lab selfplay --rule renju --positions 1e6 --jobs 4 --out games/renju
    """
    if (games is None) == (positions is None):
        raise click.UsageError("give --games or --positions")
    if no_net and net is not None:
        raise click.UsageError("give --net or --no-net, not both")
    if cluster is not None and is_given(ctx, "jobs"):
        raise click.UsageError("--jobs and --cluster exclude each other")
    if min(size) < _LEAST_SIDE:
        raise click.UsageError(
            f"--size {size[0]}x{size[1]}: openings have up to {Drawing.stones[1]} stones;"
            f" expected sides of at least {_LEAST_SIDE}"
        )
    goal = Goal(games, positions)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    setting = Setting(rule, *size, seed, nodes)
    with usage_errors():
        setting = setting if no_net else with_net(setting, net)
    with (
        usage_errors(),
        _runner(jobs, cluster) as runner,
        SelfPlayFolder(out, setting, shard_games) as folder,
        signals_call(runner.interrupt) as received,
    ):
        with shown(console, goal) as update:
            state = play_run(folder, goal, runner, update)
    if state.is_stopped:
        again = f"; finished games that it plays again: {state.waiting}" if state.waiting else ""
        click.echo(f"stopped; the same command continues{again}")
    for problem in state.damaged:
        click.echo(f"{problem}; played again when the run comes to it", err=True)
    click.echo(
        f"{RULE_NAMES[rule]} {size[0]}x{size[1]}: {counted(state.games, 'game')},"
        f" {counted(state.positions, 'position')} kept; in {out}"
    )
    if received:
        ctx.exit(128 + received[0])


@contextmanager
def _runner(jobs: int, cluster: str | None) -> Iterator[TaskRunner]:
    """What plays the games. ValueError if there is no cluster at that address."""
    if cluster is None:
        yield LocalTasks(jobs)
        return
    with open_cluster(cluster) as client:
        from tengen.common.cluster import ClusterTasks

        yield ClusterTasks(client, lambda chunk: f"game {chunk.first}")


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
