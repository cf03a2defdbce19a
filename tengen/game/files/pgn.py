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

from engine.text import RULE_NAMES
from tengen.game.game import Game
from tengen.game.played import MatchFacts

_RESULTS = {"black": "0-1", "white": "1-0", "draw": "1/2-1/2"}
_COLUMNS = 79
# What readers take for the end of a text or undo, and blanks that they may drop.
_UNSAFE = re.compile(r'["\\%]|\A | \Z|(?<= ) ')


def write_pgn(game: Game) -> str:
    """The game with an empty line after it; ASCII but for names."""
    match, end = game.match or MatchFacts(), game.termination
    result = _RESULTS.get(game.result or "", "*")
    rule = RULE_NAMES[game.rule_number]
    date = game.date
    if match.began_at is not None:
        date = f"{datetime.fromtimestamp(match.began_at, UTC):%Y.%m.%d}"
    tags = {
        "Event": game.event or f"Gomoku, {rule}",
        "Site": game.site or match.host or "?",
        "Date": date or "????.??.??",
        "Round": str(match.index + 1),
        "White": game.white,
        "Black": game.black,
        "Result": result,
        "Board": f"{game.width}x{game.height}",
        "Termination": "unterminated" if end is None else end.value,
    }
    lines = [f'[{name} "{_quoted(text)}"]' for name, text in tags.items()]
    comment = textwrap.wrap(f"{{{' '.join(game.moves)}}}", _COLUMNS, break_long_words=False)
    return "\n".join([*lines, "", *comment, result, "", ""])


def _quoted(text: str) -> str:
    """A text within a tag, in one line; no other text is written the same."""
    plain = _UNSAFE.sub(lambda found: _percent(found[0]), text)
    return "".join(c if c.isprintable() else _percent(c) for c in plain)


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
