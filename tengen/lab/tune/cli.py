"""`tengen lab tune`: moves parameters of the search by SPSA, with games between two settings."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from tengen.arena.match.command import ManyWordsCommand
from tengen.arena.match.options import (
    BOOK_WORDS,
    Execution,
    OpeningOptions,
    PlaceOptions,
    refuse_but,
    refuse_on_resume,
)
from tengen.arena.match.plan import Plan, read_plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.run import make_display, open_runner
from tengen.arena.match.summary import print_line
from tengen.common.commands import (
    RULE_HELP,
    Count,
    Number,
    Rule,
    Size,
    command,
    option,
    option_field,
    takes,
    usage_errors,
)
from tengen.game.record.game import Setting
from tengen.game.record.games_jsonl import read_records
from tengen.game.record.numbers import counted
from tengen.lab.tune.log import TuneLog, read_log
from tengen.lab.tune.parameters import options_of, read_tunables
from tengen.lab.tune.program import TunedProgram, ask_program
from tengen.lab.tune.run import KIND, Outcome, TuningRun
from tengen.lab.tune.spsa import Spsa, default_rate
from tengen.lab.tune.summary import print_state

_STEPS = "Iterations"


@dataclass(frozen=True)
class TuningOptions:
    """What is tuned, and how far and how fast."""

    params: str | None = option_field(
        "--params",
        metavar="NAME,...|FILE",
        help="Names with * for any characters, or a TOML file.",
    )
    iterations: int = option_field(
        "--iterations",
        type=Count(1),
        default=1000,
        help="How often the parameters are moved.",
    )
    pairs: int = option_field(
        "--pairs",
        type=Count(1),
        default=1,
        help="Pairs of games of each iteration.",
        heading=_STEPS,
    )
    ahead: int = option_field(
        "--ahead",
        type=Count(1),
        default=4,
        help="How many iterations are played at once.",
        heading=_STEPS,
    )
    rate: float | None = option_field(
        "--rate",
        type=Number(0, 10, min_open=True),
        metavar="STEPS",
        help="Steps that a won game moves at the end.  [default: 40 / pairs]",
        heading=_STEPS,
    )

    def tuning(self, seed: int) -> Spsa:
        """The plan of a run. ValueError for parameters that cannot be tuned."""
        if self.params is None:
            raise ValueError("--params is missing: name what to tune, such as --params razor_*")
        rate = default_rate(self.iterations * self.pairs) if self.rate is None else self.rate
        parameters = read_tunables(self.params)
        return Spsa(parameters, self.iterations, rate, seed, self.pairs, self.ahead)


@command("tune", cls=ManyWordsCommand, options_metavar="--params NAME,... --out FOLDER [OPTIONS]")
@takes("options", TuningOptions)
@option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@option("--size", type=Size(), default="15", help="Side, or WxH.")
@takes("tuned", TunedProgram)
@takes(
    "openings",
    OpeningOptions,
    book={"help": "One a line: h8i7, or 0,0 1,-1; notation=.", "type": BOOK_WORDS},
    seed={"help": "Decides openings and perturbations.", "heading": _STEPS},
)
@takes(
    "place",
    PlaceOptions,
    out={"help": "A new folder for the log (tune.jsonl) and the games."},
)
@option(
    "--show",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Only print the state of the run in this folder.",
)
@takes("how", Execution, "jobs", "cluster", "display")
@click.pass_context
def tune_command(
    ctx: click.Context,
    options: TuningOptions,
    rule: int,
    size: tuple[int, int],
    tuned: TunedProgram,
    openings: OpeningOptions,
    place: PlaceOptions,
    show: Path | None,
    how: Execution,
) -> None:
    """Tunes parameters of the search by SPSA.

    docs/TUNING.md explains how to choose steps and the number of games. Example:

    \b
      tengen lab tune --params 'razor_*' --nodes 20000 --out games/tune
    """
    console = Console()
    with usage_errors(), ExitStack() as stack:
        if show is not None:
            refuse_but(ctx, "--show only prints the state of a run", "show")
            _print_folder(console, show)
            return
        folder = log = None
        if place.resume is not None:
            refuse_on_resume(ctx)
            read_log(place.resume)  # refuses a folder that holds no tuning run
            # The folder first: it is locked, so that no other run is writing the log.
            folder = stack.enter_context(RunFolder.resume(place.resume))
            log = TuneLog.resume(place.resume)
            plan, tuning = folder.plan, log.tuning
        else:
            if place.out is None:
                raise ValueError("--out is missing: name a new folder for the log and the games")
            if openings.opening_rule is not None:
                raise ValueError("--openings: tuning needs the openings of a file or of the book")
            tuning = options.tuning(openings.seed)
            plan = Plan(
                programs=tuned.programs(),
                setting=Setting(*size, rule),
                openings=openings.openings(size, rule),
                games=tuning.iterations * tuning.games,
                kind=KIND,
                seed=openings.seed,
            )
        about = ask_program(plan, options_of(tuning.parameters, tuning.start))
        if folder is None:
            plan = replace(plan, versions=tuple((program.name, about) for program in plan.programs))
        elif (before := dict(plan.versions).get(plan.names[0])) != about:
            raise ValueError(f"--resume: the program answered ABOUT with {before!r}, now {about!r}")
        outcome = _play(console, stack, plan, tuning, folder or place.out, log, how)
    # As a shell: what it returns for a command that a signal has ended.
    ctx.exit(128 + outcome.signal if outcome.signal is not None else bool(outcome.failure))


def _play(
    console: Console,
    stack: ExitStack,
    plan: Plan,
    tuning: Spsa,
    place: RunFolder | Path | None,
    log: TuneLog | None,
    how: Execution,
) -> Outcome:
    """Plays a run and prints its state at the end."""
    most = min(tuning.ahead, tuning.iterations) * tuning.games
    workers = min(how.jobs, most)
    display = make_display(console, plan, plan.games, workers, how)
    with open_runner(plan, display, workers, how.cluster) as runner:
        # Made only now, so that an error above leaves no folder behind.
        if isinstance(place, Path):
            place = stack.enter_context(RunFolder.create(place, plan))
            log = TuneLog.create(place.path, tuning)
        assert place is not None and log is not None
        if not how.is_quiet:
            count = len(tuning.parameters)
            print_line(
                console,
                f"{counted(count, 'parameter')}, {counted(tuning.iterations, 'iteration')} of"
                f" {counted(tuning.games, 'game')}, rate {tuning.rate:g}",
            )
            print_line(console, f"the log and the games go to {place.path}")
            if workers < how.jobs:
                print_line(
                    console,
                    f"at most {workers} games are played at a time: with --ahead {tuning.ahead} and"
                    f" --pairs {tuning.pairs} there are no more",
                )
        outcome = TuningRun(plan, log, place, display).play(runner)
    if outcome.signal is not None:
        print_line(console, "stopped; the state so far:")
    print_state(console, plan, tuning, log.iterations, place.path)
    print_line(console, f"log and games in {place.path}")
    if outcome.failure is not None:
        print_line(console, f"given up: {outcome.failure}")
    if outcome.signal is not None or outcome.failure is not None:
        print_line(console, f"to continue: tengen lab tune --resume {place.path}")
    return outcome


def _print_folder(console: Console, folder: Path) -> None:
    tuning, iterations = read_log(folder)
    records = read_records(folder / "games.jsonl")
    if not records:
        raise ValueError(f"{folder / 'games.jsonl'} is empty")
    print_state(console, read_plan(records[0]), tuning, iterations, folder)
