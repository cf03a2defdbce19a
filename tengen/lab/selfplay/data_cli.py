"""`tengen lab data`: what shards hold, and shards made of the games of a match."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from engine.text import RULE_NAMES
from tengen.common.terminal.commands import command, option
from tengen.common.terminal.options import find_name, refuse_without, usage_errors
from tengen.common.terminal.tables import print_table
from tengen.game.record.numbers import counted
from tengen.game.record.run_folder import load_run
from tengen.lab.selfplay.samples import write_samples
from tengen.lab.selfplay.shards import shard_paths
from tengen.lab.selfplay.survey import BIN, LIMIT, Findings, survey

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
    bar = Console(stderr=True)
    is_off = not bar.is_terminal
    found = survey(track(paths, "reading", console=bar, transient=True, disable=is_off), checks)
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
        f"samples in {folder}: {written.games} of {counted(len(loaded.games), 'game')},"
        f" {counted(written.positions, 'position')} with a value"
    )


def _print(found: Findings, checks: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for each in found.surveys.values():
        counted = each.record()
        console.print(f"{RULE_NAMES[counted['rule']]} {counted['width']}x{counted['height']}")
        print_table(console, ("", "", ""), _rows(counted), (0,))
        console.print("values of positions kept, for the mover")
        bars = _histogram(np.array(counted["values"]["counts"]))
        print_table(console, ("value", "", ""), bars, (0, 2))
    for fault in found.faults:
        click.echo(fault, err=True)
    if checks and not found.faults:
        console.print("every game was replayed; nothing is wrong")


def _rows(counted: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The counts under the names that they have in JSON, with their shares of the games, of the
    positions searched or kept, or of the openings."""
    found: list[tuple[str, str, str]] = []
    games, kept = counted["games"], counted["positions"]["kept"]
    wholes = {"winners": games, "endings": games, "book_games": games, "held_out_games": games,
              "positions": sum(counted["positions"].values()), "kept": kept,
              "held_out_openings": counted["openings"]}  # fmt: skip
    for key, value in counted.items():
        if key in ("rule", "width", "height", "values"):
            continue
        rows = {key: value}
        if isinstance(value, dict):
            found.append((key, "", ""))
            rows = {f"  {name}": count for name, count in value.items()}
        for name, count in rows.items():
            whole = wholes.get(key)
            share = f"{count / whole:.1%}" if whole else ""
            found.append((name.replace("_", " "), f"{count:,}", share))
    return found


def _histogram(counts: NDArray[np.int64]) -> list[tuple[str, str, str]]:
    rows = []
    total, most = int(counts.sum()) or 1, int(counts.max()) or 1
    for i, count in enumerate(counts.tolist()):
        low = -LIMIT + (i - 1) * BIN
        name = f"{low} to {low + BIN - 1}"
        if i == 0:
            name = f"below {-LIMIT}"
        elif i == len(counts) - 1:
            name = f"{LIMIT} and more"
        rows.append((name, f"{count / total:.1%}", "#" * round(count / most * _BAR)))
    return rows
