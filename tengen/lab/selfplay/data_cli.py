"""`tengen lab data`: what shards hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from engine.text import RULE_NAMES
from tengen.common.commands import command, option, usage_errors
from tengen.common.console import print_table
from tengen.game.json_text import json_text
from tengen.lab.selfplay.shards import shard_paths
from tengen.lab.selfplay.survey import BIN, LIMIT, Findings, survey

_BAR = 40


@command("data")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@option("--check", "checks", is_flag=True, help="Replay every game on the referee's board as well.")
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def data_command(
    ctx: click.Context,
    folders: tuple[Path, ...],
    checks: bool,
    wants_json: bool,
) -> None:
    """Says what the folders of `tengen lab selfplay` hold: games, results, positions for training.

    The checksum of every file is verified. The exit status is 1 if a file is damaged or, with
    --check, if a game is not one that the rules allow.
    """
    with usage_errors():
        paths = shard_paths(folders)
    bar = Console(stderr=True)
    is_off = not bar.is_terminal
    found = survey(track(paths, "reading", console=bar, transient=True, disable=is_off), checks)
    if wants_json:
        surveys = [each.record() for each in found.surveys.values()]
        click.echo(json_text({"surveys": surveys, "faults": found.faults}))
    else:
        _print(found, checks)
    ctx.exit(1 if found.faults else 0)


def _print(found: Findings, checks: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for each in found.surveys.values():
        counted: dict[str, Any] = each.record()
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
