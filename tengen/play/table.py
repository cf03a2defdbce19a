"""The board as one sees it: stones with their numbers, coordinates all round, marks, and colours
where the terminal has them. Whatever colours say is also said by signs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.text import Text

from tengen.play.game import Game
from tengen.rules.points import column_letter
from tengen.rules.referee import BLACK, Cell


@dataclass(frozen=True)
class Signs:
    """One character each."""

    black: str
    white: str
    empty: str
    star: str
    forbidden: str
    hint: str = "!"
    last: tuple[str, str] = ("[", "]")
    winning: str = "*"

    def stone(self, colour: int) -> str:
        """The stone of a colour."""
        return self.black if colour == BLACK else self.white


UNICODE = Signs("●", "○", "·", "+", "×")
ASCII = Signs("X", "O", ".", "+", "f")


@dataclass(frozen=True)
class Colours:
    """Styles of rich, by what they are for."""

    board: str
    black: str
    white: str
    black_number: str
    white_number: str
    mark: str
    winning: str


_RICH = Colours(
    board="grey30 on rgb(214,176,112)",
    black="bold black on rgb(214,176,112)",
    white="bold bright_white on rgb(214,176,112)",
    black_number="bright_white on rgb(20,20,20)",
    white_number="black on rgb(250,250,250)",
    mark="bold rgb(170,0,0) on rgb(214,176,112)",
    winning="bold black on rgb(120,220,120)",
)
# Terminals with sixteen colours: by their names, since the nearest ones to those above are not told
# apart.
_PLAIN = Colours(
    board="black on yellow",
    black="bold black on yellow",
    white="bold bright_white on yellow",
    black_number="bright_white on black",
    white_number="black on white",
    mark="bold red on yellow",
    winning="bold black on green",
)


@dataclass(frozen=True)
class Look:
    """What the board shows.

    numbers     stones carry the numbers of their moves, where the terminal is wide enough.
    fouls       points that renju forbids to Black are marked.
    only_ascii  no signs but those of ASCII.
    """

    numbers: bool = True
    fouls: bool = True
    only_ascii: bool = False


@dataclass(frozen=True)
class _Layout:
    """digits: of the numbers, 0 = none. spaced: with a column between cells, for marks."""

    digits: int
    with_signs: bool
    is_spaced: bool = True

    @property
    def cell_width(self) -> int:
        return self.digits + self.with_signs if self.digits else 1

    def board_width(self, columns: int) -> int:
        """With the rows' numbers on both sides."""
        between = columns + 1 if self.is_spaced else 2
        return 2 + between + columns * self.cell_width + 3


def signs_for(console: Console, look: Look) -> Signs:
    """Those that the terminal can show."""
    return ASCII if look.only_ascii or not console.encoding.startswith("utf") else UNICODE


def draw_board(console: Console, game: Game, look: Look, hint: Cell | None = None) -> Text:
    """The board as text for the console, row 1 at the bottom, with a line that explains marks; the
    text holds no line wider than the console if any layout fits."""
    colours = _colours(console)
    layout = _layout(console.width, game, look, colours is not None)
    return _Drawing(game, look, signs_for(console, look), colours, layout, hint).text()


def _colours(console: Console) -> Colours | None:
    if console.color_system is None or console.no_color:
        return None
    return _PLAIN if console.color_system in ("standard", "windows") else _RICH


def _layout(width: int, game: Game, look: Look, in_colour: bool) -> _Layout:
    """The first that fits, from the one that tells most."""
    choices = [_Layout(0, True), _Layout(0, True, is_spaced=False)]
    if look.numbers:
        # Two digits from the start, so that the board keeps its width until the hundredth move.
        wanted = 3 if len(game.moves) > 99 else 2
        # In colour the numbers alone tell the colours of the stones.
        choices[:0] = [_Layout(n, not in_colour) for n in range(wanted, 1, -1)]
    fitting = [layout for layout in choices if layout.board_width(game.width) <= width]
    return fitting[0] if fitting else choices[-1]


class _Drawing:
    """One board being drawn."""

    def __init__(
        self,
        game: Game,
        look: Look,
        signs: Signs,
        colours: Colours | None,
        layout: _Layout,
        hint: Cell | None,
    ) -> None:
        self._game = game
        self._signs = signs
        self._colours = colours
        self._layout = layout
        self._hint = hint
        self._numbers = {(move.x, move.y): i for i, move in enumerate(game.moves, start=1)}
        self._stones = {(move.x, move.y): move.colour for move in game.moves}
        self._last = (game.moves[-1].x, game.moves[-1].y) if game.moves else None
        self._winning = game.outcome.line if game.outcome else ()
        shows_fouls = look.fouls and game.outcome is None
        self._forbidden = game.board.forbidden_points() if shows_fouls else set()
        self._stars = set(star_points(game.width, game.height))

    def text(self) -> Text:
        """Rows from the top, then the columns' letters, then what the marks mean."""
        text = Text(no_wrap=True, overflow="ignore")
        for y in range(self._game.height):
            self._add_row(text, y)
        text.append("  ")
        for x in range(self._game.width):
            indent = self._layout.cell_width + (1 if self._layout.is_spaced or x == 0 else 0)
            text.append(column_letter(x).rjust(indent))
        if legend := self._legend():
            text.append(f"\n{legend}")
        return text

    def _add_row(self, text: Text, y: int) -> None:
        label = str(self._game.height - y)
        parts = [(label.rjust(2), "")]
        for x in range(self._game.width):
            if self._layout.is_spaced or x == 0:
                parts.append(self._gap((x - 1, y), (x, y)))
            parts.append(self._cell((x, y)))
        parts.append(self._gap((self._game.width - 1, y), (self._game.width, y)))
        parts.append((f" {label}\n", ""))
        # One change of colour where it changes, not one for each cell.
        for style, run in groupby(parts, key=lambda part: part[1]):
            text.append("".join(sign for sign, _ in run), style)

    def _gap(self, left: Cell, right: Cell) -> tuple[str, str]:
        """What stands between two cells: the mark of one of them, or nothing."""
        colours = self._colours
        if self._layout.is_spaced:
            for cell, sign in ((right, self._signs.last[0]), (left, self._signs.last[1])):
                if cell == self._last:
                    return sign, colours.mark if colours else ""
            if right in self._winning:
                return self._signs.winning, colours.mark if colours else ""
        return " ", colours.board if colours else ""

    def _cell(self, cell: Cell) -> tuple[str, str]:
        colour = self._stones.get(cell)
        width = self._layout.cell_width
        if colour is None:
            sign, style = self._empty(cell)
            return sign.rjust(width), style
        number = str(self._numbers[cell])
        if len(number) > self._layout.digits > 0:
            number = number[-self._layout.digits :]
        sign = self._signs.stone(colour) if self._layout.with_signs else ""
        shown = (sign + number) if self._layout.digits else sign
        return shown.rjust(width), self._stone_style(cell, colour)

    def _stone_style(self, cell: Cell, colour: int) -> str:
        colours = self._colours
        if colours is None:
            return ""
        if cell in self._winning:
            return colours.winning
        if self._layout.digits:
            return colours.black_number if colour == BLACK else colours.white_number
        return colours.black if colour == BLACK else colours.white

    def _empty(self, cell: Cell) -> tuple[str, str]:
        colours, signs = self._colours, self._signs
        if cell == self._hint:
            return signs.hint, colours.mark if colours else ""
        if cell in self._forbidden:
            return signs.forbidden, colours.mark if colours else ""
        sign = signs.star if cell in self._stars else signs.empty
        return sign, colours.board if colours else ""

    def _legend(self) -> str:
        signs = self._signs
        parts = []
        if not self._layout.digits or self._layout.with_signs:
            parts.append(f"{signs.black} Black  {signs.white} White")
        if self._hint is not None:
            parts.append(f"{signs.hint} the hint")
        if self._forbidden:
            parts.append(f"{signs.forbidden} forbidden for Black")
        return "   " + "  ".join(parts) if parts else ""


def star_points(width: int, height: int) -> Iterator[Cell]:
    """The points that boards mark to help the eye: the centre, and the fourth ones from the corners
    of boards large enough."""
    if width % 2 and height % 2:
        yield width // 2, height // 2
    if min(width, height) >= 13:
        for x in (3, width - 4):
            for y in (3, height - 4):
                yield x, y
