"""The picture of a board as SVG, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from engine.text import column_letter
from tengen.game.referee import BLACK, WALL, WHITE, Cell

_WOOD, _LINE, _RED = "#e3bf7b", "#6b4f22", "#c62828"
_FILL = {BLACK: "#111", WHITE: "#fafafa"}
_INK = {BLACK: "#fff", WHITE: "#111"}
_LAST_INK = {BLACK: "#ff6b60", WHITE: _RED}


@dataclass(frozen=True)
class Picture:
    """What a picture shows.

    stones   BLACK, WHITE or WALL by cell; `last` and `winning` are stones that stand out.
    numbers  of the moves, by cell.
    marks    texts on stones and empty cells, an empty one for a ring.
    """

    width: int
    height: int
    stones: Mapping[Cell, int]
    last: Cell | None = None
    winning: Collection[Cell] = ()
    numbers: Mapping[Cell, int] = field(default_factory=dict)
    marks: Mapping[Cell, str] = field(default_factory=dict)

    def svg(self, cell_px: int) -> str:
        """The picture, with `cell_px` pixels from one line to the next."""
        unit, wide, high = cell_px, (self.width + 1) * cell_px, (self.height + 1) * cell_px
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
            f' height="{high}" font-family="sans-serif" text-anchor="middle">',
            f'<rect width="{wide}" height="{high}" fill="{_WOOD}"/>',
        ]
        lines = [f"M{(x + 1) * unit} {unit}V{self.height * unit}" for x in range(self.width)]
        lines += [f"M{unit} {(y + 1) * unit}H{self.width * unit}" for y in range(self.height)]
        parts.append(f'<path d="{"".join(lines)}" stroke="{_LINE}" fill="none"/>')
        for x in range(self.width):
            parts.append(_text(x, -0.7, column_letter(x), 0.34, _LINE, unit))
        for y in range(self.height):
            parts.append(_text(-0.7, y, str(self.height - y), 0.34, _LINE, unit))
        for cell, colour in self.stones.items():
            parts += self._stone(cell, colour, unit)
        for cell, words in self.marks.items():
            parts += self._mark(cell, words, unit)
        return "".join([*parts, "</svg>"])

    def _stone(self, cell: Cell, colour: int, unit: int) -> list[str]:
        x, y = cell
        if colour == WALL:
            left, top = (x + 0.5) * unit, (y + 0.5) * unit
            square = f'x="{left:g}" y="{top:g}" width="{unit}" height="{unit}"'
            return [f'<rect {square} fill="#777"/>']
        is_winning = cell in self.winning
        edge = f'stroke="{_RED if is_winning else _LINE}" stroke-width="{1 + is_winning}"'
        parts = [_circle(cell, 0.45, f'fill="{_FILL[colour]}" {edge}', unit)]
        if cell in self.marks:
            return parts
        if cell in self.numbers:
            ink = (_LAST_INK if cell == self.last else _INK)[colour]
            parts.append(_text(x, y, str(self.numbers[cell]), 0.42, ink, unit))
        elif cell == self.last:
            parts.append(_circle(cell, 0.12, f'fill="{_RED}"', unit))
        return parts

    def _mark(self, cell: Cell, words: str, unit: int) -> list[str]:
        if not words:
            return [_circle(cell, 0.25, f'fill="none" stroke="{_RED}" stroke-width="2"', unit)]
        ink = _INK.get(self.stones.get(cell, 0), _INK[WHITE])
        text = _text(*cell, words, 0.42, ink, unit)
        # On an empty cell the lines would cross the text.
        behind = [] if cell in self.stones else [_circle(cell, 0.42, f'fill="{_WOOD}"', unit)]
        return [*behind, text]


def _circle(cell: Cell, radius: float, style: str, unit: int) -> str:
    x, y = cell
    place = f'cx="{(x + 1) * unit}" cy="{(y + 1) * unit}" r="{radius * unit:g}"'
    return f"<circle {place} {style}/>"


def _text(x: float, y: float, words: str, size: float, colour: str, unit: int) -> str:
    # A long text gets smaller, so that it stays within its cell.
    height = round(size * unit / max(1.0, len(words) / 3.8), 1)
    place = f'x="{(x + 1) * unit:g}" y="{(y + 1) * unit:g}" dy=".35em"'
    return f'<text {place} font-size="{height:g}" fill="{colour}">{escape(words)}</text>'
