"""Judges an announced mate: is it right?

The referee tries every defence. Positions on the way, the first included, are settled by proofs of
wins by threats: the engine's threat solver finds them and tengen/game/rules/proof.py checks them.
Where there is no such proof, the engine is asked for the winner's move, first with a small budget,
then with larger ones, and must still win within the distance that was announced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.model import Limits, SolveLimits, Status
from engine.text import point_names
from tengen.game.rules.picture import draw
from tengen.game.rules.proof import Node, check_proof
from tengen.game.rules.referee import COLOUR_NAMES, Cell, Referee
from tengen.game.rules.replay import NotAWin
from tengen.game.rules.stones import in_turns
from tengen.game.rules.wincheck import Proved, check_loss, check_win
from tengen.study.announcements import Announcement
from tengen.study.solver import Brain, proof_node

PROVED, PLAYED, WRONG, UNSETTLED = "proved", "played out", "wrong", "not settled"

# A judgement is given up after so many stones that the referee has put on the board, or so many
# nodes of the engine: a minute or two.
MAX_STONES = 300_000
MAX_NODES = 30_000_000
# Stones of one check of a proof. A proof made for another position is given up sooner.
_MAX_PROOF_STONES = 1_000_000
_MAX_REPEAT_STONES = 3_000
_PROOFS_KEPT = 6
# The attacker is asked again with so many times the nodes where it finds no win in time.
_GROWTH = (1, 10, 100)


@dataclass(frozen=True)
class Judgement:
    """What became of an announcement.

    verdict  PROVED: by proofs alone; PLAYED: with moves of the engine; WRONG; UNSETTLED: given up.
    reason   what is wrong, or why it is not settled, and `line` the moves to where that is; empty
             where the announcement is right.
    stones   that the referee has put on the board, those of proofs included.
    asked    how often the engine was asked for a move.
    nodes    of the engine, for proofs and moves.
    """

    verdict: str
    reason: str
    line: tuple[Cell, ...]
    stones: int
    asked: int
    nodes: int


class _GivenUp(Exception):
    """The engine has used up its nodes."""


def judge(
    brain: Brain, announcement: Announcement, nodes: int, max_nodes: int = MAX_NODES
) -> Judgement:
    """Judges an announcement with at most `max_nodes` nodes of the engine.

    nodes   of one search for a proof, and of the first search for a move.
    """
    return _Judge(brain, announcement, nodes, max_nodes).judgement()


class _Judge:
    """One judgement."""

    def __init__(
        self, brain: Brain, announcement: Announcement, nodes: int, max_nodes: int
    ) -> None:
        self._brain = brain
        self._said = announcement
        self._nodes = nodes
        self._left = max_nodes
        self._max_nodes = max_nodes
        self._proof_stones = 0
        # Proofs that held, latest success first: they often hold after other replies as well.
        self._proofs: list[Node] = []

    def judgement(self) -> Judgement:
        """The referee's verdict on the announcement."""
        said = self._said
        self._brain.new_game()
        check, side = (check_win if said.plies > 0 else check_loss), said.puzzle.side
        board = said.puzzle.referee()
        self._before = len(board.stones())
        try:
            found = check(board, side, abs(said.plies), self._move, MAX_STONES, self._prove)
        except NotAWin as failure:
            return self._result(WRONG, failure.reason, failure.line, 0, 0)
        except _GivenUp:
            reason = f"given up after {self._max_nodes:,} nodes of the engine"
            return self._result(UNSETTLED, reason, (), 0, 0)
        if found.ok:
            verdict = PLAYED if found.asked else PROVED
            return self._result(verdict, "", (), found.nodes, found.asked)
        verdict = UNSETTLED if found.nodes > MAX_STONES else WRONG
        return self._result(verdict, found.reason, found.line, found.nodes, found.asked)

    def _result(
        self, verdict: str, reason: str, line: tuple[Cell, ...], stones: int, asked: int
    ) -> Judgement:
        used = self._max_nodes - self._left
        return Judgement(verdict, reason, line, stones + self._proof_stones, asked, used)

    def _prove(self, board: Referee, plies: int) -> Proved | None:
        """A checked proof that the winner, to move, wins within so many stones; None without one.
        NotAWin if the engine makes a wrong one."""
        for i, node in enumerate(self._proofs):
            if board.legal(*node.move):
                verdict = check_proof(board, self._said.winner, node, plies, _MAX_REPEAT_STONES)
                self._proof_stones += verdict.nodes
                if verdict.ok:
                    self._proofs.insert(0, self._proofs.pop(i))
                    return Proved(node.move, verdict.plies)
        self._set_up(board)
        solution = self._brain.solve(SolveLimits(nodes=self._nodes, moves=(plies + 1) // 2))
        self._spend(solution.nodes)
        if solution.status is not Status.WIN or solution.proof is None:
            return None
        node = proof_node(solution.proof)
        verdict = check_proof(board, self._said.winner, node, plies, _MAX_PROOF_STONES)
        self._proof_stones += verdict.nodes
        if verdict.ok:
            self._proofs = [node, *self._proofs[: _PROOFS_KEPT - 1]]
            return Proved(node.move, verdict.plies)
        if verdict.nodes > _MAX_PROOF_STONES:
            return None
        raise NotAWin((*self._played(board), *verdict.line), f"a wrong proof: {verdict.reason}")

    def _move(self, board: Referee) -> Cell:
        """The winner's move: the one that was announced, or the engine's choice. NotAWin if the
        engine finds no win that is short enough."""
        played = self._played(board)
        if not played:
            return self._said.line[0]
        plies = abs(self._said.plies) - len(played)
        for growth in _GROWTH:
            self._set_up(board)
            # An analysis, because a reply that is forced is otherwise played without a search.
            limits = Limits(
                nodes=min(self._nodes * growth, self._left), mate_plies=plies, is_analysis=True
            )
            result = self._brain.think(limits)
            self._spend(result.info.nodes)
            found = result.info.score.mate_plies
            if found is not None and 0 < found <= plies:
                return result.move.x, result.move.y
        raise NotAWin(
            played, f"no win with stone {plies} is found in {self._nodes * _GROWTH[-1]:,} nodes"
        )

    def _set_up(self, board: Referee) -> None:
        self._brain.set_position(self._said.puzzle.position(self._played(board)))

    def _played(self, board: Referee) -> list[Cell]:
        return [(x, y) for x, y, _ in board.stones()[self._before :]]

    def _spend(self, nodes: int) -> None:
        self._left -= nodes
        if self._left <= 0:
            raise _GivenUp


def judgement_record(announcement: Announcement, judgement: Judgement) -> dict[str, Any]:
    """An announcement and what became of it, as plain values. Points are [x, y] from zero at the
    top left."""
    puzzle = announcement.puzzle
    return {
        "game": puzzle.name,
        "after": announcement.after,
        "rule": puzzle.rule,
        "size": [puzzle.width, puzzle.height],
        "side": COLOUR_NAMES[puzzle.side].lower(),
        "plies": announcement.plies,
        "line": [list(cell) for cell in announcement.line],
        "verdict": judgement.verdict,
        "reason": judgement.reason or None,
        "failure": [list(cell) for cell in judgement.line],
        "position": _position_text(announcement),
        "stones": judgement.stones,
        "asked": judgement.asked,
        "nodes": judgement.nodes,
    }


def _position_text(announcement: Announcement) -> str:
    """The position as `tengen solve` reads it: moves where colours alternate, else a picture."""
    puzzle = announcement.puzzle
    cells = [(x, y) for x, y, _ in puzzle.stones]
    if in_turns(cells) == puzzle.stones and puzzle.side == 1 + len(cells) % 2:
        return point_names(cells, puzzle.height)
    return f"to move: {COLOUR_NAMES[puzzle.side].lower()}\n{draw(puzzle.referee())}"
