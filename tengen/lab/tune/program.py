"""The program that plays against itself with other numbers, and whether it accepts them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.arena.match.plan import Plan
from tengen.arena.programs.program import Clock, Program, ProgramFailed
from tengen.arena.programs.spec import ProgramSpec, read_program
from tengen.game.referee import BLACK, Referee

PLUS, MINUS = "plus", "minus"


# What programs of the lab may use, where the words for both do not say it.
DEFAULTS = ("memory=350",)


def tuned_programs(command: str | None, words: Sequence[str]) -> tuple[ProgramSpec, ProgramSpec]:
    """The two programs, without the parameters: this engine, or what the command starts, with these
    words for both. ValueError for words that are not known, and a program that cannot be found."""
    cmd = command or f'"{sys.executable}" -m tengen.pbrain'
    try:
        plus = read_program([f"name={PLUS}", f"cmd={cmd}", *words], DEFAULTS)
    except ValueError as error:
        raise ValueError(str(error).replace(f"engine {PLUS}", "--cmd")) from None
    return plus, replace(plus, name=MINUS)


def try_program(plan: Plan, options: tuple[tuple[str, str], ...]) -> str | None:
    """Starts the first program once, with the parameters as options beside its own, and asks it for
    a first move. Returns its answer to ABOUT, None without one.

    ValueError if it fails, or answers that it does not know a parameter or cannot use the net that
    TENGEN_NET names: games between two settings that it ignores would say nothing.
    """
    program, setting = plan.programs[0], plan.setting
    program = replace(program, options=program.options + options)
    words = [key.lower() for key, _ in options]
    if net := os.environ.get("TENGEN_NET"):
        words.append(Path(net).name.lower())
    refused: list[str] = []

    def note(name: str, direction: str, text: str) -> None:
        if direction == "<" and any(word in text.lower() for word in words):
            refused.append(text.removeprefix("MESSAGE "))

    running = Program(program, plan.timeouts)
    try:
        about = running.about()
        running.transcript = note
        running.new_game(setting.width, setting.height, setting.rule)
        board = Referee(setting.width, setting.height, setting.rule)
        running.ask_move(board, BLACK, Clock(program.control))
    except ProgramFailed as failure:
        raise ValueError(f"the program cannot play: {failure.reason}: {failure.detail}") from None
    finally:
        running.dispose()
    if refused:
        raise ValueError(f"the program refuses a parameter or a net: {refused[0]}")
    return about
