"""The opponents by name, how to create one, and `tengen brain`, which runs one as a program.

The module of a brain is imported only when the brain is created, so that listing names is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click

from protocol.brain import Brain
from tengen.common.commands import Count, Name

AUTHOR = "the Tengen developers"
VERSION = "1.0"


class Entry(NamedTuple):
    """One opponent.

    factory  "module:callable"; the callable takes the seed and returns a brain
    idea     how it chooses its move, in one line that can be read without the others
    """

    factory: str
    idea: str


# The weakest first; docs/LADDER.md has the ratings, whose intervals often overlap.
BRAINS: dict[str, Entry] = {
    "random": Entry("tengen.opponents.tables:RandomMover", "any empty point, at random"),
    "weights": Entry(
        "tengen.opponents.tables:Weights", "weights for the rows of stones that touch a point"
    ),
    "score": Entry("tengen.opponents.tables:ScoreMap", "scores for rows blocked and rows made"),
    "minimax-basic": Entry(
        "tengen.opponents.minimax:Basic", "pattern scores, one move deep: attack or defend"
    ),
    "foresight-low": Entry(
        "tengen.opponents.tables:Low", "fours, then the best sum over windows of five"
    ),
    "simple": Entry("tengen.opponents.simple:Simple", "rows made and rows blocked, one move deep"),
    "lines": Entry("tengen.opponents.tables:Lines", "a sum over the winning lines through a point"),
    "foresight": Entry(
        "tengen.opponents.foresight:Foresight", "shapes of points, and forced moves ahead"
    ),
    "minimax": Entry(
        "tengen.opponents.minimax:Minimax", "pattern scores, four plies deep, five moves a ply"
    ),
    "foresight-high": Entry(
        "tengen.opponents.tables:High",
        "fours and open threes, then sums over windows of five",
    ),
    "alphabeta": Entry(
        "tengen.opponents.minimax:AlphaBeta",
        "minimax with alpha-beta pruning, four plies deep",
    ),
}


def create(name: str, seed: int = 0) -> Brain:
    """A new brain of that name, one of BRAINS; `seed` seeds its random choices."""
    module, _, attribute = BRAINS[name].factory.partition(":")
    brain: Brain = getattr(import_module(module), attribute)(seed)
    return brain


@click.command("brain")
@click.argument("name", required=False, type=Name("opponent", lambda: tuple(BRAINS)))
@click.option(
    "--seed",
    show_default=True,
    type=Count(),
    default=0,
    help="Random seed, for opponents that choose at random.",
)
@click.option("--list", "is_listed", is_flag=True, help="List the opponents, the weakest first.")
def brain_command(name: str | None, seed: int, is_listed: bool) -> None:
    """Runs the opponent NAME as a program for managers of the Gomocup protocol.

    docs/LADDER.md says how each opponent chooses its moves and how strong it is.
    """
    if is_listed:
        width = max(map(len, BRAINS))
        for known, entry in BRAINS.items():
            click.echo(f"{known:{width}}  {entry.idea}")
        return
    if name is None:
        raise click.UsageError(f"which opponent? There are {', '.join(BRAINS)}")

    from protocol.loop import run
    from protocol.messages import About

    run(lambda: create(name, seed), About(name, VERSION, AUTHOR))
