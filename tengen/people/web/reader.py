"""Files are read in a thread of its own, so that the server answers meanwhile."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")


class Reader:
    """One thread, which finds things one after the other. `on_news` is called, in that thread, when
    it has an answer."""

    def __init__(self, on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._thread = ThreadPoolExecutor(1, "reader")
        self._asked: deque[tuple[Future[Any], Callable[[Future[Any]], None]]] = deque()

    def ask(self, find: Callable[[], _T], then: Callable[[Future[_T]], None]) -> None:
        """Finds something. `then` gets the answer, or the error, from `tell`."""
        future = self._thread.submit(_undisturbed, find)
        self._asked.append((future, then))
        future.add_done_callback(lambda _: self._on_news())

    def tell(self) -> None:
        """Gives the answers that have come, in the order in which they were asked for."""
        while self._asked and self._asked[0][0].done():
            future, then = self._asked.popleft()
            then(future)

    def close(self) -> None:
        """Waits for what is being found, and finds nothing more."""
        self._thread.shutdown(cancel_futures=True)


def _undisturbed(find: Callable[[], _T]) -> _T:
    """Python would look for garbage among a hundred thousand new nodes again and again, a tenth of
    a second each time, in which no other thread runs."""
    gc.disable()
    try:
        return find()
    finally:
        gc.freeze()
        gc.enable()
