"""The signature depends only on what is searched."""

from __future__ import annotations

from engine.api import Engine
from engine.model import Limits
from tengen.lab.bench.records import POSITIONS, Record, load_records
from tengen.lab.bench.signature import Searched, read_signature, search_all

ADVICE = """
The engine searches {found} nodes in the bench positions, tengen/lab/bench/SIGNATURE says {held}.
  If your change was not meant to alter what is searched: it did; find out why.
  If it was: run `tengen bench --update`, commit tengen/lab/bench/SIGNATURE with the
  change, and end the commit message with the line `Bench: {found}`.
"""


def test_the_signature_is_that_of_the_file() -> None:
    found = sum(searched.nodes for searched in search_all(load_records(POSITIONS)))
    held = read_signature()
    assert found == held, ADVICE.format(found=found, held=held)


def test_neither_order_nor_repetition_matters() -> None:
    records = load_records(POSITIONS)

    def search(records: list[Record]) -> list[Searched]:
        return list(search_all(records, depth_plies=4))

    there = search(records)
    back = search(records[::-1])
    assert there == back[::-1]
    assert all(searched.nodes > 0 for searched in there)


def test_an_overfull_table_is_as_good_as_new_after_a_new_game() -> None:
    """A table whose size is no power of two, in which entries displace each other."""
    engine = Engine()
    engine.set_memory(None, 3 << 19)
    late = next(record for record in load_records(POSITIONS) if record.kind == "late")
    nodes = set()
    for _ in range(3):
        engine.new_game()
        engine.set_position(late.position)
        nodes.add(engine.think(Limits(depth_plies=8)).info.nodes)
    assert len(nodes) == 1
