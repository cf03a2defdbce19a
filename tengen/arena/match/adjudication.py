"""Ends games by what the programs report, where both agree: a win, or a draw.

Values are in the programs' own units, which are centi-stones in most. A forced win counts as more
than any value. A program that reports nothing never agrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tengen.game.record.game import Move, Setting
from tengen.game.record.move_report import Report
from tengen.game.rules.referee import COLOUR_NAMES, opponent_of


def adjudicated(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    """The winner (0 = a draw) and the reason, if the game ends by agreement after these moves;
    else None."""
    won = _won(setting, moves)
    return won or _drawn(setting, moves)


def _won(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, least = setting.resign_moves, setting.resign_value
    values = _last_values(moves, count)
    if values is None:
        return None
    winner = max(values, key=lambda colour: values[colour][-1])
    loser = opponent_of(winner)
    if min(values[winner]) < least or max(values[loser]) > -least:
        return None
    name = COLOUR_NAMES[winner]
    return winner, f"both valued {name} at {least} or more for {_moves_text(count)}"


def _drawn(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, most = setting.draw_moves, setting.draw_value
    if len(moves) < setting.draw_from:
        return None
    values = _last_values(moves, count)
    if values is None or any(abs(value) > most for own in values.values() for value in own):
        return None
    return 0, f"both were within {most} of even for {_moves_text(count)}"


def _last_values(moves: Sequence[Move], count: int) -> dict[int, list[float]] | None:
    """What each side has reported with its last `count` moves, by colour; None if that is too
    little, or there is nothing to adjudicate."""
    last = moves[-2 * count :] if count else ()
    if len(last) < 2 * count or not last:
        return None
    values: dict[int, list[float]] = {}
    for move in last:
        value = _value(move.report)
        if value is None:
            return None
        values.setdefault(move.colour, []).append(value)
    return values if len(values) == 2 else None


def _value(report: Report | None) -> float | None:
    if report is None:
        return None
    if report.mate_plies is not None:
        return math.copysign(math.inf, report.mate_plies)
    return report.value


def _moves_text(count: int) -> str:
    return f"{count} moves each" if count > 1 else "a move each"
