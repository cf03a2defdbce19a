"""tengen/lab/bench/speed.py: nodes per second are counted by the time of the search."""

from __future__ import annotations

import time

from engine.api import Engine
from engine.model import Limits
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
