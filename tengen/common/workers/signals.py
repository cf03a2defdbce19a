"""Handles the signals that end a program by a call instead of an exception.

An exception could be raised anywhere, also in a finalizer, where Python only prints it and goes on.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


def hangups() -> tuple[int, ...]:
    """SIGHUP, the signal of a terminal that was closed, where it would end this process."""
    if sys.platform == "win32" or signal.getsignal(signal.SIGHUP) != signal.SIG_DFL:
        return ()
    return (signal.SIGHUP,)


@contextmanager
def signals_call(interrupt: Callable[[], object], *more: int) -> Iterator[list[int]]:
    """Inside the context SIGINT, SIGTERM and `more` call `interrupt`; yields the list of those
    received."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may handle signals
        return

    def handle(number: int, frame: FrameType | None) -> None:
        received.append(number)
        interrupt()

    numbers = (signal.SIGINT, signal.SIGTERM, *more)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
