"""The results of a run as text: the score while it is played, the tables at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.sprt import Sprt
from tengen.common.console import print_table
from tengen.game.played import Termination
from tengen.game.record.game import Game
from tengen.game.record.numbers import counted
from tengen.game.referee import BLACK, WHITE

if TYPE_CHECKING:
    from tengen.arena.stats.elo import Estimate


def print_line(console: Console, line: str | Text) -> None:
    """Prints one line unchanged: not wrapped, and without reading markup in names."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def game_line(game: Game, total: int, scores: Scoreboard) -> str:
    """A game in one line, with the score of its two programs so far."""
    job = game.job
    result = {BLACK: f"{job.black} wins", WHITE: f"{job.white} wins"}.get(game.winner, "draw")
    how = game.termination.value + (f" ({game.detail})" if game.detail else "")
    score = pairing_score(scores, *sorted((job.black, job.white), key=list(scores.standings).index))
    return (
        f"game {job.index + 1}/{total}  {job.black} (black) - {job.white} (white):"
        f" {result}, {how}, {counted(len(game.moves), 'stone')}   [{score}]"
    )


def pairing_score(scores: Scoreboard, first: str, second: str) -> str:
    """The points of two programs against each other: `A 3 - 1.5 B`."""
    pairing = scores.pairings.get((first, second))
    if pairing is None:
        return f"{first} 0 - 0 {second}"
    half = pairing.draws / 2
    return f"{first} {pairing.wins + half:g} - {pairing.losses + half:g} {second}"


def state_line(scores: Scoreboard, sprt: Sprt | None) -> str:
    """The state of a run: the score of two programs with Elo and the test, or the leaders."""
    names = list(scores.standings)
    if len(names) > 2:
        ranked = sorted(scores.standings.values(), key=lambda s: -s.points)
        return ", ".join(f"{s.name} {s.points:g}/{s.games}" for s in ranked[:4])
    parts = [pairing_score(scores, names[0], names[1])]
    if scores.why_unrated(names[0]):
        return "   ".join([*parts, "no Elo: all games ended by a failure"])
    pairing = scores.pairings.get((names[0], names[1]))
    if pairing is not None and pairing.pentanomial.pairs:
        estimate = _elo(pairing.pentanomial)
        if estimate.is_known:
            parts.append(f"Elo {estimate}")
        if sprt is not None:
            llr = sprt.llr(pairing.pentanomial)
            parts.append(f"LLR {llr:z.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})")
    return "   ".join(parts)


def _elo(pentanomial: Pentanomial) -> Estimate:
    from tengen.arena.stats.elo import elo_estimate

    return elo_estimate(pentanomial)


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
        f"{count} {reason.value}"
        for reason in Termination
        if (count := scores.terminations[reason])
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
    line = f"won by black {scores.won_by_colour(BLACK)}, by white {scores.won_by_colour(WHITE)}"
    if not all(map(scores.why_unrated, scores.standings)):
        estimate = _elo(scores.by_black.pentanomial)
        if estimate.is_known:
            line += f"; playing first is worth {estimate} Elo"
    print_line(console, line)
    if single := sum(pairing.single_games for pairing in scores.pairings.values()):
        it = "it has" if single == 1 else "they have"
        print_line(
            console, f"{counted(single, 'game')} left out of Elo: {it} no second one of the pair"
        )


def _print_duel(console: Console, scores: Scoreboard, sprt: Sprt | None) -> None:
    (first, second), *_ = list(scores.pairings) or [("", "")]
    if not first:
        return
    from tengen.arena.stats.elo import los, pairs_needed

    pentanomial = scores.pairings[first, second].pentanomial
    if pentanomial.pairs:
        pairs = counted(pentanomial.pairs, "pair")
        print_line(console, f"{pairs}, LL LD split WD WW: {pentanomial}")
    estimate = _elo(pentanomial)
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
    from tengen.arena.stats.ratings import rate

    for name in scores.standings:
        if reason := scores.why_unrated(name):
            print_line(console, f"no rating of {name}: {reason}")
    if not any(pairs.pairs for pairs in scores.pentanomials.values()):
        print_line(console, "no ratings: there is no complete pair of games to count")
        return
    try:
        ratings = rate(scores.pentanomials, anchors)
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
