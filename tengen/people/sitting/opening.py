"""How a game at the board can begin: by an opening rule, or with a balanced opening.

The player of Black puts down the opening, and the player of White chooses: to swap colours, or to
stay White and move, or in swap2 to put down two more stones, after which the other player chooses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.model import Limits, Point
from engine.text import point_names
from protocol.brain import Brain
from protocol.openings import Judge, find_balanced
from protocol.swap2 import Answer, Question, choose
from tengen.game.rules.referee import Cell
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import Thinking, position_of


class Opening(Enum):
    """The ways to begin, with the stones that are put down first."""

    BALANCE = "balance"
    SWAP1 = "swap1"
    SWAP2 = "swap2"

    @property
    def stones(self) -> int:
        """How many stones are put down before a side is chosen."""
        return 1 if self is Opening.SWAP1 else 3


class Stage(Enum):
    """What is next in the opening: to put down stones, or to choose; OVER: the game itself."""

    PUT = "put"
    CHOOSE = "choose"
    OVER = "over"


@dataclass(frozen=True)
class Agreed:
    """A program has put down the stones `cells` in turn, or has chosen; `is_swap` if it takes
    Black, so that the players have changed sides."""

    name: str
    cells: tuple[Cell, ...]
    is_swap: bool


def agreed_text(agreed: Agreed, stage: Stage, height: int) -> str:
    """What a program has done, in a sentence; `stage` is the one after it."""
    if agreed.is_swap:
        return f"{agreed.name} takes Black."
    names = point_names(agreed.cells, height)
    if len(agreed.cells) == 1 and stage is Stage.OVER:
        return f"{agreed.name} stays White and plays {names}."
    return f"{agreed.name} puts down {names}, Black's first."


def to_do_text(opening: Opening | None, stage: Stage, swap: str, add: str) -> str:
    """What a person has to do next; "" when the opening is over. `swap` and `add` say how to be
    Black, and how to add two stones, "" where that is not possible."""
    if opening is None or stage is Stage.OVER:
        return ""
    if stage is Stage.PUT:
        stones = "Black's first stone" if opening.stones == 1 else "three stones, Black's first"
        return f"Put down {stones}; then the program chooses its side."
    return f"Play as White, {swap}, or {add}." if add else f"Play as White, or {swap}."


class OpeningThinking(Thinking):
    """A program's search for the stones of an opening, or for a side."""

    def __init__(
        self, name: str, game: Game, limits: Limits, opening: Opening, stage: Stage, seed: int
    ) -> None:
        super().__init__(name, position_of(game), limits)
        self._opening = opening
        self._stage = stage
        self._seed = seed

    def answer(self) -> Answer:
        """What was found. MachineFailed if the program failed or put a stone on another one."""
        answer = self._outcome()
        assert isinstance(answer, Answer)
        for point in answer.stones:
            self._check(point)
        return answer

    def _search(self, brain: Brain) -> Answer:
        width, height, rule = self.position[:3]
        stones = tuple(Point(stone.x, stone.y) for stone in self.position.stones)
        judge = Judge(brain, width, height, rule, self.limits, self._seed)
        if self._stage is Stage.PUT:
            found = find_balanced(judge, stones, self._opening.stones)
            return Answer(found.stones[len(stones) :], "")
        if self._opening is Opening.SWAP2:
            question = Question(brain, width, height, rule, stones, self._seed)
            return question.think(self.limits)
        return choose(judge, stones)
