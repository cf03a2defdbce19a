"""Asks the engine about a puzzle: its threat solver, its full search, or both. Its answers are
replayed by the referee against every legal defence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from engine.api import Engine
from engine.model import (
    Limits,
    Placed,
    Position,
    ProofNode,
    Rule,
    Score,
    Solution,
    SolveLimits,
    Status,
    Stone,
)
from tengen.game.proof import Node, Verdict, check_proof, check_win
from tengen.game.record.positions import StoredPosition
from tengen.game.referee import Cell, Referee

WIN, NO_WIN, UNKNOWN = "win", "no win", "unknown"
_STATUS = {Status.WIN: WIN, Status.NO_WIN: NO_WIN, Status.UNKNOWN: UNKNOWN}

METHODS = ANY, VCT, VCF, FULL = "any", "vct", "vcf", "full"

# A check is given up after so many stones put on the board, about a minute for either kind.
# Parts of a proof may be shared, so a small proof can have any number of lines.
MAX_STONES_OF_PROOF = 3_000_000
MAX_STONES_PLAYED_OUT = 300_000


@dataclass(frozen=True)
class Puzzle(StoredPosition):
    """A position, valid and not over yet, whose side to move is to win."""

    def __post_init__(self) -> None:
        """ValueError, with the name, for a board that cannot be or a game that is over."""
        self.require_open()

    def position(self, moves: Iterable[Cell] = ()) -> Position:
        """The position as the engine wants it, after some more moves in turns."""
        stones = [Placed(x, y, Stone(colour)) for x, y, colour in self.stones]
        side = Stone(self.side)
        for x, y in moves:
            stones.append(Placed(x, y, side))
            side = side.opponent
        return Position(self.width, self.height, Rule(self.rule & ~2), tuple(stones), side)


def puzzle_of(position: StoredPosition) -> Puzzle:
    """The position as a puzzle; ValueError, with its name, if the game is over in it."""
    return Puzzle(**vars(position))


@dataclass(frozen=True)
class Effort:
    """How to look for a win, and for how long.

    method   "vct" (wins by fours and threes), "vcf" (by fours), "full" (the search that plays
             games, which also finds quiet moves and gives no proof), or "any": half of the limits
             for "vct", and what is left for "full".
    time_ms  limit for one question, None = no limit; `nodes`, stones placed, likewise.
    moves    the most stones of the attacker, the winning one included; None = any number.
    """

    method: str = ANY
    time_ms: int | None = None
    nodes: int | None = None
    moves: int | None = None

    def solve_limits(self) -> SolveLimits:
        """The limits as the solver takes them."""
        method = VCT if self.method == ANY else self.method
        return SolveLimits(self.nodes, self.time_ms, self.moves, method)

    def think_limits(self) -> Limits:
        """The limits as the full search takes them."""
        plies = None if self.moves is None else 2 * self.moves - 1
        return Limits(turn_ms=self.time_ms, nodes=self.nodes, mate_plies=plies, is_analysis=True)

    def half(self) -> Effort:
        """The same with half of the limits."""
        time_ms, nodes = (n and max(1, n // 2) for n in (self.time_ms, self.nodes))
        return replace(self, time_ms=time_ms, nodes=nodes)


@dataclass(frozen=True)
class Answer:
    """What the engine said about a puzzle.

    status  WIN, NO_WIN or UNKNOWN. NO_WIN refers to the method asked for; of the full search it
            means that the other side wins.
    line    the winning moves against the longest defence, or what the full search expects.
    plies   the most stones until the win, of both sides; None without a win.
    score   the full search's value; None of the solver.
    proof   of a win by the solver.
    limit   what left the solver's answer UNKNOWN, as in engine.model.Solution; else None.
    """

    status: str
    line: tuple[Cell, ...]
    plies: int | None
    nodes: int
    elapsed_us: int
    score: Score | None = None
    proof: Node | None = field(default=None, repr=False)
    limit: str | None = None

    @property
    def is_win(self) -> bool:
        """Is there a win for the side to move?"""
        return self.status == WIN

    @property
    def mate_plies(self) -> int | None:
        """Stones until the win of the side to move, below zero until its loss; None without."""
        return self.plies if self.score is None else self.score.mate_plies

    @property
    def time_ms(self) -> float:
        """How long the search took."""
        return round(self.elapsed_us / 1000, 3)

    @property
    def move(self) -> Cell | None:
        """The first move of the line."""
        return self.line[0] if self.line else None


@dataclass(frozen=True)
class Defence:
    """What stops the win that the opponent would have if it were to move.

    threat   that win, as the opponent's answer.
    moves    the moves that stop it; `unknown`: those not decided within the limits.
    """

    threat: Answer
    moves: tuple[Cell, ...]
    unknown: tuple[Cell, ...]


def solve(
    brain: Engine, puzzle: Puzzle, effort: Effort, goes_on: Callable[[], bool] = lambda: True
) -> Answer:
    """Is there a win, and which? `goes_on` is asked before a second search."""
    brain.new_game()
    brain.set_position(puzzle.position())
    if effort.method == FULL:
        return _searched(brain, effort)
    if effort.method != ANY:
        return _answer(brain.solve(effort.solve_limits()))
    answer = _answer(brain.solve(effort.half().solve_limits()))
    if answer.is_win or not goes_on():
        return answer
    # The solver may have ended early; without a time limit, half of the nodes are left.
    left = effort.half()
    if effort.time_ms is not None:
        left = replace(left, time_ms=max(1, effort.time_ms - answer.elapsed_us // 1000))
    searched = _searched(brain, left)
    return replace(
        searched if searched.is_win or searched.status == NO_WIN else answer,
        nodes=answer.nodes + searched.nodes,
        elapsed_us=answer.elapsed_us + searched.elapsed_us,
    )


def solve_all(brain: Engine, puzzle: Puzzle, effort: Effort) -> tuple[Answer, ...]:
    """Every first move that wins, the shortest win first, by the solver."""
    brain.new_game()
    brain.set_position(puzzle.position())
    answers = [_answer(solution) for solution in brain.solve_all(effort.solve_limits())]
    return tuple(sorted(answers, key=lambda answer: (answer.plies or 0, answer.line)))


def defend(brain: Engine, puzzle: Puzzle, effort: Effort) -> Defence:
    """The moves of the side to move that stop the opponent's win, by the solver."""
    brain.new_game()
    brain.set_position(puzzle.position())
    found = brain.defences(effort.solve_limits())
    return Defence(_answer(found.threat), _cells(found.moves), _cells(found.unknown))


def _answer(solution: Solution) -> Answer:
    proof = None if solution.proof is None else proof_node(solution.proof)
    return Answer(
        _STATUS[solution.status],
        _cells(solution.line),
        solution.plies,
        solution.nodes,
        solution.elapsed_us,
        proof=proof,
        limit=solution.limit,
    )


def _searched(brain: Engine, effort: Effort) -> Answer:
    info = brain.think(effort.think_limits()).info
    plies = info.score.mate_plies
    status = UNKNOWN if plies is None else WIN if plies > 0 else NO_WIN
    # A win that takes longer than asked for does not count.
    if status == WIN and effort.moves is not None and (plies or 0) > 2 * effort.moves - 1:
        status = UNKNOWN
    return Answer(
        status,
        _cells(info.pv),
        plies if status == WIN else None,
        info.nodes,
        info.time_ms * 1000,
        info.score,
    )


def _cells(points: tuple[tuple[int, int], ...]) -> tuple[Cell, ...]:
    """The points as plain pairs."""
    return tuple((x, y) for x, y in points)


def proof_node(proof: ProofNode) -> Node:
    """The proof as the checker takes it; parts that are shared stay shared."""
    return _node(proof, {})


def _node(proof: ProofNode, known: dict[int, Node]) -> Node:
    if id(proof) not in known:
        known[id(proof)] = Node(
            (proof.move[0], proof.move[1]),
            {(x, y): _node(answer, known) for (x, y), answer in proof.replies.items()},
            None if proof.otherwise is None else _node(proof.otherwise, known),
        )
    return known[id(proof)]


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
