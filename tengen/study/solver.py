"""Asks the engine about a position: its threat solver, its full search, or both. Its answers are
replayed by the referee against every legal defence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.api import Engine
from engine.model import Limits, Placed, ProofNode, SolveLimits
from engine.model import Stone as ModelStone
from tengen.game.position import Position
from tengen.game.proof import Verdict, check_proof, check_win
from tengen.game.referee import Cell, Referee
from tengen.study.results import (
    NO_WIN,
    UNKNOWN,
    WIN,
    Defences,
    Solution,
    Wins,
    cells_of,
    defences_of,
    points_of,
    solution_of,
    wins_of,
)

METHODS = ANY, VCT, THREES, VCF, FULL = "any", "vct", "threes", "vcf", "full"

# A check is given up after so many stones put on the board, about a minute for either kind.
# Parts of a proof may be shared, so a small proof can have any number of lines.
MAX_STONES_OF_PROOF = 3_000_000
MAX_STONES_PLAYED_OUT = 300_000


@dataclass(frozen=True)
class Effort:
    """How to look for a win, and for how long.

    method    "vct" (wins by fours, threes and moves that threaten to win by fours), "threes" (by
              fours and threes), "vcf" (by fours), "full" (the search that plays games, which also
              finds other moves and gives no proof), or "any": half of the limits for "vct", and
              what is left for "full".
    time_ms   limit for one question, None = no limit; `nodes`, stones placed, likewise.
    moves     the most stones of the attacker, the winning one included; None = any number.
    shortest  what is left of the limits is used to shorten a win by threats.
    """

    method: str = ANY
    time_ms: int | None = None
    nodes: int | None = None
    moves: int | None = None
    shortest: bool = False

    @property
    def threats(self) -> str:
        """The method of the solver."""
        return VCT if self.method == ANY else self.method

    def solve_limits(self) -> SolveLimits:
        """The limits as the solver takes them."""
        return SolveLimits(self.nodes, self.time_ms, self.moves, self.threats, self.shortest)

    def think_limits(self) -> Limits:
        """The limits as the full search takes them."""
        plies = None if self.moves is None else 2 * self.moves - 1
        return Limits(turn_ms=self.time_ms, nodes=self.nodes, mate_plies=plies, is_analysis=True)

    def half(self) -> Effort:
        """The same with half of the limits."""
        time_ms, nodes = (n and max(1, n // 2) for n in (self.time_ms, self.nodes))
        return replace(self, time_ms=time_ms, nodes=nodes)


def solve(
    brain: Engine, position: Position, effort: Effort, goes_on: Callable[[], bool] = lambda: True
) -> Solution:
    """Is there a win, and which? `goes_on` is asked before a second search."""
    brain.new_game()
    brain.set_position(position.to_model())
    if effort.method == FULL:
        return _searched(brain, position, effort)
    if effort.method != ANY:
        return _by_threats(brain, position, effort)
    answer = _by_threats(brain, position, replace(effort.half(), shortest=False))
    is_final = answer.is_win and (answer.is_shortest or not effort.shortest)
    if is_final or not goes_on():
        return answer
    # The solver may have ended early; without a time limit, half of the nodes are left.
    left = effort.half()
    if effort.time_ms is not None:
        left = replace(left, time_ms=max(1, effort.time_ms - int(answer.elapsed_s * 1000)))
    # A win is found again in the table of the solver, which then goes on to shorten it.
    ask = _by_threats if answer.is_win else _searched
    second = ask(brain, position, left)
    is_better = second.status == NO_WIN or (
        second.plies is not None and second.plies <= (answer.plies or second.plies)
    )
    return replace(
        second if is_better else answer,
        nodes=answer.nodes + second.nodes,
        elapsed_s=answer.elapsed_s + second.elapsed_s,
    )


def solve_all(brain: Engine, position: Position, effort: Effort) -> Wins:
    """Every first move that wins, the shortest win first, by the solver."""
    brain.new_game()
    brain.set_position(position.to_model())
    return wins_of(brain.solve_all(effort.solve_limits()), position.height, effort.threats)


def defend(brain: Engine, position: Position, effort: Effort) -> Defences:
    """The moves of the side to move that stop the opponent's win, by the solver."""
    brain.new_game()
    brain.set_position(position.to_model())
    return defences_of(brain.defences(effort.solve_limits()), position.height, effort.threats)


def _by_threats(brain: Engine, position: Position, effort: Effort) -> Solution:
    return solution_of(brain.solve(effort.solve_limits()), position.height, effort.threats)


def _searched(brain: Engine, position: Position, effort: Effort) -> Solution:
    info = brain.think(effort.think_limits()).info
    plies = info.score.mate_plies
    status = UNKNOWN if plies is None else WIN if plies > 0 else NO_WIN
    # A win that takes longer than asked for does not count.
    if status == WIN and effort.moves is not None and (plies or 0) > 2 * effort.moves - 1:
        status = UNKNOWN
    return Solution(
        status,
        points_of(info.pv, position.height),
        plies if status == WIN else None,
        info.nodes,
        info.time_ms / 1000,
        score=info.score,
    )


# -- checks


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


def replay(position: Position, answer: Solution, effort: Effort, brain: Engine) -> Check:
    """Replays a win that `brain` found with this effort: by its proof if there is one."""
    if effort.method == FULL or (effort.method == ANY and answer.proof is None):
        return play_out(position, answer, effort, brain)
    return check_answer(position, answer)


def check_answer(
    position: Position, answer: Solution, max_stones: int = MAX_STONES_OF_PROOF
) -> Check:
    """Replays the proof of a win that the solver found."""
    if answer.proof is None or answer.plies is None:
        return Check(False, 0, "there is no proof to check")
    board = position.referee()
    verdict = check_proof(board, position.side, answer.proof, answer.plies, max_stones)
    if verdict.ok and cells_of(answer.line[:1]) != [answer.proof.move]:
        reason = "the proof begins with another move"
        return Check(False, verdict.nodes, reason, (answer.proof.move,))
    return _check(verdict, max_stones)


def play_out(
    position: Position,
    answer: Solution,
    effort: Effort,
    brain: Engine,
    max_stones: int = MAX_STONES_PLAYED_OUT,
) -> Check:
    """Plays out a win that the full search announced: `brain` is asked for the attacker's moves
    with the same effort, and has to win within the plies announced against every defence."""
    if answer.plies is None:
        return Check(False, 0, "there is no win to check")
    start, limits = position.to_model(), effort.think_limits()
    board = position.referee()
    before = board.stone_count

    def ask(board: Referee, plies: int) -> ProofNode:
        played = [Placed(x, y, ModelStone(colour)) for x, y, colour in board.stones(before)]
        if not played:
            return ProofNode((answer.line[0].x, answer.line[0].y), {})
        # The defender may have passed, but it is always the attacker's turn.
        brain.set_position(start._replace(stones=(*start.stones, *played)))
        x, y = brain.think(limits._replace(mate_plies=plies)).move
        return ProofNode((x, y), {})

    brain.new_game()
    return _check(check_win(board, position.side, answer.plies, ask, max_stones), max_stones)


def _check(verdict: Verdict, max_stones: int) -> Check:
    if verdict.ok:
        return Check(True, verdict.nodes)
    ok = None if verdict.nodes > max_stones else False
    return Check(ok, verdict.nodes, verdict.reason, verdict.line)
