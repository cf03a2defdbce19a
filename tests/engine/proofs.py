"""The referee replays the win of a solution against every reply."""

from __future__ import annotations

from engine.model import Position, Solution, Status
from tengen.game.proof import check_proof
from tengen.study.solver import proof_node
from tests.engine.positions import referee_of


def require_proof(position: Position, solution: Solution) -> None:
    """AssertionError where the solution's win does not hold, or takes another number of stones."""
    assert solution.status is Status.WIN and solution.proof is not None
    assert solution.line[0] == solution.proof.move
    verdict = check_proof(
        referee_of(position), position.side_to_move, proof_node(solution.proof), solution.plies
    )
    assert verdict.ok, (position, verdict.reason)
    assert verdict.plies == solution.plies
