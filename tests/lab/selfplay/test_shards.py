"""Shards: what is written is read again, and nothing that is damaged is read at all."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.game.referee import MAX_SIZE, MIN_SIZE, RULES
from tengen.lab.selfplay.shards import (
    FOUL,
    HEAD_BYTES,
    MATE,
    ROW,
    BadShard,
    Head,
    Move,
    PlayedGame,
    SidePosition,
    decode_shard,
    encode_shard,
    read_shard,
    shard_name,
    shard_paths,
    write_shard,
)


def small_shard() -> tuple[Head, list[PlayedGame]]:
    """Two short games: one with two positions beside it, one without moves."""
    head = Head(4, 15, 14, 7, 20, 1500, 10_000, "0.1.0", 3, 0xFEDCBA98, 0)
    moves = (Move(7 * ROW + 7, 1, -12), Move(7 * ROW + 8, 2 | 4, MATE - 3))
    side_positions = (
        SidePosition(0, (ROW, ROW + 1), Move(5, 16, 90)),
        SidePosition(1, (2 * ROW,), Move(6, 0, 5 - MATE)),
    )
    return head, [
        PlayedGame(1, 1, False, (0, 13 * ROW + 14), moves, side_positions),
        PlayedGame(0, 3, True, (5 * ROW + 5,), ()),
    ]


@st.composite
def shards(draw: st.DrawFn) -> tuple[Head, list[PlayedGame]]:
    """Anything that the format can hold."""
    side = st.integers(MIN_SIZE, MAX_SIZE)
    number = st.integers(0, 2**32 - 1)
    head = Head(
        draw(st.sampled_from(RULES)), draw(side), draw(side), draw(st.integers(0, 2**64 - 1)),
        draw(number), draw(number), draw(number), draw(st.text("0123456789.dev+", max_size=16)),
        draw(number), draw(number), draw(number),
    )  # fmt: skip
    cell = st.builds(
        lambda x, y: y * ROW + x, st.integers(0, head.width - 1), st.integers(0, head.height - 1)
    )
    move = st.builds(Move, cell, st.integers(0, 31), st.integers(1 - MATE, MATE - 1))

    @st.composite
    def game(draw: st.DrawFn) -> PlayedGame:
        moves = draw(st.lists(move, max_size=20).map(tuple))
        after = st.integers(0, max(0, len(moves) - 1))
        beside = st.builds(
            SidePosition, after, st.lists(cell, min_size=1, max_size=6).map(tuple), move
        )
        return PlayedGame(
            draw(st.integers(0, 2)),
            draw(st.integers(0, FOUL)),
            draw(st.booleans()),
            draw(st.lists(cell, max_size=9).map(tuple)),
            moves,
            draw(st.lists(beside, max_size=6 if moves else 0).map(tuple)),
        )

    return head, draw(st.lists(game(), max_size=8))


@settings(max_examples=20, deadline=None)
@given(shards())
def test_what_is_written_is_read(made: tuple[Head, list[PlayedGame]]) -> None:
    head, games = made
    shard = decode_shard(encode_shard(head, games), "shard")
    assert shard.head == head
    assert [shard.game(i) for i in range(len(shard))] == games


@settings(max_examples=20, deadline=None)
@given(shards())
def test_columns_by_position_follow_from_the_games(made: tuple[Head, list[PlayedGame]]) -> None:
    head, games = made
    shard = decode_shard(encode_shard(head, games), "shard")
    expected: list[tuple[int, int, int, float, bool]] = []
    beside: list[tuple[int, int, int, float, bool]] = []
    for number, game in enumerate(games):
        seen = [(len(game.opening) + i, move) for i, move in enumerate(game.moves)]
        for each in game.side_positions:
            seen.append((len(game.opening) + each.after + len(each.line), each.move))
        for i, (ply, move) in enumerate(seen):
            mover = 2 if ply % 2 else 1
            result = 0.5 if game.winner == 0 else float(game.winner == mover)
            row = (number, ply, mover, result, abs(move.value) >= 29000)
            (expected if i < len(game.moves) else beside).append(row)
    assert shard.moves == len(expected)
    expected += beside
    columns = (
        shard.game_of_position(), shard.ply(), shard.mover(), shard.result(), shard.is_mate(),
    )  # fmt: skip
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_a_shard_that_is_cut_off_anywhere_is_refused() -> None:
    data = encode_shard(*small_shard())
    for size in range(len(data)):
        with pytest.raises(BadShard, match=r"^x\.games: (cut off, |not a shard)"):
            decode_shard(data[:size], "x.games")
    with pytest.raises(BadShard, match="too long"):
        decode_shard(data + b"\0", "x.games")


def test_a_shard_with_any_bit_changed_is_refused() -> None:
    data = encode_shard(*small_shard())
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            with pytest.raises(BadShard) as raised:
                decode_shard(bytes(changed), "x.games")
            assert "\n" not in str(raised.value)


def with_head(data: bytes, at: int, value: bytes) -> bytes:
    """The shard with other bytes in its head, the checksum of which is made to fit."""
    head = bytearray(data[: HEAD_BYTES - 4])
    head[at : at + len(value)] = value
    return bytes(head) + struct.pack("<I", zlib.crc32(head)) + data[HEAD_BYTES:]


def test_other_formats_and_senseless_heads_are_named() -> None:
    data = encode_shard(*small_shard())
    for at, value, text in (
        (0, b"TGNVALUE", "not a shard"),
        (8, b"\1\0", "of format 1; this program reads format 2"),
        (10, b"\3", "its head makes no sense: rule 3"),
        (11, b"\4", "size 4x14"),
        (12, b"\x17", "size 15x23"),
        (11, b"\6", "a stone off the 6x14 board"),
    ):
        with pytest.raises(BadShard, match=text):
            decode_shard(with_head(data, at, value), "x.games")


@pytest.mark.parametrize(
    "game",
    [
        PlayedGame(1, 0, False, (15,), ()),
        PlayedGame(1, 0, False, (), (Move(14 * ROW, 0, 0),)),
        PlayedGame(1, 0, False, (), (Move(1 << 10, 0, 0),)),
        PlayedGame(1, 0, False, (), (Move(0, 32, 0),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 0),), (SidePosition(1, (0,), Move(0, 0, 0)),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 0),), (SidePosition(0, (), Move(0, 0, 0)),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 0),), (SidePosition(0, (15,), Move(0, 0, 0)),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 0),), (SidePosition(0, (0,), Move(15, 0, 0)),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 0),), (SidePosition(0, (0,), Move(0, 0, MATE)),)),
        PlayedGame(1, 0, False, (), (), (SidePosition(-1, (0,), Move(0, 0, 0)),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, MATE),)),
        PlayedGame(1, 0, False, (), (Move(0, 0, 1 << 15),)),
        PlayedGame(3, 0, False, (), ()),
        PlayedGame(0, FOUL + 1, False, (), ()),
        PlayedGame(0, 0, False, (0,) * 256, ()),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(tmp_path: Path, game: PlayedGame) -> None:
    head, games = small_shard()
    path = tmp_path / shard_name(0)
    with pytest.raises(ValueError):
        write_shard(path, head, [*games, game])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="more than 16 letters"):
        encode_shard(replace(head, engine="0.1.0" * 4), games)


def test_files(tmp_path: Path) -> None:
    head, games = small_shard()
    for first in (1000, 0):
        write_shard(tmp_path / shard_name(first), replace(head, first=first), games)
    (tmp_path / f"{shard_name(2000)}.part").write_bytes(b"TGN")
    paths = shard_paths([tmp_path])
    assert [path.name for path in paths] == ["000000000.games", "000001000.games"]
    shard = read_shard(paths[1], rule=4)
    assert (shard.head, len(shard)) == (replace(head, first=1000), 2)
    with pytest.raises(BadShard, match=r"games: holds games of rule 4, not of rule 0$"):
        read_shard(paths[0], rule=0)
    with pytest.raises(BadShard, match="No such file"):
        read_shard(tmp_path / "none.games")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no shards"):
        shard_paths([tmp_path, tmp_path / "empty"])
