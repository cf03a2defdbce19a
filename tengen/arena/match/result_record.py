"""The result of a run as plain values: the document that `--json` prints (docs/FORMATS.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tengen.arena.match.plan import Plan
from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.stats.elo import Estimate, elo_estimate, los, pairs_needed
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.score import Pairing
from tengen.game.json_text import Record
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE

# Changes when programs that read the document have to change.
FORMAT = 1


def result_record(
    plan: Plan,
    scores: Scoreboard,
    anchors: Mapping[str, float] | None = None,
) -> Record:
    """The result of all games that were counted; `anchors` as for `print_result`."""
    ratings = _ratings(plan, scores, anchors or {})
    return {
        "format": FORMAT,
        "games": scores.games,
        "rule": plan.setting.rule,
        "width": plan.setting.width,
        "height": plan.setting.height,
        "programs": [_program(plan, scores, name, ratings.get(name)) for name in plan.names],
        "pairings": [
            _pairing(names, pairing, not any(map(scores.why_unrated, names)))
            for names, pairing in scores.pairings.items()
        ],
        "won_by_black": scores.won_by_colour(BLACK),
        "won_by_white": scores.won_by_colour(WHITE),
        "first_move": _elo(elo_estimate(scores.by_black.pentanomial)),
        "terminations": {
            reason.name: count for reason in Termination if (count := scores.terminations[reason])
        },
        "sprt": _sprt(plan, scores),
        "repeated_games": scores.repeats.count,
        "failures": [
            {"game": number, "loser": loser, "reason": why}
            for number, loser, why in scores.failures
        ],
    }


def _program(plan: Plan, scores: Scoreboard, name: str, rating: Rating | None) -> Record:
    own = scores.standings[name]
    [program] = [each for each in plan.programs if each.name == name]
    return {
        "name": name,
        "command": list(program.command),
        "limits": program.limits_text,
        "version": dict(plan.versions).get(name),
        "settings": dict(plan.settings).get(name),
        "points": own.points,
        "won": own.wins,
        "lost": own.losses,
        "drawn": own.draws,
        "moves": own.moves,
        "mean_move_s": round(own.mean_s, 6),
        "longest_move_s": round(own.longest_s, 6),
        "peak_bytes": own.peak_bytes or None,
        "rating": None if rating is None else _elo(rating),
        "why_unrated": scores.why_unrated(name),
    }


def _pairing(names: tuple[str, str], pairing: Pairing, is_rated: bool) -> Record:
    pairs = pairing.pentanomial
    estimate = elo_estimate(pairs)
    is_known = is_rated and estimate.is_known
    return {
        "first": names[0],
        "second": names[1],
        "won": pairing.wins,
        "lost": pairing.losses,
        "drawn": pairing.draws,
        "pairs": list(pairs.counts),
        "elo": _elo(estimate) if is_rated else None,
        "superiority": los(pairs) if is_known else None,
        "games_needed": 2 * pairs_needed(pairs) if is_rated and not is_known else None,
    }


def _elo(estimate: Estimate | Rating) -> dict[str, float | None] | None:
    """Elo with its interval; None for an end, or an Elo, that is infinite, and None alone where
    there were too few games."""
    if not estimate.is_known:
        return None
    figures = {"elo": estimate.elo, "low": estimate.low, "high": estimate.high}
    return {key: round(x, 2) if math.isfinite(x) else None for key, x in figures.items()}


def _ratings(plan: Plan, scores: Scoreboard, anchors: Mapping[str, float]) -> dict[str, Rating]:
    """The ratings of a tournament by name; none where games do not connect the programs."""
    if len(plan.programs) == 2 or not any(pairs.pairs for pairs in scores.pentanomials.values()):
        return {}
    try:
        ratings = rate(scores.pentanomials, anchors)
    except ValueError:
        return {}
    return {rating.name: rating for rating in ratings}


def _sprt(plan: Plan, scores: Scoreboard) -> Record | None:
    if plan.sprt is None or not scores.pairings:
        return None
    [pairing] = scores.pairings.values()
    return plan.sprt.as_record(pairing.pentanomial)
