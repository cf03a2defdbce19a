"""Small shards of self-play for tests: the engine's own games with very few nodes."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from tengen.lab.selfplay.shards import (
    MATE,
    PROVEN,
    ROW,
    Head,
    Move,
    PlayedGame,
    shard_name,
    write_shard,
)
from tests.engine.fixed_search import fix_search

SIZE = 9


@cache
def games(rule: int, count: int = 12, seed: int = 3, size: int = SIZE) -> tuple[PlayedGame, ...]:
    """Games from a few random stones to a forced win or a full board."""
    rng, engine = random.Random(seed), Engine()
    fix_search(engine)
    return tuple(_game(engine, Rule(rule), rng, size) for _ in range(count))


def _game(engine: Engine, rule: Rule, rng: random.Random, size: int) -> PlayedGame:
    engine.new_game()
    first = size // 2 - 2
    middle = [(x, y) for x in range(first, first + 5) for y in range(first, first + 5)]
    opening = rng.sample(middle, rng.choice((3, 4)))
    stones = [Placed(x, y, Stone(1 + i % 2)) for i, (x, y) in enumerate(opening)]
    moves: list[Move] = []
    winner = 0
    while not winner and len(stones) < size * size:
        side = Stone(1 + len(stones) % 2)
        engine.set_position(Position(size, size, rule, tuple(stones), side))
        (x, y), info = engine.think(Limits(nodes=300))
        value = info.score.value
        if info.score.mate_plies is not None:
            plies = info.score.mate_plies
            value = MATE - plies if plies > 0 else -MATE - plies
            winner = int(side if plies > 0 else side.opponent)
        moves.append(Move(y * ROW + x, 0, value))
        stones.append(Placed(x, y, side))
    cells = tuple(y * ROW + x for x, y in opening)
    return PlayedGame(winner, PROVEN if winner else 2, False, cells, tuple(moves))


def write_games(
    folder: Path,
    rule: int,
    played: tuple[PlayedGame, ...],
    size: int = SIZE,
    nodes: int = 300,
    net_crc: int = 0,
) -> Path:
    """A folder with one shard."""
    folder.mkdir(parents=True, exist_ok=True)
    head = Head(rule, size, size, 3, 0, nodes, nodes, "0.1.0", 1, 0, net_crc)
    write_shard(folder / shard_name(0), head, played)
    return folder
