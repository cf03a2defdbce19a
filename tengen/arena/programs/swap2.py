"""Swap2: two programs agree on the first stones and on who plays Black, by protocol.opening_rules.

Afterwards the game goes on as any other, with both programs set up by BOARD. A program that gives
an invalid answer, or none in time, loses the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.text import name_or_pair, pair_text
from protocol.opening_rules import BLACK, Ask, Opening, Talks
from tengen.arena.programs.program import MOVE, Clock, Program, ProgramFailed
from tengen.game.played import Termination
from tengen.game.referee import Cell

# The two programs, as places in a pair.
FIRST, SECOND = 0, 1
SWAP = "SWAP"
# With this many stones the longest negotiation ends.
MOST_STONES = 6


class Swap2Failed(ProgramFailed):
    """A program has lost in the negotiation; `loser` is FIRST or SECOND."""

    def __init__(self, loser: int, failure: ProgramFailed) -> None:
        super().__init__(failure.name, failure.termination, failure.detail)
        self.loser = loser


@dataclass(frozen=True)
class Agreement:
    """What was negotiated: which program plays Black, FIRST or SECOND, and all stones on the board
    in the order they were put down, black first."""

    black: int
    stones: tuple[Cell, ...]


def negotiate(
    width: int,
    height: int,
    programs: tuple[Program, Program],
    clocks: tuple[Clock, Clock],
    is_suspending: bool = False,
) -> Agreement:
    """Lets two programs agree; every answer is charged to the clock of the program that gives it.

    clocks         those of `programs` in order, whichever colour they end up with.
    is_suspending  each program is suspended after its answer.

    Swap2Failed if a program gives no answer, a late one, or one that the rules do not allow.
    """
    talks, stones = Talks(Opening.SWAP2), list[Cell]()
    while (ask := talks.ask(len(stones))) is not None:
        is_changed = talks.swaps(len(stones)) % 2 == 1
        speaker = SECOND if (ask.actor == BLACK) == is_changed else FIRST
        program = programs[speaker]
        try:
            answer = program.ask_swap2(stones, clocks[speaker])
            if is_suspending:
                program.suspend()
            cells = _read(program, answer, stones, ask)
            for i, (x, y) in enumerate(cells):
                is_inside = 0 <= x < width and 0 <= y < height
                if not is_inside or (x, y) in stones or (x, y) in cells[:i]:
                    fault = illegal_move((x, y), width, height)
                    raise program.failure(Termination.ILLEGAL, fault)
        except ProgramFailed as failure:
            raise Swap2Failed(speaker, failure) from None
        talks = talks.answered(len(stones), cells)
        stones += cells
    return Agreement(SECOND if talks.swaps(len(stones)) % 2 else FIRST, tuple(stones))


def _read(program: Program, answer: str, stones: list[Cell], ask: Ask) -> list[Cell]:
    """The cells of an answer; none of them change sides."""
    is_swap = answer.upper().startswith(SWAP)
    if is_swap and ask.may_swap:
        return []
    cells = [] if is_swap else [(int(x), int(y)) for x, y in MOVE.findall(answer)]
    counts = (ask.puts, *[2] * ask.may_add)
    if len(cells) not in counts:
        numbers = [("one move", "two moves", "three moves")[count - 1] for count in counts]
        raise program.failure(
            Termination.ILLEGAL,
            f"answered SWAP2BOARD with {answer[:80]!r} after {len(stones) or 'no'} stones;"
            f" expected {' or '.join(['SWAP'] * ask.may_swap + numbers)}",
        )
    return cells


def illegal_move(cell: Cell, width: int, height: int) -> str:
    """What a program has done wrong whose move to this cell is not legal."""
    name = name_or_pair(cell, width, height)
    why = "off the board" if name == pair_text(cell) else "a cell that is not empty"
    return f"played {name}, {why}"
