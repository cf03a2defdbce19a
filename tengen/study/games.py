"""The games that a review goes through: of files, folders and matches, or pasted as points."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tengen.game.record.formats import ENDINGS
from tengen.game.record.positions import (
    STDIN,
    Choice,
    find_position,
    games_in,
    read_game,
    read_position,
    read_text,
    record_of,
)
from tengen.game.record.recorded import RecordedGame
from tengen.game.record.run_folder import GAMES
from tengen.game.record.tree import GameTree

# A game with its name, or why there is none.
Found = tuple[str, RecordedGame] | str
_NO_ORDER = "a picture has no moves that could be gone through"


def find_games(words: Sequence[str], choice: Choice) -> list[Found]:
    """All games that the words of a command line name: files, folders, `-` for standard input, or
    the points of one game; of one file the chosen one. A file or a game that cannot be read is a
    line where there are others. ValueError in one line, and OSError, as of `find_position`."""
    is_there = [word == STDIN or os.path.exists(word) for word in words]
    if not any(is_there):
        game = find_position(*words, choice=choice).record
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
    files = []
    for folder, below, names in os.walk(word):
        below.sort()
        if GAMES in names:  # its games are also there as files
            files.append(folder)
            below.clear()
        else:
            own = [name for name in sorted(names) if Path(name).suffix.lower() in ENDINGS]
            files += [os.path.join(folder, name) for name in own]
    if not files:
        raise ValueError(f"{word}: holds no file of games ({', '.join(ENDINGS)})")
    return files


def _games_of(file: str, choice: Choice) -> Iterator[Found]:
    text = read_text(file)
    if choice.game is not None and (chosen := read_game(text, file, choice)) is not None:
        yield chosen
        return
    try:
        games = games_in(text, file)
    except ValueError as error:
        raise ValueError(f"{file}: {str(error).removeprefix(f'{file}, ')}") from None
    if games is None:
        written = read_position(text, file, choice).record
        if written is None:
            raise ValueError(f"{file}: {_NO_ORDER}")
        yield file, written
        return
    for number, each in enumerate(games, start=1):
        is_only = len(games) == 1 and isinstance(each, GameTree)
        name = file if is_only else f"{file}, game {number}"
        try:
            game = record_of(each, choice.rule, is_cut=True)
        except ValueError as error:
            yield f"{name}: {error}"
        else:
            yield name, replace(game, number=number, count=len(games))
