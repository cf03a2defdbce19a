"""Checks an announced win: asks for the attacker's moves and tries every legal defence.

A program that announces a mate in n plies claims that, whatever the opponent plays, it completes a
winning line with the n-th stone from now, or sooner. `check_win` plays that out. At the attacker's
turns it asks for a move; at the defender's turns it tries every empty point that is not forbidden.
Two rules keep the number of lines small, and neither skips a defence unchecked:

* After an attacking move that threatens to win at once, a defence that leaves a winning move (and
  does not win itself) has lost. Only the other defences are searched.
* Most defences change nothing. The moves that refuted one defence are tried against the next one,
  every stone judged afresh, before the attacker is asked again. A win found in this way is valid,
  although its moves come from the attacker's answer to another defence.

Positions that were checked before are recognised by the stones on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tengen.game.rules.referee import (
    BLACK,
    DIRECTIONS,
    WHITE,
    Cell,
    Referee,
)
from tengen.game.rules.replay import NotAWin, Replay
from tengen.game.rules.rows import Rows

# Refutations tried against a new defence before the attacker is asked, latest success first.
_REFUTATIONS_TRIED = 8
# From a stone to the cell beyond the end of its five.
_REACH = range(-5, 6)


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    ok      every defence loses within the announced plies.
    line    the attacker's move first. If ok: against the longest defence, up to the move that wins
            or that leaves only defences which do not stop a win; otherwise up to the failure.
    nodes   stones put on the board for the check.
    asked   how often the attacker was asked for a move.
    reason  empty when ok, otherwise what went wrong, in words.
    """

    ok: bool
    line: tuple[Cell, ...]
    nodes: int
    asked: int
    reason: str


@dataclass
class Plan:
    """A forced win that was verified in some position: a move, and the answer to each defence that
    does not lose at once. `plies` is the number of stones that the win takes at most, and
    `longest_defence` a defence that makes it take so many."""

    move: Cell
    plies: int = 1
    answers: dict[Cell, Plan] = field(default_factory=dict)
    longest_defence: Cell | None = None

    def note(self, plies: int, defence: Cell | None = None, answer: Plan | None = None) -> None:
        """The win takes `plies` stones and those of `answer`, which meets `defence`."""
        if defence is not None and answer is not None:
            self.answers[defence] = answer
            plies += answer.plies
        if plies > self.plies:
            self.plies = plies
            self.longest_defence = defence


def check_win(
    board: Referee,
    attacker: int,
    mate_plies: int,
    choose_move: Callable[[Referee], Cell],
    max_nodes: int | None = None,
) -> Verdict:
    """Checks that `attacker`, to move on `board`, wins within `mate_plies` stones (those of
    both sides, so an odd number) against every legal defence.

    choose_move  gives the attacker's move for a position; it must leave the board as it is. An
                 exception from it is passed on.
    max_nodes    gives up, with ok False, after this many stones; None = never.

    The board is the same afterwards. In renju, forbidden points are not defences for Black: if
    Black has no other move, Black has lost. ValueError for a mate_plies that is not an odd number
    above zero.
    """
    if mate_plies < 1 or mate_plies % 2 == 0:
        raise ValueError(f"mate_plies {mate_plies}: expected an odd number above zero")
    check = WinCheck(Replay(board, attacker, max_nodes), choose_move)
    return check.verdict(lambda: check.longest_line(check.win(mate_plies)))


class WinCheck:
    """One check. Every method leaves the board as it found it, unless it raises NotAWin."""

    def __init__(self, replay: Replay, choose_move: Callable[[Referee], Cell]) -> None:
        self.asked = 0
        self._replay = replay
        self._board = replay.board
        self._attacker = replay.attacker
        self._defender = replay.defender
        self._choose_move = choose_move
        self._rows = {colour: Rows(replay.board, colour) for colour in (BLACK, WHITE)}
        # Stones put on the board so far -> the win from there, attacker to move.
        self._known: dict[frozenset[tuple[Cell, int]], Plan] = {}

    def verdict(self, find_line: Callable[[], tuple[Cell, ...]]) -> Verdict:
        """Runs a check, which gives its longest line; the board is the same afterwards."""
        try:
            with self._replay.restored():
                line = find_line()
        except NotAWin as failure:
            return Verdict(False, failure.line, self._replay.nodes, self.asked, failure.reason)
        return Verdict(True, line, self._replay.nodes, self.asked, "")

    def win(self, plies: int, refutations: Sequence[Plan] = ()) -> Plan:
        """Asks the attacker, which is to move, for a move; it must win within `plies` stones.
        `refutations` are wins in similar positions."""
        key = self._key()
        known = self._known.get(key)
        if known is not None and known.plies <= plies:
            return known
        self.asked += 1
        move = self._choose_move(self._board)
        self._replay.require_empty(move)
        self._replay.require_no_foul(move)
        plan = Plan(move)
        if not self._board.makes_win(*move, self._attacker):
            if plies == 1:
                raise self._replay.failed(
                    f"the attacker's move {self._replay.name(move)} does not win"
                )
            self._play(move, self._attacker)
            self.refute_all(plan, plies - 1, list(refutations[:_REFUTATIONS_TRIED]))
            self._undo()
        self._known[key] = plan
        return plan

    def longest_line(self, plan: Plan) -> tuple[Cell, ...]:
        """The moves of a plan against the longest defence."""
        line = [plan.move]
        while plan.longest_defence is not None:
            line.append(plan.longest_defence)
            plan = plan.answers[plan.longest_defence]
            line.append(plan.move)
        return tuple(line)

    def refute_all(self, plan: Plan, plies: int, refutations: list[Plan]) -> None:
        """The defender is to move after `plan.move`; every defence must lose within `plies` stones
        from here, the defence included. Fills in the plan."""
        if self._board.is_full():
            raise self._replay.failed("the board is full: a draw")
        for x, y in self._wins_of(self._defender):
            raise self._replay.failed(f"the defence {self._replay.name((x, y))} wins", (x, y))
        threats = self._wins_of(self._attacker)
        if threats:
            plan.note(3)
        for defence in self._defences(threats):
            self._play(defence, self._defender)
            if not self._still_wins(threats):
                plan.note(2, defence, self._refute(refutations, plies - 1))
            self._undo()

    def _refute(self, refutations: list[Plan], plies: int) -> Plan:
        """A win for the attacker, which is to move, within `plies` stones: by a refutation that
        worked before, otherwise by asking the attacker."""
        for i, refutation in enumerate(refutations[:_REFUTATIONS_TRIED]):
            repeated = self._repeat(refutation, plies)
            if repeated is not None:
                refutations.insert(0, refutations.pop(i))
                return repeated
        answer = self.win(plies, refutations)
        refutations.insert(0, answer)
        return answer

    def _repeat(self, plan: Plan, plies: int) -> Plan | None:
        """Plays a plan made for another position and judges every stone anew. Returns the plan for
        this position if it wins here within `plies`, else None. Only lines in which each move
        threatens to win at once are followed; otherwise there are too many defences to try."""
        move = plan.move
        if not self._may_play(move):
            return None
        if self._board.makes_win(*move, self._attacker):
            return Plan(move)
        if plies < 3:
            return None
        repeated = Plan(move)
        self._play(move, self._attacker)
        try:
            threats = self._wins_of(self._attacker)
            if not threats or self._wins_of(self._defender):
                return None
            repeated.note(3)
            for defence in self._defences(threats):
                self._play(defence, self._defender)
                try:
                    if not self._still_wins(threats):
                        answer = plan.answers.get(defence)
                        found = None if answer is None else self._repeat(answer, plies - 2)
                        if found is None:
                            return None
                        repeated.note(2, defence, found)
                finally:
                    self._undo()
            return repeated
        finally:
            self._undo()

    def _defences(self, threats: Sequence[Cell]) -> list[Cell]:
        """All points where the defender may play, less those that certainly leave one of the
        attacker's `threats` to win at once."""
        board = self._board
        candidates = board.empties()
        if threats:
            # A defence that does not stop all threats has lost.
            stops = set.intersection(*map(self._can_stop, threats))
            candidates = [cell for cell in candidates if cell in stops]
        if self._defender == BLACK:
            return [cell for cell in candidates if board.foul(*cell) is None]
        return candidates

    def _can_stop(self, threat: Cell) -> set[Cell]:
        """All cells where a stone of the defender could keep the attacker from winning at `threat`:
        the cell itself and, in caro, where what stands at the ends of a five counts too, all cells
        on the lines through it that are near enough to be such an end."""
        if not self._board.ends_block:
            return {threat}
        x, y = threat
        return {(x + i * dx, y + i * dy) for dx, dy in DIRECTIONS for i in _REACH}

    def _wins_of(self, colour: int) -> list[Cell]:
        """Where a stone of `colour` wins at once."""
        return self._rows[colour].wins(self._board)

    def _play(self, cell: Cell, colour: int) -> None:
        self._replay.play(cell, colour)
        for rows in self._rows.values():
            rows.play(cell, colour)

    def _undo(self) -> None:
        cell = self._replay.line[-1]
        for rows in self._rows.values():
            rows.undo(cell, self._board.cell(*cell))
        self._replay.undo()

    def _still_wins(self, threats: Sequence[Cell]) -> bool:
        """True if one of the attacker's threats remains after the defence just played."""
        board = self._board
        return any(board.legal(*c) and board.makes_win(*c, self._attacker) for c in threats)

    def _may_play(self, move: Cell) -> bool:
        board = self._board
        return board.legal(*move) and (self._attacker != BLACK or board.foul(*move) is None)

    def _key(self) -> frozenset[tuple[Cell, int]]:
        return frozenset(((x, y), colour) for x, y, colour in self._board.stones())
