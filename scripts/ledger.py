"""Writes the index of the ledger, docs/ledger/README.md, from the `Index:` lines of its entries:
`python scripts/ledger.py`.

tests/house/test_documents.py fails while the index is older than the entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "ledger"
PAGE = FOLDER / "README.md"
VERDICTS = ("kept", "not kept", "measured")
HEAD = """\
# The ledger: what was tried

`python scripts/ledger.py` makes this page from the entries. [MEASUREMENTS.md](../MEASUREMENTS.md)
says how to read and write them. *Undecided*: the match ended before its sequential test did.
"""

_ENTRY = re.compile(r"^## (\d+)\. .*\nIndex:((?: +.*\n)+)", re.MULTILINE)
_HEADING = re.compile(r"^## (\d+)\. ", re.MULTILINE)


class Row(NamedTuple):
    """A line of the index: what was tried, where, with which result, and what became of it."""

    idea: str
    rule: str
    result: str
    verdict: str
    entry: int


def read_rows(path: Path) -> Iterator[Row]:
    """The index lines of the entries of a file. ValueError, naming the entry, for one without index
    lines and for a line that has not four parts."""
    text = path.read_text(encoding="utf-8")
    found = {int(number): lines for number, lines in _ENTRY.findall(text)}
    for number in map(int, _HEADING.findall(text)):
        if number not in found:
            raise ValueError(f"{path.name}: entry {number} has no line `Index:` below its title")
        for line in found[number].strip().splitlines():
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) != 4 or parts[3] not in VERDICTS:
                raise ValueError(
                    f"{path.name}: entry {number}: {line.strip()!r} is not"
                    f" `idea | rule | result | verdict`, with one of {', '.join(VERDICTS)}"
                )
            idea, rule, result, verdict = parts
            yield Row(idea, rule, result, verdict, number)


def make_index() -> str:
    """The page: a table for each file of the ledger."""
    sections = [HEAD]
    for path in sorted(set(FOLDER.glob("*.md")) - {PAGE}):
        title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# Ledger: ")
        lines = [
            f"## {title}\n",
            "| What was tried | Where | Result | Verdict | Entry |",
            "|---|---|---|---|---|",
        ]
        for row in read_rows(path):
            cells = (row.idea, row.rule, row.result, row.verdict)
            lines.append(f"| {' | '.join(cells)} | [{row.entry}]({path.name}) |")
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


if __name__ == "__main__":
    PAGE.write_text(make_index(), encoding="utf-8")
