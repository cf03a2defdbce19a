"""How the memory that a manager allows is divided: program, threads, transposition table; and when
the table gets huge pages."""

from __future__ import annotations

import sys

from engine.limits import Limits

MIB = 1024 * 1024
DEFAULT_MEMORY_BYTES = 350 * MIB  # assumed where no limit is given
# All but helpers and table, after games of every rule in one process, with what is shared with
# other programs: 24 MiB were measured on Linux, 34 of the Windows program under wine.
PROGRAM_BYTES = (36 if sys.platform == "win32" else 26) * MIB
# A helper: 0.3 MiB were measured without a net, and a net takes up to 1.7 MiB, on a full board of
# 22x22. Windows counts the whole stack (pool.pyx) as well.
THREAD_BYTES = 2 * MIB + (2 * MIB if sys.platform == "win32" else 0)
LEAST_TABLE_BYTES = MIB
# Below it a search uses so little of the table that huge pages cost more time than they save.
_LEAST_NODES = 20_000
_LEAST_PLIES = 8
_MOST_HUGE_PAGES_MS = 100


def threads_within(wanted: int, memory_bytes: int | None) -> int:
    """How many of the threads that are wanted may search, so that the smallest table still fits; at
    least one.

    memory_bytes   limit for the whole program, None = not given
    """
    allowed = DEFAULT_MEMORY_BYTES if memory_bytes is None else memory_bytes
    helpers = (allowed - PROGRAM_BYTES - LEAST_TABLE_BYTES) // THREAD_BYTES
    return max(1, min(wanted, 1 + helpers))


def largest_table_bytes(machine_bytes: int) -> int:
    """The largest transposition table on a machine with so much memory; 0 = it is not known.

    More than half of the memory would slow down everything else, and the engine too when the system
    begins to swap.
    """
    return max(LEAST_TABLE_BYTES, machine_bytes // 2 if machine_bytes else DEFAULT_MEMORY_BYTES)


def table_bytes(
    memory_bytes: int | None, hash_bytes: int | None, threads: int, machine_bytes: int
) -> int:
    """The size of the transposition table, at least LEAST_TABLE_BYTES.

    memory_bytes   limit for the whole program, None = not given
    hash_bytes     wanted size, None = all that memory_bytes allows
    threads        that search, from 1
    machine_bytes  that the machine has, which limits all tables; 0 = not known
    """
    most = largest_table_bytes(machine_bytes)
    if memory_bytes is None and hash_bytes is not None:
        return max(LEAST_TABLE_BYTES, min(hash_bytes, most))
    allowed = DEFAULT_MEMORY_BYTES if memory_bytes is None else memory_bytes
    # Freeing the table at the end of the program takes the system 0.3 ms a megabyte: with half of
    # 350 MB, END still takes less than 100 ms.
    size = min(allowed - PROGRAM_BYTES - (threads - 1) * THREAD_BYTES, allowed // 2, most)
    if hash_bytes is not None:
        size = min(size, hash_bytes)
    return max(LEAST_TABLE_BYTES, size)


def solver_bytes(memory_bytes: int | None, machine_bytes: int) -> int:
    """What the table of the threat solver may grow to: half of what the transposition table leaves.
    The arguments are those of table_bytes()."""
    allowed = DEFAULT_MEMORY_BYTES if memory_bytes is None else memory_bytes
    most = largest_table_bytes(machine_bytes)
    return max(0, min((allowed - PROGRAM_BYTES) // 4, most // 2))


def huge_pages_ms(limits: Limits) -> int:
    """How long the system may take to provide huge pages for the table before a search with these
    limits: a sixteenth of the time for the move. 175 MiB take 11 to 26 ms where the memory is at
    hand, up to 420 ms where it is not; what is left is for the next searches."""
    few_nodes = limits.nodes is not None and limits.nodes < _LEAST_NODES
    few_plies = limits.depth_plies is not None and limits.depth_plies < _LEAST_PLIES
    if few_nodes or few_plies:
        return 0
    left_ms = limits.match_ms if limits.left_ms is None else limits.left_ms
    times_ms = [_MOST_HUGE_PAGES_MS]
    if limits.turn_ms is not None:
        times_ms.append(limits.turn_ms // 16)
    if left_ms is not None:
        times_ms.append(left_ms // 16 // 20)
    return max(0, min(times_ms))
