"""The base of games: what was played in a position, how it ended, and the games behind it.

One file of sqlite holds games of any number of files, and for each of their positions a row by the
position's key (tengen/game/keys.py), which is the same for its eight images and for any order of
moves. A library, the tree of a .lib file, is a game of many lines that nobody has played: each of
its positions is found, and counted as in a library.

runs     many games that are read at once make a run: their rows are sorted and stand one after the
         other, so that writing them takes no longer in a large base. A position is looked up in
         each run; run 0 has the games that came one by one, run -1 the libraries.
summed   the rows of a position that a run has often, such as the empty board, added up.
names    of players and events, and dates, each once, so that a search looks through few of them.
contents what was read, by its hash; files, where it was found. A content of many games is written
         in parts of `PART` games, each with all that belongs to it in one transaction, so a reader
         that is killed goes on with the next part.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from engine.files import open_file
from tengen.game.arguments import file_name
from tengen.study.stored import STORED, Stored

NAME = "games.db"
_APPLICATION, _VERSION = 0x54454E47, 2
# The run of all libraries.
LIBRARIES = -1
_MAGIC = b"SQLite format 3\0"
_TABLES = """
CREATE TABLE contents (id INTEGER PRIMARY KEY, hash BLOB UNIQUE, total INTEGER, whole INTEGER);
CREATE TABLE files (
    path TEXT PRIMARY KEY, bytes INTEGER, time_ns INTEGER, rule INTEGER, content INTEGER, fault TEXT
) WITHOUT ROWID;
CREATE INDEX files_content ON files (content);
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT UNIQUE, folded TEXT);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, content INTEGER, run INTEGER, number INTEGER, width INTEGER,
    height INTEGER, rule INTEGER, side INTEGER, setup BLOB, black INTEGER, white INTEGER,
    event INTEGER, date INTEGER, result INTEGER, moves BLOB
);
CREATE INDEX games_content ON games (content, number);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_white ON games (white);
CREATE INDEX games_event ON games (event);
CREATE INDEX games_date ON games (date);
CREATE INDEX libraries ON games (result) WHERE result = 4;
CREATE TABLE runs (id INTEGER PRIMARY KEY);
INSERT INTO runs VALUES (0), (-1);
CREATE TABLE played (
    run INTEGER, key INTEGER, move INTEGER, game INTEGER, result INTEGER, chance INTEGER,
    PRIMARY KEY (run, key, move, game)
) WITHOUT ROWID;
CREATE TABLE summed (
    key INTEGER, run INTEGER, move INTEGER, result INTEGER, count INTEGER, chance INTEGER,
    chances INTEGER, PRIMARY KEY (key, run, move, result)
) WITHOUT ROWID;
CREATE TABLE chances (key INTEGER PRIMARY KEY, chance REAL);
CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY, key INTEGER UNIQUE, game INTEGER, kind TEXT, moves INTEGER, text TEXT
);
CREATE TABLE tries (id INTEGER PRIMARY KEY, puzzle INTEGER, solved INTEGER, time REAL);
CREATE TABLE searched (game INTEGER PRIMARY KEY);
"""
_PLAYED = "FROM played WHERE run = :run AND key = :key AND move = :move AND game = :game"
_DROP = f"DELETE {_PLAYED}"
_SUBTRACT = f"""
UPDATE summed SET count = count - 1, chance = chance - coalesce((SELECT chance {_PLAYED}), 0),
    chances = chances - (SELECT count(chance) {_PLAYED})
WHERE key = :key AND run = :run AND move = :move AND result = :result
"""
# How long another program may write before this one gives up.
PATIENCE_S = 10.0


def stored_path(path: str) -> str | bytes:
    """A path as the base has it, bytes where it is not text; `os.fsdecode` gives it back."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def default_path() -> Path:
    """The base of the board, beside the games that it keeps."""
    import click

    return Path(click.get_app_dir("tengen")) / "games" / NAME


class Base:
    """The file of a base (games.Games): opened or refused, written in transactions."""

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, patience_s: float = PATIENCE_S
    ) -> None:
        self.path = Path(default_path() if path is None else file_name("path", path))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._refuse_other_files()
        self._patience_s = patience_s
        with self.faults():
            try:
                self._connect()
            except sqlite3.OperationalError as error:
                # Beside a base on a disk that cannot be written there is no place for the log.
                log = Path(f"{self.path}-wal")
                is_for_reading = "unable to open" in str(error) or "readonly" in str(error)
                if not is_for_reading or log.exists() or not self.path.exists():
                    raise
                self._connect("?immutable=1")

    def _connect(self, options: str = "") -> None:
        self.db = sqlite3.connect(
            self.path.absolute().as_uri() + options, uri=True, timeout=self._patience_s,
            isolation_level=None, check_same_thread=False,
        )  # fmt: skip
        try:
            self._open()
        except BaseException:
            self.db.close()
            raise

    def _open(self) -> None:
        self.db.execute("PRAGMA cache_size = -65536")
        self.db.create_function("folded", 1, lambda p: stored_path(os.fsdecode(p).casefold()))
        if self._pragma("user_version") == 0 and self._pragma("application_id") == 0:
            if self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                self.db.execute("PRAGMA journal_mode = WAL")
                with self.writing():
                    if self._pragma("user_version") == 0:  # no other program was faster
                        for statement in filter(str.strip, _TABLES.split(";")):
                            self.db.execute(statement)
                        self.db.execute(f"PRAGMA application_id = {_APPLICATION}")
                        self.db.execute(f"PRAGMA user_version = {_VERSION}")
        self.db.execute("PRAGMA synchronous = NORMAL")
        if self._pragma("application_id") != _APPLICATION:
            raise ValueError(f"{self.path}: is no base of games of Tengen")
        if (version := self._pragma("user_version")) != _VERSION:
            raise ValueError(
                f"{self.path}: is of {'a newer' if version > _VERSION else 'an older'} version"
                f" of Tengen (base {version}, this one reads {_VERSION}); move it away to begin a"
                " new one"
            )

    def _refuse_other_files(self) -> None:
        # sqlite takes a file of a few bytes for an empty one, and would write over it.
        if self.path.exists() and self.path.stat().st_size:
            with open_file(self.path) as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    raise ValueError(f"{self.path}: is no base of games of Tengen")

    def _pragma(self, name: str) -> int:
        (value,) = self.db.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Errors of sqlite become ValueErrors in one line."""
        try:
            yield
        except sqlite3.Error as error:
            text = str(error)
            if "locked" in text or "busy" in text:
                text = "is in use by another program; try again"
            elif "malformed" in text or "not a database" in text:
                text = f"is damaged ({text}); move it away, and add its files again"
            elif "unable to open" in text or "readonly" in text:
                text = f"its folder cannot be written ({text})"
            raise ValueError(f"{self.path}: {text}") from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction."""
        with self.faults():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self.db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Closes the file. Nothing can be asked any more."""
        self.db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of games, without libraries."""
        with self.faults():
            (count,) = self.db.execute(
                "SELECT (SELECT count(*) FROM games)"
                " - (SELECT count(*) FROM games WHERE result = 4)"
            ).fetchone()
        return int(count)

    def __bool__(self) -> bool:
        return True

    def drop_unnamed(self, content: int | None) -> None:
        """Takes out the games of a content that no file has any more; within `writing`."""
        if self.db.execute("SELECT 1 FROM files WHERE content IS ?", (content,)).fetchone():
            return
        query = f"SELECT id, run, {STORED} FROM games g WHERE content = ?"
        for game, run, *row in self.db.execute(query, (content,)).fetchall():
            result = Stored(*row).result
            for key, move in {*Stored(*row).keys()}:
                own = {"run": run, "key": key, "move": move, "game": game, "result": result}
                self.db.execute(_SUBTRACT, own)
                self.db.execute(_DROP, own)
        self.db.execute("DELETE FROM games WHERE content = ?", (content,))
        self.db.execute("DELETE FROM contents WHERE id = ?", (content,))
