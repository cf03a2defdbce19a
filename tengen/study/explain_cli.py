"""`tengen explain`: where does the static value of a position come from?"""

from __future__ import annotations

import json

import click
from rich.console import Console

from engine.breakdown import break_down
from engine.net import LoadedNet, NetFiles, load_net
from tengen.common.terminal.options import usage_errors
from tengen.game.record.positions import Choice, find_position
from tengen.study.explain_show import breakdown_record, print_breakdown
from tengen.study.options import position_options, say_which
from tengen.study.puzzle import puzzle_of


@click.command("explain")
@click.argument("words", metavar="FILE|POSITION...", nargs=-1)
@position_options
@click.option(
    "--net",
    metavar="FILE",
    help="A net file for the rule.  [default: the net that the engine would use]",
)
@click.option("--no-net", is_flag=True, help="The table alone.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
def explain_command(
    words: tuple[str, ...],
    choice: Choice,
    net: str | None,
    no_net: bool,
    wants_json: bool,
) -> None:
    """Explains the static value of a position: what every cell adds to it.

    The value is the table's and, where there is a net for the rule, what the net adds. The parts
    are whole centi-stones, for the side to move, and add up to the value. With a net the policy is
    shown too: how promising each move looks before any search. The position is given as for `tengen
    solve`.

    \b
      tengen explain h8i9h10
      tengen explain game.psq --after 20 --net new.bin
      tengen explain h8i9h10 --rule renju --json
    """
    if no_net and net is not None:
        raise click.UsageError("give --net or --no-net, not both")
    with usage_errors():
        puzzle = puzzle_of(find_position(*words, choice=choice))
        say_which(puzzle)
        position = puzzle.position()
        found = break_down(position, None if no_net else _net_for(position.rule, net))
    if wants_json:
        click.echo(json.dumps(breakdown_record(puzzle, found)))
    else:
        print_breakdown(Console(highlight=False, soft_wrap=True), puzzle, found)


def _net_for(rule: int, path: str | None) -> LoadedNet | None:
    """The net in the file or, without one, that which the engine would use. ValueError for a file
    that cannot be used."""
    if path is not None:
        return load_net(path, rule)
    loaded, problem = NetFiles().find(rule)
    if problem is not None:
        raise ValueError(problem)
    return loaded
