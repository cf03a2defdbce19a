"""`tengen match`: programs play matches and tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console

from tengen.match.contest import Contest, ContestResult
from tengen.match.display import Display, LiveDisplay, PlainDisplay, QuietDisplay
from tengen.match.options import WORD_END, ManyWordsCommand, read_anchors, read_sprt
from tengen.match.plan import Plan
from tengen.match.records import RunFolder
from tengen.match.runner import LocalRunner, Runner
from tengen.match.schedule import KINDS, ORDERS
from tengen.match.summary import print_line, print_result
from tengen.match.versions import ask_versions, check_versions
from tengen.programs.player import Patience
from tengen.programs.program import Program, read_program
from tengen.record.books import default_openings
from tengen.record.game import Setting
from tengen.record.openings import Opening, check_openings, load_openings
from tengen.rules.referee import RULES
from tengen.stats.sprt import Model
from tengen.terminal.options import Seconds, Size, usage_errors

_DEFAULT_TURN_S = 0.1
_DEFAULT_GAMES = 4
# A test that has not decided by then is given up.
_DEFAULT_SPRT_GAMES = 4000
# Boards shown side by side.
_BOARDS = 2
# What may be said about a run that goes on: how it is carried out, not what is played.
_FREE_ON_RESUME = {
    "resume", "concurrency", "cluster", "watch", "is_quiet", "is_fatal", "anchors",
}  # fmt: skip


@click.command(
    "match",
    cls=ManyWordsCommand,
    options_metavar="--engine name=.. cmd=.. --engine name=.. cmd=.. [OPTIONS]",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="KEY=VALUE...",
    help=(
        "A program: name=NAME cmd=COMMAND, and if wanted tc=MATCH/TURN+INCREMENT or turn=SECONDS"
        " match=SECONDS, nodes=N depth=N memory=MIB threads=N dir=FOLDER option.KEY=VALUE. Give"
        " two or more."
    ),
)
@click.option(
    "--each", multiple=True, metavar="KEY=VALUE...", help="The same for all that do not say it."
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="A TOML file with any of these options; those on the command line come after it.",
)
@click.option("--rule", type=int, default=0, show_default=True, help="0, 1, 4, 8 or 9.")
@click.option("--size", type=Size(), default="15", show_default=True, help="Side, or WxH.")
@click.option(
    "--games",
    type=click.IntRange(1),
    help="For each pairing (and round).  [default: 4; with --sprt at most 4000]",
)
@click.option(
    "--schedule",
    type=click.Choice(KINDS),
    default="roundrobin",
    show_default=True,
    help="Who meets whom; in a gauntlet the first program meets all others.",
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Of a swiss.")
@click.option("--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]")
@click.option("--match", "match_s", type=Seconds(0, min_open=True), help="Seconds for a game.")
@click.option(
    "--openings",
    "openings_file",
    type=click.Path(path_type=Path),
    help="Openings, a line each: 0,0, 1,-1 counted from the centre, or h8i7 from the top left.",
)
@click.option("--order", type=click.Choice(ORDERS), default="random", show_default=True)
@click.option(
    "--opening-rule", type=click.Choice(["swap2"]), help="The programs make their openings."
)
@click.option("--seed", type=int, default=1, show_default=True, help="For the order of openings.")
@click.option(
    "--sprt",
    metavar="KEY=VALUE...",
    help="End when decided: elo0=0 elo1=10 alpha=0.05 beta=0.05, or some of them.",
)
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default="logistic",
    show_default=True,
    help="What the Elo of --sprt means.",
)
@click.option("--draw-after", type=click.IntRange(1), metavar="STONES", help="A draw by then.")
@click.option(
    "--tolerance",
    type=Seconds(0),
    default=Patience.tolerance_s,
    show_default=True,
    help="Seconds that a move may be late.",
)
@click.option(
    "--start-patience",
    type=Seconds(0, min_open=True),
    default=Patience.start_s,
    show_default=True,
    help="Seconds for a program to start.",
)
@click.option(
    "--exit-patience",
    type=Seconds(0),
    default=Patience.exit_s,
    show_default=True,
    help="Seconds for a program to leave.",
)
@click.option(
    "--late-patience",
    type=Seconds(0),
    default=Patience.late_s,
    show_default=True,
    help="Seconds to wait for a late move, after the tolerance.",
)
@click.option(
    "--unlimited-patience",
    type=Seconds(0, min_open=True),
    default=Patience.unlimited_s,
    show_default=True,
    help="Seconds to wait for a move that has no time limit.",
)
@click.option("--suspend", "is_suspending", is_flag=True, help="Stop who is not to move.")
@click.option("--fatal", "is_fatal", is_flag=True, help="The first failure ends the run.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="New folder for games.jsonl, psq and sgf files."
)
@click.option("--transcripts", "keeps_transcripts", is_flag=True, help="Every line, in --out.")
@click.option(
    "--resume", type=click.Path(path_type=Path), help="Go on with the run in this folder."
)
@click.option("--anchor", "anchors", multiple=True, metavar="NAME=ELO", help="A known rating.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option(
    "--cluster", metavar="ADDRESS", help="A dask.distributed scheduler; local:N starts one."
)
@click.option("--watch/--no-watch", default=None, help="Boards, or not even a progress bar.")
@click.option("--quiet", "is_quiet", is_flag=True, help="Only what comes at the end.")
@click.pass_context
def match_command(
    ctx: click.Context,
    engines: tuple[str, ...],
    each: tuple[str, ...],
    config: Path | None,
    rule: int,
    size: tuple[int, int],
    games: int | None,
    schedule: str,
    rounds: int,
    turn: float | None,
    match_s: float | None,
    openings_file: Path | None,
    order: str,
    opening_rule: str | None,
    seed: int,
    sprt: str | None,
    model: str,
    draw_after: int | None,
    tolerance: float,
    start_patience: float,
    exit_patience: float,
    late_patience: float,
    unlimited_patience: float,
    is_suspending: bool,
    is_fatal: bool,
    out: Path | None,
    keeps_transcripts: bool,
    resume: Path | None,
    anchors: tuple[str, ...],
    concurrency: int,
    cluster: str | None,
    watch: bool | None,
    is_quiet: bool,
) -> None:
    """Programs that speak the Gomocup protocol play a match or a tournament.

    Each opening is played twice, with colours exchanged. All times are in seconds. Example:

    \b
      tengen match --engine name=A cmd="pbrain-a" --engine name=B cmd="python b.py" turn=0.5
                   --rule 4 --size 15 --games 20 --turn 0.1 --out games
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
            width, height = size
            test = read_sprt(sprt, model)
            plan = Plan(
                programs=_read_programs(engines, _shared_words(each, turn, match_s)),
                setting=Setting(
                    width, height, rule, draw_after, opening_rule, is_suspending, keeps_transcripts
                ),
                openings=(),
                games=games or (_DEFAULT_SPRT_GAMES if test else _DEFAULT_GAMES),
                kind=schedule,
                rounds=rounds if schedule == "swiss" else 0,
                seed=seed,
                order=order,
                patience=Patience(
                    start_s=start_patience,
                    tolerance_s=tolerance,
                    late_s=late_patience,
                    unlimited_s=unlimited_patience,
                    exit_s=exit_patience,
                ),
                sprt=test,
            )
            plan = _with_openings(plan, openings_file)
            _check(plan, out)
            plan.schedule()
            plan = replace(plan, versions=ask_versions(plan))
        result = play_plan(
            plan,
            console,
            folder or out,
            concurrency=concurrency,
            cluster=cluster,
            watch=watch,
            is_quiet=is_quiet,
            is_fatal=is_fatal,
            anchors=read_anchors(anchors, plan.names),
        )
    ctx.exit(exit_status(result))


def play_plan(
    plan: Plan,
    console: Console,
    place: RunFolder | Path | None,
    concurrency: int = 1,
    cluster: str | None = None,
    watch: bool | None = None,
    is_quiet: bool = False,
    is_fatal: bool = False,
    anchors: dict[str, float] | None = None,
    zero: str | None = None,
    command: str = "match",
) -> ContestResult:
    """Plays a plan and prints what it has come to.

    place    the folder of a run to go on with, or a new one; None = the games are not kept.
    zero     the program that ratings without anchors are counted from.
    command  what goes on with a run that was stopped: `tengen COMMAND --resume`.
    """
    total = plan.schedule().total
    display = _display(console, plan, total, concurrency, watch, is_quiet)
    with _runner(plan, display, min(concurrency, total), cluster) as runner, ExitStack() as stack:
        # Made only now: a folder without a game would have to be resumed.
        if isinstance(place, Path):
            place = stack.enter_context(RunFolder.create(place, plan))
        contest = Contest(plan, display, place, place.games if place else (), is_fatal)
        result = contest.play(runner)
    if result.signal is not None:
        print_line(console, "stopped; what was played until then:")
    limits = [(program.name, program.limits_text) for program in plan.programs]
    print_result(console, result.tally, limits, plan.sprt, anchors, zero)
    if place is not None:
        print_line(console, f"games in {place.path}")
        if result.signal is not None:
            print_line(console, f"to go on: tengen {command} --resume {place.path}")
    if result.failure is not None:
        print_line(console, "ended at the first failure")
    return result


def exit_status(result: ContestResult) -> int:
    """0, or 1 after a failure that ended the run, or what a shell gives to a command that a signal
    has ended."""
    if result.signal is not None:
        return 128 + result.signal
    return 1 if result.failure is not None else 0


def _display(
    console: Console, plan: Plan, total: int, concurrency: int, watch: bool | None, is_quiet: bool
) -> Display:
    if is_quiet:
        return QuietDisplay(console, total, plan.sprt)
    if watch or (watch is None and console.is_terminal):
        boards = min(concurrency, _BOARDS) if watch else 0
        return LiveDisplay(console, total, plan.sprt, boards)
    return PlainDisplay(console, total, plan.sprt)


@contextmanager
def _runner(
    plan: Plan, display: Display, concurrency: int, cluster: str | None
) -> Iterator[Runner]:
    if cluster is None:
        yield LocalRunner(plan, display.watchers(concurrency))
        return
    try:
        from tengen.match.cluster import ClusterRunner, connect
    except ImportError as error:
        raise ValueError(
            f"--cluster: {error.name} is missing (pip install 'tengen[cluster]')"
        ) from None
    with connect(cluster) as client:
        yield ClusterRunner(plan, client)


def refuse_on_resume(ctx: click.Context, free: Set[str]) -> None:
    """ValueError for an option on the command line that says what is played, which a run that goes
    on has in its folder; `free` are the parameters that may be said again."""
    for param in ctx.command.params:
        name = param.name or ""
        source = ctx.get_parameter_source(name)
        if name not in free and source is ParameterSource.COMMANDLINE:
            raise ValueError(
                f"--resume goes on with the run as it was begun; leave out {param.opts[0]}"
            )


def _shared_words(each: tuple[str, ...], turn: float | None, match_s: float | None) -> list[str]:
    words = [word for words in each for word in words.split(WORD_END) if word]
    keys = {word.partition("=")[0] for word in words}
    if turn is None and match_s is None and not keys & {"tc", "turn", "match", "nodes", "depth"}:
        turn = _DEFAULT_TURN_S
    if turn is not None:
        words.append(f"turn={turn}")
    if match_s is not None:
        words.append(f"match={match_s}")
    return words


def _read_programs(engines: tuple[str, ...], each: list[str]) -> tuple[Program, ...]:
    programs = [read_program(words.split(WORD_END), each) for words in engines if words]
    if len(programs) < 2 or len(engines) != len(programs):
        given = "once" if len(engines) == 1 else f"{len(engines)} times"
        raise ValueError(f"a match is played by two programs or more; --engine was given {given}")
    names = [program.name for program in programs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two programs are named {name}; give each its own name=")
    return tuple(programs)


def _with_openings(plan: Plan, path: Path | None) -> Plan:
    setting = plan.setting
    if setting.rule not in RULES:
        raise ValueError(f"--rule {setting.rule}: expected one of {', '.join(map(str, RULES))}")
    if setting.opening_rule is not None:
        if path is not None:
            raise ValueError("--openings and --opening-rule exclude each other")
        return replace(plan, openings=(Opening(()),))
    width, height = setting.width, setting.height
    openings = (
        load_openings(path, size=(width, height))
        if path
        else default_openings(width, height, setting.rule)
    )
    check_openings(openings, width, height, setting.rule)
    return replace(plan, openings=tuple(openings))


def _check(plan: Plan, out: Path | None) -> None:
    """ValueError for options that do not go together."""
    if plan.sprt is not None and len(plan.programs) != 2:
        raise ValueError("--sprt compares two programs")
    if plan.setting.keeps_transcripts and out is None:
        raise ValueError("--transcripts are written to a folder; give --out too")
    if plan.setting.draw_after is not None:
        longest = max(len(opening.offsets) for opening in plan.openings)
        if plan.setting.draw_after <= longest:
            raise ValueError(f"--draw-after: openings have {longest} stones already")
