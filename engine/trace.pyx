"""Recorded games replayed on a bare board: how fast that is, and what evaluation reads there."""

from libc.stdlib cimport calloc, free

import time
from array import array

from engine.board cimport Board, make, set_up, undo
from engine.evaluate cimport threat_mask
from engine.geometry cimport cell_at
from engine.movegen cimport MoveList, cell_of_key, generate_all
from engine.threats cimport is_settled
from engine.types cimport CELLS, EMPTY, WALL, int16_t

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
    check_position(position)
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
    check_position(position)
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


def codes_of_game(position):
    """What evaluation and ordering read, before every stone of a position and after the last.

    For `tengen lab fit`, which fits the values. A list, one item more than there are stones, of
    (mask, is_decided, cells):

    mask        the kinds of threats of both sides, seen from the side to move (evaluate.pyx)
    is_decided  a side has a five, or the side to move an open four: no static value is needed
    cells       an array of int16, four numbers for each empty cell, row by row: y * 32 + x, the
                code of Black, the code of White, 1 if the search would generate it, else 0
    """
    cdef Board* b
    cdef int x, y, cell, i, side
    cdef bint[CELLS] near
    cdef MoveList list
    check_position(position)
    b = <Board*>calloc(1, sizeof(Board))
    if b == NULL:
        raise MemoryError("no memory for a board")
    try:
        set_up(b, INDEX_OF_NUMBER[position.rule], position.width, position.height, NULL, 0)
        found = []
        stones = position.stones
        for i in range(len(stones) + 1):
            side = stones[i].stone if i < len(stones) else position.side_to_move
            b.side = side
            for cell in range(CELLS):
                near[cell] = False
            generate_all(b, &list)
            for cell in range(list.count):
                near[cell_of_key(list.key[cell])] = True
            cells = array("h")
            for y in range(b.height):
                for x in range(b.width):
                    cell = cell_at(x, y)
                    if b.stone[cell] == EMPTY:
                        cells.extend((y * 32 + x, b.cell[cell].code[0], b.cell[cell].code[1],
                                      near[cell]))
            found.append((threat_mask(b, side), bool(is_settled(b, side)), cells))
            if i < len(stones):
                if stones[i].stone == WALL:
                    raise ValueError("a wall is not a move")
                make(b, cell_at(stones[i].x, stones[i].y), stones[i].stone)
        return found
    finally:
        free(b)
