"""Speed: pairs of make and undo per second, nodes per second.

Other programs can only make a measurement slower, so the best result counts: for make and undo, of
all short windows of a game; for nodes, of all rounds of a position. A round measures every group
once, so that a disturbance of a few seconds does not affect only one group.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext

import psutil

from engine.api import Engine
from engine.model import Limits
from engine.trace import make_undo_seconds
from tengen.lab.bench.records import Record
from tengen.lab.bench.signature import HASH_BYTES

# A window plays a game and takes it back this many times. That lasts a few tenths of a millisecond,
# short enough that some windows are undisturbed even on a busy machine.
REPEATS = 20
WINDOWS = 40  # in a round

MAX_THREADS = 64  # an engine uses no more

QUIET = "middle"  # the kind of positions that nodes per second are measured on


class Meter:
    """Measures one group: plays and takes back its games, and searches its positions."""

    def __init__(self, games: list[Record], positions: list[Record]) -> None:
        self._games = games
        self._positions = positions
        self._shortest_s = [float("inf")] * len(games)
        self._best_nodes_per_s = [0.0] * len(positions)
        self._nodes = 0
        self._vcf_nodes = 0

    def make_and_undo(self) -> None:
        """One round of making and undoing."""
        for _ in range(WINDOWS):
            for i, game in enumerate(self._games):
                took_s = make_undo_seconds(game.position, REPEATS)
                self._shortest_s[i] = min(self._shortest_s[i], took_s)

    def search(
        self, engine: Engine, turn_ms: int, clock_s: Callable[[], float] = time.process_time
    ) -> None:
        """One round of searching, timed by a clock: processor time, because think() searches in
        another thread, or the time that passes."""
        for i, record in enumerate(self._positions):
            engine.new_game()
            engine.set_position(record.position)
            started_s = clock_s()
            nodes = engine.think(Limits(turn_ms=turn_ms)).info.nodes
            took_s = clock_s() - started_s
            self._best_nodes_per_s[i] = max(self._best_nodes_per_s[i], nodes / max(took_s, 1e-6))
            self._nodes += nodes
            self._vcf_nodes += engine.last_census.vcf_nodes

    @property
    def pairs_per_s(self) -> int:
        """Stones played and taken back per second, over whole games."""
        stones = sum(len(game.position.stones) for game in self._games)
        return round(REPEATS * stones / sum(self._shortest_s))

    @property
    def nodes_per_s(self) -> int:
        """Nodes per second, the mean of all positions."""
        return round(sum(self._best_nodes_per_s) / len(self._positions))

    @property
    def vcf_share(self) -> float:
        """The share of all nodes that are nodes of VCF searches."""
        return round(self._vcf_nodes / max(1, self._nodes), 3)


def measure(
    games: Iterable[Record],
    positions: Iterable[Record],
    rounds: int,
    turn_ms: int,
    threads: int = 1,
) -> dict[str, Meter]:
    """The speed of every group that has both games and quiet positions.

    One engine searches everything, so that only the first search spends time on allocating its
    table. Several threads search together, so their nodes count by the time that passes; one
    thread's count by processor time.
    """
    clock_s = time.process_time if threads == 1 else time.perf_counter
    engine = Engine()
    engine.set_memory(None, HASH_BYTES)
    engine.set_threads(threads)
    recorded = by_group(games)
    quiet = by_group(record for record in positions if record.kind == QUIET)
    meters = {name: Meter(recorded[name], quiet[name]) for name in recorded if name in quiet}
    for _ in range(rounds):
        for meter in meters.values():
            meter.make_and_undo()
            meter.search(engine, turn_ms, clock_s)
    return meters


def by_group(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records by rule and size, in the order of the file."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.group, []).append(record)
    return groups


def speed_figures(
    records: list[Record], games: list[Record], rounds: int, turn_ms: int, threads: int
) -> dict[str, dict[str, float | int | None]]:
    """The figures of --speed, as in the JSON object. `core_share` is the share of a core that the
    measurement has had; 1.0 = all of it, more with several threads."""
    load = load_average()  # before this measurement adds to it
    with one_core() if threads == 1 else nullcontext() as core:
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        meters = measure(games, records, rounds, turn_ms, threads)
        cpu_s, wall_s = time.process_time() - cpu_s, time.perf_counter() - wall_s
    return {
        "make_undo_pairs_per_s": {name: meter.pairs_per_s for name, meter in meters.items()},
        "nodes_per_s": {name: meter.nodes_per_s for name, meter in meters.items()},
        "vcf_share": {name: meter.vcf_share for name, meter in meters.items()},
        "machine": {
            "cores": os.cpu_count(),
            "load": None if load is None else round(load, 2),
            "pinned_to": core,
            "threads": threads,
            "core_share": round(cpu_s / max(wall_s, 1e-6), 3),
        },
    }


@contextmanager
def one_core() -> Iterator[int | None]:
    """Keeps this process on one core and yields its number, or None where the system cannot.

    It is the last core that the process may use: systems tend to serve devices on the first ones.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)


def load_average() -> float | None:
    """The load average of the last minute: how many processes wanted a core. None where the system
    does not count it."""
    try:
        return float(psutil.getloadavg()[0])
    except (OSError, RuntimeError, psutil.Error):  # the performance counters of Windows are off
        return None
