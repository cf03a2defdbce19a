"""What takes long is done beside the server, which answers meanwhile: files are read and written by
one thread, each search has one of its own.
"""

from __future__ import annotations

import gc
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from tengen.people.session.messages import refusal_text

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


# Tells what is done, how much of it, and of how much.
Progress = Callable[[str, int, int], None]


class Cancelled(Exception):
    """The work was given up."""


class Work:
    """One piece of work. Its result is a function that carries out what was found, for the thread
    that began the work.

    task  is called with a function to tell its progress, which raises Cancelled after `give_up`;
          ValueError from it is an answer for people.
    on_news   called in its thread when the progress is another one, and at the end.
    """

    def __init__(
        self,
        kind: str,
        task: Callable[[Progress], Callable[[], None]],
        on_news: Callable[[], None] = lambda: None,
    ) -> None:
        self.kind = kind
        self.progress = ("", 0, 0)
        self.is_over = False
        self.result: Callable[[], None] | None = None
        self.error = ""
        self._task = task
        self._on_news = on_news
        self._is_wanted = True
        threading.Thread(target=self._run, name=kind, daemon=True).start()

    def give_up(self) -> None:
        """The result is not wanted any more."""
        self._is_wanted = False

    def _run(self) -> None:
        try:
            self.result = self._task(self._tell)
        except Cancelled:
            pass
        except Exception as error:  # whatever it is, the page tells it in one line
            text = " ".join(str(error).split())
            is_answer = isinstance(error, ValueError)
            self.error = refusal_text(error) if is_answer else f"the search failed: {text}"
        self.is_over = True
        self._on_news()

    def _tell(self, what: str, done: int, total: int) -> None:
        if not self._is_wanted:
            raise Cancelled
        if self.progress != (what, done, total):
            self.progress = what, done, total
            self._on_news()
