"""`tengen lab sprt BASE`: a sequential test of the working tree against a commit; `tengen lab
queue FILE`: many tests, one after the other."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.cli import play_plan
from tengen.arena.match.options import (
    FOR_BOTH,
    Execution,
    ManyWordsCommand,
    OpeningOptions,
    ProgramOptions,
    SprtOptions,
)
from tengen.arena.match.plan import Plan, introduce
from tengen.arena.match.schedule import Setting
from tengen.arena.programs.spec import read_command, read_program
from tengen.common.commands import (
    RULE_HELP,
    Count,
    Rule,
    Size,
    command,
    option,
    takes,
    usage_errors,
)
from tengen.common.console import print_line
from tengen.lab.sprt.builds import Build, build_of_commit, build_of_working_tree, find_project
from tengen.lab.sprt.queue import WORKING_TREE, Standing, play_change, read_queue
from tengen.lab.tune.program import DEFAULTS


@command("sprt", cls=ManyWordsCommand, options_metavar="[OPTIONS]")
@click.argument("base")
@option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@option("--size", type=Size(), default="15", help="Side, or WxH.")
@takes("words", ProgramOptions, "each", "turn", "nodes", each=FOR_BOTH)
@option(
    "--pairs",
    type=Count(1),
    default=2000,
    help="The most pairs of games to play.",
)
@takes("test", SprtOptions, sprt={"heading": "Options"})
@option(
    "--simplification",
    is_flag=True,
    help="Test elo0=-10 elo1=0: not weaker is good enough.",
)
@takes("openings", OpeningOptions)
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A new folder for the games.  [default: a new one in games/]",
)
@takes("how", Execution, "jobs", "cluster", "display")
@click.pass_context
def sprt_command(
    ctx: click.Context,
    base: str,
    rule: int,
    size: tuple[int, int],
    words: ProgramOptions,
    pairs: int,
    test: SprtOptions,
    simplification: bool,
    openings: OpeningOptions,
    out: Path | None,
    how: Execution,
) -> None:
    """Tests the working tree against the commit BASE by a sequential test.

    Both are built in folders of their own under build/sprt/, so that the working tree can be
    edited meanwhile. A stopped run is continued with `tengen match --resume`. Example:

    \b
      tengen lab sprt main --rule 4 --turn 0.1 --jobs 2
      tengen lab sprt HEAD~1 --nodes 20000 --sprt elo0=0 elo1=5
    """
    console = Console()
    with usage_errors():
        # Also before anything is built.
        shared = read_program([f'cmd="{sys.executable}"', *words.shared()], DEFAULTS)
        if simplification and test.sprt:
            raise ValueError("--simplification and --sprt exclude each other")
        bounds = {"elo0": -10.0, "elo1": 0.0} if simplification else test.sprt or {}
        root = find_project(Path.cwd())
        place = root / "build" / "sprt"
        # The commit first, so that a mistyped one is an error before anything is built.
        old = build_of_commit(root, base, place)
        new = build_of_working_tree(root, place)
        plan = Plan(
            programs=(),
            setting=Setting(*size, rule, opening_rule=openings.opening_rule),
            openings=openings.openings(size, rule),
            games=2 * pairs,
            seed=openings.seed,
            **openings.order(),
            sprt=replace(test, sprt=bounds).test(),
        )
        _make(console, (new, old))
        programs = [
            replace(shared, name=f"{kind} {build.label}", command=read_command(build.command))
            for kind, build in (("new", new), ("base", old))
        ]
        plan = introduce(replace(plan, programs=tuple(programs)))
        if out is None:
            stamp = time.strftime("%Y%m%d-%H%M%S")
            out = root / "games" / f"sprt-{stamp}-rule{rule}-{size[0]}x{size[1]}"
        result = play_plan(plan, console, out, how)
    ctx.exit(result.status)


@command("queue")
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    required=True,
    help="Where the games are kept; the same one continues the queue.",
)
@takes("how", Execution, "jobs")
@click.pass_context
def queue_command(ctx: click.Context, file: Path, out: Path, how: Execution) -> None:
    """Tests the changes that FILE lists, one after the other, over several rules.

    FILE is in TOML. Every key but `test` may be left out:

    \b
      base = "main"
      leagues = ["freestyle 15", "freestyle 20", "standard 15", "renju 15"]
      nodes = 20000
      games = 12000                   # of a test, at most
      sprt = {elo0 = 0, elo1 = 6}
      openings.freestyle = "book.txt"
      [test.razor-100]                # parameters of the search
      param.razor_margin = 100
      [test.null-move]                # a branch, or "." for the working tree
      new = "null-move"
      sprt = {elo0 = -6, elo1 = 0}

    A test that is added later is played as well: say the command again.
    """
    console = Console()

    def tell(standing: Standing) -> None:
        print_line(console, standing.text())

    with usage_errors():
        queue = read_queue(file)
        root = find_project(Path.cwd())
        place = root / "build" / "sprt"
        base = build_of_commit(root, queue.base, place)
        sides = {
            change.name: build_of_working_tree(root, place)
            if change.new == WORKING_TREE
            else build_of_commit(root, change.new or queue.base, place)
            for change in queue.changes
        }
        _make(console, {side.folder: side for side in (base, *sides.values())}.values())
        for change in queue.changes:
            commands = sides[change.name].command, base.command
            place = out / change.name
            standing = play_change(change, queue.leagues, commands, place, how.jobs, tell)
            if standing.signal is not None:
                print_line(console, "stopped; the same command goes on")
                ctx.exit(128 + standing.signal)
            print_line(console, f"** {standing.text()}")
            for failure in standing.failures:
                print_line(console, f"   {failure}")


def _make(console: Console, builds: Iterable[Build]) -> None:
    """Makes the builds that are not ready, and prints the signature of each."""
    signatures = []
    try:
        for build in builds:
            if not build.is_ready:
                print_line(console, f"building {build.what} ({build.label})")
                build.make()
        for build in builds:
            signatures.append(nodes := build.bench_nodes())
            print_line(console, f"{build.what} ({build.label}): bench {nodes}")
    except KeyboardInterrupt:
        print_line(console, "stopped before the first game; builds that are ready are kept")
        raise
    if len(signatures) > 1 and len(set(signatures)) == 1:
        print_line(console, "all search the same nodes, so they can differ only in speed")
