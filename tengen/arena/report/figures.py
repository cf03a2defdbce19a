"""The figures of a report: scores, pairings, how games ended; what programs used for their moves
(those of openings do not count); ratings, Elo differences and the sequential test."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import mean, median
from typing import NamedTuple

from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.stats.elo import elo_estimate, los
from tengen.arena.stats.pentanomial import Pairing, Pentanomial, Score
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.sprt import Sprt
from tengen.game.game import Game
from tengen.game.played import Report, Termination
from tengen.game.referee import BLACK, WHITE
from tengen.game.values import Record

# The most bars in a histogram of lengths.
_MOST_BARS = 30
_BAR_WIDTHS = (1, 2, 5, 10, 20, 50, 100)


def score_record(score: Score) -> Record:
    """A score as plain values."""
    return {"w": score.wins, "l": score.losses, "d": score.draws, "points": score.points}


def cross_table(names: Sequence[str], scores: Scoreboard) -> list[list[Record | None]]:
    """Row by row, each program's score against every other; None for two that have not met."""
    rows = [[scores.score_of(row, column) for column in names] for row in names]
    return [[None if cell is None else score_record(cell) for cell in row] for row in rows]


def endings(names: Sequence[str], scores: Scoreboard) -> list[Record]:
    """For each reason why games ended: its name, the number of games, and how often each program
    lost for that reason."""
    return [
        {
            "termination": "UNKNOWN" if end is None else end.name,
            "word": "unknown" if end is None else end.value,
            "failure": end is not None and end.is_failure,
            "games": scores.lost[end].total(),
            "lost": [scores.lost[end][name] for name in names],
            "draws": scores.lost[end][None],
        }
        for end in (*Termination, None)
        if end in scores.lost
    ]


def by_colour(names: Sequence[str], scores: Scoreboard) -> Record:
    """Black's results: over all games, and for each program with either colour; and what moving
    first was worth in Elo, from pairs: None with too few of them, or when all games ended by a
    failure."""
    black = scores.by_black
    both = [scores.standings[name].by_colour for name in names]
    return {
        "black": score_record(black),
        "score": black.points / black.games if black.games else None,
        "programs": [
            {"black": score_record(as_black), "white": score_record(as_white)}
            for as_black, as_white in both
        ],
        "elo": None if scores.first_move is None else str(scores.first_move),
    }


def pairs(games: Iterable[Game]) -> dict[str, int]:
    """How many pairs of games ended in which way.

    one_program  one program won both games;  one_colour  one colour won both, so that each program
    won one;  drawn  a game was drawn;  incomplete  only one game was played.
    """
    together: defaultdict[tuple[int, frozenset[str]], list[Game]] = defaultdict(list)
    for game in games:
        if (pair := game.pair) is not None:
            together[pair, frozenset(game.names)].append(game)
    counts = Counter(_pair_kind(pair) for pair in together.values())
    return {kind: counts[kind] for kind in ("one_program", "one_colour", "drawn", "incomplete")}


def _pair_kind(pair: Sequence[Game]) -> str:
    if len(pair) < 2:
        return "incomplete"
    winners = {game.winner_name for game in pair}
    if None in winners:
        return "drawn"
    return "one_program" if len(winners) == 1 else "one_colour"


def lengths(games: Sequence[Game]) -> Record | None:
    """Stones on the board at the end: mean, median and a histogram by winner; None without
    games."""
    if not games:
        return None
    counts = [len(game) for game in games]
    shortest, longest = min(counts), max(counts)
    width = next(
        (w for w in _BAR_WIDTHS if longest // w - shortest // w < _MOST_BARS), _BAR_WIDTHS[-1]
    )
    first = shortest // width
    bars = [[0, 0, 0] for _ in range(longest // width - first + 1)]
    for game in games:
        kind = {BLACK: 0, WHITE: 2}.get(game.winner, 1)
        bars[len(game) // width - first][kind] += 1
    return {
        "shortest": shortest,
        "longest": longest,
        "mean": round(mean(counts), 1),
        "median": median(counts),
        "from": first * width,
        "width": width,
        "bars": bars,
    }


# The bars of the histogram of times have equal width on a logarithmic scale.
BARS_PER_DECADE = 5
_SHORTEST_S = 1e-4
# Charts over the course of a game have one bar for so many stones.
STONES_PER_BAR = 10


class _Move(NamedTuple):
    """A move of a program: its place, and what is known about it."""

    game: int
    stone: int
    elapsed_s: float | None
    depth_plies: int | None
    nodes: int | None


def usage(names: Sequence[str], games: Iterable[Game], scores: Scoreboard) -> Record:
    """The figures of every program, and the edges of the bars of their histograms of time."""
    moves: defaultdict[str, list[_Move]] = defaultdict(list)
    for game in games:
        for i in range(game.opening_moves, len(game)):
            report = game[i].report or Report()
            move = _Move(game.number, i + 1, game[i].time_s, report.depth_plies, report.nodes)
            moves[game.names[i % 2]].append(move)
    edges = _edges([m.elapsed_s for own in moves.values() for m in own if m.elapsed_s is not None])
    peaks = [scores.standings[name].peak_bytes for name in names]
    return {
        "edges_s": edges,
        "stones_per_bar": STONES_PER_BAR,
        "programs": [
            _figures(moves[name], edges) | {"peak_mib": round(peak / 2**20) or None}
            for name, peak in zip(names, peaks, strict=True)
        ],
    }


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value such that so many percent of all values are not larger."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _edges(times: Sequence[float]) -> list[float]:
    """The edges of the bars, from one power of ten to another; empty without times."""
    if not times:
        return []
    low = math.floor(math.log10(max(min(times), _SHORTEST_S)) + 1e-9)
    high = max(math.ceil(math.log10(max(max(times), _SHORTEST_S)) - 1e-9), low + 1)
    steps = (high - low) * BARS_PER_DECADE
    return [round(10 ** (low + i / BARS_PER_DECADE), 9) for i in range(steps + 1)]


def _figures(own: Sequence[_Move], edges: Sequence[float]) -> Record:
    times = [(m.elapsed_s, m) for m in own if m.elapsed_s is not None]
    nodes = [m.nodes for m in own if m.nodes is not None]
    depths = [m.depth_plies for m in own if m.depth_plies is not None]
    both = [(m.nodes, m.elapsed_s) for m in own if m.nodes and m.elapsed_s]
    seconds = [s for s, _ in times]
    longest = max(times, key=lambda each: each[0])[1] if times else None
    return {
        "moves": len(own),
        "time": _summary(seconds) | {"game": longest.game, "move": longest.stone}
        if longest
        else None,
        "nodes": _summary(nodes) if nodes else None,
        "depth": _summary(depths) if depths else None,
        "nodes_per_s": round(sum(n for n, _ in both) / sum(s for _, s in both)) if both else None,
        "histogram": _histogram(seconds, edges),
        "time_by_stone": _by_stone((m.stone, m.elapsed_s) for m in own),
        "depth_by_stone": _by_stone((m.stone, m.depth_plies) for m in own),
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


def _by_stone(values: Iterable[tuple[int, float | None]]) -> list[float | None]:
    """The mean for stones 1 to 10, 11 to 20 and so on; None where there are no values."""
    groups: defaultdict[int, list[float]] = defaultdict(list)
    for stone, value in values:
        if value is not None:
            groups[(stone - 1) // STONES_PER_BAR].append(value)
    return [mean(groups[i]) if i in groups else None for i in range(max(groups, default=-1) + 1)]


def value_scales(names: Sequence[str], games: Iterable[Game]) -> list[float]:
    """For each program the value that three of four of its values do not exceed. The page scales
    values by it, to draw programs with different units in one chart."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for game in games:
        for i in range(game.opening_moves, len(game)):
            report = game[i].report or Report()
            if report.value is not None and report.mate_plies is None:
                sizes[game.names[i % 2]].append(abs(report.value))
    return [max(1, percentile(sizes[name], 75)) if sizes[name] else 1 for name in names]


# The most points in the curve of a sequential test.
_COURSE_POINTS = 200


def head_to_head(names: Sequence[str], scores: Scoreboard) -> Record | None:
    """Elo of the first program against the second, from pairs; None unless two programs have
    played pairs, or when all their games ended by a failure."""
    if len(names) != 2:
        return None
    pentanomial = scores.pentanomials.get((names[0], names[1]), Pentanomial())
    if not pentanomial.pairs:
        return None
    estimate = elo_estimate(pentanomial)
    return {
        "first": names[0],
        "second": names[1],
        "is_known": estimate.is_known,
        "text": str(estimate),
        "pentanomial": list(pentanomial.counts),
        "pairs": pentanomial.pairs,
        "los": los(pentanomial),
    }


def ratings(names: Sequence[str], scores: Scoreboard) -> list[Record]:
    """All programs, the strongest first, each with its name, its Elo and the ends of the interval.

    Elo is None for a program with too few games, or all of whose games ended by a failure, and for
    all of them where games do not connect them or there are only two, whose Elo is that of
    `head_to_head`; those come last, by points.
    """
    rated: list[Rating] = []
    with suppress(ValueError):
        if len(names) > 2:
            rated = [rating for rating in rate(scores.pentanomials) if rating.is_known]
    known: list[Record] = [
        {"name": r.name, "elo": r.elo, "low": r.low, "high": r.high} for r in rated
    ]
    rest = {*names} - {rating.name for rating in rated}
    return known + [
        {
            "name": name,
            "elo": None,
            "why": "failures only" if scores.why_unrated(name) else "too few games",
        }
        for name in sorted(names, key=lambda name: -scores.standings[name].points)
        if name in rest
    ]


def sequential_test(
    test: Sprt | None, names: Sequence[str], games: Sequence[Game]
) -> Record | None:
    """The state of the run's sequential test and its course; None if the run had none."""
    if test is None:
        return None
    pairing, course = Pairing(), []
    for game in games:
        if game.pair is not None and pairing.add_game(game.pair, game.points_of(names[0])):
            course.append([pairing.pentanomial.pairs, round(test.llr(pairing.pentanomial), 4)])
    step = max(1, math.ceil(len(course) / _COURSE_POINTS))
    return test.as_record(pairing.pentanomial) | {
        "course": [point for point in course if point[0] % step == 0 or point is course[-1]],
    }
