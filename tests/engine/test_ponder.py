"""Pondering (Limits.is_ponder), a search without a clock until the hit, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Placed, Position, Rule, Stone
from tests.engine.positions import engine_at, from_pos
from tests.engine.searches import PONDER, Pondering
from tests.paths import ROOT
from tests.stopwatch import HUNG_MS, Late, Stopwatch, in_time, timed

QUIET = from_pos("h8i9g9i7")


def ready_at(position: Position) -> Engine:
    """An engine whose table has been made."""
    engine = engine_at(position)
    engine.think(Limits(nodes=1))
    return engine


@timed
def test_a_hit_gives_the_search_its_clock() -> None:
    pondering = Pondering(ready_at(QUIET))
    pondering.until_it_has_begun(4)
    begin = time.monotonic()
    assert pondering.engine.ponder_hit(Limits(turn_ms=600)) is True
    result, took_ms = pondering.end()
    # The time before the hit was a gift; the move comes within the turn, and not at once.
    assert time.monotonic() - begin > 0.2
    in_time(took_ms, 700)
    assert result.info.time_ms >= 250
    # The search went on: no iteration was made twice.
    depths = [info.depth_plies for info in pondering.reports]
    assert depths == list(range(1, len(depths) + 1))
    assert result.move == result.info.pv[0]


@timed
@pytest.mark.parametrize(
    ("pondered_s", "limits", "clock", "within_ms"),
    [
        # Time is saved for later moves; a limit of a turn is used after the hit as well.
        (0.4, PONDER, {"left_ms": 3000}, 150),
        # Without limits the hit starts the clock of think().
        (0.4, Limits(left_ms=3000, is_ponder=True), None, 150),
        # The match clock is shared out after a hit.
        (0, PONDER, {"turn_ms": 30_000, "left_ms": 2000}, 400),
        # The clock of a hit starts when the command was read.
        (0, PONDER, {"turn_ms": 1000, "started_ns": -900_000_000}, 200),
    ],
)
def test_the_move_comes_soon_after_the_hit(
    pondered_s: float, limits: Limits, clock: dict[str, Any] | None, within_ms: int
) -> None:
    pondering = Pondering(ready_at(QUIET), limits)
    pondering.until_it_has_begun()
    time.sleep(pondered_s)
    assert not pondering.is_over()
    if clock and "started_ns" in clock:
        clock = {**clock, "started_ns": time.perf_counter_ns() + clock["started_ns"]}
    assert pondering.engine.ponder_hit(Limits(**clock) if clock else None)
    result, waited_ms = pondering.end()
    in_time(waited_ms, within_ms)
    if result.info.time_ms < 1000 * pondered_s:
        raise Late("a pause of the process does not count as pondering")


def test_only_the_first_of_several_hits_counts() -> None:
    engine = ready_at(QUIET)
    pondering = Pondering(engine)
    pondering.until_it_has_begun()
    answers: list[bool] = []
    threads = [
        threading.Thread(target=lambda: answers.append(engine.ponder_hit(Limits(turn_ms=300))))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 4 + [True]
    assert not engine.ponder_hit(Limits(turn_ms=20_000))
    assert pondering.end()[1] < 10_000
    assert not engine.ponder_hit(Limits(turn_ms=300))


def test_a_hit_during_the_start_is_not_lost() -> None:
    for _ in range(20):
        engine = Engine()  # its table is made by think()
        engine.set_position(QUIET)
        pondering = Pondering(engine)
        while not engine.ponder_hit(Limits(turn_ms=0)):
            assert not pondering.is_over()
        assert pondering.end()[1] < HUNG_MS


def test_a_hit_without_pondering_is_none() -> None:
    engine = ready_at(QUIET)
    answers: list[bool] = []
    assert engine.ponder_hit(Limits(turn_ms=0)) is False
    found = engine.think(Limits(nodes=20_000), lambda _: answers.append(engine.ponder_hit()))
    assert found.info.nodes >= 20_000
    assert answers and not any(answers)
    # Nor is it kept for later: a search ponders until the stop, whatever its limits of time.
    pondering = Pondering(engine, Limits(turn_ms=50, is_ponder=True))
    pondering.until_it_has_begun()
    time.sleep(0.3)
    assert not pondering.is_over()
    assert pondering.stop().info.depth_plies == len(pondering.reports)


def test_a_hit_and_a_stop_together() -> None:
    for stop_first in (True, False):
        engine = ready_at(QUIET)
        pondering = Pondering(engine)
        pondering.until_it_has_begun()
        if stop_first:
            engine.request_stop()
        engine.ponder_hit(Limits(turn_ms=600_000))
        engine.request_stop()
        assert pondering.end()[1] < HUNG_MS
        engine.clear_stop()
        assert engine.think(Limits(nodes=3000)).info.nodes > 2000


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        (Limits(nodes=5), ValueError),
        (Limits(turn_ms=5, lines=2), ValueError),
        (PONDER, ValueError),
        (500, TypeError),
    ],
)
def test_limits_that_are_no_clock_are_refused_and_pondering_goes_on(
    limits: Any, error: type[Exception]
) -> None:
    pondering = Pondering(ready_at(QUIET))
    pondering.until_it_has_begun()
    with pytest.raises(error, match=r"expected engine\.model\.Limits|takes the limits of a clock"):
        pondering.engine.ponder_hit(limits)
    assert not pondering.is_over()
    assert pondering.engine.ponder_hit(Limits(turn_ms=0))
    pondering.end()


@timed
@pytest.mark.parametrize("is_hit", [False, True], ids=["stop", "hit"])
def test_a_long_search_for_fours_sees_what_happens(is_hit: bool) -> None:
    """Fourteen threes blocked on one side, no two near: millions of ways to make fours, and no win.
    The clock begins in the middle of one search for them."""
    engine = Engine()
    engine.set_parameter("vcf_root_nodes", 10_000_000)
    threes = [Placed(x, y, Stone.BLACK) for y in range(0, 20, 3) for x in (0, 1, 2, 17, 18, 19)]
    engine.set_position(Position(20, 20, Rule.FREESTYLE, tuple(threes)))
    thread = threading.Thread(target=engine.think, args=(Limits(is_ponder=True),))
    thread.start()
    time.sleep(0.3)
    watch = Stopwatch()
    if is_hit:
        while not engine.ponder_hit(Limits(turn_ms=50)):  # the thread has not begun
            assert thread.is_alive()
            time.sleep(0.001)
    else:
        engine.request_stop()
    in_time(watch.ms_until(lambda: not thread.is_alive()), 1000)


ONLY_MOVE = from_pos("h8h7i8i7j8j7k8l8")._replace(
    stones=(*from_pos("h8h7i8i7j8j7k8l8").stones, Placed(0, 0, Stone.BLACK)),
    side_to_move=Stone.WHITE,
)
FOUND_AT_ONCE = {
    "the only move": (ONLY_MOVE, PONDER),
    "the first move": (Position(15, 15), PONDER),
    "a five": (from_pos("h8h9i8i9j8j9k8a1"), PONDER),
    "a proven win": (from_pos("h8a1i8a3j8a5"), PONDER),
    "the last iteration": (QUIET, Limits(depth_plies=3, is_ponder=True)),
    "the last node": (QUIET, Limits(nodes=500, is_ponder=True)),
    "several lines": (from_pos("h8a1i8a3j8a5"), Limits(is_ponder=True, lines=2)),
}


@timed
@pytest.mark.parametrize("is_hit", [False, True], ids=["stop", "hit"])
@pytest.mark.parametrize("case", FOUND_AT_ONCE)
def test_a_move_that_is_found_waits(case: str, is_hit: bool) -> None:
    position, limits = FOUND_AT_ONCE[case]
    engine = ready_at(position)
    expected = engine.think(limits._replace(is_ponder=False, turn_ms=20_000)).move
    engine.new_game()
    pondering = Pondering(engine, limits)
    time.sleep(0.1)
    assert not pondering.is_over()
    if not is_hit:
        pondering.stop()
        return
    while not engine.ponder_hit(Limits(turn_ms=20_000)):  # the thread has not begun
        assert not pondering.is_over()
        time.sleep(0.001)
    result, waited_ms = pondering.end()
    in_time(waited_ms, 300)
    assert result.move == expected


MATCH = Limits(left_ms=2_200_000_000)  # its optimum is 100,000 s
LONG = from_pos("e8h8g10")  # with 80,000 s gone, its search ends after 4 to 7 iterations


def depth_plies(pondered_s: int, clock: Limits) -> int:
    """The last iteration, of eight, where the hit comes with the report of the third."""

    def hit(info: Info) -> None:
        if info.depth_plies == 3:
            assert engine.ponder_hit(clock)

    engine = ready_at(LONG)
    started_ns = time.perf_counter_ns() - pondered_s * 10**9
    return engine.think(PONDER._replace(depth_plies=8, started_ns=started_ns), hit).info.depth_plies


def test_pondering_counts_for_the_time_of_a_usual_move() -> None:
    assert depth_plies(0, MATCH) == 8
    assert depth_plies(1_000_000, MATCH) == 3
    # The iterations after the hit end where they would have without it.
    engine = ready_at(LONG)
    started_ns = time.perf_counter_ns() - 80_000 * 10**9
    info = engine.think(MATCH._replace(depth_plies=8, started_ns=started_ns)).info
    assert depth_plies(80_000, MATCH) == info.depth_plies in range(4, 8)


def test_a_search_that_ends_anywhere_expects_a_reply() -> None:
    """A stop where a move fails high used to leave a line of one move: nothing to ponder on."""
    engine = Engine()
    position = from_pos("h8i9g9h10f8")
    engine.set_position(position)
    for nodes in range(2_000, 20_000, 1_500):
        line = engine.think(Limits(nodes=nodes)).info.pv
        assert len(line) >= 2
        assert line[0] != line[1]
        assert not {line[0], line[1]} & {(stone.x, stone.y) for stone in position.stones}


# A position that no kind of search finishes within the time of these tests.
CHILD = """
import _thread, signal, sys, threading
from engine.api import Engine
from engine.model import Limits, Position, SolveLimits

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have set it to be ignored
MOVES = (
    "11,6 7,10 5,9 3,11 4,10 5,3 6,4 6,11 4,11 5,12 8,9 3,12 4,12 4,13 3,14 4,9 3,9 6,10 5,10 6,8"
    " 6,7 1,10 2,11 4,7 6,12 5,11 8,10 6,9 5,8 5,6 8,8 8,11 8,7 8,6 7,7 9,7"
)
method, how = sys.argv[1:]
engine = Engine()
position = Position.from_moves(MOVES if method == "defences" else MOVES[:14])
engine.set_position(position._replace(side_to_move=2))


def report(text):
    print(text, flush=True)


for _ in range(3):
    engine.new_game()
    try:
        report("begin")
        if how == "raised":
            # Sets the flag of the signal and interrupts no wait: as on Windows.
            threading.Timer(0.33, lambda: (report("raised"), _thread.interrupt_main())).start()
        getattr(engine, method)(Limits(depth_plies=60) if method == "think" else SolveLimits())
        report("came to an end")
    except KeyboardInterrupt:
        report("heard")
engine.check()
engine.set_position(Position(9, 9))
report(str(engine.think(Limits(nodes=200)).move))
"""


@pytest.mark.parametrize("how", ["sent", "raised"])
@pytest.mark.parametrize("method", ["think", "defences"])
def test_ctrl_c_is_heard_within_a_fifth_of_a_second(method: str, how: str) -> None:
    if how == "sent" and sys.platform == "win32":
        pytest.skip("no SIGINT to send")
    command = [sys.executable, "-c", CHILD, method, how]
    waits_ms = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for _ in range(3):
                assert child.stdout.readline() == "begin\n"
                if how == "raised":
                    assert child.stdout.readline() == "raised\n"
                else:
                    time.sleep(0.33)
                    child.send_signal(signal.SIGINT)
                watch = Stopwatch(child.pid)
                assert child.stdout.readline() == "heard\n"
                waits_ms.append(watch.ms())
            assert child.stdout.readline() == "Point(x=4, y=4)\n"
            assert child.wait(60) == 0
        finally:
            child.kill()
    assert sorted(waits_ms)[1] <= 200, waits_ms


def test_reports_come_in_the_thread_that_called() -> None:
    current, seen = threading.current_thread, list[bool]()

    def think() -> None:
        own = current()
        engine_at(QUIET).think(Limits(depth_plies=3), lambda info: seen.append(current() is own))

    think()
    other = threading.Thread(target=think)
    other.start()
    other.join()
    assert len(seen) > 2 and all(seen)
