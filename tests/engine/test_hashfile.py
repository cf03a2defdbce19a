"""The hash table in a file: a search goes on with it, and no damaged file is taken."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from engine.api import Engine
from engine.model import Limits, Position
from engine.network import encode
from tests.engine.fixed_search import fix_search
from tests.engine.nets import random_net
from tests.no_files import NO_FILES, make_no_file

POSITION = Position.from_moves("h8 i9 h9 h10 g8 i8")
DEPTH = Limits(depth_plies=12)
# Less deep, so that a table which has DEPTH knows most of it.
LESS = Limits(depth_plies=9)
MIB = 2**20


def engine(hash_mib: int = 16, position: Position = POSITION) -> Engine:
    engine = Engine()
    fix_search(engine)
    engine.set_memory(None, hash_mib * MIB)
    engine.set_position(position)
    return engine


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hash") / "table"
    searcher = engine()
    searcher.think(DEPTH)
    assert searcher.save_hash(str(path)) > 1000
    return path


def test_a_search_goes_on_where_it_was(file: Path) -> None:
    alone = engine().think(LESS).info
    loaded = engine()
    count = loaded.load_hash(str(file))
    assert file.stat().st_size == 36 + 16 * count
    info = loaded.think(LESS).info
    assert abs(info.score.value - alone.score.value) < 100 and info.pv[0] == alone.pv[0]
    assert info.nodes < alone.nodes * 0.7


def test_what_was_read_is_written_again(file: Path, tmp_path: Path) -> None:
    loaded = engine()
    loaded.load_hash(str(file))
    loaded.save_hash(str(tmp_path / "copy"))
    body, copy = file.read_bytes()[32:-4], (tmp_path / "copy").read_bytes()[32:-4]
    entries = {body[i : i + 16] for i in range(0, len(body), 16)}
    assert entries == {copy[i : i + 16] for i in range(0, len(copy), 16)}


@pytest.mark.parametrize("hash_mib", [5, 64])
def test_a_table_of_another_size_takes_the_file(file: Path, hash_mib: int) -> None:
    """The whole key is in the file, so that every entry finds its place."""
    loaded = engine(hash_mib)
    loaded.load_hash(str(file))
    alone, info = engine(hash_mib).think(LESS).info, loaded.think(LESS).info
    assert info.nodes < alone.nodes * 0.7


def test_a_new_game_forgets_what_was_read(file: Path, tmp_path: Path) -> None:
    loaded = engine()
    loaded.load_hash(str(file))
    loaded.new_game()
    assert loaded.save_hash(str(tmp_path / "empty")) == 0
    assert loaded.think(DEPTH).info.nodes == engine().think(DEPTH).info.nodes


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
        refused(engine(), path, reason)


@pytest.mark.parametrize("at", [8, 12, 16, 18, 20, 24, 28])
@pytest.mark.parametrize("number", [0, 1, 5, 0x7FFF, 0x8000, 0xFFFF])
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
            assert engine().load_hash(str(path)) > 1000
        else:
            refused(engine(), path, "of another version|other nets|for boards of")


@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    searcher = engine()
    searcher.think(Limits(nodes=100))
    path = make_no_file(tmp_path, kind)
    for use in searcher.save_hash, searcher.load_hash:
        with pytest.raises(OSError, match=NO_FILES[kind]):
            use(str(path))


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


def test_files_of_another_board_or_evaluation_are_refused(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(file.read_bytes())
    other = engine(position=Position(15, 16))
    refused(other, path, "for boards of 15x15, this one is 15x16")
    other = engine()
    other.set_parameter("use_net", 1)
    refused(other, path, "written with other nets, tables or parameters")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    searcher = engine(16)
    searcher.think(Limits(nodes=400_000))
    path = tmp_path / "large"
    count = searcher.save_hash(str(path))
    small = engine(1)
    with pytest.raises(ValueError, match=f"{count} positions and is too large"):
        small.load_hash(str(path))
    assert small.think(DEPTH).info.nodes == engine(1).think(DEPTH).info.nodes


def test_tables_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with pytest.raises(ValueError, match="no search has been made"):
        engine().save_hash(str(path))
    small = engine(1)
    small.think(Limits(nodes=100))
    with pytest.raises(ValueError, match="less than 4 MiB cannot be written"):
        small.save_hash(str(path))
    large = engine()
    large.think(Limits(nodes=100))
    with pytest.raises(OSError):
        large.save_hash(str(tmp_path / "no folder" / "table"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        large.save_hash(str(tmp_path / "folder"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
    with pytest.raises((ValueError, OSError)):
        large.load_hash(str(tmp_path / "folder"))
