"""Games on disk: one line each in games.jsonl, and a psq and an sgf file each.

games.jsonl holds what a repetition of the run would give again: with limits in nodes or depth,
two runs write the same bytes, whatever order the games finish in. Everything measured (times,
words about failures) goes to timing.jsonl, a line for each game in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from match.clockbook import TimeControl
from match.game import Game
from match.messages import Report
from match.program import Program, as_record
from match.referee import BLACK, WHITE
from match.termination import Termination

FORMAT = 1

_RULE_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro, exactly five"}
_WINNER_NAMES = {0: None, BLACK: "black", WHITE: "white"}

# Piskvork's levels for a time per move, in milliseconds; a file names the level's number from 1.
_PSQ_LEVELS_MS = (100, 300, 600, 1000, 1500, 2500, 5000, 10000, 15000, 30000, 60000)
_PSQ_NORMAL, _PSQ_TIMEOUT, _PSQ_FAILED, _PSQ_UNKNOWN = 0, 15, -2, -1


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
        "opening_moves": len(job.opening),
        "winner": _WINNER_NAMES[game.winner],
        "termination": game.termination.name,
        "moves": [[move.x, move.y] for move in game.moves],
        "reports": [_report_record(move.report) for move in game.moves],
    }


def timing_record(game: Game) -> dict[str, Any]:
    """The measured part of a game as plain values (see timing.jsonl)."""
    return {
        "game": game.job.index,
        "elapsed_s": [round(move.elapsed_s, 6) for move in game.moves],
        "detail": game.detail,
    }


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


class RecordWriter:
    """Writes the games of a run into a folder, in job order although they end in any order.

    A game is kept back until all before it have been written; what is kept back when the writer
    is closed is dropped, so that the file always is the beginning of the whole.
    ValueError if the folder holds the games of another run, OSError if it cannot be written.
    """

    def __init__(self, folder: Path, programs: Sequence[Program], run: Mapping[str, Any]) -> None:
        if (folder / "games.jsonl").exists():
            raise ValueError(f"{folder} holds the games of another run; name a new folder")
        for name in ("psq", "sgf"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._games: IO[str] = _open(folder / "games.jsonl")
        self._timing: IO[str] = _open(folder / "timing.jsonl")
        self._controls = {program.name: program.control for program in programs}
        self._kept_back: dict[int, Game] = {}
        self._next_index = 0
        self._write_line(
            self._games, {"format": FORMAT, "programs": [*map(as_record, programs)], **run}
        )

    def write(self, game: Game) -> None:
        """Takes one game; an interrupted one is none."""
        if game.termination is Termination.INTERRUPTED:
            return
        self._kept_back[game.job.index] = game
        while (ready := self._kept_back.pop(self._next_index, None)) is not None:
            self._next_index += 1
            self._write_line(self._games, game_record(ready))
            self._write_line(self._timing, timing_record(ready))
            stem = f"{ready.job.index + 1:05d}"
            for suffix, text in (
                ("psq", to_psq(ready, self._controls)),
                ("sgf", to_sgf(ready)),
            ):
                path = self._folder / suffix / f"{stem}.{suffix}"
                path.write_text(text, encoding="utf-8", newline="")

    def close(self) -> None:
        """Closes the files."""
        self._games.close()
        self._timing.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @staticmethod
    def _write_line(file: IO[str], record: Mapping[str, Any]) -> None:
        file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=True) + "\n")
        file.flush()


def _open(path: Path) -> IO[str]:
    return path.open("w", encoding="ascii", newline="\n")


def read_games(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a games.jsonl, without its first line, which describes the run."""
    with path.open(encoding="ascii") as lines:
        next(lines, None)
        for line in lines:
            yield json.loads(line)


# ---- other programs' formats


def to_psq(game: Game, controls: Mapping[str, TimeControl] | None = None) -> str:
    """The game as Piskvork writes it: a header, a line `x,y,ms` for each move counted from one,
    the names (Black's first, who begins), and a code for how it ended."""
    levels = [_psq_level((controls or {}).get(name)) for name in (game.job.black, game.job.white)]
    code = _PSQ_NORMAL
    if game.termination is Termination.TIMEOUT:
        code = _PSQ_TIMEOUT
    elif game.termination.is_failure:
        code = _PSQ_FAILED
    elif game.termination in (Termination.INTERRUPTED, Termination.ADJUDICATED):
        code = _PSQ_UNKNOWN
    lines = [
        f"Piskvorky {game.setting.width}x{game.setting.height}, {levels[0]}:{levels[1]}, 0",
        *(f"{m.x + 1},{m.y + 1},{round(m.elapsed_s * 1000)}" for m in game.moves),
        _one_line(game.job.black),
        _one_line(game.job.white),
        str(code),
    ]
    return "".join(f"{line}\n" for line in lines)


def _psq_level(control: TimeControl | None) -> int:
    """The level of a time per move, rounded down; the highest when there is no limit."""
    if control is None or control.turn_s is None:
        return len(_PSQ_LEVELS_MS)
    turn_ms = control.turn_s * 1000
    return max(1, sum(level <= turn_ms for level in _PSQ_LEVELS_MS))


def to_sgf(game: Game) -> str:
    """The game as SGF (FF[4], GM[4]), points as two letters from the top left; the value a
    program gave its move, and the time it took, as a comment."""
    width, height = game.setting.width, game.setting.height
    size = str(width) if width == height else f"{width}:{height}"
    rule = game.setting.rule
    header = (
        f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[{_sgf_text(_RULE_NAMES.get(rule & ~2, str(rule)))}]"
        f"GN[{game.job.index + 1}]PB[{_sgf_text(game.job.black)}]PW[{_sgf_text(game.job.white)}]"
        f"RE[{_sgf_result(game)}]GC[{_sgf_text(game.termination.value)}]"
    )
    nodes = []
    for number, move in enumerate(game.moves):
        letter = "B" if move.colour == BLACK else "W"
        comment = "opening" if number < len(game.job.opening) else _move_comment(move.report)
        if number >= len(game.job.opening):
            comment = f"{comment} {move.elapsed_s * 1000:.0f} ms".strip()
        point = chr(ord("a") + move.x) + chr(ord("a") + move.y)
        nodes.append(f";{letter}[{point}]C[{_sgf_text(comment)}]")
    return "\n".join([header, *nodes]) + ")\n"


def _move_comment(report: Report | None) -> str:
    if report is None:
        return ""
    depth = "" if report.depth_plies is None else f"/{report.depth_plies}"
    return f"{report.score_text}{depth}"


def _sgf_result(game: Game) -> str:
    if game.termination is Termination.INTERRUPTED:
        return "Void"
    if game.winner == 0:
        return "0"
    winner = "B" if game.winner == BLACK else "W"
    if game.termination is Termination.TIMEOUT:
        return f"{winner}+T"
    return f"{winner}+F" if game.termination.is_failure else f"{winner}+"


def _sgf_text(text: str) -> str:
    return _one_line(text).replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def _one_line(text: str) -> str:
    return " ".join(text.split())
