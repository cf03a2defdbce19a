"""Times from limits, and what happens when looks at the clock come late."""

from __future__ import annotations

import json
import time
from functools import cache
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result
from tengen.lab.bench.signature import POSITIONS, load_positions
from tests.engine.positions import engine_at
from tests.engine.probe import ProbeClock
from tests.engine.searches import fix_search
from tests.paths import ROOT

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
        ({"turn_ms": 32}, 2, 2),
        ({"turn_ms": 40}, 10, 10),
        ({"turn_ms": 10_000, "left_ms": 110_000}, 5000, 9970),
        ({"turn_ms": 3000, "left_ms": 110_000}, 5000, 2970),
        ({"turn_ms": 5000, "left_ms": 0}, 0, 2),
        ({"turn_ms": 0, "left_ms": 110_000}, 2, 2),
        ({"turn_ms": 300_000, "left_ms": 1000}, 45, 170),
        ({"turn_ms": 1000, "other_limit": True}, 970, 970),
        # -- the phase that decides the game
        ({"left_ms": 110_000, "stones": 8}, 6250, 21_970),
        ({"turn_ms": 1000, "stones": 20}, 970, 970),
        # -- the match time grows after each move
        ({"left_ms": 110_000, "increment_ms": 2000}, 7000, 21_970),
        ({"turn_ms": 5000, "left_ms": 110_000, "increment_ms": 2000}, 7000, 4970),
        # -- the controls of tournaments, at the first own move and late
        ({"turn_ms": 5000, "left_ms": 120_000}, 5454, 4970),
        ({"turn_ms": 30_000, "left_ms": 180_000}, 8181, 29_970),
        ({"turn_ms": 300_000, "left_ms": 1_000_000}, 45_454, 199_970),
        ({"turn_ms": 5000, "left_ms": 60, "stones": 120}, 2, 2),
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
    assert clock.begin_iteration()


def test_a_long_iteration_is_broken_off_unless_its_value_falls() -> None:
    clock = started(left_ms=110_000)
    assert clock.cut_us == 21_970 * MS
    clock.note_iteration(0)
    assert clock.begin_iteration()
    assert clock.cut_us == 12_500 * MS
    assert 12_500 * MS <= runs_us(clock) < 12_501 * MS
    clock.allow_maximum()
    assert 21_970 * MS <= runs_us(clock) < 21_971 * MS


def test_a_late_look_is_kept_back_at_once_and_in_following_moves() -> None:
    clock = started(turn_ms=1000)
    clock.poll(42 * MS)
    assert 930 * MS <= runs_us(clock) < 931 * MS
    clock.begin_pondering()  # forgets nothing
    assert clock.late_us == 40 * MS
    clock.start(turn_ms=1000)
    assert 940 * MS <= runs_us(clock) < 941 * MS
    # What lies between two moves says nothing, however long it is.
    clock.start(turn_ms=1000)
    clock.poll(MS)
    assert clock.late_us < 30 * MS


def test_a_search_for_a_win_by_threats_is_not_late() -> None:
    clock = started(turn_ms=1000)
    clock.look_within(300 * MS)
    clock.poll(MS)
    assert clock.late_us == 0


def test_a_process_that_was_stopped_has_not_pondered() -> None:
    clock = ProbeClock()
    clock.begin_pondering()
    clock.poll(2000 * MS)
    assert clock.elapsed_us < 10 * MS


RECORDS = load_positions(POSITIONS)
MIDDLE = RECORDS[7]
# White has one defence against a win by threes and fours.
ONLY_DEFENCE = Position.from_moves("9,6 8,4 6,7 6,6 8,7 7,8 7,6 9,8 8,5")
# Its optimum is 1,000 s.
MATCH_MS = 22_000_000
HOUR_MS = 3_600_000


def thought(position: Position, began_s: int = 0, **limits: Any) -> Result:
    """What the engine finds with a clock that began so many seconds ago."""
    engine = engine_at(position)
    fix_search(engine)
    started_ns = time.perf_counter_ns() - began_s * 10**9
    return engine.think(Limits(started_ns=started_ns, **limits))


def test_the_time_of_a_match_is_kept_for_later() -> None:
    limits = {"depth_plies": 6, "began_s": 1500}
    assert thought(MIDDLE, left_ms=MATCH_MS, **limits).info.depth_plies == 1
    assert thought(MIDDLE, turn_ms=MATCH_MS, **limits).info.depth_plies == 6


@cache
def depth_plies(**parameters: int) -> int:
    """The last iterations of matches in positions of the benchmark, added up, with other
    parameters, where the time of a usual move has nearly passed."""
    sum_plies = 0
    for record in RECORDS[4:36:8]:
        engine = engine_at(record)
        fix_search(engine)
        for name, value in parameters.items():
            engine.set_parameter(name, value)
        started_ns = time.perf_counter_ns() - 800 * 10**9
        limits = Limits(left_ms=MATCH_MS, depth_plies=11, started_ns=started_ns)
        sum_plies += engine.think(limits).info.depth_plies
    return sum_plies


@pytest.mark.parametrize(
    ("parameter", "value", "is_more"),
    [
        ("settled_share", 0, True),
        ("effort_share", 0, True),
        ("falling_share", 0, False),
        ("decided_value", 100, False),
    ],
)
def test_the_search_says_what_it_has_found(parameter: str, value: int, is_more: bool) -> None:
    usual, other = depth_plies(), depth_plies(**{parameter: value})
    assert other > usual if is_more else other < usual


@pytest.mark.parametrize(
    "limits",
    [
        {"turn_ms": 0},
        {"turn_ms": 20},
        {"turn_ms": 5000, "left_ms": 0},
        {"turn_ms": 5000, "left_ms": -800},
        {"turn_ms": 5000, "left_ms": 100},
        {"turn_ms": 0, "left_ms": 100_000},
        {"turn_ms": 300_000, "match_ms": 1_000_000, "left_ms": 100},
        {"turn_ms": 5000, "began_s": 5},
    ],
)
def test_tiny_limits_are_kept(limits: dict[str, int]) -> None:
    """A thousand nodes in each of two or three milliseconds, and as many again."""
    result = thought(MIDDLE, **limits)
    assert result.info.nodes < 20_000
    assert result.move not in {stone[:2] for stone in MIDDLE.stones}


def test_the_only_defence_is_played_at_once() -> None:
    found = thought(ONLY_DEFENCE, turn_ms=HOUR_MS)
    assert found.info.depth_plies < 9 and found.info.score.mate_plies is None
    engine = Engine()
    others = {Point(x, y) for x in range(6, 10) for y in range(3, 9)} - {found.move}
    for x, y in sorted(others - {Point(stone.x, stone.y) for stone in ONLY_DEFENCE.stones}):
        engine.set_position(ONLY_DEFENCE)
        engine.play(x, y)
        win = engine.think(Limits(nodes=100_000)).info.score.mate_plies
        assert win is not None and win > 0, (x, y)


@pytest.mark.parametrize("limits", [{}, {"turn_ms": HOUR_MS, "is_analysis": True}])
def test_without_a_clock_and_in_an_analysis_the_only_defence_is_searched(
    limits: dict[str, Any],
) -> None:
    assert thought(ONLY_DEFENCE, depth_plies=9, **limits).info.depth_plies == 9


def test_where_every_move_loses_the_longest_defence_is_looked_for() -> None:
    """All moves but one used to be enough to end the search, also where the last one loses too."""
    proved = 0
    puzzles = ROOT / "tengen" / "lab" / "bench" / "puzzles" / "wins-r0-s15.jsonl"
    for line in puzzles.read_text(encoding="ascii").splitlines():
        puzzle = json.loads(line)
        if puzzle["mate"] > 11:
            continue
        position = Position.from_moves([*puzzle["moves"], puzzle["best"]])
        found = thought(position, turn_ms=HOUR_MS).info
        if found.score.mate_plies is not None:
            assert found.score == thought(position, depth_plies=20).info.score
            proved += 1
        if proved == 4:
            return
    raise AssertionError(f"only {proved} of the defences were searched to their end")


def test_a_better_move_counts_when_its_iteration_is_broken_off() -> None:
    """A move that proves better in an unfinished iteration is played, although most of it may go
    into how much better it is."""
    better = 0
    for record in RECORDS:
        engine = engine_at(record)
        reports: list[Info] = []
        result = engine.think(Limits(nodes=4000), reports.append)
        assert result.move == result.info.pv[0]
        if len(reports) == result.info.depth_plies > 0:
            better += result.move != reports[-1].pv[0]
    assert 3 <= better < len(RECORDS) // 2
