"""Several threads search together: legal moves, true wins, limits, stops, and their life."""

from __future__ import annotations

import _thread
import gc
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Position, Rule
from tests.engine.announced_wins import Announcement, check
from tests.engine.positions import engine_at, random_position
from tests.engine.searches import PONDER, checked_think, think_while
from tests.paths import ROOT
from tests.stopwatch import HUNG_MS, Stopwatch, in_time, timed

THREADS = 8
SPARE_NODES = THREADS * 257  # what all threads together may exceed a limit by
ATTACK = Limits(nodes=200_000)
TASKS = Path("/proc/self/task")  # a folder for each thread of this process, on Linux

QUIET = Position.from_moves("h8 i9 g8 f8 h10")
needs_tasks = pytest.mark.skipif(not TASKS.is_dir(), reason="threads are counted in /proc")


def engine_with(threads: int, position: Position = QUIET) -> Engine:
    engine = engine_at(position)
    engine.set_memory(None, 2**22)
    engine.set_threads(threads)
    return engine


def tasks() -> set[str]:
    return {path.name for path in TASKS.iterdir()}


def settles(wanted: Callable[[], bool]) -> bool:
    """True when something becomes true within a few seconds: the system takes a moment to remove a
    thread that has ended."""
    end = time.monotonic() + HUNG_MS / 1000
    while time.monotonic() < end:
        if wanted():
            return True
        time.sleep(0.01)
    return wanted()


@pytest.mark.parametrize(
    ("count", "longest", "least"), [(30, 5, 3), pytest.param(1000, 9, 100, marks=pytest.mark.slow)]
)
def test_moves_are_legal_and_wins_are_true(count: int, longest: int, least: int) -> None:
    """Eight threads search positions of all rules, with a new game now and then; the wins that are
    announced are replayed, if not longer than `longest`."""
    rnd = random.Random(count)
    engine = engine_with(THREADS)
    wins = 0
    for number in range(count):
        if number % 5 == 0:
            engine.new_game()
        position = random_position(rnd, rnd.choice(list(Rule)), (15, 15), (4, 24), walls=False)
        engine.set_position(position)
        limits = Limits(nodes=rnd.choice((500, 4_000, 20_000)))
        plies = checked_think(engine, limits, SPARE_NODES).info.score.mate_plies
        if plies is not None and 0 < plies <= longest:
            verdict = check(Announcement(position, plies), ATTACK)
            assert verdict.ok, f"{position}: {verdict.reason} after {verdict.line}"
            wins += 1
    assert wins >= least


def test_one_thread_searches_the_same_nodes_as_before_and_after_others() -> None:
    alone = engine_with(1)
    expected = alone.think(Limits(depth_plies=8)).info
    engine = engine_with(THREADS)
    engine.think(Limits(nodes=20_000))
    engine.set_threads(1)
    engine.new_game()
    found = engine.think(Limits(depth_plies=8)).info
    assert (found.nodes, found.pv, found.score) == (expected.nodes, expected.pv, expected.score)


def ran(task: Path) -> int:
    """The processor time of a thread in nanoseconds, 0 if it has ended."""
    try:
        return int((task / "schedstat").read_text().split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0


@needs_tasks
def test_every_helper_searches() -> None:
    engine = engine_with(4)
    others = tasks()
    engine.think(Limits(nodes=300_000))
    ran_ns = [ran(path) for path in TASKS.iterdir() if path.name not in others]
    assert sum(time_ns > 1_000_000 for time_ns in ran_ns) >= 3, ran_ns


@pytest.mark.parametrize("nodes", [1, 10, 1_000, 30_000])
def test_node_limits_count_all_threads(nodes: int) -> None:
    engine = engine_with(THREADS)
    for _ in range(3):
        engine.new_game()
        searched = engine.think(Limits(nodes=nodes)).info.nodes
        assert nodes <= searched <= nodes + SPARE_NODES


@timed
def test_stops_during_the_start_are_not_lost() -> None:
    """A thread asks for a stop at some moment between the call and the first iterations."""
    engine = engine_with(THREADS)
    times_ms = []
    for round_number in range(60):
        begun = threading.Event()

        def stop(wait_us: int = 25 * round_number, begun: threading.Event = begun) -> None:
            begun.wait()
            end = time.perf_counter() + wait_us / 1e6
            while time.perf_counter() < end:
                pass
            engine.request_stop()

        asking = threading.Thread(target=stop)
        asking.start()
        begun.set()
        result = engine.think(Limits(turn_ms=600_000, nodes=10**12))
        asking.join()
        engine.clear_stop()
        times_ms.append(result.info.time_ms)
    assert max(times_ms) < HUNG_MS
    in_time(statistics.median(times_ms), 500)  # eight threads, two cores, and others' work


@needs_tasks
def test_threads_are_made_late_reused_and_ended() -> None:
    gc.collect()
    before = tasks()
    engine = engine_with(64)
    assert tasks() <= before
    engine.think(Limits(nodes=50))
    assert settles(lambda: len(tasks() - before) == 63)
    made = tasks() - before
    for _ in range(5):
        engine.new_game()
        engine.think(Limits(nodes=3_000))
    assert made <= tasks()
    engine.set_threads(3)
    engine.think(Limits(nodes=50))
    assert settles(lambda: len(tasks() - before) == 2)
    engine.set_threads(1000)  # counts as 64
    engine.think(Limits(nodes=50))
    assert settles(lambda: len(tasks() - before) == 63)
    del engine
    assert settles(lambda: tasks() <= before)


@needs_tasks
def test_many_engines_at_once() -> None:
    gc.collect()
    before = tasks()

    def work(seed: int) -> None:
        rnd, engine = random.Random(seed), engine_with(4)
        for _ in range(4):
            engine.new_game()
            engine.set_position(random_position(rnd, Rule.RENJU, (15, 15), (4, 24)))
            checked_think(engine, Limits(nodes=3_000), SPARE_NODES)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    gc.collect()
    assert settles(lambda: tasks() <= before)


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that has QUIET's position in an engine of eight threads."""
    begin = (
        "import atexit, os, sys, threading, time\n"
        # Functions for the end run in the opposite order: this one sees what is left.
        "thread = None\n"
        "atexit.register(lambda: thread and (thread.join(60), print(thread.is_alive())))\n"
        "from engine.api import Engine\n"
        "from engine.model import Limits, Position\n"
        "engine = Engine()\n"
        "engine.set_memory(None, 2**22)\n"
        "engine.set_threads(8)\n"
        "engine.set_position(Position.from_moves('h8 i9 g8 f8 h10'))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", begin + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# The search is still running when Python ends.
SEARCHING = (
    "begun, limits = threading.Event(), Limits(turn_ms=60000)\n"
    "args = limits, lambda info: begun.set()\n"
    "thread = threading.Thread(target=engine.think, args=args, daemon=True)\n"
    "thread.start()\n"
    "begun.wait(60)"
)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("engine.think(Limits(nodes=5000))", ""),
        ("engine.think(Limits(nodes=5000)); del engine", ""),
        ("engine.think(Limits(nodes=5000)); sys.exit(0)", ""),
        ("engine.think(Limits(nodes=5000)); os._exit(0)", ""),
        (SEARCHING, "False\n"),
        (f"engine.set_threads(1)\n{SEARCHING}", "False\n"),
    ],
    ids=["held", "deleted", "exit", "_exit", "searching", "searching alone"],
)
def test_a_program_ends_without_a_hang(code: str, said: str) -> None:
    """And a search that is under way ends before Python does."""
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_makes_threads_of_its_own() -> None:
    done = run(
        "engine.think(Limits(nodes=5000))\n"
        "child = os.fork()\n"
        "move = engine.think(Limits(nodes=5000)).move\n"
        "tasks = len(os.listdir('/proc/self/task')) if sys.platform == 'linux' else 8\n"
        "del engine\n"
        # The thread that Ctrl-C needs (engine.interrupt) may still be ending.
        "if child == 0: os._exit(7 if tasks in (8, 9) else tasks)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), tasks in (8, 9))\n"
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "7 True", "")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")
def test_fewer_threads_search_where_no_more_can_be_made() -> None:
    """No room for more than a few stacks."""
    done = run(
        "import resource\n"
        "engine.think(Limits(nodes=500))\n"
        "engine.set_threads(64)\n"
        "with open('/proc/self/statm') as file: pages = int(file.read().split()[0])\n"
        "size = pages * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size + 100 * 2**20, -1))\n"
        "nodes = engine.think(Limits(nodes=5000)).info.nodes\n"
        "tasks = len(os.listdir('/proc/self/task'))\n"
        "print(nodes >= 5000, 8 < tasks < 30)\n"
    )
    assert (done.stdout.strip(), done.stderr) == ("True True", "")


ENDLESS = Limits(turn_ms=600_000, nodes=10**12)


@pytest.mark.parametrize("threads", [1, THREADS])
@pytest.mark.parametrize("limits", [ENDLESS, PONDER, Limits(depth_plies=1, is_ponder=True)])
def test_ctrl_c_ends_all_threads(threads: int, limits: Limits) -> None:
    engine, watch = engine_with(threads), Stopwatch()
    with pytest.raises(KeyboardInterrupt):
        think_while(_thread.interrupt_main, engine, limits)
    assert watch.ms() < HUNG_MS and not engine.ponder_hit()
    assert engine.think(Limits(depth_plies=4)).info.depth_plies == 4


@pytest.mark.parametrize("threads", [1, THREADS])
@pytest.mark.parametrize("limits", [ENDLESS, PONDER])
def test_an_error_in_on_info_ends_all_threads(threads: int, limits: Limits) -> None:
    def fail(info: Info) -> None:
        raise ValueError(f"no more at depth {info.depth_plies}")

    engine = engine_with(threads)
    for _ in range(2):
        with pytest.raises(ValueError, match="no more at depth 1"):
            engine.think(limits, fail)
    assert engine.think(Limits(depth_plies=4)).info.depth_plies == 4


@pytest.mark.parametrize("threads", [1, THREADS])
@pytest.mark.parametrize("limits", [ENDLESS, PONDER])
def test_a_stop_before_the_start_is_not_lost(threads: int, limits: Limits) -> None:
    engine = engine_with(threads)
    engine.request_stop()
    assert engine.think(limits).info.depth_plies <= 1
    assert engine.think(Limits(depth_plies=4)).info.depth_plies == 4  # it was for one search
