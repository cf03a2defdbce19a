"""`tengen board`: play on a board in the browser."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path

import click
import segno

from engine.model import Rule
from tengen.common.commands import Count, command, option, usage_errors
from tengen.common.server import find_lan, kept_token, run
from tengen.people.session.engine_player import DEFAULT_TIME_S, TENGEN
from tengen.people.session.files import path_of
from tengen.people.session.options import game_options, load_asked
from tengen.people.session.players import YOU
from tengen.people.web.begin import new_session
from tengen.people.web.library import Library
from tengen.people.web.requests import New
from tengen.people.web.room import Room
from tengen.people.web.server import Server
from tengen.study.base import default_path
from tengen.study.options import Resources, resource_options

_LEVEL = 5


@command("board")
@option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    default=default_path().parent,
    show_default=True,
    help="Where games are kept.",
)
@option(
    "--port",
    type=Count(0, 65535),
    default=0,
    show_default="a free one",
    help="The port on this machine.",
)
@option("--lan", is_flag=True, help="Let a phone in the local network in, by a QR code.")
@option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@resource_options
@game_options
@click.argument("file", required=False)
@click.pass_context
def board_command(
    ctx: click.Context,
    port: int,
    lan: bool,
    no_browser: bool,
    resources: Resources,
    rule: int | None,
    size: tuple[int, int] | None,
    game_number: int | None,
    folder: Path,
    file: str | None,
) -> None:
    """Opens a board in the browser: to play against Tengen at ten levels, against the weaker
    opponents, or with another person, or to watch programs play.

    FILE is a game to continue: a file of games (sgf, psq, lib, ...), or points such as h8i9g7.
    Every game at the board is kept in a folder, and can be opened again there. Ctrl-C ends the
    server and all programs.

    \b
      tengen board
      tengen board --rule renju game.sgf
    """
    width, height = size or (15, 15)
    new = New(YOU, TENGEN, _LEVEL, DEFAULT_TIME_S, width=width, height=height, rule=Rule(rule or 0))
    session = new_session(new, resources)
    if game_number is not None and file is None:
        raise click.UsageError("--game is for a FILE", ctx)
    with usage_errors(ctx):
        library = Library(path_of(str(folder)))
    if file is not None:
        loaded = load_asked(ctx, file, rule, size, game_number)
        session.take_over(loaded)
        library.recognize(loaded.game, file)
    room = Room(session, library, _log, resources=resources)
    with usage_errors(ctx):
        token = kept_token(Path(click.get_app_dir("tengen")) / "board-token") if port else None
        server = Server(room, port, _log, token, find_lan() if lan else None)
    click.echo(f"The board is at {server.http.address}")
    if server.http.lan_address is not None:
        _show_lan(server.http.lan_address)
    click.echo("Ctrl-C ends it.")
    if not no_browser:
        webbrowser.open(server.http.address)
    try:
        run(server.close)
    finally:
        for line in library.rescue():
            click.echo(line)


def _show_lan(address: str) -> None:
    click.echo(f"In the local network it is at {address}")
    with suppress(UnicodeEncodeError):  # a terminal without these signs
        segno.make(address, error="l").terminal(compact=True)
    click.echo(
        "Whoever has that address can play, open and delete games here, and others in the network"
        " can listen: use it only among people you trust."
    )


def _log(line: str) -> None:
    with suppress(OSError):  # nobody reads it any more
        click.echo(line, err=True)
