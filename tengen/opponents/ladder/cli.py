"""`tengen ladder`: a round robin of all opponents and Tengen, with ratings, a table and a chart."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.command import ManyWordsCommand, words_of
from tengen.arena.match.options import (
    REPLACED,
    Execution,
    GameOptions,
    OpeningOptions,
    PlaceOptions,
    refuse_on_resume,
)
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.run import check_kind, exit_status, play_plan
from tengen.arena.match.summary import print_line
from tengen.arena.match.versions import check_versions, introduce
from tengen.common.terminal.commands import command, option
from tengen.common.terminal.groups import takes
from tengen.common.terminal.options import RULE_HELP, Count, Name, Rule, Seconds, Size, usage_errors
from tengen.game.record.game import Setting
from tengen.game.record.numbers import counted
from tengen.opponents.ladder.documents import PAGE, refreshed, write_documents
from tengen.opponents.ladder.entrants import FLOOR, entrant_names, entrants

_DEFAULT_PAIRS = 10
_DEFAULT_TURN_S = 0.2
# A move that is late by more than this is a failure. It is larger than
# that of a match, so that a busy machine does not change the ratings.
_DEFAULT_TOLERANCE_S = 5.0
_RARER = "Rarer options"
# The command asks before it plays more games than this without keeping them.
_MANY_GAMES = 100


@command("ladder", cls=ManyWordsCommand, replaced=REPLACED)
@option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@option("--size", type=Size(), default="15", help="Side, or WxH.")
@option(
    "--games",
    type=Count(1),
    default=2 * _DEFAULT_PAIRS,
    help="Games of each pairing; two of them are a pair.",
)
@option(
    "--turn",
    type=Seconds(0),
    default=_DEFAULT_TURN_S,
    help="Seconds for a move.",
)
@takes(
    "game",
    GameOptions,
    "patience_words",
    patience_words={
        "help": "Waits: tolerance=5 start=10 late=2 exit=1 ...",
        "heading": _RARER,
    },
)
@option(
    "--only",
    type=Name("entrant", entrant_names),
    multiple=True,
    metavar="NAME",
    help="Only these entrants play; give it once for each.",
)
@option(
    "--with",
    "others",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another program, in the words of tengen match --engine.",
)
@takes("openings", OpeningOptions, "seed", seed={"heading": _RARER})
@takes("place", PlaceOptions)
@option(
    "--yes",
    "is_agreed",
    is_flag=True,
    help="Do not ask before many games that are not kept.",
    heading=_RARER,
)
@option(
    "--write",
    "docs",
    type=click.Path(path_type=Path),
    metavar="DOCS",
    help="Refresh DOCS/LADDER.md and DOCS/ladder.svg.",
    heading=_RARER,
)
@takes("how", Execution, "jobs", "display", "is_json", display={"heading": _RARER})
@click.pass_context
def ladder_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    games: int,
    turn: float,
    game: GameOptions,
    only: tuple[str, ...],
    others: tuple[str, ...],
    openings: OpeningOptions,
    place: PlaceOptions,
    is_agreed: bool,
    docs: Path | None,
    how: Execution,
) -> None:
    """Plays a round robin of all opponents and of Tengen under several limits.

    Ratings are counted from the random mover. The whole ladder takes 8 minutes with --jobs 2 on two
    idle cores. A run that was stopped leaves the documents as they are and is continued with
    --resume. The result of a complete run is written to the documents by

    \b
      tengen ladder --resume games/ladder --write docs
      tengen ladder --only simple --only lines --with name=Mine cmd="python mine.py"
    """
    console = Console()
    with usage_errors(), ExitStack() as stack:
        folder = None
        if place.resume is not None:
            refuse_on_resume(ctx, "docs")
            folder = stack.enter_context(RunFolder.resume(place.resume))
            plan = folder.plan
            check_kind(folder)
            check_versions(plan)
        else:
            plan = Plan(
                programs=entrants(only or entrant_names(), turn, [*map(words_of, others)]),
                setting=Setting(*size, rule),
                openings=openings.openings(size, rule),
                games=games,
                seed=openings.seed,
                patience=game.patience(tolerance_s=_DEFAULT_TOLERANCE_S),
            )
            if place.out is None and not is_agreed:
                _ask_before_many(plan.schedule().total)
            plan = introduce(plan)
        if docs is not None and set(plan.names) - set(entrant_names()):
            raise ValueError("--write is for the ladder without other programs (--with)")
        if docs is not None:
            refreshed(docs / PAGE, "")  # before the games, not after
        zero = FLOOR if FLOOR in plan.names else None
        result = play_plan(plan, console, folder or place.out, how, zero=zero, command="ladder")
        # The result of a part of the games must not replace that of a complete run.
        if docs is not None and result.signal is None:
            for path in write_documents(docs, plan, result.tally, zero):
                print_line(console, f"wrote {path}")
    ctx.exit(exit_status(result))


def _ask_before_many(total: int) -> None:
    """Asks before many games that are not kept. click.Abort when the answer is no, UsageError
    where standard input is not a terminal."""
    if total <= _MANY_GAMES:
        return
    games = counted(total, "game")
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"{games} would be played and not kept; give --out FOLDER to keep them, or --yes to"
            " play them anyway"
        )
    click.confirm(
        f"{games} will be played and not kept (--out FOLDER keeps them). Go on?", abort=True
    )
