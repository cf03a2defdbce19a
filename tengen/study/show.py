"""The output of `solve`: boards with the numbers of moves, lines, trees, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.text import point_name, point_names
from tengen.common.console import Diagram, Layout, draw_board
from tengen.game.json_text import Record
from tengen.game.proof import Node, tree_size
from tengen.game.proof_file import ProofFile, proof_record
from tengen.game.record.numbers import counted
from tengen.game.referee import COLOUR_NAMES, Cell
from tengen.game.rules import RULE_TITLES
from tengen.study.checks import Check
from tengen.study.puzzle import Puzzle
from tengen.study.solver import ANY, FULL, UNKNOWN, Answer, Defence, Effort

# -- text


def board_text(puzzle: Puzzle, marks: Mapping[Cell, str]) -> str:
    """The board with the numbers of its rows and the letters of its columns, and a mark of up to
    three characters on some cells."""
    stones = {(x, y): colour for x, y, colour in puzzle.stones}
    diagram = Diagram(puzzle.width, puzzle.height, stones, marks=marks)
    return draw_board(diagram, Layout(mark_length=3)).plain


def numbered(line: Sequence[Cell]) -> dict[Cell, str]:
    """Marks for the moves of a line, counted from one."""
    return {cell: str(number) for number, cell in enumerate(line, start=1)}


def tree_text(node: Node, depth: int, height: int) -> list[str]:
    """The winning tree as indented lines: the attacker's move, then its answer to each reply, and
    so on for `depth` attacking moves."""
    return [f"plays {_move_text(node, height)}", *_replies_text(node, depth - 1, height, "  ")]


def _replies_text(node: Node, depth: int, height: int, indent: str) -> Iterator[str]:
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


def _move_text(node: Node, height: int) -> str:
    wins = not node.replies and node.otherwise is None
    point = point_name(node.move, height)
    return f"{point} and wins" if wins else point


def answer_text(puzzle: Puzzle, answer: Answer, effort: Effort) -> list[str]:
    """The answer in a few lines, and the board, with the numbers of the line if it is a win."""
    side = COLOUR_NAMES[puzzle.side]
    if answer.is_win:
        said = f"{side} wins with stone {answer.plies} from now, beginning with"
        lines = [f"{said} {point_name(answer.line[0], puzzle.height)}"]
    elif answer.status == UNKNOWN:
        lines = [f"unknown: {_unknown_text(side, answer, effort)}"]
    elif answer.score:
        lines = [f"no win: {side} loses"]
    else:
        lines = [f"no win: {side} does not win {_means_text(effort)}"]
    facts = {"rule": RULE_TITLES[puzzle.rule & ~2]}
    if answer.line:
        facts["line"] = point_names(answer.line, puzzle.height)
    if answer.score:
        facts["value"] = str(answer.score)
    facts["nodes"] = f"{answer.nodes:,}"
    facts["time"] = f"{answer.time_ms:,.1f} ms"
    lines += [f"{name:6} {text}" for name, text in facts.items()]
    marks = numbered(answer.line) if answer.is_win else {}
    return [*lines, "", board_text(puzzle, marks)]


def _means_text(effort: Effort) -> str:
    threats = "by fours" if effort.method == "vcf" else "by fours and threes"
    if effort.moves is None:
        return threats
    return f"{threats} within {counted(effort.moves, 'move')}"


def _unknown_text(side: str, answer: Answer, effort: Effort) -> str:
    if effort.method in (ANY, FULL) and answer.limit != "stop":
        return f"the search found no forced win for {side}"
    return _limit_text(answer, effort)


def _limit_text(answer: Answer, effort: Effort) -> str:
    """Why the solver could not decide."""
    if answer.limit == "moves":
        return f"there is no win {_means_text(effort)}, but there may be a longer one"
    if answer.limit == "budget":
        return "the solver's own limits of nodes were reached"
    return (
        "the search was stopped"
        if answer.limit == "stop"
        else f"the limit of {answer.limit} was reached"
    )


def all_text(puzzle: Puzzle, answers: Sequence[Answer]) -> list[str]:
    """Every winning first move, and the board with the stones until the win on each."""
    if not answers:
        return [f"no first move of {COLOUR_NAMES[puzzle.side]} was found to win"]
    side = COLOUR_NAMES[puzzle.side]
    lines = [f"{side} wins with {counted(len(answers), 'first move')}"]
    lines += [
        f"{point_name(answer.line[0], puzzle.height):>6}  wins with stone {answer.plies:>2}:"
        f" {point_names(answer.line, puzzle.height)}"
        for answer in answers
    ]
    marks = {answer.line[0]: str(answer.plies) for answer in answers}
    return [*lines, "", board_text(puzzle, marks)]


def defence_text(puzzle: Puzzle, defence: Defence, effort: Effort) -> list[str]:
    """The threat, the moves against it, and the board, with `!` on those moves and `?` on those
    that were not decided within the limits."""
    side, threat = COLOUR_NAMES[puzzle.side], defence.threat
    if threat.status == UNKNOWN:
        return [f"unknown: no threat was found: {_limit_text(threat, effort)}"]
    if not threat.is_win:
        return [f"nothing to defend: {side}'s opponent threatens no win {_means_text(effort)}"]
    lines = [
        f"the threat is a win with stone {threat.plies}: {point_names(threat.line, puzzle.height)}"
    ]
    if defence.moves:
        lines.append(f"{side} can play {point_names(defence.moves, puzzle.height)}")
    elif not defence.unknown:
        lines.append(f"{side} has no defence")
    if defence.unknown:
        lines.append(
            f"not decided within the limits: {point_names(defence.unknown, puzzle.height)}"
        )
    marks = dict.fromkeys(defence.moves, "!") | dict.fromkeys(defence.unknown, "?")
    return [*lines, "", board_text(puzzle, marks)]


def check_text(check: Check, height: int) -> str:
    """The referee's verdict in one line; `height` is that of the board."""
    if check.ok:
        return f"checked: it wins against every defence ({check.stones:,} stones played)"
    if check.ok is None:
        return f"not decided: {check.reason}"
    where = f", after {point_names(check.line, height)}" if check.line else ""
    return f"WRONG: {check.reason}{where}"


# -- JSON. docs/STUDY.md has the keys; points are [x, y] from zero at the top left.


def puzzle_record(puzzle: Puzzle) -> Record:
    """The position as plain values."""
    return {
        "rule": puzzle.rule,
        "says_rule": puzzle.says_rule,
        "size": [puzzle.width, puzzle.height],
        "stones": puzzle.stones,
        "side": COLOUR_NAMES[puzzle.side].lower(),
    }


def answer_record(puzzle: Puzzle, answer: Answer, effort: Effort) -> Record:
    """The answer as plain values; `proof` is a whole document that can be checked (null if it would
    be too large)."""
    return {
        "status": answer.status,
        "method": effort.method,
        "move": answer.move,
        "mate_plies": answer.mate_plies,
        "value": answer.score.value if answer.score and answer.mate_plies is None else None,
        "line": answer.line,
        "nodes": answer.nodes,
        "time_ms": answer.time_ms,
        "proof": _proof(puzzle, answer),
    }


def proof_file(puzzle: Puzzle, answer: Answer) -> ProofFile | None:
    """The proof of the answer with its position; None without one."""
    if answer.proof is None or answer.plies is None:
        return None
    return ProofFile(
        puzzle.width, puzzle.height, puzzle.rule, puzzle.stones, puzzle.side, answer.plies,
        answer.proof,
    )  # fmt: skip


def _proof(puzzle: Puzzle, answer: Answer) -> Record | None:
    file = proof_file(puzzle, answer)
    try:
        return None if file is None else proof_record(file)
    except ValueError:
        return None


def defence_record(puzzle: Puzzle, defence: Defence, effort: Effort) -> Record:
    """The defence as plain values."""
    return {
        "threat": answer_record(puzzle, defence.threat, effort) | {"proof": None},
        "moves": defence.moves,
        "unknown": defence.unknown,
    }


def check_record(check: Check | None) -> Record | None:
    """The referee's verdict as plain values; None without one."""
    if check is None:
        return None
    reason = check.reason or None
    return {"ok": check.ok, "stones": check.stones, "reason": reason, "line": check.line}
