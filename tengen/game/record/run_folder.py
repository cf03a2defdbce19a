"""Reads the folder of a match: games.jsonl, and timing.jsonl where there is one.

A last line that has not been written to its end is left out, so that a run can be looked at while
it plays; keys of the header that are not known are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.game.record.games_jsonl import parse_records, read_records
from tengen.game.record.recorded import RecordedGame, read_record

GAMES, TIMING = "games.jsonl", "timing.jsonl"


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


def find_run(path: Path) -> Path:
    """The folder of a run that was named, by itself or by its games.jsonl. ValueError in one line
    if there is none."""
    folder = path.parent if path.name == GAMES and not path.is_dir() else path
    if (folder / GAMES).is_file():
        return folder
    if not path.exists():
        fault = "No such file or directory"
    else:
        fault = f"holds no {GAMES}" if folder.is_dir() else "this is a file, not a folder"
    raise ValueError(f"{path}: {fault}; name the --out folder of a match")


def load_run(folder: Path) -> Run:
    """Reads the run that `find_run` finds. ValueError in one line if there is none or a line of it
    is bad."""
    folder = find_run(folder)
    path = folder / GAMES
    timing = folder / TIMING
    return _run(read_records(path), read_records(timing) if timing.is_file() else (), str(path))


def read_run(text: str, source: str) -> Run:
    """Reads the text of a games.jsonl. ValueError, naming `source`, as for `load_run`."""
    return _run(parse_records(text, source), (), source)


def is_run(text: str) -> bool:
    """Does the text look like a games.jsonl? Its first line is the plan of the run."""
    return text.removeprefix("\ufeff").startswith('{"format":')


def _run(
    lines: Sequence[Mapping[str, Any]], timing: Sequence[Mapping[str, Any]], source: str
) -> Run:
    programs = lines[0].get("programs") if lines else None
    if not isinstance(programs, list) or not all(isinstance(each, dict) for each in programs):
        raise ValueError(f"{source}, line 1: expected a header with the programs of the run")
    measured = {line.get("game"): line for line in timing}
    games = []
    for number, record in enumerate(lines[1:], start=2):
        try:
            games.append(read_record(record, measured.get(record.get("game"))))
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: {error}") from None
    named = [str(program.get("name", "?")) for program in programs]
    played = [name for game in games for name in game.names]
    return Run(lines[0], tuple(dict.fromkeys(named + played)), tuple(games))
