"""The page: a template, styles and scripts beside this file, and the data, put into one text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

STYLES = ("page.css", "board.css")
SCRIPTS = ("dom.js", "summary.js", "charts.js", "board.js", "viewer.js", "list.js", "page.js")

# What stands in the template for what is filled in.
_PLACE = re.compile(r"\{\{(title|styles|scripts|data)\}\}")


def make_page(data: Mapping[str, Any]) -> str:
    """The page of `report_data`: one HTML text that needs nothing else and reaches for nothing."""
    parts = {
        "title": html.escape(f"{data['title']} · Tengen match report"),
        "styles": "\n".join(map(_read, STYLES)),
        "scripts": "\n".join(map(_read, SCRIPTS)),
        "data": embedded_json(data),
    }
    # In one go, so that a name which looks like a place stays a name.
    return _PLACE.sub(lambda place: parts[place[1]], _read("page.html"))


def embedded_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in, nor begin another."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
