"""Updates the page that shows the ladder: the text between two marks is generated, and the
rest is left as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.files import read_file, replace_file
from tengen.arena.match.plan import Plan
from tengen.arena.match.tally import Tally
from tengen.arena.report.rating_chart import Interval, rating_picture
from tengen.opponents.ladder.entrants import TENGEN
from tengen.opponents.ladder.table import Rung, conditions, rungs, table

PAGE, PICTURE = "LADDER.md", "ladder.svg"
_BEGIN = "<!-- ladder: begin (made by `tengen ladder --write`) -->"
_END = "<!-- ladder: end -->"


def write_documents(docs: Path, plan: Plan, tally: Tally, zero: str | None) -> list[Path]:
    """Writes the table and the picture in the folder `docs`; returns the paths. ValueError if the
    page lacks its marks, or if the run has too few games for ratings; then nothing is written."""
    ladder = rungs(plan, tally, zero)
    words = conditions(plan, tally, zero)
    texts = {
        docs / PICTURE: picture(ladder, f"The ladder. {words}"),
        docs / PAGE: refreshed(docs / PAGE, f"{words}\n\n{table(ladder)}"),
    }
    for path, text in texts.items():
        replace_file(path, text)
    return list(texts)


def picture(ladder: Sequence[Rung], caption: str) -> str:
    """The ladder as an SVG picture, the strongest on top, Tengen in colour."""
    intervals = [
        Interval(rung.rating.name, rung.rating.elo, rung.rating.low, rung.rating.high)
        for rung in ladder
    ]
    return rating_picture(intervals, caption, own=TENGEN)


def check_documents(docs: Path) -> None:
    """ValueError or OSError if `write_documents` could not write there."""
    refreshed(docs / PAGE, "")


def refreshed(path: Path, generated: str) -> str:
    """The text of a document, with `generated` between its marks. ValueError unless it has exactly
    one pair of marks."""
    lines = read_file(path, 1 << 20).decode("utf-8").split("\n")
    begins, ends = list(_places(lines, _BEGIN)), list(_places(lines, _END))
    if len(begins) != 1 or len(ends) != 1 or begins > ends:
        raise ValueError(f"{path}: expected one line {_BEGIN} and after it one {_END}")
    return "\n".join([*lines[: begins[0] + 1], "", generated, "", *lines[ends[0] :]])


def _places(lines: list[str], mark: str) -> Iterator[int]:
    return (i for i, line in enumerate(lines) if line.strip() == mark)
