"""Which positions are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.game.openings import image, symmetries
from tengen.lab.selfplay.game import Setting, cell_number
from tengen.lab.selfplay.keep import (
    DUPLICATE,
    FEW_NODES,
    IS_DECIDED,
    KEPT,
    MATE_VALUE,
    ONLY_MOVE,
    Seen,
    has_result,
    held_out,
    opening_keys,
    position_keys,
    reasons,
)
from tengen.lab.selfplay.shards import (
    CHANCE,
    DECIDED,
    DEEP,
    MATE,
    ONLY,
    SHORT,
    Head,
    Move,
    PlayedGame,
    Shard,
    SidePosition,
    decode_shard,
    encode_shard,
)
from tests.lab.selfplay.test_shards import shards, small_shard

HEAD = Setting(0, 15, 15).head(0)


def shard_of(*games: PlayedGame, head: Head = HEAD) -> Shard:
    return decode_shard(encode_shard(head, games), "shard")


def game_of(opening: int, *cells: tuple[int, int], flags: tuple[int, ...] = ()) -> PlayedGame:
    """A game of these cells, the first of them as its opening."""
    numbers = [cell_number(cell) for cell in cells]
    marks = flags or (0,) * (len(cells) - opening)
    moves = tuple(Move(n, f, 0) for n, f in zip(numbers[opening:], marks, strict=True))
    return PlayedGame(0, 0, False, tuple(numbers[:opening]), moves)


def test_each_reason() -> None:
    moves = [Move(i, flags, 0) for i, flags in enumerate((0, CHANCE, SHORT, ONLY | SHORT))]
    moves += [Move(10, DECIDED | ONLY, 0), Move(11, DECIDED, 29000), Move(12, 0, -29996)]
    shard = shard_of(PlayedGame(1, 1, False, (40,), tuple(moves)))
    expected = [KEPT, KEPT, FEW_NODES, ONLY_MOVE, IS_DECIDED, MATE_VALUE, MATE_VALUE]
    assert reasons(shard).tolist() == expected


def test_the_result_counts_after_the_last_move_by_chance() -> None:
    c = CHANCE
    shard = shard_of(
        game_of(1, (0, 0), (1, 0), (2, 0), (3, 0), flags=(0, c, 0)),
        game_of(1, (0, 0), (1, 0), (2, 0), flags=(0, 0)),
        game_of(0, (0, 0), (1, 0), (2, 0), flags=(c, 0, c)),
        game_of(2, (0, 0), (1, 0)),
    )
    assert has_result(shard).tolist() == [False, False, True, True, True, False, False, False]


def test_the_result_says_nothing_of_positions_beside_the_game() -> None:
    beside = (
        SidePosition(0, (200, 201), Move(202, DEEP, 5)),
        SidePosition(3, (203,), Move(204, 0, -MATE + 4)),
    )
    game = replace(game_of(1, *((i, 0) for i in range(6))), side_positions=beside)
    shard = shard_of(game, game)
    assert has_result(shard).tolist() == [True] * 10 + [False] * 4
    assert reasons(shard).tolist() == [KEPT] * 10 + [KEPT, MATE_VALUE] * 2
    once = [KEPT] * 5 + [DUPLICATE] * 5 + [KEPT, MATE_VALUE, DUPLICATE, MATE_VALUE]
    assert reasons(shard, Seen()).tolist() == once


@settings(max_examples=15)
@given(st.data())
@pytest.mark.parametrize("size", [(15, 15), (15, 12)])
def test_keys_know_positions_in_all_symmetries(size: tuple[int, int], data: st.DataObject) -> None:
    width, height = size
    every = [(x, y) for y in range(height) for x in range(width)]
    cells = data.draw(st.lists(st.sampled_from(every), min_size=5, max_size=9, unique=True))
    ways = symmetries(width, height)
    count, turned = len(ways), [image(cells, way, width, height) for way in ways]
    # The same stones in another order: those of each colour exchanged.
    mixed = [cells[2], cells[3], cells[0], cells[1], *cells[4:]]
    head = replace(HEAD, width=width, height=height)
    shard = shard_of(*(game_of(2, *each) for each in (*turned, mixed)), head=head)
    keys = position_keys(shard).reshape(count + 1, -1)
    assert (keys[:count] == keys[0]).all()
    assert (keys[count, 2:] == keys[0, 2:]).all()
    assert len(set(keys[0].tolist())) == len(cells) - 2
    openings = opening_keys(shard)
    assert (openings == keys[:, 0]).all()
    # Beside a game of the first stones: the same positions after other stones of it.
    for after in range(len(cells) - 3):
        for end in range(after + 3, len(cells)):
            line = tuple(map(cell_number, cells[after + 2 : end]))
            game = game_of(2, *cells)
            beside = SidePosition(after, line, Move(0, 0, 0))
            branched = shard_of(replace(game, side_positions=(beside,)), head=head)
            assert position_keys(branched)[-1] == keys[0, end - 2]
    other = shard_of(game_of(2, *cells), head=replace(head, rule=1))
    assert not set(position_keys(other).tolist()) & set(keys[0].tolist())


def test_keys_are_the_same_on_every_machine() -> None:
    """Which openings are held out must never change."""
    shard = decode_shard(encode_shard(*small_shard()), "shard")
    assert position_keys(shard)[: shard.moves].tolist() == KEYS[:2]
    assert opening_keys(shard).tolist() == [KEYS[0], KEYS[2]]


KEYS = [17451208578570707253, 14822922397843399868, 16845663968467474417]


@settings(max_examples=20)
@given(shards())
def test_columns_fit_for_any_shard(made: tuple[Head, list[PlayedGame]]) -> None:
    shard = decode_shard(encode_shard(*made), "shard")
    count = len(shard.cell)
    for column in (reasons(shard, Seen()), has_result(shard), position_keys(shard)):
        assert len(column) == count
    assert len(held_out(shard)) == len(shard)


def test_one_opening_in_ten_is_held_out_with_all_its_games() -> None:
    games = [game_of(2, (i % 15, i // 15), (7, 7), (8, 8)) for i in range(112)]
    shard = shard_of(*games, *games[::-1])
    out = held_out(shard)
    assert (out == out[::-1]).all()
    assert 2 <= np.count_nonzero(out[:112]) <= 25


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 60), max_size=25), max_size=12))
def test_only_the_first_of_equal_keys_is_new(batches: list[list[int]]) -> None:
    seen, known = Seen(), set[int]()
    for batch in batches:
        expected = []
        for key in batch:
            expected.append(key not in known)
            known.add(key)
        assert seen.add(np.array(batch, dtype=np.uint64)).tolist() == expected
