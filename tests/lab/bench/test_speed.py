"""Speed is that of the search, and what is said of the machine it was measured on."""

from __future__ import annotations

import os
import time

import psutil
import pytest

from engine.api import Engine
from engine.model import Limits
from tengen.lab.bench import speed
from tengen.lab.bench.records import POSITIONS, load_records
from tengen.lab.bench.speed import QUIET, Meter


def test_nodes_per_second_count_the_time_of_the_search() -> None:
    record = next(record for record in load_records(POSITIONS) if record.kind == QUIET)
    engine = Engine()
    engine.set_memory(None, 2**22)
    engine.set_position(record.position)
    engine.think(Limits(nodes=1))  # makes the table
    began_s = time.process_time()
    nodes = engine.think(Limits(nodes=50_000)).info.nodes
    expected = nodes / (time.process_time() - began_s)
    meter = Meter([], [record])
    meter.search(engine, turn_ms=150)
    assert expected / 3 < meter.nodes_per_s < expected * 3


@pytest.mark.parametrize("error", [OSError, RuntimeError])  # by the version of psutil
def test_a_system_that_counts_no_load_has_none(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> tuple[float, float, float]:
        raise error("the counters are off")

    monkeypatch.setattr(psutil, "getloadavg", fails)
    assert speed.load_average() is None


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no cores to choose from here")
def test_one_core_is_given_back() -> None:
    before = os.sched_getaffinity(0)
    with speed.one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before
