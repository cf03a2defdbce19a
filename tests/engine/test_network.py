"""The net file: its format, read, written, and refused where it cannot be used."""

from __future__ import annotations

import random
import struct
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import network, values
from engine.api import Engine
from engine.model import Limits, Position
from engine.network import BODY_OFFSET, PARTS, NetError, Network
from engine.rows import numbering
from engine.rulebook import RULES
from tests.engine.nets import random_net

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
    assert struct.unpack_from("<HHHHI", data, 8) == (2, 0, 1, 5, 1653)
    assert struct.unpack_from("<I", data, 24) == (2,)
    assert data[28:60].rstrip(b"\0") == b"random 2"
    rows = struct.unpack_from(f"<{1653 * 48}h", data, 64)
    assert array("h", rows) == net.rows
    pairs = struct.unpack_from(f"<{81 * 48}h", data, 64 + 2 * 1653 * 48)
    assert array("h", pairs) == net.pairs
    assert struct.unpack_from("<81h", data, len(data) - 162) == tuple(net.entry)


def test_renju_has_two_sets_and_its_own_file() -> None:
    assert [network.sets_of(number) for number in NUMBERS] == [1, 1, 2, 1, 1]
    assert Path(network.default_file(4)).name == "net-renju.bin"
    assert Path(network.default_file(0)).parent == Path(values.DEFAULT_FILE).parent


def test_caro_exact_plays_with_the_net_of_caro(tmp_path: Path) -> None:
    assert network.default_file(9) == network.default_file(8)
    assert [network.serves(8, number) for number in NUMBERS] == [False, False, False, True, True]
    assert [network.serves(9, number) for number in NUMBERS] == [False, False, False, False, True]
    assert numbering(9).crc == numbering(8).crc and numbering(9).rows == numbering(8).rows
    net = random_net(8, 4)
    (tmp_path / "net.bin").write_bytes(network.encode(net))
    assert network.load(tmp_path / "net.bin", 9) == net._replace(rule=9)
    (tmp_path / "net.bin").write_bytes(network.encode(net._replace(rule=9)))
    with pytest.raises(NetError, match="made for rule 9, not for rule 8"):
        network.load(tmp_path / "net.bin", 8)


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
        (lambda data: b"TGNVALUE" + data[8:], "not a net file of format 2"),
        (lambda data: patched(data, 8, "<H", 1), "not a net file of format 2"),
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


EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
NAMES = (b"\xff" * 32, b"a\0b" + b"\0" * 29, b"\n" * 32, b"%s%n\x1b[2J" + b"\0" * 23)


def with_field(data: bytes, field: int, value: int | bytes) -> bytes | None:
    """The file with another value of one field of its header, and with the right checksum; None
    where the value does not fit."""
    fields = list(network.HEADER.unpack_from(data))
    fields[field] = value
    try:
        head = network.HEADER.pack(*fields)
    except struct.error:
        return None
    crc = zlib.crc32(data[BODY_OFFSET:], zlib.crc32(head))
    return head + network.CRC.pack(crc) + data[BODY_OFFSET:]


@pytest.mark.parametrize("field", range(1, 9))
def test_a_header_with_nonsense_and_the_right_checksum(field: int, tmp_path: Path) -> None:
    """It is refused in one line, and the engine plays with its own net."""
    good = network.encode(random_net(0, 3))
    path = tmp_path / "net.bin"
    moves = set()
    for value in NAMES if field == 8 else EXTREMES:
        data = with_field(good, field, value)
        if data is None:
            continue
        path.write_bytes(data)
        engine = Engine(str(path))
        problem = engine.set_position(Position.from_moves("h8 i9"))
        move = engine.think(Limits(nodes=300)).move
        if problem is not None:
            assert problem.startswith("net.bin: ") and problem.isprintable()
            moves.add(move)
    own = Engine(network.default_file(0))
    assert own.set_position(Position.from_moves("h8 i9")) is None
    assert moves == {own.think(Limits(nodes=300)).move}


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NetError, match=r"^none\.bin: No such file or directory$"):
        network.load(tmp_path / "none.bin", 0)


def replaced(part: str, index: int, number: int, net: Network) -> Network:
    numbers = array(getattr(net, part).typecode, getattr(net, part))
    numbers[index] = number
    return net._replace(**{part: numbers})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda net: replaced("rows", 77, 2048, net), r"rows is not within \+-2047"),
        (lambda net: replaced("rows", 77, -2048, net), r"rows is not within \+-2047"),
        (lambda net: replaced("bias", 3, 32700, net), "bias, rows and pairs of channel 3 are"),
        (lambda net: replaced("bias", 47, -32768, net), "bias, rows and pairs of channel 47 are"),
        (lambda net: replaced("pairs", 80 * 48 + 5, 32700, net), "pairs of channel 5 are beyond"),
        (lambda net: replaced("wr", 48 * 64 - 1, 65, net), r"wr is not within \+-64"),
        (lambda net: replaced("w1", 63, -65, net), r"w1 is not within \+-64"),
        (lambda net: replaced("wm", 1023, 127, net), r"wm is not within \+-64"),
        (lambda net: replaced("b1", 0, (1 << 22) + 1, net), "b1 is not within"),
        (lambda net: replaced("b3", 0, -(1 << 22) - 1, net), "b3 is not within"),
        (lambda net: net._replace(shift=10), "a shift of 10; expected 1 to 9"),
        (lambda net: net._replace(shift=0), "a shift of 0; expected 1 to 9"),
        (lambda net: net._replace(version=-1), "a version of -1; expected less than 2"),
        (lambda net: net._replace(version=1 << 31), "a version of 2147483648"),
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


@pytest.mark.parametrize(
    ("part", "at", "number", "reason"),
    [
        ("rows", 0, 2048, "rows is not within"),
        ("bias", 31, -32768, "bias, rows and pairs of channel 31 are beyond"),
        ("w1", 0, 65, "w1 is not within"),
        ("b1", 0, (1 << 22) + 1, "b1 is not within"),
        ("b3", 0, -(1 << 22) - 1, "b3 is not within"),
        ("shift", None, 10, "a shift of 10"),
        ("shift", None, 0, "a shift of 0"),
    ],
)
def test_a_file_beyond_the_bounds_is_refused_though_its_checksum_is_right(
    part: str, at: int | None, number: int, reason: str
) -> None:
    net = random_net(0, 7)
    net = net._replace(shift=number) if at is None else replaced(part, at, number, net)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "check", lambda net: None)
        data = network.encode(net)
    with pytest.raises(NetError, match=reason):
        network.decode(data, 0)


def test_weights_of_inputs_without_a_sign_may_be_larger() -> None:
    net = random_net(0, 6)
    for at in (64, 111):
        net.w1[at], net.w1[at + 112] = 127, -128
    network.check(net)


def test_the_parts_are_the_fields_of_a_network() -> None:
    assert tuple(part.name for part in PARTS) == Network._fields[4:]
