"""The options with which the commands of this room choose a position."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from tengen.common.terminal.options import RULE_HELP, Count, Rule, Size
from tengen.game.record.positions import SIDES, Choice, StoredPosition

_OPTIONS = (
    click.option(
        "--rule", type=Rule(), help=f"{RULE_HELP}  [default: as the file says, else freestyle]"
    ),
    click.option("--size", type=Size(), help="Board size for a list of points.  [default: 15]"),
    click.option(
        "--side", type=click.Choice(list(SIDES), case_sensitive=False), help="The side to move."
    ),
    click.option(
        "--after", type=Count(0), metavar="N", help="The position after N moves of a game."
    ),
    click.option("--game", type=Count(1), metavar="N", help="The Nth game of a match or a file."),
    click.option(
        "--from-top", is_flag=True, help="The rows of h8 are counted from the top, not the bottom."
    ),
)


def say_which(position: StoredPosition) -> None:
    """Names the game on standard error where its file has several."""
    if position.record is not None and position.record.count > 1:
        click.echo(position.name, err=True)


def position_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds these options to a command, which gets what they say as `choice`, a Choice."""

    @wraps(command)
    def with_choice(
        *args: Any,
        rule: int | None,
        size: tuple[int, int] | None,
        side: str | None,
        after: int | None,
        game: int | None,
        from_top: bool,
        **others: Any,
    ) -> Any:
        stone = None if side is None else SIDES[side]
        return command(*args, choice=Choice(rule, size, stone, after, game, from_top), **others)

    made: Callable[..., Any] = with_choice
    for option in reversed(_OPTIONS):
        made = option(made)
    return made
