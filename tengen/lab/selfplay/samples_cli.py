"""`tengen lab samples`: the games of a match as samples for training."""

from __future__ import annotations

from pathlib import Path

import click

from tengen.common.terminal.options import find_name, usage_errors
from tengen.game.record.run_folder import find_run, load_run
from tengen.lab.selfplay.samples import write_samples


@click.command("samples")
@click.argument("run", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where to write them.  [default: DIR/samples]",
)
@click.option("--of", "name", metavar="NAME", help="Only what this program has reported counts.")
def samples_command(run: Path, out: Path | None, name: str | None) -> None:
    """Writes the games in DIR, a folder that `tengen match --out` has written, as shards that
    `tengen lab data` and `tengen lab train` read.

    A position is a sample if the program to move reported a value. Values are taken as
    centi-stones, Tengen's unit; --of leaves out programs that have another one. Games that ended by
    a failure are left out. Samples that FOLDER holds are replaced.
    """
    with usage_errors():
        folder = out or find_run(run) / "samples"
        loaded = load_run(run)
        if name is not None:
            name = find_name("program", name, loaded.names)
        try:
            written = write_samples(loaded.games, folder, name)
        except OSError as error:
            raise ValueError(f"{error.filename or folder}: {error.strerror}") from None
    click.echo(
        f"samples in {folder}: {written.games} of {len(loaded.games)} games,"
        f" {written.positions} positions with a value"
    )
