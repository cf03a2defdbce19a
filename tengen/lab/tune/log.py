"""The log of a tuning run: `tune.jsonl` in its folder, beside the games.

The first line says what is tuned and how; each further line is one iteration, in order: the state
that was perturbed, the two settings, the result of every game as plus sees it (1, 0 or -1; null for
a game of a pair that does not count), and the state after it. A line is on the disk before the run
goes on, so that a killed run loses at most the iterations that were being played.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tengen.game.json_text import Record, json_text
from tengen.game.record.games_jsonl import read_records
from tengen.lab.tune.parameters import Tunable
from tengen.lab.tune.spsa import Perturbation, Spsa, State

NAME = "tune.jsonl"
_FORMAT = 1


@dataclass(frozen=True)
class Iteration:
    """An iteration that has ended.

    results  of its games in order, as plus sees them: 1, 0 or -1; None for one that does not count.
    after    the state it has led to.
    """

    results: tuple[int | None, ...]
    after: State


@dataclass(frozen=True)
class TuneLog:
    """The log of a run in a folder, with the iterations that are in it."""

    folder: Path
    tuning: Spsa
    iterations: list[Iteration]

    @classmethod
    def create(cls, folder: Path, tuning: Spsa) -> TuneLog:
        """A new log. OSError if it cannot be written."""
        header = {"format": _FORMAT, **asdict(tuning)}
        # Written under another name first, so that the log always has its first line.
        new = folder / f"{NAME}.new"
        new.write_text(_line(header), encoding="ascii", newline="\n")
        new.replace(folder / NAME)
        return cls(folder, tuning, [])

    @classmethod
    def resume(cls, folder: Path) -> TuneLog:
        """The log of a run that was started before, without a half-written last line. ValueError,
        in one line, if it cannot be continued."""
        tuning, iterations = read_log(folder)
        with (folder / NAME).open("r+b") as file:
            for _ in range(1 + len(iterations)):
                file.readline()
            file.truncate(file.tell())
        return cls(folder, tuning, iterations)

    def write(self, made: Perturbation, score: int, iteration: Iteration) -> None:
        """Writes the next iteration, with what was perturbed and the wins minus the losses of plus,
        and waits until it is on the disk."""
        self.iterations.append(iteration)
        record: Record = {
            "iteration": made.iteration,
            "centre": self._named(made.centre),
            "signs": self._named(made.signs),
            "plus": self._named(made.plus),
            "minus": self._named(made.minus),
            "results": iteration.results,
            "score": score,
            "after": self._named(iteration.after),
        }
        with (self.folder / NAME).open("a", encoding="ascii", newline="\n") as file:
            file.write(_line(record))
            file.flush()
            os.fsync(file.fileno())

    def _named(self, values: Sequence[float]) -> dict[str, float]:
        return {
            tunable.name: value
            for tunable, value in zip(self.tuning.parameters, values, strict=True)
        }


def read_log(folder: Path) -> tuple[Spsa, list[Iteration]]:
    """The log in a folder, also of a run that is being played. ValueError, in one line, if there is
    none or it is damaged."""
    path = folder / NAME
    if not path.is_file():
        raise ValueError(f"{folder} holds no tuning run: there is no {NAME}")
    records = read_records(path)
    try:
        if not records:
            raise ValueError("it is empty")
        tuning = _tuning_plan(records[0])
        iterations = [
            _iteration(record, tuning, number) for number, record in enumerate(records[1:], start=1)
        ]
        if len(iterations) > tuning.iterations:
            raise ValueError(f"it has more than {tuning.iterations} iterations")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return tuning, iterations


def _tuning_plan(record: dict[str, Any]) -> Spsa:
    try:
        if (found := record.pop("format")) != _FORMAT:
            raise ValueError(f"format {found} is not {_FORMAT}, the one this version reads")
        parameters = tuple(Tunable(**each) for each in record.pop("parameters"))
        tuning = Spsa(parameters=parameters, **record)
        if not (parameters and min(tuning.iterations, tuning.pairs, tuning.ahead) >= 1):
            raise TypeError
    except (KeyError, TypeError):
        raise ValueError("its first line is not the plan of a tuning run") from None
    return tuning


def _iteration(record: Mapping[str, Any], tuning: Spsa, number: int) -> Iteration:
    try:
        if record["iteration"] != number:
            raise ValueError(f"iteration {record['iteration']} is in the place of {number}")
        results = tuple(record["results"])
        if len(results) != tuning.games or not {*results} <= {1, 0, -1, None}:
            raise ValueError(f"expected {tuning.games} results")
        return Iteration(results, tuple(float(record["after"][n.name]) for n in tuning.parameters))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"line {number + 1} is not an iteration: {error}") from None


def _line(record: Record) -> str:
    return json_text(record, is_compact=True) + "\n"
