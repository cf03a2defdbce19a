"""The documents: links lead to existing files, and the ledger has no gaps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protocol.preferences import read_preferences

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert "://" in target or (document.parent / target).exists(), target


def test_the_ledger_is_numbered_without_gaps() -> None:
    text = (ROOT / "docs" / "MEASUREMENTS.md").read_text(encoding="utf-8")
    entries = text.partition("<!-- Entries begin")[2]
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", entries, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_setting_of_the_example_can_be_used(tmp_path: Path) -> None:
    text = (ROOT / "release" / "zip" / "pbrain-tengen.example.toml").read_text(encoding="ascii")
    settings = tmp_path / "pbrain-tengen.toml"
    # The settings are comments that are one line of TOML.
    settings.write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.MULTILINE), encoding="ascii")
    preferences = read_preferences(str(settings))
    assert preferences.problems == ()
    assert preferences.hash_bytes == 256 << 20
    assert preferences.log == str(tmp_path / "tengen.log")
