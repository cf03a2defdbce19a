"""One iteration at the root of the search.

    search_root    the root moves in one window
    iterate        the best move, in a window around the value of the last iteration
    best_of_rest   the same, with the cells far from every stone if all others lose
"""

from libc.string cimport memcpy

from engine.board cimport Board, make, threat_at, undo
from engine.census cimport COUNT_MOVE
from engine.evaluate cimport evaluate
from engine.ordering cimport PICK_ALL
from engine.patterns cimport THREAT_THREE
from engine.root cimport add_far_root_moves, drop_symmetric_moves, root_mode, sort_root_moves
from engine.search cimport PLY, Search, end_pv, reduction_of, search_move, set_pv
from engine.timeman cimport allow_maximum
from engine.types cimport VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR, int16_t, int64_t, is_mate

cdef int search_root(Search* s, int alpha, int beta, int depth) noexcept nogil:
    """Searches the root moves from s.root.first on within a window and sets their values. Returns
    the best value."""
    cdef Board* b = s.board
    cdef int side = b.side, i, value, best = -VALUE_INFINITE, reduction, own_threat
    cdef int64_t nodes_before
    cdef int first = s.root.first
    end_pv(s, 0)
    s.static_values[0] = evaluate(b, s.net)
    for i in range(first, s.root.count):
        s.root.move[i].value = -VALUE_INFINITE            # not searched yet
    for i in range(first, s.root.count):
        own_threat = threat_at(b, s.root.move[i].cell, side)
        nodes_before = s.nodes
        reduction = 0
        if (i > first and depth >= s.params.root_reduction_depth
                and i - first >= s.params.root_reduction_moves and own_threat < THREAT_THREE):
            reduction = reduction_of(&s.params, depth, i - first) - s.params.root_reduction_less
            reduction = max(min(reduction, depth - 2 * PLY), 0)
        make(b, s.root.move[i].cell, side)
        s.nodes += 1
        s.census.count[COUNT_MOVE] += 1
        value = search_move(s, alpha, beta, depth - PLY, reduction, 1, i == first, True, False)
        undo(b)
        s.root.move[i].nodes += s.nodes - nodes_before
        if s.stopped:
            if value > alpha:           # by how much is not known, but it is better
                end_pv(s, 1)
                set_pv(s, 0, s.root.move[i].cell)
                best = alpha + 1
            return best
        if value <= -VALUE_MATE_FLOOR:
            s.root.move[i].is_lost = True
        if i == first or value > alpha:
            s.root.move[i].value = value
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                set_pv(s, 0, s.root.move[i].cell)
                if alpha >= beta:
                    break
    return best


cdef void play_without_search(Search* s, int cell, int value) noexcept nogil:
    """Sets the move to play and its value, with a line of this one move."""
    s.best = cell
    s.value = value
    s.line[0] = cell
    s.line_length = 1


cdef void keep_line(Search* s) noexcept nogil:
    """Takes the move to play and its line from the principal variation, if there is one."""
    if s.pv_length[0]:
        s.best = s.pv[0][0]
        s.line_length = s.pv_length[0]
        memcpy(s.line, s.pv[0], s.line_length * sizeof(int16_t))


cdef int iterate(Search* s, int depth, int value, int fallback) noexcept nogil:
    """One iteration, in a narrow window around the last value that is widened where it fails.

    A move that fails high and beats `fallback` is kept at once, because a stop may come before its
    value is known.
    """
    cdef int delta = s.params.aspiration_window
    cdef int alpha = -VALUE_INFINITE, beta = VALUE_INFINITE
    cdef bint is_open
    if depth >= s.params.aspiration_depth_plies and not is_mate(value):
        alpha = value - delta
        beta = value + delta
    while True:
        value = search_root(s, alpha, beta, depth * PLY)
        sort_root_moves(&s.root)
        if s.stopped or alpha < value < beta:
            return value
        delta *= s.params.aspiration_growth
        is_open = is_mate(value) or delta > s.params.aspiration_limit
        if value <= alpha:
            allow_maximum(&s.time)
            alpha = -VALUE_INFINITE if is_open else value - delta
        else:
            if value > fallback:
                keep_line(s)
            beta = VALUE_INFINITE if is_open else value + delta


cdef int best_of_rest(Search* s, int depth, int value, int fallback) noexcept nogil:
    """iterate(), and once more with the cells far from every stone if all others lose."""
    value = iterate(s, depth, value, fallback)
    if (value <= -VALUE_MATE_FLOOR and not s.stopped and not s.root.has_far
            and root_mode(s.board) == PICK_ALL):
        add_far_root_moves(&s.root, s.board)
        if s.lines_wanted > 1:
            drop_symmetric_moves(&s.root, s.board)
        value = iterate(s, depth, value, fallback)
    return value


cdef bint is_proven(const Search* s, int value, int depth) noexcept nogil:
    """True for a win that is short enough, and for a loss after an iteration so deep that no defence
    could last longer."""
    return (value >= VALUE_MATE - s.mate_limit
            or (value <= -VALUE_MATE_FLOOR and depth > VALUE_MATE + value))
