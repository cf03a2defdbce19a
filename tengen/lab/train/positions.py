"""The positions that nets are trained with: read from shards of self-play, as arrays.

Games are kept as their stones, and a position as a place in its game: about 40 bytes a position
once read (100 for one beside a game), several times that while reading. The kernels read windows
and candidates from the stones whenever they need them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from engine.features import GameReader
from engine.model import CENTISTONES_OF_A_LOGIT
from tengen.lab.selfplay.keep import (
    KEPT,
    has_result,
    held_out,
    position_keys,
    reasons,
)
from tengen.lab.selfplay.shards import CHANCE, Shard, read_shard, shard_paths

# The share of the game's result in the target of held-out positions; the value of the search has
# the rest. It is always this one, so that losses can be compared: `--share` is for training only.
RESULT_SHARE = 0.5


@dataclass(frozen=True)
class Positions:
    """Positions of one rule. Arrays have one entry for each position, except `stones`.

    stones   of all games, one after the other: y * 32 + x, Black and White in turn.
    start    where the position's game begins in `stones`.
    ply      how many of its stones are on the board; Black is to move if it is even.
    size     width and height of the board, (positions, 2).
    threats  counts of cells by threat (engine/features.pyx).
    value    of the search, in centi-stones, for the side to move.
    result   of the game for the side to move, 1, 0.5 or 0; -1 where it says nothing about the
             position, because a later move was left to chance.
    chosen   the move that was played, as a stone; -1 where the policy learns nothing from it.
    is_beside beside a game.
    is_test  held out: never trained with.
    """

    rule: int
    stones: NDArray[np.uint16]
    start: NDArray[np.int64]
    ply: NDArray[np.int16]
    size: NDArray[np.uint8]
    threats: NDArray[np.uint32]
    value: NDArray[np.int16]
    result: NDArray[np.float32]
    chosen: NDArray[np.int16]
    is_beside: NDArray[np.bool_]
    is_test: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.start)

    def target(self, rows: NDArray[np.int64], share: float = RESULT_SHARE) -> NDArray[np.float64]:
        """What the value should be, as probabilities: `share` of the game's result, the rest from
        the value of the search."""
        result = self.result[rows].astype(np.float64)
        seen = expit(self.value[rows] / CENTISTONES_OF_A_LOGIT)
        return np.asarray(np.where(result < 0, seen, share * result + (1 - share) * seen))

    def checksum(self) -> int:
        """CRC-32 of all arrays."""
        crc = 0
        for each in fields(self):
            if each.name != "rule":
                crc = zlib.crc32(np.ascontiguousarray(getattr(self, each.name)).tobytes(), crc)
        return crc


def cross_entropy(logits: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """Mean cross-entropy of sigmoid(logits) to the targets, also called log loss."""
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def read_positions(
    folders: Iterable[Path],
    rule: int,
    progress: Callable[[int, int], None] | None = None,
    judges: Iterable[Path] = (),
) -> Positions:
    """The positions of all shards in these folders, each once: of positions that are equal or
    symmetric the first one stays, held out if any of them is.

    progress  called with (shards read, shards) after each.
    judges    more folders. If there are any, all their positions are held out and no others, else
              those of one opening in ten.

    ValueError in one line for a folder without shards, a shard that cannot be read or is of another
    rule, and shards that hold no position to train with.
    """
    judge_paths = shard_paths(judges)
    paths = [*shard_paths(folders), *judge_paths]
    parts: list[dict[str, NDArray[Any]]] = []
    readers: dict[tuple[int, int], GameReader] = {}
    stones = 0
    for number, path in enumerate(paths):
        shard = read_shard(path, rule)
        size = shard.head.width, shard.head.height
        if size not in readers:
            readers[size] = GameReader(rule, *size)
        try:
            part = _positions_of(shard, readers[size], stones)
            if judge_paths:
                part["is_test"][:] = number >= len(paths) - len(judge_paths)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        stones += len(part["stones"])
        parts.append(part)
        if progress:
            progress(number + 1, len(paths))
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    key = whole.pop("key")
    if not len(key):
        raise ValueError("the shards hold no position to train with")
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    is_test = np.bincount(group.ravel(), whole["is_test"]) > 0
    whole["is_test"][first] = is_test
    first.sort()
    kept = {name: some if name == "stones" else some[first] for name, some in whole.items()}
    return Positions(rule, **kept)


def _positions_of(shard: Shard, reader: GameReader, offset: int) -> dict[str, NDArray[Any]]:
    """The arrays of one shard's positions, with their hashes as `key`; its stones begin at
    `offset`. A position beside a game has stones of its own, like a game that ends there."""
    game, ply = shard.game_of_position(), shard.ply()
    games = [shard.game(i) for i in range(len(shard))]
    lines = [[*each.opening, *(move.cell for move in each.moves)] for each in games]
    lines += [
        [*line[: len(each.opening) + beside.after], *beside.line, beside.move.cell]
        for each, line in zip(games, lines, strict=False)
        for beside in each.side_positions
    ]
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])])
    stones = np.array([cell for line in lines for cell in line], np.uint16)
    own = np.concatenate([game[: shard.moves], np.arange(len(games), len(lines))])
    moves = starts[own] + ply
    seen: dict[str, NDArray[Any]] = {
        "threats": np.zeros(len(stones), np.uint32),
        "is_decided": np.zeros(len(stones), np.uint8),
    }
    for i in range(len(lines)):
        part = slice(starts[i], starts[i + 1])
        reader.describe(stones[part], *(some[part] for some in seen.values()))
    kept = (reasons(shard) == KEPT) & (seen["is_decided"][moves] == 0)
    moves, game, own = moves[kept], game[kept], own[kept]
    is_choice = (shard.flags & CHANCE == 0)[kept]  # the move that the search chose
    size = np.array([shard.head.width, shard.head.height], np.uint8)
    return {
        "stones": stones,
        "start": offset + starts[own],
        "ply": ply[kept].astype(np.int16),
        "size": np.tile(size, (len(game), 1)),
        "threats": seen["threats"][moves],
        "value": shard.value[kept],
        "result": np.where(has_result(shard)[kept], shard.result()[kept], np.float32(-1)),
        "chosen": np.where(is_choice, shard.cell[kept], np.int16(-1)),
        "is_beside": np.arange(len(kept))[kept] >= shard.moves,
        "is_test": held_out(shard)[game],
        "key": position_keys(shard)[kept],
    }
