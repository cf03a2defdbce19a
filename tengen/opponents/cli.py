"""`tengen brain`: runs an opponent as a program that speaks the Gomocup protocol."""

from __future__ import annotations

import click

from tengen.common.commands import Count, Name
from tengen.opponents.registry import BRAINS, create

AUTHOR = "the Tengen developers"
VERSION = "1.0"


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
