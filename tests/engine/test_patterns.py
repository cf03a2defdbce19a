"""Line patterns, codes and threats: the tables against drawn examples and their definition."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from engine.values import CODES
from tests.engine import probe
from tests.engine.codes import NAMES, all_codes, cell_class

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
    for _ in range(600):
        window = [rnd.choice((0, 0, 0, 1, 1, 2, 2, 3)) for _ in range(WINDOW)]
        for at in rnd.sample(range(WINDOW), rnd.choice((0, 3, 5))):
            window[at] = rnd.choice((0, rnd.choice((1, 2))))
        patterns = probe.table_patterns(rule, window)
        for colour in (1, 2):
            kind = KINDS[0 if (rule, colour) == (2, 2) else rule]
            assert NAMES[patterns[colour - 1]] == _pattern(kind, _seen_by(colour, window)), window


# -- the definition: what one more stone can reach --------------------------------------------


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


# -- codes --------------------------------------------------------------------------------------


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
