"""Results: scores, pairings, how games ended, the first player's score, and lengths of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean, median

from tengen.arena.stats.score import Score
from tengen.game.files import psq
from tengen.game.game import Game
from tengen.game.json_text import Record
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE

# The most bars in a histogram of lengths.
_MOST_BARS = 30
_BAR_WIDTHS = (1, 2, 5, 10, 20, 50, 100)


def score_record(score: Score) -> Record:
    """A score as plain values."""
    return {"w": score.wins, "l": score.losses, "d": score.draws, "points": score.points}


def scores(names: Sequence[str], games: Iterable[Game]) -> dict[str, Score]:
    """Each program's score over all games."""
    found = {name: Score() for name in names}
    for game in games:
        for name in game.names:
            found[name].add(game.points_of(name))
    return found


def cross_table(names: Sequence[str], games: Iterable[Game]) -> list[list[Record | None]]:
    """Row by row, each program's score against every other; None for two that have not met."""
    cells: defaultdict[tuple[str, str], Score] = defaultdict(Score)
    for game in games:
        cells[game.black, game.white].add(game.points_of(game.black))
        cells[game.white, game.black].add(game.points_of(game.white))
    return [
        [score_record(cells[row, column]) if (row, column) in cells else None for column in names]
        for row in names
    ]


def endings(names: Sequence[str], games: Iterable[Game]) -> list[Record]:
    """For each reason why games ended: its name, its code in psq files, the number of games, and
    how often each program lost for that reason."""
    losers: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
    for game in games:
        losers[game.ending][game.loser_name] += 1
    known = Termination.__members__
    names_known = [name for name in known if name in losers]
    return [
        {
            "termination": termination,
            "word": termination_word(termination),
            "failure": termination in known and known[termination].is_failure,
            "psq_code": psq.end_code(known.get(termination)),
            "games": losers[termination].total(),
            "lost": [losers[termination][name] for name in names],
            "draws": losers[termination][None],
        }
        for termination in names_known + sorted(losers.keys() - known.keys())
    ]


def termination_word(termination: str) -> str:
    """The name of an ending for people; for an unknown one, its name in the record."""
    known = Termination.__members__.get(termination)
    return known.value if known is not None else termination.lower().replace("_", " ")


def failures(names: Sequence[str], games: Iterable[Game]) -> list[Record]:
    """Every game lost by a failure: its number, the loser's index, the reason, and the number of
    stones."""
    return [
        {
            "game": game.number,
            "loser": names.index(game.loser_name),
            "word": termination_word(game.ending),
            "detail": game.detail,
            "moves": len(game),
        }
        for game in games
        if game.is_failure and game.loser_name is not None
    ]


def by_colour(names: Sequence[str], games: Sequence[Game]) -> Record:
    """Black's results: over all games, and for each program with either colour."""
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
            {"black": score_record(as_black), "white": score_record(as_white)}
            for as_black, as_white in own.values()
        ],
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
