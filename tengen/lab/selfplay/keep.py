"""Which positions of a shard are kept for training, and what they may teach.

The trainer and `tengen lab data` use the same functions. Both keep the first of equal positions,
and hold it out if any of them is from a game that is held out. All arrays have one entry for each
position of the shard, in its order: those of its games, then those beside them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.lab.selfplay.shards import CHANCE, DECIDED, ONLY, ROW, SHORT, Head, Shard

# Why a position is left out. The first that applies counts.
KEPT, MATE_VALUE, IS_DECIDED, ONLY_MOVE, FEW_NODES, DUPLICATE = range(6)
REASONS = (
    "kept",
    "forced win or loss",
    "a five or open four to make",
    "no search needed",
    "few nodes searched",
    "duplicate",
)
# One opening in so many is held out, with all its games: nothing is fitted to them.
HELD_OUT_EVERY = 10

_CELLS = ROW * ROW
_Keys = NDArray[np.uint64]


def reasons(shard: Shard, seen: Seen | None = None) -> NDArray[np.uint8]:
    """For each position one of the numbers above. With `seen`, the positions that other shards
    keep, also DUPLICATE, for all but the first of a kind; those that are kept are added."""
    flags = shard.flags
    found = np.full(len(flags), KEPT, dtype=np.uint8)
    for reason, applies in (
        (FEW_NODES, flags & SHORT),
        (ONLY_MOVE, flags & ONLY),
        (IS_DECIDED, flags & DECIDED),
        (MATE_VALUE, shard.is_mate()),
    ):
        found[applies.astype(bool)] = reason
    if seen is not None:
        is_open = found == KEPT
        found[is_open] = np.where(seen.add(position_keys(shard)[is_open]), KEPT, DUPLICATE)
    return found


class Seen:
    """The keys of positions that were kept so far."""

    def __init__(self) -> None:
        # Sorted: most of the keys, and what came later. Sorting all each time would take longer
        # than everything else.
        self._most = np.empty(0, dtype=np.uint64)
        self._later: list[_Keys] = []

    def add(self, keys: _Keys) -> NDArray[np.bool_]:
        """Adds keys. True where a key comes for the first time."""
        new, at = np.unique(keys, return_index=True)
        for known in (self._most, *self._later):
            if len(known):
                near = np.minimum(np.searchsorted(known, new), len(known) - 1)
                is_new = known[near] != new
                new, at = new[is_new], at[is_new]
        self._later.append(new)
        if sum(map(len, self._later)) > len(self._most) // 8:
            self._most = np.sort(np.concatenate([self._most, *self._later]))
            self._later = []
        first = np.zeros(len(keys), dtype=bool)
        first[at] = True
        return first


def has_result(shard: Shard) -> NDArray[np.bool_]:
    """True where the result of the game says something about the position: it is one of the game,
    and neither here nor later in the game was a move taken by chance. Elsewhere the value of the
    search alone is the target."""
    chance = np.concatenate(([0], np.cumsum((shard.flags[: shard.moves] & CHANCE) != 0)))
    ends = chance[shard.starts[1:]][shard.game_of_position()[: shard.moves]]
    result = np.zeros(len(shard.cell), dtype=bool)
    result[: shard.moves] = ends == chance[:-1]
    return result


def held_out(shard: Shard) -> NDArray[np.bool_]:
    """For each game of the shard (not each move), whether its opening is held out."""
    out: NDArray[np.bool_] = opening_keys(shard) % np.uint64(HELD_OUT_EVERY) == 0
    return out


def position_keys(shard: Shard) -> _Keys:
    """The key of each position. Positions that are equal up to turning and mirroring have the same
    key; positions of another rule or size have other ones."""
    prefix, begins = _prefixes(shard)
    game = shard.game_of_position()
    on_game = begins[game] + np.diff(shard.opening_starts)[game] + shard.moves_before()
    keys = prefix[:, on_game] ^ prefix[:, begins[game]]
    first, lengths = shard.line_starts[:-1], np.diff(shard.line_starts)
    leaves = (shard.ply()[shard.moves :] - lengths) % 2  # who plays the first stone of the line
    colour = (np.repeat(leaves - first, lengths) + np.arange(len(shard.line))) % 2
    line = _accumulated(shard.head, shard.line.astype(np.int64), colour)
    keys[:, shard.moves :] ^= line[:, shard.line_starts[1:]] ^ line[:, first]
    return _canonical(shard.head, keys)


def opening_keys(shard: Shard) -> _Keys:
    """The key of the position after the opening of each game of the shard."""
    prefix, begins = _prefixes(shard)
    ends = begins + np.diff(shard.opening_starts)
    return _canonical(shard.head, prefix[:, ends] ^ prefix[:, begins])


def _prefixes(shard: Shard) -> tuple[_Keys, NDArray[np.int64]]:
    """All stones of the shard in order: for each symmetry the keys of all stones before each one,
    combined; and where each game begins."""
    begins = shard.opening_starts[:-1] + shard.starts[:-1]
    lengths = np.diff(shard.opening_starts) + np.diff(shard.starts)
    ply = np.arange(lengths.sum()) - np.repeat(begins, lengths)
    cells = np.empty(len(ply), dtype=np.int64)
    is_opening = ply < np.repeat(np.diff(shard.opening_starts), lengths)
    cells[is_opening] = shard.opening
    cells[~is_opening] = shard.cell[: shard.moves]
    return _accumulated(shard.head, cells, ply % 2), begins


def _accumulated(head: Head, cells: NDArray[np.int64], colour: NDArray[np.int64]) -> _Keys:
    """For each symmetry the keys of all stones before each one, combined, and of all of them."""
    images = _images(head)[:, cells]
    keys = _mix(images.astype(np.uint64) + np.uint64(_CELLS) * colour.astype(np.uint64))
    prefix = np.zeros((len(images), len(cells) + 1), dtype=np.uint64)
    np.bitwise_xor.accumulate(keys, axis=1, out=prefix[:, 1:])
    return prefix


def _canonical(head: Head, keys: _Keys) -> _Keys:
    board = np.array([head.rule, head.width, head.height], dtype=np.uint64)
    salt = _mix(board @ np.array([1 << 32, 1 << 40, 1 << 48], dtype=np.uint64))
    least: _Keys = keys.min(axis=0) ^ salt
    return least


def _images(head: Head) -> NDArray[np.int64]:
    """The image of every cell number under each symmetry of the board."""
    cell = np.arange(_CELLS)
    x, y = cell % ROW, cell // ROW
    far_x, far_y = head.width - 1 - x, head.height - 1 - y
    pairs = [(x, y), (far_x, y), (x, far_y), (far_x, far_y)]
    if head.width == head.height:
        pairs += [(b, a) for a, b in pairs]
    return np.array([b * ROW + a for a, b in pairs])


def _mix(numbers: _Keys) -> _Keys:
    """A hash of each number (the finaliser of splitmix64): the same on every machine."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
