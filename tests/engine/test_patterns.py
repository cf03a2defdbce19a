"""Line patterns: drawn examples, the tables against the definition, codes and threats."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine import _probe
from engine.values import CODES
from tests.engine.codes import NAMES, PATTERN, all_codes, cell_class

KIND = {"five_or_more": 1, "exact_five": 0, "renju_black": 4, "caro": 3, "caro_exact": 2}
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


def _window(text: str) -> list[int]:
    return [{"_": 0, "X": 1, ".": 1, "O": 2, "#": 3}[sign] for sign in text.split()]


@pytest.mark.parametrize(("kind", "drawn", "expected"), DRAWN)
def test_drawn_windows(kind: str, drawn: str, expected: str) -> None:
    window = _window(drawn)
    assert len(window) == WINDOW
    assert window[CENTRE] == 1
    assert NAMES[_probe.classify(KIND[kind], window)] == expected


def _seen_by(colour: int, window: list[int]) -> list[int]:
    exchanged = {0: 0, 1: 2, 2: 1, 3: 3}
    seen = window if colour == 1 else [exchanged[stone] for stone in window]
    return [*seen[:CENTRE], 1, *seen[CENTRE + 1 :]]


@pytest.mark.parametrize("rule", range(5))
def test_tables_hold_what_the_definition_says(rule: int) -> None:
    rnd = random.Random(rule)
    kinds = _probe.table_facts(rule)["kinds"]
    for _ in range(1500):
        window = [rnd.choice((0, 0, 0, 0, 1, 1, 2, 2, 3)) for _ in range(WINDOW)]
        patterns = _probe.table_patterns(rule, window)
        for colour in (1, 2):
            seen = _seen_by(colour, window)
            assert patterns[colour - 1] == _probe.classify(kinds[colour - 1], seen), window


# -- an oracle in Python: five, four and three by their definitions, by trying stones ----------


def _wins(kind: str, window: list[int]) -> bool:
    first = last = CENTRE
    while first > 0 and window[first - 1] == 1:
        first -= 1
    while last < WINDOW - 1 and window[last + 1] == 1:
        last += 1
    length = last - first + 1
    blocked = length == 5 and window[first - 1] == 2 and window[last + 1] == 2
    return {
        "five_or_more": length >= 5,
        "exact_five": length == 5,
        "renju_black": length == 5,
        "caro": length > 5 or (length == 5 and not blocked),
        "caro_exact": length == 5 and not blocked,
    }[kind]


def _after(window: list[int], place: int, stone: int) -> list[int]:
    return [*window[:place], stone, *window[place + 1 :]]


def _empty_places(window: list[int]) -> list[int]:
    return [place for place in range(WINDOW) if window[place] == 0]


def _makes_four(kind: str, window: list[int]) -> bool:
    return any(_wins(kind, _after(window, p, 1)) for p in _empty_places(window))


def _cannot_be_stopped(kind: str, window: list[int]) -> bool:
    return _makes_four(kind, window) and all(
        _makes_four(kind, _after(window, p, 2)) for p in _empty_places(window)
    )


@pytest.mark.parametrize("kind", [kind for kind in KIND if kind != "renju_black"])
def test_fours_and_threes_match_their_definitions(kind: str) -> None:
    """A sample of the windows: four cells to either side, and some pairs of cells beyond."""
    rnd = random.Random(kind)
    windows = list(product((0, 1, 2), repeat=8))
    for cells in rnd.sample(windows, 600):
        ends = rnd.choice(((0, 0), (1, 0), (2, 0), (2, 2), (3, 1), (1, 1)))
        window = [ends[0], *cells[:4], 1, *cells[4:], ends[1]]
        pattern = _probe.classify(KIND[kind], window)
        wins = _wins(kind, window)
        overlong = not wins and _run(window) > 5
        four = not wins and not overlong and _makes_four(kind, window)
        open_four = four and _cannot_be_stopped(kind, window)
        assert (pattern == PATTERN["five"]) == wins, window
        assert (pattern in (PATTERN["four"], PATTERN["open_four"])) == four, window
        assert (pattern == PATTERN["open_four"]) == open_four, window
        if not (wins or four or overlong):
            three = any(
                not _wins(kind, more) and _run(more) < 6 and _cannot_be_stopped(kind, more)
                for more in (_after(window, p, 1) for p in _empty_places(window))
            )
            assert (pattern in (PATTERN["three"], PATTERN["three_wide"])) == three, window


def _run(window: list[int]) -> int:
    first = last = CENTRE
    while first > 0 and window[first - 1] == 1:
        first -= 1
    while last < WINDOW - 1 and window[last + 1] == 1:
        last += 1
    return last - first + 1


# -- codes --------------------------------------------------------------------------------------


def test_codes_are_numbered_as_the_values_file_expects() -> None:
    assert _probe.code_members() == all_codes()
    assert len(all_codes()) == CODES


THREATS = ("none forbidden three double_three four four_three double_four open_four five").split()


@pytest.mark.parametrize(("rule", "colour"), [(0, 1), (2, 1), (2, 2), (3, 1)])
def test_threats_of_codes(rule: int, colour: int) -> None:
    """The tables' threats against the Python definition. (Two fours in one line exist for Black
    in renju only, so other colours' codes with that member never occur.)"""
    renju_black = rule == 2 and colour == 1
    for members, threat in zip(
        _probe.code_members(), _probe.code_threats(rule, colour), strict=True
    ):
        assert THREATS[threat] == cell_class(members, renju_black), members


def test_tables_stay_small() -> None:
    facts = [_probe.table_facts(rule) for rule in range(5)]
    assert [fact["half_classes"] for fact in facts] == [57, 120, 89, 172, 172]
    assert [fact["reach"] for fact in facts] == [4, 5, 5, 5, 5]
