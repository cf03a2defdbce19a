"""The texts of the page: one file for each language, and none anywhere else."""

from __future__ import annotations

import ast
import gc
import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

from tengen.game.referee import COLOUR_NAMES
from tengen.game.rules import RULE_TEXTS, RULE_TITLES
from tengen.people.web.server import LANGUAGES
from tests.paths import ROOT

WEB = ROOT / "tengen" / "people" / "web"
TEXTS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in (WEB / "texts").glob("*.json")
}
# Names, and signs and commands that are the same everywhere.
NAMES = {"Tengen", "wine other.exe", "···", "?", "←", "→", "↑", "↓", *"12359"}
# Words and sentences of the server, names of keys, part of a picture: not for people.
WORDS = {
    "missed win", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "Enter", "Ctrl+z", "Ctrl+y", "Ctrl+Shift+z", "GIF89a", "NETSCAPE2.0", "IHDR",
    "PLTE", "IDAT", "IEND",
    "M-6 -6l12 12m0 -12l-12 12", "M{} {}h{}M{} {}v{}", "M",
}  # fmt: skip
LITERAL = re.compile(r'"([^"\n]*)"|`([^`]*)`|\'([^\'\n]*)\'')
PUT_IN = re.compile(r"\$\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")


def places(text: str) -> list[str]:
    """The names of what is put into a text."""
    return sorted(re.findall(r"\{(\w+)\}", text))


def literals() -> Iterator[str]:
    """The literals of the page's scripts, `{}` for what is put into them."""
    for path in WEB.glob("*.js"):
        code = re.sub(r"(?m)(^|\s)//.*$", "", path.read_text(encoding="utf-8"))
        yield from _literals(code)


def _literals(code: str) -> Iterator[str]:
    for match in LITERAL.finditer(code):
        text = next(filter(None, match.groups()), "")
        yield PUT_IN.sub("{}", text)
        for inner in PUT_IN.findall(text):
            yield from _literals(inner)


class _Page(HTMLParser):
    """The keys in page.html, and the texts that it says itself."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: set[str] = set()
        self.said: set[str] = set()
        self.feed((WEB / "page.html").read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("data-text", "data-label", "data-hint"):
                self.keys.add(value or "")
            elif name == "data-options":
                group, *names = (value or "").split()
                self.keys |= {f"{group}.{each.split('=')[0]}" for each in names}
            elif name in ("aria-label", "title", "placeholder") and " " in (value or ""):
                self.said.add(value or "")

    def handle_data(self, data: str) -> None:
        self.said |= {data.strip()} - {""}


def languages() -> dict[str, str]:
    """The languages that the page offers: their names by their tags."""
    code = (WEB / "texts.js").read_text(encoding="utf-8")
    [names] = re.findall(r"const LANGUAGES = \{(.*?)\};", code, re.DOTALL)
    return dict(re.findall(r"(\w+): \"(.*?)\"", names))


def test_the_languages_are_those_of_the_folder() -> None:
    assert languages().keys() == set(LANGUAGES) == TEXTS.keys()


@cache
def said() -> set[str]:
    """What the server says in English: the templates of `tr`, and words of the rules."""
    found = {*COLOUR_NAMES.values(), *RULE_TITLES.values(), *RULE_TEXTS.values()}
    for path in (ROOT / "tengen").rglob("*.py"):
        # A collection in between may end objects of a browser, which run on greenlets of their own;
        # Python 3.11 then fails to build the tree ("recursion depth mismatch").
        gc.disable()
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        finally:
            gc.enable()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tr":
                template = node.args[0]
                assert isinstance(template, ast.Constant), f"{path}: {node.lineno}"
                found.add(str(template.value))
    return found


def test_all_languages_say_the_same() -> None:
    """The page's texts by their keys, and the server's sentences, which are keys themselves."""
    english = TEXTS["en"] | {text: text for text in said()}
    for language, texts in TEXTS.items():
        assert texts.keys() == (english if language != "en" else TEXTS["en"]).keys(), language
        for key, text in texts.items():
            assert text.strip(" ") and places(text) == places(english[key]), key


def test_every_key_is_used_and_every_key_in_use_is_there() -> None:
    used = _Page().keys | set(literals())
    families = tuple(text.removesuffix("{}") for text in used if text.endswith(".{}"))
    assert {key for key in TEXTS["en"] if not key.startswith(families)} <= used
    keys = {text for text in used if re.fullmatch(r"[a-z]+\.[a-z0-9-]+", text)}
    assert keys | _Page().keys <= {*TEXTS["en"], *said()}


def test_the_page_and_its_scripts_have_no_texts_of_their_own() -> None:
    assert _Page().said == NAMES
    texts = {
        text
        for text in literals()
        if re.search(r"[A-Za-z]{2,},? [A-Za-z]{2,}|^[A-Z]", text) and "#" not in text
    }
    assert texts - said() - {*languages().values()} <= WORDS
