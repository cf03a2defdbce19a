"""Tasks on processes of this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from tengen.common.process import signals_call
from tengen.common.tasks import LocalTasks, RunInterrupted


def square(number: int) -> tuple[int, int]:
    """The task: its square, and the process that computed it."""
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number * number, os.getpid()


def end(number: int) -> None:
    """A task in which the process ends."""
    os._exit(3)


def test_every_task_is_done_once_and_in_other_processes() -> None:
    found: dict[int, tuple[int, int]] = {}
    runner = LocalTasks(2)
    runner.run(square, range(20), found.__setitem__)
    assert {task: result for task, (result, _) in found.items()} == {n: n * n for n in range(20)}
    assert os.getpid() not in {process for _, process in found.values()}
    runner.run(square, [], found.__setitem__)
    runner.run(square, [30], found.__setitem__)  # a runner can be used again
    assert found[30][0] == 900


def test_tasks_are_taken_as_they_are_needed() -> None:
    done: list[int] = []
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        while len(done) < 10:
            yield taken
            taken += 1

    LocalTasks(2).run(square, tasks(), lambda task, _: done.append(task))
    assert 10 <= len(done) == taken <= 14


def test_errors_are_raised_in_the_calling_thread() -> None:
    with pytest.raises(ValueError, match="^-1 is negative$"):
        LocalTasks(1).run(square, [1, -1], lambda *_: None)
    with pytest.raises(OSError, match="^a worker process has ended unexpectedly$"):
        LocalTasks(1).run(end, [1], lambda *_: None)

    def refuse(task: int, result: object) -> None:
        raise KeyError(task)

    with pytest.raises(KeyError):
        LocalTasks(2).run(square, range(100), refuse)


def test_a_signal_that_comes_while_a_task_is_handed_out_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submit = ProcessPoolExecutor.submit

    def interrupted(pool: ProcessPoolExecutor, function: Any, task: int) -> Any:
        if task == 20:
            signal.raise_signal(signal.SIGINT)
        return submit(pool, function, task)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    runner = LocalTasks(2)
    with signals_call(runner.interrupt) as received, pytest.raises(RunInterrupted):
        runner.run(square, range(1000), lambda *_: None)
    assert received == [signal.SIGINT]


def test_an_interrupt_ends_the_run() -> None:
    runner = LocalTasks(1)
    done: list[int] = []

    def note(task: int, result: object) -> None:
        done.append(task)
        if task == 3:
            runner.interrupt()

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(RunInterrupted):
        runner.run(square, iter(range(10**9)), note)
    assert 4 <= len(done) <= 7
    assert signal.getsignal(signal.SIGINT) is handler
