"""The values file: its format, read, written, and refused where it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import hand_values, values


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


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:10], "too short"),
        (lambda data: b"WRONG" + data[5:], "not a values file"),
        (lambda data: data[:8] + b"\x09\x00" + data[10:], "not a values file of format 2"),
        (lambda data: data[:10] + b"\x01\x00" + data[12:], "made for other patterns"),
        (lambda data: data[:-1] + b"\x77", "checksum"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, spoil: object, reason: str) -> None:
    path = tmp_path / "values.bin"
    path.write_bytes(spoil(hand_values.hand_values()))  # type: ignore[operator]
    with pytest.raises(ValueError, match=reason):
        values.load_body(path)


def test_tables_of_a_wrong_length_are_refused() -> None:
    plain = hand_values.colour_values(renju_black=False)
    short = values.ColourValues(plain.value[:-1], plain.attack, plain.defend)
    rule = values.RuleValues((short, plain), hand_values.threat_values(), hand_values.SCALARS)
    with pytest.raises(ValueError, match="3059 entries"):
        values.encode([rule], 1)
