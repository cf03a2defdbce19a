"""Wins announced in self-play, each replayed by the referee against every legal defence."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from tengen.game.rules.referee import Cell, Referee
from tengen.game.rules.wincheck import Verdict, check_win
from tests.engine.positions import random_moves

OPENING_STONES = 5


@dataclass(frozen=True)
class Announcement:
    """The engine said in this position that the side to move wins within `plies` stones."""

    position: Position
    plies: int


def _referee(position: Position) -> Referee:
    referee = Referee(position.width, position.height, position.rule)
    for stone in position.stones:
        referee.play(stone.x, stone.y, stone.stone)
    return referee


def _opening(rule: Rule, size: int, rnd: random.Random) -> Position:
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
        engine.set_position(_opening(rule, size, rnd))
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
            end = len(position.stones) + plies
            assert last_stone is None or end <= last_stone, f"a longer win in {position}"
            last_stone = end
            replies += any(_fives(_referee(position), attacker.opponent))
            engine.play(*result.move)
        else:
            engine.play(*_four(position) or Engine.think(_fresh(position), limits).move)
    assert engine.winner() is attacker
    return replies


def _fresh(position: Position) -> Engine:
    engine = Engine()
    engine.set_position(position)
    return engine


def _four(position: Position) -> Cell | None:
    """A move that threatens a five and is no foul, if the side to move has one."""
    referee, side = _referee(position), position.side_to_move
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


def _attacker(position: Position, plies: int, limits: Limits) -> Callable[[Referee], Cell]:
    """Asks a fresh engine for the attacker's move, and for a win no longer than announced."""
    engine = Engine()
    end = len(position.stones) + plies

    def choose(referee: Referee) -> Cell:
        stones = tuple(Placed(x, y, Stone(colour)) for x, y, colour in referee.stones())
        engine.set_position(
            Position(position.width, position.height, position.rule, stones, position.side_to_move)
        )
        return engine.think(limits._replace(mate_plies=end - len(stones))).move

    return choose


def check(announcement: Announcement, limits: Limits, first: Cell | None = None) -> Verdict:
    """Replays an announced win against every legal defence, within the plies announced. `first` is
    the first move of the win; None = the one that the engine chooses."""
    position = announcement.position
    attack = _attacker(position, announcement.plies, limits)

    def choose(referee: Referee) -> Cell:
        is_first = len(referee.stones()) == len(position.stones)
        return first if first is not None and is_first else attack(referee)

    return check_win(_referee(position), position.side_to_move, announcement.plies, choose)
