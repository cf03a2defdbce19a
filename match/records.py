"""Games on disk: one line each in games.jsonl, and a psq and an sgf file each.

games.jsonl holds what a repetition of the run would give again: with limits in nodes or depth,
two runs write the same bytes, whatever order the games finish in, on how many machines, and however
often the run is broken off and resumed. Its first line is the plan of the run. Everything measured
(times, memory, the host, words about failures) goes to timing.jsonl, a line for each game in the
same order.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from match.game import Game, Move, Setting
from match.messages import Report
from match.plan import Plan, plan_record, read_plan
from match.psq import to_psq
from match.referee import BLACK, WHITE
from match.schedule import Job
from match.sgf import to_sgf
from match.termination import Termination

_GAMES, _TIMING, _LOCK = "games.jsonl", "timing.jsonl", ".lock"
_WINNER_NAMES = {0: None, BLACK: "black", WHITE: "white"}
_WINNERS = {name: winner for winner, name in _WINNER_NAMES.items()}


# -- one game as plain values, and back


def game_record(game: Game) -> dict[str, Any]:
    """The reproducible part of a game as plain values (see games.jsonl)."""
    job = game.job
    return {
        "game": job.index,
        "pair": job.pair,
        "black": job.black,
        "white": job.white,
        "width": game.setting.width,
        "height": game.setting.height,
        "rule": game.setting.rule,
        "opening": list(job.source),
        "opening_moves": len(job.opening),
        "winner": _WINNER_NAMES[game.winner],
        "termination": game.termination.name,
        "moves": [[move.x, move.y] for move in game.moves],
        "reports": [_report_record(move.report) for move in game.moves],
    }


def timing_record(game: Game) -> dict[str, Any]:
    """The measured part of a game as plain values (see timing.jsonl)."""
    began = datetime.fromtimestamp(game.began_at, UTC)
    return {
        "game": game.job.index,
        "elapsed_s": [round(move.elapsed_s, 6) for move in game.moves],
        "peak_bytes": list(game.peak_bytes),
        "began": began.isoformat(timespec="milliseconds"),
        "host": game.host,
        "detail": game.detail,
    }


def read_game(record: Mapping[str, Any], timing: Mapping[str, Any], setting: Setting) -> Game:
    """The game of which these are the records; ValueError if they are none."""
    try:
        moves = []
        colour = BLACK
        for (x, y), report, elapsed_s in zip(
            record["moves"], record["reports"], timing["elapsed_s"], strict=True
        ):
            said = None if report is None else Report(**report)
            moves.append(Move(x, y, colour, elapsed_s, said))
            colour = BLACK + WHITE - colour
        opening = tuple((move.x, move.y) for move in moves[: record["opening_moves"]])
        number, symmetry = record["opening"]
        job = Job(
            record["game"], record["pair"], record["black"], record["white"], opening,
            (number, symmetry),
        )  # fmt: skip
        black_bytes, white_bytes = timing["peak_bytes"]
        return Game(
            job=job,
            setting=setting,
            winner=_WINNERS[record["winner"]],
            termination=Termination[record["termination"]],
            detail=timing["detail"],
            moves=tuple(moves),
            peak_bytes=(black_bytes, white_bytes),
            began_at=datetime.fromisoformat(timing["began"]).timestamp(),
            host=timing["host"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no record of a game: {error!r}") from None


def _report_record(report: Report | None) -> dict[str, Any] | None:
    if report is None:
        return None
    fields = {
        "value": report.value,
        "mate_plies": report.mate_plies,
        "depth_plies": report.depth_plies,
        "nodes": report.nodes,
    }
    return {key: value for key, value in fields.items() if value is not None}


# -- the folder of a run


class RunFolder:
    """The games of a run in a folder, in job order; entered as a context, left closed.

    A line is written whole or not at all as far as a reader is concerned: what a kill leaves half
    written is cut off by `resume`. Only one program at a time can have a folder open.
    """

    def __init__(self, path: Path, plan: Plan, games: list[Game], lock: IO[str]) -> None:
        self.path = path
        self.plan = plan
        # What had been played when the folder was opened.
        self.games = games
        self._lock = lock
        self._controls = {program.name: program.control for program in plan.programs}
        self._games: IO[str] = _open(path / _GAMES, "a")
        self._timing: IO[str] = _open(path / _TIMING, "a")

    @classmethod
    def create(cls, path: Path, plan: Plan) -> RunFolder:
        """A new run. ValueError if the folder holds one, OSError if it cannot be written."""
        if (path / _GAMES).exists():
            raise ValueError(
                f"{path} holds the games of another run; name a new folder, or --resume {path}"
            )
        for name in ("psq", "sgf", *(["transcripts"] if plan.setting.keeps_transcripts else [])):
            (path / name).mkdir(parents=True, exist_ok=True)
        lock = _take_lock(path)
        (path / _TIMING).unlink(missing_ok=True)
        # Under another name until it is whole: a folder holds a plan or it holds no run.
        with _open(path / f"{_GAMES}.new", "w") as new:
            new.write(_line(plan_record(plan)))
        (path / f"{_GAMES}.new").replace(path / _GAMES)
        return cls(path, plan, [], lock)

    @classmethod
    def resume(cls, path: Path) -> RunFolder:
        """A run that was begun. ValueError, in one line, if the folder holds none to go on with."""
        if not (path / _GAMES).is_file():
            raise ValueError(f"{path} holds no run: there is no {_GAMES}")
        lock = _take_lock(path)
        try:
            records = _whole_lines(path / _GAMES)
            if not records:
                raise ValueError("it is empty")
            plan = read_plan(records.pop(0))
            timings = _whole_lines(path / _TIMING) if (path / _TIMING).exists() else []
            # The line in games.jsonl is written last, so there is a timing for each.
            if len(timings) < len(records):
                raise ValueError(f"{_TIMING} has fewer games")
            games = [
                read_game(record, timing, plan.setting)
                for record, timing in zip(records, timings, strict=False)
            ]
            if [game.job.index for game in games] != list(range(len(games))):
                raise ValueError("games are missing")
        except ValueError as error:
            lock.close()
            raise ValueError(f"{path / _GAMES} cannot be resumed: {error}") from None
        _cut(path / _GAMES, 1 + len(games))
        _cut(path / _TIMING, len(games))
        return cls(path, plan, games, lock)

    def write(self, game: Game) -> None:
        """Takes the next game; its line in games.jsonl is written last and makes it count."""
        stem = f"{game.job.index + 1:05d}"
        files = {"psq": to_psq(game, self._controls), "sgf": to_sgf(game)}
        for suffix, text in files.items():
            self._write_file(self.path / suffix / f"{stem}.{suffix}", text)
        if self.plan.setting.keeps_transcripts:
            lines = "".join(f"{line}\n" for line in game.transcript)
            self._write_file(self.path / "transcripts" / f"{stem}.txt", lines)
        for file, record in (
            (self._timing, timing_record(game)),
            (self._games, game_record(game)),
        ):
            file.write(_line(record))
            file.flush()

    def close(self) -> None:
        """Closes the files."""
        for file in (self._games, self._timing, self._lock):
            file.close()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @staticmethod
    def _write_file(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8", newline="")


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a games.jsonl or timing.jsonl, a half-written last line left out; of
    games.jsonl, the first is the plan of the run."""
    return iter(_whole_lines(path))


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=True) + "\n"


def _open(path: Path, mode: str) -> IO[str]:
    return path.open(mode, encoding="ascii", newline="\n")


def _whole_lines(path: Path) -> list[dict[str, Any]]:
    """The records of the lines that end; ValueError if one is none."""
    with path.open(encoding="ascii", newline="\n") as lines:
        return [json.loads(line) for line in lines if line.endswith("\n")]


def _cut(path: Path, lines: int) -> None:
    """Leaves so many lines of a file, none of them half written."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        for _ in range(lines):
            file.readline()
        file.truncate(file.tell())


def _take_lock(path: Path) -> IO[str]:
    """A file that the system keeps locked while it is open, whatever ends this program."""
    lock = (path / _LOCK).open("w", encoding="ascii")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise ValueError(f"{path} is in use by another run") from None
    return lock
