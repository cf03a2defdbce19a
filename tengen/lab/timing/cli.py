"""`tengen lab time`: how the engine would use its time in recorded games."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import click
from rich.console import Console

from tengen.common.terminal.options import RULE_HELP, Count, Rule, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.record.time_control import TimeControl, read_time_control
from tengen.lab.timing.games import OneSide, read_games, sides_of
from tengen.lab.timing.show import print_use
from tengen.lab.timing.simulate import MOVES, SPEED_NPS, TimedSide, simulate
from tengen.lab.timing.summary import use_of, use_record

# The controls of tournaments.
CONTROLS = ("120/5", "180/30", "1000/300")


@click.command("time")
@click.argument("words", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--tc",
    "controls",
    multiple=True,
    metavar="MATCH/TURN+INCREMENT",
    help="Time control in seconds, 0/1 for a limit of the turn only; may be given several times."
    f"  [default: {', '.join(CONTROLS)}]",
)
@click.option(
    "--speed",
    "speed_nps",
    type=Count(1, 10**6),
    default=SPEED_NPS,
    show_default=True,
    help="Nodes of a simulated second.",
)
@click.option(
    "--moves",
    type=Count(1, 1000),
    default=MOVES,
    show_default=True,
    help="Own moves of a player that are simulated, from the first.",
)
@click.option(
    "--full", is_flag=True, help="Leave out players with fewer own moves than --moves says."
)
@click.option("--players", type=Count(1), help="Stop after so many players.  [default: all]")
@click.option(
    "--rule", type=Rule(), help=f"{RULE_HELP} For psq and sgf.  [default: as the file says]"
)
@click.option("--jobs", type=Count(1, 256), default=1, show_default=True, help="Players at a time.")
@click.option("--list", "lists_moves", is_flag=True, help="Show every move of every player.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def time_command(
    ctx: click.Context,
    words: tuple[str, ...],
    controls: tuple[str, ...],
    speed_nps: int,
    moves: int,
    full: bool,
    players: int | None,
    rule: int | None,
    jobs: int,
    lists_moves: bool,
    wants_json: bool,
) -> None:
    """Simulates how the engine would use its time in recorded games.

    The files are folders and games.jsonl of matches, psq and sgf files. The engine thinks about
    every own move of both players, on a clock that counts nodes, so the result is the same on every
    machine. The exit status is 1 if a move took longer than its limits.

    \b
      tengen lab time games/a-b --full
      tengen lab time game.psq --tc 60/5 --list
    """
    with usage_errors():
        chosen = [_control(text) for text in controls or CONTROLS]
        sides = [side for name, game in read_games(words, rule) for side in sides_of(name, game)]
    if full:
        sides = [side for side in sides if len(side.positions) >= moves]
    sides = sides[:players]
    if not sides:
        least = f"{moves} own moves" if full else "an own move"
        raise click.UsageError(f"no player has {least} in these files")
    console = Console(highlight=False, soft_wrap=True)
    over = 0
    records = []
    for control in chosen:
        task = partial(simulate, control=control, speed_nps=speed_nps, moves=moves)
        use = use_of(control, speed_nps, _timed(task, sides, jobs, str(control)), moves)
        over += use.over
        if wants_json:
            records.append(use_record(use))
        else:
            print_use(console, use, lists_moves, moves)
            console.print()
    if wants_json:
        click.echo(json.dumps({"controls": records}))
    ctx.exit(1 if over else 0)


def _control(text: str) -> TimeControl:
    control = read_time_control(text)
    if control.turn_s == 0:
        raise ValueError(f"--tc {text}: a turn of 0 seconds has no time to use")
    return control


def _timed(
    task: partial[TimedSide], sides: Sequence[OneSide], jobs: int, what: str
) -> list[TimedSide]:
    """Runs the task for every player, several at a time, and shows how far it is."""
    with counting_bar() as progress:
        return list(progress.track(_run(task, sides, jobs), len(sides), description=what))


def _run(task: partial[TimedSide], sides: Sequence[OneSide], jobs: int) -> Iterator[TimedSide]:
    if jobs == 1:
        yield from map(task, sides)
        return
    # A new interpreter each, as on Windows, so that the result does not depend on the system.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(task, sides)
