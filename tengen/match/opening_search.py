"""Looks for balanced openings: a program is asked, through the protocol, what it thinks of random
candidates, and those are kept that it gives neither side much for.

A candidate goes through three questions, each of which most of the hopeless do not survive: a
short look, a long one, and after the move found by the long one a look from the other side, for
programs see things rosier on their own turn. With node limits, and a program that plays the same
after every START, the result depends on the wish alone, and not on how many are asked at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from threading import Event

from tengen.match.opening_candidates import Wish, draw_candidates
from tengen.match.signals import signals_call
from tengen.programs.clocks import Clock
from tengen.programs.player import Answer, Patience, Player, PlayerFailed
from tengen.programs.program import Program
from tengen.record.move_report import Report
from tengen.record.openings import Opening
from tengen.rules.referee import BLACK, WHITE, Referee

# The short look takes this part of the nodes, and lets pass what may come out so much better.
_SHORT_PART = 10
_SHORT_LEAST_NODES = 500
_SHORT_LENIENCE = 2.5
# How long the calling thread waits at most before it lets Python run signal handlers.
_LOOK_S = 0.2

# Hears how many candidates have been judged and how many openings found.
Progress = Callable[[int, int], None]


class BrainFailed(Exception):
    """The program cannot be asked; says why, in one line."""


def search_openings(
    wish: Wish,
    program: Program,
    concurrency: int = 1,
    patience: Patience | None = None,
    on_progress: Progress | None = None,
) -> list[Opening]:
    """The openings found, in the order of their candidates; fewer than `wish.count` when the
    candidates did not hold more. Asks `concurrency` programs at a time, all ended afterwards.
    BrainFailed when the program fails or says no values, KeyboardInterrupt after SIGINT or SIGTERM.
    """
    judges = [_Judge(wish, program, patience) for _ in range(concurrency)]
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
                # Verdicts are taken in the order of the candidates, whichever comes first.
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
            judge.interrupt()
        pool.shutdown(cancel_futures=True)
        for judge in judges:
            judge.dispose()
    return found


def _result(verdict: Future[bool], stop: Event) -> bool:
    while not verdict.done():
        if stop.is_set():
            raise KeyboardInterrupt
        with suppress(TimeoutError):
            verdict.exception(timeout=_LOOK_S)
    return verdict.result()


class _Judge:
    """One running program and its opinion."""

    def __init__(self, wish: Wish, program: Program, patience: Patience | None) -> None:
        self._wish = wish
        self._program = program
        self._player = Player(program, patience)

    def interrupt(self) -> None:
        """Ends the program whatever it is doing; from any thread."""
        self._player.interrupt()

    def dispose(self) -> None:
        """Frees all that the program had."""
        self._player.dispose()

    def is_balanced(self, opening: Opening) -> bool:
        """True when neither side has much of an advantage, and no win is in sight."""
        wish = self._wish
        board = Referee(wish.width, wish.height, wish.rule)
        for i, (x, y) in enumerate(opening.place(wish.width, wish.height)):
            board.play(x, y, WHITE if i % 2 else BLACK)

        # A short look sends most away.
        nodes = self._program.nodes
        if nodes is not None and nodes >= _SHORT_PART * _SHORT_LEAST_NODES:
            short = replace(self._program, nodes=nodes // _SHORT_PART)
            if not self._is_near_zero(self._ask(board, short), _SHORT_LENIENCE * wish.balance):
                return False

        # A long one decides.
        answer = self._ask(board, self._program)
        if not self._is_near_zero(answer, wish.balance):
            return False

        # The other side must agree.
        if not board.legal(answer.x, answer.y):
            raise BrainFailed(f"engine {self._program.name}: played {answer.x},{answer.y}")
        board.play(answer.x, answer.y, _to_move(board))
        if board.winner():
            return False
        return self._is_near_zero(self._ask(board, self._program), wish.balance)

    def _ask(self, board: Referee, program: Program) -> Answer:
        wish = self._wish
        clock = Clock(program.control)
        # The limits go out with the next START.
        self._player.program = program
        try:
            self._player.new_game(wish.width, wish.height, wish.rule)
            return self._player.ask_move(board, _to_move(board), clock.limit_s, clock.left_line())
        except PlayerFailed as failure:
            raise BrainFailed(f"engine {program.name}: {failure}") from None

    def _is_near_zero(self, answer: Answer, balance: float) -> bool:
        report = answer.report or Report()
        if report.mate_plies is not None:
            return False
        if report.value is None:
            raise BrainFailed(
                f"engine {self._program.name}: says no value; expected a line such as"
                " MESSAGE Depth 5 | Eval 12 | Node 1000"
            )
        return abs(report.value) <= balance


def _to_move(board: Referee) -> int:
    return WHITE if len(board.stones()) % 2 else BLACK
