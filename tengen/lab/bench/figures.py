"""The figures of `tengen bench --speed` and `--tree`.

Speed: pairs of make and undo per second, nodes per second.

Other programs can only make a measurement slower, so the best result counts: for make and undo, of
all short windows of a game; for nodes, of all rounds of a position. A round measures every group
once, so that a disturbance of a few seconds does not affect only one group.

Trees: how deep the search sees, and where its nodes go. Depths are those of completed iterations. A
node is a stone made, in VCF searches too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from statistics import fmean, geometric_mean

import psutil

from engine.api import Engine
from engine.features import make_undo_seconds
from engine.model import Limits, Position, SearchStats
from tengen.lab.bench.signature import GAMES, HASH_BYTES, group_of, load_positions

# A window plays a game and takes it back this many times. That lasts a few tenths of a millisecond,
# short enough that some windows are undisturbed even on a busy machine.
REPEATS = 20
WINDOWS = 40  # in a round

MAX_THREADS = 64  # an engine uses no more

TREE_NODES = 1_000_000
TARGET_PLIES = 12  # nodes and time are also measured to this depth
_FIRST_RATIO = 6  # earlier iterations are too small for the branching factor


# -- speed


class Meter:
    """Measures one group: plays and takes back its games, and searches its positions."""

    def __init__(self, games: list[Position], positions: list[Position]) -> None:
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
                took_s = make_undo_seconds(game, REPEATS)
                self._shortest_s[i] = min(self._shortest_s[i], took_s)

    def search(
        self, engine: Engine, turn_ms: int, clock_s: Callable[[], float] = time.process_time
    ) -> None:
        """One round of searching, timed by a clock: processor time, because think() searches in
        another thread, or the time that passes."""
        for i, position in enumerate(self._positions):
            engine.new_game()
            engine.set_position(position)
            started_s = clock_s()
            nodes = engine.think(Limits(turn_ms=turn_ms)).info.nodes
            took_s = clock_s() - started_s
            self._best_nodes_per_s[i] = max(self._best_nodes_per_s[i], nodes / max(took_s, 1e-6))
            self._nodes += nodes
            self._vcf_nodes += engine.last_search_stats.vcf_nodes

    @property
    def pairs_per_s(self) -> int:
        """Stones played and taken back per second, over whole games."""
        stones = sum(len(game.stones) for game in self._games)
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
    games: Iterable[Position],
    positions: Iterable[Position],
    rounds: int,
    turn_ms: int,
    threads: int = 1,
) -> dict[str, Meter]:
    """The speed of every group that has both games and positions.

    One engine searches everything, so that only the first search spends time on allocating its
    table. Several threads search together, so their nodes count by the time that passes; one
    thread's count by processor time.
    """
    clock_s = time.process_time if threads == 1 else time.perf_counter
    engine = Engine()
    engine.set_memory(None, HASH_BYTES)
    engine.set_threads(threads)
    recorded = by_group(games)
    quiet = by_group(positions)
    meters = {name: Meter(recorded[name], quiet[name]) for name in recorded if name in quiet}
    for _ in range(rounds):
        for meter in meters.values():
            meter.make_and_undo()
            meter.search(engine, turn_ms, clock_s)
    return meters


def by_group(positions: Iterable[Position]) -> dict[str, list[Position]]:
    """The positions by rule and size, in the order of the file."""
    groups: dict[str, list[Position]] = {}
    for position in positions:
        groups.setdefault(group_of(position), []).append(position)
    return groups


def speed_figures(
    positions: list[Position], rounds: int, turn_ms: int, threads: int
) -> dict[str, dict[str, float | int | None]]:
    """The figures of --speed, as in the JSON object. `core_share` is the share of a core that the
    measurement has had; 1.0 = all of it, more with several threads."""
    games = load_positions(GAMES, may_be_over=True)
    load = load_average()  # before this measurement adds to it
    with one_core() if threads == 1 else nullcontext() as core:
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        meters = measure(games, positions, rounds, turn_ms, threads)
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


# -- trees


@dataclass
class Tree:
    """Results of the searches of one group of positions."""

    depths_plies: list[int] = field(default_factory=list)
    seldepths_plies: list[int] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    stats: list[SearchStats] = field(default_factory=list)
    target_nodes: int = 0
    target_s: float = 0.0
    mates: int = 0

    def add(self, engine: Engine, position: Position, nodes: int) -> None:
        """Searches a position twice: with this many nodes, and to TARGET_PLIES."""
        engine.new_game()
        engine.set_position(position)
        info = engine.think(Limits(nodes=nodes)).info
        stats = engine.last_search_stats
        self.stats.append(stats)
        if info.score.mate_plies is not None:
            self.mates += 1  # the search ended early, so its depth is not counted
        else:
            self.depths_plies.append(info.depth_plies)
            self.seldepths_plies.append(info.seldepth_plies)
            at = stats.iteration_nodes[_FIRST_RATIO:]
            self.ratios += [after / before for before, after in zip(at, at[1:], strict=False)]
        engine.new_game()
        started_s = time.process_time()
        self.target_nodes += engine.think(Limits(depth_plies=TARGET_PLIES)).info.nodes
        self.target_s += time.process_time() - started_s

    def figures(self) -> dict[str, float | int | None]:
        """The figures of the group, as in the JSON object; shares are of 1."""
        return {
            "positions": len(self.stats),
            "mates": self.mates,
            "depth_plies": _mean(self.depths_plies),
            "seldepth_plies": _mean(self.seldepths_plies),
            "branching": round(geometric_mean(self.ratios), 2) if self.ratios else None,
            "nodes_to_target": self.target_nodes,
            "to_target_s": round(self.target_s, 2),
        }


def measure_trees(
    positions: Iterable[Position], nodes: int, tell: Callable[[str], None]
) -> dict[str, Tree]:
    """Searches every position; `tell` gets the name of each group before its first one."""
    engine = Engine()
    engine.set_memory(None, HASH_BYTES)
    trees: dict[str, Tree] = {}
    for position in positions:
        if (group := group_of(position)) not in trees:
            tell(group)
        trees.setdefault(group, Tree()).add(engine, position, nodes)
    return trees


def shares(trees: Iterable[Tree]) -> dict[str, float]:
    """Shares of nodes and stones over all groups, by name."""
    all_of = [stats for tree in trees for stats in tree.stats]

    def total(of: Callable[[SearchStats], int]) -> int:
        return sum(map(of, all_of))

    visits = total(lambda c: c.pv_nodes + c.cut_nodes + c.all_nodes)
    stones = total(lambda c: c.moves + c.vcf_nodes)
    leaf_searches = total(lambda c: c.leaf_vcf.searches)
    razor_searches = total(lambda c: c.razor_vcf.searches)
    fail_highs = total(lambda c: c.fail_highs)
    parts: tuple[tuple[str, Callable[[SearchStats], int], int], ...] = (
        ("stones made by the search itself", lambda c: c.moves, stones),
        ("stones of VCF searches at leaves", lambda c: c.leaf_vcf.nodes, stones),
        ("stones of VCF searches of razoring", lambda c: c.razor_vcf.nodes, stones),
        ("stones of VCF searches at the root", lambda c: c.root_vcf.nodes, stones),
        ("VCF searches at leaves: won", lambda c: c.leaf_vcf.wins, leaf_searches),
        ("VCF searches at leaves: met the limit", lambda c: c.leaf_vcf.limits, leaf_searches),
        ("VCF searches of razoring: won", lambda c: c.razor_vcf.wins, razor_searches),
        ("VCF searches of razoring: met the limit", lambda c: c.razor_vcf.limits, razor_searches),
        ("nodes: with an open window", lambda c: c.pv_nodes, visits),
        ("nodes: a fail-high is expected", lambda c: c.cut_nodes, visits),
        ("nodes: a fail-low is expected", lambda c: c.all_nodes, visits),
        ("nodes: leaves", lambda c: c.leaves, visits),
        ("nodes ended by: a static win", lambda c: c.wins, visits),
        ("nodes ended by: the table", lambda c: c.table_cuts, visits),
        ("nodes ended by: razoring", lambda c: c.razor_cuts, visits),
        ("nodes ended by: futility", lambda c: c.futility_cuts, visits),
        ("nodes ended by: multi-cut", lambda c: c.multi_cuts, visits),
        ("nodes ended by: a move that fails high", lambda c: c.fail_highs, visits),
        ("nodes whose late moves were skipped", lambda c: c.skips, visits),
        ("fail-highs by the first move", lambda c: c.first_move, fail_highs),
        ("moves that were reduced", lambda c: c.reduced, total(lambda c: c.moves)),
        ("reduced moves searched again", lambda c: c.again, total(lambda c: c.reduced)),
    )
    return {name: round(total(of) / max(1, whole), 4) for name, of, whole in parts}


def _mean(numbers: list[int]) -> float | None:
    return round(fmean(numbers), 2) if numbers else None
