"""Limits of time while other processes keep all cores busy."""

from __future__ import annotations

import os
import sys

import pytest

from tests.endurance import starvation
from tests.endurance.starvation import Timed, judge

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="selects on pipes")


def test_moves_come_on_a_busy_machine() -> None:
    figures = starvation.run(200, 6, busy_processes=2)
    # Whether they come in time depends on what else runs; the full size is for a quiet machine.
    assert figures.moves == 6 and figures.median_ms < 400


@pytest.mark.verify
def test_two_thousand_moves_come_in_time_on_a_busy_machine() -> None:
    for limit_ms in starvation.LIMITS_MS:
        figures = starvation.run(limit_ms, 1000, 2 * (os.cpu_count() or 1))
        print(figures)
        assert figures.is_good


def test_a_late_move_is_excused_only_by_a_machine_as_late() -> None:
    in_time = [Timed(190, 0)] * 199
    assert judge(200, [*in_time, Timed(219, 0)]).is_good
    assert judge(200, [*in_time, Timed(250, 60)]).is_good
    assert not judge(200, [*in_time, Timed(250, 40)]).is_good
    assert not judge(200, [*in_time, Timed(221, 0)]).is_good


def test_many_moves_over_the_limit_are_too_many() -> None:
    assert not judge(200, [Timed(190, 0)] * 98 + [Timed(210, 0)] * 2).is_good
