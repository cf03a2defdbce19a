"""What the rooms of this wing need around their tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tengen.opponents.registry import BRAINS, Entry
from tengen.people.session import engine_player


class Clock:
    """A clock that a test moves on."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of sessions and searches."""
    clock = Clock()
    monkeypatch.setattr(engine_player, "awake_s", clock)
    return clock


@pytest.fixture(autouse=True)
def _bad_brains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opponents that each do one thing wrong can be chosen too."""
    for name in ("Wild", "Failing", "Endless"):
        factory = f"tests.people.session.brains:{name}"
        monkeypatch.setitem(BRAINS, name.lower(), Entry(factory, "is bad"))


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Commands handle the signals that end them; other tests must not notice."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)
