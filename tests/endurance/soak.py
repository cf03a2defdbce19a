"""Plays many games in one process, with START between them: memory and nodes must stay the same.

The program plays both sides, limited by nodes, so that each game depends on its opening, its rule
and its board only. There are KINDS different ones, which are repeated in order: each must be played
with the same moves and nodes as the first time. The referee judges every move.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import psutil

from tests.endurance.pipes import Stuck
from tests.endurance.started import Started
from tests.endurance.talk import PATIENCE_S
from tests.house.games import OPENING_STONES, random_opening, to_move

KINDS = 40
RULES = (0, 1, 4, 8, 9)
SIZES = (15, 20, 9, 22)
SETTINGS = ("timeout_turn 2147483647", "max_node 400", "hash_size 16384", "max_memory 367001600")
# After so many games the memory is measured for the first time.
WARM_UP_GAMES = 100
NODES = re.compile(r"MESSAGE Depth .* \| Node (\d+) \| ")


class Played(NamedTuple):
    """A game: its moves, and the nodes of all searches together."""

    moves: tuple[tuple[int, int], ...]
    nodes: int


class Memory(NamedTuple):
    """What the process occupies, in bytes, after the warm-up, at the end, and at most between."""

    first: int
    last: int
    most: int

    @property
    def growth(self) -> float:
        """How much more it was at most than after the warm-up, as a part of it."""
        return self.most / self.first - 1


def play(program: Started, kind: int) -> Played:
    """Play a game of that kind in a program that has played others before."""
    size = SIZES[kind % len(SIZES)]
    board = random_opening(RULES[kind % len(RULES)], size, size, random.Random(kind))
    _ask(program, f"START {size}", "OK")
    program.send(f"INFO rule {board.rule}\n".encode())
    nodes = 0
    while not board.winner() and not board.is_full():
        colour = to_move(board)
        entries = (f"{x},{y},{1 if stone == colour else 2}" for x, y, stone in board.stones())
        move, searched = _ask(program, " ".join(("BOARD", *entries, "DONE")))
        nodes += searched
        x, y = map(int, move.split(","))
        if not board.legal(x, y):
            raise AssertionError(f"{move} is not legal after {board.stones()}")
        board.play(x, y, colour)
    return Played(tuple((x, y) for x, y, _ in board.stones()), nodes)


def run(games: int, warm_up_games: int = WARM_UP_GAMES) -> tuple[Memory, int]:
    """Play games, more than the warm-up; returns the memory and the number of moves. AssertionError
    if a game is not repeated as it was."""
    first_time: dict[int, Played] = {}
    memory: list[int] = []
    moves = 0
    with Started() as program:
        process = psutil.Process(program.process.pid)
        program.send("".join(f"INFO {setting}\n" for setting in SETTINGS).encode())
        for game in range(games):
            kind = game % KINDS
            played = play(program, kind)
            moves += len(played.moves) - OPENING_STONES
            if first_time.setdefault(kind, played) != played:
                raise AssertionError(f"game {game}: {played}, first {first_time[kind]}")
            if game + 1 >= warm_up_games:
                memory.append(process.memory_info().rss)
        program.send(b"END\n")
        program.end(0, PATIENCE_S)
    return Memory(memory[0], memory[-1], max(memory)), moves


def _ask(program: Started, line: str, wanted: str = "") -> tuple[str, int]:
    """The answer to a command, and the nodes of the last report before it."""
    program.send(f"{line}\n".encode())
    nodes = 0
    while True:
        lines = program.read(PATIENCE_S)
        if not lines:
            raise Stuck(f"no answer to {line}")
        for said in lines:
            report = NODES.match(said)
            if report:
                nodes = int(report[1])
            elif not said.startswith("MESSAGE "):
                if wanted and said != wanted or not wanted and "," not in said:
                    raise AssertionError(f"{line} was answered by {said}")
                return said, nodes
