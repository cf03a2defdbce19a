"""`tengen match`: two programs play a match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from match.clockbook import TimeControl
from match.contest import Contest
from match.display import Display, LiveDisplay, PlainDisplay, print_line, print_result
from match.game import Setting
from match.openings import built_in_openings, check_openings, load_openings
from match.player import Patience
from match.program import Program, read_program
from match.records import RecordWriter
from match.referee import MAX_SIZE, MIN_SIZE, RULES
from match.schedule import pair_schedule

# Between the words of one --engine; no shell word holds a line end that means anything here.
_WORD_END = "\n"


class MatchCommand(click.Command):
    """A command whose `--engine` takes all `key=value` words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Gathers the words of each --engine into one value, then parses as usual."""
        gathered: list[str] = []
        words: list[str] | None = None
        for arg in args:
            if arg == "--engine":
                words = []
                gathered += ["--engine", ""]
            elif words is not None and not arg.startswith("-") and "=" in arg:
                words.append(arg)
                gathered[-1] = _WORD_END.join(words)
            else:
                words = None
                gathered.append(arg)
        return super().parse_args(ctx, gathered)


class _Size(click.ParamType[tuple[int, int]]):
    """A board size: `15`, or `15x12` for width and height."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        sides = str(value).lower().split("x")
        if len(sides) in (1, 2) and all(side.isascii() and side.isdigit() for side in sides):
            width, height = int(sides[0]), int(sides[-1])
            if MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE:
                return width, height
        self.fail(f"{value!r}: expected {MIN_SIZE} to {MAX_SIZE}, such as 15 or 20x15", param, ctx)


@click.command(
    "match",
    cls=MatchCommand,
    options_metavar="--engine name=.. cmd=.. --engine name=.. cmd=.. [OPTIONS]",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    required=True,
    metavar="KEY=VALUE...",
    help=(
        "A program: name=NAME cmd=COMMAND, and if wanted turn=SECONDS match=SECONDS nodes=N"
        " depth=N memory=MIB threads=N option.KEY=VALUE. Give two."
    ),
)
@click.option("--rule", type=int, default=0, show_default=True, help="0, 1, 4, 8 or 9.")
@click.option("--size", type=_Size(), default="15", show_default=True, help="Side, or WxH.")
@click.option("--games", type=click.IntRange(1), default=4, show_default=True)
@click.option("--turn", type=click.FloatRange(0), help="Seconds for a move.  [default: 0.1]")
@click.option(
    "--match", "match_s", type=click.FloatRange(0, min_open=True), help="Seconds for a game."
)
@click.option(
    "--openings",
    "openings_file",
    type=click.Path(path_type=Path),
    help="Openings, a line each: 0,0, 1,-1 counted from the centre.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="New folder for games.jsonl, psq and sgf files."
)
@click.option("--seed", type=int, default=1, show_default=True, help="For the order of openings.")
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=Patience.tolerance_s,
    show_default=True,
    help="Seconds that a move may be late.",
)
@click.option("--concurrency", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--watch/--no-watch", default=None, help="Live board.  [default: on a terminal]")
@click.pass_context
def match_command(
    ctx: click.Context,
    engines: tuple[str, ...],
    rule: int,
    size: tuple[int, int],
    games: int,
    turn: float | None,
    match_s: float | None,
    openings_file: Path | None,
    out: Path | None,
    seed: int,
    tolerance: float,
    concurrency: int,
    watch: bool | None,
) -> None:
    """Two programs that speak the Gomocup protocol play a match.

    Each opening is played twice, with colours exchanged. All times are in seconds. Example:

    \b
      tengen match --engine name=A cmd="pbrain-a" --engine name=B cmd="python b.py" turn=0.5
                   --rule 4 --size 15 --games 20 --turn 0.1 --out games
    """
    width, height = size
    if turn is None and match_s is None:
        turn = 0.1
    if rule not in RULES:
        raise click.UsageError(f"--rule {rule}: expected one of {', '.join(map(str, RULES))}")
    with _usage_errors():
        programs = _read_programs(engines, TimeControl(turn, match_s))
        openings = (
            load_openings(openings_file) if openings_file else built_in_openings(width, height)
        )
        check_openings(openings, width, height, rule)
        first, second = programs
        jobs = pair_schedule(first.name, second.name, games, openings, width, height, seed)
    contest = Contest(
        programs=programs,
        setting=Setting(width, height, rule),
        jobs=jobs,
        patience=replace(Patience(), tolerance_s=tolerance),
        concurrency=min(concurrency, games),
    )
    console = Console()
    is_live = console.is_terminal if watch is None else watch
    display: Display = (LiveDisplay if is_live else PlainDisplay)(console, games)
    with _usage_errors(), ExitStack() as stack:
        records = None
        if out is not None:
            records = stack.enter_context(RecordWriter(out, programs, {"seed": seed}))
        result = contest.play(display, records)
    if result.signal is not None:
        print_line(console, "stopped; what was played until then:")
    print_result(console, result.tally, [(p.name, p.limits_text) for p in programs])
    if out is not None:
        print_line(console, f"games in {out}")
    # The status a shell gives to a command that a signal has ended.
    ctx.exit(0 if result.signal is None else 128 + result.signal)


def _read_programs(engines: tuple[str, ...], default: TimeControl) -> list[Program]:
    programs = [read_program(words.split(_WORD_END), default) for words in engines if words]
    if len(programs) != 2 or len(engines) != 2:
        raise ValueError(f"a match is played by two programs; --engine was given {len(engines)}x")
    if programs[0].name == programs[1].name:
        raise ValueError(f"both programs are named {programs[0].name}; give each its own name=")
    return programs


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Bad input ends in one line and exit status 2."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{error.filename or 'output'}: {error.strerror}") from None
