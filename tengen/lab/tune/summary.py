"""The state of a tuning run as text: its parameters, and a match that verifies them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from tengen.arena.match.plan import Plan
from tengen.arena.match.summary import print_line
from tengen.arena.programs.program import Program
from tengen.common.console import print_table
from tengen.game.record.numbers import counted
from tengen.lab.tune.log import Iteration
from tengen.lab.tune.parameters import Tunable, default_of, options_of
from tengen.lab.tune.spsa import Spsa, State

# The characters of a sparkline, lowest first.
_BARS, _ASCII_BARS = "▁▂▃▄▅▆▇█", "_.-~=+*#"
_LENGTH = 16


def print_state(
    console: Console, plan: Plan, tuning: Spsa, iterations: Sequence[Iteration], folder: Path
) -> None:
    """Prints how far a run is, a table of its parameters, and a command to verify it."""
    states = [tuning.start, *(iteration.after for iteration in iterations)]
    bars = _BARS if console.encoding.lower().startswith("utf") else _ASCII_BARS
    rows = []
    for i, tunable in enumerate(tuning.parameters):
        values = [state[i] for state in states]
        moved = 100 * (values[-1] - values[0]) / (tunable.high - tunable.low)
        rows.append(
            (
                tunable.name,
                f"{tunable.start:g}",
                f"{values[-1]:.1f}",
                f"{tunable.low} to {tunable.high}",
                f"{tunable.step:g}",
                f"{values[-1] - values[0]:+z.1f}",
                f"{moved:+z.1f}",
                sparkline(values, _LENGTH, bars),
            )
        )
    # Wider than the terminal if it has to be: a name that is cut off is of no use.
    heads = ("parameter", "start", "now", "range", "step", "change", "%", "trend")
    print_table(console, heads, rows, (), left=(0, 7), is_ruled=True)
    left_out = sum(result is None for each in iterations for result in each.results)
    print_line(
        console,
        f"{len(iterations)} of {tuning.iterations} iterations,"
        f" {counted(len(iterations) * tuning.games, 'game')}"
        + (f"; {left_out} do not count, because of a failure" if left_out else ""),
    )
    print_line(console, "% is the change in per cent of the range; to verify the result:")
    print_line(console, verifying_command(plan, tuning.parameters, states[-1], folder))


def sparkline(values: Sequence[float], length: int, bars: str = _BARS) -> str:
    """Values as bars, `length` characters or fewer; the lowest bar is the lowest value."""
    low, high = min(values), max(values)
    if low == high:
        return bars[0] * min(length, len(values))
    count = min(length, len(values))
    # The first and the last value are always among those shown.
    chosen = [values[i * (len(values) - 1) // max(1, count - 1)] for i in range(count)]
    return "".join(
        bars[min(int((value - low) / (high - low) * len(bars)), len(bars) - 1)] for value in chosen
    )


def verifying_command(plan: Plan, tunables: Sequence[Tunable], state: State, folder: Path) -> str:
    """A command that plays the tuned values against those at the start, with a sequential test."""
    program, setting = plan.programs[0], plan.setting
    tuned = _words(options_of(tunables, state))
    # Without a word the program plays with its own value.
    changed = [each for each in tunables if each.start != default_of(each.name)]
    start = _words(options_of(changed, [each.start for each in changed]))
    command = f"cmd={shlex.join(program.command)}"
    words = [
        *("tengen", "match", "--rule", str(setting.rule)),
        *("--size", f"{setting.width}x{setting.height}"),
        *("--engine", "name=tuned", command, *tuned),
        *("--engine", "name=start", command, *start),
        *("--each", *_shared_words(program)),
        *("--sprt", "elo0=0", "elo1=10", "--out", f"{folder}-sprt"),
    ]
    return shlex.join(words)


def _shared_words(program: Program) -> list[str]:
    limit = (
        f"turn={program.control.turn_s:g}" if program.nodes is None else f"nodes={program.nodes}"
    )
    memory = f"memory={(program.memory_bytes or 0) >> 20}"
    return [limit, memory, *_words(program.options)]


def _words(options: Iterable[tuple[str, str]]) -> list[str]:
    return [f"option.{key}={value}" for key, value in options]
