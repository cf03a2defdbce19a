"""`tengen sprt BASE`: is the working tree stronger than a commit? One command, and evidence."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from tengen.match.builds import Build, build_commit, build_working_tree, find_project
from tengen.match.cli import exit_status, play_plan
from tengen.match.options import ManyWordsCommand, read_sprt
from tengen.match.plan import Plan
from tengen.match.summary import print_line
from tengen.match.versions import ask_versions
from tengen.programs.program import read_program
from tengen.record.books import default_openings
from tengen.record.game import Setting
from tengen.record.openings import check_openings, load_openings
from tengen.rules.referee import RULES
from tengen.stats.sprt import Model
from tengen.terminal.options import Seconds, Size, usage_errors

_DEFAULT_TURN_S = 0.1


@click.command("sprt", cls=ManyWordsCommand, options_metavar="[OPTIONS]")
@click.argument("base")
@click.option("--rule", type=int, default=0, show_default=True, help="0, 1, 4, 8 or 9.")
@click.option("--size", type=Size(), default="15", show_default=True, help="Side, or WxH.")
@click.option("--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for a move, instead of a time.")
@click.option("--memory", type=click.IntRange(0), default=350, show_default=True, help="MiB.")
@click.option("--option", "words", multiple=True, metavar="KEY=VALUE", help="For both, by INFO.")
@click.option("--pairs", type=click.IntRange(1), default=2000, show_default=True, help="At most.")
@click.option(
    "--sprt", metavar="KEY=VALUE...", help="elo0=0 elo1=10 alpha=0.05 beta=0.05, or some of them."
)
@click.option("--simplification", is_flag=True, help="elo0=-10 elo1=0: not weaker is good enough.")
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default="logistic",
    show_default=True,
)
@click.option("--openings", "openings_file", type=click.Path(path_type=Path))
@click.option("--seed", type=int, default=1, show_default=True, help="For the order of openings.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--cluster", metavar="ADDRESS", help="A dask.distributed scheduler; local:N.")
@click.option("--out", type=click.Path(path_type=Path), help="[default: a new folder in games/]")
@click.option("--watch/--no-watch", default=None, help="Boards, or not even a progress bar.")
@click.option("--quiet", "is_quiet", is_flag=True, help="Only what comes at the end.")
@click.pass_context
def sprt_command(
    ctx: click.Context,
    base: str,
    rule: int,
    size: tuple[int, int],
    turn: float | None,
    nodes: int | None,
    memory: int,
    words: tuple[str, ...],
    pairs: int,
    sprt: str | None,
    simplification: bool,
    model: str,
    openings_file: Path | None,
    seed: int,
    concurrency: int,
    cluster: str | None,
    out: Path | None,
    watch: bool | None,
    is_quiet: bool,
) -> None:
    """Tests the working tree against the commit BASE by a sequential test.

    Both are built in folders of their own under build/sprt/, so that the tree can be worked on
    meanwhile. A run that was broken off goes on with `tengen match --resume`. Example:

    \b
      tengen sprt main --rule 4 --turn 0.1 --concurrency 2
      tengen sprt HEAD~1 --nodes 20000 --sprt elo0=0 elo1=5
    """
    console = Console()
    width, height = size
    with usage_errors():
        if rule not in RULES:
            raise ValueError(f"--rule {rule}: expected one of {', '.join(map(str, RULES))}")
        if turn is not None and nodes is not None:
            raise ValueError("--turn and --nodes exclude each other")
        if simplification and sprt:
            raise ValueError("--simplification and --sprt exclude each other")
        test = read_sprt("elo0=-10\nelo1=0" if simplification else sprt or "", model)
        openings = (
            load_openings(openings_file, size=size)
            if openings_file
            else default_openings(width, height, rule)
        )
        check_openings(openings, width, height, rule)
        root = find_project(Path.cwd())
        place = root / "build" / "sprt"
        builds = [build_working_tree(root, place), build_commit(root, base, place)]
        _say_builds(console, builds, base)
        limit = f"nodes={nodes}" if nodes else f"turn={_DEFAULT_TURN_S if turn is None else turn}"
        shared = [limit, f"memory={memory}", *(f"option.{word}" for word in words)]
        names = [f"new {builds[0].label}", f"base {builds[1].label}"]
        plan = Plan(
            programs=tuple(
                read_program([f"name={name}", f"cmd={build.command}"], shared)
                for name, build in zip(names, builds, strict=True)
            ),
            setting=Setting(width, height, rule),
            openings=tuple(openings),
            games=2 * pairs,
            seed=seed,
            sprt=test,
        )
        plan = replace(plan, versions=ask_versions(plan))
        if out is None:
            stamp = time.strftime("%Y%m%d-%H%M%S")
            out = root / "games" / f"sprt-{stamp}-rule{rule}-{width}x{height}"
        result = play_plan(
            plan,
            console,
            out,
            concurrency=concurrency,
            cluster=cluster,
            watch=watch,
            is_quiet=is_quiet,
        )
    ctx.exit(exit_status(result))


def _say_builds(console: Console, builds: list[Build], base: str) -> None:
    new, old = (build.bench_nodes() for build in builds)
    print_line(console, f"working tree {builds[0].label}: bench {new}")
    print_line(console, f"{base} {builds[1].label}: bench {old}")
    if new == old:
        print_line(console, "both search the same nodes: a difference can only be one of speed")
