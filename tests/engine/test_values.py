"""The values file: its format, read, written, and refused where it is damaged."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import hand_values, values
from tests.no_files import NO_FILES, make_no_file


def test_the_committed_file_is_read_and_written_alike() -> None:
    body = values.load_body()
    assert body[0] > hand_values.VERSION
    data = values.encode(values.decode(body), body[0])
    assert data == Path(values.DEFAULT_FILE).read_bytes()


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "values.bin"
    path.write_bytes(hand_values.hand_values())
    version, numbers = values.load_body(path)
    assert version == hand_values.VERSION
    plain = hand_values.colour_values(renju_black=False)
    assert list(numbers[: values.CODES]) == plain.value
    assert list(numbers[values.CODES : 2 * values.CODES]) == plain.attack
    assert list(numbers[2 * values.CODES : 3 * values.CODES]) == plain.defend


# Numbers that no values file has, by the place in values.HEADER.
NONSENSE = [
    *[(at, number) for at in range(1, 6) for number in (0, 1, 0x7FFF, 0x8000, 0xFFFF)],
    *[(6, number) for number in (1, 0x8000, 0xFFFF)],
    *[(7, number) for number in (1 << 31, 0xFFFFFFFF)],
    *[(8, number) for number in (0, 1, 1 << 31, 0xFFFFFFFF)],
]


def with_field(at: int, number: int) -> Callable[[bytes], bytes]:
    def spoil(data: bytes) -> bytes:
        fields = list(values.HEADER.unpack_from(data))
        fields[at] = number
        return values.HEADER.pack(*fields) + data[values.HEADER.size :]

    return spoil


def with_body(length: int) -> Callable[[bytes], bytes]:
    """Another length, and the right checksum."""

    def spoil(data: bytes) -> bytes:
        body = (data[values.HEADER.size :] + bytes(length))[:length]
        fields = values.HEADER.unpack_from(data)
        return values.HEADER.pack(*fields[:-1], zlib.crc32(body)) + body

    return spoil


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:10], "too short"),
        (lambda data: b"WRONG" + data[5:], "not a values file"),
        (lambda data: data[:8] + b"\x09\x00" + data[10:], "not a values file of format 2"),
        (lambda data: data[:10] + b"\x01\x00" + data[12:], "made for other patterns"),
        (lambda data: data[:-1] + b"\x77", "checksum"),
        (lambda data: data[:28], "checksum"),
        *[(with_field(at, number), r"values\.bin: ") for at, number in NONSENSE],
        *[(with_body(length), r"values\.bin: wrong length") for length in (0, 1, 99, 186201)],
    ],
)
def test_a_bad_file_is_refused_with_its_reason(
    tmp_path: Path, spoil: Callable[[bytes], bytes], reason: str
) -> None:
    path = tmp_path / "values.bin"
    path.write_bytes(spoil(hand_values.hand_values()))
    with pytest.raises(ValueError, match=reason):
        values.load_body(path)


@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = make_no_file(tmp_path, kind)
    with pytest.raises(ValueError, match=f"^{path.name}: {NO_FILES[kind]}$"):
        values.load_body(path)


def test_tables_of_a_wrong_length_are_refused() -> None:
    plain = hand_values.colour_values(renju_black=False)
    short = values.ColourValues(plain.value[:-1], plain.attack, plain.defend)
    rule = values.RuleValues((short, plain), hand_values.threat_values(), hand_values.SCALARS)
    with pytest.raises(ValueError, match="3059 entries"):
        values.encode([rule], 1)
