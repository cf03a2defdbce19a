"""Games as plain values: the lines of games.jsonl and timing.jsonl, written and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.files import read_file
from tengen.game.json_text import Record
from tengen.game.played import Report, Termination
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.record.recorded import read_record
from tengen.game.referee import BLACK, WHITE

# Games of long runs.
_LIMIT_BYTES = 1 << 30

# So much of the line that a program expects is kept.
_LINE_MOVES = 8
_WINNER_NAMES = {0: None, BLACK: "black", WHITE: "white"}
_WINNERS = {name: winner for winner, name in _WINNER_NAMES.items()}


def game_record(game: Game) -> Record:
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


def timing_record(game: Game) -> Record:
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
    """The game that these records describe. They must be complete, because a resumed run writes the
    game out again. ValueError if they are not such records."""
    try:
        game = read_record(record, timing)
        number, symmetry = record["opening"]
        moves = tuple(
            Move(x, y, colour, elapsed_s, report)
            for (x, y, colour), report, elapsed_s in zip(
                game.stones, game.reports, timing["elapsed_s"], strict=True
            )
        )
        black_bytes, white_bytes = timing["peak_bytes"]
        found = Game(
            job=Job(
                record["game"],
                record["pair"],
                record["black"],
                record["white"],
                game.moves[: record["opening_moves"]],
                (number, symmetry),
            ),
            setting=setting,
            winner=_WINNERS[record["winner"]],
            termination=Termination[record["termination"]],
            detail=timing["detail"],
            moves=moves,
            peak_bytes=(black_bytes, white_bytes),
            began_at=datetime.fromisoformat(timing["began"]).timestamp(),
            host=timing["host"],
        )
        if len(record["reports"]) != len(moves):
            raise ValueError(f"{len(record['reports'])} reports of {len(moves)} moves")
        return found
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no record of a game: {error!r}") from None


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
