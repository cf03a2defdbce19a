"""The ladder as a table, and the text above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tengen.arena.match.plan import Plan
from tengen.arena.match.tally import Standing, Tally
from tengen.arena.stats.ratings import Rating, counted_from, rate
from tengen.game.record.numbers import counted as games_of
from tengen.game.record.termination import Termination
from tengen.game.rules.names import RULE_TITLES


class Rung(NamedTuple):
    """One entrant on the ladder, with its rating counted from the entrant at zero."""

    rating: Rating
    results: Standing
    limits: str


def rungs(plan: Plan, tally: Tally, zero: str | None) -> list[Rung]:
    """All entrants, the strongest first. ValueError if one has no rating: it has no complete pair
    of games, or all its games ended by a failure."""
    ratings = rate(tally.pentanomials)
    missing = sorted(set(plan.names) - {rating.name for rating in ratings})
    for name in missing:
        if reason := tally.why_unrated(name):
            raise ValueError(f"no rating of {name}: {reason}")
    if missing:
        raise ValueError(
            f"no ratings: {', '.join(missing)} without a complete pair of games; play two games or"
            " more for each pairing"
        )
    if zero is not None:
        ratings = counted_from(zero, ratings)
    limits = {program.name: program.limits_text for program in plan.programs}
    return [Rung(each, tally.standings[each.name], limits[each.name]) for each in ratings]


def table(ladder: Sequence[Rung]) -> str:
    """The ladder as a Markdown table."""
    rows = [
        "| | Entrant | Limit | Rating | 95 % interval | Score | Won | Lost | Drawn |",
        "|---:|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for place, (r, results, limits) in enumerate(ladder, start=1):
        interval = f"{_elo(r.low)} to {_elo(r.high)}" if r.is_known else "too few games"
        rows.append(
            f"| {place} | {r.name} | {limits} | {_elo(r.elo)} | {interval}"
            f" | {100 * results.points / results.games:.1f} %"
            f" | {results.wins} | {results.losses} | {results.draws} |"
        )
    return "\n".join(rows)


def conditions(plan: Plan, tally: Tally, zero: str | None) -> str:
    """The conditions of the run, and how its games ended, as a sentence or two."""
    setting = plan.setting
    rule = RULE_TITLES[setting.rule & ~2]
    ends = ", ".join(
        f"{count} {reason.value}" for reason in Termination if (count := tally.terminations[reason])
    )
    total = plan.schedule().total
    played = f"{tally.games:,}" if tally.games == total else f"{tally.games:,} of {total:,}"
    counted = f" Ratings are counted from `{zero}`." if zero else " The mean of all ratings is 0."
    return (
        f"{setting.width}×{setting.height}, {rule}, a round robin of {len(plan.names)} with"
        f" {games_of(plan.games, 'game')} for each pairing, every opening with both colours:"
        f" {played} games, ended by {ends or 'nothing yet'}; {len(tally.failures)} lost by a"
        f" failure.{counted}"
    )


def _elo(value: float) -> str:
    """A rating to the nearest whole number, with a true minus sign."""
    return f"{round(value)}".replace("-", "\N{MINUS SIGN}")
