"""Wins that take more own moves than any game is expected to have: none is too long to be found."""

from __future__ import annotations

import threading

import pytest

from engine.model import Limits, Placed, Position, Rule, Solution, SolveLimits, Status, Stone
from engine.text import read_position
from tests.engine.positions import engine_at, from_picture
from tests.engine.proofs import require_proof
from tests.paths import ROOT

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


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("method", ["vct", "threes", "vcf"])
def test_the_solver_finds_a_win_with_65_own_stones(method: str, symmetry: int) -> None:
    position = image(symmetry)
    solution = engine_at(position).solve(SolveLimits(nodes=300_000, method=method))
    require_proof(position, solution)
    assert solution.plies == 129


# Boards with one long win by fours, put together by chance. Each four needs the stone of the four
# before it, and each has one block. Cells that take no part are walls, so there are few other wins.
LONG = (ROOT / "tests" / "positions" / "long" / "fours.txt").read_text("ascii").split("\n\n")


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[6:14])
def test_wins_of_many_lengths_are_found(text: str) -> None:
    position, plies = Position.from_text(text), int(read_position(text).header["plies"])
    for limits in (SolveLimits(nodes=300_000), SolveLimits(nodes=300_000, method="vcf")):
        solution = engine_at(position).solve(limits)
        require_proof(position, solution)
        assert plies // 2 < (solution.plies or 0) <= plies  # there is no much shorter win
    info = engine_at(position).think(Limits(nodes=60_000)).info
    assert info.score.mate_plies and 0 < info.score.mate_plies <= plies


@pytest.mark.parametrize("is_analysis", [False, True])
@pytest.mark.parametrize("symmetry", range(8))
def test_the_search_finds_it_at_its_root(symmetry: int, is_analysis: bool) -> None:
    engine = engine_at(image(symmetry))
    result = engine.think(Limits(nodes=30_000, is_analysis=is_analysis))
    assert result.info.score.mate_plies == 129
    assert len(result.info.pv) >= 127  # without the last stones, where every reply loses


@pytest.mark.parametrize("vcf_nodes", [20_000, 0], ids=["vcf", "proof numbers"])
def test_a_long_win_takes_little_of_the_stack(vcf_nodes: int) -> None:
    """Threads of some systems have half a megabyte, and a win may be four times as long."""
    engine = engine_at(image(0))
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


@pytest.mark.parametrize(
    ("limits", "met"),
    [
        (SolveLimits(nodes=0), "nodes"),
        (SolveLimits(nodes=500), "nodes"),
        (SolveLimits(nodes=500, method="vcf"), "nodes"),
        (SolveLimits(time_ms=0), "time"),
        (SolveLimits(moves=4), "moves"),
        (SolveLimits(moves=4, method="vcf"), "moves"),
    ],
    ids=str,
)
def test_an_open_answer_names_the_limit_that_was_met(limits: SolveLimits, met: str) -> None:
    solution = engine_at(image(0)).solve(limits)
    assert (solution.status, solution.limit) == (Status.UNKNOWN, met)


def test_the_budget_of_the_solver_is_named_as_well() -> None:
    engine = engine_at(Position.from_moves("h8 i9 h7 i10 g7"))
    for name in ("threes", "quiet", "threat", "reply", "root_vcf"):
        engine.set_parameter(f"solver_{name}_nodes", 1)
    for limits in (SolveLimits(), SolveLimits(moves=1000)):  # more moves than any win has
        solution = engine.solve(limits)
        assert (solution.status, solution.limit) == (Status.UNKNOWN, "budget")


def test_a_decided_answer_names_no_limit() -> None:
    assert engine_at(image(0)).solve().limit is None
    assert engine_at(Position(15, 15)).solve().limit is None
