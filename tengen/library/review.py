"""A game that the engine went through: the value of each move, mistakes, missed wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.api import Engine as Core
from engine.model import Score
from tengen.game.game import Game, record_of
from tengen.game.position import COLOURS, Colour, Point
from tengen.game.record.numbers import counted
from tengen.library.results import Line, score_text
from tengen.study.review import INACCURACY, Budget, Step
from tengen.study.review import Review as Study
from tengen.study.review import review as go_through

# The time for a game where nothing else is said.
_GAME_TIME_S = 45.0


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game as the engine sees it, for the side that played it.

    number   in the game, from one.
    played   its value, and `best`, that of the best move, with what is expected after it.
    loss     how much of the chance to win it has lost, 0 to 1.
    kind     "inaccuracy", "mistake", "missed win", "foul", or empty.
    is_proved   the referee has checked the proof of the win that was missed.
    is_unsure   it may be a mistake: no time was left to confirm it.
    black_chance   Black's chance to win after it, 0 to 1.
    """

    number: int
    move: Point
    colour: Colour
    played: Score
    best: Line
    loss: float
    kind: str
    is_proved: bool
    is_unsure: bool
    black_chance: float

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
    """A game that the engine went through.

    moves    those that programs or people have thought about, in order.
    fault    why the rest of the game was left out; empty if nothing was.
    turned   the move after which the winner's chance stayed above one half; None if it always was,
             or nobody has won.
    decided  the move after which the winner had a forced win; None if there was none.
    """

    moves: tuple[ReviewedMove, ...]
    fault: str
    turned: ReviewedMove | None
    decided: ReviewedMove | None
    _study: Study = field(repr=False, compare=False)

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """The mistakes, missed wins and fouls."""
        return tuple(move for move in self.moves if move.kind not in ("", INACCURACY))

    def annotated(self) -> Game:
        """The game with the value of each move as a comment, and better lines as variations."""
        from tengen.study.review_show import review_sgf

        return Game.parse(review_sgf(self._study))

    def __str__(self) -> str:
        marked = ", ".join(f"{move.number} {move.move} ({move.kind})" for move in self.mistakes)
        turned = "" if self.turned is None else f"; the game turned at move {self.turned.number}"
        return f"{counted(len(self.moves), 'move')}, marked: {marked or 'none'}{turned}"


def review_game(
    brain: Core,
    game: Game,
    time_s: float | None,
    nodes: int | None,
    loss: float,
    on_step: Callable[[str, int, int], None] | None,
) -> Review:
    """Goes through a game with `brain` and a second engine; the rest as for `Engine.review`."""
    if time_s is None and nodes is None:
        time_s = _GAME_TIME_S
    budget = Budget(None if time_s is None else round(time_s * 1000), nodes)
    report = on_step or (lambda what, done, total: None)
    study = go_through(brain, Core(), "game", record_of(game), budget, loss, report)
    moves = {step.number: _move(step, game.height) for step in study.steps}
    turned, decided = (
        None if step is None else moves[step.number] for step in (study.turned, study.decided)
    )
    return Review(tuple(moves.values()), study.fault, turned, decided, study)


def _move(step: Step, height: int) -> ReviewedMove:
    line = tuple(Point(x, y, height) for x, y in step.line) or (Point(*step.cell, height),)
    return ReviewedMove(
        step.number,
        Point(*step.cell, height),
        COLOURS[step.colour],
        step.played,
        Line(step.best, step.depth_plies, line),
        step.loss,
        step.kind,
        step.check is not None and step.check.ok is True,
        step.unsure,
        step.black_chance,
    )
