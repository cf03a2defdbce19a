"""What a run shows."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from tengen.lab.selfplay.display import shown
from tengen.lab.selfplay.run import Goal, Progress


def test_without_a_terminal_there_is_a_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    file = io.StringIO()
    with shown(Console(file=file, width=100), Goal(games=100)) as update:
        for games, positions in ((40, 700), (50, 700), (60, 1300), (65, 1300)):
            update(Progress(games - 5, positions, waiting=5, was_games=40, was_positions=700))
            now_s[0] += 40
    # The speed is that of the shard written after 80 seconds: 600 positions.
    assert file.getvalue().splitlines() == [
        "60 games, 1,300 positions, 27,000 positions an hour",
    ]


def test_on_a_terminal_there_is_a_bar_with_the_time_left() -> None:
    file = io.StringIO()
    console = Console(file=file, width=150, force_terminal=True, color_system=None)
    with shown(console, Goal(positions=1000)) as update:
        update(Progress(40, 500, was_games=40, was_positions=500))
        update(Progress(60, 750, was_games=40, was_positions=500))
    said = file.getvalue()
    assert "60 games, 750 positions, " in said and "positions an hour" in said
    assert "left" in said
