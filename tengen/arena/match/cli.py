"""`tengen match`: programs play matches and tournaments."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.command import ManyWordsCommand, config_option
from tengen.arena.match.options import (
    Execution,
    GameOptions,
    OpeningOptions,
    PairingOptions,
    PlaceOptions,
    ProgramOptions,
    SprtOptions,
    refuse_on_resume,
)
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.run import check_kind, exit_status, play_plan
from tengen.arena.match.versions import check_versions, introduce
from tengen.arena.programs.swap2 import MOST_STONES
from tengen.common.commands import RULE_HELP, Rule, Size, command, option, takes, usage_errors
from tengen.game.record.game import Setting
from tengen.game.record.numbers import counted


@command(
    "match",
    cls=ManyWordsCommand,
    options_metavar='--engine cmd=a --engine cmd="python b.py" [OPTIONS]',
)
@takes("programs", ProgramOptions)
@option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@option("--size", type=Size(), default="15", help="Side, or WxH.")
@takes("pairing", PairingOptions)
@takes("openings", OpeningOptions)
@takes("test", SprtOptions)
@takes("game", GameOptions)
@takes("place", PlaceOptions)
@takes("how", Execution)
@config_option()
@click.pass_context
def match_command(
    ctx: click.Context,
    programs: ProgramOptions,
    rule: int,
    size: tuple[int, int],
    pairing: PairingOptions,
    openings: OpeningOptions,
    test: SprtOptions,
    game: GameOptions,
    place: PlaceOptions,
    how: Execution,
) -> None:
    """Plays a match or a tournament (docs/MATCH.md). Times are in seconds."""
    console = Console()
    with usage_errors(), ExitStack() as stack:
        folder = None
        if place.resume is not None:
            refuse_on_resume(ctx, "games")
            folder = stack.enter_context(RunFolder.resume(place.resume, pairing.games))
            plan = folder.plan
            check_kind(folder)
            check_versions(plan)
        else:
            sprt = test.test()
            plan = Plan(
                setting=Setting(
                    *size,
                    rule,
                    **game.fields() | {"opening_rule": openings.opening_rule},
                ),
                openings=openings.openings(size, rule),
                games=pairing.games_of(sprt),
                seed=openings.seed,
                **pairing.tournament(),
                **openings.order(),
                timeouts=game.timeouts(),
                sprt=sprt,
                programs=programs.programs(),  # last, because they are started to say their names
            )
            _check(plan, place.out)
            plan.schedule()
            plan = introduce(plan)
        result = play_plan(plan, console, folder or place.out, how)
    ctx.exit(exit_status(result))


def _check(plan: Plan, out: Path | None) -> None:
    """ValueError for options that do not go together."""
    if plan.sprt is not None and len(plan.programs) != 2:
        raise ValueError("--sprt compares two programs")
    if plan.start > len(plan.openings):
        count = counted(len(plan.openings), "opening")
        raise ValueError(f"--openings: start={plan.start} is past the end: {count}")
    if plan.setting.keeps_transcripts and out is None:
        raise ValueError("--transcripts are written to a folder; give --out too")
    if plan.setting.draw_after is not None:
        if plan.setting.opening_rule == "swap2":
            longest, what = MOST_STONES, "openings by swap2 have up to"
        else:
            longest, what = max(len(each.offsets) for each in plan.openings), "openings have"
        if plan.setting.draw_after <= longest:
            raise ValueError(f"--draw after=: {what} {counted(longest, 'stone')} already")
