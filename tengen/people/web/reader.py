"""Files are read and written in a thread of its own, so that the server answers meanwhile."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")
# New objects that stay.
_MANY = 50_000


class Reader:
    """One thread, which does one thing after the other. `on_news` is called, in that thread, when
    it has an answer."""

    def __init__(self, on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._thread = ThreadPoolExecutor(1, "reader")
        self._asked: deque[tuple[Future[Any], Callable[[Future[Any]], None]]] = deque()

    def ask(self, find: Callable[[], _T], then: Callable[[Future[_T]], None]) -> None:
        """Finds something, or does it. `then` gets the answer, or the error, from `tell`."""
        future = self._thread.submit(_undisturbed, find)
        self._asked.append((future, then))
        future.add_done_callback(lambda _: self._on_news())

    def tell(self) -> None:
        """Gives the answers that have come, in the order in which they were asked for."""
        while self._asked and self._asked[0][0].done():
            future, then = self._asked.popleft()
            then(future)

    def close(self) -> None:
        """Waits until all is done."""
        self._thread.shutdown()


def _undisturbed(find: Callable[[], _T]) -> _T:
    """Python would look for garbage among a hundred thousand new nodes again and again, a tenth of
    a second each time, in which no other thread runs. It does not look there later either."""
    gc.disable()
    try:
        return find()
    finally:
        if gc.get_count()[0] > _MANY:
            gc.freeze()
        gc.enable()
