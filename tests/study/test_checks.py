"""Replaying wins: right, wrong, and given up; and the figures of a batch."""

from __future__ import annotations

import pytest

from engine.api import Engine
from tengen.game.referee import BLACK, in_turns
from tengen.study.show import check_text
from tengen.study.solve_cli import Outcome, quantile, summary_record, summary_text
from tengen.study.solver import (
    NO_WIN,
    WIN,
    Answer,
    Check,
    Effort,
    Puzzle,
    check_answer,
    play_out,
    solve,
)

MOVES = [(2, 2), (0, 0), (3, 2), (0, 1), (4, 2), (6, 6)]
PUZZLE = Puzzle(7, 7, 0, in_turns(MOVES), BLACK)


def test_a_proof_is_checked() -> None:
    brain = Engine()
    answer = solve(brain, PUZZLE, Effort())
    assert (answer.status, answer.plies) == (WIN, 3)
    assert check_answer(PUZZLE, answer).ok is True
    elsewhere = Answer(WIN, ((6, 0), *answer.line[1:]), 3, 0, 0, proof=answer.proof)
    verdict = check_answer(PUZZLE, elsewhere)
    assert (verdict.ok, verdict.reason) == (False, "the proof begins with another move")
    assert check_answer(PUZZLE, Answer(WIN, answer.line, 3, 0, 0)).ok is False


def test_giving_up_is_no_verdict() -> None:
    brain = Engine()
    answer = solve(brain, PUZZLE, Effort("full"))
    assert play_out(PUZZLE, answer, Effort("full"), brain).ok is True
    verdict = play_out(PUZZLE, answer, Effort("full"), brain, max_stones=0)
    assert verdict.ok is None
    assert check_text(verdict, 7) == "not decided: given up after 0 stones"


def test_a_full_search_that_needs_too_long_has_found_nothing() -> None:
    brain = Engine()
    assert solve(brain, PUZZLE, Effort("full", moves=2)).is_win
    assert not solve(brain, PUZZLE, Effort("full", moves=1)).is_win


@pytest.mark.parametrize(
    ("count", "median", "p95"),
    [(0, 0, 0), (1, 1, 1), (2, 1, 2), (3, 2, 3), (20, 10, 19), (21, 11, 20), (100, 50, 95)],
)
def test_quantiles(count: int, median: int, p95: int) -> None:
    values = list(range(count, 0, -1))
    assert (quantile(values, 50), quantile(values, 95)) == (median, p95)


def _outcome(plies: int | None, mate: int | None, check: Check | None = None) -> Outcome:
    status = NO_WIN if plies is None else WIN
    line = () if plies is None else ((1, 1),)
    puzzle = Puzzle(15, 15, 0, (), BLACK, name="a", best=(1, 1), mate=mate)
    return Outcome(puzzle, Answer(status, line, plies, 5, 7000), check)


def test_a_summary() -> None:
    outcomes = [
        _outcome(3, 5, Check(True, 9)),
        _outcome(5, 5, Check(None, 9, "given up")),
        _outcome(7, 5, Check(False, 9, "the defence b14 wins", ((0, 0), (1, 1)))),
        _outcome(7, None),
        _outcome(None, 5),
    ]
    figures = summary_record(outcomes)
    assert (figures["solved"], figures["same_move"], figures["puzzles"]) == (3, 3, 5)
    assert [figures[key] for key in ("shorter", "equal", "longer")] == [1, 1, 0]
    assert summary_text(outcomes)[:6] == [
        "a: not decided: given up",
        "a: WRONG: the defence b14 wins, after a15 b14",
        "solved           3 of 5 (60.0%)",
        "same first move  3 of 3 (100.0%)",
        "length           1 shorter than given, 1 the same, 0 longer",
        "checked          3 wins, 1 wrong, 1 not decided",
    ]
    assert [outcome.is_good for outcome in outcomes] == [True, False, False, True, False]
