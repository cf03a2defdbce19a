"""Replays the games of a shard on the referee's board, which shares no code with the engine."""

from __future__ import annotations

from tengen.game.referee import BLACK, WHITE, Referee
from tengen.lab.selfplay.setting import cell_of_number
from tengen.lab.selfplay.shards import (
    FIVE,
    FOUL,
    FULL,
    MATE_FLOOR,
    PROVEN,
    Aside,
    Head,
    PlayedGame,
    Shard,
)


def find_fault(shard: Shard) -> str | None:
    """What is wrong with the first game that the rules do not allow or whose result does not follow
    from its moves; None if there is no such game."""
    for index in range(len(shard)):
        fault = fault_of(shard.head, shard.game(index))
        if fault is not None:
            return f"game {shard.head.first + index}: {fault}"
    return None


def fault_of(head: Head, game: PlayedGame) -> str | None:
    """What is wrong with a game; None if nothing is."""
    if not game.moves:
        return "it has no moves"
    board = Referee(head.width, head.height, head.rule)
    cells = [*game.opening, *(move.cell for move in game.moves)]
    foul = None
    for i, number in enumerate(cells):
        cell = cell_of_number(number)
        colour = WHITE if i % 2 else BLACK
        where = f"stone {i + 1}"
        if not board.legal(*cell):
            return f"{where} is not on an empty cell"
        is_last = i + 1 == len(cells)
        foul = board.foul(*cell) if colour == BLACK else None
        if foul is not None and not is_last:
            return f"{where} is a {foul}"
        board.play(*cell, colour)
        if board.winner() and not is_last:
            return f"{where} wins, but the game goes on"
    for i, move in enumerate(game.moves[:-1]):
        if abs(move.value) >= MATE_FLOOR:
            return f"move {i + 1} has a forced win or loss, but the game goes on"
    fault = _fault_of_end(game, board, len(cells), foul)
    for i, aside in enumerate(game.asides):
        fault = fault or _fault_of_aside(head, game, aside, f"position {i + 1} beside the game")
    return fault


def _fault_of_aside(head: Head, game: PlayedGame, aside: Aside, name: str) -> str | None:
    board = Referee(head.width, head.height, head.rule)
    begin = len(game.opening) + aside.after
    cells = [*game.opening, *(move.cell for move in game.moves[: aside.after])]
    for i, number in enumerate((*cells, *aside.line, aside.move.cell)):
        cell = cell_of_number(number)
        colour = WHITE if i % 2 else BLACK
        if not board.legal(*cell):
            return f"{name}: stone {i + 1} is not on an empty cell"
        is_line = begin <= i < begin + len(aside.line)
        if is_line and colour == BLACK and board.foul(*cell) is not None:
            return f"{name}: stone {i + 1} is a foul"
        board.play(*cell, colour)
        if is_line and board.winner():
            return f"{name}: stone {i + 1} wins, so there is nothing to search"
    return None


def _fault_of_end(game: PlayedGame, board: Referee, stones: int, foul: str | None) -> str | None:
    mover = BLACK if stones % 2 else WHITE
    value = game.moves[-1].value
    if game.ending == PROVEN:
        winner = (mover if value > 0 else BLACK + WHITE - mover) if abs(value) >= MATE_FLOOR else 0
        return None if winner and game.winner == winner else "its last value proves another result"
    if abs(value) >= MATE_FLOOR:
        return "its last move has a forced win or loss, but that is not how it ended"
    if (game.ending == FOUL) != (foul is not None):
        return "it ends with a foul" if foul else "its last move is no foul"
    expected = WHITE if game.ending == FOUL else board.winner()
    if game.winner != expected:
        return "its result does not follow from its last move"
    if game.ending == FIVE and not board.winner():
        return "it ended without a five"
    if game.ending == FULL and not board.is_full():
        return "its board is not full"
    return None
