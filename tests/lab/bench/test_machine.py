"""tengen/lab/bench/machine.py: what is said of the machine that a speed was measured on."""

from __future__ import annotations

import psutil
import pytest

from tengen.lab.bench import machine


@pytest.mark.parametrize("error", [OSError, RuntimeError])  # by the version of psutil
def test_a_system_that_counts_no_load_has_none(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> tuple[float, float, float]:
        raise error("the counters are off")

    monkeypatch.setattr(psutil, "getloadavg", fails)
    assert machine.load() is None
