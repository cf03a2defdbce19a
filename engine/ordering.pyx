"""The staged move picker and the history that it orders by.

Stages: the table move, before anything is generated; then all moves of the position's category,
best score first. A score is the sum of the table's (move_score; where no reply is forced, at deep
nodes and the root, a share of it and the net's policy), history (of the cell, and of the way from
the last two stones), killer, counter-move and nearness to the last stone. Sorting is lazy, a few
moves at a time: a node with an early cut never sorts the rest.

The history also holds the errors of static values. A net that thinks too much or too little of a
stone does so in thousands of nodes of a search, so the search keeps the mean error by the last stone,
by the stone before and by both, and corrects further values by it. Chess engines keep it by what
changes seldom, such as the pawns.
"""

from libc.string cimport memcpy, memset

from engine.board cimport Board, is_empty, last_cell
from engine.evaluate cimport move_score
from engine.geometry cimport DIRECTIONS, step_of
from engine.movegen cimport (MoveList, cell_of_key, generate_all, generate_five_defences,
                             generate_far, generate_four_defences, generate_fours, insert_key,
                             move_key)
from engine.net cimport POLICY_ONE, Net, policies
from engine.params cimport Params, Values
from engine.types cimport CELLS, MAX_STONES, NO_CELL, VALUE_EVAL_LIMIT, int16_t, int32_t, int64_t, uint16_t, uint64_t, uint8_t

cdef enum:
    STAGE_TABLE = 0
    STAGE_GENERATE = 1
    STAGE_REST = 2
    SURPRISE_LIMIT = 32000       # of int16_t
    SORTED_AT_A_TIME = 8         # moves at least: most nodes need no more
    LEAST_TO_SORT_IN_PARTS = 32
    FRACTION = 16                # of a centi-stone, in which errors are kept
    MAX_PLIES = 16               # deeper searches count as much as such a one
    RATE_ONE = 1024


cdef void start_picker(Picker* p, const Params* params, Net* net, const Board* b, int mode,
                       int table_cell, int ply) noexcept nogil:
    """Prepares the picker. table_cell may be NO_CELL; it is ignored if it is not empty."""
    p.params = params
    p.net = net
    p.has_policy = False
    p.surprise = 0
    p.mode = mode
    p.ply = ply
    p.table_cell = table_cell if table_cell != NO_CELL and is_empty(b, table_cell) else NO_CELL
    p.stage = STAGE_TABLE
    p.next = 0
    p.sorted_end = 0


cdef void without_doubles(MoveList* list) noexcept nogil:
    """Removes duplicates (defences that are fours as well)."""
    cdef int i, j, kept = 0
    cdef bint known
    for i in range(list.count):
        known = False
        for j in range(kept):
            if list.key[j] == list.key[i]:
                known = True
                break
        if not known:
            list.key[kept] = list.key[i]
            kept += 1
    list.count = kept


cdef void generate(Picker* p, Board* b) noexcept nogil:
    """The moves of the picker's category, unscored."""
    if p.mode == PICK_FIVE_DEFENCES:
        generate_five_defences(b, b.side, &p.list)
    elif p.mode == PICK_FOUR_DEFENCES:
        generate_four_defences(b, b.side, &p.list)
        generate_fours(b, b.side, &p.list)
        without_doubles(&p.list)
    else:
        generate_all(b, &p.list)


cdef void ask_policy(Picker* p, const Board* b, int32_t* points) noexcept nogil:
    """The policy of every move of the list as an ordering score, and how far each is below their
    mean."""
    cdef uint16_t cells[MAX_STONES]
    cdef int i, count = p.list.count
    cdef int64_t sum = 0, below
    for i in range(count):
        cells[i] = cell_of_key(p.list.key[i])
    policies(p.net, b, cells, count, points)
    for i in range(count):
        sum += points[i]
    for i in range(count):
        below = (sum // count - points[i]) * 100 // POLICY_ONE
        p.surprises[cells[i]] = <int16_t>min(max(below, -SURPRISE_LIMIT), SURPRISE_LIMIT)
        points[i] = <int32_t>(<int64_t>points[i] * p.params.policy_points // POLICY_ONE)
    p.has_policy = count > 0


cdef uint8_t[CELLS] is_near      # by way_between(): at most two cells, on a line
for _d in range(DIRECTIONS):
    for _n in (-2, -1, 1, 2):
        is_near[<int>(_n * step_of(_d) + CELLS // 2)] = 1


cdef void score(Picker* p, Board* b, const History* h) noexcept nogil:
    """Gives every move of the list its ordering score."""
    cdef const Values* v = b.values
    cdef int mover = b.side, i, cell, points, way, count = p.list.count
    cdef const int16_t* quiet = h.quiet[mover - 1]
    cdef const int16_t* to_other = h.reply[mover - 1][0]
    cdef const int16_t* to_own = h.reply[mover - 1][1]
    cdef int shift = p.params.history_shift, table = p.params.policy_table
    cdef int last = last_cell(b, 0), own = last_cell(b, 1)
    cdef int counter = h.counter[mover - 1][last]
    cdef int killer = h.killer[p.ply][0], killer_before = h.killer[p.ply][1]
    cdef int32_t learned[MAX_STONES]
    if p.net != NULL and p.mode == PICK_ALL and p.params.policy_points:
        ask_policy(p, b, learned)
    for i in range(count):
        cell = cell_of_key(p.list.key[i])
        points = move_score(b, cell, mover)
        if p.has_policy:
            points = learned[i] + points * table // 100
        way = way_between(cell, last)
        points += (quiet[cell] + to_other[way] + to_own[way_between(cell, own)]) >> shift
        points += v.near_bonus * is_near[way]
        if cell == killer or cell == killer_before:
            points += v.killer_bonus
        if cell == counter:
            points += v.counter_bonus
        p.list.key[i] = move_key(points, cell)


cdef int bring_best(MoveList* list, int begin) noexcept nogil:
    """Moves the best keys of list.key[begin ...], some twenty of many, to its begin; returns their end.
    At least the best of every eighth key is among them, so they are eight or more. No branch depends
    on a key, since it could not be predicted."""
    cdef int32_t best[SORTED_AT_A_TIME]
    cdef int32_t rest[MAX_STONES]
    cdef int32_t key, least
    cdef int i, k, end = begin, rests = 0
    memcpy(best, &list.key[begin], sizeof(best))
    i = begin + SORTED_AT_A_TIME
    while i + SORTED_AT_A_TIME <= list.count:
        for k in range(SORTED_AT_A_TIME):
            best[k] = max(best[k], list.key[i + k])
        i += SORTED_AT_A_TIME
    least = best[0]
    for k in range(1, SORTED_AT_A_TIME):
        least = min(least, best[k])
    for i in range(begin, list.count):
        key = list.key[i]
        list.key[end] = key             # what stood there is in `rest`, or further in front
        rest[rests] = key
        end += key >= least
        rests += key < least
    memcpy(&list.key[end], rest, rests * sizeof(int32_t))
    return end


cdef void sort_some(Picker* p) noexcept nogil:
    """Puts the best of the moves that are left in order, best first. No two keys are equal, so the order
    is the same on every machine."""
    cdef MoveList* list = &p.list
    cdef int i
    cdef int begin = p.sorted_end
    p.sorted_end = list.count
    if list.count - begin >= LEAST_TO_SORT_IN_PARTS:
        p.sorted_end = bring_best(list, begin)
    for i in range(begin, p.sorted_end):
        insert_key(list, i, list.key[i])


cdef int next_move(Picker* p, Board* b, const History* h) noexcept nogil:
    """The next cell to search, NO_CELL when there is none left.

    The board must be the same at every call. The table move is returned unchecked: the table has it
    from the same position, so it belongs to the category.
    """
    cdef int cell
    if p.stage == STAGE_TABLE:
        p.stage = STAGE_GENERATE
        if p.table_cell != NO_CELL:
            return p.table_cell
    if p.stage == STAGE_GENERATE:
        p.stage = STAGE_REST
        generate(p, b)
        score(p, b, h)
    while p.next < p.list.count:
        if p.next == p.sorted_end:
            sort_some(p)
        cell = cell_of_key(p.list.key[p.next])
        p.next += 1
        if cell != p.table_cell:
            if p.has_policy:
                p.surprise = p.surprises[cell]
            return cell
    return NO_CELL


cdef void add_far_moves(Picker* p, const Board* b) noexcept nogil:
    """Adds a last stage after all moves have been returned: the cells far from every stone. The
    search asks for it before it takes a position for lost."""
    generate_far(b, &p.list)
    p.next = 0
    p.sorted_end = 0
    p.has_policy = False
    p.surprise = 0


# -- history ------------------------------------------------------------------------------------

cdef inline void add_points(int16_t* entry, int points, int limit) noexcept nogil:
    """Adds points; the closer the entry is to +-limit, the less it changes, so it stays within."""
    entry[0] += points - entry[0] * abs(points) // limit


cdef inline void add_to_all(History* h, const Board* b, int cell, int points,
                            int limit) noexcept nogil:
    """Adds points to what the history has of a move of the side to move."""
    cdef int side = b.side - 1
    add_points(&h.quiet[side][cell], points, limit)
    add_points(&h.reply[side][0][way_between(cell, last_cell(b, 0))], points, limit)
    add_points(&h.reply[side][1][way_between(cell, last_cell(b, 1))], points, limit)


cdef void reward(History* h, const Params* params, const Board* b, int ply, int depth, int best,
                 const int16_t* tried, int tried_count) noexcept nogil:
    """A quiet move caused a cut: it gains points, the quiet moves tried before it lose some.

    tried  the cells searched before `best` at this node, whose position is on the board
    """
    cdef int limit = params.history_limit, i
    cdef int points = min(params.history_points * depth * depth, params.history_points_limit, limit)
    add_to_all(h, b, best, points, limit)
    for i in range(tried_count):
        add_to_all(h, b, tried[i], -points, limit)
    h.counter[b.side - 1][last_cell(b, 0)] = best
    if h.killer[ply][0] != best:
        h.killer[ply][1] = h.killer[ply][0]
        h.killer[ply][0] = best


cdef void forget_history(History* h) noexcept nogil:
    """Clears the history, as if nothing had been searched yet."""
    memset(h, 0, sizeof(History))


cdef void age_history(History* h, const Params* params) noexcept nogil:
    """Prepares the history for the next move of a game: points shrink, killers are cleared."""
    cdef int colour, cell
    for colour in range(2):
        for cell in range(CELLS):
            h.quiet[colour][cell] //= params.history_age_divisor
            h.reply[colour][0][cell] //= params.history_age_divisor
            h.reply[colour][1][cell] //= params.history_age_divisor
    memset(h.killer, 0, sizeof(h.killer))


# -- correction history -------------------------------------------------------------------------

cdef inline int place_of_both(int last, int own) noexcept nogil:
    """Where the error after these two stones is kept; the golden ratio spreads the pairs."""
    cdef uint64_t pair = <uint64_t>(last * CELLS + own)
    return <int>((pair * <uint64_t>0x9E3779B97F4A7C15) >> (64 - BOTH_BITS))


cdef int corrected(const CorrectionHistory* e, const Params* p, const Board* b, int value) noexcept nogil:
    """A static value of this position, with a share of the mean errors added."""
    cdef int side = b.side - 1, last = last_cell(b, 0), own = last_cell(b, 1)
    cdef int error = e.last[side][last] + e.own[side][own] + e.both[side][place_of_both(last, own)]
    value += error * p.error_share // (100 * FRACTION)
    return min(max(value, -VALUE_EVAL_LIMIT), VALUE_EVAL_LIMIT)


cdef inline void approach(int16_t* mean, int error, int rate) noexcept nogil:
    mean[0] += <int16_t>((error - mean[0]) * rate // RATE_ONE)


cdef void learn_error(CorrectionHistory* e, const Params* p, const Board* b, int error,
                      int depth_plies) noexcept nogil:
    """A search of this position has shown by how much its static value is too low, in centi-stones.
    The deeper it was, the more it counts."""
    cdef int side = b.side - 1, last = last_cell(b, 0), own = last_cell(b, 1)
    cdef int rate = min(max(depth_plies, 0) + 1, MAX_PLIES) * p.error_rate
    error = min(max(error, -p.error_limit), p.error_limit) * FRACTION
    approach(&e.last[side][last], error, rate)
    approach(&e.own[side][own], error, rate)
    approach(&e.both[side][place_of_both(last, own)], error, rate)
