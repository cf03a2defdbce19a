"""Ends games by what the programs report: a win or a draw that both agree on, or one declares.

Values are in the programs' own units, which are centi-stones in most. A forced win counts as more
than any value. A program that reports nothing never agrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tengen.game.played import Report
from tengen.game.record.game import Move, Setting
from tengen.game.referee import COLOUR_NAMES, opponent_of


def adjudicated(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    """The winner (0 = a draw) and the reason, if the game ends by agreement, or by the word of the
    program that has just moved, after these moves; else None."""
    won = _won(setting, moves)
    return won or _drawn(setting, moves)


def _won(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, least, sides = setting.resign_moves, setting.resign_value, setting.resign_sides
    values = _last_values(moves, count, sides)
    if values is None:
        return None
    if sides == 1:
        loser = moves[-1].colour
        winner = opponent_of(loser)
    else:
        winner = max(values, key=lambda colour: values[colour][-1])
        loser = opponent_of(winner)
    if max(values[loser]) > -least or min(values.get(winner, [math.inf])) < least:
        return None
    if sides == 1:
        own = f"-{least} or less for {_moves_text(count)}"
        return winner, f"{COLOUR_NAMES[loser]} gave up: its values were {own}"
    name = COLOUR_NAMES[winner]
    return winner, f"both valued {name} at {least} or more for {_moves_text(count)} each"


def _drawn(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, most, sides = setting.draw_moves, setting.draw_value, setting.draw_sides
    if len(moves) < setting.draw_from:
        return None
    values = _last_values(moves, count, sides)
    if values is None or any(abs(value) > most for own in values.values() for value in own):
        return None
    if sides == 1:
        who = f"{COLOUR_NAMES[moves[-1].colour]} was"
        return 0, f"{who} within {most} of even for {_moves_text(count)}"
    return 0, f"both were within {most} of even for {_moves_text(count)} each"


def _last_values(moves: Sequence[Move], count: int, sides: int) -> dict[int, list[float]] | None:
    """What both sides, or the one that has just moved, have reported with their last `count` moves,
    by colour; None if that is too little, or there is nothing to adjudicate."""
    last = moves[-2 * count :] if count else ()
    if sides == 1:
        last = [move for move in last if move.colour == moves[-1].colour]
    if len(last) < sides * count or not last:
        return None
    values: dict[int, list[float]] = {}
    for move in last:
        value = _value(move.report)
        if value is None:
            return None
        values.setdefault(move.colour, []).append(value)
    return values if len(values) == sides else None


def _value(report: Report | None) -> float | None:
    if report is None:
        return None
    if report.mate_plies is not None:
        return math.copysign(math.inf, report.mate_plies)
    return report.value


def _moves_text(count: int) -> str:
    return f"{count} moves" if count > 1 else "a move"
