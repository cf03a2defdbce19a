"""The folder of games: every game at the board is kept in a file there, and can be found again."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from weakref import WeakKeyDictionary

from engine.text import RULE_NAMES, read_rule
from tengen.common.translation import tr
from tengen.game.files.formats import parse_games, text_of
from tengen.game.game import PERSON_NAME
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Record
from tengen.people.session.files import Loaded, Snapshot, load_game, path_of, read_loaded
from tengen.people.session.game import Game
from tengen.people.session.session import GameSession
from tengen.people.web.view import MOST_NAME, RESULTS, moves_text
from tengen.people.web.work import Reader
from tengen.study.stored import LIBRARY, KnownGame

# The names that the board gives; it reads and overwrites no others.
_NAME = re.compile(r"game-\d{8}-\d{6}(?:-\d{1,4})?\.sgf")
# What could not be written is tried again after so long; otherwise the pause after writing a file
# is so many times as long as that took, and not longer.
_PAUSE_S = 2.0
_PAUSES = 4


class Library:
    """The folder, which is made when the first game is written. What cannot be written waits, and
    is tried again."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.abspath(folder))  # as the base names files
        self._session: GameSession | None = None
        self._path: Path | None = None
        # What is to be written or is being written, the newest of each file.
        self._waiting: dict[Path, tuple[GameSession, Snapshot]] = {}
        self._writing: dict[Path, Snapshot] = {}  # what the reader was asked to write, the newest
        self._due_at = 0.0  # nothing is written before
        self._given: set[Path] = set()  # files of games, which may not be written yet
        # The files of games that were loaded, and how they were.
        self._loaded: MutableMapping[Game, tuple[Path, object]] = WeakKeyDictionary()
        # Why games cannot be written; "" while they can.
        self.problem = ""

    def keep(
        self, session: GameSession, is_last: bool = False, reader: Reader | None = None
    ) -> None:
        """Writes the game to its file if it has changed, or one that could not be written before,
        unless it is too soon after the last file; if it is the last time, all of them at once. The
        reader's thread does it, if there is one."""
        self._take(session)
        if is_last:
            for path in list(self._waiting):
                self._write(path, reader)
        elif self.due_s() == 0:
            self._write(next(iter(self._waiting)), reader)

    def _write(self, path: Path, reader: Reader | None) -> None:
        _, snapshot = self._waiting[path]
        if reader is not None and self._writing.get(path) is snapshot:
            return
        began = time.monotonic()

        def write() -> None:
            self.folder.mkdir(parents=True, exist_ok=True)
            snapshot.save(str(path), overwrites=True)

        if reader is None:
            self._note(path, snapshot, began, write)
        else:
            self._writing[path] = snapshot
            reader.ask(write, lambda done: self._note(path, snapshot, began, done.result))

    def _take(self, session: GameSession) -> None:
        """The game waits from now on, if it has changed."""
        if session is not self._session:
            self._session, self._path = session, None
        if not session.is_unsaved or not session.is_kept:
            return
        path = self._file_of(session)
        if path is None:
            path = self._path = self._new_path()
        if path not in self._waiting or self._waiting[path][1].kept != session.game.kept():
            self._waiting[path] = session, session.snapshot()

    def _note(
        self, path: Path, snapshot: Snapshot, began: float, written: Callable[[], None]
    ) -> None:
        """Notes whether the game was written, since `began`."""
        if self._writing.get(path) is snapshot:
            del self._writing[path]
        try:
            written()
        except Exception as error:  # whatever it is, play goes on
            # By the folder: of several games that wait none is named, so the sentence stays.
            text = str(error.strerror if isinstance(error, OSError) else error)
            reason = f"{self.folder}: {text.removeprefix(f'{path}: ')}"
            self.problem = tr("The game cannot be kept: {reason}", reason=reason)
            self._due_at = time.monotonic() + _PAUSE_S
            if path in self._waiting:  # behind the others, which may be possible
                self._waiting[path] = self._waiting.pop(path)
            return
        took_s = time.monotonic() - began
        self._due_at = began + took_s + min(_PAUSE_S, _PAUSES * took_s)
        if path in self._waiting:
            session, newest = self._waiting[path]
            session.saved = snapshot.kept
            if newest is snapshot:
                del self._waiting[path]
        if not self._waiting:
            self.problem = ""

    def due_s(self) -> float | None:
        """In how many seconds `keep` will write something; None if there is nothing to write."""
        if not self._waiting or self._writing:
            return None
        return max(0.0, self._due_at - time.monotonic())

    def rescue(self) -> Iterator[str]:
        """Writes what still waits to another place. Says in a line for each game where it is, or
        why it is lost."""
        for _, snapshot in self._waiting.values():
            try:
                yield f"{self.problem}. It is now in {snapshot.save_unsaved()}."
            except ValueError as error:
                yield f"{self.problem}. It is lost: {error}"

    def unfinished(self) -> KnownGame | None:
        """The newest game that can be read, if it has moves and no end; else None."""
        try:
            names = [path.name for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError:
            return None
        for name in sorted(names, reverse=True):
            with suppress(OSError, ValueError):
                kept = _about(self.folder / name)
                return kept if kept.moves and not kept.result else None
        return None

    def shown(self, game: KnownGame) -> Record:
        """What a page is told of a game: `name`, of its file in the folder, "" where it is from
        elsewhere; `began`, in local time, as `2026-11-24 13:05`."""
        path = Path(game.path)
        is_here = path.parent == self.folder and _NAME.fullmatch(path.name)
        players = _player(game.black), _player(game.white)
        black, white = (path.name, "") if game.result == LIBRARY else players
        return {
            "id": game.id,
            "name": path.name if is_here else "",
            "began": _began(path.name) if is_here else game.date,
            "black": black,
            "white": white,
            "rule": RULE_TITLES[read_rule(game.rule)],
            "size": "{}x{}".format(*game.size),
            "result": RESULTS.get(game.result, ""),
            "moves": moves_text(game.moves),
        }

    def _file_of(self, session: GameSession) -> Path | None:
        """The file that a game is kept in: one of its own, or the one that it was loaded from, for
        as long as it has the same moves. None = a new one."""
        if session is self._session and self._path is not None:
            return self._path
        path, line = self._loaded.get(session.game, (None, None))
        return path if line == session.game.line() else None

    def delete(self, name: str, session: GameSession) -> None:
        """Removes a game from the folder, but not that of the session. ValueError, in one line, if
        that is not possible."""
        path = self._path_of(name)
        if path == self._file_of(session):
            raise ValueError(tr("this game is on the board; begin another one first"))
        try:
            path.unlink()
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror or error}") from None
        self._waiting.pop(path, None)

    def recognize(self, game: Game, file: str) -> None:
        """A game that was read from a file goes on in it, as one that `load` has read, if the file
        is one of the folder."""
        path = self.folder / Path(file).name
        with suppress(OSError):  # no file has that name
            if _NAME.fullmatch(path.name) and path.samefile(path_of(file)):
                self._loaded[game] = path, game.line()

    def load(self, name: str) -> Loaded:
        """A game of the folder. ValueError, in one line, if there is none of that name or it cannot
        be read."""
        path = self._path_of(name)
        _, newest = self._waiting.get(path, (None, None))
        try:
            if newest is None:
                loaded = load_game(str(path), 0)
            else:
                loaded = read_loaded(newest.text(".sgf"), name, 0)
        except ValueError as error:
            raise ValueError(str(error).replace(str(path), name)) from None
        self._loaded[loaded.game] = path, loaded.game.line()
        return loaded

    def _path_of(self, name: str) -> Path:
        # Without an error where the folder may not be looked into, unlike the methods of Path.
        if not _NAME.fullmatch(name) or not os.path.isfile(self.folder / name):
            raise ValueError(f"there is no game {name[:60]!r}")
        return self.folder / name

    def _new_path(self) -> Path:
        stem = f"game-{time.strftime('%Y%m%d-%H%M%S')}"
        names = chain([stem], (f"{stem}-{number}" for number in count(2)))
        paths = (self.folder / f"{name}.sgf" for name in names)
        path = next(each for each in paths if each not in self._given and not os.path.exists(each))
        self._given.add(path)
        return path


def _about(path: Path) -> KnownGame:
    game = parse_games(text_of(path.read_bytes(), path.name))[0].by_rule(None)
    rule, result = RULE_NAMES[game.rule_number], game.said_result or ""
    about = game.black, game.white, game.event, game.date, rule, game.size, result, len(game)
    return KnownGame(0, *about, path=str(path), number=1)


def _player(name: str) -> str:
    return tr("Player") if name == PERSON_NAME else name[:MOST_NAME] or "?"


def _began(name: str) -> str:
    digits = name.removeprefix("game-")
    day, clock = digits[:8], digits[9:13]
    return f"{day[:4]}-{day[4:6]}-{day[6:]} {clock[:2]}:{clock[2:]}"
