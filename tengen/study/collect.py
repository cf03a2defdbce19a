"""Files of games, read in other processes for the base (games.py): the moves of each game, and the
keys of its positions."""

from __future__ import annotations

import os
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from engine.files import read_file
from engine.model import Score, win_chance
from tengen.game.files.formats import ENDINGS, MAX_BYTES, games_of
from tengen.game.files.jsonl import GAMES
from tengen.game.game import Game
from tengen.game.keys import keys_for
from tengen.game.played import Report
from tengen.game.referee import Stone, opponent_of
from tengen.game.values import counted
from tengen.study.stored import ENDS, packed

# Games of one file that are read by one task.
PART = 2000
_MOST_NAMED = 100
_MOST_TEXT = 100


@dataclass
class Added:
    """What `Games.add` has done: games and files that are new, files that were known, how many
    could not be read, and the first of these with the reason, one line each; `total`, the games
    that are now in the base."""

    games: int = 0
    files: int = 0
    known: int = 0
    unread: int = 0
    faults: tuple[str, ...] = ()
    total: int = 0

    def add_fault(self, text: str) -> None:
        """One more that could not be read."""
        self.unread += 1
        if self.unread <= _MOST_NAMED:
            self.faults += (" ".join(text.split()),)

    def __str__(self) -> str:
        parts = [f"{counted(self.games, 'game')} of {counted(self.files, 'file')} added"]
        parts += [f"{counted(self.known, 'file')} known"] * bool(self.known)
        parts += [f"{self.unread:,} could not be read"] * bool(self.unread)
        return ", ".join(parts)


class Row(NamedTuple):
    """A game as it is written; the last three are by position."""

    number: int
    width: int
    height: int
    rule: int
    side: int
    setup: bytes
    moves: bytes
    black: str
    white: str
    event: str
    date: str
    result: int
    keys: array[int]
    cells: array[int]
    chances: Sequence[int | None]


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
    rows: Sequence[Row] = ()
    faults: Sequence[str] = ()
    fault: str = ""
    is_lasting: bool = False


# The last large file that this process has read, so that its next part needs no second reading.
_last: tuple[tuple[object, ...], bytes, Sequence[Game]] = ((), b"", ())


def read(task: Task) -> list[Found]:
    return [_found_in(path, task.rule, task.start) for path in task.paths]


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
            digest = blake2b(data + b"%d" % (-1 if rule is None else rule), digest_size=16).digest()
            _last = known, digest, games_of(data, path, rule)
        _, found.hash, games = _last
    except OSError as error:
        found.fault = error.strerror or str(error)
        return found
    except (ValueError, RecursionError, MemoryError) as error:
        found.fault, found.is_lasting = str(error).removeprefix(f"{path}, "), True
        return found
    found.total = len(games)
    rows, faults = [], []
    for number in range(start, min(start + PART, len(games))):
        try:
            rows.append(_row_of(games[number], number))
        except ValueError as error:
            faults.append(f"game {number + 1}: {error}" if len(games) > 1 else str(error))
    if len(games) <= PART:
        _last = (), b"", ()
    found.rows, found.faults = rows, faults
    return found


def _row_of(game: Game, number: int) -> Row:
    (width, height), rule, setup = game.size, game.rule_number, game.setup
    game.start()  # refuses boards that cannot be
    taken = {stone[:2] for stone in setup}
    moves: list[Stone] = []
    chances: list[int | None] = []
    for node in game:
        stone = node.stone
        # The last move of a match may be one that lost by it.
        if stone is None or stone[:2] in taken or not (stone[0] < width and stone[1] < height):
            break
        taken.add(stone[:2])
        moves.append(stone)
        chances.append(_per_mille(node.report))
    side = opponent_of(moves[-1][2]) if moves else game.first_side
    found = [*keys_for(width, height, rule).along(setup, moves, side)]
    return Row(
        number, width, height, rule, game.first_side, packed(setup), packed(moves),
        game.black[:_MOST_TEXT], game.white[:_MOST_TEXT], game.event[:_MOST_TEXT],
        game.date[:_MOST_TEXT],
        ENDS.index(game.result or ""), array("q", [key for key, _ in found]),
        array("h", [cell for _, cell in found]), [*chances, None] if any(chances) else (),
    )  # fmt: skip


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


def files_in(names: Iterable[str], added: Added) -> Iterator[tuple[str, os.stat_result]]:
    """The files of games among these names and in these folders. Of the folder of a match it is the
    record alone: other files there have the same games."""
    for name in names:
        if not os.path.isdir(name):
            yield name, os.stat(name)
            continue
        folders = [name]
        while folders:
            folder = folders.pop()
            try:
                if os.path.isfile(record := os.path.join(folder, GAMES)):
                    yield record, os.stat(record)
                    continue
                with closing(os.scandir(folder)) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        elif entry.name.lower().endswith(ENDINGS) and entry.is_file():
                            yield entry.path, entry.stat()
            except OSError as error:
                added.add_fault(f"{folder}: {error.strerror or error}")
