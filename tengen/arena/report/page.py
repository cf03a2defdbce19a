"""Builds the pages, of a run and of the review of a game: fills a template with the styles and
scripts beside this file, and the data."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from importlib import resources
from typing import Any

from tengen.arena.report.rating_chart import Interval, axis_strip, interval_strip, scale_of

STYLES = ("colours.css", "page.css", "rating_chart.css", "viewer.css", "board.css", "touch.css")
MAIN_SCRIPT = "page.js"
REVIEW_SCRIPT = "review.js"

# The places in the template that are filled in.
_PLACE = re.compile(r"\{\{(title|styles|strips|scripts|data)\}\}")

# The scripts are modules, so that another page can import some of them. A page that is opened as a
# file cannot import modules; for it the scripts are joined, without these statements and words.
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)


def make_page(data: Mapping[str, Any]) -> str:
    """The page of `report_data`: one HTML text that needs no other file and no network."""
    title = f"{data['title']} · Tengen match report"
    return _filled("page.html", title, MAIN_SCRIPT, data, rating_strips(data["ratings"]))


def make_review_page(data: Mapping[str, Any]) -> str:
    """The page of `review_data`, likewise."""
    title = f"{data['title']} · Tengen game review"
    return _filled("review.html", title, REVIEW_SCRIPT, data)


def _filled(
    template: str, title: str, script: str, data: Mapping[str, Any], strips: str = ""
) -> str:
    parts = {
        "title": html.escape(title),
        "styles": "\n".join(map(_read, STYLES)),
        "strips": strips,
        "scripts": bundled(script),
        "data": embedded_json(data),
    }
    # In one pass, so that a program called {{data}} stays a name.
    return _PLACE.sub(lambda place: parts[place[1]], _read(template))


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


def embedded_json(value: Any) -> str:
    """JSON that cannot end the script element that holds it, or begin another."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
