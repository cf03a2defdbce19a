"""The chart of ratings: a point for each rating on its 95 % interval, as SVG.

A table shows it, a strip in each row. The colours are those of colours.css, for light and dark
pages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

# Elo between two grid lines: the smallest of these that divides the range into few enough parts.
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_PARTS = 6

# Pixels.
_STRIP_HEIGHT = 22
_AXIS_BASELINE = 15
_WHISKER_END = 4  # half the length of the line that ends an interval
_POINT_RADIUS = 4.5

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
    # The class `minor`: a narrow chart can leave out every other label.
    labels = "".join(
        f'<text class="elo{" minor" * (elo // scale.step % 2)}" x="{scale.place(elo)}"'
        f' y="{_AXIS_BASELINE}">{elo_text(elo)}</text>'
        for elo in scale.lines[1:-1]
    )
    return f'<svg class="interval axis" aria-hidden="true">{labels}</svg>'


def interval_strip(interval: Interval, scale: Scale) -> str:
    """One rating on the grid, as an SVG that fills the width of its box."""
    label = (
        f"{interval.name}: Elo {elo_text(interval.elo)}, from {elo_text(interval.low)}"
        f" to {elo_text(interval.high)}"
    )
    return (
        f'<svg class="interval" role="img" aria-label={quoteattr(label)}>'
        f"{_grid(scale)}{_marks(interval, scale)}</svg>"
    )


def elo_text(elo: float) -> str:
    """A rating to the nearest whole number, with a true minus sign; `∞` if it is infinite."""
    size = "\N{INFINITY}" if math.isinf(elo) else str(abs(round(elo)))
    return f"{_MINUS}{size}" if elo < 0 and size != "0" else size


def _grid(scale: Scale) -> str:
    return "".join(
        f'<line class="{"grid" if elo else "zero"}" x1="{scale.place(elo)}"'
        f' x2="{scale.place(elo)}" y1="0" y2="{_STRIP_HEIGHT}"/>'
        for elo in scale.lines
    )


def _marks(interval: Interval, scale: Scale) -> str:
    """The interval with its two ends, and the point on it."""
    y = _STRIP_HEIGHT // 2
    low, high = scale.place(interval.low), scale.place(interval.high)
    ends = "".join(
        f'<line class="whisker" x1="{x}" x2="{x}" y1="{y - _WHISKER_END}" y2="{y + _WHISKER_END}"/>'
        for x in (low, high)
    )
    return (
        f'<line class="whisker" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>{ends}'
        f'<circle class="point" cx="{scale.place(interval.elo)}" cy="{y}" r="{_POINT_RADIUS}"/>'
    )
