"""The chart of ratings: a point for each rating on its 95 % interval, as SVG.

The report shows it in a table, a strip in each row; `tengen ladder` writes it as a single picture.
Both consist of the same parts. The colours are those of colours.css, for light and dark pages.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from xml.sax.saxutils import escape, quoteattr

# Elo between two grid lines: the smallest of these that divides the range into few enough parts.
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_PARTS = 6

# Pixels.
_STRIP_HEIGHT = 22
_AXIS_BASELINE = 15
_WHISKER_END = 4  # half the length of the line that ends an interval
_POINT_RADIUS = 4.5
_PICTURE_WIDTH = 760
_NAMES_WIDTH = 170
_ELO_WIDTH = 60
_TOP, _BOTTOM = 34, 12
_ROW_HEIGHT = 26

_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Interval:
    """A program's rating in Elo and the ends of its interval, which may be infinite."""

    name: str
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Scale:
    """The range of a chart in Elo; a grid line stands at each multiple of `step`."""

    low: int
    high: int
    step: int

    @property
    def lines(self) -> range:
        """The Elo of every grid line, those at both ends included."""
        return range(self.low, self.high + 1, self.step)

    def place(self, elo: float) -> str:
        """Where a rating stands, as a percentage of the width; at an end if it lies beyond."""
        part = (min(max(elo, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * part:.2f}%"


def scale_of(intervals: Sequence[Interval]) -> Scale:
    """The scale that shows all finite ends and zero, with some room on both sides."""
    values = [value for each in intervals for value in (each.elo, each.low, each.high)]
    ends = [0.0, *filter(math.isfinite, values)]
    low, high = min(ends), max(ends)
    step = next((size for size in _STEPS if (high - low) / size <= _MOST_PARTS), _STEPS[-1])
    room = step / 8
    return Scale(
        math.floor((low - room) / step) * step, math.ceil((high + room) / step) * step, step
    )


def axis_strip(scale: Scale) -> str:
    """The Elo of the inner grid lines, as an SVG that fills the width of its box."""
    labels = _labels(scale, scale.lines[1:-1], _AXIS_BASELINE)
    return f'<svg class="interval axis" aria-hidden="true">{labels}</svg>'


def interval_strip(interval: Interval, scale: Scale) -> str:
    """One rating on the grid, as an SVG that fills the width of its box."""
    label = (
        f"{interval.name}: Elo {elo_text(interval.elo)}, from {elo_text(interval.low)}"
        f" to {elo_text(interval.high)}"
    )
    return (
        f'<svg class="interval" role="img" aria-label={quoteattr(label)}>'
        f"{_grid(scale, 0, _STRIP_HEIGHT)}{_marks(interval, scale, _STRIP_HEIGHT // 2)}</svg>"
    )


def rating_picture(intervals: Sequence[Interval], caption: str, own: Collection[str]) -> str:
    """A complete picture: names, intervals and ratings, in the order given, from the top.

    caption   what the picture shows, for readers who do not see it.
    own       the names to show in colour.
    """
    scale = scale_of(intervals)
    bottom = _TOP + _ROW_HEIGHT * len(intervals)
    height = bottom + _BOTTOM
    names, marks = [], []
    for number, each in enumerate(intervals):
        y = _TOP + _ROW_HEIGHT * number + _ROW_HEIGHT // 2
        kind = "own" if each.name in own else "other"
        names.append(
            f'<text class="name" x="{_NAMES_WIDTH - 12}" y="{y + 4}">{escape(each.name)}</text>'
            f'<text x="{_PICTURE_WIDTH - _ELO_WIDTH + 12}" y="{y + 4}">{elo_text(each.elo)}</text>'
        )
        marks.append(f'<g class="{kind}">{_marks(each, scale, y)}</g>')
    # Inside the inner <svg>, percentages are of the width between the names and the ratings.
    width = _PICTURE_WIDTH - _NAMES_WIDTH - _ELO_WIDTH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PICTURE_WIDTH} {height}"'
        f' width="{_PICTURE_WIDTH}" height="{height}" role="img">',
        f"<title>{escape(caption)}</title>",
        f"<style>\n{_picture_style()}</style>",
        *names,
        f'<svg x="{_NAMES_WIDTH}" width="{width}" height="{height}" overflow="visible">',
        _labels(scale, scale.lines, _TOP - 14),
        _grid(scale, _TOP - 8, bottom),
        *marks,
        "</svg>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def elo_text(elo: float) -> str:
    """A rating to the nearest whole number, with a true minus sign; `∞` if it is infinite."""
    size = "\N{INFINITY}" if math.isinf(elo) else str(abs(round(elo)))
    return f"{_MINUS}{size}" if elo < 0 and size != "0" else size


def _grid(scale: Scale, top: int, bottom: int) -> str:
    return "".join(
        f'<line class="{"grid" if elo else "zero"}" x1="{scale.place(elo)}"'
        f' x2="{scale.place(elo)}" y1="{top}" y2="{bottom}"/>'
        for elo in scale.lines
    )


def _labels(scale: Scale, lines: Sequence[int], y: int) -> str:
    # The class `minor`: a narrow chart can leave out every other label.
    return "".join(
        f'<text class="elo{" minor" * (elo // scale.step % 2)}" x="{scale.place(elo)}" y="{y}">'
        f"{elo_text(elo)}</text>"
        for elo in lines
    )


def _marks(interval: Interval, scale: Scale, y: int) -> str:
    """The interval with its two ends, and the point on it."""
    low, high = scale.place(interval.low), scale.place(interval.high)
    ends = "".join(
        f'<line class="whisker" x1="{x}" x2="{x}" y1="{y - _WHISKER_END}" y2="{y + _WHISKER_END}"/>'
        for x in (low, high)
    )
    return (
        f'<line class="whisker" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>{ends}'
        f'<circle class="point" cx="{scale.place(interval.elo)}" cy="{y}" r="{_POINT_RADIUS}"/>'
    )


def _picture_style() -> str:
    files = resources.files(__package__)
    shared = [
        files.joinpath(name).read_text("utf-8") for name in ("colours.css", "rating_chart.css")
    ]
    own = """
text { font: 11px system-ui, sans-serif; fill: var(--muted); }
.name { font-size: 13px; fill: var(--ink); text-anchor: end; }
"""
    return "\n".join(shared) + own
