"""Shares of the time, from moves that are given."""

from __future__ import annotations

import pytest

from engine.model import Stone
from tengen.game.record.time_control import read_time_control
from tengen.lab.timing.games import OneSide
from tengen.lab.timing.simulate import TimedMove, TimedSide
from tengen.lab.timing.summary import EARLY, LATE, Spread, Use, spread, use_of, use_record


def side(*times_ms: int, over: int = 0) -> TimedSide:
    """A player whose first own move is on a board with six stones; the last `over` are too late."""
    moves = tuple(
        TimedMove(i + 1, 6 + 2 * i, time_ms, None, 9, 100, i >= len(times_ms) - over)
        for i, time_ms in enumerate(times_ms)
    )
    return TimedSide(OneSide("a game", Stone.WHITE, ()), moves)


def use(control: str, *sides: TimedSide, long_moves: int = 6) -> Use:
    return use_of(read_time_control(control), 5000, sides, long_moves)


def test_a_spread_has_the_middle_value() -> None:
    assert spread([4.0, 1.0, 2.0]) == Spread(3, 1.0, 2.0, 4.0)


def test_the_share_of_the_match_time() -> None:
    found = use("20/3", side(2000, 3000), side(1000, 1000), side(*[2000] * 6), long_moves=6)
    assert found.used == Spread(3, 0.1, 0.25, 0.6)
    assert found.used_long == Spread(1, 0.6, 0.6, 0.6)
    assert found.turns is not None and found.turns.high == 1.0
    assert found.over == 0


def test_increments_are_part_of_what_is_given() -> None:
    assert use("20+2", side(4000, 4000, 4000)).used.median == 12 / 24
    assert use("20+2", side(4000)).turns is None


def test_without_a_match_limit_it_is_the_share_of_the_turns() -> None:
    found = use("0/2", side(1000, 2000), side(2000, 2000))
    assert (found.used.low, found.used.high) == (0.75, 1.0)
    assert found.used_long is None


def test_moves_over_their_limits_are_counted() -> None:
    assert use("20/3", side(2000, 4000, 5000, over=2), side(1000)).over == 2


def test_own_moves_in_groups_of_five() -> None:
    first, second = use("20/3", side(*range(1000, 1700, 100)), side(2000, 2000)).by_move
    assert (first.name, first.time_ms) == ("1-5", Spread(7, 1000, 1300, 2000))
    # The player with two moves is at its end; only the other one has a sixth.
    assert first.used is not None and (first.used.low, first.used.high) == (0.2, 0.3)
    assert (second.name, second.time_ms) == ("6-10", Spread(2, 1500, 1550, 1600))
    assert second.used == Spread(1, 9.1 / 20, 9.1 / 20, 9.1 / 20)
    assert first.of_all + second.of_all == pytest.approx(1)
    assert second.of_all == pytest.approx(3.1 / 13.1)


def test_phases_by_the_stones_on_the_board() -> None:
    assert (EARLY, LATE) == (8, 30)
    early, middle, late = use("0/3", side(*[1000] * 14)).by_phase
    assert [part.time_ms.count for part in (early, middle, late)] == [1, 11, 2]
    assert [part.name for part in (early, middle, late)] == [
        "under 8 stones",
        "8 to 29 stones",
        "30 stones and more",
    ]
    assert middle.of_all == pytest.approx(11 / 14)


def test_moves_without_any_time_have_no_share() -> None:
    found = use("20/3", side(0, 0))
    assert found.used.high == 0
    assert [part.of_all for part in found.by_move] == [0.0]


def test_a_record_has_every_move() -> None:
    record = use_record(use("20/3", side(1000, 2000), side(500)))
    assert record["control"] == {"turn_s": 3.0, "match_s": 20.0, "increment_s": 0.0}
    assert [len(one["moves"]) for one in record["sides"]] == [2, 1]
    assert record["sides"][0]["colour"] == "white"
    assert record["sides"][0]["moves"][1]["time_ms"] == 2000
