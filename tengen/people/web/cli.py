"""`tengen board`: play on a board in the browser."""

from __future__ import annotations

import signal
import webbrowser
from pathlib import Path
from types import FrameType

import click

from tengen.common.serving.guard import run
from tengen.common.terminal.options import RULE_HELP, Count, Rule, Size, usage_errors
from tengen.people.sitting.files import load_game, path_of
from tengen.people.sitting.machine import DEFAULT_TIME_S
from tengen.people.web.begin import new_sitting
from tengen.people.web.library import Library, default_folder
from tengen.people.web.room import Room
from tengen.people.web.server import Server
from tengen.people.web.wishes import YOU, New

_LEVEL = 5


@click.command("board")
@click.option(
    "--port",
    type=Count(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on, on this machine only.  [default: one that is free]",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--rule", type=Rule(), help=f"{RULE_HELP}  [default: freestyle]")
@click.option("--game", type=Count(1), metavar="N", help="The Nth game of the file.")
@click.option("--size", type=Size(), help="Board size: 15, or 15x12.  [default: 15]")
@click.option(
    "--games",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help=f"Where the games are kept.  [default: {default_folder()}]",
)
@click.argument("file", required=False)
@click.pass_context
def board_command(
    ctx: click.Context,
    port: int,
    no_browser: bool,
    rule: int | None,
    game: int | None,
    size: tuple[int, int] | None,
    folder: Path | None,
    file: str | None,
) -> None:
    """Opens a board in the browser: to play against Tengen at ten levels, against the weaker
    opponents, or with another person, or to watch programs play.

    FILE is a game to go on with: a file of games (sgf, psq, lib, ...), or points such as h8i9g7.
    Every game at the board is kept in a folder, and can be opened again there. Ctrl-C ends the
    server and all programs.

    \b
      tengen board
      tengen board --rule renju game.sgf
    """  # fmt: skip
    width, height = size or (15, 15)
    new = New(width, height, rule or 0, (YOU, "tengen"), _LEVEL, DEFAULT_TIME_S, None)
    sitting = new_sitting(new)
    if game is not None and file is None:
        raise click.UsageError("--game is for a FILE", ctx)
    if file is not None:
        with usage_errors(ctx):
            loaded = load_game(
                file, rule or 0, is_rule_wished=rule is not None, size=size, number=game
            )
            if loaded.several:
                click.echo(loaded.several)
        sitting.take_over(loaded)
    with usage_errors(ctx):
        library = Library(default_folder() if folder is None else path_of(str(folder)))
    room = Room(sitting, library, _log)
    with usage_errors(ctx):
        server = Server(room, port, _log)
    signal.signal(signal.SIGTERM, _interrupt)
    click.echo(f"The board is at {server.http.address}")
    click.echo("Ctrl-C ends it.")
    if not no_browser:
        webbrowser.open(server.http.address)
    try:
        run(server.close)
    finally:
        # Where the folder cannot be written to, the last game goes to another place.
        path = room.sitting.save_unsaved()
        if path is not None:
            click.echo(f"{library.problem}. It is now in {path}.")


def _log(line: str) -> None:
    click.echo(line, err=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
