"""`tengen report`: an HTML page of the games of a run."""

from __future__ import annotations

import os
import stat
import sys
import threading
import webbrowser
from pathlib import Path

import click

from tengen.common.terminal.options import refuse_without


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="File to write.  [default: DIR/report.html]"
)
@click.option("--open/--no-open", "is_opened", default=False, help="Open the page in a browser.")
@click.option(
    "--live",
    "is_live",
    is_flag=True,
    help="Serve the page to a browser on this machine instead, shown anew as games end; Ctrl-C"
    " ends it.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="With --live: the port to listen on.  [default: one that is free]",
)
@click.pass_context
def report_command(
    ctx: click.Context, folder: Path, out: Path | None, is_opened: bool, is_live: bool, port: int
) -> None:
    """Writes an HTML page of the games in DIR, a folder that `tengen match --out` has written.

    The page has tables, charts and a board to step through every game, and needs no network. A link
    to it can name a game and a move: report.html#game=12&move=7
    """
    # Imported here: the statistics load slowly, and --help does not need them.
    from engine.files import replace_file
    from tengen.arena.report.data import report_data
    from tengen.arena.report.page import make_page
    from tengen.game.record.run_folder import find_run, load_run

    refuse_without(ctx, "--live", is_live, "port")
    if is_live:
        if out is not None:
            raise click.UsageError("--out and --live exclude each other")
        _serve(folder, port, is_opened)
        return
    target = out or folder
    try:
        target = out or find_run(folder) / "report.html"
        run = load_run(folder)
        replace_file(target, make_page(report_data(run)))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{error.filename or target}: {error.strerror}") from None
    click.echo(f"{len(run.games)} games in {target}")
    if is_opened:
        webbrowser.open(target.absolute().as_uri())


def _serve(folder: Path, port: int, is_opened: bool) -> None:
    from tengen.arena.report.live import live_server
    from tengen.common.serving.guard import run

    try:
        server = live_server(folder, port)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"The report is at {server.address}")
    if is_opened:
        webbrowser.open(server.address)
    if stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):
        # Started by a run: its end closes this pipe.
        threading.Thread(target=_end_with_input, daemon=True).start()
    run(server.close)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)
