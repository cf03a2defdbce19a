"""Positions of games as self-play, the trainer of a net and the speed test read them.

`read_features` gives the inputs of one position to the trainer's kernels. `GameReader` plays games
on a board once, when they are loaded, and notes what needs a board: the threats of
both sides, and whether the position is decided.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import time

from engine.board cimport Board, count_of, make, set_up, undo
from engine.convert cimport put_on_board
from engine.geometry cimport cell_at, line_of, place_on_line
from engine.patterns cimport (RuleTables, THREATS, half_after, half_before, region_of,
                              row_at, row_tables, stone_bits, tally_of)
from engine.threats cimport is_settled
from engine.types cimport BLACK, EMPTY, MAX_STONES, STRIDE, WALL, WHITE, int16_t, uint32_t

from engine.model import check_position
from engine.rulebook import INDEX_OF_NUMBER

# -- one position -----------------------------------------------------------------------------

cdef void start_reader(Reader* r, const RowTables* tables) noexcept nogil:
    """Prepares a reader for positions of the rule of these tables."""
    r.tables = tables
    r.sets = 1 if tables.tables.kind[0] == tables.tables.kind[1] else 2
    r.width = r.height = 0


cdef void empty_board(Reader* r, int width, int height) noexcept nogil:
    """Makes the line keys of an empty board of this size."""
    cdef int x, y, d, cell
    memset(r.empty_key, 0xFF, sizeof(r.empty_key))
    for y in range(height):
        for x in range(width):
            cell = cell_at(x, y)
            for d in range(DIRECTIONS):
                r.empty_key[d][line_of(cell, d)] ^= stone_bits(WALL, place_on_line(cell, d))
    for y in range(height):
        for x in range(width):
            cell = cell_at(x, y)
            for d in range(DIRECTIONS):
                r.base[y * width + x][d] = row_at(r.tables, r.empty_key[d][line_of(cell, d)],
                                                  place_on_line(cell, d))
    r.width = width
    r.height = height


cdef inline void add_near(uint32_t* near, int cell) noexcept nogil:
    """Adds the cells for which a stone makes its neighbours candidates (board.make, step 4)."""
    cdef int row = cell >> 5, place = (cell & (STRIDE - 1)) - 4
    cdef uint32_t square = (<uint32_t>0x7C) << place, star = (<uint32_t>0x92) << place
    near[row] |= (<uint32_t>0x1FF) << place
    near[row - 1] |= square
    near[row + 1] |= square
    near[row - 2] |= square
    near[row + 2] |= square
    near[row - 3] |= star
    near[row + 3] |= star
    star = (<uint32_t>0x111) << place
    near[row - 4] |= star
    near[row + 4] |= star


cdef void read_features(Reader* r, const uint16_t* stones, int count, int width, int height,
                        bint with_candidates, int played, Features* f) noexcept nogil:
    """Reads the position after the first `count` stones.

    with_candidates  whether candidates are wanted: the empty cells near a stone.
    played           the move that was played, as a stone of a game; -1 if unknown.
    """
    cdef const RowTables* t = r.tables
    cdef const RuleTables* p = t.tables
    cdef uint32_t taken[STRIDE]
    cdef uint32_t near[STRIDE]
    cdef int pair[DIRECTIONS]
    cdef int row[DIRECTIONS]
    cdef int i, d, x, y, cell, colour, entry, other
    cdef int mover = count & 1          # 0 Black
    cdef bint is_candidate, is_changed
    cdef uint32_t lines
    cdef uint8_t threat[2]
    if r.width != width or r.height != height:
        empty_board(r, width, height)
    memcpy(r.key, r.empty_key, sizeof(r.key))
    memset(taken, 0, sizeof(taken))
    memset(near, 0, sizeof(near))
    for i in range(count):
        cell = cell_at(stones[i] % STONE_ROW, stones[i] // STONE_ROW)
        colour = BLACK if i % 2 == 0 else WHITE
        for d in range(DIRECTIONS):
            r.key[d][line_of(cell, d)] |= stone_bits(colour, place_on_line(cell, d))
        taken[cell >> 5] |= (<uint32_t>1) << (cell & (STRIDE - 1))
        if with_candidates:
            add_near(near, cell)
    f.cells = f.candidates = 0
    f.chosen = -1
    for y in range(height):
        for x in range(width):
            cell = cell_at(x, y)
            if taken[cell >> 5] >> (cell & (STRIDE - 1)) & 1:
                continue
            is_candidate = near[cell >> 5] >> (cell & (STRIDE - 1)) & 1
            is_changed = False
            for d in range(DIRECTIONS):
                i = place_on_line(cell, d)
                pair[d] = (p.before[half_before(r.key[d][line_of(cell, d)], i)]
                           + p.after[half_after(r.key[d][line_of(cell, d)], i)])
                row[d] = t.row[pair[d]]
                is_changed |= row[d] != r.base[y * width + x][d]
            if not is_changed and not is_candidate:
                continue
            entry = f.cells
            f.cells += 1
            f.cell[entry] = y * width + x
            f.region[entry] = region_of(x, width) + 3 * region_of(y, height)
            lines = 0
            for d in range(DIRECTIONS):
                f.row[entry][mover][d] = row[d]                     # Black's view
                f.row[entry][1 - mover][d] = t.swapped[row[d]]      # White's view
                lines |= (<uint32_t>p.both[pair[d]]) << (8 * d)
            threat[mover] = p.threat[0][tally_of(p, 0, lines)]
            threat[1 - mover] = p.threat[1][tally_of(p, 1, lines)]
            f.pair[entry][0] = threat[0] * THREATS + threat[1]
            f.pair[entry][1] = threat[1] * THREATS + threat[0]
            if r.sets == 2:
                other = 1 - mover       # the view of White
                for d in range(DIRECTIONS):
                    f.row[entry][other][d] += t.rows
                f.pair[entry][other] += THREATS * THREATS
            if is_candidate:
                f.candidate[f.candidates] = entry
                if y * STONE_ROW + x == played:
                    f.chosen = f.candidates
                f.candidates += 1


def patterns_of_rows(int rule):
    """By row of a net, the line patterns of its windows: Black's | White's << 4, as bytes."""
    cdef const RowTables* t = row_tables(INDEX_OF_NUMBER[rule])
    cdef int pair
    patterns = bytearray(t.rows)
    for pair in range(t.tables.half_classes * t.tables.half_classes):
        patterns[t.row[pair]] = t.tables.both[pair]
    return bytes(patterns)


# -- whole games ------------------------------------------------------------------------------

cdef Board* new_board() except NULL:
    cdef Board* b = <Board*>calloc(1, sizeof(Board))
    if b == NULL:
        raise MemoryError("no memory for a board")
    return b


def decided_plies(position):
    """Before every stone of a game and after the last, whether a side has a five to make, or the side
    to move an open four."""
    cdef Board* b = new_board()
    try:
        put_on_board(b, check_position(position))
        found = [bool(is_settled(b, b.side))]
        while b.stones:
            undo(b)
            found.append(bool(is_settled(b, b.side)))
        return found[::-1]
    finally:
        free(b)


def make_undo_seconds(position, int repeats):
    """Seconds for taking back all stones of a position and playing them again, `repeats` times: a
    speed without any search."""
    cdef Board* b = new_board()
    cdef int16_t cells[MAX_STONES]
    cdef int colours[MAX_STONES]
    cdef int count, i, r
    try:
        put_on_board(b, check_position(position))
        count = b.stones
        for i in range(count):
            cells[i] = b.placed[i].cell
            colours[i] = b.stone[cells[i]]
        started = time.perf_counter()
        with nogil:
            for r in range(repeats):
                for i in range(count):
                    undo(b)
                for i in range(count):
                    make(b, cells[i], colours[i])
        return time.perf_counter() - started
    finally:
        free(b)


cdef inline uint32_t packed_threats(const Board* b, int side) noexcept nogil:
    """How many cells have each threat, at most 3: two bits each, the side to move lowest."""
    cdef uint32_t packed = 0
    cdef int view, threat, count
    for view in range(2):
        for threat in range(1, THREATS):
            count = count_of(b, side if view == 0 else 3 - side, threat)
            packed |= (<uint32_t>(3 if count > 3 else count)) << (2 * (8 * view + threat - 1))
    return packed


cdef class GameReader:
    """Plays games of one rule and size on a board, and notes what the trainer needs of each
    position. `rule` is the number in `INFO rule`. Stones are y * 32 + x, Black and White in turn.
    """

    cdef Board* board

    def __cinit__(self, int rule, int width, int height):
        self.board = new_board()
        set_up(self.board, INDEX_OF_NUMBER[rule], width, height, NULL, 0)

    def __dealloc__(self):
        free(self.board)

    cdef int place(self, int stone) except -1:
        """Puts the next stone of a game on the board; ValueError if it cannot be there."""
        cdef int x = stone % STONE_ROW, y = stone // STONE_ROW
        cdef Board* b = self.board
        if x >= b.width or y >= b.height or b.stone[cell_at(x, y)] != EMPTY:
            raise ValueError(f"stone {b.stones + 1} of a game is not on an empty point")
        make(b, cell_at(x, y), b.side)
        return 0

    cdef void clear(self) noexcept:
        while self.board.stones:
            undo(self.board)

    def describe(self, const uint16_t[::1] stones, uint32_t[::1] threats, uint8_t[::1] is_decided):
        """Fills the arrays with one number for the position before each stone:

        threats     counts of cells by threat, at most 3, two bits each: the threats above "none" of
                    the side to move lowest, then the opponent's
        is_decided  1 where a side has a five or the side to move an open four

        Raises ValueError for a stone that is not on an empty point.
        """
        cdef Board* b = self.board
        cdef int i
        try:
            for i in range(stones.shape[0]):
                threats[i] = packed_threats(b, b.side)
                is_decided[i] = is_settled(b, b.side)
                self.place(stones[i])
        finally:
            self.clear()
