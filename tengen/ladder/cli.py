"""`tengen ladder`: a round robin of all opponents and Tengen, with ratings, a table and a chart."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from tengen.ladder.documents import check_documents, write_documents
from tengen.ladder.entrants import FLOOR, entrant_names, entrants
from tengen.match.cli import exit_status, play_plan, refuse_on_resume
from tengen.match.plan import Plan
from tengen.match.records import RunFolder
from tengen.match.summary import print_line
from tengen.match.versions import ask_versions, check_versions
from tengen.programs.player import Patience
from tengen.record.books import default_openings
from tengen.record.game import Setting
from tengen.record.openings import check_openings
from tengen.rules.referee import RULES
from tengen.terminal.options import Seconds, Size, usage_errors

_DEFAULT_PAIRS = 10
_DEFAULT_TURN_S = 0.2
# Late by more than this is a fault of the program; by less, a busy machine, which shall not decide
# how strong somebody is. A match is stricter.
_DEFAULT_TOLERANCE_S = 5.0
# What may be said about a run that goes on.
_FREE_ON_RESUME = {"resume", "concurrency", "docs", "is_quiet"}


@click.command("ladder")
@click.option("--rule", type=int, default=0, show_default=True, help="0, 1, 4, 8 or 9.")
@click.option("--size", type=Size(), default="15", show_default=True, help="Side, or WxH.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=2 * _DEFAULT_PAIRS,
    show_default=True,
    help="For each pairing; two of them are a pair.",
)
@click.option(
    "--turn",
    type=Seconds(0),
    default=_DEFAULT_TURN_S,
    show_default=True,
    help="Seconds for a move.",
)
@click.option(
    "--tolerance",
    type=Seconds(0),
    default=_DEFAULT_TOLERANCE_S,
    show_default=True,
    help="Seconds that a move may be late.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Some of the entrants, one each time.")
@click.option("--seed", type=int, default=1, show_default=True, help="For the order of openings.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="New folder for the games.")
@click.option(
    "--resume", type=click.Path(path_type=Path), help="Go on with the ladder in this folder."
)
@click.option(
    "--write",
    "docs",
    type=click.Path(path_type=Path),
    metavar="DOCS",
    help="Refresh table and chart: DOCS/LADDER.md, DOCS/ladder.svg, and README.md beside DOCS.",
)
@click.option("--quiet", "is_quiet", is_flag=True, help="Only what comes at the end.")
@click.pass_context
def ladder_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    games: int,
    turn: float,
    tolerance: float,
    only: tuple[str, ...],
    seed: int,
    concurrency: int,
    out: Path | None,
    resume: Path | None,
    docs: Path | None,
    is_quiet: bool,
) -> None:
    """Every opponent plays every other, and Tengen under several limits plays them all.

    Ratings are counted from the random mover. The whole ladder takes half an hour or more; it can
    be broken off, which leaves the documents as they are, and goes on with --resume. A run that
    has ended is written down with

    \b
      tengen ladder --resume games/ladder --write docs
    """
    console = Console()
    with usage_errors(), ExitStack() as stack:
        folder = None
        if resume is not None:
            refuse_on_resume(ctx, _FREE_ON_RESUME)
            folder = stack.enter_context(RunFolder.resume(resume))
            plan = folder.plan
            check_versions(plan)
        else:
            plan = _plan(rule, size, games, turn, tolerance, only, seed)
        if docs is not None:
            check_documents(docs)  # before the games, not after
        zero = FLOOR if FLOOR in plan.names else None
        result = play_plan(
            plan,
            console,
            folder or out,
            concurrency=concurrency,
            is_quiet=is_quiet,
            zero=zero,
            command="ladder",
        )
        # Half a ladder shall not take the place of a whole one.
        if docs is not None and result.signal is None:
            for path in write_documents(docs, plan, result.tally, zero):
                print_line(console, f"wrote {path}")
    ctx.exit(exit_status(result))


def _plan(
    rule: int,
    size: tuple[int, int],
    games: int,
    turn: float,
    tolerance: float,
    only: tuple[str, ...],
    seed: int,
) -> Plan:
    """A new run; ValueError for what cannot be played."""
    if rule not in RULES:
        raise ValueError(f"--rule {rule}: expected one of {', '.join(map(str, RULES))}")
    width, height = size
    openings = default_openings(width, height, rule)
    check_openings(openings, width, height, rule)
    plan = Plan(
        programs=entrants(only or entrant_names(), turn),
        setting=Setting(width, height, rule),
        openings=tuple(openings),
        games=games,
        seed=seed,
        patience=Patience(tolerance_s=tolerance),
    )
    return replace(plan, versions=ask_versions(plan))
