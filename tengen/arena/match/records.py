"""Games on disk: one line each in games.jsonl, a psq and an sgf file each, and all of them in
games.pgn and games.sgf.

games.jsonl holds what would be the same in a repetition of the run: with limits in nodes or depth
two runs write the same bytes, in whatever order the games end, on however many machines, and
however often the run is stopped and resumed. Its first line is the plan of the run. Everything
measured (times, memory, the host, details of failures) goes to timing.jsonl, one line a game in the
same order.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from engine.files import replacing
from tengen.arena.match.plan import Plan, plan_record, read_plan
from tengen.arena.match.play_game import described
from tengen.common.process import take_lock
from tengen.game.files.jsonl import (
    GAMES,
    TIMING,
    find_run,
    game_record,
    read_records,
    read_whole_record,
    timing_record,
)
from tengen.game.files.plain_moves import write_pgn
from tengen.game.files.psq import write_psq
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.values import Record, json_text

# The files that hold all games one after the other.
_COLLECTIONS = {"games.pgn": write_pgn, "games.sgf": write_sgf}


class RunFolder:
    """The games of a run in a folder, in job order. A context manager that closes the files.

    A kill may leave a line half written; `resume` removes it. Only one process at a time can have
    a folder open.
    """

    def __init__(self, path: Path, plan: Plan, games: list[Game], lock: IO[str]) -> None:
        self.path = path
        self.plan = plan
        # The games that were there when the folder was opened.
        self.games = games
        self._lock = lock
        self._controls = {program.name: program.control for program in plan.programs}
        self._games, self._timing = _open(path / GAMES), _open(path / TIMING)
        self._collections = {name: _open(path / name) for name in _COLLECTIONS}

    @classmethod
    def create(cls, path: Path, plan: Plan) -> RunFolder:
        """A new run. ValueError if the folder holds one, OSError if it cannot be written."""
        _refuse_another_run(path)  # before anything is made in its folder
        for name in ("psq", "sgf", *(["transcripts"] if plan.setting.keeps_transcripts else [])):
            (path / name).mkdir(parents=True, exist_ok=True)
        lock = take_lock(path)
        try:
            _refuse_another_run(path)  # one that has begun and ended meanwhile
        except ValueError:
            lock.close()
            raise
        for name in (TIMING, *_COLLECTIONS):
            (path / name).unlink(missing_ok=True)
        # At no time does games.jsonl hold a part of the plan.
        with replacing(path / GAMES) as new:
            new.write(_line(plan_record(plan)).encode("ascii"))
        return cls(path, plan, [], lock)

    @classmethod
    def resume(
        cls,
        path: Path,
        games_each: int | None = None,
        check: Callable[[Plan], None] = lambda plan: None,
    ) -> RunFolder:
        """A run that was started before, with as many games of each pairing as before or with
        `games_each`. ValueError, in one line, if it cannot be continued, and what `check` raises:
        then nothing has changed."""
        path = find_run(path)
        lock = take_lock(path)
        try:
            plan, games = read_match(path)
            if games_each is not None:
                plan = plan.with_games(games_each, len(games))
        except ValueError as error:
            lock.close()
            raise ValueError(f"{path / GAMES} cannot be resumed: {error}") from None
        try:
            check(plan)
        except BaseException:
            lock.close()
            raise
        _cut(path / GAMES, 1 + len(games))
        if games_each is not None:
            lines = (path / GAMES).read_bytes().split(b"\n", 1)
            with replacing(path / GAMES) as new:
                new.write(_line(plan_record(plan)).encode("ascii") + lines[1])
        _cut(path / TIMING, len(games))
        for name, written in _COLLECTIONS.items():
            with replacing(path / name) as file:
                file.writelines(written(game).encode("utf-8") for game in games)
        return cls(path, plan, games, lock)

    def write(self, game: Game) -> None:
        """Writes the next game and waits until it is on the disk, so that a power cut does not lose
        it. Its line in games.jsonl comes last; without it the game does not count. OSError, which
        names the folder, if that fails."""
        try:
            self._write(game)
        except OSError as error:
            error.filename = error.filename or self.path  # of a full disk the system says no name
            raise

    def close(self) -> None:
        """Closes the files."""
        for file in (self._games, self._timing, *self._collections.values(), self._lock):
            with suppress(OSError):  # the rest of a game that `write` could not write
                file.close()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, game: Game) -> None:
        texts = {"psq": write_psq(game, self._controls, ()), "sgf": write_sgf(game)}
        if self.plan.setting.keeps_transcripts:
            transcript = game.match.transcript if game.match else ()
            texts["transcripts"] = "".join(f"{line}\n" for line in transcript)
        for kind, text in texts.items():
            name = f"{game.number:05d}.{'txt' if kind == 'transcripts' else kind}"
            (self.path / kind / name).write_text(text, encoding="utf-8", newline="")
        # Not waited for: `resume` writes them anew.
        for name, file in self._collections.items():
            file.write(_COLLECTIONS[name](game))
            file.flush()
        timing, record = _line(timing_record(game)), _line(game_record(game))
        for file, line in ((self._timing, timing), (self._games, record)):
            file.write(line)
            file.flush()
            os.fsync(file.fileno())


def read_match(path: Path) -> tuple[Plan, list[Game]]:
    """The plan of the run in that folder, and its games so far. ValueError for what `tengen match`
    has not written."""
    records = read_records(path / GAMES)
    if not records:
        raise ValueError("it is empty")
    plan = read_plan(records.pop(0))
    timings = read_records(path / TIMING) if (path / TIMING).exists() else []
    # The line in games.jsonl is written last, so there is a timing for each.
    if len(timings) < len(records):
        raise ValueError(f"{TIMING} has fewer games")
    games = [
        described(read_whole_record(record, timing), plan.setting)
        for record, timing in zip(records, timings, strict=False)
    ]
    if [game.number for game in games] != list(range(1, len(games) + 1)):
        raise ValueError("games are missing")
    return plan, games


def _refuse_another_run(path: Path) -> None:
    if (path / GAMES).exists():
        raise ValueError(
            f"{path} holds the games of another run; name a new folder, or --resume {path}"
        )


def _line(record: Record) -> str:
    return json_text(record, is_compact=True) + "\n"


def _open(path: Path) -> IO[str]:
    return path.open("a", encoding="utf-8", newline="\n")


def _cut(path: Path, lines: int) -> None:
    """Cuts a file after so many lines."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        for _ in range(lines):
            file.readline()
        file.truncate(file.tell())
