"""`tengen report`: an HTML page of the games of a run."""

from __future__ import annotations

import os
import stat
import sys
import threading
import webbrowser
from pathlib import Path

import click

from tengen.common.commands import Count, command, option, refuse_without, usage_errors
from tengen.game.values import json_text


@command("report")
@click.argument("folder", type=click.Path(path_type=Path))
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The page, or a table of positions (.csv).  [default: FOLDER/report.html]",
)
@option("--json", "is_json", is_flag=True, help="Print the result as a JSON document instead.")
@option("--open", "is_opened", is_flag=True, help="Open the page in a browser.")
@option("--live", "is_live", is_flag=True, help="Serve the page, and update it as games end.")
@option(
    "--port",
    type=Count(0, 65535),
    default=0,
    show_default="a free one",
    help="With --live: the port on this machine.",
)
@click.pass_context
def report_command(
    ctx: click.Context,
    folder: Path,
    out: Path | None,
    is_json: bool,
    is_opened: bool,
    is_live: bool,
    port: int,
) -> None:
    """Makes a page of a match, with tables, charts and a board to step through every game.

    FOLDER is what `tengen match --out` has written. The page needs no network. A link to it can
    name a game and a move: report.html#game=12&move=7
    """
    # Imported here: the statistics load slowly, and --help does not need them.
    from engine.files import replace_file
    from tengen.arena.match.scoreboard import Scoreboard
    from tengen.arena.match.summary import result_record
    from tengen.arena.report.data import load_match, positions_csv, report_data
    from tengen.arena.report.page import make_page
    from tengen.game.files.jsonl import find_run
    from tengen.game.values import counted

    refuse_without(ctx, "--live", is_live, "port")
    with usage_errors():
        if is_json:
            if out is not None or is_live or is_opened:
                raise ValueError("--json prints the result and makes no page: give it alone")
            plan, games = load_match(folder)
            click.echo(json_text(result_record(plan, Scoreboard(plan.names, games))))
            return
        if is_live:
            if out is not None:
                raise ValueError("--out and --live exclude each other")
            _serve(folder, port, is_opened)
            return
        target = out or find_run(folder) / "report.html"
        plan, games = load_match(folder)
        if target.suffix.lower() == ".csv":
            replace_file(target, positions_csv(games))
        else:
            replace_file(target, make_page(report_data(plan, games)))
    click.echo(f"{counted(len(games), 'game')} in {target}")
    if is_opened:
        webbrowser.open(target.absolute().as_uri())


def _serve(folder: Path, port: int, is_opened: bool) -> None:
    from tengen.arena.report.live import live_server
    from tengen.common.server import run

    server = live_server(folder, port)
    click.echo(f"The report is at {server.address}")
    if is_opened:
        webbrowser.open(server.address)
    if sys.stdin is not None and stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):
        # Started by a run: its end closes this pipe.
        threading.Thread(target=_end_with_input, daemon=True).start()
    run(server.close)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)
