"""Batches of puzzles, solved one after the other or several at a time, and their figures."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from engine.api import Engine
from tengen.game.json_text import Record
from tengen.study.checks import Check, replay
from tengen.study.puzzle import Puzzle
from tengen.study.resources import Resources
from tengen.study.show import check_record, check_text
from tengen.study.solver import Answer, Effort, solve


@dataclass(frozen=True)
class Outcome:
    """The answer to a puzzle and, if it was asked for, the referee's verdict on the win."""

    puzzle: Puzzle
    answer: Answer
    check: Check | None

    @property
    def is_good(self) -> bool:
        """Is the puzzle solved, and did the check, if there was one, confirm it?"""
        return self.answer.is_win and (self.check is None or self.check.ok is True)

    @property
    def has_best_move(self) -> bool | None:
        """Does the win begin with the puzzle's best move? None without a win or a best move."""
        best = self.puzzle.best
        return None if best is None or not self.answer.is_win else self.answer.move == best

    @property
    def surplus_plies(self) -> int | None:
        """How many stones the win is longer than the puzzle's; None if either is unknown."""
        plies, mate = self.answer.plies, self.puzzle.mate
        return None if mate is None or plies is None else plies - mate


def run_task(brain: Engine, effort: Effort, checks: bool, puzzle: Puzzle) -> Outcome:
    """Solves one puzzle; if it `checks`, the referee replays the win."""
    answer = solve(brain, puzzle, effort)
    check = replay(puzzle, answer, effort, brain) if checks and answer.is_win else None
    return Outcome(puzzle, answer, check)


def _run_alone(effort: Effort, resources: Resources, checks: bool, puzzle: Puzzle) -> Outcome:
    """Each puzzle gets a new engine, so the outcomes do not depend on the order of the puzzles. The
    proof stays: trees are large, and would have to be sent to another process."""
    outcome = run_task(resources.give(Engine()), effort, checks, puzzle)
    return replace(outcome, answer=replace(outcome.answer, proof=None))


def run_batch(
    effort: Effort,
    resources: Resources,
    checks: bool,
    puzzles: Sequence[Puzzle],
    jobs: int = 1,
) -> Iterator[Outcome]:
    """The outcomes in the order of the puzzles, each as soon as it and all before it are ready.
    With more than one job the puzzles are solved in that many processes."""
    run = partial(_run_alone, effort, resources, checks)
    if jobs == 1 or len(puzzles) == 1:
        yield from map(run, puzzles)
        return
    # A new interpreter for each: a forked process would inherit the locks of our threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(puzzles)), mp_context=context) as pool:
        try:
            yield from pool.map(run, puzzles)
        finally:
            pool.shutdown(cancel_futures=True)


def outcome_record(outcome: Outcome) -> Record:
    """An outcome as plain values, for a line of JSON."""
    answer = outcome.answer
    return {
        "puzzle": outcome.puzzle.name,
        "status": answer.status,
        "move": answer.move,
        "best": outcome.puzzle.best,
        "mate_plies": answer.mate_plies,
        "best_mate_plies": outcome.puzzle.mate,
        "nodes": answer.nodes,
        "time_ms": answer.time_ms,
        "check": check_record(outcome.check),
    }


def quantile(values: Sequence[int], percent: int) -> int:
    """The smallest value that at least so many of the values do not exceed; 0 without values."""
    return sorted(values)[-(-percent * len(values) // 100) - 1] if values else 0


def summary_record(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The figures as plain values. A win that the referee refuted does not count as solved. Time
    and nodes are those of all puzzles, solved or not."""
    solved = [
        outcome
        for outcome in outcomes
        if outcome.answer.is_win and (outcome.check is None or outcome.check.ok is not False)
    ]
    moves = [outcome.has_best_move for outcome in solved if outcome.has_best_move is not None]
    surplus = [outcome.surplus_plies for outcome in solved if outcome.surplus_plies is not None]
    checks = [outcome.check for outcome in outcomes if outcome.check is not None]
    nodes = [outcome.answer.nodes for outcome in outcomes]
    times_us = [outcome.answer.elapsed_us for outcome in outcomes]
    return {
        "puzzles": len(outcomes),
        "solved": len(solved),
        "same_move": sum(moves),
        "with_move": len(moves),
        "shorter": sum(plies < 0 for plies in surplus),
        "equal": sum(plies == 0 for plies in surplus),
        "longer": sum(plies > 0 for plies in surplus),
        "checked": len(checks),
        "wrong": sum(check.ok is False for check in checks),
        "unsettled": sum(check.ok is None for check in checks),
        "median_nodes": quantile(nodes, 50),
        "p95_nodes": quantile(nodes, 95),
        "median_time_ms": round(quantile(times_us, 50) / 1000, 3),
        "p95_time_ms": round(quantile(times_us, 95) / 1000, 3),
    }


def summary_text(outcomes: Sequence[Outcome]) -> list[str]:
    """The figures as a table, and a line for each win that the referee did not confirm."""
    figures = summary_record(outcomes)
    rows = {"solved": _share(figures["solved"], figures["puzzles"])}
    if figures["with_move"]:
        rows["same first move"] = _share(figures["same_move"], figures["with_move"])
    if figures["shorter"] + figures["equal"] + figures["longer"]:
        rows["length"] = (
            f"{figures['shorter']} shorter than given, {figures['equal']} the same,"
            f" {figures['longer']} longer"
        )
    if figures["checked"]:
        rows["checked"] = f"{figures['checked']} wins, {figures['wrong']} wrong"
        if figures["unsettled"]:
            rows["checked"] += f", {figures['unsettled']} not decided"
    rows["nodes"] = f"median {figures['median_nodes']:,}, 95 % within {figures['p95_nodes']:,}"
    rows["time"] = (
        f"median {figures['median_time_ms']:,} ms, 95 % within {figures['p95_time_ms']:,} ms"
    )
    wrong = [
        f"{outcome.puzzle.name}: {check_text(outcome.check, outcome.puzzle.height)}"
        for outcome in outcomes
        if outcome.check is not None and not outcome.check.ok
    ]
    return [*wrong, *(f"{name:16} {text}" for name, text in rows.items())]


def _share(part: float, whole: float) -> str:
    return f"{part} of {whole} ({part / whole:.1%})"
