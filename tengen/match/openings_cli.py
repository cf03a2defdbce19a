"""`tengen openings`: makes a file of balanced openings."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tengen.match.opening_candidates import Wish
from tengen.match.opening_search import BrainFailed, search_openings
from tengen.match.options import WORD_END, ManyWordsCommand
from tengen.programs.program import Program, read_program
from tengen.record.openings import NOTATIONS, Notation, Opening
from tengen.record.time_control import TimeControl
from tengen.rules.referee import RULES
from tengen.terminal.options import Size, usage_errors

DEFAULT_PROGRAM = "pbrain-tengen"
DEFAULT_NODES = 50_000


class _StoneCounts(click.ParamType[tuple[int, int]]):
    """A number of stones, `4`, or the least and the greatest, `3-6`."""

    name = "stones"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", str(value), re.ASCII)
        if found is None:
            self.fail(f"{value!r}: expected a number of stones such as 4 or 3-6", param, ctx)
        return int(found[1]), int(found[2] or found[1])


@click.command("openings", cls=ManyWordsCommand)
@click.option("--rule", type=int, default=0, show_default=True, help="0, 1, 4, 8 or 9.")
@click.option("--size", type=Size(), default="15", show_default=True, help="Side, or WxH.")
@click.option("--count", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@click.option(
    "--balance",
    type=click.IntRange(0),
    default=60,
    show_default=True,
    help="The value may be so far from zero, for either side.",
)
@click.option(
    "--stones",
    type=_StoneCounts(),
    default="3-6",
    show_default=True,
    help="Stones of an opening.",
)
@click.option(
    "--spread",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    metavar="CELLS",
    help="Columns and rows that a stone may be from the centre.",
)
@click.option(
    "--engine",
    "words",
    metavar="KEY=VALUE...",
    help=(
        "The program that is asked: cmd=COMMAND, and if wanted nodes=N and the words of `match`."
        f"  [default: cmd={DEFAULT_PROGRAM} nodes={DEFAULT_NODES}]"
    ),
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides what is drawn.")
@click.option(
    "--candidates",
    type=click.IntRange(1),
    help="How many are tried at most.  [default: 200 for each that is wanted]",
)
@click.option("--concurrency", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option(
    "--notation", type=click.Choice(NOTATIONS), default="offset", show_default=True, help="Of FILE."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Written when all is found.  [default: the standard output]",
)
@click.pass_context
def openings_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    count: int,
    balance: int,
    stones: tuple[int, int],
    spread: int,
    words: str | None,
    seed: int,
    candidates: int | None,
    concurrency: int,
    notation: Notation,
    out: Path | None,
) -> None:
    """Makes a file of openings that a program takes for balanced.

    Loose stones are drawn near the centre, and those kept that the program gives neither side
    much for; no two are the same turned, mirrored or moved. With a node limit the same seed gives
    the same file. Example:

    \b
      tengen openings --rule 4 --size 15 --count 100 --balance 40 --out renju.txt
                      --engine cmd=pbrain-tengen nodes=100000
    """
    if rule not in RULES:
        raise click.UsageError(f"--rule {rule}: expected one of {', '.join(map(str, RULES))}")
    if out is not None and not out.absolute().parent.is_dir():
        raise click.UsageError(f"--out {out}: there is no such folder")
    with usage_errors():
        program = _read_engine(words)
        wish = Wish(
            *size, rule, count, balance, stones, spread, seed, candidates or 200 * count
        )  # fmt: skip
    try:
        found, judged = _search(wish, program, min(concurrency, 4 * count))
    except BrainFailed as failure:
        raise click.ClickException(str(failure)) from None
    _write(found, wish, notation, out)
    tried = f"{len(found)} of {count} openings, {judged} candidates tried"
    if len(found) == count:
        click.echo(tried if out is None else f"{tried}; in {out}", err=True)
        return
    click.echo(f"{tried}: try a larger --balance or --spread, or more --candidates", err=True)
    ctx.exit(1)


def _read_engine(words: str | None) -> Program:
    given = words.split(WORD_END) if words else []
    keys = {word.partition("=")[0] for word in given}
    if "cmd" not in keys:
        beside = shutil.which(DEFAULT_PROGRAM, path=str(Path(sys.executable).parent))
        found = beside or shutil.which(DEFAULT_PROGRAM)
        if found is None:
            raise ValueError(f"--engine: cmd= is missing, and there is no {DEFAULT_PROGRAM}")
        given = [f"cmd={shlex.quote(found)}", *given]
    if "name" not in keys:
        given = ["name=judge", *given]
    program = read_program(given)
    has_limit = program.nodes or program.depth_plies or program.control != TimeControl()
    return program if has_limit else replace(program, nodes=DEFAULT_NODES)


def _search(wish: Wish, program: Program, concurrency: int) -> tuple[list[Opening], int]:
    """The openings, and how many candidates were judged for them."""
    console = Console(stderr=True)
    columns = (
        TextColumn("openings"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("of {task.fields[judged]} candidates"),
        TimeElapsedColumn(),
    )
    judged = 0
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("openings", total=wish.count, judged=0)

        def on_progress(now_judged: int, found: int) -> None:
            nonlocal judged
            judged = now_judged
            progress.update(bar, completed=found, judged=judged)

        openings = search_openings(wish, program, concurrency, on_progress=on_progress)
    return openings, judged


def _write(openings: list[Opening], wish: Wish, notation: Notation, out: Path | None) -> None:
    lines = [opening.text(notation, wish.width, wish.height) + "\n" for opening in openings]
    if out is None:
        click.echo("".join(lines), nl=False)
        return
    try:
        out.write_text("".join(lines), encoding="ascii", newline="\n")
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
