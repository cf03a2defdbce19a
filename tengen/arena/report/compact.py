"""Games as short JSON values, for a page that holds thousands of them.

Each game is an object whose keys are letters; unknown and empty values are left out:

    g  number        b, w  indices of the programs     r  result: b, w or d
    t  termination   x     the failure in words        p  pair, counted from one
    s  [width, height, rule] where they differ from those of most games
    o  stones of the opening
    m  moves, two letters each: column and row from the top left, a = 0
    l  cells of the winning line, written as moves
    a  what a review says about moves, by their numbers: {mark, text, better}, the last one a line
       that would have been better, written as moves
    v, d, n, e   value, depth in plies, nodes and milliseconds of each move, joined by commas. The
                 value is that of the side that moved; M5 is a win with the fifth stone from there,
                 -M4 a loss. The milliseconds round to those of psq and sgf files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tengen.game.game import Game
from tengen.game.json_text import Record
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE, Cell

Setting = tuple[int, int, int]


@dataclass(frozen=True)
class Remark:
    """What a review says about a move.

    number  of the move, from one.
    mark    one or two signs, such as `?`, and `text`, a sentence.
    better  a line that would have been better, the same side's move first; may be empty.
    """

    number: int
    mark: str
    text: str
    better: tuple[Cell, ...] = ()


def common_setting(games: Iterable[Game]) -> Setting:
    """The width, height and rule of most games; 15, 15 and freestyle if there are no games."""
    counts = Counter((game.width, game.height, game.rule_number) for game in games)
    return counts.most_common(1)[0][0] if counts else (15, 15, 0)


def compact_game(game: Game, names: Sequence[str], common: Setting) -> Record:
    """One game as short values."""
    reports = [node.report for node in game]
    pair = game.pair
    record: Record = {
        "g": game.number,
        "b": names.index(game.black),
        "w": names.index(game.white),
        "r": {BLACK: "b", WHITE: "w"}.get(game.winner, "d"),
        "t": game.ending,
        "o": game.opening_moves,
        "m": _letters(stone[:2] for stone in game.stones),
        "p": None if pair is None else pair + 1,
        "s": None
        if (setting := (game.width, game.height, game.rule_number)) == common
        else setting,
        "l": _letters(winning_line(game)),
        "x": game.detail,
        "v": _joined([report and report.score_text for report in reports]),
        "d": _joined([report and report.depth_plies for report in reports]),
        "n": _joined([report and report.nodes for report in reports]),
        "q": _joined([report and report.line for report in reports]),
        "e": _joined([_milliseconds(game, i) for i in range(len(game))]),
    }
    return {key: value for key, value in record.items() if value not in (None, "")}


def compact_remarks(remarks: Iterable[Remark]) -> dict[str, dict[str, str]]:
    """Remarks as a game's short values have them."""
    return {
        str(each.number): {"mark": each.mark, "text": each.text, "better": _letters(each.better)}
        for each in remarks
    }


def winning_line(game: Game) -> list[Cell]:
    """The cells of the winning line, found by the referee; empty for games that ended otherwise,
    and for records with impossible moves."""
    if game.termination is not Termination.FIVE:
        return []
    try:
        line = game.end.position().winning_line()
    except ValueError:
        return []
    return [(point.x, point.y) for point in line]


def _letters(cells: Iterable[Cell]) -> str:
    return "".join(chr(ord("a") + x) + chr(ord("a") + y) for x, y in cells)


def _joined(values: Sequence[object]) -> str:
    """The values joined by commas, empty where unknown; an empty text if all are unknown."""
    words = ["" if value is None else str(value).removeprefix("+") for value in values]
    return ",".join(words) if any(words) else ""


def _milliseconds(game: Game, i: int) -> str | None:
    elapsed_s = game[i].time_s
    if elapsed_s is None or i < game.opening_moves:
        return None
    ms = elapsed_s * 1000
    text = f"{ms:.{0 if elapsed_s >= 0.1 else 1}f}"
    # Rounding twice can give another number; such a time keeps all its digits.
    return text if round(float(text)) == round(ms) else repr(ms)
