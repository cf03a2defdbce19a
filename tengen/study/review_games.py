"""Finds the games of a review, goes through one after the other, prints what was found, and writes
it to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from engine.api import Engine
from engine.files import replace_file
from tengen.arena.report.data import require_shown
from tengen.common.console import counting_bar, print_table
from tengen.game.files.formats import ENDINGS, games_in
from tengen.game.files.jsonl import GAMES
from tengen.game.files.positions import (
    STDIN,
    Choice,
    choose_game,
    find_position,
    read_position,
    read_text,
    without_source,
)
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.values import json_text
from tengen.study.collect import Added, files_in
from tengen.study.options import Resources
from tengen.study.results import SIDE_NAMES
from tengen.study.review import (
    INACCURACY,
    MARKS,
    MISSED_WIN,
    MISTAKE,
    Review,
    cut,
    percent_kept,
    print_review,
    review_page,
    review_record,
)
from tengen.study.reviewer import Budget, ReviewInterrupted, playable, review

# A game with its name, or why there is none.
Found = tuple[str, Game] | str
_NO_ORDER = "a picture has no moves that could be gone through"


@dataclass(frozen=True)
class ReviewOptions:
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
    say_first: Callable[[str, Game], None]


def review_games(console: Console, found: Sequence[Found], options: ReviewOptions) -> int:
    """Reviews the games; the exit status: 0, or 1 where some of several could not be reviewed, or
    130 after Ctrl-C, when what was found until then is shown and written.
    ValueError in one line, and OSError, where nothing can be done."""
    several = len(found) > 1
    if not several and options.report is not None and isinstance(found[0], tuple):
        game = found[0][1]
        require_shown(cut(game, playable(game)[0]))
    for folder in (options.sgf, options.report):
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
                reviewed = _review(
                    name, game, options, f"game {number} of {len(found)}, " * several
                )
            except ReviewInterrupted as interrupted:
                reviewed, is_interrupted = interrupted.review, True
                first = reviewed.moves[0].number
                click.echo(f"interrupted: the moves from {first} on were searched", err=True)
            done.append((shorts[name], reviewed))
            if options.wants_json:
                click.echo(json_text(review_record(reviewed, name)))
            else:
                options.say_first(name, game)
                print_review(console, reviewed, name)
                if several:
                    console.print()
            # After the output, which is not lost where a file cannot be written.
            if options.sgf is not None:
                path = _path(options.sgf, shorts[name], ".sgf", several)
                replace_file(path, write_sgf(reviewed.annotated()))
            if options.report is not None:
                page = review_page(reviewed, name)
                replace_file(_path(options.report, shorts[name], ".html", several), page)
        except ValueError as error:
            if not several:
                raise
            click.echo(str(error), err=True)
        except KeyboardInterrupt:
            is_interrupted = True
        if is_interrupted:
            break
    if several and done and not options.wants_json:
        _print_table(console, done)
    return 130 if is_interrupted else 0 if len(done) == len(found) else 1


def _review(name: str, game: Game, options: ReviewOptions, which: str) -> Review:
    brain, solver = options.resources.give(Engine()), Engine()
    with counting_bar() as progress:
        bar = progress.add_task("", total=None)

        def tell(what: str, count: int, total: int) -> None:
            progress.update(bar, description=f"{which}{what}", completed=count, total=total)

        return review(brain, solver, name, game, options.budget, options.loss, tell)


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
    for side in SIDE_NAMES:
        heads += [SIDE_NAMES[side], *(MARKS[kind] for kind in kinds)]
    for name, found in done:
        row = [name]
        for side in SIDE_NAMES:
            row.append(percent_kept(found, side))
            for kind in kinds:
                count = sum((s.kind, s.colour) == (kind, side) for s in found.moves)
                row.append(str(count) if count else "")
        rows.append(row)
    print_table(console, heads, rows, (0,))


# -- finding the games


def find_games(words: Sequence[str], choice: Choice) -> list[Found]:
    """All games that the words of a command line name: files, folders, `-` for standard input, or
    the points of one game; of one file the chosen one. A file or a game that cannot be read is a
    line where there are others. ValueError in one line, and OSError, as of `find_position`."""
    is_there = [word == STDIN or os.path.exists(word) for word in words]
    if not any(is_there):
        game = find_position(*words, choice=choice).game
        if game is None:
            raise ValueError(_NO_ORDER)
        return [("the game", game)]
    if not all(is_there):
        raise ValueError(f"{words[is_there.index(False)]}: No such file or directory")
    files = [file for word in words for file in _files_of(word)]
    if len(files) == 1:
        return list(_games_of(files[0], choice))
    if choice.game is not None:
        raise ValueError("--game is for one file")
    found: list[Found] = []
    for file in files:
        try:
            found += _games_of(file, choice)
        except OSError as error:
            found.append(f"{file}: {error.strerror or error}")
        except ValueError as error:
            found.append(str(error))
    return found


def _files_of(word: str) -> Sequence[str]:
    """The file itself, or the matches and files of games in a folder and those below it."""
    if not os.path.isdir(word):
        return [word]
    found = sorted(path for path, _ in files_in([word], Added(), lambda: None))
    files = [path.removesuffix(f"{os.sep}{GAMES}") for path in found]  # a match by its folder
    if not files:
        raise ValueError(f"{word}: holds no file of games ({', '.join(ENDINGS)})")
    return files


def _games_of(file: str, choice: Choice) -> Iterator[Found]:
    text = read_text(file)
    if choice.game is not None and (chosen := choose_game(text, file, choice)) is not None:
        yield chosen
        return
    try:
        games = games_in(text, file)
    except ValueError as error:
        raise ValueError(f"{file}: {without_source(file, error)}") from None
    if games is None:
        written = read_position(text, file, choice).game
        if written is None:
            raise ValueError(f"{file}: {_NO_ORDER}")
        yield file, written
        return
    for number, each in enumerate(games, start=1):
        name = file if len(games) == 1 and not each.match else f"{file}, game {number}"
        each.number, each.count = number, len(games)
        try:
            yield name, each.by_rule(choice.rule)
        except ValueError as error:
            yield f"{name}: {error}"
