"""Many matches in one process, as managers that send START again and again play them."""

from __future__ import annotations

import re

import psutil
import pytest

from engine.api import Engine
from engine.model import Limits, Rule
from tengen.lab.bench.records import POSITIONS, Record, load_records
from tests.protocol.conversation import REAL, Program

Match = list[tuple[str, int]]  # the program's moves, and the nodes it took for each

# The hash table is then so small that it fills up: entries of one game must not change the next.
MEMORY_MIB = 36


def one_of_each_rule() -> list[Record]:
    """A middle game of every rule on the board of 15."""
    quiet = [record for record in load_records(POSITIONS) if record.kind == "middle"]
    groups = {record.group: record for record in quiet if record.position.width == 15}
    assert len(groups) == len(Rule)
    return list(groups.values())


def play_match(program: Program, record: Record) -> Match:
    """From START on: moves for the position two stones before the recorded one, and for itself."""
    position = record.position
    program.send(f"INFO rule {int(position.rule)}\nSTART {position.width}\n".encode())
    assert program.read_line() == "OK"
    played: Match = []
    for count in (len(position.stones) - 2, len(position.stones)):
        own = position.stones[count % 2].stone
        lines = [f"{s.x},{s.y},{1 if s.stone == own else 2}" for s in position.stones[:count]]
        program.send("\n".join(["BOARD", *lines, "DONE\n"]).encode())
        nodes = 0
        while (line := program.read_line() or "").startswith("MESSAGE"):
            report = re.search(r"\| Node (\d+) \|", line)
            nodes = int(report[1]) if report else nodes
        assert re.fullmatch(r"\d+,\d+", line), line
        played.append((line, nodes))
    return played


def check_matches(count: int, nodes: int) -> None:
    """Plays this many matches, one rule after the other. All matches of a rule must be the same,
    and memory must not grow after each rule has been played once."""
    records = one_of_each_rule()
    matches: list[Match] = []
    memory: list[int] = []
    with Program(REAL) as program:
        program.send(f"INFO max_memory {MEMORY_MIB << 20}\nINFO max_node {nodes}\n".encode())
        for number in range(count):
            matches.append(play_match(program, records[number % len(records)]))
            memory.append(psutil.Process(program.process.pid).memory_info().rss)
        program.send(b"END\n")
        program.expect_exit()
    assert all(taken == nodes for match in matches[: len(records)] for _, taken in match)
    for number in range(len(records), count):
        assert matches[number] == matches[number % len(records)], f"match {number}"
    assert max(memory) - memory[len(records) - 1] < 1 << 20, memory


def test_a_dozen_matches_in_one_process() -> None:
    check_matches(12, 3000)


@pytest.mark.verify
def test_a_hundred_matches_in_one_process() -> None:
    check_matches(100, 120_000)


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
