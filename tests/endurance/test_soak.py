"""Many games in one process, with START between them: memory and nodes must stay the same.

The program plays both sides, limited by nodes, so that each game depends on its opening, its rule
and its board only. The referee judges every move.
"""

from __future__ import annotations

import random

import psutil
import pytest

from tests.house.games import random_opening, to_move
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
    program.send(f"START {size}\nINFO rule {board.rule}\n".encode())
    assert program.read_line() == "OK"
    nodes = 0
    while not board.winner() and not board.is_full():
        colour = to_move(board)
        entries = (f"{x},{y},{1 if stone == colour else 2}" for x, y, stone in board.stones())
        program.send(f"BOARD {' '.join(entries)} DONE\n".encode())
        x, y = program.read_move(size)
        nodes += program.nodes
        assert board.legal(x, y), f"{x},{y} is not legal after {board.stones()}"
        board.play(x, y, colour)
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
        program.send("".join(f"INFO {setting}\n" for setting in SETTINGS).encode())
        for game in range(games):
            played = play(program, game % kinds)
            assert first_time.setdefault(game % kinds, played) == played, f"game {game}"
            if game + 1 >= warm_up_games:
                memory_bytes.append(process.memory_info().rss)
        program.send(b"END\n")
        program.expect_exit()
    growth = max(memory_bytes) / memory_bytes[0] - 1
    print(f"after {warm_up_games} games {memory_bytes[0]} bytes, growth {growth:.2%}")
    # What is lost at every START shows if it is more than some 20 kB.
    assert growth < 0.01
