"""Pictures of boards in text, which engine/text.py reads, set up for the referee and drawn."""

from __future__ import annotations

from engine.text import ParsedPosition
from tengen.game.referee import BLACK, CONTINUOUS_BIT, EMPTY, WALL, WHITE, Referee, set_up

_SIGNS = {EMPTY: ".", BLACK: "X", WHITE: "O", WALL: "#"}


def referee_of(drawing: ParsedPosition) -> Referee:
    """A referee with the stones and the rule of a picture; freestyle where it names none."""
    return set_up(drawing.width, drawing.height, drawing.rule or 0, drawing.stones)


def draw(board: Referee) -> str:
    """The picture of a board, with its rule, as engine.text reads it."""
    rows = (
        " ".join(_SIGNS[board.cell(x, y)] for x in range(board.width)) for y in range(board.height)
    )
    return f"rule: {board.rule & ~CONTINUOUS_BIT}\n" + "\n".join(rows) + "\n"
