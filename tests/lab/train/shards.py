"""Small shards of self-play for tests, the engine's own games with very few nodes, and trainings
with them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from engine.network import Network
from tengen.lab.selfplay.game import value_of
from tengen.lab.selfplay.shards import (
    PROVEN,
    ROW,
    Head,
    Move,
    PlayedGame,
    shard_name,
    write_shard,
)
from tengen.lab.train.cli import train_command
from tengen.lab.train.model import Form
from tengen.lab.train.optimizer import Settings, Training
from tengen.lab.train.positions import Positions, read_positions
from tests.engine.searches import fix_search

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
        result = engine.think(Limits(nodes=300))
        (x, y), value = result.move, value_of(result)
        if result.info.score.mate_plies is not None:
            winner = int(side if value > 0 else side.opponent)
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


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of which some openings are held out, as they should be of any larger number."""
    return write_games(tmp_path_factory.mktemp("shards"), 0, games(0, 40, 11))


def positions_of(folder: Path, rule: int, *played: PlayedGame) -> Positions:
    """The positions of a shard with these games."""
    return read_positions([write_games(folder, rule, played)], rule)


def split(positions: Positions) -> Positions:
    """The same with a fifth held out, whatever their openings are."""
    return replace(positions, is_test=np.arange(len(positions)) % 5 == 0)


def trained(
    positions: Positions, settings: Settings, jobs: int = 1, beginning: Network | None = None
) -> Training:
    """A training that has come to its end."""
    training = Training(positions, Form(positions.rule), settings, jobs, beginning)
    end(training)
    return training


def end(training: Training) -> None:
    """Trains to the end."""
    for _ in training.run():
        pass
    training.close()


def after_pass(training: Training, number: int, checkpoint: Path) -> None:
    """Trains until so many passes are done, and writes a checkpoint."""
    for _ in training.run():
        if len(training.curve.value) == number:
            training.save(checkpoint)
            return


def train(*words: str | Path) -> str:
    """What `tengen lab train` prints, without an error."""
    done = CliRunner().invoke(train_command, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output
