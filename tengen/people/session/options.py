"""What `tengen play` and `tengen board` share: options of a game, and a game to go on with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from tengen.common.commands import RULE_HELP, Count, Rule, Size, option, usage_errors
from tengen.game.files.positions import Choice
from tengen.people.session.files import Loaded, load_game

_HEADING = "The game"


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --rule, --size and --game to a command; None where they are not given."""
    for add in (
        option(
            "--game", "game_number", type=Count(1), heading=_HEADING,
            help="The Nth game of a file or a match.",
        ),
        option(
            "--size", type=Size(), metavar="SIZE", heading=_HEADING,
            help="5 to 22, or WxH.  [default: 15]",
        ),
        option(
            "--rule", type=Rule(), metavar="RULE", heading=_HEADING,
            help=f"{RULE_HELP}  [default: freestyle]",
        ),
    ):  # fmt: skip
        function = add(function)
    return function


def load_asked(
    ctx: click.Context,
    file: str,
    rule: int | None,
    size: tuple[int, int] | None,
    game_number: int | None,
) -> Loaded:
    """The game that a command line names; says which one of several it is. UsageError, in one line,
    if there is none."""
    with usage_errors(ctx):
        loaded = load_game(file, rule or 0, Choice(rule, size, game=game_number))
    for note in loaded.notes:
        click.echo(note)
    return loaded
