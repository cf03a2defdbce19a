"""The output of `tengen analyze` for a position: the board with its best moves, a table, and the
same as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console

from engine.model import Line, Score, win_chance
from engine.text import point_name, point_names
from tengen.common.console import (
    Diagram,
    Layout,
    draw_board,
    palette_for,
    print_table,
    signs_for,
    star_points,
)
from tengen.game.json_text import Record
from tengen.game.referee import BLACK, COLOUR_NAMES, WALL, WHITE, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.study.analysis import Analysis, percent, score_record, threats_record, value_text
from tengen.study.show import (
    answer_record,
    check_record,
    check_text,
    defence_record,
    puzzle_record,
)
from tengen.study.solver import UNKNOWN, VCT, Effort

# Moves of a line that the table shows.
_LINE_PLIES = 8
# Points whose defence is not decided are counted, not listed, where there are more.
_UNKNOWN_POINTS = 20


def print_analysis(console: Console, analysis: Analysis) -> None:
    """The analysis in the terminal."""
    puzzle, info = analysis.puzzle, analysis.info
    side = COLOUR_NAMES[puzzle.side]
    stones = sum(colour != WALL for _, _, colour in puzzle.stones)
    console.print(
        f"{RULE_TITLES[puzzle.rule & ~2]} {puzzle.width}x{puzzle.height}, move {stones + 1}:"
        f" {side} to play"
    )
    console.print(
        f"{side} {_standing(analysis.score)};"
        f" depth {info.depth_plies}, {info.nodes:,} nodes, {info.time_ms / 1000:.1f} s"
    )
    console.print()
    console.print(_board(console, analysis))
    console.print()
    print_table(console, ("", "move", "value", "chance", "depth", "line"), _rows(analysis), (5,))
    if sentences := list(_sentences(analysis)):
        console.print()
        console.print("\n".join(sentences))


def _standing(score: Score) -> str:
    """The value of a position in words, for the side to move."""
    plies = score.mate_plies
    if plies is not None:
        return f"{'wins' if plies > 0 else 'loses'} with stone {abs(plies)} from now"
    return f"has value {score.value:+d}, a win chance of {percent(win_chance(score))}"


def _board(console: Console, analysis: Analysis) -> Any:
    puzzle = analysis.puzzle
    last = puzzle.stones[-1] if puzzle.stones else (0, 0, 0)
    signs = signs_for(console.encoding)
    marks = dict.fromkeys(analysis.forbidden, signs.forbidden)
    for rank, line in enumerate(analysis.lines, start=1):
        marks[line.pv[0].x, line.pv[0].y] = str(rank)
    diagram = Diagram(
        puzzle.width,
        puzzle.height,
        {(x, y): colour for x, y, colour in puzzle.stones},
        marks=marks,
        last=last[:2] if puzzle.setup < len(puzzle.stones) else None,
        stars=set(star_points(puzzle.width, puzzle.height)),
    )
    layout = Layout(mark_length=max(map(len, marks.values()), default=1))
    return draw_board(diagram, layout, signs, palette_for(console))


def _rows(analysis: Analysis) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    height = analysis.puzzle.height
    for rank, line in enumerate(analysis.lines, start=1):
        cells = [(x, y) for x, y in line.pv]
        rest = " ..." if len(cells) > _LINE_PLIES else ""
        rows.append(
            (
                str(rank),
                point_name(cells[0], height),
                value_text(line.score),
                percent(win_chance(line.score)),
                str(line.depth_plies) if line.depth_plies else "",
                point_names(cells[:_LINE_PLIES], height) + rest,
            )
        )
    return rows


def _sentences(analysis: Analysis) -> Iterable[str]:
    """Wins, threats and forbidden points, a line each."""
    puzzle, height = analysis.puzzle, analysis.puzzle.height
    side, opponent = COLOUR_NAMES[puzzle.side], COLOUR_NAMES[opponent_of(puzzle.side)]
    if analysis.check is not None:
        yield (
            f"{side} wins by threats with stone {analysis.win.plies}:"
            f" {point_names(analysis.win.line, height)}"
        )
        yield f"  {check_text(analysis.check, height)}"
    threat = analysis.defence.threat
    if threat.is_win:
        yield (
            f"{opponent} threatens to win with stone {threat.plies}:"
            f" {point_names(threat.line, height)}"
        )
        if analysis.defence.moves:
            yield f"  {side} can play {point_names(analysis.defence.moves, height)}"
        elif not analysis.defence.unknown:
            yield f"  {side} has no defence but to win first"
        unknown = analysis.defence.unknown
        if len(unknown) > _UNKNOWN_POINTS:
            yield f"  {len(unknown)} other moves were not decided within the limits"
        elif unknown:
            yield f"  not decided within the limits: {point_names(unknown, height)}"
    for asked, name in ((analysis.win, side), (threat, opponent)):
        if asked.status == UNKNOWN:
            yield f"whether {name}, if it is to move, wins by threats was not decided in the limits"
    for colour in (BLACK, WHITE):
        threats = analysis.threats[colour]
        if threats.fives:
            yield f"{COLOUR_NAMES[colour]} makes five at {point_names(threats.fives, height)}"
        if threats.open_fours:
            points = point_names(threats.open_fours, height)
            yield f"{COLOUR_NAMES[colour]} makes an open four at {points}"
    if analysis.forbidden:
        yield f"forbidden for Black: {point_names(analysis.forbidden, height)}"


def analysis_record(analysis: Analysis) -> Record:
    """The analysis as plain values."""
    puzzle, effort = analysis.puzzle, Effort(VCT)
    return {
        **puzzle_record(puzzle),
        "depth_plies": analysis.info.depth_plies,
        "nodes": analysis.info.nodes,
        "time_ms": analysis.info.time_ms,
        "lines": [_line_record(line) for line in analysis.lines],
        "win": answer_record(puzzle, analysis.win, effort)
        | {"check": check_record(analysis.check)},
        "defence": defence_record(puzzle, analysis.defence, effort),
        "threats": {
            COLOUR_NAMES[colour].lower(): threats_record(threats)
            for colour, threats in analysis.threats.items()
        },
        "forbidden": analysis.forbidden,
    }


def _line_record(line: Line) -> Record:
    """One of the best moves, as plain values."""
    return {
        "move": line.pv[0],
        **score_record(line.score),
        "depth_plies": line.depth_plies,
        "line": line.pv,
    }
