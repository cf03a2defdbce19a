"""Trees: how deep the search sees, and where its nodes go.

Depths are those of completed iterations. A node is a stone made, in VCF searches too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import fmean, geometric_mean

from engine.api import Engine
from engine.model import Census, Limits
from tengen.lab.bench.records import Record
from tengen.lab.bench.signature import HASH_BYTES

TREE_NODES = 1_000_000
TARGET_PLIES = 12  # nodes and time are also measured to this depth
_FIRST_RATIO = 6  # earlier iterations are too small for the branching factor


@dataclass
class Tree:
    """Results of the searches of one group of positions."""

    depths_plies: list[int] = field(default_factory=list)
    seldepths_plies: list[int] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    censuses: list[Census] = field(default_factory=list)
    target_nodes: int = 0
    target_s: float = 0.0
    mates: int = 0

    def add(self, engine: Engine, record: Record, nodes: int) -> None:
        """Searches a position twice: with this many nodes, and to TARGET_PLIES."""
        engine.new_game()
        engine.set_position(record.position)
        info = engine.think(Limits(nodes=nodes)).info
        census = engine.last_census
        self.censuses.append(census)
        if info.score.mate_plies is not None:
            self.mates += 1  # the search ended early, so its depth is not counted
        else:
            self.depths_plies.append(info.depth_plies)
            self.seldepths_plies.append(info.seldepth_plies)
            at = census.iteration_nodes[_FIRST_RATIO:]
            self.ratios += [after / before for before, after in zip(at, at[1:], strict=False)]
        engine.new_game()
        started_s = time.process_time()
        self.target_nodes += engine.think(Limits(depth_plies=TARGET_PLIES)).info.nodes
        self.target_s += time.process_time() - started_s

    def figures(self) -> dict[str, float | int | None]:
        """The figures of the group, as in the JSON object; shares are of 1."""
        return {
            "positions": len(self.censuses),
            "mates": self.mates,
            "depth_plies": _mean(self.depths_plies),
            "seldepth_plies": _mean(self.seldepths_plies),
            "branching": round(geometric_mean(self.ratios), 2) if self.ratios else None,
            "nodes_to_target": self.target_nodes,
            "to_target_s": round(self.target_s, 2),
        }


def measure_trees(
    records: Iterable[Record], nodes: int, tell: Callable[[str], None]
) -> dict[str, Tree]:
    """Searches every position; `tell` gets the name of each group before its first one."""
    engine = Engine()
    engine.set_memory(None, HASH_BYTES)
    trees: dict[str, Tree] = {}
    for record in records:
        if record.group not in trees:
            tell(record.group)
        trees.setdefault(record.group, Tree()).add(engine, record, nodes)
    return trees


def shares(trees: Iterable[Tree]) -> dict[str, float]:
    """Shares of nodes and stones over all groups, by name."""
    all_of = [census for tree in trees for census in tree.censuses]

    def total(of: Callable[[Census], int]) -> int:
        return sum(map(of, all_of))

    visits = total(lambda c: c.pv_nodes + c.cut_nodes + c.all_nodes)
    stones = total(lambda c: c.moves + c.vcf_nodes)
    leaf_searches = total(lambda c: c.leaf_vcf.searches)
    razor_searches = total(lambda c: c.razor_vcf.searches)
    fail_highs = total(lambda c: c.fail_highs)
    parts: tuple[tuple[str, Callable[[Census], int], int], ...] = (
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
