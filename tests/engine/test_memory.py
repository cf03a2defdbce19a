"""The size of the hash table for each memory limit, and that a large table costs no time."""

from __future__ import annotations

import sys

import psutil
import pytest

from engine.api import Engine
from engine.budget import (
    DEFAULT_MEMORY_BYTES,
    PROGRAM_BYTES,
    THREAD_BYTES,
    huge_pages_ms,
    table_bytes,
    threads_within,
)
from engine.model import Limits, Placed, Position, Stone
from tests.protocol.conversation import REAL, Program
from tests.stopwatch import Stopwatch, in_time, timed

MIB = 2**20
LEAST = MIB
MACHINE = 8192 * MIB
ONE_STONE = Position(15, 15, stones=(Placed(7, 7, Stone.BLACK),), side_to_move=Stone.WHITE)


@pytest.mark.parametrize(
    ("memory", "wanted", "threads", "table"),
    [
        (None, None, 1, DEFAULT_MEMORY_BYTES // 2),
        (64 * MIB, None, 1, 32 * MIB),
        (40 * MIB, None, 1, 40 * MIB - PROGRAM_BYTES),
        (1, None, 1, LEAST),
        # Wanted sizes are kept within the limit, if there is one.
        (64 * MIB, 8 * MIB, 1, 8 * MIB),
        (64 * MIB, 512 * MIB, 1, 32 * MIB),
        (64 * MIB, 1024, 1, LEAST),
        # No table is larger than half of the machine's memory.
        (None, 2**64, 1, MACHINE // 2),
        (2**60, 2**59, 1, MACHINE // 2),
        # Half of the memory, unless the threads leave less.
        (None, None, 64, DEFAULT_MEMORY_BYTES // 2),
        (48 * MIB, None, 5, 48 * MIB - PROGRAM_BYTES - 4 * THREAD_BYTES),
        (PROGRAM_BYTES + LEAST + THREAD_BYTES, None, 2, LEAST),
        # Without a limit a wanted size is taken as it is, on a machine that has so much.
        (None, 2048 * MIB, 64, 2048 * MIB),
    ],
)
def test_sizes(memory: int | None, wanted: int | None, threads: int, table: int) -> None:
    assert table_bytes(memory, wanted, threads, MACHINE) == table


def test_a_table_beyond_the_machine_is_told_and_cut_and_too_little_is_said() -> None:
    engine = Engine()
    text = engine.set_memory(None, 2**64)
    assert text is not None and "too large for this machine; it gets" in text
    # It is what the machine has, not a guess.
    mib = int(text.split()[-2])
    assert 64 < mib < 2**24
    assert engine.set_memory(None, 64 * MIB) is None
    assert engine.set_memory(2**60) is None
    # Nor does one that is too small for the engine keep it from playing.
    assert engine.set_memory(PROGRAM_BYTES + LEAST) is None
    assert (engine.set_threads(4) or "").endswith(" too little for 4 threads; 1 searches")
    text = engine.set_memory(PROGRAM_BYTES + LEAST - 1) or ""
    assert "too little" in text and f"needs {(PROGRAM_BYTES + LEAST) // MIB} MiB" in text
    engine.set_position(ONE_STONE)
    assert engine.think(Limits(nodes=2000)).info.nodes > 100
    # A machine that does not tell its memory.
    assert table_bytes(None, 2**64, 1, 0) == DEFAULT_MEMORY_BYTES
    assert table_bytes(None, None, 1, 0) == DEFAULT_MEMORY_BYTES // 2


@pytest.mark.parametrize(
    ("wanted", "memory", "threads"),
    [
        (1, None, 1),
        (64, None, 64),
        (8, PROGRAM_BYTES + LEAST, 1),
        (8, PROGRAM_BYTES + LEAST + THREAD_BYTES - 1, 1),
        (8, PROGRAM_BYTES + LEAST + 3 * THREAD_BYTES, 4),
        (8, 2**40, 8),
    ],
)
def test_threads_within_the_memory(wanted: int, memory: int | None, threads: int) -> None:
    assert threads_within(wanted, memory) == threads


@timed
def test_a_table_of_any_size_is_there_at_once() -> None:
    engine = Engine()
    engine.set_position(ONE_STONE)
    took_ms = []
    for memory in (64 * MIB, 4096 * MIB, 64 * MIB, 8192 * MIB):
        engine.set_memory(memory)
        watch = Stopwatch()
        engine.think(Limits(nodes=100))
        engine.new_game()
        took_ms.append(watch.ms())
    in_time(min(took_ms[1], took_ms[3]), 50)


@pytest.mark.parametrize(
    ("limits", "ms"),
    [
        (Limits(), 100),
        (Limits(turn_ms=300), 18),
        (Limits(turn_ms=30_000, match_ms=180_000), 100),
        (Limits(turn_ms=30_000, match_ms=180_000, left_ms=8000), 25),
        (Limits(turn_ms=5000, left_ms=-20), 0),
        (Limits(nodes=1_000_000), 100),
        (Limits(depth_plies=2), 0),
        (Limits(depth_plies=20), 100),
    ],
)
def test_the_time_for_huge_pages(limits: Limits, ms: int) -> None:
    assert huge_pages_ms(limits) == ms


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory as Linux counts it")
@pytest.mark.parametrize("limit_mib", [20, 27, 30, 61])
def test_all_rules_in_one_process_stay_within_the_limit(limit_mib: int) -> None:
    """Also with what the process shares with others; or one MESSAGE says that it is too little."""
    said: list[str] = []
    peak = 0
    with Program(REAL) as program:
        # Enough nodes that the whole table is taken (huge_pages_ms).
        program.send(f"INFO max_memory {limit_mib * MIB}\nINFO max_node 20000\n".encode())
        for rule in (0, 1, 4, 8, 9, 0, 8):
            program.send(f"INFO rule {rule}\nSTART 20\n".encode())
            assert program.read_line() == "OK"
            program.send(b"BOARD\n10,10,1\n10,9,2\n12,11,1\n9,8,2\nDONE\n")
            while (line := program.read_line() or "").startswith("MESSAGE"):
                said += [line] * ("too little" in line)
            assert line
            peak = max(peak, psutil.Process(program.process.pid).memory_info().rss)
    assert (peak <= limit_mib * MIB) if not said else len(said) == 1
    assert bool(said) == (limit_mib * MIB < PROGRAM_BYTES + LEAST)
