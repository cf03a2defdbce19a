"""The review of one game, as one JSON value for its page."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.arena.report import compact, results
from tengen.arena.report.compact import Remark
from tengen.game.game import Game
from tengen.game.json_text import Record
from tengen.game.referee import BLACK, in_turns
from tengen.game.rules import RULE_TITLES

# Values are drawn in a chart whose middle half is about so many centi-stones to either side.
_SCALE = 220
# Piskvork's level of time for a player of whom nothing is known.
_PSQ_LEVEL = 11


def review_data(
    game: Game,
    analyst: str,
    title: str,
    lead: str,
    sentences: Sequence[str],
    remarks: Sequence[Remark],
) -> Record:
    """The value for a game, valid as JSON.

    game        whose nodes have by `report` the value of each move for the side that played it.
    analyst     whose values they are; the page shows all of them as Black's.
    lead        a line below the title, and `sentences`, what the review has found.
    ValueError for a game that the page cannot show (`require_shown`).
    """
    require_shown(game)
    game = game.copy()
    game.black, game.white = game.black or "Black", game.white or "White"
    names = list(dict.fromkeys(game.names))
    setting = (game.width, game.height, game.rule_number)
    return {
        "title": title,
        "analyst": analyst,
        "lead": lead,
        "sentences": list(sentences),
        "programs": [{"name": name, "psq_level": _PSQ_LEVEL} for name in names],
        "endings": results.endings(names, [game]),
        "scales": [_SCALE] * len(names),
        "setting": setting,
        "rules": {str(game.rule_number): RULE_TITLES[game.rule_number]},
        "games": [
            compact.compact_game(game, names, setting) | {"a": compact.compact_remarks(remarks)}
        ],
    }


def require_shown(game: Game) -> None:
    """ValueError for a game that the page cannot show: it shows games that begin with Black on the
    empty board, in turns."""
    in_order = in_turns(stone[:2] for stone in game.stones)
    if game.setup or in_order != game.stones or game.said_side not in (None, BLACK):
        raise ValueError("the page shows games that begin with Black on the empty board")
