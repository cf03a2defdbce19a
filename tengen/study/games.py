"""The base of games: what was played in a position, how it ended, and the games behind it.

One file of sqlite holds games of any number of files, and for each of their positions a row by the
position's key (tengen/game/keys.py), which is the same for its eight images and for any order of
moves.

runs     many games that are read at once make a run: their rows are sorted and stand one after the
         other, so that writing them takes no longer in a large base. A position is looked up in
         each run; run 0 has the games that came one by one.
contents what was read, by its hash; files, where it was found. A content of many games is written
         in parts of `PART` games, each with all that belongs to it in one transaction, so a reader
         that is killed goes on with the next part.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.files import open_file, read_file
from tengen.common.tasks import LocalTasks
from tengen.game.arguments import file_name, of_type, text, whole
from tengen.game.files.formats import MAX_BYTES, games_of
from tengen.game.game import Game
from tengen.game.keys import NO_MOVE, keys_for
from tengen.game.position import Point, Position, rule_of
from tengen.game.referee import BLACK, opponent_of
from tengen.study.collect import PART, Added, Found, Task, Waiting, files_in, read
from tengen.study.stored import SELECT_GAME, Explored, KnownGame, PlayedMove, Stored

NAME = "games.db"
_APPLICATION, _VERSION = 0x54454E47, 1
_MAGIC = b"SQLite format 3\0"
_TABLES = """
CREATE TABLE contents (id INTEGER PRIMARY KEY, hash BLOB UNIQUE, total INTEGER, whole INTEGER);
CREATE TABLE files (
    path TEXT PRIMARY KEY, bytes INTEGER, time_ns INTEGER, rule INTEGER, content INTEGER, fault TEXT
) WITHOUT ROWID;
CREATE INDEX files_content ON files (content);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, content INTEGER, number INTEGER, run INTEGER, width INTEGER,
    height INTEGER, rule INTEGER, side INTEGER, setup BLOB, moves BLOB, black TEXT, white TEXT,
    event TEXT, date TEXT, result INTEGER
);
CREATE INDEX games_content ON games (content, number);
CREATE TABLE runs (id INTEGER PRIMARY KEY);
INSERT INTO runs VALUES (0);
CREATE TABLE played (
    run INTEGER, key INTEGER, move INTEGER, game INTEGER, result INTEGER, chance INTEGER,
    PRIMARY KEY (run, key, move, game)
) WITHOUT ROWID;
CREATE TABLE chances (key INTEGER PRIMARY KEY, chance REAL);
CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY, key INTEGER UNIQUE, game INTEGER, kind TEXT, moves INTEGER, text TEXT
);
CREATE TABLE tries (id INTEGER PRIMARY KEY, puzzle INTEGER, solved INTEGER, time REAL);
CREATE TABLE searched (game INTEGER PRIMARY KEY);
"""
# Files that are read by one task.
_FILES = 50
# Games, or seconds, after which what was read is written; fewer games than the last go to run 0.
_MOST_WAITING, _WAITS_S, _FEW = 10_000, 5.0, 200
# How long another program may write before this one gives up.
_PATIENCE_S = 10.0
# Of a file that is read again for the comments of one game, in bytes.
_MOST_OPENED = 2_000_000


def default_path() -> Path:
    """The base of the board, beside the games that it keeps."""
    import click

    return Path(click.get_app_dir("tengen")) / "games" / NAME


class Games:
    """The base in a file, which is made if there is none; None = that of `tengen board`.

        with Games("games.db") as games:
            print(games.add("tournament.rif", "old-games/"))
            print(games.explore(Position("h8 i9")))

    Several programs may use it at once. ValueError in one line, and nothing is changed, for a file
    that is damaged, in use by another program for long, or of a newer version; OSError if it cannot
    be opened.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(default_path() if path is None else file_name("path", path))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._refuse_other_files()
        self.db = sqlite3.connect(
            self.path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        try:
            with self.faults():
                self._open()
        except BaseException:
            self.db.close()
            raise

    def _open(self) -> None:
        self.db.execute("PRAGMA cache_size = -65536")
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
        if (version := self._pragma("user_version")) > _VERSION:
            raise ValueError(
                f"{self.path}: is of a newer version of Tengen (base {version}, this one reads"
                f" {_VERSION})"
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

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of games."""
        with self.faults():
            (count,) = self.db.execute("SELECT count(*) FROM games").fetchone()
        return int(count)

    def __bool__(self) -> bool:
        return True

    # -- reading

    def add(
        self,
        *paths: str | os.PathLike[str],
        rule: str | int | None = None,
        jobs: int | None = None,
        on_progress: Callable[[Added], None] | None = None,
    ) -> Added:
        """Reads files of games, and those in folders. A file that is known is not read again; one
        that has changed takes the place of what was read from it. A file that cannot be read does
        no harm to the others, and neither does the end of this program at any moment.

        rule         of the games, whatever the files say.
        jobs         processes that read; None = as many as there are processors.
        on_progress  called now and then with what has been done so far; what it raises ends it.
        OSError if a path does not exist.
        """
        names = [os.path.abspath(file_name("path", path)) for path in paths]
        for name in names:
            os.stat(name)
        number = None if rule is None else rule_of(rule)
        reading = _Reading(self, number, on_progress or (lambda added: None))
        return reading.run(names, whole("jobs", jobs or os.cpu_count() or 1, 1))

    def remove(self, path: str | os.PathLike[str]) -> None:
        """Forgets a file, and its games unless another file has them too."""
        name = os.path.abspath(file_name("path", path))
        with self.writing():
            old = self.db.execute("SELECT content FROM files WHERE path = ?", (name,)).fetchone()
            self.db.execute("DELETE FROM files WHERE path = ?", (name,))
            self.drop_unnamed(old and old[0])

    def drop_unnamed(self, content: int | None) -> None:
        """Takes out the games of a content that no file has any more; within `writing`."""
        if self.db.execute("SELECT 1 FROM files WHERE content IS ?", (content,)).fetchone():
            return
        for row in self.db.execute(f"{SELECT_GAME} WHERE g.content = ?", (content,)).fetchall():
            game = Stored(*row)
            found = ((game.run, key, cell, game.id) for key, cell in game.keys())
            self.db.executemany(
                "DELETE FROM played WHERE run = ? AND key = ? AND move = ? AND game = ?", found
            )
        self.db.execute("DELETE FROM games WHERE content = ?", (content,))
        self.db.execute("DELETE FROM contents WHERE id = ?", (content,))

    # -- answers

    def explore(self, position: Position, games: int = 20) -> Explored:
        """What was played in a position, in any of its images and after any order of moves;
        `games`, how many of the games are named."""
        of_type("position", position, Position, "a tengen.Position")
        keys = keys_for(*position.size, position.rule_number)
        stones, side = position.all_stones, position.side
        key = keys.of(stones, side)
        empty = [
            (x, y)
            for y in range(position.height)
            for x in range(position.width)
            if position.is_empty(x, y)
        ]
        cells = keys.moves(stones, side, empty)
        with self.faults():
            rows = self.db.execute(
                "SELECT move, result, count(*), sum(chance), count(chance) FROM played"
                " WHERE run IN (SELECT id FROM runs) AND key = ? GROUP BY move, result",
                (key,),
            ).fetchall()
            moves = []
            for move in {row[0] for row in rows} - {NO_MOVE}:
                own = [row for row in rows if row[0] == move]
                cell = cells[move]
                after = keys.of([*stones, (*cell, side)], opponent_of(side))
                known = self._chance(after)
                reported, number = sum(row[3] or 0 for row in own), sum(row[4] for row in own)
                chance: float | None = reported / number / 1000 if number else None
                if known is not None:
                    chance = known if side == BLACK else 1 - known
                ends = {row[1]: row[2] for row in own}
                black, white, drawn = (ends.get(number, 0) for number in (1, 2, 3))
                point = Point(*cell, position.height)
                count = sum(ends.values())
                moves.append(PlayedMove(point, count, black, white, drawn, chance))
            moves.sort(key=lambda each: (-each.count, each.move.y, each.move.x))
            return Explored(sum(row[2] for row in rows), tuple(moves), self._behind(key, games))

    def _chance(self, key: int) -> float | None:
        row = self.db.execute("SELECT chance FROM chances WHERE key = ?", (key,)).fetchone()
        return row and float(row[0])

    def _behind(self, key: int, count: int) -> tuple[KnownGame, ...]:
        """The newest games that have reached a position; of a run with many the first ones, so
        that not all have to be looked at."""
        found: list[int] = []
        for (run,) in self.db.execute("SELECT id FROM runs ORDER BY id = 0 DESC, id DESC"):
            query = "SELECT game FROM played WHERE run = ? AND key = ? LIMIT ?"
            found += (game for (game,) in self.db.execute(query, (run, key, count - len(found))))
            if len(found) >= count:
                break
        return tuple(self._stored(each).known() for each in found)

    def find(self, words: str = "", limit: int = 100) -> tuple[KnownGame, ...]:
        """The games with all these words in the names of the players, the event, the date or the
        path of the file, the newest first."""
        where, values = ["1"], list[str]()
        for word in text("words", words).split():
            where.append(
                "black || ' ' || white || ' ' || event || ' ' || date || ' ' || path LIKE ?"
            )
            values.append(f"%{word}%")
        query = f"{SELECT_GAME} WHERE {' AND '.join(where)} ORDER BY g.id DESC LIMIT ?"
        with self.faults():
            rows = self.db.execute(query, (*values, whole("limit", limit, 0))).fetchall()
        return tuple(Stored(*row).known() for row in rows)

    def game(self, number: int) -> Game:
        """A game by its id, as its file has it; its moves alone if that is gone, another one now,
        or large. ValueError if there is none."""
        stored = self._stored(number)
        with suppress(OSError, ValueError), self.faults():
            path = stored.path or ""
            query = "SELECT bytes, time_ns, rule FROM files WHERE path = ?"
            row = self.db.execute(query, (path,)).fetchone()
            status = os.stat(path)
            if row and (status.st_size, status.st_mtime_ns) == row[:2] and row[0] <= _MOST_OPENED:
                return games_of(read_file(path, MAX_BYTES), path, row[2])[stored.number]
        return stored.game()

    def moves_of(self, number: int) -> Game:
        """A game by its id, its moves alone. ValueError if there is none."""
        return self._stored(number).game()

    def _stored(self, number: int) -> Stored:
        with self.faults():
            query = f"{SELECT_GAME} WHERE g.id = ?"
            row = self.db.execute(query, (whole("number", number, 0),)).fetchone()
        if row is None:
            raise ValueError(f"{self.path}: there is no game {number}")
        return Stored(*row)

    def note(self, position: Position, chance: float) -> None:
        """Keeps Black's chance to win in a position, 0 to 1, as an analysis has found it last."""
        key = keys_for(*position.size, position.rule_number).of(position.all_stones, position.side)
        with self.writing():
            self.db.execute("INSERT OR REPLACE INTO chances VALUES (?, ?)", (key, chance))


class _Reading:
    """One call of `Games.add`."""

    def __init__(
        self, games: Games, rule: int | None, on_progress: Callable[[Added], None]
    ) -> None:
        self._games, self._rule, self._on_progress = games, rule, on_progress
        self._added = Added()
        self._found: list[Found] = []
        self._written_at = self._told_at = time.monotonic()
        # Parts of files that are still to be read.
        self._left: dict[str, int] = {}

    def run(self, names: Sequence[str], jobs: int) -> Added:
        """Reads the files of these names and folders."""
        tasks = self._tasks(names)
        first = next(tasks, None)
        second = next(tasks, None)
        waiting = Waiting(tasks)
        waiting.parts += filter(None, (first, second))
        if first is not None and second is None and self._is_small(first):
            while waiting.parts:
                task = waiting.parts.popleft()
                self._take(read(task), waiting)
        elif first is not None:
            LocalTasks(jobs).run(read, waiting, lambda task, found: self._take(found, waiting))
        self._write()
        self._added.total = len(self._games)
        self._on_progress(self._added)
        return self._added

    @staticmethod
    def _is_small(task: Task) -> bool:
        with suppress(OSError):
            return sum(os.path.getsize(path) for path in task.paths) < 1_000_000
        return True

    def _tasks(self, names: Iterable[str]) -> Iterator[Task]:
        paths: list[str] = []
        for path in self._new_files(names):
            paths.append(path)
            if len(paths) == _FILES:
                yield Task(tuple(paths), self._rule)
                paths = []
        if paths:
            yield Task(tuple(paths), self._rule)

    def _new_files(self, names: Iterable[str]) -> Iterator[str]:
        for path, status in files_in(names, self._added):
            with self._games.faults():
                row = self._games.db.execute(
                    "SELECT f.bytes, f.time_ns, f.rule, f.fault, c.whole FROM files f"
                    " LEFT JOIN contents c ON c.id = f.content WHERE f.path = ?",
                    (path,),
                ).fetchone()
            if row is None or row[:3] != (status.st_size, status.st_mtime_ns, self._rule):
                yield path
            elif row[3]:
                self._added.add_fault(f"{path}: {row[3]}")
            elif row[4]:
                self._added.known += 1
            else:
                yield path
            self._tell()

    def _tell(self) -> None:
        if time.monotonic() - self._told_at > 0.1:
            self._told_at = time.monotonic()
            self._on_progress(self._added)

    def _take(self, found: Iterable[Found], waiting: Waiting) -> None:
        for each in found:
            if each.total > PART and each.start == 0:
                starts = [*range(PART, each.total, PART)]
                known = self._known_parts(each.hash)
                starts = [start for start in starts if start // PART not in known]
                self._left[each.path] = 1 + len(starts)
                waiting.parts += (Task((each.path,), self._rule, start) for start in starts)
            self._found.append(each)
        count = sum(len(each.rows) for each in self._found)
        if count >= _MOST_WAITING or time.monotonic() - self._written_at > _WAITS_S:
            self._write()
        self._tell()

    def _known_parts(self, digest: bytes) -> set[int]:
        with self._games.faults():
            rows = self._games.db.execute(
                "SELECT DISTINCT number / ? FROM games JOIN contents ON contents.id = content"
                " WHERE hash = ?",
                (PART, digest),
            ).fetchall()
        return {part for (part,) in rows}

    def _write(self) -> None:
        found, self._found = self._found, []
        if not found:  # nothing waits for other programs then
            return
        with self._games.writing():
            db = self._games.db
            run = 0
            if sum(len(each.rows) for each in found) > _FEW:
                run = db.execute("INSERT INTO runs VALUES (NULL) RETURNING id").fetchone()[0]
            rows = [row for each in found for row in self._write_file(each, run)]
            rows.sort()
            db.executemany("INSERT INTO played VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._written_at = time.monotonic()

    def _write_file(self, found: Found, run: int) -> Iterator[tuple[int | None, ...]]:
        """Writes all of a file but its positions, which it gives."""
        db, added = self._games.db, self._added
        if found.fault:
            added.add_fault(f"{found.path}: {found.fault}")
            if found.is_lasting:
                self._write_name(found, None)
            return
        query = "SELECT id, whole FROM contents WHERE hash = ?"
        known = db.execute(query, (found.hash,)).fetchone()
        if found.start == 0:
            if known is None:
                known = db.execute(
                    "INSERT INTO contents VALUES (NULL, ?, ?, 0) RETURNING id, whole",
                    (found.hash, found.total),
                ).fetchone()
            self._write_name(found, known[0])
            added.files += 1
        if known is None:
            added.add_fault(f"{found.path}: has changed while it was read; add it again")
            return
        content, is_whole = known
        part = content, found.start, found.start + PART
        is_there = db.execute(
            "SELECT 1 FROM games WHERE content = ? AND number >= ? AND number < ?", part
        ).fetchone()
        left = self._left[found.path] = self._left.get(found.path, 1) - 1
        if left == 0:
            del self._left[found.path]
            db.execute("UPDATE contents SET whole = 1 WHERE id = ?", (content,))
        if is_whole or is_there:
            return
        for fault in found.faults:
            added.add_fault(f"{found.path}: {fault}")
        (last,) = db.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
        added.games += len(found.rows)
        for game, row in enumerate(found.rows, last + 1):
            db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (game, content, row.number, run, *row[1:12]),
            )
            chances = row.chances or (None,) * len(row.keys)
            for key, cell, chance in zip(row.keys, row.cells, chances, strict=True):
                yield run, key, cell, game, row.result, chance

    def _write_name(self, found: Found, content: int | None) -> None:
        db = self._games.db
        query = "SELECT content FROM files WHERE path = ?"
        (old,) = db.execute(query, (found.path,)).fetchone() or (None,)
        # What cannot be read takes the place of nothing.
        content = old if content is None else content
        row = found.path, found.size, found.time_ns, self._rule, content, found.fault
        db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", row)
        if old not in (None, content):
            self._games.drop_unnamed(old)
