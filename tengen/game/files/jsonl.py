"""The folder of a match: the lines of games.jsonl and timing.jsonl, written and read.

games.jsonl begins with the plan of the run. A last line that has not been written to its end is
left out, so that a run can be looked at while it plays; keys that are not known are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from engine.files import read_file
from tengen.game.files.lazy import LazyGames
from tengen.game.game import RESULTS, Game
from tengen.game.node import first_properties, move_properties
from tengen.game.played import MatchFacts, Report, Termination
from tengen.game.referee import BLACK, WHITE
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Record

GAMES, TIMING = "games.jsonl", "timing.jsonl"
# Games of long runs.
_LIMIT_BYTES = 1 << 30

# So much of the line that a program expects is kept.
_LINE_MOVES = 8
_REPORT_FIELDS = ("value", "mate_plies", "depth_plies", "nodes", "line")
_move = lru_cache(maxsize=2048)(move_properties)


# -- one game


def game_record(game: Game) -> Record:
    """The reproducible part of a game of a match as plain values (see games.jsonl)."""
    match = game.match or MatchFacts()
    result = game.said_result
    return {
        "game": match.index,
        "pair": match.pair,
        "black": game.black,
        "white": game.white,
        "width": game.width,
        "height": game.height,
        "rule": game.rule_number,
        "opening": None if match.source is None else list(match.source),
        "opening_moves": match.opening_moves,
        "winner": result if result in ("black", "white") else None,
        "termination": game.ending,
        "moves": [[x, y] for x, y, _ in game.stones],
        "reports": [_report_record(node.report) for node in game],
    }


def timing_record(game: Game) -> Record:
    """The measured part of a game of a match as plain values (see timing.jsonl)."""
    match = game.match or MatchFacts()
    began = datetime.fromtimestamp(match.began_at or 0, UTC)
    return {
        "game": match.index,
        "elapsed_s": [round(node.time_s or 0.0, 6) for node in game],
        "peak_bytes": list(match.peak_bytes),
        "began": began.isoformat(timespec="milliseconds"),
        "host": match.host,
        "detail": game.detail,
    }


def read_record(record: Mapping[str, Any], timing: Mapping[str, Any] | None = None) -> Game:
    """The game of a line of games.jsonl, and of its line of timing.jsonl where there is one. What
    they do not say is unknown. ValueError if it is not a game."""
    try:
        return _read_record(record, timing or {})
    except KeyError as error:
        raise ValueError(f"is not a game: {error} is missing") from None
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"is not a game: {error}") from None


def read_whole_record(record: Mapping[str, Any], timing: Mapping[str, Any]) -> Game:
    """As `read_record`, for a run that is resumed, which writes the game out again: ValueError also
    if something is missing."""
    missing = [key for key in _GAME_KEYS if key not in record]
    missing += [key for key in _TIMING_KEYS if key not in timing]
    if missing:
        raise ValueError(f"no record of a game: {missing[0]} is missing")
    count = len(record["moves"])
    for name, values in (("reports", record["reports"]), ("elapsed_s", timing["elapsed_s"])):
        if len(values) != count:
            raise ValueError(f"no record of a game: {len(values)} {name} of {count} moves")
    game = read_record(record, timing)
    if game.termination is None:
        raise ValueError(f"no record of a game: it ends by {record['termination']!r}")
    return game


_GAME_KEYS = (
    "game", "pair", "black", "white", "opening", "opening_moves", "winner", "termination", "moves",
    "reports",
)  # fmt: skip
_TIMING_KEYS = ("elapsed_s", "peak_bytes", "began", "host", "detail")


def _read_record(record: Mapping[str, Any], timing: Mapping[str, Any]) -> Game:
    size = int(record.get("width", 15)), int(record.get("height", 15))
    rule = record.get("rule")
    winner = record.get("winner")
    termination = Termination.__members__.get(str(record.get("termination")))
    if termination is Termination.INTERRUPTED:
        result = "Void"
    else:
        result = RESULTS["draw" if winner is None else winner]
    began, source = timing.get("began"), record.get("opening")
    said = {
        "DT": str(began or ""),
        "RU": "" if rule is None else RULE_TITLES.get(int(rule) & ~2, str(rule)),
        "PB": str(record.get("black", "?")),
        "PW": str(record.get("white", "?")),
        "RE": result,
    }
    game = Game.of("match", first_properties(said, size), people=frozenset())
    node = game.root
    reports, times = record.get("reports") or (), timing.get("elapsed_s") or ()
    for number, (x, y) in enumerate(record["moves"]):
        node = node.append(_move(int(x), int(y), WHITE if number % 2 else BLACK))
        if number < len(times) and times[number] is not None:
            node.time_s = float(times[number])
        if number < len(reports) and (report := reports[number]):
            node.report = Report(**{key: report.get(key) for key in _REPORT_FIELDS})
    black_bytes, white_bytes = timing.get("peak_bytes") or (None, None)
    game.match = MatchFacts(
        index=int(record["game"]),
        pair=record.get("pair"),
        opening_moves=int(record.get("opening_moves", 0)),
        source=None if source is None else (source[0], source[1]),
        peak_bytes=(black_bytes, white_bytes),
        began_at=datetime.fromisoformat(began).timestamp() if began else None,
        host=str(timing.get("host") or ""),
    )
    game.number = game.match.index + 1
    game.termination, game.detail = termination, str(timing.get("detail") or "")
    game.is_judged = True
    return game


def _report_record(report: Report | None) -> Record | None:
    if report is None:
        return None
    fields = {
        "value": report.value,
        "mate_plies": report.mate_plies,
        "depth_plies": report.depth_plies,
        "nodes": report.nodes,
        "line": None if report.line is None else " ".join(report.line.split()[:_LINE_MOVES]),
    }
    return {key: value for key, value in fields.items() if value is not None}


# -- the lines


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records of a games.jsonl or timing.jsonl, a half-written last line left out; of
    games.jsonl, the first is the plan of the run. ValueError, naming the file, if it cannot be
    read or a line is not a record."""
    try:
        text = read_file(path, _LIMIT_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not a file of a match") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    return parse_records(text, str(path))


def parse_records(text: str, source: str) -> list[dict[str, Any]]:
    """The records in the text of such a file; ValueError, naming `source` and the line, if one is
    not a record."""
    *lines, _unfinished = text.split("\n")
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise ValueError(f"{source}, line {number}: is not a record")
        records.append(record)
    return records


# -- the folder


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


def load_run(folder: Path) -> Sequence[Game]:
    """The games of the run that `find_run` finds, each made when it is asked for. ValueError in one
    line if there is none or a line of it is bad."""
    folder = find_run(folder)
    path = folder / GAMES
    timing = folder / TIMING
    return _games(read_records(path), read_records(timing) if timing.is_file() else (), str(path))


def read_run(text: str, source: str) -> Sequence[Game]:
    """The games in the text of a games.jsonl. ValueError, naming `source`, as for `load_run`."""
    return _games(parse_records(text, source), (), source)


def is_run(text: str) -> bool:
    """Does the text look like a games.jsonl? Its first line is the plan of the run."""
    return text.removeprefix("\ufeff").startswith('{"format":')


def _games(
    lines: Sequence[Mapping[str, Any]], timing: Sequence[Mapping[str, Any]], source: str
) -> Sequence[Game]:
    programs = lines[0].get("programs") if lines else None
    if not isinstance(programs, list) or not all(isinstance(each, dict) for each in programs):
        raise ValueError(f"{source}, line 1: expected a header with the programs of the run")
    for number, record in enumerate(lines[1:], start=2):
        for key in ("game", "moves"):
            if key not in record:
                raise ValueError(f"{source}, line {number}: is not a game: {key!r} is missing")
    times = {line.get("game"): line for line in timing}

    @cache
    def make(number: int) -> Game:
        record = lines[number + 1]
        try:
            return read_record(record, times.get(record.get("game")))
        except ValueError as error:
            raise ValueError(f"{source}, line {number + 2}: {error}") from None

    return LazyGames(range(len(lines) - 1), make)
