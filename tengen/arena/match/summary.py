"""The tables at the end of a run, and the document that `--json` prints (docs/FORMATS.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

from rich.console import Console

from tengen.arena.match.plan import Plan
from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.stats.elo import Estimate, elo_estimate, los, pairs_needed
from tengen.arena.stats.pentanomial import Pairing
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.sprt import Sprt
from tengen.common.console import print_line, print_table
from tengen.game.played import Termination
from tengen.game.values import Record, counted


def print_result(
    console: Console,
    scores: Scoreboard,
    limits: Sequence[tuple[str, str]],
    sprt: Sprt | None = None,
    anchors: Mapping[str, float] | None = None,
) -> None:
    """Prints the tables at the end of a run.

    limits   (name, limits in words) of each program.
    sprt     the sequential test of the run.
    anchors  known ratings; those of a tournament are counted from them.
    """
    if not scores.games:
        print_line(console, "0 games have ended, so there is no result")
        return
    _print_standings(console, scores, limits)
    ends = [
        f"{scores.lost[reason].total()} {reason.value}"
        for reason in Termination
        if reason in scores.lost
    ]
    print_line(console, f"{counted(scores.games, 'game')}, ended by: {', '.join(ends)}")
    _print_colours(console, scores)
    if line := str(scores.repeats):
        print_line(console, line)
    if len(limits) == 2:
        _print_duel(console, scores, sprt)
    else:
        _print_tournament(console, scores, anchors or {})
    for number, loser, why in scores.failures:
        print_line(console, f"game {number}: {loser} lost by {why}")


def _print_standings(
    console: Console, scores: Scoreboard, limits: Sequence[tuple[str, str]]
) -> None:
    rows = []
    for name, limit in limits:
        own = scores.standings[name]
        counts = f"{own.points:g}", str(own.wins), str(own.losses), str(own.draws)
        rows.append((name, limit, *counts, f"{own.mean_s:.3f}", f"{own.longest_s:.3f}"))
    heads = ("program", "limits", "points", "won", "lost", "drawn", "s/move", "longest s")
    print_table(console, heads, rows, (0,), left=(1,), is_ruled=True)


def _print_colours(console: Console, scores: Scoreboard) -> None:
    line = f"won by black {scores.by_black.wins}, by white {scores.by_black.losses}"
    if (estimate := scores.first_move) is not None:
        line += f"; playing first is worth {estimate} Elo"
    print_line(console, line)
    if single := sum(pairing.single_games for pairing in scores.pairings.values()):
        it = "it has" if single == 1 else "they have"
        print_line(
            console, f"{counted(single, 'game')} left out of Elo: {it} no second one of the pair"
        )


def _print_duel(console: Console, scores: Scoreboard, sprt: Sprt | None) -> None:
    [((first, _), pairing)] = scores.pairings.items()
    pentanomial = pairing.pentanomial
    if pentanomial.pairs:
        pairs = counted(pentanomial.pairs, "pair")
        print_line(console, f"{pairs}, LL LD split WD WW: {pentanomial}")
    estimate = elo_estimate(pentanomial)
    if reason := scores.why_unrated(first):
        print_line(console, f"no Elo: {reason}")
    elif not estimate.is_known:
        needed = 2 * pairs_needed(pentanomial)
        print_line(console, f"no Elo: too few games; {needed} or more would give one")
    else:
        print_line(
            console,
            f"Elo of {first}: {estimate} (95 %),"
            f" likelihood of superiority {100 * los(pentanomial):.1f} %",
        )
    if sprt is not None:
        print_line(
            console,
            f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model.value}, alpha {sprt.alpha:g}, beta"
            f" {sprt.beta:g}: LLR {sprt.llr(pentanomial):z.2f} ({sprt.lower:.2f} to"
            f" {sprt.upper:.2f}), {sprt.verdict(pentanomial).value}",
        )


def _print_tournament(console: Console, scores: Scoreboard, anchors: Mapping[str, float]) -> None:
    for name in scores.standings:
        if reason := scores.why_unrated(name):
            print_line(console, f"no rating of {name}: {reason}")
    try:
        ratings = _ratings(scores, anchors)
    except ValueError as error:
        print_line(console, f"no ratings: {error}")
        return
    rows = []
    for r in ratings:
        interval = f"{r.low:+z.0f} to {r.high:+z.0f}" if r.is_known else "too few games"
        elo = f"{r.elo:+z.0f}" if r.is_known else ""
        rows.append((r.name, elo, interval, str(r.games), f"{r.points:g}"))
    heads = ("program", "rating", "95 %", "games", "points")
    print_table(console, heads, rows, (0,), is_ruled=True)


# Changes when programs that read the document have to change.
FORMAT = 1


def result_record(
    plan: Plan,
    scores: Scoreboard,
    anchors: Mapping[str, float] | None = None,
) -> Record:
    """The result of all games that were counted; `anchors` as for `print_result`."""
    ratings: dict[str, Rating] = {}
    if len(plan.programs) > 2:
        with suppress(ValueError):
            ratings = {each.name: each for each in _ratings(scores, anchors or {})}
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
        "won_by_black": scores.by_black.wins,
        "won_by_white": scores.by_black.losses,
        "first_move": None if scores.first_move is None else _elo_record(scores.first_move),
        "terminations": {
            reason.name: scores.lost[reason].total()
            for reason in Termination
            if reason in scores.lost
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
    program = plan.by_name[name]
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
        "rating": None if rating is None else _elo_record(rating),
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
        "elo": _elo_record(estimate) if is_rated else None,
        "superiority": los(pairs) if is_known else None,
        "games_needed": 2 * pairs_needed(pairs) if is_rated and not is_known else None,
    }


def _elo_record(estimate: Estimate | Rating) -> dict[str, float | None] | None:
    """Elo with its interval; None for an end, or an Elo, that is infinite, and None alone where
    there were too few games."""
    if not estimate.is_known:
        return None
    figures = {"elo": estimate.elo, "low": estimate.low, "high": estimate.high}
    return {key: round(x, 2) if math.isfinite(x) else None for key, x in figures.items()}


def _ratings(scores: Scoreboard, anchors: Mapping[str, float]) -> list[Rating]:
    """The ratings of a tournament. ValueError where games do not connect the programs."""
    if not any(pairs.pairs for pairs in scores.pentanomials.values()):
        raise ValueError("there is no complete pair of games to count")
    return rate(scores.pentanomials, anchors)


def _sprt(plan: Plan, scores: Scoreboard) -> Record | None:
    if plan.sprt is None or not scores.pairings:
        return None
    [pairing] = scores.pairings.values()
    return plan.sprt.as_record(pairing.pentanomial)
