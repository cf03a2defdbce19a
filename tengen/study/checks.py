"""Answers of the engine, replayed by the referee against every legal defence."""

from __future__ import annotations

from dataclasses import dataclass

from engine.api import Engine
from engine.model import Placed, Stone
from tengen.game.proof import Node, Verdict, check_proof, check_win
from tengen.game.referee import Cell, Referee
from tengen.study.puzzle import Puzzle
from tengen.study.solver import ANY, FULL, Answer, Effort

# A check is given up after so many stones put on the board, about a minute for either kind.
# Parts of a proof may be shared, so a small proof can have any number of lines.
MAX_STONES_OF_PROOF = 3_000_000
MAX_STONES_PLAYED_OUT = 300_000


@dataclass(frozen=True)
class Check:
    """The result of replaying a win.

    ok      the win is one, within the plies announced; None = given up before that was known.
    stones  put on the board for the check.
    reason  what is wrong, and `line` the moves to where it is; empty when ok.
    """

    ok: bool | None
    stones: int
    reason: str = ""
    line: tuple[Cell, ...] = ()


def replay(puzzle: Puzzle, answer: Answer, effort: Effort, brain: Engine) -> Check:
    """Replays a win that `brain` found with this effort: by its proof if there is one."""
    if effort.method == FULL or (effort.method == ANY and answer.proof is None):
        return play_out(puzzle, answer, effort, brain)
    return check_answer(puzzle, answer)


def check_answer(puzzle: Puzzle, answer: Answer, max_stones: int = MAX_STONES_OF_PROOF) -> Check:
    """Replays the proof of a win that the solver found."""
    if answer.proof is None or answer.plies is None:
        return Check(False, 0, "there is no proof to check")
    verdict = check_proof(puzzle.referee(), puzzle.side, answer.proof, answer.plies, max_stones)
    if verdict.ok and answer.move != answer.proof.move:
        reason = "the proof begins with another move"
        return Check(False, verdict.nodes, reason, (answer.proof.move,))
    return _check(verdict, max_stones)


def play_out(
    puzzle: Puzzle,
    answer: Answer,
    effort: Effort,
    brain: Engine,
    max_stones: int = MAX_STONES_PLAYED_OUT,
) -> Check:
    """Plays out a win that the full search announced: `brain` is asked for the attacker's moves
    with the same effort, and has to win within the plies announced against every defence."""
    if answer.plies is None:
        return Check(False, 0, "there is no win to check")
    start, limits = puzzle.position(), effort.think_limits()
    board = puzzle.referee()
    before = len(board.stones())

    def ask(board: Referee, plies: int) -> Node:
        played = [Placed(x, y, Stone(colour)) for x, y, colour in board.stones()[before:]]
        if not played:
            return Node(answer.line[0], {})
        # The defender may have passed, but it is always the attacker's turn.
        brain.set_position(start._replace(stones=(*start.stones, *played)))
        x, y = brain.think(limits._replace(mate_plies=plies)).move
        return Node((x, y), {})

    brain.new_game()
    return _check(check_win(board, puzzle.side, answer.plies, ask, max_stones), max_stones)


def _check(verdict: Verdict, max_stones: int) -> Check:
    if verdict.ok:
        return Check(True, verdict.nodes)
    ok = None if verdict.nodes > max_stones else False
    return Check(ok, verdict.nodes, verdict.reason, verdict.line)
