"""Wins that take more own moves than any game is expected to have: none is too long to be found."""

from __future__ import annotations

import threading

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Solution, SolveLimits, Status, Stone
from tengen.rules.proof import check_proof
from tengen.study.solver import proof_node
from tests.engine.positions import from_picture
from tests.engine.proofs import referee_of

# Black wins with 65 stones of its own, each of them a four but the last.
SIXTY_FIVE = """
    O O O O X X O . . X X X O X X
    X O X X X O X O . O O . O . .
    X O X X X O X O O X O . . O X
    X O O O O X X O X X X X O . .
    X X O X X O X X O X X . . . .
    O . . X . . O O . O . . . O .
    X . . . . O . . X . . . . . .
    . X . . . . . X . . . . O . .
    . . . . . . . . . . . . . . .
    X . . . . . . . . . . . . O .
    . . . . . . . . . . . . . . X
    O . . . . . . O O . . . . . .
    O . . . . . . O X O . . . . .
    O . . . . . X . O . . . . . .
    X . X . X . . O O O X O . X O
"""


def image(symmetry: int) -> Position:
    """The board turned and mirrored in one of eight ways."""
    position = from_picture(SIXTY_FIVE, Stone.BLACK, Rule.RENJU)[0]
    last = position.width - 1
    placed = []
    for x, y, stone in position.stones:
        x, y = (y, x) if symmetry & 1 else (x, y)
        placed.append(
            Placed(last - x if symmetry & 2 else x, last - y if symmetry & 4 else y, stone)
        )
    return position._replace(stones=tuple(placed))


def engine_with(position: Position) -> Engine:
    engine = Engine()
    engine.set_position(position)
    return engine


def require_proof(position: Position, solution: Solution) -> None:
    """The referee replays the win against every reply."""
    assert solution.status is Status.WIN and solution.proof is not None
    verdict = check_proof(
        referee_of(position), position.side_to_move, proof_node(solution.proof), solution.plies
    )
    assert verdict.ok, verdict.reason
    assert verdict.plies == solution.plies


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("method", ["vct", "threes", "vcf"])
def test_the_solver_finds_a_win_with_65_own_stones(method: str, symmetry: int) -> None:
    position = image(symmetry)
    solution = engine_with(position).solve(SolveLimits(nodes=300_000, method=method))
    require_proof(position, solution)
    assert solution.plies == 129


@pytest.mark.parametrize("is_analysis", [False, True])
@pytest.mark.parametrize("symmetry", range(8))
def test_the_search_finds_it_at_its_root(symmetry: int, is_analysis: bool) -> None:
    engine = engine_with(image(symmetry))
    result = engine.think(Limits(nodes=30_000, is_analysis=is_analysis))
    assert result.info.score.mate_plies == 129
    assert len(result.info.pv) >= 127  # without the last stones, where every reply loses


@pytest.mark.parametrize("vcf_nodes", [20_000, 0], ids=["vcf", "proof numbers"])
def test_a_long_win_takes_little_of_the_stack(vcf_nodes: int) -> None:
    """Threads of some systems have half a megabyte, and a win may be four times as long."""
    engine = engine_with(image(0))
    engine.set_parameter("solver_root_vcf_nodes", vcf_nodes)
    engine.set_parameter("solver_vcf_nodes", 0)
    engine.set_parameter("solver_proof_vcf_nodes", 0)
    found: list[Solution] = []
    usual = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(engine.solve(SolveLimits())))
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    require_proof(image(0), found[0])
