"""Swap2: two programs agree on the first stones and on who plays Black.

    1. The first program puts down three stones: black, white, black.
    2. The second takes Black (SWAP), or stays White and plays the fourth stone, or puts down two
       more, white and black, and lets the first choose.
    3. Then the first takes Black (SWAP), or stays White and plays the sixth stone.

Afterwards the game goes on as any other, with both programs set up by BOARD. A program that gives
an invalid answer, or none in time, loses the game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.text import name_or_pair, pair_text
from tengen.arena.programs.clocks import Clock
from tengen.arena.programs.player import PlayerFailed
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, WHITE, Cell

# The two programs, as places in a pair.
FIRST, SECOND = 0, 1
SWAP = "SWAP"
# With this many stones the longest negotiation ends.
MOST_STONES = 6

_CELL = re.compile(r"([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})")
_CELLS = re.compile(rf"{_CELL.pattern}(?:\s+{_CELL.pattern})*")


class Negotiator(Protocol):
    """What the negotiation needs of a program; `tengen.arena.programs.player.Player` has it."""

    def ask_swap2(
        self, stones: Sequence[Cell], limit_s: float | None, left_line: str
    ) -> tuple[str, float]:
        """The answer to SWAP2BOARD with these stones, and the seconds it took; PlayerFailed if
        there is none."""

    def suspend(self) -> None:
        """Suspends the program until something is sent to it again."""


class Swap2Failed(PlayerFailed):
    """A program has lost in the negotiation; `loser` is FIRST or SECOND, `agreement` holds the
    answers before."""

    def __init__(self, loser: int, failure: PlayerFailed, agreement: Agreement) -> None:
        super().__init__(failure.termination, failure.detail)
        self.loser = loser
        self.agreement = agreement


@dataclass(frozen=True)
class Step:
    """One answer: the program that gave it, its text, the seconds it took, and its stones."""

    speaker: int
    answer: str
    elapsed_s: float
    stones: tuple[Cell, ...]


@dataclass
class Agreement:
    """What was negotiated.

    black   the program that plays Black, FIRST or SECOND; FIRST until one of them has chosen.
    steps   the answers, in order.
    """

    black: int = FIRST
    steps: list[Step] = field(default_factory=list)

    @property
    def stones(self) -> tuple[Cell, ...]:
        """All stones on the board in the order they were put down, black first."""
        return tuple(cell for step in self.steps for cell in step.stones)

    @property
    def to_move(self) -> int:
        """The colour whose stone comes next."""
        return WHITE if len(self.stones) % 2 else BLACK

    @property
    def text(self) -> str:
        """The answers in words, for people."""
        return "; ".join(f"{('first', 'second')[s.speaker]}: {s.answer}" for s in self.steps)


def negotiate(
    width: int,
    height: int,
    players: tuple[Negotiator, Negotiator],
    clocks: tuple[Clock, Clock],
    is_suspending: bool = False,
) -> Agreement:
    """Lets two programs agree; every answer is charged to the clock of the program that gives it.

    clocks         those of `players` in order, whichever colour they end up with.
    is_suspending  each program is suspended after its answer.

    Swap2Failed if a program gives no answer, a late one, or one that the rules do not allow.
    """
    table = _Table(width, height, players, clocks, is_suspending)

    # The first program puts down three stones.
    table.ask(FIRST, may_swap=False, counts=(3,))

    # The second takes Black, stays White, or puts down two more.
    step = table.ask(SECOND, may_swap=True, counts=(1, 2))
    if step.answer == SWAP:
        return table.agreed(black=SECOND)
    if len(step.stones) == 1:
        return table.agreed(black=FIRST)

    # Then the first chooses.
    step = table.ask(FIRST, may_swap=True, counts=(1,))
    return table.agreed(black=FIRST if step.answer == SWAP else SECOND)


class _Table:
    """The state of a negotiation: asks for answers, judges and records them."""

    def __init__(
        self,
        width: int,
        height: int,
        players: tuple[Negotiator, Negotiator],
        clocks: tuple[Clock, Clock],
        is_suspending: bool,
    ) -> None:
        self._is_suspending = is_suspending
        self._width = width
        self._height = height
        self._players = players
        self._clocks = clocks
        self._agreement = Agreement()

    def agreed(self, black: int) -> Agreement:
        """The agreement, with the program that plays Black."""
        self._agreement.black = black
        return self._agreement

    def ask(self, speaker: int, may_swap: bool, counts: tuple[int, ...]) -> Step:
        """Asks a program for its answer: one of `counts` stones, or SWAP if it may."""
        clock, player = self._clocks[speaker], self._players[speaker]
        before = self._agreement.stones
        try:
            answer, elapsed_s = player.ask_swap2(before, clock.limit_s, clock.left_line())
            if self._is_suspending:
                player.suspend()
            clock.spend(elapsed_s)
            if may_swap and answer.upper().startswith(SWAP):
                step = Step(speaker, SWAP, elapsed_s, ())
            else:
                stones = self._read(answer, before, may_swap, counts)
                said = " ".join(f"{x},{y}" for x, y in stones)
                step = Step(speaker, said, elapsed_s, stones)
        except PlayerFailed as failure:
            raise Swap2Failed(speaker, failure, self._agreement) from None
        self._agreement.steps.append(step)
        return step

    def _read(
        self, answer: str, before: tuple[Cell, ...], may_swap: bool, counts: tuple[int, ...]
    ) -> tuple[Cell, ...]:
        is_list = _CELLS.fullmatch(answer.strip()) is not None
        stones = tuple((int(x), int(y)) for x, y in _CELL.findall(answer)) if is_list else ()
        if len(stones) not in counts:
            wanted = " or ".join((["SWAP"] if may_swap else []) + [_moves(n) for n in counts])
            raise _illegal(
                f"answered SWAP2BOARD with {answer[:80]!r} after {_stones(len(before))};"
                f" expected {wanted}"
            )
        for i, (x, y) in enumerate(stones):
            is_inside = 0 <= x < self._width and 0 <= y < self._height
            if not is_inside or (x, y) in before or (x, y) in stones[:i]:
                raise _illegal(illegal_move((x, y), self._width, self._height))
        return stones


def illegal_move(cell: Cell, width: int, height: int) -> str:
    """What a program has done wrong whose move to this cell is not legal."""
    name = name_or_pair(cell, width, height)
    why = "off the board" if name == pair_text(cell) else "a cell that is not empty"
    return f"played {name}, {why}"


def _illegal(detail: str) -> PlayerFailed:
    return PlayerFailed(Termination.ILLEGAL, detail)


def _moves(count: int) -> str:
    return ("one move", "two moves", "three moves")[count - 1]


def _stones(count: int) -> str:
    return f"{count} stones" if count else "no stones"
