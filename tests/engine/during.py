"""Something that happens while an engine thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine.api import Engine
from engine.model import Info, Limits, Result
from tests.stopwatch import Stopwatch

PONDER = Limits(is_ponder=True)
OFTEN_S = 0.002


def think_while(act: Callable[[], object], engine: Engine, limits: Limits) -> Result:
    """Thinks in this thread; `act` runs in another one after the first report."""
    begun = threading.Event()

    def wait() -> None:
        begun.wait()
        act()

    other = threading.Thread(target=wait)
    other.start()
    try:
        return engine.think(limits, lambda _: begun.set())
    finally:
        begun.set()
        other.join()


class Pondering:
    """A think() in another thread."""

    def __init__(self, engine: Engine, limits: Limits = PONDER) -> None:
        self.engine = engine
        self.reports: list[Info] = []
        pool = ThreadPoolExecutor(1)
        self._result = pool.submit(engine.think, limits, self.reports.append)
        pool.shutdown(wait=False)

    def until_it_has_begun(self, depth_plies: int = 1) -> None:
        while len(self.reports) < depth_plies:
            time.sleep(OFTEN_S)

    def is_over(self) -> bool:
        return self._result.done()

    def end(self) -> tuple[Result, float]:
        """Waits for the result; with it, how long that took in milliseconds."""
        took_ms = Stopwatch().ms_until(self.is_over)
        return self._result.result(), took_ms

    def stop(self) -> Result:
        self.engine.request_stop()
        return self.end()[0]
