"""Judgements of announced mates: right ones hold, wrong ones are found, wins and losses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.api import Engine
from engine.model import Point, ProofNode, Solution, SolveLimits, Status
from tengen.game.record.positions import find_position
from tengen.game.rules.referee import BLACK, WHITE, Cell
from tengen.study.announcements import Announcement
from tengen.study.judge import PLAYED, PROVED, UNSETTLED, WRONG, Judgement, judge, judgement_record
from tengen.study.puzzle import puzzle_of
from tengen.study.solver import Brain

NODES = 2_000

# Black wins by d3 (a four and an open three), with the fifth stone at most.
FOUR_THREE = """
. . . . . . . .
. . . . . . . .
. . . X . . . .
. . . X . . . .
O X X . X . . .
. . . . . O . .
. . . . . . O O
"""
# White can stop the open three.
ONE_THREE = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . X X X . . .
. . . . . O . .
. . . . . . O .
"""
# White cannot stop two open threes at a time, and has no fours.
TWO_THREES = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . X . . . . .
. . . X . . . . .
. O . X X X . . .
. . . . . . O . .
. . . . . . O . .
. . . . . . . . O
"""


def _announcement(picture: str, plies: int, line: Cell, side: int = BLACK) -> Announcement:
    position = find_position(f"to move: {'black' if side == BLACK else 'white'}\n{picture}")
    return Announcement(puzzle_of(position), plies, (line,), len(position.stones))


class NoProofs(Engine):
    """The engine without its threat solver."""

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        return Solution(Status.UNKNOWN, None, (), 1, 1, None)


class WrongProofs(Engine):
    """An engine whose proofs say that its first move wins at once."""

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        move = Point(0, 0)
        return Solution(Status.WIN, 5, (move,), 1, 1, ProofNode(move, {}, None))


def _judge(announcement: Announcement, brain: Brain | None = None) -> Judgement:
    return judge(brain or Engine(), announcement, NODES)


def test_a_win_by_threats_is_proved() -> None:
    found = _judge(_announcement(FOUR_THREE, 5, (3, 4)))
    assert (found.verdict, found.reason, found.line, found.asked) == (PROVED, "", (), 0)
    assert found.stones > 0 and 0 < found.nodes


def test_without_proofs_it_is_played_out() -> None:
    found = _judge(_announcement(FOUR_THREE, 5, (3, 4)), NoProofs())
    assert (found.verdict, found.reason) == (PLAYED, "")
    assert found.asked > 0


@pytest.mark.parametrize("brain", [Engine, NoProofs])
def test_a_win_announced_too_short_is_wrong(brain: type[Engine]) -> None:
    found = _judge(_announcement(FOUR_THREE, 3, (3, 4)), brain())
    assert found.verdict == WRONG
    assert found.line[0] == (3, 4), "it begins with the announced move"
    assert found.reason


def test_a_win_that_is_none_is_wrong() -> None:
    found = _judge(_announcement(ONE_THREE, 5, (3, 2)))
    assert found.verdict == PROVED, "an open three wins if it is Black's turn"
    found = _judge(_announcement(ONE_THREE, 5, (3, 2), WHITE))
    assert found.verdict == WRONG
    assert found.reason.startswith("no win with stone 3 is found in ")


def test_the_announced_move_counts() -> None:
    """There is a win, but not by this move."""
    found = _judge(_announcement(FOUR_THREE, 5, (0, 0)), NoProofs())
    assert found.verdict == WRONG and found.line[0] == (0, 0)


def test_losses() -> None:
    found = _judge(_announcement(TWO_THREES, -4, (0, 0), WHITE))
    assert (found.verdict, found.line) == (PROVED, ())
    found = _judge(_announcement(TWO_THREES, -4, (0, 0), WHITE), NoProofs())
    assert found.verdict == PLAYED
    found = _judge(_announcement(TWO_THREES, -2, (0, 0), WHITE))
    assert found.verdict == WRONG, "the win takes one move more"
    found = _judge(_announcement(ONE_THREE, -8, (0, 0), WHITE))
    assert found.verdict == WRONG
    assert found.line[0] in ((1, 4), (5, 4)), "the first move of the line is the defence"


def test_a_wrong_proof_is_named() -> None:
    found = _judge(_announcement(FOUR_THREE, 5, (3, 4)), WrongProofs())
    assert found.verdict == WRONG
    assert found.reason == "a wrong proof: the proof ends without a winning line"


def test_it_is_given_up_after_so_many_nodes() -> None:
    announcement = _announcement(FOUR_THREE, 5, (3, 4))
    found = judge(Engine(), announcement, NODES, max_nodes=1)
    assert found.verdict == UNSETTLED
    assert found.reason == "given up after 1 nodes of the engine"


def test_a_position_is_written_as_solve_reads_it() -> None:
    announcement = _announcement(FOUR_THREE, 5, (3, 4))
    record = judgement_record(announcement, _judge(announcement))
    again = find_position(str(record["position"]))
    assert sorted(again.stones) == sorted(announcement.puzzle.stones)
    assert again.side == BLACK and record["side"] == "black"
    puzzle = puzzle_of(find_position("h8i9h7"))
    record = judgement_record(replace(announcement, puzzle=puzzle), _judge(announcement))
    assert (record["position"], record["side"]) == ("h8 i9 h7", "white")
