"""The positions of a run as a table (csv): one line for every move that a program thought about."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from engine.text import point_name
from tengen.game.record.recorded import RecordedGame

COLUMNS = (
    "game", "rule", "width", "height", "position", "side", "program", "move", "value",
    "mate_plies", "depth_plies", "nodes", "elapsed_s", "points",
)  # fmt: skip


def positions_csv(games: Iterable[RecordedGame]) -> str:
    """The text of the table, with a line of COLUMNS first. What is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        points = [point_name(cell, game.height) for cell in game.moves]
        for i in game.thought_moves():
            report, name = game.reports[i], game.names[i % 2]
            said = (
                [report.value, report.mate_plies, report.depth_plies, report.nodes]
                if report
                else [None] * 4
            )
            writer.writerow(
                [
                    game.number, game.rule, game.width, game.height, "".join(points[:i]),
                    ("black", "white")[i % 2], name, points[i], *said, game.elapsed_s[i],
                    game.points_of(name),
                ]
            )  # fmt: skip
    return text.getvalue()
