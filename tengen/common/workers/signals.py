"""Handles SIGINT and SIGTERM by a call instead of an exception.

An exception could be raised anywhere, also in a finalizer, where Python only prints it and goes on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals_call(interrupt: Callable[[], object]) -> Iterator[list[int]]:
    """Inside the context SIGINT and SIGTERM call `interrupt`; yields the list of those received."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may handle signals
        return

    def handle(number: int, frame: FrameType | None) -> None:
        received.append(number)
        interrupt()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
