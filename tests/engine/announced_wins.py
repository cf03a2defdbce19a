"""Wins and losses announced in self-play, each replayed by the referee against every legal
defence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits, Placed, Position, ProofNode, Rule, SolveLimits, Stone
from tengen.game.proof import Verdict, check_win
from tengen.game.referee import Cell, Referee
from tests.engine.positions import engine_at, random_moves, referee_of

OPENING_STONES = 5
_PROOF_NODES = 20_000  # of a search for a proof


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


def check(
    announcement: Announcement, limits: Limits, first: Cell | None = None, by_proofs: bool = False
) -> Verdict:
    """Replays an announced win or loss against every legal defence, within the plies announced.

    first      the first move of the win; None = the one that the engine chooses.
    by_proofs  positions after it may be settled by checked proofs of the threat solver.
    """
    start, plies = announcement.position, announcement.plies
    referee, engine = referee_of(start), Engine()
    attacker = start.side_to_move if plies > 0 else start.side_to_move.opponent

    def ask(referee: Referee, plies: int) -> ProofNode:
        """A fresh engine's move for the winner, for a win no longer than announced."""
        stones = referee.stones()
        is_first = len(stones) == len(start.stones)
        if first is not None and is_first:
            return ProofNode(first, {})
        placed = tuple(Placed(x, y, Stone(colour)) for x, y, colour in stones)
        engine.set_position(start._replace(stones=placed, side_to_move=attacker))
        if by_proofs and not is_first:
            solving = SolveLimits(nodes=_PROOF_NODES, moves=(plies + 1) // 2)
            if (proof := engine.solve(solving).proof) is not None:
                return proof
        x, y = engine.think(limits._replace(mate_plies=plies)).move
        return ProofNode((x, y), {})

    if plies > 0:
        return check_win(referee, attacker, plies, ask)
    verdict = None
    for x, y in referee.empties():
        if attacker == Stone.BLACK or referee.foul(x, y) is None:
            referee.play(x, y, start.side_to_move)
            verdict = check_win(referee, attacker, -plies - 1, ask)
            referee.undo()
            if not verdict.ok:
                return verdict
    assert verdict is not None
    return verdict
