"""`tengen lab data`: what shards hold, and shards made of the games of a match."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tengen.common.terminal.commands import command, option
from tengen.common.terminal.options import find_name, refuse_without, usage_errors
from tengen.game.record.run_folder import load_run
from tengen.lab.selfplay.keep import REASONS
from tengen.lab.selfplay.samples import write_samples
from tengen.lab.selfplay.shards import ENDINGS, shard_paths
from tengen.lab.selfplay.survey import BIN, LIMIT, PROVEN_PLIES, Findings, Survey, survey

_BAR = 40
_MATCHES = "Games of a match"


@command("data")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@option("--check", "checks", is_flag=True, help="Replay every game on the referee's board as well.")
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@option(
    "--write",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the games of a match here, as shards.",
    heading=_MATCHES,
)
@option("--of", metavar="NAME", help="Only what this program reported counts.", heading=_MATCHES)
@click.pass_context
def data_command(
    ctx: click.Context,
    folders: tuple[Path, ...],
    checks: bool,
    wants_json: bool,
    write: Path | None,
    of: str | None,
) -> None:
    """Says what the folders of `tengen lab selfplay` hold: games, results, positions for training.

    The checksum of every file is verified. The exit status is 1 if a file is damaged or, with
    --check, if a game is not one that the rules allow.

    With --write the one folder is that of a match, and its games become shards for `tengen lab
    train`. A position is a sample if the program to move reported a value. Values are taken as
    centi-stones, Tengen's unit; --of leaves out programs that have another one. Games that ended by
    a failure are left out. Samples that FOLDER holds are replaced.
    """
    refuse_without(ctx, "--write", write, "of")
    if write is not None:
        if checks or wants_json or len(folders) > 1:
            raise click.UsageError("--write takes one folder, of a match, and no --check or --json")
        with usage_errors():
            _write(folders[0], write, of)
        return
    with usage_errors():
        paths = shard_paths(folders)
    progress = Console(stderr=True)
    shown = track(paths, "reading", console=progress, transient=True, disable=_is_off(progress))
    found = survey(shown, checks)
    if wants_json:
        surveys = [each.record() for each in found.surveys.values()]
        click.echo(json.dumps({"surveys": surveys, "faults": found.faults}))
    else:
        _print(found, checks)
    ctx.exit(1 if found.faults else 0)


def _write(run: Path, folder: Path, name: str | None) -> None:
    """Writes the games of a match as shards. ValueError for what cannot be read or written."""
    loaded = load_run(run)
    if name is not None:
        name = find_name("program", name, loaded.names)
    written = write_samples(loaded.games, folder, name)
    click.echo(
        f"samples in {folder}: {written.games} of {len(loaded.games)} games,"
        f" {written.positions} positions with a value"
    )


def _is_off(console: Console) -> bool:
    return not console.is_terminal


def _print(found: Findings, checks: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for each in found.surveys.values():
        console.print(_table(each))
        console.print(_histogram(each))
    for fault in found.faults:
        click.echo(fault, err=True)
    if checks and not found.faults:
        console.print("every game was replayed; nothing is wrong")


def _table(found: Survey) -> Table:
    table = Table(show_header=False, box=None, title=found.name, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    games, searched, kept = found.games, sum(found.positions), found.positions[0]

    def row(name: str, count: int, total: int | None = None) -> None:
        table.add_row(name, f"{count:,}", f"{count / total:.1%}" if total else "")

    row("shards", found.shards)
    row("bytes", found.bytes)
    row("games", games)
    row("  from a book", found.book_games, games)
    for name, count in zip(
        ("  draws", "  won by Black", "  won by White"), found.winners, strict=True
    ):
        row(name, count, games)
    for name, count in zip(ENDINGS, found.endings, strict=True):
        row(f"  ended by {name}", count, games)
    table.add_row("  stones at the end, mean", f"{found.stones['mean']:.1f}", "")
    row("  stones at the end, most", int(found.stones["most"]))
    row("openings", len(found.openings))
    row("  held out", len(found.test_openings), len(found.openings))
    row("  games of these", found.test_games, games)
    row("positions searched", searched)
    for name, count in zip(REASONS, found.positions, strict=True):
        row(f"  {name}", count, searched)
    row("positions kept", kept)
    row("  Black to move", found.black_to_move, kept)
    row("  held out", found.test, kept)
    row("  beside the games", found.asides, kept)
    row("  of deep searches", found.deep, kept)
    row("  result not used", found.value_only, kept)
    row(f"  forced win within {PROVEN_PLIES} moves", found.proven, kept)
    row("  best move played", found.with_choice, kept)
    return table


def _histogram(found: Survey) -> Table:
    table = Table("value", "", "", box=None, title="values of positions kept, for the mover")
    total, most = int(found.values.sum()) or 1, int(found.values.max()) or 1
    for i, count in enumerate(found.values.tolist()):
        low = -LIMIT + (i - 1) * BIN
        name = f"{low} to {low + BIN - 1}"
        if i == 0:
            name = f"below {-LIMIT}"
        elif i == len(found.values) - 1:
            name = f"{LIMIT} and more"
        table.add_row(name, f"{count / total:.1%}", "#" * round(count / most * _BAR))
    return table
