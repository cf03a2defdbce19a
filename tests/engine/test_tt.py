"""The transposition table: what is stored is found, games do not see each other."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tests.engine.probe import ProbeTable

UPPER, LOWER, EXACT = 1, 2, 3


def _keys(count: int) -> list[int]:
    rnd = random.Random(1)
    return [rnd.getrandbits(64) for _ in range(count)]


def test_what_is_stored_is_found() -> None:
    table = ProbeTable(1 << 16)
    for number, key in enumerate(_keys(100)):
        table.store(key, 0, number, 300 + number, 5, EXACT)
    found = [table.find(key, 0) for key in _keys(100)]
    assert [entry for entry in found if entry] == [
        (number, 300 + number, 5, EXACT) for number, entry in enumerate(found) if entry
    ]
    assert sum(entry is not None for entry in found) >= 95
    assert all(table.find(key, 0) is None for key in _keys(200)[100:])


def _has_huge_pages() -> bool:
    folder = Path("/sys/kernel/mm/transparent_hugepage")
    if sys.platform != "linux" or not folder.is_dir():  # wine shows the folder too
        return False
    size = (folder / "hpage_pmd_size").read_text().strip()
    return size == str(1 << 21) and "[never]" not in (folder / "enabled").read_text()


def _huge_kib() -> int:
    """How much of the memory of this process is in huge pages."""
    text = Path("/proc/self/smaps_rollup").read_text()
    return int(text.split("AnonHugePages:")[1].split()[0])


def test_huge_pages_keep_what_is_stored() -> None:
    table = ProbeTable(1 << 26)
    keys = _keys(10_000)
    for number, key in enumerate(keys):
        table.store(key, 0, number, 300, 5, EXACT)
    before = [table.find(key, 0) for key in keys]
    table.take_huge_pages(False, 60_000_000)
    assert [table.find(key, 0) for key in keys] == before and None not in before


@pytest.mark.skipif(not _has_huge_pages(), reason="the system has no huge pages")
def test_huge_pages_are_taken_within_the_time() -> None:
    table = ProbeTable(1 << 27)
    assert table.take_huge_pages(True, 0) == 0
    before_kib = _huge_kib()
    parts = []
    while part := table.take_huge_pages(True, 1000):
        parts.append(part)
    assert sum(parts) in (63 << 21, 64 << 21) and len(parts) > 1
    # The system may lack room for all of them.
    assert _huge_kib() - before_kib >= 1 << 11
    for key in _keys(1000):
        assert table.find(key, 0) is None
        table.store(key, 0, 1, 300, 5, EXACT)
        assert table.find(key, 0) is not None


@pytest.mark.skipif(not _has_huge_pages(), reason="the system has no huge pages")
def test_huge_pages_are_taken_in_a_table_that_is_not_new_but_unused() -> None:
    table = ProbeTable(1 << 26)
    before_kib = _huge_kib()
    table.take_huge_pages(False, 60_000_000)
    # The system may lack room for all of them.
    assert _huge_kib() - before_kib >= 1 << 11


@pytest.mark.parametrize("games", [256, 8191])
def test_games_are_told_apart_beyond_a_byte_and_when_their_numbers_begin_again(games: int) -> None:
    table = ProbeTable(1 << 8)
    (key,) = _keys(1)
    table.store(key, 0, 1, 300, 5, EXACT)
    for _ in range(games):
        table.new_game()
    assert table.find(key, 0) is None
    table.store(key, 0, 2, 300, 5, EXACT)
    assert table.find(key, 0)[0] == 2


def test_a_bound_much_less_deep_does_not_replace_a_result() -> None:
    table = ProbeTable(1 << 12)
    (key,) = _keys(1)
    table.store(key, 0, 1, 300, 1000, EXACT)
    table.store(key, 0, 2, 300, 600, LOWER)
    assert table.find(key, 0) == (1, 300, 1000, EXACT)
    table.store(key, 0, 3, 300, 800, LOWER)
    assert table.find(key, 0) == (3, 300, 800, LOWER)


def test_mates_are_counted_from_the_node() -> None:
    table = ProbeTable(1 << 12)
    (key,) = _keys(1)
    table.store(key, 10, 30000 - 15, 300, 5, EXACT)  # a five 5 stones after the node
    assert table.find(key, 4)[0] == 30000 - 9
    table.store(key, 10, -(30000 - 16), 300, 6, EXACT)
    assert table.find(key, 0)[0] == -(30000 - 6)


def test_a_result_without_a_move_keeps_the_known_one() -> None:
    table = ProbeTable(1 << 12)
    (key,) = _keys(1)
    table.store(key, 0, 10, 300, 5, EXACT)
    table.store(key, 0, -10, 0, 6, UPPER)
    assert table.find(key, 0) == (-10, 300, 6, UPPER)


def test_deep_entries_outlive_shallow_ones() -> None:
    table = ProbeTable(64)  # one cluster of four entries
    assert table.clusters == 1
    keys = _keys(8)
    for depth, key in zip((9, 2, 8, 7, 3, 6, 1, 5), keys, strict=True):
        table.store(key, 0, depth, 300, 100 * depth, LOWER)
    kept = sorted(entry[2] for entry in map(lambda k: table.find(k, 0), keys) if entry)
    assert kept[-3:] == [700, 800, 900]


def test_what_is_old_gives_way() -> None:
    table = ProbeTable(64)
    keys = _keys(8)
    for key in keys[:4]:
        table.store(key, 0, 1, 300, 600, EXACT)
    for _ in range(2):
        table.new_search()
    for key in keys[4:]:
        table.store(key, 0, 1, 300, 200, EXACT)
    assert all(table.find(key, 0) for key in keys[4:])


def test_words_of_two_results_match_no_position() -> None:
    """What a thread reads while another one writes: results that differ a little, of one key."""
    rnd = random.Random(2)
    (key,) = _keys(1)
    words = []
    for number in range(2000):
        table = ProbeTable(64)
        for _ in range(number % 3):
            table.new_search()
        depth, cell = rnd.choice((100, 101, 400)), rnd.choice((300, 301, 700))
        table.store(key, 0, rnd.choice((0, 1, 29990)), cell, depth, rnd.choice((1, 2, 3)))
        words.append(table.words(0))
    table = ProbeTable(64)
    mixed = 0
    for one, other in pairwise(words):
        table.set_words(0, one)
        assert table.find(key, 0) is not None
        table.set_words(0, (one[0], other[1]))
        assert (table.find(key, 0) is None) == (one[1] != other[1])
        mixed += one[1] != other[1]
        table.set_words(0, (one[0], one[1] ^ 1 << mixed % 64))
        assert table.find(key, 0) is None, mixed
    assert mixed > 1000


def test_threads_find_whole_results_only() -> None:
    table = ProbeTable(1 << 10)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda seed: table.hammer(seed << 40, 40, 300_000), range(4)))
    assert all(found > 10_000 and wrong == 0 for found, wrong in done), done
