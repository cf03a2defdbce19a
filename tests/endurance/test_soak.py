"""Many games in one process."""

from __future__ import annotations

import pytest

from tests.endurance import soak
from tests.endurance.soak import Played
from tests.endurance.started import Started


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


def test_a_game_that_is_not_repeated_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    games = iter([Played(((1, 1),) * 4, 5), Played(((1, 1),) * 4, 6)])
    monkeypatch.setattr(soak, "KINDS", 1)
    monkeypatch.setattr(soak, "play", lambda program, kind: next(games))
    with pytest.raises(AssertionError, match="game 1: "):
        soak.run(2, warm_up_games=1)


def test_an_illegal_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "_ask", lambda program, line, wanted="": ("99,99", 1))
    with Started() as program:
        with pytest.raises(AssertionError, match="99,99 is not legal"):
            soak.play(program, 0)
