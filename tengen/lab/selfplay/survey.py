"""What shards hold, counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.game.json_text import Record
from tengen.lab.selfplay.check import find_fault
from tengen.lab.selfplay.keep import (
    KEPT,
    REASONS,
    Seen,
    ends_proven,
    has_result,
    held_out,
    is_best_move,
    opening_keys,
    position_keys,
    reasons,
)
from tengen.lab.selfplay.shards import DEEP, ENDINGS, BadShard, Shard, read_shard

# The histogram of values: bins of this width, and the ends.
BIN, LIMIT = 100, 1000
# How many moves before the end of a game its forced win is near.
PROVEN_PLIES = 8
_WINNERS = ("draw", "black", "white")


class Survey:
    """The shards of one rule and size. docs/SELFPLAY.md says what is counted."""

    def __init__(self, rule: int, width: int, height: int) -> None:
        self._kind = {"rule": rule, "width": width, "height": height}
        self._files = {"shards": 0, "bytes": 0, "games": 0, "book_games": 0}
        self._winners = np.zeros(len(_WINNERS), np.int64)
        self._endings = np.zeros(len(ENDINGS), np.int64)
        self._positions = np.zeros(len(REASONS), np.int64)
        self._values = np.zeros(2 * LIMIT // BIN + 2, np.int64)
        self._lengths: list[int] = []
        self._kept = dict.fromkeys(
            ("beside_game", "deep", "value_only", "proven", "best_move", "held_out",
             "black_to_move"), 0,
        )  # fmt: skip
        self._openings: set[int] = set()
        self._held_out_openings: set[int] = set()
        self._held_out_games = 0
        self._seen = Seen()
        # Those that occur in a game of a held-out opening, wherever else.
        self._seen_held_out = Seen()

    def add(self, shard: Shard, size: int) -> None:
        """Counts a shard of `size` bytes."""
        why = reasons(shard, self._seen)
        kept, out = why == KEPT, held_out(shard)
        for name, count in (
            ("shards", 1), ("bytes", size), ("games", len(shard)),
            ("book_games", np.count_nonzero(shard.is_book)),
        ):  # fmt: skip
            self._files[name] += int(count)
        for counts, numbers in (
            (self._winners, shard.winner), (self._endings, shard.ending), (self._positions, why),
            (self._values, _bins(shard.value[kept])),
        ):  # fmt: skip
            counts += np.bincount(numbers, minlength=len(counts))
        self._lengths += (np.diff(shard.opening_starts) + np.diff(shard.starts)).tolist()
        for name, which in (
            ("beside_game", np.arange(len(kept)) >= shard.moves),
            ("deep", shard.flags & DEEP != 0),
            ("value_only", ~has_result(shard)),
            ("proven", ends_proven(shard, PROVEN_PLIES)),
            ("best_move", is_best_move(shard)),
            ("black_to_move", shard.mover() == 1),
        ):
            self._kept[name] += int(np.count_nonzero(kept & which))
        in_test = (reasons(shard) == KEPT) & out[shard.game_of_position()]
        new = self._seen_held_out.add(position_keys(shard)[in_test])
        self._kept["held_out"] += int(np.count_nonzero(new))
        openings = opening_keys(shard)
        self._openings.update(openings.tolist())
        self._held_out_openings.update(openings[out].tolist())
        self._held_out_games += int(np.count_nonzero(out))

    def record(self) -> Record:
        """Plain values, for JSON."""
        lengths = np.array(self._lengths or [0])
        return {
            **self._kind,
            **self._files,
            "winners": dict(zip(_WINNERS, self._winners.tolist(), strict=True)),
            "endings": dict(zip(map(_key, ENDINGS), self._endings.tolist(), strict=True)),
            "stones": {
                "mean": round(float(lengths.mean()), 2),
                "median": int(np.median(lengths)),
                "most": int(lengths.max()),
            },
            "positions": dict(zip(map(_key, REASONS), self._positions.tolist(), strict=True)),
            "kept": self._kept,
            "openings": len(self._openings),
            "held_out_openings": len(self._held_out_openings),
            "held_out_games": self._held_out_games,
            "values": {
                "bin_centi_stones": BIN,
                "from_centi_stones": -LIMIT,
                "counts": self._values.tolist(),
            },
        }


@dataclass
class Findings:
    """What was found: a survey for each rule and size, and a line for each bad file or game."""

    surveys: dict[tuple[int, int, int], Survey] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def survey(paths: Iterable[Path], checks: bool) -> Findings:
    """Reads shards; files that are not whole shards are only named.

    checks  also replays every game on the referee's board.
    """
    found = Findings()
    for path in paths:
        try:
            shard = read_shard(path)
        except BadShard as error:
            found.faults.append(str(error))
        else:
            key = shard.head.rule, shard.head.width, shard.head.height
            found.surveys.setdefault(key, Survey(*key)).add(shard, path.stat().st_size)
            fault = find_fault(shard) if checks else None
            if fault is not None:
                found.faults.append(f"{path}: {fault}")
    return found


def _bins(values: NDArray[np.int16]) -> NDArray[np.int64]:
    """The bins of values in the histogram; the first and the last one hold everything beyond."""
    bins = np.clip(values.astype(np.int64) // BIN, -LIMIT // BIN - 1, LIMIT // BIN)
    return bins + LIMIT // BIN + 1


def _key(name: str) -> str:
    return name.replace(" ", "_")
