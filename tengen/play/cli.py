"""`tengen play`: a board in the terminal."""

from __future__ import annotations

import io
import shutil
import signal
import sys
import threading
from types import FrameType

import click
from click.core import ParameterSource
from rich.console import Console

from tengen.play.commands import MAX_NODES, MAX_TIME_S
from tengen.play.files import load_game
from tengen.play.game import Game
from tengen.play.loop import Conversation, Seats, Table
from tengen.play.machine import DEFAULT_TIME_S, TENGEN, Level, Machine, names
from tengen.play.prompt import Prompt
from tengen.play.table import Look
from tengen.rules.referee import BLACK, WHITE
from tengen.terminal.options import RULE_HELP, Name, Rule, Seconds, Size, usage_errors

DEFAULT_PAUSE_S = 0.5
_OPPONENT = Name("opponent", names)


@click.command("play")
@click.option(
    "--opponent", type=_OPPONENT, default=TENGEN, show_default=True, metavar="NAME",
    help=f"Who plays against you: {', '.join(names())}.",
)  # fmt: skip
@click.option(
    "--first",
    type=click.Choice(["me", "it"]),
    default="me",
    show_default=True,
    help="Who begins, with Black.",
)
@click.option("--two", "is_for_two", is_flag=True, help="Two people at one board.")
@click.option(
    "--watch", type=_OPPONENT, nargs=2, metavar="BLACK WHITE",
    help="Two programs play, by name; you watch.",
)  # fmt: skip
@click.option(
    "--time",
    "time_s",
    type=Seconds(0, MAX_TIME_S),
    metavar="S",
    help=f"Seconds a program may think about a move.  [default: {DEFAULT_TIME_S:g}]",
)
@click.option(
    "--nodes", type=click.IntRange(1, MAX_NODES), metavar="N", help="Nodes instead of seconds."
)
@click.option(
    "--rule",
    type=Rule(),
    metavar="RULE",
    help=f"{RULE_HELP}  [default: freestyle]",
)
@click.option("--size", type=Size(), metavar="SIZE", help="5 to 22, or WxH.  [default: 15]")
@click.option("--load", metavar="FILE", help="Go on with a game in a psq or sgf file.")
@click.option(
    "--seed", type=int, default=0, metavar="N", help="For what opponents leave to chance."
)
@click.option(
    "--pause", "pause_s", type=Seconds(0, 3600), metavar="S",
    help=f"With --watch: seconds after each move.  [default: {DEFAULT_PAUSE_S:g}]",
)  # fmt: skip
@click.option(
    "--numbers/--no-numbers", default=True, show_default=True, help="Numbers on the stones."
)
@click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII signs only.")
@click.pass_context
def play_command(
    ctx: click.Context,
    opponent: str,
    first: str,
    is_for_two: bool,
    watch: tuple[str, str] | None,
    time_s: float | None,
    nodes: int | None,
    rule: int | None,
    size: tuple[int, int] | None,
    load: str | None,
    seed: int,
    pause_s: float | None,
    numbers: bool,
    only_ascii: bool,
) -> None:
    """Play in the terminal: against Tengen or a simpler opponent, two at one board, or watch.

    Type a point such as h8 to play there (rows count from the bottom), help for all the rest.

    \b
      tengen play
      tengen play --opponent simple --first it --rule renju
      tengen play --two --load game.sgf
      tengen play --watch tengen simple --nodes 10000
    """

    def is_given(name: str) -> bool:
        return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT

    if time_s is not None and nodes is not None:
        raise click.UsageError("--time and --nodes are two ways to say the same: leave one out")
    if is_for_two and watch:
        raise click.UsageError("--two and --watch: either people play or programs")
    for name in ("opponent", "first"):
        if (is_for_two or watch) and is_given(name):
            raise click.UsageError(f"--{name} is for a game against a program")
    if pause_s is not None and not watch:
        raise click.UsageError("--pause is for --watch")
    if load is not None and size is not None:
        raise click.UsageError("--load: the file says how large its board is; leave out --size")

    seats: Seats = {BLACK: None, WHITE: None}
    if watch:
        seats = {BLACK: Machine(watch[0], seed), WHITE: Machine(watch[1], seed + 1)}
    elif not is_for_two:
        seats[WHITE if first == "me" else BLACK] = Machine(opponent, seed)
    table = Table(
        Game(*(size or (15, 15)), rule or 0),
        seats,
        Level(DEFAULT_TIME_S if time_s is None else time_s, nodes),
        Look(numbers, only_ascii=only_ascii),
        DEFAULT_PAUSE_S if pause_s is None else pause_s,
    )
    if load is not None:
        with usage_errors(ctx):
            loaded = load_game(load, rule or 0, is_rule_wished=rule is not None)
        table.take_over(loaded, keeps_sides=is_given("first"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file's name may hold what the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    _leave_when_terminated()
    Conversation(table, _console(), Prompt()).run()


def _console() -> Console:
    console = Console(highlight=False)
    if console.is_dumb_terminal:
        # rich takes all of these for 80 columns wide.
        console.size = shutil.get_terminal_size()
    return console


def _leave_when_terminated() -> None:
    """SIGTERM ends the program by an exception, so that the terminal is left as it was."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, leave)
