"""Openings that are balanced, for where there is no time to find one.

A line of the table is of a rule, by its number, and of a square board. An opening is two letters
for each stone, column and row from the top left, Black's first, and then the value for White in
hundredths of a stone, found by a search of 200,000 nodes. No search of 20,000, 60,000 or 200,000
nodes gave either side more than MOST_UNEVEN, neither then nor after White's best move. `central`
are two of the 26 openings of renju, none of which is so balanced. tests/protocol/test_book.py
searches them again.
"""

from __future__ import annotations

import random
import re
from functools import cache

from engine.model import Point, Rule

_TABLE = """
0 15: hn+18 ng+1 ccdeec+39 eceedh-5 hkfkcl+23
0 16: ib+22 lglemc-29
0 17: jp+23 cnfnen+26
0 19: gr-29 rl+37 cqcndn-24 cleoco-12
0 20: js-18 bi+4 qononr-3 erepdr-3 rrropl+14
1 15: nh-21 bg-30 mmllli+1 lmkjll+22 fcifje-33 mcleke+38
1 16: ho-9
1 19: nb+7 lqnppp+15 oqnqlq-37
1 20: sg-18 hs+36 rerfri-27 qononr+26
4 12: ggifhc-11 hdfcdc+36
4 13: eighhf-13 hkhjfk+51
4 14: fkfjil-13 kekfjc+16
4 15: ec-8 dffdhd+31 ljmhmf-17 mhkgig-5 fhhehd-42
4 15 central: hhigff-72 hhhgfj-48
4 16: hdffgc+9 jcifig-6 efgdjf-47 nfkfme+54
4 17: oingnf+38 djdicg+45
4 18: cefded+13 njokln+3
4 19: qi+31 jc-25 ql+13 qeneng+24 djdicg-21 phofod-9 cfdfdg+20
4 20: rm-8 lc+17 qkpjmi-21 cifhdh+11 cldmgn+56
8 15: nh-17 hmkllm-4 cicgcd-7 mejfmc-7 imjjlg+0
8 16: bi-40 cicgcd+37 igffec+23
8 19: cc-11 bj-29 qmoolq-9 cpephq+16 ehhgid-23 cddecc+27
8 20: cc+30 rpqmpj-29 pinfmc-34 gddgcj+13 ccdegd-13
9 15: bh-2 cc-2 gchedc-22 mlkjji-1 cgeddc-18 hmkllm+4
9 16: bi-12 cicgcd+28 fkiilh+22
9 19: pr+18 ir-14 qoppqq+36 cddecc+26 cicgcd+12 ehhgid-7
9 20: bi-21 sd+5 dieffc-24 gddgcj-12 ihhjem+4 jcifgi+26
"""

# Hundredths of a stone, with the correction of protocol.openings.
MOST_UNEVEN = 60

Opening = tuple[tuple[Point, ...], int]


def known_openings(rule: Rule, size: int, count: int, *, is_central: bool = False) -> list[Opening]:
    """The stones and values of all that have so many stones, on a square board of that size."""
    found = _read().get(f"{rule.value} {size}{' central' * is_central}", [])
    return [opening for opening in found if len(opening[0]) == count]


def turned(stones: tuple[Point, ...], size: int, rng: random.Random) -> tuple[Point, ...]:
    """The same opening, rotated or reflected at random."""
    is_left, is_up, is_flat = (rng.random() < 0.5 for _ in range(3))
    last = size - 1
    stones = tuple([Point(y, x) for x, y in stones]) if is_flat else stones
    return tuple([Point(last - x if is_left else x, last - y if is_up else y) for x, y in stones])


@cache
def _read() -> dict[str, list[Opening]]:
    table = {}
    for line in _TABLE.strip().splitlines():
        key, _, openings = line.partition(": ")
        found = re.findall("([a-v]+)([+-][0-9]+)", openings)
        table[key] = [(_points(text), int(value)) for text, value in found]
    return table


def _points(text: str) -> tuple[Point, ...]:
    numbers = [ord(letter) - ord("a") for letter in text]
    return tuple(map(Point, numbers[::2], numbers[1::2]))
