"""Whole games of a program against itself, through the protocol and judged by the referee."""

from __future__ import annotations

import random

from tengen.game.referee import BLACK, WHITE, Referee
from tests.protocol.conversation import Program

OPENING_STONES = 3


def play_game(
    command: list[str],
    rule: int,
    width: int,
    height: int,
    settings: tuple[str, ...],
    rnd: random.Random,
) -> Referee:
    """Play a game from a random opening to its end; returns the final board.

    Two processes of `command` play. `settings` are the INFO lines they get, such as
    `timeout_turn 50`. AssertionError if a move is not legal or anything appears on standard error.
    """
    board = random_opening(rule, width, height, rnd)
    with Program(command) as one, Program(command) as other:
        players = {BLACK: one, WHITE: other}
        for player in players.values():
            _start(player, board, settings)
        while not board.winner() and not board.is_full():
            colour = to_move(board)
            _ask(players[colour], board, colour)
            x, y = players[colour].read_move(height)
            assert board.legal(x, y), f"{x},{y} is not legal after {board.stones()}"
            board.play(x, y, colour)
        for player in players.values():
            player.send(b"END\n")
            player.expect_exit()
    return board


def random_opening(rule: int, width: int, height: int, rnd: random.Random) -> Referee:
    """A board with OPENING_STONES stones near its middle."""
    board = Referee(width, height, rule)
    while len(board.stones()) < OPENING_STONES:
        x = width // 2 + rnd.randint(-2, 2)
        y = height // 2 + rnd.randint(-2, 2)
        if board.legal(x, y):
            board.play(x, y, to_move(board))
    return board


def to_move(board: Referee) -> int:
    """The colour whose turn it is."""
    return WHITE if len(board.stones()) % 2 else BLACK


def _start(player: Program, board: Referee, settings: tuple[str, ...]) -> None:
    lines = [f"RECTSTART {board.width},{board.height}", f"INFO rule {board.rule}"]
    lines += [f"INFO {setting}" for setting in settings]
    player.send("".join(f"{line}\n" for line in lines).encode("ascii"))
    assert player.read_line() == "OK"


def _ask(player: Program, board: Referee, colour: int) -> None:
    """The first move of each player is asked by BOARD, the others by TURN."""
    stones = board.stones()
    if len(stones) >= OPENING_STONES + 2:
        player.send(b"TURN %d,%d\n" % stones[-1][:2])
        return
    entries = [f"{x},{y},{1 if stone == colour else 2}\n" for x, y, stone in stones]
    player.send("".join(["BOARD\n", *entries, "DONE\n"]).encode("ascii"))
