"""The output of `solve` and `analyze` for a position: boards, lines, tables, trees, and the same as
JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, sqrt

from rich.console import Console
from rich.text import Text

from engine.breakdown import Breakdown, Move
from engine.model import Point, ProofNode, Score, win_chance
from engine.text import point_name, point_names
from tengen.common.console import (
    ASCII,
    TRUE_COLOURS,
    Diagram,
    Layout,
    Palette,
    Signs,
    draw_board,
    palette_for,
    print_table,
    signs_for,
    star_points,
)
from tengen.game.files.positions import StoredPosition
from tengen.game.position import Position
from tengen.game.proof_file import ProofFile, proof_record, tree_size
from tengen.game.referee import BLACK, COLOUR_NAMES, WALL, WHITE, Cell, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Record, counted
from tengen.study.analysis import Study, threats_record
from tengen.study.results import (
    THREATS,
    UNKNOWN,
    Defences,
    Line,
    Solution,
    Wins,
    cells_of,
    line_text,
    percent,
    score_record,
    score_text,
)
from tengen.study.solver import ANY, VCT, Check, Effort

# Points whose defence is not decided are counted, not listed, where there are more.
_UNKNOWN_POINTS = 20
# So many moves that lose are shown with what refutes them.
_REFUTED_POINTS = 12
_LOGIT = 8128  # what a logit of one is in the engine's integers
_BEST = 5

# Red, green and blue: of the board, and of what is bad and good for the side to move.
_WOOD, _BAD, _GOOD = (214, 176, 112), (225, 70, 60), (90, 150, 235)
# Where there are sixteen colours, only cells from this strength on are coloured.
_STRONG = 0.4

# -- answers of the solver


def board_text(
    position: Position,
    marks: Mapping[Cell, str],
    tints: Mapping[Cell, str | None] | None = None,
    palette: Palette | None = None,
    signs: Signs | None = None,
    shortest: int = 3,
) -> Text:
    """The board with the numbers of its rows and the letters of its columns, and a mark on some
    cells, of `shortest` characters or as many as the longest has. With `signs` it also shows the
    last move and the points that printed boards mark."""
    last = position.all_stones[-1][:2] if position.moves and signs else None
    diagram = Diagram(
        position.width,
        position.height,
        {(x, y): colour for x, y, colour in position.all_stones},
        marks=marks,
        tints={cell: tint for cell, tint in (tints or {}).items() if tint is not None},
        last=last,
        stars=set(star_points(position.width, position.height)) if signs else (),
    )
    length = max([shortest, *map(len, marks.values())])
    return draw_board(diagram, Layout(mark_length=length), signs or ASCII, palette)


def tree_text(node: ProofNode, depth: int, height: int) -> list[str]:
    """The winning tree as indented lines: the attacker's move, then its answer to each reply, and
    so on for `depth` attacking moves."""
    return [f"plays {_move_text(node, height)}", *_replies_text(node, depth - 1, height, "  ")]


def _replies_text(node: ProofNode, depth: int, height: int, indent: str) -> Iterator[str]:
    answers = [
        (point_name(reply, height), answer) for reply, answer in sorted(node.replies.items())
    ]
    if node.otherwise is not None:
        answers.append(("any other" if answers else "anything", node.otherwise))
    if depth < 1 and answers:
        yield f"{indent}... {tree_size(node) - 1} more nodes"
        return
    for reply, answer in answers:
        yield f"{indent}{reply}: plays {_move_text(answer, height)}"
        yield from _replies_text(answer, depth - 1, height, f"{indent}  ")


def _move_text(node: ProofNode, height: int) -> str:
    wins = not node.replies and node.otherwise is None
    point = point_name(node.move, height)
    return f"{point} and wins" if wins else point


def answer_text(position: Position, answer: Solution, effort: Effort) -> list[str]:
    """The answer in a few lines, and the board, with the numbers of the line if it is a win."""
    side = COLOUR_NAMES[position.side]
    if answer.is_win:
        said = f"{side} wins with stone {answer.plies} from now, beginning with"
        lines = [f"{said} {answer.line[0]}"]
    elif answer.status == UNKNOWN:
        lines = [f"unknown: {_unknown_text(side, answer, effort)}"]
    elif answer.score:
        lines = [f"no win: {side} loses"]
    else:
        lines = [f"no win: {side} does not win {_means_text(answer, effort)}"]
    facts = {"rule": RULE_TITLES[position.rule_number]}
    if answer.line:
        facts["line"] = " ".join(answer.line)
    if answer.score:
        facts["value"] = str(answer.score)
    if answer.is_shortest:
        facts["length"] = f"no win {_means_text(answer, effort)} is shorter"
    elif effort.shortest and answer.is_win:
        facts["length"] = "the limits do not rule out a shorter win"
    facts["nodes"] = f"{answer.nodes:,}"
    facts["time"] = f"{answer.elapsed_s * 1000:,.1f} ms"
    lines += [f"{name:6} {text}" for name, text in facts.items()]
    numbered = {cell: str(number) for number, cell in enumerate(cells_of(answer.line), start=1)}
    marks = numbered if answer.is_win else {}
    return [*lines, "", board_text(position, marks).plain]


def _means_text(answer: Solution, effort: Effort) -> str:
    """By which moves the solver has looked for a win."""
    threats = THREATS[answer.moves_tried or VCT]
    if answer.is_win or effort.moves is None:
        return threats
    return f"{threats}, within {counted(effort.moves, 'move')}"


def _unknown_text(side: str, answer: Solution, effort: Effort) -> str:
    if answer.limit is None:
        return f"the search found no forced win for {side}"
    limit = _limit_text(answer, effort)
    if effort.method == ANY and answer.limit != "stop":
        return f"{limit}; the search found no forced win for {side} either"
    return limit


def _limit_text(answer: Solution, effort: Effort) -> str:
    """Why the solver could not decide."""
    if answer.limit == "moves":
        return f"there is no win {_means_text(answer, effort)}, but there may be a longer one"
    if answer.limit == "budget":
        return "the most that the solver spends on one threat by fours was reached"
    return (
        "the search was stopped"
        if answer.limit == "stop"
        else f"the limit of {answer.limit} was reached"
    )


def all_text(position: Position, answers: Wins) -> list[str]:
    """Every winning first move, those left undecided, and the board with the stones until the win
    on each."""
    side, unknown = COLOUR_NAMES[position.side], answers.unknown
    if not answers:
        return [f"no first move of {side} was found to win", *_undecided_lines(unknown)]
    lines = [f"{side} wins with {counted(len(answers), 'first move')}", *_undecided_lines(unknown)]
    lines += [
        f"{answer.line[0]:>6}  wins with stone {answer.plies:>2}: {' '.join(answer.line)}"
        for answer in answers
    ]
    marks = {cells_of(answer.line)[0]: str(answer.plies) for answer in answers}
    return [*lines, "", board_text(position, marks).plain]


def defence_text(position: Position, defence: Defences, effort: Effort) -> list[str]:
    """The threat, the moves against it, how the others lose, and the board, with `!` on the moves
    against it and `?` on those that were not decided within the limits."""
    side, threat = COLOUR_NAMES[position.side], defence.threat
    if threat.status == UNKNOWN:
        return [f"unknown: no threat was found: {_limit_text(threat, effort)}"]
    if not threat.is_win:
        means = _means_text(threat, effort)
        return [f"nothing to defend: {side}'s opponent threatens no win {means}"]
    marks = dict.fromkeys(cells_of(defence.moves), "!")
    marks |= dict.fromkeys(cells_of(defence.unknown), "?")
    lines = [*_defence_lines(position, defence), *_refuted_lines(defence)]
    return [*lines, "", board_text(position, marks).plain]


def _defence_lines(position: Position, defence: Defences) -> Iterator[str]:
    """The threat, and what stops it, a line each."""
    side, opponent = COLOUR_NAMES[position.side], COLOUR_NAMES[opponent_of(position.side)]
    threat, unknown = defence.threat, defence.unknown
    yield f"{opponent} threatens to win with stone {threat.plies}: {' '.join(threat.line)}"
    if defence.moves:
        yield f"  {side} can play {' '.join(defence.moves)}"
    elif not unknown:
        yield f"  {side} has no defence but to win first"
    yield from _undecided_lines(unknown)


def _undecided_lines(unknown: Sequence[str]) -> Iterator[str]:
    if len(unknown) > _UNKNOWN_POINTS:
        yield f"  {len(unknown)} other moves were not decided within the limits"
    elif unknown:
        yield f"  not decided within the limits: {' '.join(unknown)}"


def _refuted_lines(defence: Defences) -> Iterator[str]:
    """How the moves lose that do not stop the threat, those that last longest first."""
    # The others lose to the very line that is shown as the threat.
    refuted = [
        (point, win) for point, win in defence.refuted.items() if win.line != defence.threat.line
    ]
    refuted.sort(key=lambda item: (-(item[1].plies or 0), item[0]))
    for point, win in refuted[:_REFUTED_POINTS]:
        yield f"  {point}: loses to {line_text(win.line)}"
    if len(refuted) > _REFUTED_POINTS:
        yield f"  ... {len(refuted) - _REFUTED_POINTS} more, see --json"
    yield "  any other move loses to the threat itself"


def check_text(check: Check, height: int) -> str:
    """The referee's verdict in one line; `height` is that of the board."""
    if check.ok:
        return f"checked: it wins against every defence ({check.stones:,} stones played)"
    if check.ok is None:
        return f"not decided: {check.reason}"
    where = f", after {point_names(check.line, height)}" if check.line else ""
    return f"WRONG: {check.reason}{where}"


# -- analyses


def print_analysis(console: Console, study: Study) -> None:
    """The analysis in the terminal."""
    position, search = study.position, study.search
    side = COLOUR_NAMES[position.side]
    stones = sum(colour != WALL for _, _, colour in position.all_stones)
    rule = RULE_TITLES[position.rule_number]
    size = f"{position.width}x{position.height}"
    console.print(f"{rule} {size}, move {stones + 1}: {side} to play")
    console.print(
        f"{side} {_standing(search.score)};"
        f" depth {search.depth_plies}, {search.nodes:,} nodes, {search.elapsed_s:.1f} s"
    )
    console.print()
    console.print(_board(console, study))
    console.print()
    print_table(
        console, ("", "move", "value", "chance", "depth", "line"), _rows(search.lines), (5,)
    )
    if sentences := list(_sentences(study)):
        console.print()
        console.print("\n".join(sentences))


def _standing(score: Score) -> str:
    """The value of a position in words, for the side to move."""
    plies = score.mate_plies
    if plies is not None:
        return f"{'wins' if plies > 0 else 'loses'} with stone {abs(plies)} from now"
    return f"has value {score.value:+d}, a win chance of {percent(win_chance(score))}"


def _board(console: Console, study: Study) -> Text:
    signs = signs_for(console.encoding)
    marks = dict.fromkeys(cells_of(study.forbidden), signs.forbidden)
    best = cells_of(line.move for line in study.search.lines)
    marks |= {cell: str(rank) for rank, cell in enumerate(best, start=1)}
    return board_text(study.position, marks, None, palette_for(console), signs, 1)


def _rows(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    return [
        (
            str(rank),
            line.move,
            score_text(line.score),
            percent(line.win_chance),
            str(line.depth_plies or ""),
            line_text(line.pv),
        )
        for rank, line in enumerate(lines, start=1)
    ]


def _sentences(study: Study) -> Iterable[str]:
    """Wins, threats and forbidden points, a line each."""
    position, height = study.position, study.position.height
    side, opponent = COLOUR_NAMES[position.side], COLOUR_NAMES[opponent_of(position.side)]
    if study.check is not None:
        yield (f"{side} wins by threats with stone {study.win.plies}: {' '.join(study.win.line)}")
        yield f"  {check_text(study.check, height)}"
    threat = study.defence.threat
    if threat.is_win:
        yield from _defence_lines(position, study.defence)
    for asked, name in ((study.win, side), (threat, opponent)):
        if asked.status == UNKNOWN:
            yield f"whether {name}, if it is to move, wins by threats was not decided in the limits"
    for colour in (BLACK, WHITE):
        threats = study.threats[colour]
        if threats.fives:
            yield f"{COLOUR_NAMES[colour]} makes five at {point_names(threats.fives, height)}"
        if threats.open_fours:
            points = point_names(threats.open_fours, height)
            yield f"{COLOUR_NAMES[colour]} makes an open or double four at {points}"
    if study.forbidden:
        yield f"forbidden for Black: {' '.join(study.forbidden)}"


# -- the static value


def print_breakdown(console: Console, position: Position, found: Breakdown) -> None:
    """The sums, then a map of the cells and of the policy."""
    side = COLOUR_NAMES[position.side]
    console.print(f"static value {found.value} for {side}, in centi-stones")
    rule = RULE_TITLES[position.rule_number]
    console.print(f"rule {rule}, {_net_text(found)}\n", markup=False)
    for name, number in _sums(found):
        console.print(f"{name:20}{number:8}")
    if found.table is not None:
        console.print(f"\nkinds of threats: {', '.join(found.table.kinds) or 'none'}")
    palette = palette_for(console)
    console.print(f"\nwhat the cells add, for {side}")
    console.print(_value_map(position, values_of(found), palette))
    if found.policy:
        shares = shares_of(found.policy)
        best = [f"{point_name(cell, position.height)} {100 * shares[cell]:.1f}" for cell in shares]
        console.print(f"\npolicy, in per cent; best: {', '.join(best[:_BEST])}")
        console.print(_policy_map(position, shares, palette))


def values_of(found: Breakdown) -> dict[Point, int]:
    """What each empty cell adds to the static value."""
    part = found.net or found.table
    return part.cells if part is not None else {}


def _net_text(found: Breakdown) -> str:
    if found.net is None:
        return "without a net"
    return f"net {found.net.name!r}, version {found.net.version}"


def _sums(found: Breakdown) -> Iterator[tuple[str, int]]:
    """The parts by name; the last one is their sum."""
    yield "cells", sum(values_of(found).values())
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


def _value_map(position: Position, cells: Mapping[Point, int], palette: Palette | None) -> Text:
    """The board with what each empty cell adds; cells that add nothing are blank."""
    numbers: dict[Cell, int] = {cell: number for cell, number in cells.items() if number}
    largest = max(map(abs, numbers.values()), default=1)
    tints = {
        cell: _tint(_GOOD if number > 0 else _BAD, abs(number) / largest, palette)
        for cell, number in numbers.items()
    }
    return board_text(
        position, {cell: str(number) for cell, number in numbers.items()}, tints, palette
    )


def _policy_map(position: Position, shares: Mapping[Point, float], palette: Palette | None) -> Text:
    """The board with the share of each move in per cent; those below a half as a point."""
    shown: dict[Cell, float] = {cell: share for cell, share in shares.items() if share >= 0.005}
    marks = {cell: f"{100 * share:.0f}" for cell, share in shown.items()}
    largest = max(shares.values())
    tints = {cell: _tint(_BAD, share / largest, palette) for cell, share in shown.items()}
    return board_text(position, marks, tints, palette)


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


# -- JSON. docs/STUDY.md has the keys; points are [x, y] from zero at the top left.


def stored_record(stored: StoredPosition) -> Record:
    """The position as plain values."""
    position = stored.position
    return {
        "rule": position.rule_number,
        "says_rule": stored.says_rule,
        "size": [position.width, position.height],
        "stones": position.all_stones,
        "side": COLOUR_NAMES[position.side].lower(),
    }


def answer_record(position: Position, answer: Solution, effort: Effort) -> Record:
    """The answer as plain values; `proof` is a whole document that can be checked (null if it would
    be too large)."""
    return {
        "method": effort.method,
        **solution_record(answer),
        "value": answer.score.value if answer.score and answer.mate_plies is None else None,
        "line": cells_of(answer.line),
        "proof": proof_of(position, answer),
    }


def solution_record(answer: Solution) -> Record:
    """What was found, without the line and the proof."""
    return {
        "status": answer.status,
        "moves_tried": answer.moves_tried,
        "limit": answer.limit,
        "move": first_of(answer),
        "mate_plies": answer.mate_plies,
        "is_shortest": answer.is_shortest,
        "nodes": answer.nodes,
        "time_ms": time_ms(answer),
    }


def first_of(answer: Solution) -> Cell | None:
    """The first move of the line; None without one."""
    return next(iter(cells_of(answer.line)), None)


def time_ms(answer: Solution) -> float:
    """How long the search took."""
    return round(answer.elapsed_s * 1000, 3)


def proof_file(position: Position, answer: Solution) -> ProofFile | None:
    """The proof of the answer with its position; None without one."""
    if answer.proof is None or answer.plies is None:
        return None
    return ProofFile(position, answer.plies, answer.proof)


def proof_of(position: Position, answer: Solution) -> Record | None:
    """The proof of the answer as plain values; None without one, and for one too large to write."""
    file = proof_file(position, answer)
    try:
        return None if file is None else proof_record(file)
    except ValueError:
        return None


def defence_record(position: Position, defence: Defences, effort: Effort) -> Record:
    """The defence as plain values."""
    return {
        "threat": answer_record(position, defence.threat, effort) | {"proof": None},
        "moves": cells_of(defence.moves),
        "unknown": cells_of(defence.unknown),
        "refuted": [
            {"defence": cell, "mate_plies": win.plies, "line": cells_of(win.line)}
            for cell, win in zip(cells_of(defence.refuted), defence.refuted.values(), strict=True)
        ],
    }


def check_record(check: Check | None) -> Record | None:
    """The referee's verdict as plain values; None without one."""
    if check is None:
        return None
    reason = check.reason or None
    return {"ok": check.ok, "stones": check.stones, "reason": reason, "line": check.line}


def analysis_record(stored: StoredPosition, study: Study) -> Record:
    """The analysis as plain values."""
    position, search, effort = study.position, study.search, Effort(VCT)
    return {
        **stored_record(stored),
        "depth_plies": search.depth_plies,
        "nodes": search.nodes,
        "time_ms": round(search.elapsed_s * 1000),
        "lines": [_line_record(line) for line in search.lines],
        "win": answer_record(position, study.win, effort) | {"check": check_record(study.check)},
        "defence": defence_record(position, study.defence, effort),
        "threats": {
            COLOUR_NAMES[colour].lower(): threats_record(threats)
            for colour, threats in study.threats.items()
        },
        "forbidden": cells_of(study.forbidden),
    }


def _line_record(line: Line) -> Record:
    """One of the best moves, as plain values."""
    return {
        "move": (line.move.x, line.move.y),
        **score_record(line.score),
        "depth_plies": line.depth_plies,
        "line": cells_of(line.pv),
    }


def breakdown_record(stored: StoredPosition, found: Breakdown) -> Record:
    """The parts as plain values; cells are lists of rows from the top, None where there is
    nothing."""
    parts = {
        name: None
        if part is None
        else part._asdict() | {"cells": _grid(stored.position, part.cells)}
        for name, part in (("table", found.table), ("net", found.net))
    }
    return {
        **stored_record(stored),
        "value": found.value,
        **parts,
        "limit": found.limit,
        "policy": None if found.policy is None else _policy_record(found.policy),
    }


def _grid(position: Position, cells: Mapping[Point, int]) -> list[list[int | None]]:
    return [[cells.get(Point(x, y)) for x in range(position.width)] for y in range(position.height)]


def _policy_record(policy: tuple[Move, ...]) -> list[Record]:
    """The moves, the best one first."""
    if not policy:
        return []
    logits = {move.point: move.logit for move in policy}
    return [
        {"move": list(point), "logit": round(logits[point] / _LOGIT, 4), "share": round(share, 6)}
        for point, share in shares_of(policy).items()
    ]
