"""What programs used for their moves: time, nodes and depth. Moves of openings do not count."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median

from tengen.game.game import Game
from tengen.game.json_text import Record

# The bars of the histogram of times have equal width on a logarithmic scale.
BARS_PER_DECADE = 5
_SHORTEST_S = 1e-4
# Charts over the course of a game have one bar for so many stones.
STONES_PER_BAR = 10


@dataclass
class _Moves:
    """The moves of one program; the lists have one entry for each move."""

    stones: list[int] = field(default_factory=list)
    elapsed_s: list[float | None] = field(default_factory=list)
    depth_plies: list[int | None] = field(default_factory=list)
    nodes: list[int | None] = field(default_factory=list)
    longest: tuple[float, int, int] = (-1.0, 0, 0)
    peak_bytes: list[int] = field(default_factory=list)


def usage(names: Sequence[str], games: Iterable[Game]) -> Record:
    """The figures of every program, and the edges of the bars of their histograms of time."""
    moves: defaultdict[str, _Moves] = defaultdict(_Moves)
    for game in games:
        for i in range(game.opening_moves, len(game)):
            _add_move(moves[game.names[i % 2]], game, i)
        peaks = game.match.peak_bytes if game.match else ()
        for name, peak_bytes in zip(game.names, peaks, strict=False):
            if peak_bytes:
                moves[name].peak_bytes.append(peak_bytes)
    times = [s for own in moves.values() for s in own.elapsed_s if s is not None]
    edges = _edges(times)
    return {
        "edges_s": edges,
        "stones_per_bar": STONES_PER_BAR,
        "programs": [_figures(moves[name], edges) for name in names],
    }


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value such that so many percent of all values are not larger."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _add_move(own: _Moves, game: Game, i: int) -> None:
    elapsed_s, report = game[i].time_s, game[i].report
    own.stones.append(i + 1)
    own.elapsed_s.append(elapsed_s)
    own.depth_plies.append(report.depth_plies if report else None)
    own.nodes.append(report.nodes if report else None)
    if elapsed_s is not None and elapsed_s > own.longest[0]:
        own.longest = elapsed_s, game.number, i + 1


def _edges(times: Sequence[float]) -> list[float]:
    """The edges of the bars, from one power of ten to another; empty without times."""
    if not times:
        return []
    low = math.floor(math.log10(max(min(times), _SHORTEST_S)) + 1e-9)
    high = max(math.ceil(math.log10(max(max(times), _SHORTEST_S)) - 1e-9), low + 1)
    steps = (high - low) * BARS_PER_DECADE
    return [round(10 ** (low + i / BARS_PER_DECADE), 9) for i in range(steps + 1)]


def _figures(own: _Moves, edges: Sequence[float]) -> Record:
    times = [s for s in own.elapsed_s if s is not None]
    nodes = [n for n in own.nodes if n is not None]
    depths = [d for d in own.depth_plies if d is not None]
    both = [(n, s) for n, s in zip(own.nodes, own.elapsed_s, strict=True) if n and s]
    return {
        "moves": len(own.stones),
        "time": _summary(times) | {"game": own.longest[1], "move": own.longest[2]}
        if times
        else None,
        "nodes": _summary(nodes) if nodes else None,
        "depth": _summary(depths) if depths else None,
        "nodes_per_s": round(sum(n for n, _ in both) / sum(s for _, s in both)) if both else None,
        "peak_mib": round(max(own.peak_bytes) / 2**20) if own.peak_bytes else None,
        "histogram": _histogram(times, edges),
        "time_by_stone": _by_stone(own.stones, own.elapsed_s),
        "depth_by_stone": _by_stone(own.stones, own.depth_plies),
    }


def _summary(values: Sequence[float]) -> Record:
    return {
        "total": sum(values),
        "mean": mean(values),
        "median": median(values),
        "p95": percentile(values, 95),
        "max": max(values),
    }


def _histogram(times: Sequence[float], edges: Sequence[float]) -> list[int]:
    """How many times fall between each two edges; times below the first edge count in the first
    bar."""
    bars = [0] * max(0, len(edges) - 1)
    for s in times:
        bars[min(max(bisect_right(edges, s) - 1, 0), len(bars) - 1)] += 1
    return bars


def _by_stone(stones: Sequence[int], values: Sequence[float | None]) -> list[float | None]:
    """The mean for stones 1 to 10, 11 to 20 and so on; None where there are no values."""
    groups: defaultdict[int, list[float]] = defaultdict(list)
    for stone, value in zip(stones, values, strict=True):
        if value is not None:
            groups[(stone - 1) // STONES_PER_BAR].append(value)
    return [mean(groups[i]) if i in groups else None for i in range(max(groups, default=-1) + 1)]


def value_scales(names: Sequence[str], games: Iterable[Game]) -> list[float]:
    """For each program the value that three of four of its values do not exceed. The page scales
    values by it, to draw programs with different units in one chart."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for game in games:
        for i in range(game.opening_moves, len(game)):
            report = game[i].report
            if report is not None and report.value is not None and report.mate_plies is None:
                sizes[game.names[i % 2]].append(abs(report.value))
    return [max(1, percentile(sizes[name], 75)) if sizes[name] else 1 for name in names]
