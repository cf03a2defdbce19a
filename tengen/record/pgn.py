"""Games as PGN, for programs that make ratings of them, such as Ordo and BayesElo.

Those read who played, and the result. The moves of this game are none of chess, so they stand in a
comment, which every reader passes over. White is who plays the white stones; Black begins.
"""

from __future__ import annotations

import textwrap
from datetime import UTC, datetime

from tengen.record.game import Game
from tengen.record.termination import Termination
from tengen.rules.names import RULE_NAMES
from tengen.rules.points import point_name
from tengen.rules.referee import BLACK, WHITE

_RESULTS = {BLACK: "0-1", WHITE: "1-0", 0: "1/2-1/2"}
_COLUMNS = 79


def to_pgn(game: Game) -> str:
    """The game with an empty line after it, in ASCII."""
    job, setting = game.job, game.setting
    is_void = game.termination is Termination.INTERRUPTED
    result = "*" if is_void else _RESULTS[game.winner]
    tags = {
        "Event": f"Gomoku, {RULE_NAMES.get(setting.rule & ~2, str(setting.rule))}",
        "Site": game.host or "?",
        "Date": f"{datetime.fromtimestamp(game.began_at, UTC):%Y.%m.%d}",
        "Round": str(job.index + 1),
        "White": job.white,
        "Black": job.black,
        "Result": result,
        "Board": f"{setting.width}x{setting.height}",
        "Termination": game.termination.value,
    }
    moves = " ".join(point_name((move.x, move.y), setting.height) for move in game.moves)
    lines = [f'[{name} "{_quoted(text)}"]' for name, text in tags.items()]
    comment = textwrap.wrap(f"{{{moves}}}", _COLUMNS, break_long_words=False)
    return "\n".join([*lines, "", *comment, result, "", ""])


def _quoted(text: str) -> str:
    """A text within a tag: ASCII, in one line, and without what readers take for its end."""
    clean = "".join(c if c.isprintable() and c.isascii() else "?" for c in text)
    return clean.replace("\\", "/").replace('"', "'")
