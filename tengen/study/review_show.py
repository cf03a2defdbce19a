"""The output of `tengen analyze` for a game: a table of its moves, sentences, JSON and sgf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.text import point_name, point_names
from tengen.arena.report.compact import Remark
from tengen.arena.report.page import make_review_page
from tengen.arena.report.review import review_data
from tengen.common.translation import tr
from tengen.game.json_text import Record
from tengen.game.played import Report
from tengen.game.record.numbers import counted
from tengen.game.record.sgf import write_sgf
from tengen.game.record.tree import Node, add_line, copied, new_root, stone_in
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.study.analysis import percent, score_record, value_text
from tengen.study.review import FOUL, INACCURACY, MISSED_WIN, MISTAKE, Review, Step

if TYPE_CHECKING:
    from rich.console import Console

# What marks a move in the table.
MARKS = {INACCURACY: "?!", MISTAKE: "?", MISSED_WIN: "??", FOUL: "foul"}
# Moves of a better line that the table and a variation show.
_LINE_PLIES = 8
_VARIATION_PLIES = 16


def print_review(console: Console, review: Review, name: str) -> None:
    """The review in the terminal."""
    console.print(f"{name}: {_game_text(review)}", markup=False)
    console.print()
    _print_table(console, review)
    console.print()
    console.print("\n".join(_sentences(review)), markup=False)


def _game_text(review: Review) -> str:
    game = review.game
    names = " - ".join(name or "?" for name in game.names) if any(game.names) else ""
    parts = [names, f"{RULE_TITLES[game.rule & ~2]} {game.width}x{game.height}"]
    return ", ".join([*filter(None, parts), counted(len(game.moves), "move"), _result(review)])


def _result(review: Review) -> str:
    return f"{COLOUR_NAMES[review.winner]} won" if review.winner else "nobody won"


def _print_table(console: Console, review: Review) -> None:
    from tengen.common.console import print_table  # the library writes sgf without it

    height = review.game.height
    rows = [
        (
            f"{step.number} {COLOUR_NAMES[step.colour][0]}",
            point_name(step.cell, height),
            value_text(step.seen_by_black(step.played)),
            percent(step.black_chance),
            percent(step.loss) if step.loss >= 0.005 else "",
            MARKS.get(step.kind, ""),
            _line_text(step, height, _LINE_PLIES) if step.kind else "",
        )
        for step in review.steps
    ]
    heads = ("move", "", "Black's value", "chance", "loss", "", "better")
    marked = [number for number, step in enumerate(review.steps) if step.kind]
    print_table(console, heads, rows, (5, 6), bold=marked)


def _line_text(step: Step, height: int, plies: int) -> str:
    rest = " ..." if len(step.line) > plies else ""
    return point_names(step.line[:plies], height) + rest


def _sentences(review: Review) -> Iterator[str]:
    """What the game shows, a line each."""
    height = review.game.height
    yield accuracy_text(review)
    words = {MISSED_WIN: "missed wins", MISTAKE: "mistakes", INACCURACY: "inaccuracies"}
    for kind, word in words.items():
        for colour in (BLACK, WHITE):
            found = [step for step in review.steps if (step.kind, step.colour) == (kind, colour)]
            if found:
                moves = ", ".join(f"{s.number} {point_name(s.cell, height)}" for s in found)
                yield f"{COLOUR_NAMES[colour]}'s {word}: {moves}"
    for step in review.steps:
        if step.kind == MISSED_WIN:
            yield f"  move {step.number}: {step_text(step, height)}"
    if unsure := [step for step in review.steps if step.unsure]:
        moves = ", ".join(f"{s.number} {point_name(s.cell, height)}" for s in unsure)
        yield f"perhaps mistakes, not confirmed for lack of time: {moves}"
    yield from turn_texts(review)
    if review.fault:
        yield f"analysed up to move {len(review.game.moves)}: {review.fault}"


def accuracy_text(review: Review) -> str:
    """How much of its chance to win each side has kept a move, in a few words."""
    kept = {colour: percent_kept(review, colour) for colour in (BLACK, WHITE)}
    sides = [
        tr("{side} {percent}", side=COLOUR_NAMES[colour], percent=text)
        for colour, text in kept.items()
        if text
    ]
    return tr("accuracy: {sides}", sides=sides)


def percent_kept(review: Review, colour: int) -> str:
    """The accuracy of a side; empty for one without moves."""
    kept = review.accuracy(colour)
    return "" if kept is None else f"{kept * 100:.1f} %"


def turn_texts(review: Review) -> list[str]:
    """Where the game turned, and from where on it was won."""
    if not review.winner:
        return []
    winner, height = COLOUR_NAMES[review.winner], review.game.height
    lines: list[str] = []
    if (turned := review.turned) is not None:
        side = COLOUR_NAMES[turned.colour]
        point = point_name(turned.cell, height)
        lines.append(
            tr(
                "the game turned at move {number}, {side}'s {point}",
                number=turned.number, side=side, point=point,
            )
        )  # fmt: skip
    elif review.ends_ahead:
        lines.append(tr("{side} was ahead all the time", side=winner))
    else:
        lines.append(tr("{side} was not ahead at the end", side=winner))
    if (decided := review.decided) is not None:
        number = decided.number
        lines.append(
            tr("{side}'s win was forced from move {number} on", side=winner, number=number)
        )
    return lines


def step_text(step: Step, height: int) -> str:
    """A move that is marked, in a sentence; empty for others."""
    side = COLOUR_NAMES[step.colour]
    first = point_name(step.line[0], height) if step.line else ""
    if step.kind == MISSED_WIN:
        by = tr("the search")
        if step.check is not None and step.check.ok is True:
            by = tr("a proof that the referee has checked")
        elif step.check is not None:
            by = tr("a proof too long to check")
        return tr(
            "{side} misses a win with stone {number}, beginning with {first} ({by})",
            side=side, number=step.best.mate_plies or 0, first=first, by=by,
        )  # fmt: skip
    if step.kind in (MISTAKE, INACCURACY):
        value = value_text(step.seen_by_black(step.best))
        return tr(
            "{side} loses {share} of the chance to win; better is {first} (Black's value {value})",
            side=side, share=percent(step.loss), first=first, value=value,
        )  # fmt: skip
    return tr("{side} makes a foul", side=side) if step.kind == FOUL else ""


def review_page(review: Review, name: str) -> str:
    """The review as an HTML page. ValueError for a game that the page cannot show."""
    game = review.game
    reports: list[Report | None] = [None] * len(game.moves)
    for step in review.steps:
        value = None if step.played.mate_plies is not None else step.played.value
        reports[step.number - 1] = Report(
            step.depth_plies, None, value, step.played.mate_plies, step.nodes
        )
    remarks = [
        Remark(step.number, MARKS[step.kind], step_text(step, game.height), _better(step))
        for step in review.steps
        if step.kind
    ]
    shown = replace(game, reports=tuple(reports))
    data = review_data(shown, "Tengen", name, _game_text(review), _summary(review), remarks)
    return make_review_page(data)


def _better(step: Step) -> tuple[Cell, ...]:
    """The line to show instead of a move that is marked."""
    return step.line[:_VARIATION_PLIES] if step.kind and step.line[0] != step.cell else ()


def review_record(review: Review, name: str) -> Record:
    """The review as plain values. Points are [x, y] from zero at the top left."""
    game = review.game
    return {
        "game": name,
        "black": game.black,
        "white": game.white,
        "rule": game.rule,
        "says_rule": game.says_rule,
        "size": [game.width, game.height],
        "moves": len(game.moves),
        "winner": COLOUR_NAMES[review.winner].lower() if review.winner else None,
        "threshold": review.threshold,
        "accuracy": {
            COLOUR_NAMES[colour].lower(): kept and round(kept, 4)
            for colour in (BLACK, WHITE)
            for kept in [review.accuracy(colour)]
        },
        "fault": review.fault or None,
        "turned": None if review.turned is None else review.turned.number,
        "decided": None if review.decided is None else review.decided.number,
        "steps": [_step_record(step) for step in review.steps],
    }


def _step_record(step: Step) -> Record:
    return {
        "number": step.number,
        "side": COLOUR_NAMES[step.colour].lower(),
        "move": step.cell,
        "played": score_record(step.played),
        "best": score_record(step.best),
        "line": step.line,
        "loss": round(step.loss, 4),
        "kind": step.kind or None,
        "is_unsure": step.unsure,
        "is_proved": step.check is not None and step.check.ok is True,
        "depth_plies": step.depth_plies,
        "nodes": step.nodes,
    }


def review_sgf(review: Review) -> str:
    """The game with the value of each move, and better lines as variations; what its file says
    besides stays."""
    game = review.game
    root = _tree(review)
    moves = [
        (before, node)
        for before, node in pairwise(root.main_line())
        if stone_in(node, game.height) is not None
    ]
    for step, (before, node) in zip(
        review.steps, moves[review.steps[0].number - 1 :], strict=False
    ):
        value = value_text(step.seen_by_black(step.played))
        sentence = step_text(step, game.height)
        _comment(
            node, "C",
            f"Black's value {value}, win chance {percent(step.black_chance)}"
            f"{sentence and f'. {sentence}.'}",
        )  # fmt: skip
        if bad := {MISSED_WIN: 2, FOUL: 2, MISTAKE: 1}.get(step.kind, 0):
            node.set("BM", str(bad))
        if step.kind == INACCURACY:
            node.set("DO", "")
        colours = (step.colour, opponent_of(step.colour))
        better = _better(step)
        add_line(before, [(x, y, colours[i % 2]) for i, (x, y) in enumerate(better)])
    return write_sgf(root)


def _tree(review: Review) -> Node:
    """The tree of the game's file, or a new one, with what is known of the game as a whole."""
    game = review.game
    if game.tree is not None:
        root = copied(game.tree.root)
    else:
        root = new_root({"PB": game.black, "PW": game.white}, (game.width, game.height), game.setup)
        if game.setup:
            root.set("PL", COLOUR_NAMES[game.stones[0][2]][0])
        add_line(root, game.stones)
    if not (root.text("RU") or "").strip():
        root.set("RU", RULE_TITLES.get(game.rule & ~2, str(game.rule)))
    if review.winner and not root.text("RE"):
        root.set("RE", f"{COLOUR_NAMES[review.winner][0]}+")
    _comment(root, "GC", "; ".join(_summary(review)))
    return root


def _comment(node: Node, name: str, text: str) -> None:
    """Adds a text below the one that a property has."""
    if text:
        node.set(name, "\n".join(filter(None, (node.text(name), text))))


def _summary(review: Review) -> Sequence[str]:
    """Sentences about the game as a whole."""
    fault = (
        [f"analysed up to move {len(review.game.moves)}: {review.fault}"] if review.fault else []
    )
    return [*turn_texts(review), accuracy_text(review), *fault]
