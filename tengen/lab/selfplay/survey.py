"""What shards hold, counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.text import RULE_NAMES
from tengen.lab.selfplay.check import find_fault
from tengen.lab.selfplay.keep import (
    KEPT,
    REASONS,
    Seen,
    all_reasons,
    ends_proven,
    has_result,
    held_out,
    is_aside,
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


@dataclass
class Survey:
    """The shards of one rule and size.

    winners       draws, wins of Black, wins of White.
    lengths       of the games: stones at their end.
    positions     searched, by reason, as keep.REASONS.
    asides        positions kept that are beside their games.
    deep          positions kept that were searched with many nodes.
    value_only    positions kept of which the result says nothing.
    proven        positions kept whose game ended with a forced win within PROVEN_PLIES.
    with_choice   positions kept whose move the search chose.
    test          positions kept that are held out: those that occur in a game of a held-out
                  opening, wherever else.
    values        of positions kept, from the mover's view, in bins of BIN; the first and the last
                  bin hold everything beyond +-LIMIT.
    """

    rule: int
    width: int
    height: int
    shards: int = 0
    bytes: int = 0
    book_games: int = 0
    winners: list[int] = field(default_factory=lambda: [0, 0, 0])
    endings: list[int] = field(default_factory=lambda: [0] * len(ENDINGS))
    lengths: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=lambda: [0] * len(REASONS))
    asides: int = 0
    deep: int = 0
    value_only: int = 0
    proven: int = 0
    with_choice: int = 0
    test: int = 0
    black_to_move: int = 0
    openings: set[int] = field(default_factory=set)
    test_openings: set[int] = field(default_factory=set)
    test_games: int = 0
    values: NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(2 * LIMIT // BIN + 2, dtype=np.int64)
    )
    _seen: Seen = field(default_factory=Seen)
    _seen_in_test: Seen = field(default_factory=Seen)

    def add(self, shard: Shard, size: int) -> None:
        """Counts a shard of `size` bytes."""
        why = all_reasons(shard, self._seen)
        kept = why == KEPT
        self.shards += 1
        self.bytes += size
        self.book_games += int(np.count_nonzero(shard.is_book))
        _add(self.winners, shard.winner)
        _add(self.endings, shard.ending)
        lengths = np.diff(shard.opening_starts) + np.diff(shard.starts)
        self.lengths += lengths.tolist()
        _add(self.positions, why)
        out = held_out(shard)
        self.asides += int(np.count_nonzero(kept & is_aside(shard)))
        self.deep += int(np.count_nonzero(kept & (shard.flags & DEEP != 0)))
        self.value_only += int(np.count_nonzero(kept & ~has_result(shard)))
        self.proven += int(np.count_nonzero(kept & ends_proven(shard, PROVEN_PLIES)))
        self.with_choice += int(np.count_nonzero(kept & is_best_move(shard)))
        in_test = (reasons(shard) == KEPT) & out[shard.game_of_position()]
        self.test += int(np.count_nonzero(self._seen_in_test.add(position_keys(shard)[in_test])))
        self.black_to_move += int(np.count_nonzero(kept & (shard.mover() == 1)))
        openings = opening_keys(shard)
        self.openings.update(openings.tolist())
        self.test_openings.update(openings[out].tolist())
        self.test_games += int(np.count_nonzero(out))
        bins = np.clip(shard.value[kept].astype(np.int64) // BIN, -LIMIT // BIN - 1, LIMIT // BIN)
        np.add.at(self.values, bins + LIMIT // BIN + 1, 1)

    @property
    def games(self) -> int:
        """How many games there are, of every ending."""
        return sum(self.winners)

    @property
    def stones(self) -> dict[str, float]:
        """The stones at the end of the games: mean, median and most; 0 without games."""
        lengths = np.array(self.lengths or [0])
        return {
            "mean": round(float(lengths.mean()), 2),
            "median": int(np.median(lengths)),
            "most": int(lengths.max()),
        }

    def record(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "rule": self.rule,
            "width": self.width,
            "height": self.height,
            "shards": self.shards,
            "bytes": self.bytes,
            "games": self.games,
            "book_games": self.book_games,
            "winners": dict(zip(("draw", "black", "white"), self.winners, strict=True)),
            "endings": dict(zip(map(_key, ENDINGS), self.endings, strict=True)),
            "stones": self.stones,
            "positions": dict(zip(map(_key, REASONS), self.positions, strict=True)),
            "kept": {
                "beside_game": self.asides,
                "deep": self.deep,
                "value_only": self.value_only,
                "proven": self.proven,
                "best_move": self.with_choice,
                "held_out": self.test,
                "black_to_move": self.black_to_move,
            },
            "openings": len(self.openings),
            "held_out_openings": len(self.test_openings),
            "held_out_games": self.test_games,
            "values": {
                "bin_centi_stones": BIN,
                "from_centi_stones": -LIMIT,
                "counts": self.values.tolist(),
            },
        }

    @property
    def name(self) -> str:
        """The rule and the size."""
        return f"{RULE_NAMES[self.rule]} {self.width}x{self.height}"


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


def _key(name: str) -> str:
    return name.replace(" ", "_")


def _add(counts: list[int], numbers: NDArray[Any]) -> None:
    for number, count in enumerate(np.bincount(numbers, minlength=len(counts)).tolist()):
        counts[number] += count
