"""`tengen openings`: makes a file of balanced openings."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engine.files import check_replaceable, replace_file
from tengen.arena.match.command import ManyWordsCommand, words_of
from tengen.arena.match.opening_candidates import Wish
from tengen.arena.match.opening_search import BrainFailed, search_openings
from tengen.arena.match.options import REPLACED, Execution, OpeningOptions
from tengen.arena.programs.program import Program, read_program
from tengen.common.terminal import commands
from tengen.common.terminal.groups import takes
from tengen.common.terminal.options import RULE_HELP, Count, Rule, Size, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.record.openings import NOTATIONS, Notation, Opening
from tengen.game.record.time_control import TimeControl

DEFAULT_NODES = 50_000
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


@commands.command("openings", cls=ManyWordsCommand, replaced=REPLACED)
@commands.option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@commands.option("--size", type=Size(), default="15", help="Side, or WxH.")
@commands.option("--count", type=Count(1), default=20, help="How many openings to find.")
@commands.option(
    "--balance",
    type=Count(0),
    default=60,
    help="The greatest value, in centi-stones.",
)
@commands.option(
    "--stones",
    type=_StoneCounts(),
    metavar="N-N",
    default="3-6",
    help="The number of stones in an opening.",
)
@commands.option(
    "--engine",
    "words",
    metavar="KEY=VALUE",
    help=(
        "The program that values them, as for tengen match."
        f"  [default: cmd=pbrain-tengen nodes={DEFAULT_NODES}]"
    ),
)
@takes("how", Execution, "jobs", jobs={"help": "How many openings are valued at a time."})
@commands.option(
    "--spread",
    type=click.IntRange(1),
    default=3,
    metavar="CELLS",
    help="The greatest distance of a stone from the centre.",
    heading=_RARER,
)
@takes("draw", OpeningOptions, "seed", seed={"heading": _RARER})
@commands.option(
    "--candidates",
    type=Count(1),
    help="The most openings to try.  [default: 200 times --count]",
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
    balance: int,
    stones: tuple[int, int],
    words: str | None,
    how: Execution,
    spread: int,
    draw: OpeningOptions,
    candidates: int | None,
    notation: Notation,
    out: Path | None,
) -> None:
    """Makes a file of balanced openings.

    Openings are drawn at random near the centre, and kept if a program gives them a value near
    zero. No two are the same after turning, mirroring or moving. With a node limit the same seed
    gives the same file. Example:

    \b
      tengen openings --rule 4 --size 15 --count 100 --balance 40 --out renju.txt \\
                      --engine cmd=pbrain-tengen nodes=100000
    """
    with usage_errors():
        if out is not None:
            check_replaceable(out)  # before the search, not after
        tried = candidates or 200 * count
        wish = Wish(*size, rule, count, balance, stones, spread, draw.seed, tried)
        program = _read_engine(words)
    try:
        found, judged = _search(wish, program, min(how.jobs, 4 * wish.count))
    except BrainFailed as failure:
        raise click.ClickException(str(failure)) from None
    _write(found, wish, notation, out)
    told = f"{len(found)} of {count} openings, {judged} candidates tried"
    if len(found) == count:
        click.echo(told if out is None else f"{told}; in {out}", err=True)
        return
    click.echo(f"{told}: try a larger --balance or --spread, or more --candidates", err=True)
    ctx.exit(1)


def _read_engine(words: str | None) -> Program:
    given = words_of(words or "")
    keys = {word.partition("=")[0] for word in given}
    if "cmd" not in keys:
        given = [f'cmd="{sys.executable}" -m tengen.pbrain', *given]
    if "name" not in keys:
        given = ["name=for openings", *given]
    program = read_program(given)
    has_limit = program.nodes or program.depth_plies or program.control != TimeControl()
    return program if has_limit else replace(program, nodes=DEFAULT_NODES)


def _search(wish: Wish, program: Program, concurrency: int) -> tuple[list[Opening], int]:
    """The openings, and how many candidates were valued."""
    judged = 0
    with counting_bar() as progress:
        bar = progress.add_task("openings", total=wish.count)

        def on_progress(now_judged: int, found: int) -> None:
            nonlocal judged
            judged = now_judged
            said = f"openings, of {judged} candidates"
            progress.update(bar, completed=found, description=said)

        openings = search_openings(wish, program, concurrency, on_progress=on_progress)
    return openings, judged


def _write(openings: list[Opening], wish: Wish, notation: Notation, out: Path | None) -> None:
    text = "".join(opening.text(notation, wish.width, wish.height) + "\n" for opening in openings)
    with usage_errors():
        try:
            if out is not None:
                return replace_file(out, text)
        except OSError:  # a full disk; what took long to find is printed
            click.echo(text, nl=False)
            raise
    click.echo(text, nl=False)
