"""The transposition table, alone and in a file, and the errors of static values."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Engine
from engine.model import Limits, Position
from engine.network import encode
from engine.parameters import PARAMS
from tests.engine.nets import random_net
from tests.engine.probe import ProbeBoard, ProbeErrors, ProbeTable
from tests.engine.searches import fix_search

UPPER, LOWER, EXACT = 1, 2, 3


def _keys(count: int) -> list[int]:
    rnd = random.Random(1)
    return [rnd.getrandbits(64) for _ in range(count)]


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


POSITION = Position.from_moves("h8 i9 h9 h10 g8 i8")
DEPTH = Limits(depth_plies=12)
# Less deep, so that a table which has DEPTH knows most of it.
LESS = Limits(depth_plies=9)
MIB = 2**20


def searcher_at(hash_mib: int = 16, position: Position = POSITION) -> Engine:
    engine = Engine()
    fix_search(engine)
    engine.set_memory(None, hash_mib * MIB)
    engine.set_position(position)
    return engine


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hash") / "table"
    searcher = searcher_at()
    searcher.think(DEPTH)
    assert searcher.save_hash(str(path)) > 1000
    return path


@pytest.mark.parametrize("hash_mib", [5, 16, 64])
def test_a_search_goes_on_where_it_was(file: Path, hash_mib: int) -> None:
    """In tables of other sizes too: the whole key is in the file."""
    alone, loaded = searcher_at(hash_mib).think(LESS).info, searcher_at(hash_mib)
    assert file.stat().st_size == 36 + 16 * loaded.load_hash(str(file))
    info = loaded.think(LESS).info
    assert abs(info.score.value - alone.score.value) < 100 and info.pv[0] == alone.pv[0]
    assert info.nodes < alone.nodes * 0.7


def test_a_new_game_forgets_what_was_read(file: Path, tmp_path: Path) -> None:
    loaded = searcher_at()
    loaded.load_hash(str(file))
    loaded.new_game()
    assert loaded.save_hash(str(tmp_path / "empty")) == 0
    assert loaded.think(DEPTH).info.nodes == searcher_at().think(DEPTH).info.nodes


def refused(searcher: Engine, path: Path, reason: str) -> None:
    """The file is refused, and the table is as before."""
    searcher.think(Limits(nodes=3000))
    before, after = path.with_suffix(".before"), path.with_suffix(".after")
    searcher.save_hash(str(before))
    with pytest.raises(ValueError, match=reason):
        searcher.load_hash(str(path))
    searcher.save_hash(str(after))
    assert before.read_bytes() == after.read_bytes()


def test_a_damaged_file_is_refused(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    path = tmp_path / "damaged"
    middle = len(data) // 2
    for damaged, reason in (
        (data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :], "checksum"),
        (data[:-1] + bytes([data[-1] ^ 128]), "checksum"),
        (data[:-16], "checksum"),
        (data[:-5], "does not end with an entry"),
        (data + b"x", "does not end with an entry"),
        (data[:20], "not a hash file"),
        (b"", "not a hash file"),
        (b"X" + data[1:], "not a hash file"),
        (data[:8] + b"\2" + data[9:], "format 2 is of another version"),
        (data[:12] + bytes([data[12] ^ 1]) + data[13:], "other nets, tables or parameters"),
    ):
        path.write_bytes(damaged)
        refused(searcher_at(), path, reason)


@pytest.mark.parametrize("at", [8, 12, 16, 18, 20, 24, 28])
@pytest.mark.parametrize("number", [0, 5, 0xFFFF])
def test_a_header_with_nonsense_and_the_right_checksum(
    file: Path, tmp_path: Path, at: int, number: int
) -> None:
    data = bytearray(file.read_bytes()[:-4])
    before = bytes(data)
    for size in (2,) if at in (16, 18) else (2, 4):
        data[at : at + size] = number.to_bytes(2, "little") * (size // 2)
        path = tmp_path / "nonsense"
        path.write_bytes(data + crc32(data).to_bytes(4, "little"))
        if data == before or at >= 20:
            assert searcher_at().load_hash(str(path)) > 1000
        else:
            refused(searcher_at(), path, "of another version|other nets|for boards of")


def test_the_file_is_stamped_with_the_net_that_is_used(tmp_path: Path) -> None:
    """Not with the one that lies there by now."""
    net, table, other = (tmp_path / name for name in ("net.bin", "table", "other"))
    net.write_bytes(encode(random_net(0, 3)))

    def searched() -> Engine:
        searcher = Engine(str(net))
        searcher.set_memory(None, 16 * MIB)
        searcher.set_position(POSITION)
        searcher.think(Limits(nodes=3000))
        return searcher

    old = searched()
    net.write_bytes(encode(random_net(0, 4)))
    old.save_hash(str(table))
    new = searched()
    with pytest.raises(ValueError, match="written with other nets"):
        new.load_hash(str(table))
    net.unlink()
    assert old.load_hash(str(table)) > 0
    new.save_hash(str(other))
    with pytest.raises(ValueError, match="written with other nets"):
        old.load_hash(str(other))


def test_a_file_that_is_too_large_is_refused(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    count = MIB // 16 + 1
    large = data[:32] + data[32:48] * count
    path = tmp_path / "large"
    path.write_bytes(large + crc32(large).to_bytes(4, "little"))
    with pytest.raises(ValueError, match=f"{count} positions and is too large"):
        searcher_at(1).load_hash(str(path))


def test_tables_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with pytest.raises(ValueError, match="no search has been made"):
        searcher_at().save_hash(str(path))
    small = searcher_at(1)
    small.think(Limits(nodes=100))
    with pytest.raises(ValueError, match="less than 4 MiB cannot be written"):
        small.save_hash(str(path))
    large = searcher_at()
    large.think(Limits(nodes=100))
    with pytest.raises(OSError):
        large.save_hash(str(tmp_path / "no folder" / "table"))
    assert not list(tmp_path.iterdir())


SHARE = next(row.default for row in PARAMS if row.name == "error_share")
ERROR_LIMIT = next(row.default for row in PARAMS if row.name == "error_limit")
VALUE_LIMIT = 20000


def _board(*points: tuple[int, int], side: int = 0) -> ProbeBoard:
    """A board with these stones, Black's first; `side` to move instead of the next one."""
    board = ProbeBoard(15, 15)
    for number, point in enumerate(points):
        board.make(*point, 1 + number % 2)
    if side:
        board.set_side(side)
    return board


@given(st.integers(-300, 300), st.integers(0, 30))
def test_an_error_that_is_found_again_and_again_is_corrected(error: int, depth: int) -> None:
    errors, board = ProbeErrors(), _board((7, 7), (8, 8))
    for _ in range(1000):
        errors.learn(board, error, depth)
    # All three means have the whole error, less what rounding leaves.
    assert abs(errors.corrected(board, 50) - (50 + 3 * error * SHARE / 100)) <= 12


def test_what_is_learned_is_of_the_last_two_stones_and_one_side() -> None:
    errors = ProbeErrors()
    for _ in range(1000):
        errors.learn(_board((7, 7), (8, 8)), 100, 10)
    whole = errors.corrected(_board((7, 7), (8, 8)), 0)
    same_last = errors.corrected(_board((3, 3), (8, 8)), 0)
    same_before = errors.corrected(_board((7, 7), (3, 3)), 0)
    assert 0 < same_last < whole and 0 < same_before < whole
    # Whatever else is on the board, the last two stones decide.
    assert errors.corrected(_board((1, 1), (2, 2), (7, 7), (8, 8)), 0) == whole
    assert errors.corrected(_board((7, 7), (8, 8), side=2), 0) == 0
    assert errors.corrected(_board((8, 8), (7, 7)), 0) == 0
    assert errors.corrected(_board(), 5) == 5


@given(st.integers(-40000, 40000), st.integers(-VALUE_LIMIT, VALUE_LIMIT))
def test_no_error_leads_out_of_the_range(error: int, value: int) -> None:
    errors, board = ProbeErrors(), _board((7, 7))
    for _ in range(200):
        errors.learn(board, error, 30)
    corrected = errors.corrected(board, value)
    assert -VALUE_LIMIT <= corrected <= VALUE_LIMIT
    assert abs(corrected - value) <= 3 * ERROR_LIMIT * SHARE / 100 + 1
