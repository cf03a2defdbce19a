"""The program that plays against itself with other numbers, and whether it accepts them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.arena.match.options import DEFAULT_TURN_S
from tengen.arena.match.plan import Plan
from tengen.arena.programs.program import Clock, Program, ProgramFailed
from tengen.arena.programs.spec import ProgramSpec, read_program
from tengen.common.commands import Count, Seconds, option_field
from tengen.game.referee import BLACK, Referee

PLUS, MINUS = "plus", "minus"


@dataclass(frozen=True)
class TunedProgram:
    """The options that say which program is tuned, and what it may use; `tengen lab sprt` takes
    those without the command."""

    cmd: str | None = option_field(
        "--cmd",
        metavar="COMMAND",
        help="The program to tune.  [default: this engine]",
    )
    turn: float | None = option_field(
        "--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]"
    )
    nodes: int | None = option_field(
        "--nodes", type=Count(1), help="Nodes for a move, instead of a time."
    )
    memory: int = option_field(
        "--memory",
        type=Count(0),
        default=350,
        metavar="MIB",
        help="Memory of each program.",
    )
    words: tuple[str, ...] = option_field(
        "--option",
        multiple=True,
        metavar="KEY=VALUE",
        help="For both programs: INFO KEY VALUE.",
    )

    def limits(self) -> list[str]:
        """The limits and settings, as words of a program. ValueError for options that do not go
        together."""
        if self.turn is not None and self.nodes is not None:
            raise ValueError("--turn and --nodes exclude each other")
        for word in self.words:
            key, _, value = word.partition("=")
            if not (key and value):
                raise ValueError(f"--option {word!r}: expected KEY=VALUE")
        turn = DEFAULT_TURN_S if self.turn is None else self.turn
        limit = f"nodes={self.nodes}" if self.nodes else f"turn={turn}"
        return [limit, f"memory={self.memory}", *(f"option.{word}" for word in self.words)]

    def programs(self) -> tuple[ProgramSpec, ProgramSpec]:
        """The two programs, without the parameters. ValueError as for `limits`, and for a program
        that cannot be found."""
        command = self.cmd or f'"{sys.executable}" -m tengen.pbrain'
        try:
            plus = read_program([f"name={PLUS}", f"cmd={command}", *self.limits()])
        except ValueError as error:
            raise ValueError(str(error).replace(f"engine {PLUS}: ", "--cmd: ")) from None
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
