"""The values file: refused where it is damaged."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import values
from tests.no_files import NO_FILES, make_no_file

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
    path.write_bytes(spoil(Path(values.DEFAULT_FILE).read_bytes()))
    with pytest.raises(ValueError, match=reason):
        values.load_body(path)


@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = make_no_file(tmp_path, kind)
    with pytest.raises(ValueError, match=f"^{path.name}: {NO_FILES[kind]}$"):
        values.load_body(path)
