"""How strong the programs are: ratings, Elo differences and the sequential test of a run."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tengen.arena.report.results import termination_word
from tengen.arena.stats.elo import Estimate, elo_estimate, first_player_advantage, los
from tengen.arena.stats.pentanomial import Pentanomial, pair_up
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.sprt import Model, Sprt
from tengen.game.record.failures import Failures
from tengen.game.record.recorded import RecordedGame

# The most points in the curve of a sequential test.
_COURSE_POINTS = 200


def head_to_head(names: Sequence[str], games: Sequence[RecordedGame]) -> dict[str, Any] | None:
    """Elo of the first program against the second, from pairs; None unless two programs have
    played pairs, or when all their games ended by a failure."""
    if len(names) != 2 or failure_reasons(games):
        return None
    pentanomial = Pentanomial.of_points(_pair_points(names[0], games))
    if not pentanomial.pairs:
        return None
    estimate = elo_estimate(pentanomial)
    return {
        "first": names[0],
        "second": names[1],
        **_estimate(estimate),
        "is_known": estimate.is_known,
        "text": str(estimate),
        "pentanomial": list(pentanomial.counts),
        "pairs": pentanomial.pairs,
        "los": los(pentanomial),
    }


def ratings(names: Sequence[str], games: Sequence[RecordedGame]) -> list[dict[str, Any]]:
    """All programs, the strongest first, each with its name, its Elo and the ends of the interval.

    Elo is None for a program with too few games, or all of whose games ended by a failure, and for
    all of them where games do not connect them or there are only two, whose Elo is that of
    `head_to_head`; those come last, by points.
    """
    found = {}
    unrated = failure_reasons(games)
    rated_games = [game for game in games if unrated.keys().isdisjoint(game.names)]
    with suppress(ValueError):
        if len(names) > 2:
            rated = rate(_pairings(rated_games))
            found = {rating.name: rating for rating in rated if rating.is_known}
    points = dict.fromkeys(names, 0.0)
    for game in games:
        for name in game.names:
            points[name] += game.points_of(name)
    rest = sorted((name for name in names if name not in found), key=lambda name: -points[name])
    unknown = {"elo": None, "low": None, "high": None}
    why = {name: "failures only" if name in unrated else "too few games" for name in names}
    known = [{"name": name, **_estimate(rating)} for name, rating in found.items()]
    return known + [{"name": name, **unknown, "why": why[name]} for name in rest]


def failure_reasons(games: Iterable[RecordedGame]) -> dict[str, str]:
    """The programs whose games say nothing about their strength, each with the reason in words."""
    failures = Failures()
    names: dict[str, None] = {}
    for game in games:
        names |= dict.fromkeys(game.names)
        loser = game.loser_name if game.is_failure else None
        word = termination_word(game.termination)
        failures.add(game.names, loser, f"{word}: {game.detail}" if game.detail else word)
    reasons = {name: failures.reason(name) for name in names}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def _pairings(games: Sequence[RecordedGame]) -> dict[tuple[str, str], Pentanomial]:
    """The complete pairs of games of every two programs."""
    results: defaultdict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for game in games:
        if game.pair is not None:
            first, second = sorted(game.names)
            results[first, second].append((game.pair, game.points_of(first)))
    return {names: pair_up(pairs)[0] for names, pairs in results.items()}


def first_move(games: Sequence[RecordedGame]) -> dict[str, Any] | None:
    """What moving first was worth in Elo, from pairs where there are any; None with too few games,
    or when all of them ended by a failure."""
    if all(game.is_failure for game in games):
        return None
    points: defaultdict[tuple[int, frozenset[str]], list[float]] = defaultdict(list)
    for game in games:
        if game.pair is not None:
            points[game.pair, frozenset(game.names)].append(game.points_of(game.black))
    complete = [sum(pair) for pair in points.values() if len(pair) == 2]
    if complete:
        estimate = elo_estimate(Pentanomial.of_points(complete))
    else:
        winners = [game.winner for game in games]
        black, white = winners.count("black"), winners.count("white")
        estimate = first_player_advantage(black, len(games) - black - white, white)
    if not estimate.is_known:
        return None
    return _estimate(estimate) | {"text": str(estimate), "by_pairs": bool(complete)}


def sequential_test(
    header: Mapping[str, Any], names: Sequence[str], games: Sequence[RecordedGame]
) -> dict[str, Any] | None:
    """The state of the run's sequential test and its course; None if the run had none.
    ValueError if the header describes it wrongly."""
    asked = header.get("sprt")
    if not asked or len(names) != 2:
        return None
    test = _read_test(asked)
    pairs = _pair_points(names[0], games)
    step = max(1, math.ceil(len(pairs) / _COURSE_POINTS))
    course = []
    pentanomial = Pentanomial()
    for number, points in enumerate(pairs, start=1):
        pentanomial = pentanomial.add(points)
        if number % step == 0 or number == len(pairs):
            course.append([number, round(test.llr(pentanomial), 4)])
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "model": test.model.value,
        "lower": test.lower,
        "upper": test.upper,
        "llr": test.llr(pentanomial),
        "verdict": test.verdict(pentanomial).value,
        "course": course,
    }


def _read_test(asked: Mapping[str, Any]) -> Sprt:
    try:
        fields = {key: asked[key] for key in ("alpha", "beta") if asked.get(key) is not None}
        model = Model(str(asked.get("model") or Model.LOGISTIC.value).lower())
        return Sprt(asked["elo0"], asked["elo1"], **fields, model=model)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the header's sprt cannot be read: {error!r}") from None


def _pair_points(name: str, games: Sequence[RecordedGame]) -> list[float]:
    """The points of one program in each complete pair, in the order of the pairs' last games."""
    results = [(game.pair, game.points_of(name)) for game in games if game.pair is not None]
    _ = pair_up(results)  # ValueError for impossible pairs
    first: dict[int, float] = {}
    found = []
    for pair, points in results:
        if pair in first:
            found.append(first[pair] + points)
        first[pair] = points
    return found


def _estimate(estimate: Estimate | Rating) -> dict[str, Any]:
    return {
        "elo": json_number(estimate.elo),
        "low": json_number(estimate.low),
        "high": json_number(estimate.high),
    }


def json_number(value: float) -> float | str:
    """The number, or a text that JavaScript's Number() reads, because JSON has no infinity."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
