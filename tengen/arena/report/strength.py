"""How strong the programs are: ratings, Elo differences and the sequential test of a run."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tengen.arena.report.results import scores, termination_word
from tengen.arena.stats.elo import Estimate, elo_estimate, los
from tengen.arena.stats.failures import Failures
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.score import Pairing
from tengen.arena.stats.sprt import Model, Sprt
from tengen.game.game import Game
from tengen.game.json_text import Record

# The most points in the curve of a sequential test.
_COURSE_POINTS = 200


def head_to_head(names: Sequence[str], games: Sequence[Game]) -> Record | None:
    """Elo of the first program against the second, from pairs; None unless two programs have
    played pairs, or when all their games ended by a failure."""
    if len(names) != 2 or failure_reasons(games):
        return None
    pentanomial = _pairings(games).get((names[0], names[1]), Pentanomial())
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


def ratings(names: Sequence[str], games: Sequence[Game]) -> list[Record]:
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
            pairings = _pairings(rated_games)
            rated = rate({names: pairings[names] for names in pairings if names[0] < names[1]})
            found = {rating.name: rating for rating in rated if rating.is_known}
    own = scores(names, games)
    rest = sorted((name for name in names if name not in found), key=lambda name: -own[name].points)
    unknown = {"elo": None, "low": None, "high": None}
    why = {name: "failures only" if name in unrated else "too few games" for name in names}
    known = [{"name": name, **_estimate(rating)} for name, rating in found.items()]
    return known + [{"name": name, **unknown, "why": why[name]} for name in rest]


def failure_reasons(games: Iterable[Game]) -> dict[str, str]:
    """The programs whose games say nothing about their strength, each with the reason in words."""
    failures = Failures()
    names: dict[str, None] = {}
    for game in games:
        names |= dict.fromkeys(game.names)
        loser = game.loser_name if game.is_failure else None
        word = termination_word(game.ending)
        failures.add(game.names, loser, f"{word}: {game.detail}" if game.detail else word)
    reasons = {name: failures.reason(name) for name in names}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def _pairings(games: Sequence[Game]) -> dict[tuple[str, str], Pentanomial]:
    """The complete pairs of games of every two programs, seen from each of them."""
    found: defaultdict[tuple[str, str], Pairing] = defaultdict(Pairing)
    for game in games:
        if game.pair is not None:
            for first, second in (game.names, game.names[::-1]):
                found[first, second].add_game(game.pair, game.points_of(first))
    return {names: pairing.pentanomial for names, pairing in found.items()}


def first_move(games: Sequence[Game]) -> Record | None:
    """What moving first was worth in Elo, from pairs; None with too few of them, or when all games
    ended by a failure."""
    if all(game.is_failure for game in games):
        return None
    by_black = Pairing()
    for game in games:
        if game.pair is not None:
            by_black.add_game((game.pair, frozenset(game.names)), game.points_of(game.black))
    estimate = elo_estimate(by_black.pentanomial)
    return _estimate(estimate) | {"text": str(estimate)} if estimate.is_known else None


def sequential_test(
    header: Mapping[str, Any], names: Sequence[str], games: Sequence[Game]
) -> Record | None:
    """The state of the run's sequential test and its course; None if the run had none.
    ValueError if the header describes it wrongly."""
    asked = header.get("sprt")
    if not asked or len(names) != 2:
        return None
    test = _read_test(asked)
    pairing, course = Pairing(), []
    for game in games:
        if game.pair is not None and pairing.add_game(game.pair, game.points_of(names[0])):
            course.append([pairing.pentanomial.pairs, round(test.llr(pairing.pentanomial), 4)])
    step = max(1, math.ceil(len(course) / _COURSE_POINTS))
    return test.as_record(pairing.pentanomial) | {
        "course": [point for point in course if point[0] % step == 0 or point is course[-1]],
    }


def _read_test(asked: Mapping[str, Any]) -> Sprt:
    try:
        fields = {key: asked[key] for key in ("alpha", "beta") if asked.get(key) is not None}
        model = Model(str(asked.get("model") or Model.LOGISTIC.value).lower())
        return Sprt(asked["elo0"], asked["elo1"], **fields, model=model)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the header's sprt cannot be read: {error!r}") from None


def _estimate(estimate: Estimate | Rating) -> Record:
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
