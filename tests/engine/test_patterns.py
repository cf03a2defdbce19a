"""Line patterns, codes, threats and their values, against their definition and the values file."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine import values
from engine.rulebook import INDEX_OF_NUMBER
from engine.values import CODES, RULE_COUNT, SCALARS, THREAT_MASKS, VALUE_FRACTION, load_body
from tengen.game.referee import BLACK, RULES, WHITE, opponent_of
from tests.engine import probe
from tests.engine.positions import random_walls
from tests.engine.probe import ProbeBoard

# How the windows of Black are judged under each rule, by its index. White's are judged alike, but
# for renju.
KINDS = ["five_or_more", "exact_five", "renju_black", "caro", "caro_exact"]
WINDOW = 11
CENTRE = 5

# Windows as their colour sees them: `X` own, `O` opponent, `#` wall, `_` empty, `.` the stone.
DRAWN = [
    ("five_or_more", "_ _ _ X X . X X _ _ _", "five"),
    ("five_or_more", "_ _ X X X . X X _ _ _", "five"),
    ("exact_five", "_ _ X X X . X X _ _ _", "dead"),
    ("renju_black", "_ _ X X X . X X _ _ _", "overline"),
    ("caro", "_ _ X X X . X X _ _ _", "five"),
    ("caro_exact", "_ _ X X X . X X _ _ _", "dead"),
    ("caro", "_ _ O X X . X X O _ _", "dead"),
    ("caro", "_ _ O X X . X X # _ _", "five"),
    ("caro", "_ _ O X X . X X _ _ _", "five"),
    ("five_or_more", "_ _ _ X X . X _ _ _ _", "open_four"),
    ("five_or_more", "_ _ O X X . X _ _ _ _", "four"),
    ("exact_five", "_ X _ X X . X _ _ _ _", "four"),
    ("renju_black", "_ X _ X X . X _ _ _ _", "four"),
    ("caro", "_ _ _ X X . X _ _ _ _", "open_four"),
    ("caro", "_ O _ X X . X _ _ _ _", "four"),
    ("caro", "_ O _ X X . X _ O _ _", "four"),
    ("five_or_more", "_ X _ X X . _ X _ _ _", "open_four"),
    ("renju_black", "_ X _ X X . _ X _ _ _", "double_four"),
    ("five_or_more", "_ _ _ X X . _ _ _ _ _", "three_wide"),
    ("five_or_more", "_ _ _ X _ . X _ _ _ _", "three"),
    ("five_or_more", "_ _ O X X . _ _ _ _ _", "blocked_three"),
    ("five_or_more", "_ _ _ O _ . X X _ O _", "blocked_three"),
    ("renju_black", "X _ _ X X . _ _ X _ _", "blocked_three"),
    ("five_or_more", "_ _ _ _ X . _ _ _ _ _", "two_wide"),
    ("five_or_more", "_ _ _ X _ . _ _ _ _ _", "two"),
    ("five_or_more", "_ _ O _ X . _ O _ _ _", "dead"),
    ("five_or_more", "_ _ O _ X . _ _ _ O _", "two_tight"),
    ("five_or_more", "_ _ _ _ O . X _ _ _ _", "blocked_two"),
    ("five_or_more", "_ _ _ _ _ . _ _ _ _ _", "one"),
    ("five_or_more", "_ _ _ _ O . _ _ _ _ _", "blocked_one"),
    ("five_or_more", "_ _ _ _ O . _ _ _ O _", "dead"),
]


@pytest.mark.parametrize(("kind", "drawn", "expected"), DRAWN)
def test_drawn_windows(kind: str, drawn: str, expected: str) -> None:
    window = [{"_": 0, "X": 1, ".": 1, "O": 2, "#": 3}[sign] for sign in drawn.split()]
    assert len(window) == WINDOW and window[CENTRE] == 1
    assert NAMES[probe.table_patterns(KINDS.index(kind), window)[0]] == expected
    assert _pattern(kind, tuple(window)) == expected


def _seen_by(colour: int, window: list[int]) -> tuple[int, ...]:
    exchanged = {0: 0, 1: 2, 2: 1, 3: 3}
    seen = window if colour == 1 else [exchanged[stone] for stone in window]
    return (*seen[:CENTRE], 1, *seen[CENTRE + 1 :])


@pytest.mark.parametrize("rule", range(5))
def test_tables_hold_what_the_definition_says(rule: int) -> None:
    rnd = random.Random(rule)
    for _ in range(300):
        window = [rnd.choice((0, 0, 0, 1, 1, 2, 2, 3)) for _ in range(WINDOW)]
        for at in rnd.sample(range(WINDOW), rnd.choice((0, 3, 5))):
            window[at] = rnd.choice((0, rnd.choice((1, 2))))
        patterns = probe.table_patterns(rule, window)
        for colour in (1, 2):
            kind = KINDS[0 if (rule, colour) == (2, 2) else rule]
            assert NAMES[patterns[colour - 1]] == _pattern(kind, _seen_by(colour, window)), window


@cache
def _pattern(kind: str, window: tuple[int, ...]) -> str:
    """The line pattern of a window as its colour sees it."""
    if _wins(kind, window):
        return "five"
    if _run(window) > 5:
        return "overline" if kind == "renju_black" else "dead"
    if _makes_four(kind, window):
        stops = (_after(window, p, 2) for p in range(WINDOW) if window[p] == 0)
        if not all(_makes_four(kind, stopped) for stopped in stops):
            return "four"
        return "double_four" if kind == "renju_black" and _run(window) != 4 else "open_four"
    reached = Counter(_pattern(kind, _after(window, p, 1)) for p in _empty_places(window))
    if reached["open_four"]:
        return "three_wide" if reached["open_four"] > 1 else "three"
    if reached["four"] or reached["double_four"]:
        return "blocked_three"
    if threes := reached["three"] + reached["three_wide"]:
        return "two_wide" if threes > 3 else "two" if threes > 2 else "two_tight"
    if reached["blocked_three"]:
        return "blocked_two"
    if reached["two_tight"] or reached["two"] or reached["two_wide"]:
        return "one"
    return "blocked_one" if reached["blocked_two"] else "dead"


def _wins(kind: str, window: tuple[int, ...]) -> bool:
    length = _run(window)
    first = CENTRE
    while first > 0 and window[first - 1] == 1:
        first -= 1
    blocked = length == 5 and window[first - 1] == 2 and window[first + 5] == 2
    return {
        "five_or_more": length >= 5,
        "exact_five": length == 5,
        "renju_black": length == 5,
        "caro": length > 5 or (length == 5 and not blocked),
        "caro_exact": length == 5 and not blocked,
    }[kind]


def _run(window: tuple[int, ...]) -> int:
    """The length of the row through the centre."""
    text = "".join(map(str, window))
    before, after = text[:CENTRE], text[CENTRE:]
    return WINDOW - len(before.rstrip("1")) - len(after.lstrip("1"))


def _after(window: tuple[int, ...], place: int, stone: int) -> tuple[int, ...]:
    return (*window[:place], stone, *window[place + 1 :])


def _empty_places(window: tuple[int, ...]) -> list[int]:
    """Those where one more stone can matter."""
    return [place for place in range(1, WINDOW - 1) if window[place] == 0]


def _makes_four(kind: str, window: tuple[int, ...]) -> bool:
    return any(_wins(kind, _after(window, p, 1)) for p in _empty_places(window))


def test_codes_are_numbered_as_the_values_file_expects() -> None:
    assert probe.code_members() == all_codes()
    assert len(all_codes()) == CODES


THREATS = ("none forbidden three double_three four four_three double_four open_four five").split()


@pytest.mark.parametrize(("rule", "colour"), [(0, 1), (2, 1), (2, 2), (3, 1)])
def test_threats_of_codes(rule: int, colour: int) -> None:
    """The tables' threats against the Python definition. (Two fours in one line exist for Black
    in renju only, so other colours' codes with that member never occur.)"""
    renju_black = rule == 2 and colour == 1
    for members, threat in zip(probe.code_members(), probe.code_threats(rule, colour), strict=True):
        assert THREATS[threat] == cell_class(members, renju_black), members


VALUE_LIMIT = 20000  # types.VALUE_EVAL_LIMIT


@cache
def _file() -> list[RuleValues]:
    return shipped_values()


@cache
def _codes() -> dict[tuple[int, ...], int]:
    return {members: code for code, members in enumerate(probe.code_members())}


def _code(board: ProbeBoard, x: int, y: int, colour: int) -> int:
    lines = [board.line(x, y, d, colour) for d in range(4)]
    return _codes()[tuple(sorted(lines, reverse=True))]


def _check(board: ProbeBoard, rule: int, side: int) -> None:
    """Compares every number of the evaluation with the values file, cell by cell."""
    table = _file()[INDEX_OF_NUMBER[rule]]
    total = 0
    for x, y in board.empties():
        codes = [_code(board, x, y, colour) for colour in (BLACK, WHITE)]
        total += int(table.tables[0, 0, codes[0]] - table.tables[1, 0, codes[1]])
        attack = table.tables[side - 1, 1, codes[side - 1]]
        defend = table.tables[2 - side, 2, codes[2 - side]]
        assert board.scores(x, y, side) == (attack, attack + defend)
    assert board.value == total
    board.set_side(side)
    own = total if side == BLACK else -total
    static = abs(own) // VALUE_FRACTION * (1 if own >= 0 else -1)
    static += table.threat_value[board.threat_mask(side)] + table.scalars["tempo"]
    assert board.static_value == max(-VALUE_LIMIT, min(VALUE_LIMIT, static))


@pytest.mark.parametrize("rule", RULES)
def test_the_evaluation_is_the_same_afresh_after_any_makes_and_undos(rule: int) -> None:
    rnd = random.Random(f"{rule}/evaluation")
    for width, height in ((7, 7), (9, 12)):
        walls = random_walls(width, height, rnd)
        board = ProbeBoard(width, height, rule, walls)
        stones: list[tuple[int, int, int]] = []
        colour = BLACK
        for step in range(120):
            # More stones than undos at first, more undos towards the end.
            if stones and rnd.random() < step / 120:
                board.undo()
                stones.pop()
            elif board.empties():
                x, y = rnd.choice(board.empties())
                board.make(x, y, colour)
                stones.append((x, y, colour))
                colour = opponent_of(colour) if rnd.random() < 0.9 else colour
            if step % 4 == 0:
                board.check()
                _check(board, rule, rnd.choice((BLACK, WHITE)))
        afresh = ProbeBoard(width, height, rule, walls)
        for x, y, stone in stones:
            afresh.make(x, y, stone)
        assert afresh.value == board.value


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
        *[(lambda data, at=at: data[:at] + b"\xff\xff" + data[at + 2 :], r"values\.bin: ")
          for at in (*range(8, 20, 2), 22, 24, 26)],
        *[(with_body(length), r"values\.bin: wrong length") for length in (0, 1, 99, 186201)],
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_reason(
    tmp_path: Path, spoil: Callable[[bytes], bytes], reason: str
) -> None:
    path = tmp_path / "values.bin"
    path.write_bytes(spoil(Path(values.DEFAULT_FILE).read_bytes()))
    with pytest.raises(ValueError, match=reason):
        values.load_body(path)


Numbers = Any  # an array of numpy

# The line patterns, weakest to strongest, as numbered in patterns.pxd.
NAMES = (
    "dead overline blocked_one one blocked_two two_tight two two_wide "
    "blocked_three three three_wide four double_four open_four five"
).split()


def all_codes() -> list[tuple[int, ...]]:
    """The members of every code, in the order patterns.pyx numbers them."""
    found = combinations_with_replacement(range(len(NAMES)), 4)
    return sorted(members[::-1] for members in found)


def cell_class(members: tuple[int, ...], renju_black: bool) -> str:
    """The threat of a code, by the definition in patterns.pyx."""
    names = [NAMES[member] for member in members]
    fours = names.count("four") + names.count("open_four") + 2 * names.count("double_four")
    threes = names.count("three") + names.count("three_wide")
    if "five" in names:
        return "five"
    if renju_black and ("overline" in names or fours > 1 or threes > 1):
        return "forbidden"
    if "open_four" in names:
        return "open_four"
    if names.count("four") + 2 * names.count("double_four") > 1:
        return "double_four"
    if fours:
        return "four_three" if threes else "four"
    if threes:
        return "double_three" if threes > 1 else "three"
    return "none"


class RuleValues(NamedTuple):
    """Everything of one rule. tables: of Black and of White the value, attack and defence of every
    code."""

    tables: Numbers
    threat_value: Numbers
    scalars: dict[str, int]


def shipped_values() -> list[RuleValues]:
    """The values file of the engine, rule by rule."""
    rows = np.array(load_body()[1], dtype=int).reshape(RULE_COUNT, -1)
    end = 6 * CODES + THREAT_MASKS
    return [
        RuleValues(
            row[: 6 * CODES].reshape(2, 3, CODES),
            row[6 * CODES : end],
            dict(zip(SCALARS, row[end:].tolist(), strict=True)),
        )
        for row in rows
    ]
