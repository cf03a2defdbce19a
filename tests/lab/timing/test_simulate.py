"""The simulated clock: what a player's moves take, and what is left of the match."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.game.record.time_control import TimeControl, read_time_control
from tengen.lab.timing.games import OneSide, read_games, sides_of
from tengen.lab.timing.simulate import simulate
from tengen.lab.timing.summary import use_of

SPEED_NPS = 2000


def longest(run: Path) -> list[OneSide]:
    """Both players of the longest game: 35 own moves each."""
    return sides_of(*read_games([str(run)])[1])


@pytest.fixture(scope="module")
def fast(run: Path) -> list[OneSide]:
    return longest(run)


def test_what_is_left_goes_down_by_what_moves_take(fast: list[OneSide]) -> None:
    timed = simulate(fast[0], read_time_control("20/2+0.5"), SPEED_NPS, 12)
    assert [move.number for move in timed.moves] == list(range(1, 13))
    assert [move.stones for move in timed.moves] == list(range(2, 26, 2))
    left_ms = 20_000
    for move in timed.moves:
        assert move.left_ms == left_ms
        assert move.time_ms == pytest.approx(move.nodes * 1000 / SPEED_NPS, abs=1)
        assert 0 <= move.time_ms <= 2000 and not move.is_over
        left_ms += 500 - move.time_ms


def test_it_is_the_same_again(fast: list[OneSide]) -> None:
    control = TimeControl(turn_s=1.0, match_s=10.0)
    assert simulate(fast[1], control, SPEED_NPS, 6) == simulate(fast[1], control, SPEED_NPS, 6)


def test_with_a_limit_of_the_turn_alone_turns_are_used(fast: list[OneSide]) -> None:
    timed = simulate(fast[0], TimeControl(turn_s=1.0), SPEED_NPS, 8)
    assert all(move.left_ms is None for move in timed.moves)
    # 30 ms are kept back, and some more for looks at a clock that moves in steps of 8 ms.
    assert sorted(move.time_ms for move in timed.moves)[2] >= 950


def test_a_move_over_its_limit_is_noted(fast: list[OneSide]) -> None:
    """Even a search of no time at all takes 2 ms."""
    timed = simulate(fast[0], TimeControl(turn_s=0.001), SPEED_NPS, 3)
    assert [move.is_over for move in timed.moves] == [True] * 3
    timed = simulate(fast[0], TimeControl(turn_s=1.0, match_s=0.001), SPEED_NPS, 3)
    assert [move.is_over for move in timed.moves] == [True] * 3


# What matches of tournaments should use: enough of their time, and never more than all of it.
@pytest.mark.parametrize(
    "control", ["120/5", "180/30", pytest.param("1000/300", marks=pytest.mark.slow)]
)
def test_tournament_games_use_their_time(fast: list[OneSide], control: str) -> None:
    chosen = read_time_control(control)
    sides = [simulate(side, chosen, SPEED_NPS, 40) for side in fast]
    use = use_of(chosen, SPEED_NPS, sides, 35)
    assert use.over == 0
    assert use.used_long is not None and use.used_long.count == 2
    assert 0.60 <= use.used_long.low <= use.used_long.high <= 0.95
