"""Builds the pages, of a run and of the review of a game: fills page.html with the styles and
scripts beside this file, and the data."""

from __future__ import annotations

import html
import re
from importlib import resources

from tengen.game.values import Json, Record, json_text

STYLES = ("design.css", "board.css", "page.css")
# The scripts are modules, so that another page can import some of them. A page that is opened as a
# file cannot import modules; for it they are joined in this order, without these statements and
# words.
SCRIPTS = ("dom.js", "board.js", "charts.js", "viewer.js", "summary.js", "page.js")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)

# What only one of the pages has, and the places in the template that are filled in.
_PART = re.compile(r"\{\{#(\w+)\}\}\n?(.*?)\{\{/\}\}\n?", re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def make_page(data: Record) -> str:
    """The page of `report_data` or of `review_data`: one HTML text that needs no other file and no
    network."""
    is_review = "analyst" in data
    page, kind = ("review", "game review") if is_review else ("report", "match report")
    template = _PART.sub(lambda part: part[2] * (part[1] == page), _read("page.html"))
    parts = {
        "title": html.escape(f"{data['title']} · Tengen {kind}"),
        "page": page,
        "kind": kind,
        "heading": "The game" if is_review else "Games",
        "styles": "\n".join(map(_read, STYLES)),
        "scripts": _EXPORT.sub("", _IMPORT.sub("", "\n".join(map(_read, SCRIPTS)))),
        "data": embedded_json(data),
    }
    # In one pass, so that a program called {{data}} stays a name.
    return _PLACE.sub(lambda place: parts[place[1]], template)


def embedded_json(value: Json) -> str:
    """JSON that cannot end the script element that holds it, or begin another."""
    text = json_text(value, is_compact=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
