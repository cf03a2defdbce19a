"""What a run has left on disk, read back: games.jsonl, and timing.jsonl where there is one.

Read is what is there: keys that are missing count as unknown, keys that nobody knows are kept in
the header, and a last line that has not been written to its end is left out, so that a run can be
looked at while it plays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tengen.record.report import Report
from tengen.record.termination import Termination
from tengen.rules.referee import Cell

_T = TypeVar("_T")

_REPORT_FIELDS = ("value", "mate_plies", "depth_plies", "nodes")


@dataclass(frozen=True)
class RecordedGame:
    """One game as it was recorded.

    number       from one, as people count.
    pair         of two games from one opening; None if unknown.
    winner       "black", "white", or None for a draw.
    termination  the name of a `Termination`; of a later version perhaps.
    reports, elapsed_s   one for each move; None where nothing is known.
    peak_bytes   the most memory that Black's program and White's had; None if unknown.
    began        when it was played, in the words of the record; empty if unknown.
    """

    number: int
    pair: int | None
    black: str
    white: str
    width: int
    height: int
    rule: int
    opening_moves: int
    winner: str | None
    termination: str
    detail: str
    moves: tuple[Cell, ...]
    reports: tuple[Report | None, ...]
    elapsed_s: tuple[float | None, ...]
    peak_bytes: tuple[int | None, int | None] = (None, None)
    began: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """Black's program and White's."""
        return self.black, self.white

    @property
    def winner_name(self) -> str | None:
        """The program that won; None for a draw."""
        return {"black": self.black, "white": self.white}.get(self.winner or "")

    @property
    def loser_name(self) -> str | None:
        """The program that lost; None for a draw."""
        return {"black": self.white, "white": self.black}.get(self.winner or "")

    @property
    def is_failure(self) -> bool:
        """True when the loser lost by misbehaving."""
        known = Termination.__members__.get(self.termination)
        return known is not None and known.is_failure

    def points_of(self, name: str) -> float:
        """What the game gave to one of its two programs: 1, 0.5 or 0."""
        return 0.5 if self.winner_name is None else float(self.winner_name == name)

    def thought_moves(self) -> range:
        """The indices of the moves that programs have thought about."""
        return range(min(self.opening_moves, len(self.moves)), len(self.moves))


@dataclass(frozen=True)
class Run:
    """A folder of games: the header line as it is, names in its order, and the games."""

    header: Mapping[str, Any]
    names: tuple[str, ...]
    games: tuple[RecordedGame, ...]

    def program(self, name: str) -> Mapping[str, Any]:
        """What the header says about a program; empty if it says nothing."""
        for program in self.header.get("programs") or ():
            if program.get("name") == name:
                return dict(program)
        return {}


def load_run(folder: Path) -> Run:
    """Reads a run's folder. ValueError in one line if there is no run or a line of it is bad."""
    path = folder / "games.jsonl"
    if not path.is_file():
        raise ValueError(f"{folder}: holds no games.jsonl; name the --out folder of a match")
    lines = _read_lines(path)
    programs = lines[0].get("programs") if lines else None
    if not isinstance(programs, list) or not all(isinstance(each, dict) for each in programs):
        raise ValueError(f"{path}, line 1: expected a header with the programs of the run")
    header, records = lines[0], lines[1:]
    timing_path = folder / "timing.jsonl"
    timing = _read_lines(timing_path) if timing_path.is_file() else []
    measured = {line.get("game"): line for line in timing}
    games = []
    for number, record in enumerate(records, start=2):
        try:
            games.append(_read_game(record, measured.get(record.get("game"), {})))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: is no game ({error!r})") from None
    named = [str(program.get("name", "?")) for program in programs]
    played = [name for game in games for name in game.names]
    return Run(header, tuple(dict.fromkeys(named + played)), tuple(games))


def _read_lines(path: Path) -> list[dict[str, Any]]:
    try:
        *lines, unfinished = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not a file of a match") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: is no record")
        found.append(record)
    return found


def _read_game(record: Mapping[str, Any], timing: Mapping[str, Any]) -> RecordedGame:
    black_bytes, white_bytes = timing.get("peak_bytes") or (None, None)
    moves = tuple((int(x), int(y)) for x, y in record["moves"])
    reports = [_read_report(report) for report in record.get("reports") or ()]
    elapsed = [None if s is None else float(s) for s in timing.get("elapsed_s") or ()]
    return RecordedGame(
        number=int(record["game"]) + 1,
        pair=record.get("pair"),
        black=str(record["black"]),
        white=str(record["white"]),
        width=int(record.get("width", 15)),
        height=int(record.get("height", 15)),
        rule=int(record.get("rule", 0)),
        opening_moves=int(record.get("opening_moves", 0)),
        winner=record.get("winner"),
        termination=str(record.get("termination", "UNKNOWN")),
        detail=str(timing.get("detail") or ""),
        moves=moves,
        reports=tuple(_padded(reports, len(moves))),
        elapsed_s=tuple(_padded(elapsed, len(moves))),
        peak_bytes=(black_bytes, white_bytes),
        began=str(timing.get("began") or ""),
    )


def _read_report(record: Mapping[str, Any] | None) -> Report | None:
    return Report(**{key: record.get(key) for key in _REPORT_FIELDS}) if record else None


def _padded(values: Sequence[_T | None], length: int) -> list[_T | None]:
    return [*values[:length], *[None] * (length - len(values))]
