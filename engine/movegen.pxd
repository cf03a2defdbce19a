# Moves by category. A list holds a 32-bit key for each move, made of ordering score and cell, so
# that no two keys are equal and the order is the same on every machine (lower cells first).
from engine.board cimport Board, makes_line
from engine.patterns cimport LINE_FOUR, LINE_OPEN_FOUR
from engine.types cimport CELLS, MAX_STONES, int32_t, uint64_t

cdef struct MoveList:
    int count
    int32_t key[MAX_STONES]


cdef inline int32_t move_key(int score, int cell) noexcept nogil:
    return score * CELLS + (CELLS - 1 - cell)


cdef inline int cell_of_key(int32_t key) noexcept nogil:
    return CELLS - 1 - (key & (CELLS - 1))


cdef inline void insert_key(MoveList* list, int at, int32_t key) noexcept nogil:
    """Puts the key in its place among the keys 0..at-1, which are sorted, highest first; those
    below it move up by one, the last of them to place `at`."""
    while at > 0 and list.key[at - 1] < key:
        list.key[at] = list.key[at - 1]
        at -= 1
    list.key[at] = key


cdef inline bint has_line_four(const Board* b, int cell, int side) noexcept nogil:
    """True when a stone of `side` would make a four in some direction."""
    return makes_line(b, cell, side, LINE_FOUR, LINE_OPEN_FOUR)


cdef inline void add_move(MoveList* list, int cell) noexcept nogil:
    """Appends a cell with score 0."""
    list.key[list.count] = move_key(0, cell)
    list.count += 1


cdef void add_cells(MoveList* list, const uint64_t* cells) noexcept nogil
cdef void generate_all(const Board* b, MoveList* list) noexcept nogil
cdef void generate_far(const Board* b, MoveList* list) noexcept nogil
cdef void generate_fours(Board* b, int side, MoveList* list) noexcept nogil
cdef void generate_five_defences(Board* b, int side, MoveList* list) noexcept nogil
cdef void generate_four_defences(Board* b, int side, MoveList* list) noexcept nogil
cdef void add_legal_fouls(Board* b, int side, int weakest, int strongest,
                          MoveList* list) noexcept nogil
cdef void drop_forbidden(Board* b, int side, MoveList* list) noexcept nogil
cdef void sort_by_attack(const Board* b, int side, MoveList* list) noexcept nogil
