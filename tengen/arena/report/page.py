"""Builds the pages, of a run and of the review of a game: fills page.html with the styles and
scripts beside this file, and the data."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from importlib import resources
from typing import Any
from xml.sax.saxutils import quoteattr

from tengen.game.values import Json, Record, json_text

STYLES = ("colours.css", "board.css", "page.css")

# What only one of the pages has, and the places in the template that are filled in.
_PART = re.compile(r"\{\{#(\w+)\}\}\n?(.*?)\{\{/\}\}\n?", re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")

# The scripts are modules, so that another page can import some of them. A page that is opened as a
# file cannot import modules; for it the scripts are joined, without these statements and words.
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)


def make_page(data: Record) -> str:
    """The page of `report_data`: one HTML text that needs no other file and no network."""
    return _filled("report", "match report", "Games", "page.js", data)


def make_review_page(data: Record) -> str:
    """The page of `review_data`, likewise."""
    return _filled("review", "game review", "The game", "review.js", data)


def _filled(page: str, kind: str, heading: str, script: str, data: Record) -> str:
    ratings: Any = data.get("ratings", [])
    template = _PART.sub(lambda part: part[2] * (part[1] == page), _read("page.html"))
    parts = {
        "title": html.escape(f"{data['title']} · Tengen {kind}"),
        "page": page,
        "kind": kind,
        "heading": heading,
        "styles": "\n".join(map(_read, STYLES)),
        "strips": rating_strips(ratings),
        "scripts": bundled(script),
        "data": embedded_json(data),
    }
    # In one pass, so that a program called {{data}} stays a name.
    return _PLACE.sub(lambda place: parts[place[1]], template)


def rating_strips(ratings: list[dict[str, Any]]) -> str:
    """The chart of ratings as strips: the axis, then a strip for each program with a rating."""
    intervals = [
        Interval(each["name"], float(each["elo"]), float(each["low"]), float(each["high"]))
        for each in ratings
        if each["elo"] is not None
    ]
    scale = scale_of(intervals)
    return "".join([axis_strip(scale), *(interval_strip(each, scale) for each in intervals)])


def bundled(main: str) -> str:
    """A script and all that it imports as one text, each file after those that it imports.
    CycleError if files import each other in a circle."""
    imported: dict[str, list[str]] = {}
    waiting = [main]
    while waiting:
        name = waiting.pop()
        if name not in imported:
            imported[name] = _IMPORT.findall(_read(name))
            waiting += imported[name]
    texts = (_IMPORT.sub("", _read(name)) for name in TopologicalSorter(imported).static_order())
    return "\n".join(_EXPORT.sub("", text) for text in texts)


def embedded_json(value: Json) -> str:
    """JSON that cannot end the script element that holds it, or begin another."""
    text = json_text(value, is_compact=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


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
