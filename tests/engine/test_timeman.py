"""Times from limits, and what happens when looks at the clock come late."""

from __future__ import annotations

import pytest

from engine._probe import ProbeClock

MS = 1000


def started(**limits: int) -> ProbeClock:
    clock = ProbeClock()
    clock.start(**limits)
    return clock


def runs_us(clock: ProbeClock, step_us: int = 400) -> int:
    """How long a search runs that looks at its clock every `step_us`."""
    while not clock.poll(step_us):
        pass
    return clock.elapsed_us


@pytest.mark.parametrize(
    ("limits", "optimum_ms", "maximum_ms"),
    [
        ({"turn_ms": 1000}, 970, 970),
        ({"turn_ms": 0}, 2, 2),
        ({"turn_ms": 32}, 2, 2),
        ({"turn_ms": 40}, 10, 10),
        ({}, 4970, 4970),
        ({"left_ms": 110_000}, 5000, 21_970),
        ({"turn_ms": 10_000, "left_ms": 110_000}, 5000, 9970),
        ({"turn_ms": 3000, "left_ms": 110_000}, 2970, 2970),
        ({"turn_ms": 5000, "left_ms": 0}, 2, 2),
        ({"turn_ms": 0, "left_ms": 110_000}, 2, 2),
        ({"left_ms": 500}, 22, 70),
        ({"turn_ms": 1000, "other_limit": True}, 970, 970),
    ],
)
def test_times(limits: dict[str, int], optimum_ms: int, maximum_ms: int) -> None:
    clock = started(**limits)
    assert clock.times_us == (optimum_ms * MS, maximum_ms * MS)
    assert maximum_ms * MS <= runs_us(clock) < maximum_ms * MS + 400


def test_nodes_or_depth_alone_have_no_clock() -> None:
    clock = started(other_limit=True)
    assert clock.times_us is None
    assert not any(clock.poll(10_000 * MS) for _ in range(10))
    assert clock.may_begin_iteration()


def test_an_iteration_begins_while_there_is_time() -> None:
    assert started(turn_ms=60_000).may_begin_iteration()
    clock = started(turn_ms=0)
    while clock.may_begin_iteration():
        pass


def test_looks_in_time_keep_nothing_back() -> None:
    clock = started(turn_ms=1000)
    runs_us(clock, 1500)
    assert clock.late_us == 0


def test_a_late_look_is_kept_back_at_once_and_in_following_moves() -> None:
    clock = started(turn_ms=1000)
    clock.poll(42 * MS)
    assert clock.late_us == 40 * MS
    assert 930 * MS <= runs_us(clock) < 931 * MS
    clock.start(turn_ms=1000)
    assert 940 * MS <= runs_us(clock) < 941 * MS


def test_it_is_forgotten_in_time() -> None:
    clock = started(turn_ms=1000)
    clock.poll(42 * MS)
    for _ in range(20):
        clock.start(turn_ms=1000)
    assert clock.late_us < MS


def test_the_latest_of_several_counts() -> None:
    clock = started(turn_ms=1000)
    for gap_ms in (5, 22, 9, 12):
        clock.poll(gap_ms * MS)
    assert clock.late_us == 20 * MS


def test_there_is_a_bound() -> None:
    clock = started(turn_ms=10_000)
    clock.poll(300 * MS)
    assert clock.late_us == 100 * MS


def test_a_process_that_was_stopped_was_not_busy() -> None:
    clock = started(turn_ms=10_000)
    clock.poll(2000 * MS)
    assert clock.late_us == 0


def test_what_lies_between_two_moves_says_nothing() -> None:
    clock = started(turn_ms=1000)
    for _ in range(5):
        clock.poll(MS)
    # start() notes the present as the last look, however long ago the search before was.
    clock.start(turn_ms=1000)
    clock.poll(MS)
    assert clock.late_us == 0


def test_a_short_turn_is_not_given_away() -> None:
    clock = started(turn_ms=100)
    clock.poll(20 * MS)
    clock.start(turn_ms=60)
    clock.poll(200 * MS)
    clock.start(turn_ms=60)
    assert 15 * MS <= runs_us(clock) < 16 * MS
