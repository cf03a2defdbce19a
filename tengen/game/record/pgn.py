"""Games as PGN, for programs that make ratings of them, such as Ordo and BayesElo.

Those read who played, and the result. The moves of this game are none of chess, so they stand in a
comment, which every reader passes over. White is who plays the white stones; Black begins.

Ordo and BayesElo compare names byte by byte and undo no backslashes, so names are in UTF-8, and
signs that a reader could take for something else are written as `%` and two hexadecimal digits for
each byte. So different names stay different.
"""

from __future__ import annotations

import re
import textwrap
from datetime import UTC, datetime

from engine.text import RULE_NAMES, point_name
from tengen.game.played import Termination
from tengen.game.record.game import Game
from tengen.game.referee import BLACK, WHITE

_RESULTS = {BLACK: "0-1", WHITE: "1-0", 0: "1/2-1/2"}
_COLUMNS = 79
# What readers take for the end of a text or undo, and blanks that they may drop.
_UNSAFE = re.compile(r'["\\%]|\A | \Z|(?<= ) ')


def to_pgn(game: Game) -> str:
    """The game with an empty line after it; ASCII but for names."""
    job, setting = game.job, game.setting
    is_void = game.termination is Termination.INTERRUPTED
    result = "*" if is_void else _RESULTS[game.winner]
    tags = {
        "Event": setting.event or f"Gomoku, {RULE_NAMES.get(setting.rule & ~2, str(setting.rule))}",
        "Site": setting.site or game.host or "?",
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
    """A text within a tag, in one line; no other text is written the same."""
    plain = _UNSAFE.sub(lambda found: _percent(found[0]), text)
    return "".join(c if c.isprintable() else _percent(c) for c in plain)


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
