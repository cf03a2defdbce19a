"""An engine that keeps what it was asked, and can be made to announce what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Position, ProofNode, Result, Score, Solution, SolveLimits


class Asked(Engine):
    """`limits` and `position` are what it was asked last. `spoils` makes its proofs wrong, and
    `plies`, above zero, is the length of the wins that it announces."""

    limits: SolveLimits | Limits | None = None
    position = Position(15, 15)
    spoils = False
    plies = 0
    # What `set_memory` and `set_threads` were given.
    given: tuple[int | None, int] = None, 1

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        self.given = max_bytes, self.given[1]
        return super().set_memory(max_bytes, hash_bytes)

    def set_threads(self, count: int) -> str | None:
        self.given = self.given[0], count
        return super().set_threads(count)

    def set_position(self, position: Position) -> str | None:
        self.position = position
        return super().set_position(position)

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        self.limits = limits
        solution = super().solve(limits)
        if solution.proof is None:
            return solution
        proof = (
            ProofNode(solution.proof.move, {}, solution.proof) if self.spoils else solution.proof
        )
        return solution._replace(plies=self.plies or solution.plies, proof=proof)

    def think(
        self,
        limits: Limits = Limits(),  # noqa: B008
        on_info: Callable[[Info], None] | None = None,
    ) -> Result:
        self.limits = limits
        result = super().think(limits, on_info)
        if not self.plies:
            return result
        return result._replace(info=result.info._replace(score=Score(0, self.plies)))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The engine that the command asks in this test."""
    engine = Asked()
    for module in ("analyze_cli", "solve_cli", "review_games"):
        monkeypatch.setattr(f"tengen.study.{module}.Engine", lambda: engine)
    return engine
