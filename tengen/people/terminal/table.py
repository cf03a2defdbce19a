"""The board of a game as it is shown at the prompt, with a line that explains its marks."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from tengen.common.console import (
    Diagram,
    Layout,
    Signs,
    draw_board,
    palette_for,
    signs_for,
    star_points,
)
from tengen.game.referee import Cell
from tengen.people.session.game import Game


@dataclass(frozen=True)
class Look:
    """What the board shows.

    numbers     the numbers of the moves, where the terminal is wide enough.
    fouls       the points that renju forbids to Black.
    only_ascii  nothing but ASCII.
    """

    numbers: bool = True
    fouls: bool = True
    only_ascii: bool = False


def draw_game(console: Console, game: Game, look: Look, hint: Cell | None = None) -> Text:
    """The board as text for the console, no wider than the console if any layout fits."""
    palette = palette_for(console)
    signs = signs_for(console.encoding, look.only_ascii)
    layout = _layout(console.width, game, look, palette is not None)
    diagram = _diagram(game, look, signs, hint)
    text = draw_board(diagram, layout, signs, palette)
    if legend := _legend(diagram, layout, signs):
        text.append(f"\n   {legend}")
    return text


def _layout(width: int, game: Game, look: Look, in_colour: bool) -> Layout:
    """The first that fits, from the one that shows most."""
    choices = [Layout(), Layout(is_spaced=False)]
    if look.numbers:
        # Two digits from the start, so that the board keeps its width until the hundredth move.
        most = 3 if len(game.moves) > 99 else 2
        # In colour the numbers alone show the colours of the stones.
        choices[:0] = [Layout(digits, not in_colour) for digits in range(most, 1, -1)]
    fitting = [layout for layout in choices if layout.board_width(game.width) <= width]
    return fitting[0] if fitting else choices[-1]


def _diagram(game: Game, look: Look, signs: Signs, hint: Cell | None) -> Diagram:
    shows_fouls = look.fouls and game.outcome is None
    forbidden = game.board.forbidden_points() if shows_fouls else ()
    marks = dict.fromkeys(forbidden, signs.forbidden)
    if hint is not None:
        marks[hint] = signs.hint
    return Diagram(
        game.width,
        game.height,
        stones={(x, y): colour for x, y, colour in game.stones},
        numbers={cell: number for number, cell in enumerate(game.cells, start=1)},
        marks=marks,
        last=game.cells[-1] if game.cells else None,
        winning=game.outcome.line if game.outcome else (),
        stars=set(star_points(game.width, game.height)),
    )


def _legend(diagram: Diagram, layout: Layout, signs: Signs) -> str:
    parts = []
    if layout.has_signs:
        parts.append(f"{signs.black} Black  {signs.white} White")
    if signs.hint in diagram.marks.values():
        parts.append(f"{signs.hint} the hint")
    if signs.forbidden in diagram.marks.values():
        parts.append(f"{signs.forbidden} forbidden for Black")
    return "  ".join(parts)
