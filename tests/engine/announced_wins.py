"""Wins and losses announced in self-play, each replayed by the referee against every legal
defence."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, SolveLimits, Stone
from tengen.game.rules.proof import check_proof
from tengen.game.rules.referee import Cell, Referee, opponent_of
from tengen.game.rules.replay import Replay
from tengen.game.rules.wincheck import Plan, Verdict, WinCheck
from tengen.study.solver import proof_node
from tests.engine.positions import engine_at, random_moves, referee_of

OPENING_STONES = 5
# Of a search for a proof, and of its check, which is given up after so many stones.
_PROOF_NODES = 20_000
_PROOF_STONES = 1_000_000


@dataclass(frozen=True)
class Announcement:
    """The engine said in this position that the side to move wins within `plies` stones or, where
    plies is below zero, that it loses within so many."""

    position: Position
    plies: int


def opening(rule: Rule, size: int, rnd: random.Random) -> Position:
    """A few random stones round the middle, no line longer than three."""
    shift = size // 2 - 4
    stones: list[Placed] = []
    colour = Stone.BLACK
    for x, y in random_moves(9, 9, rnd):
        stones.append(Placed(x + shift, y + shift, colour))
        colour = colour.opponent
        if len(stones) == OPENING_STONES:
            return Position(size, size, rule, tuple(stones), colour)
    raise AssertionError("a 9x9 board has more cells than an opening")


def announcements(
    rule: Rule, size: int, limits: Limits, rnd: random.Random
) -> Iterator[Announcement]:
    """Plays games with itself for ever; yields the first win announced in each of them."""
    engine = Engine()
    while True:
        engine.new_game()
        engine.set_position(opening(rule, size, rnd))
        while engine.winner() is None and len(engine.get_position().stones) < size * size:
            result = engine.think(limits)
            mate = result.info.score.mate_plies
            if mate is not None and mate > 1:
                yield Announcement(engine.get_position(), mate)
                break
            engine.play(*result.move)


def stubborn_defence(announcement: Announcement, engine: Engine, limits: Limits) -> int:
    """Plays a win out. The defender makes fours as long as it has any, and otherwise the moves that
    the announcing engine chooses for it. The same engine attacks, and keeps what it announced.

    Returns how many replies to fours it made. AssertionError when it forgets the win, or needs
    longer than it said.
    """
    engine.set_position(announcement.position)
    attacker = announcement.position.side_to_move
    last_stone: int | None = None  # of the win as this engine announces it
    replies = 0
    while engine.winner() is None:
        position = engine.get_position()
        if position.side_to_move is attacker:
            result = engine.think(limits)
            plies = result.info.score.mate_plies
            assert plies is not None and plies > 0, f"forgot the win in {position}"
            assert result.lines[0].score == result.info.score
            end = len(position.stones) + plies
            assert last_stone is None or end <= last_stone, f"a longer win in {position}"
            last_stone = end
            replies += any(_fives(referee_of(position), attacker.opponent))
            engine.play(*result.move)
        else:
            engine.play(*_four(position) or engine_at(position).think(limits).move)
    assert engine.winner() is attacker
    return replies


def _four(position: Position) -> Cell | None:
    """A move that threatens a five and is no foul, if the side to move has one."""
    referee, side = referee_of(position), position.side_to_move
    for x, y in referee.empties():
        if side is Stone.WHITE or referee.foul(x, y) is None:
            referee.play(x, y, side)
            threatens = any(_fives(referee, side))
            referee.undo()
            if threatens:
                return x, y
    return None


def _fives(referee: Referee, colour: Stone) -> Iterator[Cell]:
    """Empty cells that complete a winning line."""
    return (cell for cell in referee.empties() if referee.makes_win(*cell, colour))


class _Attacker:
    """Asks a fresh engine for the moves of the winner, and for a win no longer than announced."""

    def __init__(self, announcement: Announcement, limits: Limits) -> None:
        self._start = announcement.position
        self._end = len(self._start.stones) + abs(announcement.plies)
        self._limits = limits
        self._engine = Engine()

    def choose(self, referee: Referee) -> Cell:
        """The move of the engine."""
        played = self._set_up(referee)
        return self._engine.think(self._limits._replace(mate_plies=self._end - played)).move

    def prove(self, referee: Referee, plies: int) -> Plan | None:
        """A win by threats whose proof holds, None without one; AssertionError if it is wrong."""
        self._set_up(referee)
        winner = self._engine.get_position().side_to_move
        limits = SolveLimits(nodes=_PROOF_NODES, moves=(plies + 1) // 2)
        proof = self._engine.solve(limits).proof
        if proof is None:
            return None
        verdict = check_proof(referee, winner, proof_node(proof), plies, _PROOF_STONES)
        assert verdict.ok or verdict.nodes > _PROOF_STONES, f"a wrong proof: {verdict.reason}"
        x, y = proof.move
        return Plan((x, y), verdict.plies) if verdict.ok else None

    def _set_up(self, referee: Referee) -> int:
        start, stones = self._start, referee.stones()
        placed = tuple(Placed(x, y, Stone(colour)) for x, y, colour in stones)
        side = start.side_to_move
        if (len(stones) - len(start.stones)) % 2:
            side = side.opponent
        self._engine.set_position(Position(start.width, start.height, start.rule, placed, side))
        return len(stones)


class _Proving(WinCheck):
    """A check in which positions may be settled by proofs: `prove` gives a win within so many
    stones, or None."""

    prove: Callable[[Referee, int], Plan | None]

    def win(self, plies: int, refutations: Sequence[Plan] = ()) -> Plan:
        """A win of the attacker, which is to move, within so many stones."""
        key = self._key()
        if key not in self._known and (plan := self.prove(self._board, plies)) is not None:
            self._known[key] = plan
        return super().win(plies, refutations)

    def loss(self, plies: int) -> tuple[Cell, ...]:
        """The longest line of a loss of the side to move, whatever it plays."""
        plan = Plan((-1, -1))
        self.refute_all(plan, plies, [])
        return self.longest_line(plan)[1:]


def check(
    announcement: Announcement, limits: Limits, first: Cell | None = None, by_proofs: bool = False
) -> Verdict:
    """Replays an announced win or loss against every legal defence, within the plies announced.

    first      the first move of the win; None = the one that the engine chooses.
    by_proofs  positions after it may be settled by checked proofs of the threat solver.
    """
    position, plies = announcement.position, announcement.plies
    referee, attacker = referee_of(position), _Attacker(announcement, limits)
    side = position.side_to_move

    def choose(referee: Referee) -> Cell:
        return first if first is not None and is_first(referee) else attacker.choose(referee)

    def is_first(referee: Referee) -> bool:
        return len(referee.stones()) == len(position.stones)

    def prove(referee: Referee, plies: int) -> Plan | None:
        return attacker.prove(referee, plies) if by_proofs and not is_first(referee) else None

    checking = _Proving(Replay(referee, side if plies > 0 else opponent_of(side), None), choose)
    checking.prove = prove
    if plies < 0:
        return checking.verdict(lambda: checking.loss(-plies))
    return checking.verdict(lambda: checking.longest_line(checking.win(plies)))
