"""Batches of puzzles, solved one after the other or several at a time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tengen.game.rules.referee import Cell
from tengen.study.checks import Check, replay
from tengen.study.puzzle import Puzzle
from tengen.study.show import check_record
from tengen.study.solver import Answer, Effort, new_brain, solve


@dataclass(frozen=True)
class Task:
    """What is done with each puzzle; if it `checks`, the referee replays every win."""

    effort: Effort
    checks: bool = False


@dataclass(frozen=True)
class Outcome:
    """The answer to a puzzle, without the proof, which is checked in the process that found it.

    height      of the board.
    mate, best  as the puzzle gives them.
    """

    name: str
    height: int
    best: Cell | None
    mate: int | None
    answer: Answer
    check: Check | None

    @property
    def is_good(self) -> bool:
        """Is the puzzle solved, and did the check, if there was one, confirm it?"""
        return self.answer.is_win and (self.check is None or self.check.ok is True)

    @property
    def has_best_move(self) -> bool | None:
        """Does the win begin with the puzzle's best move? None without a win or a best move."""
        if self.best is None or not self.answer.is_win:
            return None
        return self.answer.move == self.best

    @property
    def surplus_plies(self) -> int | None:
        """How many stones the win is longer than the puzzle's; None if either is unknown."""
        if self.mate is None or self.answer.plies is None:
            return None
        return self.answer.plies - self.mate


def run_task(task: Task, puzzle: Puzzle) -> Outcome:
    """Solves one puzzle, and checks the win if the task says so. Each puzzle gets a new engine, so
    the outcomes do not depend on the order of the puzzles."""
    brain = new_brain()
    answer = solve(brain, puzzle, task.effort)
    check = replay(puzzle, answer, task.effort, brain) if task.checks and answer.is_win else None
    # Trees are large, and would have to be sent to another process.
    return Outcome(
        puzzle.name, puzzle.height, puzzle.best, puzzle.mate, replace(answer, proof=None), check
    )


def run_batch(task: Task, puzzles: Sequence[Puzzle], jobs: int = 1) -> Iterator[Outcome]:
    """The outcomes in the order of the puzzles, each as soon as it and all before it are ready.
    With more than one job the puzzles are solved in that many processes."""
    if jobs == 1 or len(puzzles) == 1:
        yield from map(partial(run_task, task), puzzles)
        return
    # A new interpreter for each: a forked process would inherit the locks of our threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(puzzles)), mp_context=context) as pool:
        try:
            yield from pool.map(partial(run_task, task), puzzles)
        finally:
            pool.shutdown(cancel_futures=True)


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain values, for a line of JSON."""
    answer = outcome.answer
    return {
        "puzzle": outcome.name,
        "status": answer.status,
        "move": None if answer.move is None else list(answer.move),
        "best": None if outcome.best is None else list(outcome.best),
        "mate_plies": answer.mate_plies,
        "best_mate_plies": outcome.mate,
        "nodes": answer.nodes,
        "time_ms": answer.time_ms,
        "check": None if outcome.check is None else check_record(outcome.check),
    }
