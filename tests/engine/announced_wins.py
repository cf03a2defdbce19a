"""Wins announced in self-play, each replayed by the referee against every legal defence."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from match.referee import Cell, Referee
from match.wincheck import Verdict, check_win
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


def check(announcement: Announcement, limits: Limits) -> Verdict:
    """Replays an announced win against every legal defence, within the plies announced."""
    position = announcement.position
    return check_win(
        _referee(position),
        position.side_to_move,
        announcement.plies,
        _attacker(position, announcement.plies, limits),
    )
