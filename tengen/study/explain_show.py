"""The output of `analyze --explain`: the parts of a static value, in a table, maps and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, sqrt

from rich.console import Console
from rich.text import Text

from engine.breakdown import Breakdown, Move
from engine.model import Point
from engine.text import point_name
from tengen.common.console import (
    TRUE_COLOURS,
    Diagram,
    Layout,
    Palette,
    draw_board,
    palette_for,
)
from tengen.game.json_text import Record
from tengen.game.referee import COLOUR_NAMES, Cell
from tengen.game.rules import RULE_TITLES
from tengen.study.puzzle import Puzzle
from tengen.study.show import puzzle_record

_LOGIT = 8128  # what a logit of one is in the engine's integers
_BEST = 5

# Red, green and blue: of the board, and of what is bad and good for the side to move.
_WOOD, _BAD, _GOOD = (214, 176, 112), (225, 70, 60), (90, 150, 235)
# Where there are sixteen colours, only cells from this strength on are coloured.
_STRONG = 0.4


def print_breakdown(console: Console, puzzle: Puzzle, found: Breakdown) -> None:
    """The sums, then a map of the cells and of the policy."""
    side = COLOUR_NAMES[puzzle.side]
    console.print(f"static value {found.value} for {side}, in centi-stones")
    console.print(f"rule {RULE_TITLES[puzzle.rule & ~2]}, {_net_text(found)}\n", markup=False)
    for name, number in _sums(found):
        console.print(f"{name:20}{number:8}")
    if found.table is not None:
        console.print(f"\nkinds of threats: {', '.join(found.table.kinds) or 'none'}")
    palette = palette_for(console)
    console.print(f"\nwhat the cells add, for {side}")
    console.print(_value_map(puzzle, cells_of(found), palette))
    if found.policy:
        shares = shares_of(found.policy)
        best = [f"{point_name(cell, puzzle.height)} {100 * shares[cell]:.1f}" for cell in shares]
        console.print(f"\npolicy, in per cent; best: {', '.join(best[:_BEST])}")
        console.print(_policy_map(puzzle, shares, palette))


def cells_of(found: Breakdown) -> dict[Point, int]:
    """What each empty cell adds to the static value."""
    part = found.net or found.table
    return part.cells if part is not None else {}


def _net_text(found: Breakdown) -> str:
    if found.net is None:
        return "without a net"
    return f"net {found.net.name!r}, version {found.net.version}"


def _sums(found: Breakdown) -> Iterator[tuple[str, int]]:
    """The parts by name; the last one is their sum."""
    yield "cells", sum(cells_of(found).values())
    if found.table is not None:
        yield "kinds of threats", found.table.threats
        yield "tempo", found.table.tempo
        yield "rounding", found.table.rounding
    if found.net is not None:
        yield "empty board", found.net.empty_board
        yield "rounding", found.net.rounding
    if found.limit:
        yield "beyond the limit", found.limit
    yield "static value", found.value


# -- maps


def _value_map(puzzle: Puzzle, cells: Mapping[Point, int], palette: Palette | None) -> Text:
    """The board with what each empty cell adds; cells that add nothing are blank."""
    numbers: dict[Cell, int] = {cell: number for cell, number in cells.items() if number}
    largest = max(map(abs, numbers.values()), default=1)
    tints = {
        cell: _tint(_GOOD if number > 0 else _BAD, abs(number) / largest, palette)
        for cell, number in numbers.items()
    }
    return _map(puzzle, {cell: str(number) for cell, number in numbers.items()}, tints, palette)


def _policy_map(puzzle: Puzzle, shares: Mapping[Point, float], palette: Palette | None) -> Text:
    """The board with the share of each move in per cent; those below a half as a point."""
    shown: dict[Cell, float] = {cell: share for cell, share in shares.items() if share >= 0.005}
    marks = {cell: f"{100 * share:.0f}" for cell, share in shown.items()}
    largest = max(shares.values())
    tints = {cell: _tint(_BAD, share / largest, palette) for cell, share in shown.items()}
    return _map(puzzle, marks, tints, palette)


def _map(
    puzzle: Puzzle,
    marks: Mapping[Cell, str],
    tints: Mapping[Cell, str | None],
    palette: Palette | None,
) -> Text:
    diagram = Diagram(
        puzzle.width,
        puzzle.height,
        {(x, y): colour for x, y, colour in puzzle.stones},
        marks=marks,
        tints={cell: tint for cell, tint in tints.items() if tint is not None},
    )
    length = max(map(len, marks.values()), default=1)
    return draw_board(diagram, Layout(mark_length=max(3, length)), palette=palette)


def _tint(colour: tuple[int, int, int], strength: float, palette: Palette | None) -> str | None:
    """The style of a cell, from that of the board (strength 0) to the colour (1)."""
    if palette is not TRUE_COLOURS:
        name = "red" if colour is _BAD else "blue"
        return f"bright_white on {name}" if strength >= _STRONG else None
    part = sqrt(strength)  # so that small numbers can be seen beside large ones
    mixed = [round(wood + part * (to - wood)) for wood, to in zip(_WOOD, colour, strict=True)]
    return f"black on rgb({mixed[0]},{mixed[1]},{mixed[2]})"


def shares_of(policy: tuple[Move, ...]) -> dict[Point, float]:
    """The policy as shares that add up to one, the best move first."""
    best = sorted(policy, key=lambda move: (-move.logit, move.point.y, move.point.x))
    weights = [exp((move.logit - best[0].logit) / _LOGIT) for move in best]
    total = sum(weights)
    return {move.point: weight / total for move, weight in zip(best, weights, strict=True)}


# -- JSON


def breakdown_record(puzzle: Puzzle, found: Breakdown) -> Record:
    """The parts as plain values; cells are lists of rows from the top, None where there is
    nothing."""
    parts = {
        name: None if part is None else part._asdict() | {"cells": _rows(puzzle, part.cells)}
        for name, part in (("table", found.table), ("net", found.net))
    }
    return {
        **puzzle_record(puzzle),
        "value": found.value,
        **parts,
        "limit": found.limit,
        "policy": None if found.policy is None else _policy_record(found.policy),
    }


def _rows(puzzle: Puzzle, cells: Mapping[Point, int]) -> list[list[int | None]]:
    return [[cells.get(Point(x, y)) for x in range(puzzle.width)] for y in range(puzzle.height)]


def _policy_record(policy: tuple[Move, ...]) -> list[Record]:
    """The moves, the best one first."""
    if not policy:
        return []
    logits = {move.point: move.logit for move in policy}
    return [
        {"move": list(point), "logit": round(logits[point] / _LOGIT, 4), "share": round(share, 6)}
        for point, share in shares_of(policy).items()
    ]
