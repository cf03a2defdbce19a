"""`tengen openings`: makes a file of balanced openings."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engine.files import check_replaceable, replace_file
from tengen.arena.match.command import ManyWordsCommand, ProgramWords
from tengen.arena.match.opening_search import (
    EvaluationFailed,
    Found,
    OpeningRequest,
    search_openings,
)
from tengen.arena.match.options import Execution, OpeningOptions
from tengen.arena.programs.spec import ProgramSpec, read_program
from tengen.common import commands
from tengen.common.commands import RULE_HELP, Count, Rule, Size, takes, usage_errors
from tengen.common.console import counting_bar
from tengen.game.drawn_openings import PLACES, Drawing, Place
from tengen.game.openings import NOTATIONS, Notation, Opening
from tengen.game.played import TimeControl

DEFAULT_NODES = 50_000
# With --fair, where games decide.
FAIR_NODES = 12_000
# Of candidates, how many are tried for each opening that is wanted.
_TRIED, _FAIR_TRIED = 200, 2000
_RARER = "Rarer options"


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


@commands.command("openings", cls=ManyWordsCommand)
@commands.option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@commands.option("--size", type=Size(), default="15", help="Side, or WxH.")
@commands.option("--count", type=Count(1), default=20, help="How many openings to find.")
@commands.option(
    "--balance",
    type=Count(0),
    help="The greatest value, in centi-stones.  [default: 60; with --fair 120]",
)
@commands.option(
    "--place",
    type=click.Choice(PLACES),
    default="anywhere",
    help="Where the stones lie.",
)
@commands.option(
    "--fair",
    "is_fair",
    is_flag=True,
    help="Only openings that three times the nodes win with both colours.",
)
@commands.option(
    "--stones",
    type=_StoneCounts(),
    metavar="N-N",
    default="3-11",
    help="The number of stones in an opening.",
)
@commands.option(
    "--engine",
    "words",
    type=ProgramWords(),
    metavar="KEY=VALUE",
    help=(
        "The program that values them, as for tengen match."
        f"  [default: cmd=pbrain-tengen nodes={DEFAULT_NODES}; with --fair {FAIR_NODES}]"
    ),
)
@takes("how", Execution, "jobs", jobs={"help": "How many openings are valued at a time."})
@takes("draw", OpeningOptions, "seed", seed={"heading": _RARER})
@commands.option(
    "--candidates",
    type=Count(1),
    help="The most openings to try.  [default: 200 times --count; with --fair 2000]",
    heading=_RARER,
)
@commands.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    metavar="KIND",
    default="offset",
    help="Of FILE: offset, pos (h8i7) or pos-top (rows from the top).",
    heading=_RARER,
)
@commands.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write.  [default: the standard output]",
)
@click.pass_context
def openings_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    count: int,
    balance: int | None,
    place: Place,
    is_fair: bool,
    stones: tuple[int, int],
    words: list[str] | None,
    how: Execution,
    draw: OpeningOptions,
    candidates: int | None,
    notation: Notation,
    out: Path | None,
) -> None:
    """Makes a file of balanced openings.

    Openings are drawn at random, and kept if a program gives them a value near zero. In some of
    them one colour wins whoever plays; --fair keeps those in which the program beats itself with a
    third of its nodes with both colours. With a node limit the same seed gives the same file.
    Example:

    \b
      tengen openings --rule 4 --size 15 --count 100 --fair --jobs 2 --out renju.txt
    """
    with usage_errors():
        if out is not None:
            check_replaceable(out)  # before the search, not after
        request = OpeningRequest(
            Drawing(*size, rule, stones, place),
            count,
            balance if balance is not None else 120 if is_fair else 60,
            is_fair,
            draw.seed,
            candidates or count * (_FAIR_TRIED if is_fair else _TRIED),
        )
        program = _read_engine(words, FAIR_NODES if is_fair else DEFAULT_NODES)
        if is_fair and program.nodes is None:
            raise ValueError("--fair: the program needs a node limit, such as nodes=12000")
    try:
        found = _search(request, program, min(how.jobs, 4 * count))
    except EvaluationFailed as failure:
        raise click.ClickException(str(failure)) from None
    _write(found.openings, size, notation, out)
    told = f"{len(found.openings)} of {count} openings, {found.tried} candidates tried"
    if out is not None:
        told += f"; in {out}"
    if found.signal is not None:
        click.echo(f"{told}: stopped", err=True)
        ctx.exit(128 + found.signal)
    if len(found.openings) == count:
        click.echo(told, err=True)
        return
    click.echo(f"{told}: try a larger --balance or more --candidates", err=True)
    ctx.exit(1)


def _read_engine(words: list[str] | None, default_nodes: int) -> ProgramSpec:
    given = words or []
    keys = {word.partition("=")[0] for word in given}
    if "cmd" not in keys:
        given = [f'cmd="{sys.executable}" -m tengen.pbrain', *given]
    if "name" not in keys:
        given = ["name=for openings", *given]
    program = read_program(given)
    has_limit = program.nodes or program.depth_plies or program.control != TimeControl()
    return program if has_limit else replace(program, nodes=default_nodes)


def _search(request: OpeningRequest, program: ProgramSpec, concurrency: int) -> Found:
    with counting_bar() as progress:
        bar = progress.add_task("openings", total=request.count)

        def on_progress(tried: int, found: int) -> None:
            said = f"openings, of {tried} candidates"
            progress.update(bar, completed=found, description=said)

        return search_openings(request, program, concurrency, on_progress=on_progress)


def _write(
    openings: list[Opening], size: tuple[int, int], notation: Notation, out: Path | None
) -> None:
    text = "".join(opening.text(notation, *size) + "\n" for opening in openings)
    with usage_errors():
        try:
            if out is not None:
                return replace_file(out, text)
        except OSError:  # a full disk; what took long to find is printed
            click.echo(text, nl=False)
            raise
    click.echo(text, nl=False)
