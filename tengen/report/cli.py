"""`tengen report`: an HTML page of the games of a run."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="File to write.  [default: DIR/report.html]"
)
@click.option("--open/--no-open", "is_opened", default=False, help="Open the page in a browser.")
def report_command(folder: Path, out: Path | None, is_opened: bool) -> None:
    """Writes an HTML page of the games in DIR, a folder that `tengen match --out` has written.

    The page has tables, charts and a board to step through every game, and needs no network. A link
    to it can name a game and a move: report.html#game=12&move=7
    """
    # Imported here: the statistics load slowly, and --help does not need them.
    from tengen.record.run_folder import load_run
    from tengen.report.data import report_data
    from tengen.report.page import make_page

    target = out or folder / "report.html"
    try:
        run = load_run(folder)
        target.write_text(make_page(report_data(run)), encoding="utf-8", newline="\n")
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{error.filename or target}: {error.strerror}") from None
    click.echo(f"{len(run.games)} games in {target}")
    if is_opened:
        webbrowser.open(target.absolute().as_uri())
