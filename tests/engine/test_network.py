"""The net file, refused where it cannot be used; its rows, and what the trainer reads."""

from __future__ import annotations

import random
import struct
from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine import network
from engine.features import GameReader, patterns_of_rows
from engine.model import Rule
from engine.network import BODY_OFFSET, NetError, Network
from engine.patterns import numbering
from engine.rulebook import RULES
from tests.engine.nets import random_net
from tests.engine.probe import ProbeBoard, features_of

NUMBERS = [row.number for row in RULES]


@pytest.mark.parametrize("extreme", [False, True])
@pytest.mark.parametrize("rule", NUMBERS)
def test_there_and_back(rule: int, extreme: bool, tmp_path: Path) -> None:
    net = random_net(rule, 1, extreme)
    path = tmp_path / "net.bin"
    path.write_bytes(network.encode(net))
    assert network.load(path, rule) == net


def test_the_layout_is_the_documented_one() -> None:
    net = random_net(0, 2)
    data = network.encode(net)
    assert data[:8] == b"TGNNET\0\0"
    assert struct.unpack_from("<HHHHI", data, 8) == (3, 0, 1, 5, 1653)
    assert struct.unpack_from("<I", data, 24) == (2,)
    assert data[28:60].rstrip(b"\0") == b"random 2"

    def halves(at: int, count: int) -> list[int]:
        both = np.frombuffer(data, "u1", 2 * count, at).reshape(2, count)
        return list(both.T.copy().view("<i2").ravel())

    assert halves(64, 1653 * 48) == list(net.rows)
    assert halves(64 + 2 * 1653 * 48, 81 * 48) == list(net.pairs)
    assert halves(len(data) - 162, 81) == list(net.entry)


def test_every_rule_plays_with_a_net_of_its_own() -> None:
    for rule in Rule:
        assert network.load(network.default_file(rule), rule).rule == rule
    with pytest.raises(NetError, match="made for rule 8, not for rule 9"):
        network.load(network.default_file(8), 9)


def patched(data: bytes, offset: int, form: str, number: int) -> bytes:
    """The bytes with one number of the header replaced."""
    size = struct.calcsize(form)
    return data[:offset] + struct.pack(form, number) + data[offset + size :]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: b"", "too short for a net file"),
        (lambda data: data[:63], "too short for a net file"),
        (lambda data: data[:-1], "bytes long, not"),
        (lambda data: data + b"\0", "bytes long, not"),
        (lambda data: b"TGNVALUE" + data[8:], "not a net file of format 3"),
        (lambda data: patched(data, 8, "<H", 1), "not a net file of format 3"),
        (lambda data: patched(data, 10, "<H", 1), "made for rule 1, not for rule 0"),
        (lambda data: patched(data, 12, "<H", 2), "has 2 sets of numbers, not 1"),
        (lambda data: patched(data, 14, "<H", 4), "damaged"),
        (lambda data: patched(data, 16, "<I", 1654), "made for other patterns"),
        (lambda data: patched(data, 20, "<I", 1), "made for other patterns"),
        (lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:], "damaged"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 128]), "damaged"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_reason(
    spoil: Callable[[bytes], bytes], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "net.bin"
    path.write_bytes(spoil(network.encode(random_net(0, 3))))
    with pytest.raises(NetError, match=reason) as caught:
        network.load(path, 0)
    assert str(caught.value).startswith("net.bin: ")
    assert "\n" not in str(caught.value)


def test_no_flipped_bit_goes_unnoticed() -> None:
    good = network.encode(random_net(0, 4))
    rng = random.Random(4)
    for bit in [*range(8 * BODY_OFFSET), *(rng.randrange(8 * len(good)) for _ in range(100))]:
        data = bytearray(good)
        data[bit // 8] ^= 1 << bit % 8
        with pytest.raises(NetError):
            network.decode(bytes(data), 0)


def replaced(part: str, index: int, number: int, net: Network) -> Network:
    numbers = array(getattr(net, part).typecode, getattr(net, part))
    numbers[index] = number
    return net._replace(**{part: numbers})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda net: replaced("rows", 77, 2048, net), r"rows is not within \+-2047"),
        (lambda net: replaced("bias", 3, 32700, net), "bias, rows and pairs of channel 3 are"),
        (lambda net: replaced("bias", 47, -32768, net), "bias, rows and pairs of channel 47 are"),
        (lambda net: replaced("pairs", 80 * 48 + 5, 32700, net), "pairs of channel 5 are beyond"),
        (lambda net: replaced("wr", 48 * 64 - 1, 65, net), r"wr is not within \+-64"),
        (lambda net: replaced("w1", 63, -65, net), r"w1 is not within \+-64"),
        (lambda net: replaced("b1", 0, (1 << 22) + 1, net), "b1 is not within"),
        (lambda net: replaced("b3", 0, -(1 << 22) - 1, net), "b3 is not within"),
        (lambda net: net._replace(shift=10), "a shift of 10; expected 1 to 9"),
        (lambda net: net._replace(shift=0), "a shift of 0; expected 1 to 9"),
        (lambda net: net._replace(version=-1), "a version of -1; expected less than 2"),
        (lambda net: net._replace(name="two\nlines"), "the name is not"),
        (lambda net: net._replace(name="x" * 33), "the name is not"),
        (lambda net: net._replace(rule=3), "there is no rule 3"),
        (lambda net: net._replace(w2=net.w2[:-1]), "2047 numbers of w2, not 2048"),
        (lambda net: net._replace(w2=array("h", net.w2)), "w2 is not of type b"),
    ],
)
def test_numbers_that_could_overflow_are_not_written(
    spoil: Callable[[Network], Network], reason: str
) -> None:
    net = spoil(random_net(0, 6))
    with pytest.raises(NetError, match=reason):
        network.encode(net)


BLACK, WHITE, WALL = 1, 2, 3

# Rows, and the CRC of the numbering. Nets are bound to it: another CRC refuses every net there is.
PINNED = {
    0: (1653, 0x0B95940C),
    1: (7260, 0x590E75DB),
    4: (4005, 0xE21DE560),
    8: (14878, 0x79B07613),
    9: (14878, 0x79B07613),
}


def cells_of(half: int) -> list[int]:
    return [half >> 2 * i & 3 for i in range(5)]


def swapped(half: int) -> int:
    return sum(
        {0: 0, BLACK: WHITE, WHITE: BLACK, WALL: WALL}[cell] << 2 * i
        for i, cell in enumerate(cells_of(half))
    )


def seen_by(colour: int, cells: list[int], reach: int, ends_block: bool) -> str:
    """What matters of a half window to a colour: its cells up to the first foreign stone."""
    text = ""
    for cell in cells[:reach]:
        if cell not in (0, colour):
            return text + ("o" if ends_block and cell != WALL else "#")
        text += "x" if cell else "_"
    return text


def half_seen_by_both(rule: int, half: int) -> tuple[str, str]:
    row = next(row for row in RULES if row.number == rule)
    seen = []
    for index, colour in enumerate((BLACK, WHITE)):
        plain = row.overline_wins[index] and not row.ends_block
        seen.append(seen_by(colour, cells_of(half), 4 if plain else 5, row.ends_block))
    return seen[0], seen[1]


@pytest.mark.parametrize("rule", PINNED)
def test_the_numbering_is_the_one_that_nets_are_made_for(rule: int) -> None:
    """Two halves share a class where no colour sees a difference; rows are numbered in the order of
    their classes; and `swapped` has the row of the window with its colours exchanged."""
    count = numbering(rule)
    n = count.classes
    assert (count.rows, count.crc) == PINNED[rule]
    classes: dict[tuple[str, str], int] = {}
    for half in range(1024):
        number = classes.setdefault(half_seen_by_both(rule, half), len(classes))
        assert count.class_of_half[half] == number
    assert len(classes) == n
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    assert [count.row_of_pair[i * n + j] for i, j in pairs] == list(range(count.rows))
    assert [count.row_of_pair[j * n + i] for i, j in pairs] == list(range(count.rows))

    def row_of(before: int, after: int) -> int:
        return count.row_of_pair[count.class_of_half[before] * n + count.class_of_half[after]]

    rng = random.Random(rule)
    for _ in range(5000):
        before, after = rng.randrange(1024), rng.randrange(1024)
        here = row_of(before, after)
        # In renju the colours are judged differently, and each has rows of its own.
        other = here if rule == 4 else row_of(swapped(before), swapped(after))
        assert count.swapped[here] == other


STRIDE = 32
FIVE, OPEN_FOUR = 8, 7  # threats as patterns.pxd numbers them
SOME_RULES = [0, 4, 8]


def stones_of(seed: int, width: int, height: int, count: int) -> list[tuple[int, int]]:
    """Random points in the order in which they are played."""
    rng = random.Random(seed)
    return rng.sample([(x, y) for y in range(height) for x in range(width)], count)


def as_array(points: list[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    return np.array([y * STRIDE + x for x, y in points], np.uint16)


@pytest.mark.parametrize("rule", SOME_RULES)
@pytest.mark.parametrize("count", [0, 1, 12, 33])
def test_features_are_those_of_the_board(rule: int, count: int) -> None:
    width, height = 11, 9
    points = stones_of(count, width, height, count + 1)
    board = ProbeBoard(width, height, rule)
    for i, (x, y) in enumerate(points[:-1]):
        board.make(x, y, 1 + i % 2)
    mover = 1 + count % 2
    played = as_array(points)[-1]
    rows, cells, candidates, chosen = features_of(
        rule, width, height, as_array(points[:-1]), int(played)
    )
    empty = features_of(rule, width, height, as_array([]))
    assert empty == ([], [], [], -1)
    near = sorted(board.moves("all"), key=lambda point: point[::-1]) if count else []
    assert len(candidates) == len(near)
    patterns = patterns_of_rows(rule)
    numbers = numbering(rule)
    assert [divmod(cells[entry][0], width)[::-1] for entry in candidates] == near
    reached = {
        (x + way * i * dx, y + way * i * dy)
        for x, y in points[:-1]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        for i in range(1, 6)
        for way in (-1, 1)
    }
    assert {divmod(at, width)[::-1] for at, *_ in cells} <= reached | set(near)
    for entry, (at, region, own, other) in enumerate(cells):
        y, x = divmod(at, width)
        assert (x, y) in board.empties()
        assert region == (x > 3) + (x > 6) + 3 * ((y > 2) + (y > 5))
        assert (own, other) == (board.threat(x, y, mover), board.threat(x, y, 3 - mover))
        for view, colour in enumerate((mover, 3 - mover)):
            of_set = [
                row - (numbers.rows if rule == Rule.RENJU and colour == 2 else 0)
                for row in rows[entry][view]
            ]
            # The colour's own pattern is the first one in its view; renju's rows are not turned.
            shift = 4 if rule == Rule.RENJU and colour == 2 else 0
            assert [patterns[row] >> shift & 15 for row in of_set] == [
                board.line(x, y, d, colour) for d in range(4)
            ]
    assert chosen == (near.index(points[-1]) if points[-1] in near else -1)


@pytest.mark.parametrize("stones", [[5, 5], [9], [9 * STRIDE]])
def test_a_stone_that_cannot_be_there_is_refused(stones: list[int]) -> None:
    reader = GameReader(0, 9, 9)
    empty = [np.zeros(2, kind) for kind in (np.uint32, np.uint8)]
    with pytest.raises(ValueError, match="is not on an empty point"):
        reader.describe(np.array(stones, np.uint16), *empty)
    reader.describe(np.array([5, 6], np.uint16), *empty)  # and can be used further


@pytest.mark.parametrize("rule", SOME_RULES)
def test_games_are_described_as_the_board_sees_them(rule: int) -> None:
    reader = GameReader(rule, 9, 9)
    for seed in range(3):  # the reader is used again
        points = stones_of(seed, 9, 9, 30)
        size = len(points)
        threats, decided = np.zeros(size, np.uint32), np.zeros(size, np.uint8)
        reader.describe(as_array(points), threats, decided)
        board = ProbeBoard(9, 9, rule)
        for i, (x, y) in enumerate(points):
            mover = 1 + i % 2
            assert decided[i] == bool(
                board.count(1, FIVE) or board.count(2, FIVE) or board.count(mover, OPEN_FOUR)
            )
            packed = [
                min(3, board.count(colour, threat))
                for colour in (mover, 3 - mover)
                for threat in range(1, 9)
            ]
            assert [int(threats[i]) >> 2 * at & 3 for at in range(16)] == packed
            board.make(x, y, mover)


def test_a_file_beyond_the_bounds_is_refused_though_its_checksum_is_right() -> None:
    net = replaced("rows", 0, 2048, random_net(0, 7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "check", lambda net: None)
        data = network.encode(net)
    with pytest.raises(NetError, match="rows is not within"):
        network.decode(data, 0)
