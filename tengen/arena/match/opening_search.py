"""Searches for balanced openings: a program values random candidates through the protocol, and
those with a value near zero are kept.

Each candidate is searched up to three times: a short search, a long one, and one after the move
that the long search found, because programs tend to value their own side to move too high. A
candidate is dropped at the first value that is too far from zero. With a node limit, and a program
that plays the same after every START, the result depends only on the `Wish`, not on how many
programs search at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from queue import SimpleQueue
from threading import Event

from tengen.arena.match.opening_candidates import Wish, draw_candidates
from tengen.arena.programs.clocks import Clock
from tengen.arena.programs.player import Player, PlayerFailed
from tengen.arena.programs.program import Program
from tengen.arena.programs.swap2 import illegal_move
from tengen.common.workers.signals import signals_call
from tengen.game.record.game import Move
from tengen.game.record.move_report import Report
from tengen.game.record.openings import Opening
from tengen.game.rules.referee import BLACK, WHITE, Referee

# The short search takes this part of the nodes, and allows values this much further from zero.
_SHORT_PART = 10
_SHORT_LEAST_NODES = 500
_SHORT_LENIENCE = 2.5
# The longest wait of the calling thread, in seconds; Python runs signal handlers between waits.
_LOOK_S = 0.2

# Called with the number of candidates valued and of openings found so far.
Progress = Callable[[int, int], None]


class BrainFailed(Exception):
    """The program gives no values; the message says why, in one line."""


def search_openings(
    wish: Wish,
    program: Program,
    concurrency: int = 1,
    on_progress: Progress | None = None,
) -> list[Opening]:
    """The openings found, in the order of their candidates; fewer than `wish.count` if too few
    candidates are balanced. Runs `concurrency` programs at a time and ends all of them afterwards.
    BrainFailed when the program fails or reports no values, KeyboardInterrupt after SIGINT or
    SIGTERM.
    """
    judges = [_Judge(wish, program) for _ in range(concurrency)]
    idle: SimpleQueue[_Judge] = SimpleQueue()
    for judge in judges:
        idle.put(judge)

    def is_balanced(opening: Opening) -> bool:
        judge = idle.get()
        try:
            return judge.is_balanced(opening)
        finally:
            idle.put(judge)

    found: list[Opening] = []
    judged = 0
    candidates = draw_candidates(wish)
    pending: deque[tuple[Opening, Future[bool]]] = deque()
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="judge")
    stop = Event()
    try:
        with signals_call(stop.set):
            while len(found) < wish.count:
                # Results are taken in the order of the candidates, not as they come.
                while len(pending) < 2 * concurrency and (opening := next(candidates, None)):
                    pending.append((opening, pool.submit(is_balanced, opening)))
                if not pending:
                    break
                opening, verdict = pending.popleft()
                if _result(verdict, stop):
                    found.append(opening)
                judged += 1
                if on_progress is not None:
                    on_progress(judged, len(found))
    finally:
        for judge in judges:
            judge.player.interrupt()
        pool.shutdown(cancel_futures=True)
        for judge in judges:
            judge.player.dispose()
    return found


def _result(verdict: Future[bool], stop: Event) -> bool:
    while not verdict.done():
        if stop.is_set():
            raise KeyboardInterrupt
        wait([verdict], _LOOK_S)
    return verdict.result()


class _Judge:
    """One running program that values openings."""

    def __init__(self, wish: Wish, program: Program) -> None:
        self._wish = wish
        self._program = program
        self.player = Player(program)

    def is_balanced(self, opening: Opening) -> bool:
        """True when all values are near zero and none announces a win."""
        wish = self._wish
        board = Referee(wish.width, wish.height, wish.rule)
        for i, (x, y) in enumerate(opening.place(wish.width, wish.height)):
            board.play(x, y, WHITE if i % 2 else BLACK)

        # A short search removes most candidates.
        nodes = self._program.nodes
        if nodes is not None and nodes >= _SHORT_PART * _SHORT_LEAST_NODES:
            short = replace(self._program, nodes=nodes // _SHORT_PART)
            if not self._is_near_zero(self._ask(board, short), _SHORT_LENIENCE * wish.balance):
                return False

        # A long search decides.
        answer = self._ask(board, self._program)
        if not self._is_near_zero(answer, wish.balance):
            return False

        # The value must also be near zero for the other side, after the best move.
        if not board.legal(answer.x, answer.y):
            fault = illegal_move((answer.x, answer.y), wish.width, wish.height)
            raise BrainFailed(f"engine {self._program.name}: {fault}")
        board.play(answer.x, answer.y, _to_move(board))
        if board.winner():
            return False
        return self._is_near_zero(self._ask(board, self._program), wish.balance)

    def _ask(self, board: Referee, program: Program) -> Move:
        wish = self._wish
        # The limits are sent after the next START.
        self.player.program = program
        try:
            self.player.new_game(wish.width, wish.height, wish.rule)
            return self.player.ask_move(board, _to_move(board), Clock(program.control))
        except PlayerFailed as failure:
            raise BrainFailed(f"engine {program.name}: {failure}") from None

    def _is_near_zero(self, answer: Move, balance: float) -> bool:
        report = answer.report or Report()
        if report.mate_plies is not None:
            return False
        if report.value is None:
            raise BrainFailed(
                f"engine {self._program.name}: reports no value; expected a line such as"
                " MESSAGE Depth 5 | Eval 12 | Node 1000"
            )
        return abs(report.value) <= balance


def _to_move(board: Referee) -> int:
    return WHITE if board.stone_count % 2 else BLACK
