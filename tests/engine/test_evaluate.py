"""The evaluation: it equals the values file, and no other file reads its tables."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from engine.rulebook import INDEX_OF_NUMBER
from engine.values import VALUE_FRACTION
from tengen.game.referee import BLACK, RULES, WHITE, opponent_of
from tests.engine import probe
from tests.engine.codes import shipped_values
from tests.engine.positions import random_walls
from tests.engine.probe import ProbeBoard
from tests.paths import ROOT

ENGINE = ROOT / "engine"
LIMIT = 20000  # types.VALUE_EVAL_LIMIT

# What evaluate.pyx alone may read: another evaluation replaces it.
PRIVATE = re.compile(r"\.(attack|defend|threat_value|tempo|worth)\b")
OWNERS = {"evaluate.pxd", "evaluate.pyx", "params.pxd", "params.pyx"}


_file = cache(shipped_values)


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
    assert board.static_value == max(-LIMIT, min(LIMIT, static))


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


def test_only_the_evaluation_reads_its_values() -> None:
    """What the docstring of evaluate.pyx promises."""
    readers = {
        path.name
        for path in ENGINE.iterdir()
        if path.suffix in (".pyx", ".pxd") and PRIVATE.search(path.read_text(encoding="utf-8"))
    }
    assert readers <= OWNERS, readers
    assert {"evaluate.pxd", "params.pyx"} <= readers  # the pattern finds what it looks for
