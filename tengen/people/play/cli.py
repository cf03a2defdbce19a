"""`tengen play`: a board in the terminal."""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
import threading
from types import FrameType

import click
from rich.console import Console

from tengen.common.terminal.options import (
    RULE_HELP,
    Count,
    Name,
    Rule,
    Seconds,
    Size,
    is_given,
    usage_errors,
)
from tengen.game.rules.referee import BLACK, WHITE
from tengen.people.play.commands import MAX_NODES, MAX_TIME_S
from tengen.people.play.loop import Conversation, Options
from tengen.people.play.prompt import Prompt
from tengen.people.play.table import Look
from tengen.people.sitting.files import load_game
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import (
    DEFAULT_TIME_S,
    MAX_LEVEL,
    MAX_SEED,
    TENGEN,
    Level,
    Machine,
    names,
)
from tengen.people.sitting.opening import Opening
from tengen.people.sitting.sitting import HINT_TIME_S, Seats, Sitting

DEFAULT_PAUSE_S = 0.5
_COMMAND = "cmd="


class _Opponent(Name):
    """A name of `names()`, or the command of a protocol program."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.startswith(_COMMAND):
            return value
        return super().convert(value, param, ctx)


_OPPONENT = _Opponent("opponent", names)


class _OutputError(click.UsageError):
    """Standard output cannot be written to."""

    exit_code = 1


@click.command("play")
@click.option(
    "--opponent", type=_OPPONENT, default=TENGEN, show_default=True, metavar="NAME",
    help=f"The program that plays against you: {', '.join(names())}; or cmd=COMMAND, which starts"
    " a program of the Gomocup protocol.",
)  # fmt: skip
@click.option(
    "--first",
    type=click.Choice(["me", "it"]),
    default="me",
    show_default=True,
    help="Who plays Black and begins: you or the program.",
)
@click.option(
    "--level",
    "strength_level",
    type=Count(1, MAX_LEVEL),
    default=MAX_LEVEL,
    metavar="N",
    help=f"How strongly Tengen plays, from 1, a beginner, to {MAX_LEVEL}, its full strength, which"
    " is the default.",
)
@click.option("--two", "is_for_two", is_flag=True, help="Two people play each other.")
@click.option(
    "--watch", type=_OPPONENT, nargs=2, metavar="BLACK WHITE",
    help="Two programs play each other.",
)  # fmt: skip
@click.option(
    "--time",
    "time_s",
    type=Seconds(0, MAX_TIME_S),
    metavar="S",
    help=f"Seconds a program may think about a move ({DEFAULT_TIME_S:g}), or with --two about a"
    f" hint ({HINT_TIME_S:g}).",
)
@click.option(
    "--nodes", type=Count(1, MAX_NODES), metavar="N", help="Limit in nodes instead of seconds."
)
@click.option(
    "--rule",
    type=Rule(),
    metavar="RULE",
    help=f"{RULE_HELP}  [default: freestyle]",
)
@click.option("--size", type=Size(), metavar="SIZE", help="5 to 22, or WxH.  [default: 15]")
@click.option(
    "--opening", type=click.Choice([opening.value for opening in Opening]),
    help="Begin with three balanced stones that Tengen puts down (balance), or by an opening rule:"
    " one player puts down a stone (swap1) or three (swap2), and the other one chooses a side.",
)  # fmt: skip
@click.option(
    "--load", metavar="FILE",
    help="Go on with a game: sgf, psq or such, the folder of a match, or moves such as h8i9.",
)  # fmt: skip
@click.option(
    "--game",
    "game_number",
    type=Count(1),
    metavar="N",
    help="With --load: the Nth game of a match or a file.",
)
@click.option(
    "--seed",
    type=Count(0, MAX_SEED),
    default=0,
    metavar="N",
    help="Random seed, for opponents that choose at random, for openings with --nodes, and to"
    " repeat games of a lower --level, which otherwise differ.",
)
@click.option(
    "--pause", "pause_s", type=Seconds(0, 3600), metavar="S",
    help=f"With --watch: seconds to wait after each move.  [default: {DEFAULT_PAUSE_S:g}]",
)  # fmt: skip
@click.option(
    "--numbers/--no-numbers", default=True, show_default=True, help="Move numbers on the stones."
)
@click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.pass_context
def play_command(
    ctx: click.Context,
    opponent: str,
    first: str,
    strength_level: int,
    is_for_two: bool,
    watch: tuple[str, str] | None,
    time_s: float | None,
    nodes: int | None,
    rule: int | None,
    size: tuple[int, int] | None,
    opening: str | None,
    load: str | None,
    game_number: int | None,
    seed: int,
    pause_s: float | None,
    numbers: bool,
    only_ascii: bool,
) -> None:
    """Play against Tengen or a weaker program, play another person, or watch two programs.

    Type a point such as h8 to play there (rows count from the bottom), or help for all commands.

    \b
      tengen play
      tengen play --opponent simple --first it --rule renju
      tengen play --two --load game.sgf
      tengen play --watch tengen simple --nodes 10000
      tengen play --opponent "cmd=wine other.exe" --time 5
    """

    def refuse_if(is_wrong: object, text: str) -> None:
        if is_wrong:
            raise click.UsageError(text, ctx)

    refuse_if(time_s is not None and nodes is not None, "--time and --nodes: give one of them")
    refuse_if(is_for_two and watch, "--two and --watch: give one of them")
    for name in ("opponent", "first"):
        refuse_if(
            (is_for_two or watch) and is_given(ctx, name),
            f"--{name} needs a game against a program",
        )
    programs = () if is_for_two else watch or (opponent,)
    refuse_if(
        is_given(ctx, "strength_level") and TENGEN not in programs,
        "--level needs Tengen as a program",
    )
    refuse_if(pause_s is not None and not watch, "--pause needs --watch")
    refuse_if(opening and load, "--opening and --load: give one of them")
    swaps = opening is not None and opening != Opening.BALANCE.value
    refuse_if(is_for_two and swaps, f"--opening {opening} needs a game against a program")
    refuse_if(game_number is not None and load is None, "--game needs --load")

    def machine(name: str, number: int) -> Machine:
        if name.startswith(_COMMAND):
            with usage_errors(ctx):
                return Machine(name, command=name.removeprefix(_COMMAND))
        has_seed = name != TENGEN or is_given(ctx, "seed")
        own_seed = (seed + number) % (MAX_SEED + 1) if has_seed else None
        level = strength_level if name == TENGEN else MAX_LEVEL
        return Machine(name, own_seed, strength_level=level)

    seats: Seats = {BLACK: None, WHITE: None}
    if watch:
        seats = {BLACK: machine(watch[0], 0), WHITE: machine(watch[1], 1)}
    elif not is_for_two:
        seats[WHITE if first == "me" else BLACK] = machine(opponent, 0)
    sitting = Sitting(
        Game(*(size or (15, 15)), rule or 0),
        seats,
        opening=None if opening is None else Opening(opening),
        seed=seed,
    )
    if time_s is not None or nodes is not None:
        sitting.set_level(Level(DEFAULT_TIME_S if time_s is None else time_s, nodes))
    if load is not None:
        with usage_errors(ctx):
            loaded = load_game(
                load, rule or 0, is_rule_wished=rule is not None, size=size, number=game_number
            )
            if loaded.several:
                click.echo(loaded.several)
        sitting.take_over(loaded, keeps_sides=is_given(ctx, "first"))
    options = Options(
        Look(numbers, only_ascii=only_ascii), DEFAULT_PAUSE_S if pause_s is None else pause_s
    )
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The name of a file may hold characters that the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    _leave_when_terminated()
    try:
        Conversation(sitting, options, _console(), Prompt()).run()
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


def _leave_when_terminated() -> None:
    """SIGTERM, and SIGHUP for a terminal that was closed, end the program by an exception, so that
    the game is saved and the terminal is as before."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, leave)
        if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
            signal.signal(signal.SIGHUP, leave)
