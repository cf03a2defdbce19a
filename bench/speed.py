"""Speed: pairs of make and undo a second, nodes a second.

What disturbs a measurement only ever adds time, so the best counts: of every game's short windows
for make and undo, of every position's rounds for nodes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from bench.records import Record
from bench.signature import HASH_BYTES
from engine.api import Engine, make_undo_seconds
from engine.model import Limits

# A window plays a game so often and takes it back: a few tenths of a millisecond, so that some
# windows of a busy machine are free of others.
REPEATS = 20
WINDOWS = 40  # a round

QUIET = "middle"  # the kind of positions that nodes a second are measured on


@dataclass(frozen=True)
class NodeSpeed:
    """How fast a group of positions was searched; vcf_share is that of the nodes in VCF."""

    nodes_per_s: int
    vcf_share: float


def by_group(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records by rule and size, in the order of the file."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.group, []).append(record)
    return groups


def make_undo_speed(games: list[Record], rounds: int) -> int:
    """Stones made and taken back a second, over whole games, by the shortest window of each."""
    shortest_s = [float("inf")] * len(games)
    for _ in range(rounds * WINDOWS):
        for i, game in enumerate(games):
            shortest_s[i] = min(shortest_s[i], make_undo_seconds(game.position, REPEATS))
    stones = sum(len(game.position.stones) for game in games)
    return round(REPEATS * stones / sum(shortest_s))


def node_speed(positions: list[Record], rounds: int, turn_ms: int) -> NodeSpeed:
    """Nodes a second of processor time; each position is searched for `turn_ms` in every round,
    and its best round counts.

    One engine searches all: only the first search pays for the memory of the table.
    """
    engine = Engine()
    engine.set_memory(None, HASH_BYTES)
    best = [0.0] * len(positions)
    nodes = vcf_nodes = 0
    for _ in range(rounds):
        for i, record in enumerate(positions):
            engine.new_game()
            engine.set_position(record.position)
            started_s = time.thread_time()
            result = engine.think(Limits(turn_ms=turn_ms))
            took_s = time.thread_time() - started_s
            best[i] = max(best[i], result.info.nodes / max(took_s, 1e-6))
            nodes += result.info.nodes
            vcf_nodes += engine.last_vcf_nodes
    return NodeSpeed(round(sum(best) / len(best)), vcf_nodes / max(1, nodes))
