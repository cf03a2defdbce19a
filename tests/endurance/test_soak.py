"""Many games in one process, with START between them: memory and nodes must stay the same.

The program plays both sides, limited by nodes, so that each game depends on its opening, its rule
and its board only. The referee judges every move.
"""

from __future__ import annotations

import random

import psutil
import pytest

from tests.house.test_games import play_on, random_opening
from tests.protocol.conversation import PROGRAM, Program

RULES = (0, 1, 4, 8, 9)
SIZES = (15, 20, 9, 22)
SETTINGS = ("timeout_turn 2147483647", "max_node 400", "hash_size 16384", "max_memory 367001600")

Moves = list[tuple[int, int, int]]


def play(program: Program, kind: int) -> tuple[Moves, int]:
    """Play a game of that kind in a program that has played others before; its moves, and the nodes
    of all searches together."""
    size = SIZES[kind % len(SIZES)]
    board = random_opening(RULES[kind % len(RULES)], size, size, random.Random(kind))
    program.tell(f"START {size}", f"INFO rule {board.rule}")
    program.expect("OK")
    nodes = play_on(board, program, program)
    return board.stones(), nodes


@pytest.mark.parametrize(
    ("games", "warm_up_games", "kinds"),
    [(30, 10, 2), pytest.param(1000, 100, 40, marks=pytest.mark.verify)],
)
def test_games_in_one_process_repeat_and_take_no_more_memory(
    games: int, warm_up_games: int, kinds: int
) -> None:
    first_time: dict[int, tuple[Moves, int]] = {}
    memory_bytes = []
    with Program(PROGRAM) as program:
        process = psutil.Process(program.process.pid)
        program.tell(*(f"INFO {setting}" for setting in SETTINGS))
        for game in range(games):
            played = play(program, game % kinds)
            assert first_time.setdefault(game % kinds, played) == played, f"game {game}"
            if game + 1 >= warm_up_games:
                memory_bytes.append(process.memory_info().rss)
        program.end()
    growth = max(memory_bytes) / memory_bytes[0] - 1
    print(f"after {warm_up_games} games {memory_bytes[0]} bytes, growth {growth:.2%}")
    # What is lost at every START shows if it is more than some 20 kB.
    assert growth < 0.01
