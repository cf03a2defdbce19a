"""`tengen analyze`: what the engine thinks of a position."""

from __future__ import annotations

import json

import click
from rich.console import Console

from tengen.record.positions import SIDES, Choice, find_positions
from tengen.rules.names import RULE_TITLES
from tengen.study.analysis import analyse
from tengen.study.analysis_show import analysis_record, print_analysis
from tengen.study.puzzle import puzzle_of
from tengen.study.solver import new_brain
from tengen.terminal.options import RULE_HELP, Count, Rule, Seconds, Size, usage_errors

POSITION_TIME_S = 5.0
LINES = 3


@click.command("analyze")
@click.argument("words", metavar="FILE|POSITION...", nargs=-1)
@click.option(
    "--rule", type=Rule(), help=f"{RULE_HELP}  [default: as the file says, else freestyle]"
)
@click.option("--size", type=Size(), help="Board size for a list of points.  [default: 15]")
@click.option(
    "--side", type=click.Choice(list(SIDES), case_sensitive=False), help="The side to move."
)
@click.option("--after", type=Count(0), metavar="N", help="The position after N moves of a game.")
@click.option("--game", type=Count(1), metavar="N", help="The Nth game of a match.")
@click.option(
    "--from-top", is_flag=True, help="The rows of h8 are counted from the top, not the bottom."
)
@click.option(
    "--time",
    "time_s",
    type=Seconds(0.01, 1_000_000),
    metavar="SECONDS",
    help=f"Time limit.  [default: {POSITION_TIME_S:g}, unless --nodes is given]",
)
@click.option("--nodes", type=Count(10), help="Node limit.")
@click.option(
    "--nbest", type=Count(1, 64), default=LINES, show_default=True, help="How many best moves."
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
def analyze_command(
    words: tuple[str, ...],
    rule: int | None,
    size: tuple[int, int] | None,
    side: str | None,
    after: int | None,
    game: int | None,
    from_top: bool,
    time_s: float | None,
    nodes: int | None,
    nbest: int,
    wants_json: bool,
) -> None:
    """Shows the best moves of a position, with values, win chances and lines, what both sides
    threaten, and the points that renju forbids.

    The position is a list of points, Black's first (h8i9g7, rows counted from the bottom, or
    "7,7 8,6 6,8" counted from zero at the top left), or a file: psq, sgf, a picture in text, or the
    folder of a match; `-` is standard input.

    \b
      tengen analyze h8i7h7h6g8
      tengen analyze game.psq --after 20 --rule renju --nbest 5
    """
    if time_s is None and nodes is None:
        time_s = POSITION_TIME_S
    time_ms = None if time_s is None else max(1, round(time_s * 1000))
    choice = Choice(rule, size, None if side is None else SIDES[side], after, game, from_top)
    with usage_errors():
        found = find_positions(words, choice).positions
        if len(found) != 1:
            raise ValueError(f"these are {len(found)} puzzles; expected one position")
        puzzle = puzzle_of(found[0])
    analysis = analyse(new_brain(), puzzle, time_ms, nodes, nbest)
    if wants_json:
        click.echo(json.dumps(analysis_record(analysis)))
        return
    console = Console(highlight=False, soft_wrap=True)
    if rule is None and not puzzle.says_rule:
        console.print(
            f"{puzzle.name} names no rule; {RULE_TITLES[puzzle.rule]} is assumed (see --rule)"
        )
    print_analysis(console, analysis)
