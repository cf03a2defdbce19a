"""The program plays whole games under every rule, judged by the referee. Debug and sanitizer builds
run this file too."""

from __future__ import annotations

import random

import pytest

from tengen.game.referee import BLACK, WHITE, Referee
from tests.protocol.conversation import REAL, Program

OPENING_STONES = 3


def play_game(
    command: list[str], rule: int, width: int, height: int, setting: str, rnd: random.Random
) -> None:
    """A whole game between two processes of `command`, from an opening of chance. `setting` is the
    INFO that both get. AssertionError if a move is not legal or anything is on standard error."""
    board = random_opening(rule, width, height, rnd)
    with Program(command) as one, Program(command) as other:
        for player in (one, other):
            player.tell(f"RECTSTART {width},{height}", f"INFO rule {rule}", f"INFO {setting}")
            player.expect("OK")
        play_on(board, one, other)
        one.end()
        other.end()


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


def play_on(board: Referee, black: Program, white: Program) -> int:
    """Plays a game from its opening to the end; the nodes of all searches. The first move of each
    player is asked for by BOARD, the others by TURN; all by BOARD where one plays both sides."""
    nodes = 0
    while not board.winner() and not board.is_full():
        colour, stones = to_move(board), board.stones()
        player = black if colour == BLACK else white
        if black is white or len(stones) < OPENING_STONES + 2:
            fields = [f"{x},{y},{1 if stone == colour else 2}" for x, y, stone in stones]
            player.tell("BOARD", *fields, "DONE")
        else:
            player.tell("TURN {},{}".format(*stones[-1]))
        x, y = player.read_move(board.height)
        nodes += player.nodes
        assert board.legal(x, y), f"{x},{y} is not legal after {stones}"
        board.play(x, y, colour)
    return nodes


@pytest.mark.parametrize(
    ("rule", "width", "height"),
    [(0, 15, 15), (0, 20, 20), (1, 15, 15), (4, 15, 15), (8, 15, 15), (9, 12, 7)],
)
def test_a_whole_game(rule: int, width: int, height: int) -> None:
    # Nodes instead of time: the same game on every machine.
    play_game(REAL, rule, width, height, "max_node 1000", random.Random(rule))
