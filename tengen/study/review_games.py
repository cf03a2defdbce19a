"""Goes through games one after the other, prints what was found, and writes it to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from engine.api import Engine
from engine.files import replace_file
from tengen.arena.report.review import require_shown
from tengen.common.console import counting_bar, print_table
from tengen.game.json_text import json_text
from tengen.game.record.recorded import RecordedGame
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE
from tengen.study.games import Found
from tengen.study.resources import Resources
from tengen.study.review import (
    INACCURACY,
    MISSED_WIN,
    MISTAKE,
    Budget,
    Review,
    ReviewInterrupted,
    playable,
    review,
)
from tengen.study.review_show import (
    MARKS,
    percent_kept,
    print_review,
    review_page,
    review_record,
    review_sgf,
)


@dataclass(frozen=True)
class Wish:
    """How games are gone through, and what is made of it.

    budget       for each game; `loss`, the loss of a mistake.
    sgf, report  where the game with notes and the page are written; of several games a folder.
    say_first    called with the name of each game and the game before it is printed.
    """

    budget: Budget
    loss: float
    resources: Resources
    wants_json: bool
    sgf: Path | None
    report: Path | None
    say_first: Callable[[str, RecordedGame], None]


def review_games(console: Console, found: Sequence[Found], wish: Wish) -> int:
    """Reviews the games; the exit status: 0, or 1 where some of several could not be reviewed, or
    130 after Ctrl-C, when what was found until then is shown and written.
    ValueError in one line, and OSError, where nothing can be done."""
    several = len(found) > 1
    if not several and wish.report is not None and isinstance(found[0], tuple):
        require_shown(playable(found[0][1])[0])
    for folder in (wish.sgf, wish.report):
        if several and folder is not None:
            if folder.exists() and not folder.is_dir():
                raise ValueError(f"{folder}: this is a file; several games need a folder")
            folder.mkdir(parents=True, exist_ok=True)
    shorts = _short_names([each[0] for each in found if not isinstance(each, str)])
    done: list[tuple[str, Review]] = []
    is_interrupted = False
    for number, each in enumerate(found, start=1):
        try:
            if isinstance(each, str):
                raise ValueError(each)
            name, game = each
            for note in game.notes:
                click.echo(f"{name}: {note}", err=True)
            try:
                reviewed = _review(name, game, wish, f"game {number} of {len(found)}, " * several)
            except ReviewInterrupted as interrupted:
                reviewed, is_interrupted = interrupted.review, True
                first = reviewed.steps[0].number
                click.echo(f"interrupted: the moves from {first} on were searched", err=True)
            done.append((shorts[name], reviewed))
            if wish.wants_json:
                click.echo(json_text(review_record(reviewed, name)))
            else:
                wish.say_first(name, game)
                print_review(console, reviewed, name)
                if several:
                    console.print()
            # After the output, which is not lost where a file cannot be written.
            if wish.sgf is not None:
                path = _path(wish.sgf, shorts[name], ".sgf", several)
                replace_file(path, review_sgf(reviewed))
            if wish.report is not None:
                page = review_page(reviewed, name)
                replace_file(_path(wish.report, shorts[name], ".html", several), page)
        except ValueError as error:
            if not several:
                raise
            click.echo(str(error), err=True)
        except KeyboardInterrupt:
            is_interrupted = True
        if is_interrupted:
            break
    if several and done and not wish.wants_json:
        _print_table(console, done)
    return 130 if is_interrupted else 0 if len(done) == len(found) else 1


def _review(name: str, game: RecordedGame, wish: Wish, which: str) -> Review:
    brain, solver = wish.resources.give(Engine()), Engine()
    with counting_bar() as progress:
        bar = progress.add_task("", total=None)

        def tell(what: str, count: int, total: int) -> None:
            progress.update(bar, description=f"{which}{what}", completed=count, total=total)

        return review(brain, solver, name, game, wish.budget, wish.loss, tell)


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """The names of games without folders; of equal files in several the next is `x.sgf (2)`."""
    files: dict[str, str] = {}
    shorts = {}
    for name in names:
        file, comma, number = name.partition(", game ")
        if file not in files:
            base = short = os.path.basename(file)
            count = 1
            while short in files.values():
                count += 1
                short = f"{base} ({count})"
            files[file] = short
        shorts[name] = f"{files[file]}{comma}{number}"
    return shorts


def _path(path: Path, name: str, ending: str, several: bool) -> Path:
    """Where a file of a game is written; `a.psq, game 2` gives `a.psq-2.sgf` in a folder."""
    if not several:
        return path
    file, _, number = name.partition(", game ")
    return path / f"{file}{f'-{number}' if number else ''}{ending}"


def _print_table(console: Console, done: Sequence[tuple[str, Review]]) -> None:
    """A line a game: the accuracy of both sides, and how many moves are marked."""
    kinds = (INACCURACY, MISTAKE, MISSED_WIN)
    heads, rows = ["game"], []
    for side in (BLACK, WHITE):
        heads += [COLOUR_NAMES[side], *(MARKS[kind] for kind in kinds)]
    for name, found in done:
        row = [name]
        for side in (BLACK, WHITE):
            row.append(percent_kept(found, side))
            for kind in kinds:
                count = sum((s.kind, s.colour) == (kind, side) for s in found.steps)
                row.append(str(count) if count else "")
        rows.append(row)
    print_table(console, heads, rows, (0,))
