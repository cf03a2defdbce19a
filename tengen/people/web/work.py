"""Something that takes longer than a page should wait, done in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tengen.common.translation import sentence_of

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
            self.error = sentence_of(error) if is_answer else f"the search failed: {text}"
        self.is_over = True
        self._on_news()

    def _tell(self, what: str, done: int, total: int) -> None:
        if not self._is_wanted:
            raise Cancelled
        if self.progress != (what, done, total):
            self.progress = what, done, total
            self._on_news()
