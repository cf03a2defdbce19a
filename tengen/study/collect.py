"""Reading files of games into a base: other processes find moves and keys of positions, this one
writes them."""

from __future__ import annotations

import gc
import os
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import NamedTuple

from engine.files import read_file
from engine.model import Score, win_chance
from tengen.common.tasks import LocalTasks
from tengen.game.files.formats import ENDINGS, MAX_BYTES, games_of
from tengen.game.files.jsonl import GAMES
from tengen.game.files.positions import without_source
from tengen.game.game import Game
from tengen.game.keys import LEAF, Step, keys_for
from tengen.game.played import Report
from tengen.game.values import counted
from tengen.study.base import LIBRARIES, Base, stored_path
from tengen.study.stored import ENDS, LIBRARY, Stored, in_base, packed, steps_in

# Games of one file that are read by one task.
PART = 2000
# Files that are read by one task.
_FILES = 50
# Positions, or seconds, after which what was read is written; fewer games than the last go to run
# 0, where a position that more games of a run have is summed.
_MOST_WAITING, _WAITS_S, _FEW = 400_000, 5.0, 200
# Rows that one statement writes: twice as fast as one for each.
_AT_ONCE = 50
_MOST_NAMED = 100
_MOST_TEXT = 100


@dataclass
class Added:
    """What `Games.add` has done: games, libraries and files that are new, files that were known,
    how many could not be read, and the first of these with the reason, one line each; `total`, the
    games that are now in the base."""

    games: int = 0
    libraries: int = 0
    files: int = 0
    known: int = 0
    unread: int = 0
    faults: tuple[str, ...] = ()
    total: int = 0

    def add_fault(self, text: str) -> None:
        """One more that could not be read."""
        self.unread += 1
        if self.unread <= _MOST_NAMED:
            line = " ".join(text.split())
            self.faults += (line.encode(errors="backslashreplace").decode(),)

    def __str__(self) -> str:
        parts = [f"{in_base(self.games, self.libraries)} of {counted(self.files, 'file')} added"]
        parts += [f"{counted(self.known, 'file')} known"] * bool(self.known)
        parts += [f"{self.unread:,} could not be read"] * bool(self.unread)
        return ", ".join(parts)


class Indexed(NamedTuple):
    """A game with the keys of its positions, the moves in them, and what programs reported of
    these; of a library each position and move once, sorted."""

    game: Stored
    keys: array[int]
    cells: array[int]
    chances: Sequence[int | None]


_SUM = """
INSERT INTO summed SELECT key, run, move, result, count(*), total(chance), count(chance)
FROM played WHERE run = :run AND key IN
    (SELECT key FROM played WHERE run = :run GROUP BY key HAVING count(*) > :few)
GROUP BY key, move, result
"""
# A row of `played`, without its run.
_Played = tuple[int, int, int, int, int | None]


class Task(NamedTuple):
    paths: tuple[str, ...]
    rule: int | None
    start: int = 0


@dataclass
class Found:
    """What a file holds from game `start` on; `fault` where it cannot be read, and `is_lasting` if
    it is the same the next time. `faults` are of single games."""

    path: str
    start: int
    size: int = -1
    time_ns: int = 0
    hash: bytes = b""
    total: int = 0
    games: Sequence[Indexed] = ()
    faults: Sequence[str] = ()
    fault: str = ""
    is_lasting: bool = False


# The last large file that this process has read, so that its next part needs no second reading.
_last: tuple[tuple[object, ...], bytes, Sequence[Game]] = ((), b"", ())


def read(task: Task) -> list[Found]:
    return [_found_in(path, task.rule, task.start) for path in task.paths]


def read_apart(task: Task) -> list[Found]:
    """`read` for a process of its own: it looks for garbage seldom, as most of it is in use."""
    gc.set_threshold(20_000)
    return read(task)


def _found_in(path: str, rule: int | None, start: int) -> Found:
    global _last
    found = Found(path, start)
    try:
        status = os.stat(path)
        found.size, found.time_ns = status.st_size, status.st_mtime_ns
        known = path, rule, found.size, found.time_ns
        if known != _last[0]:
            _last = (), b"", ()
            data = read_file(path, MAX_BYTES)
            status = os.stat(path)
            if (status.st_size, status.st_mtime_ns) != known[2:] or len(data) != found.size:
                found.fault = "has changed while it was read; add it again"
                return found
            if not data.strip():
                raise ValueError("is empty")
            digest = blake2b(data + b"%d" % (-1 if rule is None else rule), digest_size=16).digest()
            _last = known, digest, games_of(data, path, rule)
        _, found.hash, games = _last
    except OSError as error:
        found.fault = error.strerror or str(error)
        return found
    except MemoryError:
        found.fault = "holds more than the memory does"
        return found
    except (ValueError, RecursionError) as error:
        found.fault, found.is_lasting = without_source(path, error), True
        return found
    found.total = len(games)
    indexed, faults = [], []
    for number in range(start, min(start + PART, len(games))):
        try:
            game = games[number]
            indexed.append(_indexed(game, number))
            fault = game.damage  # what comes before it is read
        except ValueError as error:
            fault = without_source(path, error)
        if fault:
            place = f"game {number + 1}: "
            faults.append(fault if len(games) == 1 else place + fault.removeprefix(place))
    if len(games) <= PART:
        _last = (), b"", ()
    found.games, found.faults = indexed, faults
    return found


def _indexed(game: Game, number: int) -> Indexed:
    (width, height), setup = game.size, game.setup
    game.start()  # refuses boards that cannot be
    is_library = game.form == "renlib"
    steps = [*steps_in(game, setup)] if is_library else _line_of(game)
    stored = Stored(
        number, width, height, game.rule_number, game.first_side,
        packed((*stone, 0) for stone in setup),
        _said(game.black), _said(game.white), _said(game.event), _said(game.date),
        ENDS.index(LIBRARY if is_library else game.result or ""), packed(steps),
    )  # fmt: skip
    along = keys_for(width, height, game.rule_number).along(setup, steps, game.first_side)
    keys, cells = zip(*(sorted({*along}) if is_library else along), strict=True)
    reports = () if is_library else [each.report for each in game[: len(steps)]]
    chances = [*map(_per_mille, reports), None]
    return Indexed(stored, array("q", keys), array("h", cells), chances if any(chances) else ())


def _line_of(game: Game) -> list[Step]:
    """The moves that were played."""
    stones = game.stones
    if game.is_judged:  # the last move may be one that lost by it
        (width, height), taken = game.size, {stone[:2] for stone in game.setup}
        for count, (x, y, _) in enumerate(stones):
            if (x, y) in taken or not (x < width and y < height):
                stones = stones[:count]
                break
            taken.add((x, y))
    return [(*stone, 0) for stone in stones[:-1]] + [(*stone, LEAF) for stone in stones[-1:]]


def _said(text: str) -> str:
    """A text as the base takes it: json may have half a character."""
    return text[:_MOST_TEXT].encode(errors="replace").decode()


def _per_mille(report: Report | None) -> int | None:
    """The chance to win that a program has reported of its move."""
    if report is None or (report.value is None and report.mate_plies is None):
        return None
    return round(1000 * win_chance(Score(report.value or 0, report.mate_plies)))


class Waiting:
    """The tasks of reading, and whether there are more shows only as files are read: an iterator
    that goes on after its end."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self.parts: deque[Task] = deque()

    def __iter__(self) -> Waiting:
        return self

    def __next__(self) -> Task:
        return self.parts.popleft() if self.parts else next(self._tasks)


def files_in(
    names: Iterable[str], added: Added, tell: Callable[[], None]
) -> Iterator[tuple[str, os.stat_result]]:
    """The files of games among these names and in these folders, each of which it tells. Of the
    folder of a match it is the record alone: other files there have the same games."""
    for name in names:
        if not os.path.isdir(name):
            with suppress(OSError):  # it was there just now
                yield name, os.stat(name)
            continue
        folders = [name]
        while folders:
            folder = folders.pop()
            tell()
            try:
                if os.path.isfile(record := os.path.join(folder, GAMES)):
                    yield record, os.stat(record)
                    continue
                with closing(os.scandir(folder)) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        elif entry.name.lower().endswith(ENDINGS):
                            try:
                                if entry.is_file():
                                    yield entry.path, entry.stat()
                            except OSError as error:  # such as a link to itself
                                added.add_fault(f"{entry.path}: {error.strerror or error}")
            except OSError as error:
                added.add_fault(f"{folder}: {error.strerror or error}")


class Reading:
    """One call of `Games.add`."""

    def __init__(self, base: Base, rule: int | None, on_progress: Callable[[Added], None]) -> None:
        self._base, self._rule, self._on_progress = base, rule, on_progress
        self._added = Added()
        self._found: list[Found] = []
        self._positions = 0
        self._written_at = self._told_at = time.monotonic()
        # Parts of files that are still to be read, and the ids of names while they are written.
        self._left: dict[str, int] = {}
        self._names: dict[str, int] = {}

    def run(self, names: Sequence[str], jobs: int) -> Added:
        """Reads the files of these names and folders."""
        tasks = self._tasks(names)
        first, second = next(tasks, None), next(tasks, None)
        waiting = Waiting(tasks)
        waiting.parts += filter(None, (first, second))
        if first is not None and second is None and self._is_small(first):
            for task in waiting:
                self._take(read(task), waiting)
        elif first is not None:
            LocalTasks(jobs).run(read_apart, waiting, lambda _, found: self._take(found, waiting))
        self._write()
        self._added.total = len(self._base)
        self._on_progress(self._added)
        return self._added

    @staticmethod
    def _is_small(task: Task) -> bool:
        with suppress(OSError):
            return sum(os.path.getsize(path) for path in task.paths) < 1_000_000
        return True

    def _tasks(self, names: Iterable[str]) -> Iterator[Task]:
        paths = self._new_files(names)
        while some := tuple(islice(paths, _FILES)):
            yield Task(some, self._rule)

    def _new_files(self, names: Iterable[str]) -> Iterator[str]:
        seen: set[str] = set()
        for path, status in files_in(names, self._added, self._tell):
            if path in seen:  # `_left` counts the parts of one reading of it
                continue
            seen.add(path)
            with self._base.faults():
                row = self._base.db.execute(
                    "SELECT f.bytes, f.time_ns, f.rule, f.fault, c.whole FROM files f"
                    " LEFT JOIN contents c ON c.id = f.content WHERE f.path = ?",
                    (stored_path(path),),
                ).fetchone()
            is_known = (row or ())[:3] == (status.st_size, status.st_mtime_ns, self._rule)
            if is_known and row[3]:
                self._added.add_fault(f"{path}: {row[3]}")
            elif is_known and row[4]:
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
                known = self._known_parts(each.hash)
                starts = [n for n in range(PART, each.total, PART) if n // PART not in known]
                self._left[each.path] = 1 + len(starts)
                waiting.parts += (Task((each.path,), self._rule, start) for start in starts)
            self._found.append(each)
            self._positions += sum(len(game.keys) for game in each.games)
        if self._positions >= _MOST_WAITING or time.monotonic() - self._written_at > _WAITS_S:
            self._write()
        self._tell()

    def _known_parts(self, digest: bytes) -> set[int]:
        with self._base.faults():
            rows = self._base.db.execute(
                "SELECT DISTINCT number / ? FROM games JOIN contents ON contents.id = content"
                " WHERE hash = ?",
                (PART, digest),
            ).fetchall()
        return {part for (part,) in rows}

    def _write(self) -> None:
        found, self._found = self._found, []
        if not found:  # nothing waits for other programs then
            return
        self._positions = 0
        with self._base.writing():
            db = self._base.db
            run, self._names = 0, {}
            if sum(len(each.games) for each in found) > _FEW:
                run = db.execute("INSERT INTO runs VALUES (NULL) RETURNING id").fetchone()[0]
            rows = [row for each in found for row in self._write_file(each, run)]
            self._write_played(run, sorted(rows, key=itemgetter(0)))
            if run:
                db.execute(_SUM, {"run": run, "few": _FEW})
        self._written_at = time.monotonic()

    def _write_file(self, found: Found, run: int) -> Iterator[_Played]:
        """Writes all of a file but the positions of its games, which it gives."""
        db, added = self._base.db, self._added
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
        for number, (game, keys, cells, chances) in enumerate(found.games, last + 1):
            is_library = ENDS[game.result] == LIBRARY
            added.libraries += is_library
            added.games += not is_library
            own = LIBRARIES if is_library else run
            row = [self._name(part) if isinstance(part, str) else part for part in game]
            db.execute(
                f"INSERT INTO games VALUES (?, ?, ?{', ?' * len(row)})",
                (number, content, own, *row),
            )
            rows = zip(keys, cells, repeat(number), repeat(game.result), chances or repeat(None))
            if is_library:
                self._write_played(own, [*rows])
            else:
                yield from rows

    def _write_played(self, run: int, rows: Sequence[_Played]) -> None:
        for at in range(0, len(rows), _AT_ONCE):
            some = rows[at : at + _AT_ONCE]
            many = ", ".join([f"({run}, ?, ?, ?, ?, ?)"] * len(some))
            self._base.db.execute(f"INSERT INTO played VALUES {many}", [*chain.from_iterable(some)])

    def _name(self, name: str) -> int:
        if name not in self._names:
            db, query = self._base.db, "SELECT id FROM names WHERE text = ?"
            insert = "INSERT INTO names VALUES (NULL, ?, ?) RETURNING id"
            row = db.execute(query, (name,)).fetchone()
            row = row or db.execute(insert, (name, name.casefold())).fetchone()
            self._names[name] = int(row[0])
        return self._names[name]

    def _write_name(self, found: Found, content: int | None) -> None:
        db = self._base.db
        query = "SELECT content FROM files WHERE path = ?"
        path = stored_path(found.path)
        (old,) = db.execute(query, (path,)).fetchone() or (None,)
        # What cannot be read takes the place of nothing.
        content = old if content is None else content
        fault = found.fault.encode(errors="backslashreplace").decode()
        row = path, found.size, found.time_ns, self._rule, content, fault
        db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", row)
        if old not in (None, content):
            self._base.drop_unnamed(old)
