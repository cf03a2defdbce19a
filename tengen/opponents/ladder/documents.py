"""Updates the page that shows the ladder: the text between two marks is generated, and the
rest is left as it is."""

from __future__ import annotations

from pathlib import Path

from engine.files import read_file, replace_file
from tengen.arena.match.plan import Plan
from tengen.arena.match.tally import Tally
from tengen.arena.report.rating_chart import Interval, rating_picture
from tengen.opponents.ladder.entrants import TENGEN
from tengen.opponents.ladder.table import conditions, rungs, table

PAGE, PICTURE = "LADDER.md", "ladder.svg"
_BEGIN = "<!-- ladder: begin (made by `tengen ladder --write`) -->"
_END = "<!-- ladder: end -->"


def write_documents(docs: Path, plan: Plan, tally: Tally, zero: str | None) -> list[Path]:
    """Writes the table and the picture in the folder `docs`; returns the paths. ValueError if the
    page lacks its marks, or if the run has too few games for ratings; then nothing is written."""
    ladder = rungs(plan, tally, zero)
    words = conditions(plan, tally, zero)
    intervals = [Interval(each.name, each.elo, each.low, each.high) for each, _, _ in ladder]
    texts = {
        docs / PICTURE: rating_picture(intervals, f"The ladder. {words}", own=TENGEN),
        docs / PAGE: refreshed(docs / PAGE, f"{words}\n\n{table(ladder)}"),
    }
    for path, text in texts.items():
        replace_file(path, text)
    return list(texts)


def refreshed(path: Path, generated: str) -> str:
    """The text of a document, with `generated` between its marks. ValueError unless it has exactly
    one pair of marks, OSError if it cannot be read."""
    lines = read_file(path, 1 << 20).decode("utf-8").split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() in (_BEGIN, _END)]
    if [lines[i].strip() for i in places] != [_BEGIN, _END]:
        raise ValueError(f"{path}: expected one line {_BEGIN} and after it one {_END}")
    begin, end = places
    return "\n".join([*lines[: begin + 1], "", generated, "", *lines[end:]])
