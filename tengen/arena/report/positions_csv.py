"""The positions of a run as a table (csv): one line for every move that a program thought about."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from tengen.game.game import Game

COLUMNS = (
    "game", "rule", "width", "height", "position", "side", "program", "move", "value",
    "mate_plies", "depth_plies", "nodes", "elapsed_s", "points",
)  # fmt: skip


def positions_csv(games: Iterable[Game]) -> str:
    """The text of the table, with a line of COLUMNS first. What is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        points, nodes = game.moves, [*game]
        for i in range(game.opening_moves, len(game)):
            report, name = nodes[i].report, game.names[i % 2]
            said = (
                [report.value, report.mate_plies, report.depth_plies, report.nodes]
                if report
                else [None] * 4
            )
            writer.writerow(
                [
                    game.number, game.rule_number, game.width, game.height, "".join(points[:i]),
                    ("black", "white")[i % 2], name, points[i], *said, nodes[i].time_s,
                    game.points_of(name),
                ]
            )  # fmt: skip
    return text.getvalue()
