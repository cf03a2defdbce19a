"""The documents: links lead to existing files, and the ledger has no gaps and a true index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protocol.preferences import read_preferences
from scripts import ledger
from tests.paths import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert "://" in target or (document.parent / target).exists(), target


def test_the_ledger_is_numbered_without_gaps() -> None:
    entries = "".join(path.read_text(encoding="utf-8") for path in ledger.FOLDER.glob("*.md"))
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", entries, re.MULTILINE)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_the_index_of_the_ledger_is_that_of_its_entries() -> None:
    page = ledger.PAGE.read_text(encoding="utf-8")
    assert ledger.make_index() == page, "run scripts/ledger.py"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("## 7. A title\nDate: today\n", "entry 7 has no line `Index:`"),
        ("## 7. A title\nIndex:    an idea | renju | kept\nDate: today\n", "'an idea | renju"),
        ("## 7. A title\nIndex:    an idea | renju | +5 | perhaps\nDate: today", "kept, not kept"),
    ],
)
def test_an_entry_without_a_whole_index_line_is_named(
    tmp_path: Path, entry: str, message: str
) -> None:
    path = tmp_path / "search.md"
    path.write_text(entry, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        list(ledger.read_rows(path))


def test_every_setting_of_the_example_can_be_used(tmp_path: Path) -> None:
    text = (ROOT / "release" / "zip" / "pbrain-tengen.example.toml").read_text(encoding="ascii")
    settings = tmp_path / "pbrain-tengen.toml"
    # The settings are comments that are one line of TOML.
    settings.write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.MULTILINE), encoding="ascii")
    preferences = read_preferences(str(settings))
    assert len(preferences.notices) == 1 and "settings from" in preferences.notices[0]
    assert preferences.hash_mb == 256
    assert preferences.log == str(tmp_path / "tengen.log")
