"""What the games came to: scores, pairings, how games ended, who began, how long they were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any

from tengen.record.recorded import RecordedGame
from tengen.record.termination import Termination
from tengen.stats.score import Score

# A histogram of lengths has at most so many bars.
_MOST_BARS = 30
_BAR_WIDTHS = (1, 2, 5, 10, 20, 50, 100)


def score_record(score: Score) -> dict[str, Any]:
    """A score as plain values."""
    return {"w": score.wins, "l": score.losses, "d": score.draws, "points": score.points}


def full_record(score: Score) -> dict[str, Any]:
    """A score as plain values, with the number of its games."""
    return score_record(score) | {"games": score.games}


def scores(names: Sequence[str], games: Iterable[RecordedGame]) -> dict[str, Score]:
    """Each program's score over all games."""
    found = {name: Score() for name in names}
    for game in games:
        for name in game.names:
            found[name].add(game.points_of(name))
    return found


def cross_table(
    names: Sequence[str], games: Iterable[RecordedGame]
) -> list[list[dict[str, Any] | None]]:
    """Row by row each program's score against each; None where two have not met."""
    cells: defaultdict[tuple[str, str], Score] = defaultdict(Score)
    for game in games:
        cells[game.black, game.white].add(game.points_of(game.black))
        cells[game.white, game.black].add(game.points_of(game.white))
    return [
        [score_record(cells[row, column]) if (row, column) in cells else None for column in names]
        for row in names
    ]


def endings(names: Sequence[str], games: Iterable[RecordedGame]) -> list[dict[str, Any]]:
    """For each way to end: its word, how many games, and how often each program lost by it."""
    losers: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
    for game in games:
        losers[game.termination][game.loser_name] += 1
    known = [name for name in Termination.__members__ if name in losers]
    rows = []
    for termination in known + sorted(losers.keys() - set(known)):
        counter = losers[termination]
        rows.append(
            {
                "termination": termination,
                "word": termination_word(termination),
                "failure": is_failure(termination),
                "games": counter.total(),
                "lost": [counter[name] for name in names],
                "draws": counter[None],
            }
        )
    return rows


def termination_word(termination: str) -> str:
    """How people call an ending; an unknown one by its name."""
    known = Termination.__members__.get(termination)
    return known.value if known is not None else termination.lower().replace("_", " ")


def is_failure(termination: str) -> bool:
    """Whether a loser lost so by misbehaving."""
    known = Termination.__members__.get(termination)
    return known is not None and known.is_failure


def failures(names: Sequence[str], games: Iterable[RecordedGame]) -> list[dict[str, Any]]:
    """Every game lost by misbehaving: its number, the loser's index, why, and when."""
    return [
        {
            "game": game.number,
            "loser": names.index(game.loser_name),
            "word": termination_word(game.termination),
            "detail": game.detail,
            "moves": len(game.moves),
        }
        for game in games
        if game.is_failure and game.loser_name is not None
    ]


def by_colour(names: Sequence[str], games: Sequence[RecordedGame]) -> dict[str, Any]:
    """The first player's results, all together and for each program with either colour."""
    black = Score()
    own = {name: (Score(), Score()) for name in names}
    for game in games:
        black.add(game.points_of(game.black))
        own[game.black][0].add(game.points_of(game.black))
        own[game.white][1].add(game.points_of(game.white))
    return {
        "black": score_record(black),
        "score": black.share if black.games else None,
        "programs": [
            {"black": score_record(own[name][0]), "white": score_record(own[name][1])}
            for name in names
        ],
    }


def pairs(games: Iterable[RecordedGame]) -> dict[str, int]:
    """Complete pairs, by what came of them.

    one_program  both games won by one program;  one_colour  both won by the colour, so that each
    program won one;  drawn  a game was drawn;  incomplete  only one game was played.
    """
    together: defaultdict[tuple[int, frozenset[str]], list[RecordedGame]] = defaultdict(list)
    for game in games:
        if game.pair is not None:
            together[game.pair, frozenset(game.names)].append(game)
    counts = Counter(_pair_kind(pair) for pair in together.values())
    return {kind: counts[kind] for kind in ("one_program", "one_colour", "drawn", "incomplete")}


def _pair_kind(pair: Sequence[RecordedGame]) -> str:
    if len(pair) < 2:
        return "incomplete"
    winners = {game.winner_name for game in pair}
    if None in winners:
        return "drawn"
    return "one_program" if len(winners) == 1 else "one_colour"


def lengths(games: Sequence[RecordedGame]) -> dict[str, Any] | None:
    """Stones on the board at the end: figures, and a histogram by winner; None without games."""
    if not games:
        return None
    counts = [len(game.moves) for game in games]
    shortest, longest = min(counts), max(counts)
    width = next(
        (w for w in _BAR_WIDTHS if longest // w - shortest // w < _MOST_BARS), _BAR_WIDTHS[-1]
    )
    first = shortest // width
    bars = [[0, 0, 0] for _ in range(longest // width - first + 1)]
    for game in games:
        kind = {"black": 0, "white": 2}.get(game.winner or "", 1)
        bars[len(game.moves) // width - first][kind] += 1
    return {
        "shortest": shortest,
        "longest": longest,
        "mean": round(mean(counts), 1),
        "median": median(counts),
        "from": first * width,
        "width": width,
        "bars": bars,
    }
