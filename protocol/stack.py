"""Threads that search: they need a large stack, all others a small one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

# A recursive search is deeper than the default stack of a thread on some systems. It needs less
# than 2 MiB (debug builds more); Windows counts all of a thread's stack as used memory at once.
STACK_BYTES = (8 if sys.platform == "win32" else 64) * 2**20
# Where there is no room for so much.
LEAST_STACK_BYTES = 4 * 2**20
# The other threads need little.
SMALL_STACK_BYTES = 2**20

T = TypeVar("T", bound=threading.Thread)


def start_searcher(make: Callable[[], T]) -> T:
    """Starts a thread that searches, and returns it; threads that are started later have a small
    stack. RuntimeError when the system cannot start it."""
    threading.stack_size(STACK_BYTES)
    try:
        thread = make()
        thread.start()
    except RuntimeError:
        threading.stack_size(LEAST_STACK_BYTES)
        # A thread that could not be started cannot be started again.
        thread = make()
        thread.start()
    finally:
        threading.stack_size(SMALL_STACK_BYTES)
    return thread
