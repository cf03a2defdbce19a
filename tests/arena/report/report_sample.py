"""A small run on disk whose figures can be worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tengen.arena.match.plan import Plan, plan_record
from tengen.arena.match.schedule import Setting
from tengen.arena.programs.spec import ProgramSpec
from tengen.arena.stats.sprt import Sprt
from tengen.game.openings import Opening
from tengen.game.played import TimeControl

Record = dict[str, Any]

# Black has five in row 8 with the ninth stone; White with the tenth.
BLACK_WINS = [[3, 7], [3, 8], [4, 7], [4, 8], [5, 7], [5, 8], [6, 7], [6, 8], [7, 7]]
WHITE_WINS = [[0, 0], [3, 7], [2, 0], [4, 7], [4, 0], [5, 7], [6, 0], [6, 7], [8, 0], [7, 7]]


def header(*names: str, sprt: Sprt | None = None) -> Record:
    """The first line of games.jsonl."""
    return plan_record(
        Plan(
            programs=tuple(
                ProgramSpec(name, ("program",), TimeControl(turn_s=0.1)) for name in names
            ),
            setting=Setting(15, 15, 0),
            openings=(Opening(((0, 0),), "number 1"),),
            games=8,
            seed=7,
            sprt=sprt,
        )
    )


def game(
    index: int,
    black: str,
    white: str,
    winner: str | None,
    termination: str = "FIVE",
    moves: Sequence[Sequence[int]] | None = None,
    **more: Any,
) -> Record:
    """A game's record; two following ones are a pair, and the first stone is the opening."""
    if moves is None:
        moves = BLACK_WINS if winner == "black" else WHITE_WINS
    return {
        "game": index,
        "pair": index // 2,
        "black": black,
        "white": white,
        "width": 15,
        "height": 15,
        "rule": 0,
        "opening": None,
        "opening_moves": 1,
        "winner": winner,
        "termination": termination,
        "moves": moves,
        "reports": [None] * len(moves),
        **more,
    }


def eight_games(a: str = "A", b: str = "B", c: str = "C") -> list[Record]:
    """Three programs: a - b +2 =1 -1, a - c +1 -1, b - c +2."""
    return [
        game(0, a, b, "black"),
        game(1, b, a, "white"),
        game(2, a, b, "white"),
        game(3, b, a, None, "FULL", WHITE_WINS[:4]),
        game(4, a, c, "black", "CRASH", BLACK_WINS[:5]),
        game(5, c, a, "black"),
        game(6, b, c, "black"),
        game(7, c, b, "white", "TIMEOUT", WHITE_WINS[:6]),
    ]


def write_run(
    folder: Path,
    first_line: Mapping[str, Any],
    games: Sequence[Record],
    details: Mapping[int, str] | None = None,
) -> Path:
    """Writes a run. The stone with the number n took n - 1 tenths of a second."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "games.jsonl", [dict(first_line), *games])
    measured = [
        {
            "game": record["game"],
            **{"peak_bytes": [None, None], "began": "", "host": ""},
            "elapsed_s": [i / 10 for i in range(len(record["moves"]))],
            "detail": (details or {}).get(record["game"], ""),
        }
        for record in games
    ]
    _write(folder / "timing.jsonl", measured)
    return folder


def _write(path: Path, lines: Sequence[Record]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
