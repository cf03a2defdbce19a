"""`tengen match`: programs play matches and tournaments."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.display import make_display
from tengen.arena.match.options import (
    Execution,
    GameOptions,
    ManyWordsCommand,
    OpeningOptions,
    PairingOptions,
    PlaceOptions,
    ProgramOptions,
    SprtOptions,
    config_option,
    refuse_on_resume,
)
from tengen.arena.match.plan import Plan, check_versions, introduce
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import KINDS, Setting
from tengen.arena.match.scoreboard import MatchResult
from tengen.arena.match.summary import print_result, result_record
from tengen.arena.match.tournament import Tournament, open_runner
from tengen.arena.programs.process import remove_leftovers
from tengen.arena.programs.swap2 import MOST_STONES
from tengen.common.commands import RULE_HELP, Rule, Size, command, option, takes, usage_errors
from tengen.common.console import print_line
from tengen.game.values import counted, json_text


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
            folder = RunFolder.resume(place.resume, pairing.games, _check_resumed)
            plan = stack.enter_context(folder).plan
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
                programs=programs.programs(),
            )
            _check(plan, place.out)
            plan.schedule()
            plan = introduce(plan)
        result = play_plan(plan, console, folder or place.out, how)
    ctx.exit(result.status)


def _check_resumed(plan: Plan) -> None:
    if plan.kind not in KINDS:
        raise ValueError(
            f"the run is of another kind ({plan.kind}); continue it with the command and version"
            " that started it"
        )
    check_versions(plan)


def _check(plan: Plan, out: Path | None) -> None:
    """ValueError for options that do not go together."""
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


def play_plan(
    plan: Plan,
    console: Console,
    place: RunFolder | Path | None,
    how: Execution,
) -> MatchResult:
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
    display = make_display(console, total, plan.sprt, how.display)
    with (
        open_runner(plan, display.watchers, workers, how.cluster, how.cores) as runner,
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
        click.echo(json_text(result_record(plan, result.scores, anchors)))
    else:
        limits = [(program.name, program.limits_text) for program in plan.programs]
        print_result(console, result.scores, limits, plan.sprt, anchors)
    if place is not None:
        print_line(console, f"games in {place.path}")
        if has_stopped:
            print_line(console, f"to continue: tengen match --resume {place.path}")
    if result.failure is not None:
        print_line(console, "ended at the first failure")
    if error is not None:
        raise error
    return result
