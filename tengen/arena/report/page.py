"""Builds the pages, of a run and of the review of a game: fills page.html with the styles and
scripts beside this file, and the data."""

from __future__ import annotations

import html
import re
from graphlib import TopologicalSorter
from importlib import resources
from typing import Any

from tengen.arena.report.rating_chart import Interval, axis_strip, interval_strip, scale_of
from tengen.game.json_text import Json, Record, json_text

STYLES = ("colours.css", "page.css", "rating_chart.css", "viewer.css", "board.css", "touch.css")

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
