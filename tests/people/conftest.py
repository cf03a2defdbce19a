"""What the rooms of this wing need around their tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tengen.opponents.registry import BRAINS, Entry


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
