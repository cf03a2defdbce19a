"""A run: games played on many processes, and written to a folder shard by shard.

The folder holds run.json, which says what is played, and the shards. A shard is written when all
its games are there, and in order: so a run that was killed leaves whole shards, and continues after
the last one. How many processes play, and in which order games end, changes no byte.
"""

from __future__ import annotations

import json
import platform
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from engine.api import Engine
from engine.files import read_file, replace_file
from tengen.common.process import take_lock
from tengen.common.tasks import RunInterrupted, TaskRunner
from tengen.game.values import json_text
from tengen.lab.selfplay.game import Setting, new_engine, play_game
from tengen.lab.selfplay.keep import KEPT, Seen, reasons
from tengen.lab.selfplay.shards import (
    SUFFIX,
    BadShard,
    PlayedGame,
    Shard,
    read_shard,
    shard_name,
    write_shard,
)

RUN_FILE = "run.json"
# Increased by a change of this package with which the same options give other games, so that no
# folder holds games of both.
GAMES_VERSION = 3
# Games that a worker plays at a time: long enough that handing them over costs little, short enough
# that a run ends soon after Ctrl-C.
CHUNK_GAMES = 4

Identity = Mapping[str, int | str]


def identity_of(setting: Setting) -> Identity:
    """What decides the games of a run, with this program's engine and code: run.json holds it, and
    a worker compares it with its own."""
    return asdict(setting.head(0)) | {"games_version": GAMES_VERSION}


@dataclass(frozen=True)
class Chunk:
    """Games that one worker plays one after the other.

    first, count  the number of the first game, and how many games.
    identity      of the process that hands out the games (identity_of()).
    """

    setting: Setting
    first: int
    count: int
    identity: Identity = field(hash=False)


@dataclass(frozen=True)
class Goal:
    """When a run ends: after so many games, or after the shard with which so many positions are
    kept. Exactly one of them is given."""

    games: int | None = None
    positions: int | None = None


@dataclass
class Progress:
    """How far a run is.

    games      in shards, up to the first shard that is missing.
    waiting    games that have been played and are in no shard yet; lost if the run is stopped.
    positions  kept for training, each once, also if it occurs in several shards; `was_positions`:
               those that the folder held before.
    damaged    what is wrong with files that are no shards; they are played again when the run comes
               to them.
    is_stopped   the runner was interrupted.
    """

    games: int = 0
    positions: int = 0
    waiting: int = 0
    was_positions: int = 0
    damaged: list[str] = field(default_factory=list)
    is_stopped: bool = False


_own = threading.local()  # each thread of a worker has an engine of its own


def play_chunk(chunk: Chunk) -> list[PlayedGame]:
    """The task of a worker: plays the games of a chunk. ValueError in one line if this worker has
    another engine than the process that hands out the games, or cannot use the net."""
    key = chunk.setting, chunk.identity
    if getattr(_own, "key", None) != key:
        _check_identity(chunk)
        _own.engine, _own.key = new_engine(chunk.setting), key
    engine: Engine = _own.engine
    games = range(chunk.first, chunk.first + chunk.count)
    return [play_game(engine, chunk.setting, number) for number in games]


def _check_identity(chunk: Chunk) -> None:
    own, wanted = identity_of(chunk.setting), chunk.identity
    if (key := _first_difference(wanted, own)) is not None:
        raise ValueError(
            f"a worker on {platform.node()} has {key} {own.get(key)}, not {wanted.get(key)};"
            " install the same version of Tengen on every machine"
        )


def _first_difference(one: Mapping[str, object], other: Mapping[str, object]) -> str | None:
    """The first key for which two descriptions of a run differ."""
    keys = dict.fromkeys([*one, *other])
    return next((key for key in keys if one.get(key) != other.get(key)), None)


class SelfPlayFolder:
    """The folder of a run; a context manager. Only one process at a time can have it open."""

    def __init__(self, path: Path, setting: Setting, shard_games: int) -> None:
        """Opens the folder of a run, or makes one. ValueError if it holds another run or is in use,
        OSError if it cannot be written."""
        self.path = path
        self.setting = setting
        self.shard_games = shard_games
        path.mkdir(parents=True, exist_ok=True)
        self._lock: IO[str] = take_lock(path)
        try:
            self._compare()
        except BaseException:
            self._lock.close()
            raise

    def read(self) -> Iterator[Shard | BadShard]:
        """The shards that are there, in order, or what is wrong with one. ValueError for a shard
        of another run."""
        for path in sorted(self.path.glob(f"*{SUFFIX}")):
            try:
                shard = read_shard(path)
            except BadShard as error:
                yield error
                continue
            first = shard.head.first
            if shard.head != self.setting.head(first) or path != self.shard_path(first):
                raise ValueError(
                    f"{path}: belongs to another run; move it away, or name another folder"
                )
            yield shard

    def shard_path(self, first: int) -> Path:
        """Where the shard is that begins with that game."""
        return self.path / shard_name(first)

    def _compare(self) -> None:
        """Writes run.json, or compares it. ValueError if it is missing where there are games."""
        own = {**identity_of(self.setting), "shard_games": self.shard_games}
        path = self.path / RUN_FILE
        if not path.exists():
            if any(self.path.glob(f"*{SUFFIX}")):
                raise ValueError(
                    f"{self.path} holds games but no {RUN_FILE}, which says what they are; name"
                    " another folder"
                )
            replace_file(path, json_text(own, indent=1) + "\n")
            return
        try:
            found = json.loads(read_file(path, 1 << 20))
            key = _first_difference(own, found)
        except (ValueError, AttributeError):
            raise ValueError(f"{path}: not the description of a run") from None
        if key is not None:
            raise ValueError(
                f"{self.path} holds a run with {key} {found.get(key)}, not {own.get(key)};"
                " continue it with the options it began with, or name another folder"
            )

    def __enter__(self) -> SelfPlayFolder:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()


def play_run(
    folder: SelfPlayFolder,
    goal: Goal,
    runner: TaskRunner,
    on_progress: Callable[[Progress], None],
) -> Progress:
    """Plays until the goal is reached or the runner is interrupted, and returns how far the run is.

    `on_progress` is called when the folder has been read and after every chunk. Raises what else
    the runner raises; shards that are complete stay. ValueError, before any game, if the folder
    holds a shard of another run.
    """
    collector = _Collector(folder, goal, on_progress)
    try:
        if not collector.is_done:
            runner.run(play_chunk, collector.chunks(), collector.take)
    except RunInterrupted:
        collector.progress.is_stopped = True
    return collector.progress


class _Collector:
    """Hands out chunks, and makes shards of the games that come back."""

    def __init__(
        self, folder: SelfPlayFolder, goal: Goal, on_progress: Callable[[Progress], None]
    ) -> None:
        self._folder = folder
        self._goal = goal
        self._on_progress = on_progress
        self._games: dict[int, list[PlayedGame]] = {}  # of chunks, by their first game
        self._there: dict[int, int] = {}  # the shards in the folder: how many games each has
        # The positions of the shards before `_next`. They are added in the order of the games, so
        # that a run that is continued counts as one that was not interrupted.
        self._seen = Seen()
        self._next = 0  # the first game of the next shard
        self.progress = Progress()
        for shard in folder.read():
            if isinstance(shard, BadShard):
                self.progress.damaged.append(str(shard))
            else:
                self._there[shard.head.first] = len(shard)
        self._advance()
        self.progress.was_positions = self.progress.positions
        on_progress(self.progress)

    @property
    def is_done(self) -> bool:
        """Is the goal reached by what is written?"""
        if self._goal.games is not None:
            return self._next >= self._goal.games
        assert self._goal.positions is not None
        return self.progress.positions >= self._goal.positions

    def chunks(self) -> Iterator[Chunk]:
        """The games that are missing, until the goal is reached."""
        shard, identity = self._next, identity_of(self._folder.setting)
        while not self.is_done and (games := self._shard_games(shard)):
            if self._is_there(shard):
                shard += self._there[shard]
                continue
            for first in range(shard, shard + games, CHUNK_GAMES):
                if self.is_done:
                    return
                count = min(CHUNK_GAMES, shard + games - first)
                yield Chunk(self._folder.setting, first, count, identity)
            shard += games

    def take(self, chunk: Chunk, games: list[PlayedGame]) -> None:
        """The games of a chunk have been played."""
        self._games[chunk.first] = games
        self._advance()
        self._on_progress(self.progress)

    def _advance(self) -> None:
        """Counts the shards that come next, and writes those whose games have all been played."""
        self._add_shards()
        self.progress.games = self._next
        self.progress.waiting = sum(map(len, self._games.values()))

    def _add_shards(self) -> None:
        while not self.is_done:
            path = self._folder.shard_path(self._next)
            if not self._is_there(self._next):
                if not all(first in self._games for first in self._firsts()):
                    return
                games = [game for first in self._firsts() for game in self._games.pop(first)]
                write_shard(path, self._folder.setting.head(self._next), games)
            shard = read_shard(path)
            self._there[self._next] = len(shard)
            self._next += len(shard)
            self.progress.positions += int(np.count_nonzero(reasons(shard, self._seen) == KEPT))

    def _is_there(self, first: int) -> bool:
        """Is the shard that begins there in the folder? The last one of a shorter run is not."""
        return first in self._there and self._there[first] >= self._shard_games(first)

    def _shard_games(self, first: int) -> int:
        """How many games the shard has that begins there."""
        left = self._folder.shard_games
        return left if self._goal.games is None else min(left, self._goal.games - first)

    def _firsts(self) -> range:
        return range(self._next, self._next + self._shard_games(self._next), CHUNK_GAMES)
