"""The signature depends only on what is searched; and the recorded positions."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Rule, Stone
from tengen.game.referee import Referee
from tengen.lab.bench.signature import (
    GAMES,
    POSITIONS,
    Record,
    Searched,
    load_records,
    read_record,
    read_signature,
    search_all,
)

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


# -- records


def test_a_line_is_read() -> None:
    record = read_record("caro_exact 20x15 early 7,7 8,6 19,14")
    assert record.kind == "early"
    assert record.group == "caro_exact-20x15"
    position = record.position
    assert (position.width, position.height, position.rule) == (20, 15, Rule.CARO_EXACT)
    assert position.stones == (
        Placed(7, 7, Stone.BLACK),
        Placed(8, 6, Stone.WHITE),
        Placed(19, 14, Stone.BLACK),
    )
    assert position.side_to_move == Stone.WHITE
    assert read_record("renju 15x15 empty").group == "renju-15"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("freestyle 15x15", "expected a rule, a size, a kind and moves"),
        ("chess 8x8 early 1,1", "there is no rule 'chess'"),
        ("freestyle 15x early 1,1", "'15x' is not a board size"),
        ("freestyle 15x15 early 1,1 2;2", "move 2: '2;2' is not a point"),
        ("freestyle 15x15 early 7,7 7,7", "move 2: '7,7' is occupied by move 1"),
    ],
)
def test_bad_lines_are_named(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"# a comment\n\n{line}\n", encoding="ascii")
    with pytest.raises(ValueError, match=f"some.txt, line 3: {problem}"):
        load_records(path)


def test_bad_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    with pytest.raises(ValueError, match=r"some.txt: No such file"):
        load_records(path)
    path.write_text("# nothing\n", encoding="ascii")
    with pytest.raises(ValueError, match=r"some.txt: holds no positions"):
        load_records(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(ValueError, match=r"some.txt: is not a text file of"):
        load_records(path)


def test_the_positions_cover_what_they_should() -> None:
    records = load_records(POSITIONS)
    assert 25 <= len(records) <= 40
    for rule in Rule:
        kinds = {record.kind for record in records if record.position.rule == rule}
        assert kinds == {"early", "middle", "late", "tactical"}, rule
    assert {record.position.width for record in records} >= {15, 20}
    assert any(record.position.width != record.position.height for record in records)


@pytest.mark.parametrize("path", [POSITIONS, GAMES], ids=lambda path: path.name)
def test_every_record_can_be_played(path: Traversable) -> None:
    """No foul, and no five before the last stone; games end with one."""
    for record in load_records(path):
        position = record.position
        referee = Referee(position.width, position.height, position.rule)
        for number, (x, y, colour) in enumerate(position.stones, start=1):
            assert colour == Stone.WHITE or referee.foul(x, y) is None, record
            referee.play(x, y, colour)
            is_last = number == len(position.stones)
            won = referee.winner() != 0
            assert won == (is_last and record.kind == "game"), (record, number)


def test_the_speed_groups_are_measured_both_ways() -> None:
    groups = {record.group for record in load_records(GAMES)}
    assert groups == {"freestyle-15", "freestyle-20", "standard-15", "renju-15", "caro-15"}
    quiet = {record.group for record in load_records(POSITIONS) if record.kind == "middle"}
    assert groups <= quiet
