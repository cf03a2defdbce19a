"""Lists of stones: (x, y, colour), in the order they were placed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tengen.game.rules.referee import BLACK, WALL, WHITE, Cell, Referee

Stone = tuple[int, int, int]


def in_turns(cells: Iterable[Cell]) -> tuple[Stone, ...]:
    """The moves of a game, Black's first, as stones."""
    return tuple((x, y, WHITE if i % 2 else BLACK) for i, (x, y) in enumerate(cells))


def side_to_move(stones: Iterable[Stone]) -> int | None:
    """Whose turn it is if Black began and turns alternated; None if the numbers of stones say that
    they did not."""
    colours = [colour for _, _, colour in stones]
    return {0: BLACK, 1: WHITE}.get(colours.count(BLACK) - colours.count(WHITE))


def set_up(width: int, height: int, rule: int, stones: Sequence[Stone]) -> Referee:
    """A referee's board with the stones on it; those of the colour WALL are walls, set before the
    first move. ValueError for an impossible board, rule or stone."""
    board = Referee(width, height, rule, ((x, y) for x, y, colour in stones if colour == WALL))
    for x, y, colour in stones:
        if colour != WALL:
            board.play(x, y, colour)
    return board
