"""`tengen lab tune`: moves parameters of the search by SPSA, with games between two settings.

The state after an iteration depends only on the results of the iterations up to it, and the state
that an iteration perturbs only on those `ahead` before it. Games are counted in the order of their
numbers, whenever they end. So with limits in nodes a run gives the same states with any number of
games at a time, here or on a cluster, and however often it was stopped. The folder of a run has
what is tuned in `tune.json` and the games; the states follow from them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from engine.files import read_file, replace_file
from tengen.arena.match.display import Progress, make_display
from tengen.arena.match.options import (
    BOOK_WORDS,
    FOR_BOTH,
    Execution,
    ManyWordsCommand,
    OpeningOptions,
    PlaceOptions,
    ProgramOptions,
    refuse_but,
    refuse_on_resume,
)
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder, read_match
from tengen.arena.match.schedule import Job, Schedule, Setting, jobs_of
from tengen.arena.match.scoreboard import ending_word
from tengen.arena.match.tournament import Tournament, open_runner
from tengen.arena.programs.spec import words_of
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
from tengen.common.console import print_line, print_table
from tengen.game.game import Game
from tengen.game.openings import default_openings
from tengen.game.values import counted, json_text
from tengen.lab.tune.program import MINUS, PLUS, try_program, tuned_programs
from tengen.lab.tune.spsa import (
    Perturbation,
    Spsa,
    State,
    Tunable,
    default_of,
    default_rate,
    options_of,
    read_tunables,
)

# What is tuned and how, in the folder of a run.
NAME = "tune.json"
# The openings of a run that does not take those of the book, there too.
OPENINGS = "openings.txt"
# The kind in the plan of the games, which keeps `tengen match --resume` from continuing it.
KIND = "tuning"
# A run ends when so many iterations in a row had a game that ended by a failure of a program.
_FAILURES = 3
# The parameters that are shown in a line.
_SHOWN = 5
_STEPS = "Iterations"
# The characters of a sparkline, lowest first, and how many of them.
_BARS, _ASCII_BARS = "▁▂▃▄▅▆▇█", "_.-~=+*#"
_LENGTH = 16


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
@option("--cmd", metavar="COMMAND", help="The program to tune.  [default: this engine]")
@takes("words", ProgramOptions, "each", "turn", "nodes", each=FOR_BOTH)
@takes(
    "openings",
    OpeningOptions,
    "book",
    "seed",
    book={"help": "One a line: h8i7, or 0,0 1,-1; notation=.", "type": BOOK_WORDS},
    seed={"help": "Decides openings and perturbations.", "heading": _STEPS},
)
@takes("place", PlaceOptions, out={"help": f"A new folder for {NAME} and the games."})
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
    cmd: str | None,
    words: ProgramOptions,
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
            spsa = read_tuning(show)
            plan, games = read_match(show)
            print_state(console, tuning_so_far(plan, spsa, games), show)
            return
        folder = None
        if place.resume is not None:
            refuse_on_resume(ctx)
            spsa = read_tuning(place.resume)  # refuses a folder that holds no tuning run
            folder = stack.enter_context(RunFolder.resume(place.resume))
            plan = folder.plan
        else:
            if place.out is None:
                raise ValueError(f"--out is missing: name a new folder for {NAME} and the games")
            spsa = options.tuning(openings.seed)
            plan = Plan(
                programs=tuned_programs(cmd, words.shared()),
                setting=Setting(*size, rule),
                openings=openings.openings(size, rule),
                games=spsa.iterations * spsa.games,
                kind=KIND,
                seed=openings.seed,
            )
        about = try_program(plan, options_of(spsa.parameters, spsa.start))
        if folder is None:
            plan = replace(plan, versions=tuple((program.name, about) for program in plan.programs))
        elif (before := dict(plan.versions).get(plan.names[0])) != about:
            raise ValueError(f"--resume: the program answered ABOUT with {before!r}, now {about!r}")
        status = _play(console, stack, Tuning(plan, spsa), folder or place.out, how)
    ctx.exit(status)


def _play(
    console: Console,
    stack: ExitStack,
    tuning: Tuning,
    place: RunFolder | Path | None,
    how: Execution,
) -> int:
    """Plays a run, prints its state at the end, and returns the exit status."""
    plan, spsa = tuning.plan, tuning.spsa
    most = min(spsa.ahead, spsa.iterations) * spsa.games
    workers = min(how.jobs, most)
    display = make_display(console, plan.games, None, how.display)
    display.progress = tuning.progress
    with open_runner(plan, display.watchers, workers, how.cluster) as runner:
        # Made only now, so that an error above leaves no folder behind.
        if isinstance(place, Path):
            place = stack.enter_context(RunFolder.create(place, plan))
            replace_file(place.path / NAME, json_text(asdict(spsa), indent=1) + "\n")
            size = plan.setting.width, plan.setting.height
            if plan.openings != tuple(default_openings(*size, plan.setting.rule)):
                lines = [f"{opening.text('offset', *size)}\n" for opening in plan.openings]
                replace_file(place.path / OPENINGS, "".join(lines))
        assert place is not None
        if not how.is_quiet:
            print_line(
                console,
                f"{counted(len(spsa.parameters), 'parameter')},"
                f" {counted(spsa.iterations, 'iteration')} of {counted(spsa.games, 'game')},"
                f" rate {spsa.rate:g}",
            )
            print_line(console, f"the games go to {place.path}")
            if workers < how.jobs:
                print_line(
                    console,
                    f"at most {workers} games are played at a time: with --ahead {spsa.ahead} and"
                    f" --pairs {spsa.pairs} there are no more",
                )
        contest = Tournament(plan, display, place, place.games, schedule=tuning)
        place.games.clear()  # a long run has many
        result = contest.play(runner)
    if result.signal is not None:
        print_line(console, "stopped; the state so far:")
    print_state(console, tuning, place.path)
    print_line(console, f"games in {place.path}")
    if tuning.failure is not None:
        print_line(console, f"given up: {tuning.failure}")
    if result.signal is not None or tuning.failure is not None:
        print_line(console, f"to continue: tengen lab tune --resume {place.path}")
    # As a shell: what it returns for a command that a signal has ended.
    return 128 + result.signal if result.signal is not None else int(tuning.failure is not None)


# -- what is played


class Tuning(Schedule):
    """The games of a run of SPSA, as a schedule: the results of an iteration lead to the games of a
    later one.

    states    before the first iteration, then after each.
    left_out  how many games say nothing, because of a failure.
    progress  what a display shows of the run.
    """

    def __init__(self, plan: Plan, spsa: Spsa) -> None:
        # Without the settings of the programs.
        super().__init__(jobs_of([(PLUS, MINUS)], plan.games, plan.opening_order))
        self._all_jobs = self.jobs
        self.plan, self.spsa = plan, spsa
        self.states: list[State] = [spsa.start]
        self.left_out = 0
        self.progress = Progress()
        # Those of the present iteration that were counted.
        self._games: list[Game] = []
        # How many iterations in a row had a game that ended by a failure.
        self._failures = 0
        self.jobs = [job for k in range(1, spsa.ahead + 1) for job in self._jobs_of_iteration(k)]

    def game_counted(self, game: Game) -> Sequence[Job]:
        """The last game of an iteration moves the state, and gives the games of the one that
        perturbs it."""
        self.progress.line, self.failure = "", None
        self._games.append(game)
        if len(self._games) < self.spsa.games:
            return ()
        games, self._games = self._games, []
        number = len(self.states)
        results = results_of(games)
        score = sum(result or 0 for result in results)
        self.left_out += results.count(None)
        self.states.append(self.spsa.moved(self.states[-1], self._perturbation(number), score))
        self._tell(score)
        failed = [game for game in games if game.is_failure]
        self._failures = self._failures + 1 if failed else 0
        if self._failures == _FAILURES:
            self._failures = 0  # a run that is resumed gets as many again
            self.failure = (
                f"{_FAILURES} iterations in a row had a game that a failure ended, the last by"
                f" {ending_word(failed[-1])}: {failed[-1].detail}"
            )
        return self._jobs_of_iteration(number + self.spsa.ahead)

    def _perturbation(self, number: int) -> Perturbation:
        return self.spsa.perturbed(number, self.states[max(0, number - self.spsa.ahead)])

    def _jobs_of_iteration(self, number: int) -> list[Job]:
        """The games of an iteration, with the settings of its two programs; none after the last
        one."""
        first = (number - 1) * self.spsa.games
        jobs = self._all_jobs[first : first + self.spsa.games]
        if not jobs:
            return []
        made = self._perturbation(number)
        options = (
            (PLUS, options_of(self.spsa.parameters, made.plus)),
            (MINUS, options_of(self.spsa.parameters, made.minus)),
        )
        return [replace(job, options=options) for job in jobs]

    def _tell(self, score: int) -> None:
        """Updates what the display shows: how far the run is, and the score of the iteration."""
        tunables, state = self.spsa.parameters, self.states[-1]
        done = f"iteration {len(self.states) - 1}/{self.spsa.iterations}"
        # Those that have moved most, in steps.
        far = [abs(now - it.start) / it.step for it, now in zip(tunables, state, strict=True)]
        moved = sorted(range(len(far)), key=lambda i: -far[i])[:_SHOWN]
        text = ", ".join(f"{tunables[i].name} {state[i]:.1f}" for i in sorted(moved))
        if len(tunables) > len(moved):
            text += " ..."
        self.progress.state = f"{done}   {text}"
        self.progress.line = f"{done}: plus {score:+d}   {text}"


def results_of(games: Sequence[Game]) -> tuple[int | None, ...]:
    """The results of games as plus sees them: 1, 0 or -1. A game that ended by a failure of a
    program says nothing about the parameters, so neither game of its pair counts: None."""
    failed = {game.pair for game in games if game.is_failure}
    return tuple(None if game.pair in failed else _result(game) for game in games)


def _result(game: Game) -> int:
    return {None: 0, PLUS: 1}.get(game.winner_name, -1)


def read_tuning(folder: Path) -> Spsa:
    """What the run in a folder tunes. ValueError, in one line, if it holds none."""
    path = folder / NAME
    if not path.is_file():
        raise ValueError(f"{folder} holds no tuning run: there is no {NAME}")
    try:
        record = json.loads(read_file(path, 1 << 20))
        parameters = tuple(Tunable(**each) for each in record.pop("parameters"))
        spsa = Spsa(parameters=parameters, **record)
        if not (parameters and min(spsa.iterations, spsa.pairs, spsa.ahead) >= 1):
            raise TypeError
    except (ValueError, AttributeError, KeyError, TypeError):
        raise ValueError(f"{path} does not say what a tuning run tunes") from None
    return spsa


def tuning_so_far(plan: Plan, spsa: Spsa, games: Iterable[Game]) -> Tuning:
    """The state of a run after these games, all that were counted."""
    tuning = Tuning(plan, spsa)
    for game in games:
        tuning.game_counted(game)
    return tuning


# -- the state as text


def print_state(console: Console, tuning: Tuning, folder: Path) -> None:
    """Prints how far a run is, a table of its parameters, and a command to verify it."""
    states, spsa = tuning.states, tuning.spsa
    bars = _BARS if console.encoding.lower().startswith("utf") else _ASCII_BARS
    rows = []
    for i, tunable in enumerate(spsa.parameters):
        values = [state[i] for state in states]
        moved = 100 * (values[-1] - values[0]) / (tunable.high - tunable.low)
        rows.append(
            (
                tunable.name,
                f"{tunable.start:g}",
                f"{values[-1]:.1f}",
                f"{tunable.low} to {tunable.high}",
                f"{tunable.step:g}",
                f"{values[-1] - values[0]:+z.1f}",
                f"{moved:+z.1f}",
                sparkline(values, _LENGTH, bars),
            )
        )
    # Wider than the terminal if it has to be: a name that is cut off is of no use.
    heads = ("parameter", "start", "now", "range", "step", "change", "%", "trend")
    print_table(console, heads, rows, (), left=(0, 7), is_ruled=True)
    done = len(states) - 1
    out = f"; {tuning.left_out} do not count, because of a failure" if tuning.left_out else ""
    print_line(
        console,
        f"{done} of {spsa.iterations} iterations, {counted(done * spsa.games, 'game')}{out}",
    )
    print_line(console, "% is the change in per cent of the range; to verify the result:")
    print_line(console, verifying_command(tuning.plan, spsa.parameters, states[-1], folder))


def sparkline(values: Sequence[float], length: int, bars: str = _BARS) -> str:
    """Values as bars, `length` characters or fewer; the lowest bar is the lowest value."""
    low, high = min(values), max(values)
    if low == high:
        return bars[0] * min(length, len(values))
    count = min(length, len(values))
    # The first and the last value are always among those shown.
    chosen = [values[i * (len(values) - 1) // max(1, count - 1)] for i in range(count)]
    return "".join(
        bars[min(int((value - low) / (high - low) * len(bars)), len(bars) - 1)] for value in chosen
    )


def verifying_command(plan: Plan, tunables: Sequence[Tunable], state: State, folder: Path) -> str:
    """A command that plays the tuned values against those at the start, with a sequential test."""
    program, setting = plan.programs[0], plan.setting
    # Without a word the program plays with its own value.
    changed = [each for each in tunables if each.start != default_of(each.name)]
    command = f"cmd={shlex.join(program.command)}"
    words = [
        *("tengen", "match", "--rule", str(setting.rule)),
        *("--size", f"{setting.width}x{setting.height}"),
        *("--engine", "name=tuned", command, *_words(options_of(tunables, state))),
        *("--engine", "name=start", command),
        *_words(options_of(changed, [each.start for each in changed])),
        *("--each", *words_of(program)),
        *("--sprt", "elo0=0", "elo1=10", "--out", f"{folder}-sprt"),
    ]
    if (openings := folder / OPENINGS).is_file():
        words += ["--openings", str(openings)]
    return shlex.join(words)


def _words(options: Iterable[tuple[str, str]]) -> list[str]:
    return [f"option.{key}={value}" for key, value in options]
