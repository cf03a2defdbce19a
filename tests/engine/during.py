"""Something that happens while an engine thinks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.api import Engine
from engine.model import Limits, Result


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
