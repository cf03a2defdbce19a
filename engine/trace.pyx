"""Recorded games replayed on a bare board: how fast that is, and which positions are decided."""

from libc.stdlib cimport calloc, free

import time

from engine.board cimport Board, make, set_up, undo
from engine.geometry cimport cell_at
from engine.threats cimport is_settled
from engine.types cimport CELLS, WALL, int16_t

from engine.model import check_position
from engine.rulebook import INDEX_OF_NUMBER


def make_undo_seconds(position, int repeats):
    """Seconds for playing all stones of a position in order and taking them back, `repeats` times.

    For `tengen bench`, which measures speed without any search. Raises ValueError for walls.
    """
    cdef Board* b
    cdef int16_t cells[CELLS]
    cdef int colours[CELLS]
    cdef int count = 0, i, r
    position = check_position(position)
    for stone in position.stones:
        if stone.stone == WALL:
            raise ValueError("a wall cannot be taken back")
        cells[count] = cell_at(stone.x, stone.y)
        colours[count] = stone.stone
        count += 1
    b = <Board*>calloc(1, sizeof(Board))
    if b == NULL:
        raise MemoryError("no memory for a board")
    try:
        set_up(b, INDEX_OF_NUMBER[position.rule], position.width, position.height, NULL, 0)
        started = time.perf_counter()
        with nogil:
            for r in range(repeats):
                for i in range(count):
                    make(b, cells[i], colours[i])
                for i in range(count):
                    undo(b)
        return time.perf_counter() - started
    finally:
        free(b)


def decided_plies(position):
    """For `tengen lab selfplay`: before every stone of a position and after the last, whether a side
    has a five to make, or the side to move an open four. Raises ValueError for walls."""
    cdef Board* b
    cdef int i, side
    position = check_position(position)
    b = <Board*>calloc(1, sizeof(Board))
    if b == NULL:
        raise MemoryError("no memory for a board")
    try:
        set_up(b, INDEX_OF_NUMBER[position.rule], position.width, position.height, NULL, 0)
        found = []
        stones = position.stones
        for i in range(len(stones) + 1):
            side = stones[i].stone if i < len(stones) else position.side_to_move
            found.append(bool(is_settled(b, side)))
            if i < len(stones):
                if stones[i].stone == WALL:
                    raise ValueError("a wall is not a move")
                make(b, cell_at(stones[i].x, stones[i].y), stones[i].stone)
        return found
    finally:
        free(b)
