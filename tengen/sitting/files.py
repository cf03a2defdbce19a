"""Games in files: psq, the format of Piskvork, and sgf.

An sgf file names its rule, a psq file does not. A file is written in the format of its name's
ending, and read in the format that its text shows.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tengen.record.game import Game as Record
from tengen.record.game import Job, Move, Setting
from tengen.record.psq import PERSON, read_psq, to_psq
from tengen.record.sgf import read_sgf, to_sgf
from tengen.record.termination import Termination
from tengen.record.time_control import TimeControl
from tengen.rules.names import RULE_NAMES, read_rule
from tengen.rules.referee import BLACK, COLOUR_NAMES, WHITE
from tengen.sitting.game import Game, replay

# The name of a person in a file.
PLAYER = "Player"
ENDINGS = (".psq", ".sgf")
# Larger than any game, even with a comment at every move.
_MAX_BYTES = 1_000_000


class FileIsThere(ValueError):
    """A file of that name exists, and nobody said that it may be overwritten."""


@dataclass(frozen=True)
class Loaded:
    """A game from a file.

    game       at its last move.
    people     the colours that people played, as far as the file says.
    says_rule  the file names the rule; the game is played by it.
    """

    game: Game
    people: frozenset[int]
    says_rule: bool


def save_game(
    game: Game,
    name: str,
    players: Mapping[int, str],
    control: TimeControl | None = None,
    *,
    overwrites: bool = False,
) -> Path:
    """Writes the game to a file, as psq or sgf by its ending; returns its path.

    players   the names by colour, PLAYER for a person.
    control   the time of the programs.
    FileIsThere if the file exists, unless `overwrites`; ValueError in one line for another ending
    and if the file cannot be written. A file of that name is then unchanged.
    """
    path = _path(name)
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"{name}: expected a name that ends in {' or '.join(ENDINGS)}")
    if path.is_dir():
        raise ValueError(f"{name}: is a folder")
    if path.exists() and not overwrites:
        raise FileIsThere(f"{name}: the file exists")
    if path.exists() and not path.is_file():
        raise ValueError(f"{name}: is not an ordinary file")
    record = _record(game, players)
    if path.suffix.lower() == ".sgf":
        text = to_sgf(record)
    else:
        controls = {} if control is None else dict.fromkeys(players.values(), control)
        text = to_psq(record, controls, people=[PLAYER])
    try:
        _write(path, text)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    return path


def save_unsaved(game: Game, players: Mapping[int, str]) -> Path:
    """Writes a game that would be lost to `tengen-unsaved-DATE-TIME.sgf` in the current folder,
    or if that is not possible in the home folder or that for temporary files; returns its path.
    ValueError if none of them takes it."""
    name = f"tengen-unsaved-{time.strftime('%Y%m%d-%H%M%S')}"
    folders = ("", "~", tempfile.gettempdir())
    for attempt, folder in enumerate(folders, start=1):
        for suffix in ("", *(f"-{number}" for number in range(2, 100))):
            file = os.path.join(folder, f"{name}{suffix}.sgf")
            if os.path.exists(os.path.expanduser(file)):
                continue
            try:
                return save_game(game, file, players)
            except ValueError:
                if attempt == len(folders):
                    raise
                break
    raise ValueError(f"{name}.sgf: there are too many files of that name")


def _write(path: Path, text: str) -> None:
    """Replaces the file as a whole, or raises OSError and leaves it as it was."""
    target = Path(os.path.realpath(path))  # the file, if the path is a link
    new = target.with_name(f".tengen-{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        new.replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def load_game(name: str, rule: int, is_rule_wished: bool = False) -> Loaded:
    """Reads a game.

    rule   for a file that names none; for every file if it `is_rule_wished`.
    ValueError in one line if the file cannot be read, holds no game, or holds one that cannot be
    continued: with stones set up or turns passed, on an impossible size of board, or with moves
    after its end.
    """
    path = _path(name)
    if not path.is_file():
        raise ValueError(f"{name}: {'is not a file' if path.exists() else 'no such file'}")
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    try:
        if len(data) > _MAX_BYTES:
            raise ValueError("is too large for a game")
        # Only names can hold anything but ASCII, and they do not matter here.
        read = _read(data.decode("utf-8-sig", errors="replace").strip())
        used = rule if is_rule_wished or read.rule is None else read.rule
        try:
            game = replay(read.width, read.height, used, read.moves)
        except ValueError as error:
            size = f"{read.width}x{read.height}"
            raise ValueError(f"{error} ({RULE_NAMES[used]}, {size})") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return Loaded(game, read.people, read.rule is not None)


@dataclass(frozen=True)
class _Read:
    """What a file says. rule: None if it names none. people: as in `Loaded`."""

    width: int
    height: int
    rule: int | None
    moves: list[Move]
    people: frozenset[int]


def _read(text: str) -> _Read:
    """The game of a file in any format."""
    if text.startswith("Piskvorky"):
        return _read_psq(text)
    if text.startswith("("):
        return _read_sgf(text)
    raise ValueError("holds no game as psq (Piskvorky ...) or sgf ((;...)")


def _read_psq(text: str) -> _Read:
    file = read_psq(text)
    moves = [
        Move(move.x, move.y, WHITE if i % 2 else BLACK, move.ms / 1000)
        for i, move in enumerate(file.moves)
    ]
    black, white = file.levels[file.starter], file.levels[1 - file.starter]
    people = frozenset(c for c, level in ((BLACK, black), (WHITE, white)) if level == PERSON)
    return _Read(file.width, file.height, None, moves, people)


def _read_sgf(text: str) -> _Read:
    file = read_sgf(text)
    if file.setup:
        raise ValueError("begins with stones set up; only games from the empty board can be loaded")
    moves = []
    for number, stone in enumerate(file.moves):
        colour = WHITE if number % 2 else BLACK
        if stone.colour != colour:
            raise ValueError(
                f"move {number + 1} is {COLOUR_NAMES[stone.colour]}'s, but it is"
                f" {COLOUR_NAMES[colour]}'s turn"
            )
        moves.append(Move(stone.x, stone.y, colour))
    rule = file.info.get("RU")
    names = {BLACK: file.info.get("PB"), WHITE: file.info.get("PW")}
    people = frozenset(colour for colour, name in names.items() if name == PLAYER)
    return _Read(file.width, file.height, None if rule is None else read_rule(rule), moves, people)


def _record(game: Game, players: Mapping[int, str]) -> Record:
    """The game as records have it."""
    outcome = game.outcome
    return Record(
        Job(0, 0, players[BLACK], players[WHITE], ()),
        Setting(game.width, game.height, game.rule),
        outcome.winner if outcome else 0,
        outcome.termination if outcome else Termination.INTERRUPTED,
        outcome.foul if outcome else "",
        game.moves,
    )


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"{name}: no such home folder") from None
