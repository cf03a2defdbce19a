"""`tengen play`: a board in the terminal."""

from __future__ import annotations

import io
import os
import shutil
import sys

import click
from rich.console import Console

from engine.model import MAX_LEVEL, MAX_SEED
from protocol.opening_rules import Opening, check_opening
from tengen.common.commands import Count, Name, Seconds, command, is_given, option, usage_errors
from tengen.game.referee import BLACK, WHITE
from tengen.people.session.engine_player import (
    COMMAND,
    DEFAULT_TIME_S,
    TENGEN,
    EnginePlayer,
    Level,
    names,
)
from tengen.people.session.game import Game
from tengen.people.session.options import game_options, load_asked
from tengen.people.session.players import Seats
from tengen.people.session.session import HINT_TIME_S, GameSession
from tengen.people.terminal.commands import MAX_NODES, MAX_TIME_S
from tengen.people.terminal.loop import Conversation
from tengen.people.terminal.prompt import Prompt
from tengen.people.terminal.table import Look
from tengen.study.options import Resources, resource_options


class _Opponent(Name):
    """A name of `names()`, or the command of a protocol program."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.startswith(COMMAND):
            return value
        return super().convert(value, param, ctx)


_OPPONENT = _Opponent("opponent", names)


class _OutputError(click.UsageError):
    """Standard output cannot be written to."""

    exit_code = 1


_PLAYERS, _GAME, _DISPLAY = "Who plays", "The game", "What is shown"


@command("play")
@option(
    "--time",
    "time_s",
    type=Seconds(0, MAX_TIME_S),
    metavar="SECONDS",
    help=f"For a move, or a hint.  [default: {DEFAULT_TIME_S:g}; a hint {HINT_TIME_S:g}]",
)
@option("--nodes", type=Count(1, MAX_NODES), help="Nodes for a move, not a time.")
@option("--ponder", "ponders", is_flag=True, help="Tengen thinks in your time too.")
@resource_options
@option(
    "--opponent",
    type=_OPPONENT,
    default=TENGEN,
    metavar="NAME",
    heading=_PLAYERS,
    help="tengen, another one (tengen brain --list), or cmd=COMMAND.",
)
@option(
    "--first",
    type=click.Choice(["me", "it"]),
    default="me",
    heading=_PLAYERS,
    help="Who plays Black and begins.",
)
@option(
    "--level",
    "strength_level",
    type=Count(1, MAX_LEVEL),
    default=MAX_LEVEL,
    heading=_PLAYERS,
    help=f"Of Tengen, 1 (a beginner) to {MAX_LEVEL}.",
)
@option("--two", "is_for_two", is_flag=True, heading=_PLAYERS, help="Two people play each other.")
@game_options
@option(
    "--opening",
    type=click.Choice([opening.value for opening in Opening]),
    heading=_GAME,
    metavar="KIND",
    help="balance, swap1, swap2, soosyrv8, taraguchi10.",
)
@option("--load", metavar="FILE", heading=_GAME, help="Continue a game: sgf, psq, ... or h8i9.")
@option(
    "--seed",
    type=Count(0, MAX_SEED),
    default=0,
    heading=_GAME,
    help="The seed of all random choices.",
)
@option("--no-numbers", is_flag=True, heading=_DISPLAY, help="Stones without move numbers.")
@option("--ascii", "only_ascii", is_flag=True, heading=_DISPLAY, help="ASCII characters only.")
@click.pass_context
def play_command(
    ctx: click.Context,
    opponent: str,
    first: str,
    strength_level: int,
    is_for_two: bool,
    time_s: float | None,
    nodes: int | None,
    ponders: bool,
    resources: Resources,
    rule: int | None,
    size: tuple[int, int] | None,
    opening: str | None,
    load: str | None,
    game_number: int | None,
    seed: int,
    no_numbers: bool,
    only_ascii: bool,
) -> None:
    """Play against Tengen or another program, or a person. Type a point such as h8, or help for all
    commands.

    \b
      tengen play --opponent simple --first it --rule renju
      tengen play --opponent "cmd=wine other.exe" --time 5
    """

    def refuse_if(is_wrong: object, text: str) -> None:
        if is_wrong:
            raise click.UsageError(text, ctx)

    refuse_if(time_s is not None and nodes is not None, "--time and --nodes: give one of them")
    for name in ("opponent", "first"):
        refuse_if(is_for_two and is_given(ctx, name), f"--{name} needs a game against a program")
    refuse_if(
        is_given(ctx, "strength_level") and (is_for_two or opponent != TENGEN),
        "--level needs Tengen as a program",
    )
    is_whole = opponent == TENGEN and strength_level == MAX_LEVEL and not is_for_two
    refuse_if(ponders and (nodes or not is_whole), "--ponder needs Tengen at level 10, by time")
    refuse_if(opening and load, "--opening and --load: give one of them")
    if opening is not None:
        with usage_errors(ctx):
            check_opening(Opening(opening), rule or 0, *(size or (15, 15)))
    refuse_if(game_number is not None and load is None, "--game needs --load")

    seats: Seats = {BLACK: None, WHITE: None}
    if not is_for_two:
        own_seed = seed if opponent != TENGEN or is_given(ctx, "seed") else None
        with usage_errors(ctx):
            player = EnginePlayer(
                opponent, own_seed, strength_level=strength_level, resources=resources
            )
        seats[WHITE if first == "me" else BLACK] = player
    session = GameSession(
        Game(*(size or (15, 15)), rule or 0),
        seats,
        opening=None if opening is None else Opening(opening),
        seed=seed,
    )
    session.resources = resources
    if time_s is not None or nodes is not None or ponders:
        session.set_level(Level(DEFAULT_TIME_S if time_s is None else time_s, nodes, ponders))
    if load is not None:
        loaded = load_asked(ctx, load, rule, size, game_number)
        session.take_over(loaded, keeps_sides=is_given(ctx, "first"))
    look = Look(not no_numbers, only_ascii=only_ascii)
    try:
        Conversation(session, look, _console(), Prompt()).run()
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard_output()
        raise _OutputError(f"standard output: {error.strerror or error}", ctx) from None


def _console() -> Console:
    console = Console(highlight=False)
    if console.is_dumb_terminal:
        # rich assumes 80 columns for these.
        console.size = shutil.get_terminal_size()
    return console


def _discard_output() -> None:
    """Drops unwritten output, so that Python does not try to write it again at its exit."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
