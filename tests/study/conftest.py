"""A brain for tests, in place of the engine: it finds wins by trying every move."""

from __future__ import annotations

import random

import pytest

import tengen.study.batch
import tengen.study.solve_cli
from engine.model import (
    Defences,
    Info,
    Limits,
    Point,
    Position,
    ProofNode,
    Result,
    Score,
    Solution,
    SolveLimits,
    Status,
    Stone,
)
from tengen.game.rules.proof import Node
from tengen.game.rules.referee import Referee
from tests.game.rules.provers import folded, longest_win, moves_of, prove


class FakeBrain:
    """Wins by fours of at most three own moves, on small boards. What it was asked for last is in
    `limits`; `spoils` makes its proofs wrong, and `plies` what it announces."""

    def __init__(self, spoils: bool = False, plies: int | None = None) -> None:
        self.position = Position(15, 15)
        self.limits: SolveLimits | Limits | None = None
        self.spoils = spoils
        self.plies = plies

    def new_game(self) -> None:
        pass

    def set_position(self, position: Position) -> None:
        self.position = position

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        self.limits = limits
        return self._solution(self._board(), self.position.side_to_move)

    def solve_all(self, limits: SolveLimits = SolveLimits()) -> tuple[Solution, ...]:  # noqa: B008
        self.limits = limits
        solution = self.solve()
        return (solution,) if solution.status is Status.WIN else ()

    def defences(self, limits: SolveLimits = SolveLimits()) -> Defences:  # noqa: B008
        self.limits = limits
        board, side = self._board(), self.position.side_to_move
        threat = self._solution(board, side.opponent)
        good = []
        for cell in moves_of(board, side) if threat.status is Status.WIN else ():
            board.play(*cell, side)
            if self._solution(board, side.opponent).status is not Status.WIN:
                good.append(Point(*cell))
            board.undo()
        return Defences(threat, tuple(good), ())

    def think(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        self.limits = limits
        solution = self.solve()
        if solution.status is Status.WIN:
            line, score = solution.line, Score(0, solution.plies)
        else:
            line, score = (Point(*self._board().empties()[0]),), Score(12)
        return Result(line[0], Info(1, 1, score, 100, 1000, 2, line))

    def _board(self) -> Referee:
        board = Referee(self.position.width, self.position.height, self.position.rule)
        for x, y, stone in self.position.stones:
            board.play(x, y, stone)
        return board

    def _solution(self, board: Referee, side: Stone) -> Solution:
        node = prove(board, side, 5, fours_only=True)
        if node is None:
            return Solution(Status.NO_WIN, None, (), 10, 2000, None)
        tree = folded(node, random.Random(1))
        plies = longest_win(board, side, tree)
        proof = _proof(tree)
        if self.spoils:
            proof = ProofNode(proof.move, {}, proof)
        line = [Point(*node.move)]
        while node.replies:
            reply, node = max(node.replies.items(), key=lambda item: bool(item[1].replies))
            line += [Point(*reply), Point(*node.move)]
        return Solution(Status.WIN, self.plies or plies, tuple(line), 10, 2000, proof)


def _proof(node: Node) -> ProofNode:
    return ProofNode(
        Point(*node.move),
        {Point(*reply): _proof(answer) for reply, answer in node.replies.items()},
        None if node.otherwise is None else _proof(node.otherwise),
    )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeBrain:
    """The brain that is asked in this test."""
    brain = FakeBrain()
    monkeypatch.setattr(tengen.study.solve_cli, "new_brain", lambda: brain)
    monkeypatch.setattr(tengen.study.batch, "new_brain", lambda: brain)
    return brain
