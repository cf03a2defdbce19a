"""Many games in one process."""

from __future__ import annotations

import pytest

from tests.endurance import soak


def test_games_in_one_process_repeat_and_take_no_more_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What is lost at every START shows if it is more than some 20 kB.
    monkeypatch.setattr(soak, "KINDS", 2)
    memory, moves = soak.run(30, warm_up_games=10)
    assert moves > 100
    assert memory.growth < 0.01


@pytest.mark.verify
def test_a_thousand_games_take_no_more_memory() -> None:
    memory, moves = soak.run(1000)
    print(f"{moves} moves, {memory}, growth {memory.growth:.2%}")
    assert memory.growth < 0.01
