"""`tengen games`: a base of games, what was played in a position, and puzzles from it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from tengen.common.commands import Count, Group, Rule, command, option, usage_errors
from tengen.common.console import working_sign
from tengen.game.files.positions import Choice, find_position
from tengen.game.position import Position
from tengen.game.values import Record, counted, json_text
from tengen.study.collect import Added
from tengen.study.games import Games
from tengen.study.options import position_options, say_which
from tengen.study.stored import Explored

_base = option(
    "--base",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The base.  [default: that of tengen board]",
)
_json = option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")

_COMMANDS = {
    "Commands": {
        "add": ("tengen.study.games_cli:add_command", "Read files of games, and folders."),
        "show": ("tengen.study.games_cli:show_command", "Show what was played in a position."),
        "count": ("tengen.study.games_cli:count_command", "Count the games."),
        "puzzles": ("tengen.study.games_cli:puzzles_command", "Make puzzles from the games."),
    }
}


@click.group("games", cls=Group, table=_COMMANDS, epilog="tengen games COMMAND --help says more.")
def games_command() -> None:
    """Keeps games of many files in one base: what was played in a position, how it ended, and the
    games behind it. The board in the browser shows the same."""


@command("add")
@_base
@option("--rule", type=Rule(), metavar="RULE", help="Of these games, whatever their files say.")
@option("--jobs", type=Count(1, 64), help="Processes that read.  [default: as many as processors]")
@click.argument("paths", metavar="FILE|FOLDER...", nargs=-1, required=True)
def add_command(
    base: Path | None, rule: int | None, jobs: int | None, paths: tuple[str, ...]
) -> None:
    """Reads files of games (sgf, psq, rec, sav, lib, rif, pgn, the games.jsonl of a match), and
    those in folders. What is known is not read again; after Ctrl-C the same command goes on.

    The exit status is 1 if something could not be read; each such file is named.
    """
    with usage_errors(), Games(base) as games:
        with working_sign(None) as sign:
            task = sign.add_task("")

            def tell(added: Added) -> None:
                sign.update(task, description=str(added))

            added = games.add(*paths, rule=rule, jobs=jobs, on_progress=tell)
    for fault in added.faults:
        click.echo(fault, err=True)
    if more := added.unread - len(added.faults):
        click.echo(f"and {more:,} more", err=True)
    click.echo(f"{added}; {counted(added.total, 'game')} in {games.path}")
    click.get_current_context().exit(1 if added.unread else 0)


def _opened(base: Path | None) -> Games:
    """The base of a command that only asks it: one that is named has to be there."""
    if base is not None and not base.exists():
        raise ValueError(f"{base}: No such file or directory; tengen games add makes a base")
    return Games(base)


@command("show")
@position_options
@_base
@option("--games", "count", type=Count(0, 1000), default=10, help="How many games are named.")
@_json
def show_command(
    words: tuple[str, ...], choice: Choice, base: Path | None, count: int, wants_json: bool
) -> None:
    """Shows each move that was played in a position, how often, how it ended and what programs
    thought of it, how many libraries (.lib) have it, and the games; the board may be turned or
    mirrored, and the order of moves be another one.

    A position is points such as h8i9g7, a picture, a game, or -; without one, the empty board.
    """
    with usage_errors(), _opened(base) as games:
        position = Position.begin(choice.size or (15, 15), choice.rule or 0)
        if words:
            stored = find_position(*words, choice=choice)
            say_which(stored)
            position = stored.position
        found = games.explore(position, count)
    if wants_json:
        click.echo(json_text(explored_record(found)))
    else:
        click.echo("\n".join([str(found), *(f"{game}, {game.path}" for game in found.games)]))


def explored_record(found: Explored) -> Record:
    """What was played in a position, as plain values."""
    moves = [asdict(each) | {"move": [each.move.x, each.move.y]} for each in found.moves]
    return asdict(found) | {"moves": moves}


@command("count")
@_base
def count_command(base: Path | None) -> None:
    """Prints how many games the base has."""
    with usage_errors(), _opened(base) as games:
        click.echo(len(games))


@command("puzzles")
@_base
@option("--make", "count", type=Count(1, 100_000), help="Make so many new ones first.")
def puzzles_command(base: Path | None, count: int | None) -> None:
    """Prints the puzzles of the base as JSON lines, the newest first: positions in which one first
    move wins by fours or threes, or in which one move alone stops the opponent, proved.

    \b
      tengen games puzzles --make 20 > puzzles.jsonl
      tengen solve puzzles.jsonl --check-wins
    """
    from engine.api import Engine
    from tengen.study.puzzles import Puzzles

    with usage_errors(), _opened(base) as games:
        puzzles = Puzzles(games)
        if count is not None:
            with working_sign(None) as sign:
                task = sign.add_task("")

                def tell(made: int, searched: int) -> None:
                    text = f"{counted(made, 'puzzle')} of {counted(searched, 'game')}"
                    sign.update(task, description=text)

                puzzles.make(count, Engine(), tell)
        for puzzle in puzzles.all():
            click.echo(json_text(puzzle.record()))
