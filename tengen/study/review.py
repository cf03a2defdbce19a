"""A game that the engine went through, and how it is shown: a table of its moves, sentences, JSON,
sgf and a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.model import Score, win_chance
from tengen.arena.report.data import Remark, review_data
from tengen.arena.report.page import make_page
from tengen.common.translation import tr
from tengen.game.game import Game
from tengen.game.node import Node
from tengen.game.played import Report, Termination
from tengen.game.position import COLOURS, Colour, Point
from tengen.game.referee import BLACK, WHITE, Cell, Stone
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Record, counted
from tengen.study.results import (
    SIDE_NAMES,
    Line,
    Solution,
    cells_of,
    line_text,
    percent,
    score_record,
    score_text,
)
from tengen.study.solver import Check

if TYPE_CHECKING:
    from rich.console import Console

INACCURACY, MISTAKE, MISSED_WIN, FOUL = "inaccuracy", "mistake", "missed win", "foul"
# A loss above this part of the threshold of a mistake is an inaccuracy.
INACCURATE = 0.5
SEEN = 0.005  # a loss that is not shown as 0 per cent
# What marks a move in the table; a foul is a cross on a page.
MARKS = {INACCURACY: "?!", MISTAKE: "?", MISSED_WIN: "??", FOUL: "foul"}
_PAGE_MARKS = MARKS | {FOUL: "\u00d7"}
_VARIATION_PLIES = 16


@dataclass
class ReviewedMove:
    """A move of a game as the engine sees it. All scores are those of the side that moved.

    number     of the move in the game, from one.
    best       the value of the best move, and what is expected after it.
    played     the value of the move that was played.
    nodes      of the deepest search of the position before it, as `best.depth_plies`.
    kind       "inaccuracy", "mistake", "missed win", "foul", or empty.
    win        of a missed win: the solver's win, and `check`, the referee's verdict on its proof.
               None where only the search has announced the win.
    is_unsure  it may be a mistake: no time was left to confirm it.
    """

    number: int
    move: Point
    colour: Colour
    best: Line
    played: Score
    nodes: int = 0
    kind: str = ""
    win: Solution | None = field(default=None, repr=False)
    check: Check | None = None
    is_unsure: bool = False

    @property
    def is_proved(self) -> bool:
        """Has the referee checked the proof of the win that was missed?"""
        return self.check is not None and self.check.ok is True

    @property
    def loss(self) -> float:
        """How much of the chance to win the move has lost, 0 to 1."""
        return max(0.0, self.best.win_chance - win_chance(self.played))

    @property
    def is_decisive(self) -> bool:
        """Has the opponent a forced win after the move, and had the side a chance before it?"""
        return win_chance(self.played) == 0 and self.loss >= SEEN

    @property
    def black_chance(self) -> float:
        """Black's chance to win after the move, 0 to 1."""
        return win_chance(self.seen_by_black(self.played))

    @property
    def better(self) -> list[Cell]:
        """The line to show instead of a move that is marked, at most _VARIATION_PLIES of it."""
        shows = self.kind and self.best.move != self.move
        return cells_of(self.best.pv[:_VARIATION_PLIES]) if shows else []

    def seen_by_black(self, score: Score) -> Score:
        """A value of the side that moved, as Black's."""
        return score if self.colour == "black" else -score

    def __str__(self) -> str:
        text = f"{self.number:3} {self.colour} {self.move:3} {score_text(self.played):>5}"
        if not self.kind:
            return text
        if self.best.move == self.move:
            return f"{text}  {self.kind}"
        best = f"{self.best.move} {score_text(self.best.score)}"
        return f"{text}  {self.kind}, loses {self.loss:.0%}; better is {best}"


@dataclass(frozen=True)
class Review:
    """A game that was gone through.

    game       as recorded.
    stones     its moves up to the first impossible one.
    fault      why the rest of the record was left out; empty if nothing was.
    end        the winner where these moves end the game (0 for a full board), else None.
    moves      those that programs or people have thought about, in order.
    threshold  the loss of a mistake.
    """

    game: Game = field(repr=False, compare=False)
    stones: tuple[Stone, ...]
    fault: str
    end: int | None
    moves: tuple[ReviewedMove, ...]
    threshold: float

    @property
    def winner(self) -> Colour | None:
        """Who has won, by the last move or the record; None for a draw and where neither tells."""
        return COLOURS.get(self.game.winner if self.end is None else self.end)

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """The mistakes, missed wins and fouls."""
        return tuple(move for move in self.moves if move.kind not in ("", INACCURACY))

    @property
    def turned(self) -> ReviewedMove | None:
        """The move after which the winner's chance stayed above one half, which it was not before.
        None if the winner was ahead all the time or not at the end, or nobody has won."""
        found, was_ahead = None, self._is_ahead_at_first()
        for step in self.moves if self.ends_ahead else ():
            is_ahead = self._winners_chance(step) > 0.5
            if is_ahead and not was_ahead:
                found = step
            was_ahead = is_ahead
        return found

    @property
    def ends_ahead(self) -> bool:
        """Whether somebody has won whose chance was above one half after the last move. A game can
        end otherwise too, by time for example."""
        return bool(self.winner) and self._winners_chance(self.moves[-1]) > 0.5

    @property
    def decided(self) -> ReviewedMove | None:
        """The move after which the winner had a forced win to the end; None if there was none."""
        found = None
        for step in reversed(self.moves if self.winner else ()):
            if self._winners_chance(step) < 1:
                break
            found = step
        return found

    def accuracy(self, colour: str) -> float | None:
        """How much of its chance to win a side has kept with a move, on average: 1 if no move lost
        any. None for a side without moves."""
        losses = [step.loss for step in self.moves if step.colour == colour]
        return 1 - sum(losses) / len(losses) if losses else None

    def annotated(self) -> Game:
        """The game with the value of each move as a comment, and better lines as variations; what
        its file says besides stays."""
        game = self.game.copy()
        root = game.root
        if game.said_rule != game.rule_number:
            root.set("RU", RULE_TITLES[game.rule_number])
        if self.winner and not root.text("RE"):
            root.set("RE", f"{SIDE_NAMES[self.winner][0]}+")
        _comment(root, "GC", "; ".join(_summary(self)))
        for step in self.moves:
            node = game[step.number - 1]
            value = score_text(step.seen_by_black(step.played))
            sentence = step_text(step)
            _comment(
                node, "C",
                f"Black's value {value}, win chance {percent(step.black_chance)}"
                f"{sentence and f'. {sentence}.'}",
            )  # fmt: skip
            if bad := {MISSED_WIN: 2, FOUL: 2, MISTAKE: 1}.get(step.kind, 0):
                node.set("BM", str(bad))
            if step.kind == INACCURACY:
                node.set("DO", "")
            colours = (BLACK, WHITE) if step.colour == "black" else (WHITE, BLACK)
            better = [(x, y, colours[i % 2]) for i, (x, y) in enumerate(step.better)]
            (node.parent or root).append_line(better)
        return game

    def __str__(self) -> str:
        marked = ", ".join(f"{move.number} {move.move} ({move.kind})" for move in self.mistakes)
        turned = "" if self.turned is None else f"; the game turned at move {self.turned.number}"
        return f"{counted(len(self.moves), 'move')}, marked: {marked or 'none'}{turned}"

    def _is_ahead_at_first(self) -> bool:
        first = self.moves[0]
        chance = first.best.win_chance
        return (chance if first.colour == self.winner else 1 - chance) > 0.5

    def _winners_chance(self, step: ReviewedMove) -> float:
        return step.black_chance if self.winner == "black" else 1 - step.black_chance


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
    parts = [names, f"{RULE_TITLES[game.rule_number]} {game.width}x{game.height}"]
    return ", ".join([*filter(None, parts), counted(len(review.stones), "move"), _result(review)])


def _result(review: Review) -> str:
    return f"{SIDE_NAMES[review.winner]} won" if review.winner else "nobody won"


def _print_table(console: Console, review: Review) -> None:
    from tengen.common.console import print_table  # the library writes sgf without it

    rows = [
        (
            f"{step.number} {SIDE_NAMES[step.colour][0]}",
            step.move,
            score_text(step.seen_by_black(step.played)),
            percent(step.black_chance),
            percent(step.loss) if step.loss >= SEEN else "",
            MARKS.get(step.kind, ""),
            line_text(step.best.pv) if step.kind else "",
        )
        for step in review.moves
    ]
    heads = ("move", "", "Black's value", "chance", "loss", "", "better")
    marked = [number for number, step in enumerate(review.moves) if step.kind]
    print_table(console, heads, rows, (5, 6), bold=marked)


def _sentences(review: Review) -> Iterator[str]:
    """What the game shows, a line each."""
    yield accuracy_text(review)
    words = {MISSED_WIN: "missed wins", MISTAKE: "mistakes", INACCURACY: "inaccuracies"}
    for kind, word in words.items():
        for colour in SIDE_NAMES:
            found = [step for step in review.moves if (step.kind, step.colour) == (kind, colour)]
            if found:
                moves = ", ".join(f"{s.number} {s.move}" for s in found)
                yield f"{SIDE_NAMES[colour]}'s {word}: {moves}"
    for step in review.moves:
        if step.kind == MISSED_WIN:
            yield f"  move {step.number}: {step_text(step)}"
    if unsure := [step for step in review.moves if step.is_unsure]:
        moves = ", ".join(f"{s.number} {s.move}" for s in unsure)
        yield f"perhaps mistakes, not confirmed for lack of time: {moves}"
    yield from turn_texts(review)
    if review.fault:
        yield f"analysed up to move {len(review.stones)}: {review.fault}"


def accuracy_text(review: Review) -> str:
    """How much of its chance to win each side has kept a move, in a few words."""
    kept = {colour: percent_kept(review, colour) for colour in SIDE_NAMES}
    sides = [
        tr("{side} {percent}", side=SIDE_NAMES[colour], percent=text)
        for colour, text in kept.items()
        if text
    ]
    return tr("accuracy: {sides}", sides=sides)


def percent_kept(review: Review, colour: Colour) -> str:
    """The accuracy of a side; empty for one without moves."""
    kept = review.accuracy(colour)
    return "" if kept is None else f"{kept * 100:.1f} %"


def turn_texts(review: Review) -> list[str]:
    """Where the game turned, and from where on it was won."""
    if not review.winner:
        return []
    winner = SIDE_NAMES[review.winner]
    lines: list[str] = []
    if (turned := review.turned) is not None:
        lines.append(
            tr(
                "the game turned at move {number}, {side}'s {point}",
                number=turned.number, side=SIDE_NAMES[turned.colour], point=turned.move,
            )
        )  # fmt: skip
    elif review.ends_ahead:
        lines.append(tr("{side} was ahead all the time", side=winner))
    else:
        lines.append(tr("{side} was not ahead at the end", side=winner))
    if (decided := review.decided) is not None:
        lines.append(
            tr("{side}'s win was forced from move {number} on", side=winner, number=decided.number)
        )
    return lines


def step_text(step: ReviewedMove) -> str:
    """A move that is marked, in a sentence; empty for others."""
    side = SIDE_NAMES[step.colour]
    first = step.best.move
    if step.kind == MISSED_WIN:
        by = tr("the search")
        if step.is_proved:
            by = tr("a proof that the referee has checked")
        elif step.check is not None:
            by = tr("a proof too long to check")
        return tr(
            "{move} misses a win with stone {number}, beginning with {first} ({by})",
            move=step.move, number=step.best.score.mate_plies or 0, first=first, by=by,
        )  # fmt: skip
    if step.kind in (MISTAKE, INACCURACY):
        return tr(
            "{move} loses {share}. Better: {first}",
            move=step.move, share=percent(step.loss), first=first,
        )  # fmt: skip
    return tr("{side} makes a foul", side=side) if step.kind == FOUL else ""


def review_page(review: Review, name: str) -> str:
    """The review as an HTML page. ValueError for a game that the page cannot show."""
    shown = _shown(review)
    nodes = [*shown]
    for node in nodes:
        node.report = None
    for step in review.moves:
        value = None if step.played.mate_plies is not None else step.played.value
        nodes[step.number - 1].report = Report(
            step.best.depth_plies, None, value, step.played.mate_plies, step.nodes
        )
    remarks = [
        Remark(step.number, _PAGE_MARKS[step.kind], step_text(step), tuple(step.better))
        for step in review.moves
        if step.kind
    ]
    data = review_data(shown, "Tengen", name, _game_text(review), _summary(review), remarks)
    return make_page(data)


def cut(game: Game, stones: tuple[Stone, ...]) -> Game:
    """A copy of a game whose main line ends after the first moves, `stones`."""
    shorter = game.copy()
    if len(stones) < len(shorter):
        shorter[len(stones)].remove()
    return shorter


def _shown(review: Review) -> Game:
    """The moves that were gone through, with how they end the game."""
    game = cut(review.game, review.stones)
    if review.end is not None:
        game.result = COLOURS.get(review.end, "draw")
        is_foul = review.end and review.end != review.stones[-1][2]
        won = Termination.FORBIDDEN if is_foul else Termination.FIVE
        game.termination = won if review.end else Termination.FULL
    return game


def review_record(review: Review, name: str) -> Record:
    """The review as plain values. Points are [x, y] from zero at the top left."""
    game = review.game
    return {
        "game": name,
        "black": game.black,
        "white": game.white,
        "rule": game.rule_number,
        "says_rule": game.says_rule,
        "size": [game.width, game.height],
        "moves": len(review.stones),
        "winner": review.winner,
        "threshold": review.threshold,
        "accuracy": {
            colour: kept and round(kept, 4)
            for colour in SIDE_NAMES
            for kept in [review.accuracy(colour)]
        },
        "fault": review.fault or None,
        "turned": None if review.turned is None else review.turned.number,
        "decided": None if review.decided is None else review.decided.number,
        "steps": [_step_record(step) for step in review.moves],
    }


def _step_record(step: ReviewedMove) -> Record:
    return {
        "number": step.number,
        "side": step.colour,
        "move": (step.move.x, step.move.y),
        "played": score_record(step.played),
        "best": score_record(step.best.score),
        "line": cells_of(step.best.pv),
        "loss": round(step.loss, 4),
        "kind": step.kind or None,
        "is_unsure": step.is_unsure,
        "is_proved": step.is_proved,
        "depth_plies": step.best.depth_plies,
        "nodes": step.nodes,
    }


def _comment(node: Node, name: str, text: str) -> None:
    """Adds a text below the one that a property has."""
    if text:
        node.set(name, "\n".join(filter(None, (node.text(name), text))))


def _summary(review: Review) -> Sequence[str]:
    """Sentences about the game as a whole."""
    fault = [f"analysed up to move {len(review.stones)}: {review.fault}"] if review.fault else []
    return [*turn_texts(review), accuracy_text(review), *fault]
