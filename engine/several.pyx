"""Several lines: the best moves of a position, each with its exact value (s.lines_wanted).

    begin_lines            before the first iteration
    search_several_lines   one iteration: the best move, then the best of the others, and so on
    are_lines_proven       when no iteration can change a line

A line that is proven, a win or a loss that no defence could delay, is not searched again, and the
search ends when all are.
"""

from libc.string cimport memcpy

from engine.board cimport Board, is_empty, threat_at
from engine.iterate cimport best_of_rest, is_proven, play_without_search
from engine.patterns cimport THREAT_FIVE
from engine.root cimport (RootLine, add_line, drop_symmetric_moves, first_allowed, is_allowed,
                          keep_at_least, list_root_moves, merge_unfinished, root_mode, set_aside)
from engine.search cimport Search
from engine.types cimport (CELLS, NO_CELL, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR, int16_t)


cdef bint are_lines_proven(const Search* s) noexcept nogil:
    """True when no iteration can change a line."""
    cdef int i
    for i in range(s.lines.count):
        if not is_proven(s, s.lines.line[i].value, s.lines.line[i].depth):
            return False
    return s.lines.count == s.lines_wanted or s.lines.count == s.root.count


cdef void play_first_line(Search* s) noexcept nogil:
    """The best of the lines becomes the move to play; those that are not wanted are dropped."""
    cdef const RootLine* line = &s.lines.line[0]
    s.lines.count = min(s.lines.count, s.lines_wanted)
    if s.lines.count:
        s.best = line.cell[0]
        s.value = line.value
        s.line_length = line.length
        memcpy(s.line, line.cell, line.length * sizeof(int16_t))


cdef void add_win(Search* s) noexcept nogil:
    """Adds the win that was found last without an iteration, the move to play, to the lines."""
    cdef RootLine line
    line.value = s.value
    line.depth = 0
    line.seldepth = VALUE_MATE - s.value
    line.length = s.line_length
    memcpy(line.cell, s.line, line.length * sizeof(int16_t))
    if not is_proven(s, line.value, 0):
        s.proof = line
    keep_at_least(&s.lines, &line)
    play_first_line(s)


cdef void begin_lines(Search* s) noexcept nogil:
    """The root moves and the lines before the first iteration: fives, or the win that was found."""
    cdef Board* b = s.board
    cdef int side = b.side, cell, i
    if first_allowed(&s.root, b, side, THREAT_FIVE) != NO_CELL:
        list_root_moves(&s.root, b, s.history, &s.params, s.net, root_mode(b))
        for cell in range(CELLS):
            if (is_empty(b, cell) and is_allowed(&s.root, cell)
                    and threat_at(b, cell, side) == THREAT_FIVE):
                set_aside(&s.root, cell)
        drop_symmetric_moves(&s.root, b)
        for i in range(s.root.count):
            cell = s.root.move[i].cell
            if threat_at(b, cell, side) == THREAT_FIVE:
                play_without_search(s, cell, VALUE_MATE - 1)
                add_win(s)
    else:
        if s.best != NO_CELL:
            add_win(s)
            set_aside(&s.root, s.best)
        drop_symmetric_moves(&s.root, b)
    s.root.first = 0


cdef bint added_line(Search* s, int depth, int value) noexcept nogil:
    """Searches the root moves from s.root.first on and adds the best of them to the new lines; False
    after a stop. value: what is expected"""
    cdef RootLine line
    cdef int seldepth = s.seldepth
    s.seldepth = 0
    line.value = best_of_rest(s, depth, value, VALUE_INFINITE)
    line.depth = depth
    line.seldepth = s.seldepth
    s.seldepth = max(s.seldepth, seldepth)
    if s.stopped:
        return False
    line.length = s.pv_length[0]
    memcpy(line.cell, s.pv[0], line.length * sizeof(int16_t))
    # The search of the best line has shown that no other one is better, though one that is searched
    # with the whole window may look so. A win is a proof, and goes first.
    if s.fresh.count and s.fresh.line[0].value < line.value < VALUE_MATE_FLOOR:
        line.value = s.fresh.line[0].value
    add_line(&s.fresh, &line)
    set_aside(&s.root, line.cell[0])
    return True


cdef void search_several_lines(Search* s, int depth) noexcept nogil:
    """One iteration for all lines, each a search of the root moves that have no line yet.

    Wins that are proven stand first, proven losses last; both stay. No move without a line is better
    than one of these losses.
    """
    cdef int i, won = 0, lost = s.lines.count, value = s.value
    while won < s.lines.count and s.lines.line[won].value >= VALUE_MATE - s.mate_limit:
        won += 1
    while lost > won and is_proven(s, s.lines.line[lost - 1].value, s.lines.line[lost - 1].depth):
        lost -= 1
    s.fresh.count = 0
    s.root.first = 0
    for i in range(won):
        set_aside(&s.root, s.lines.line[i].cell[0])
        add_line(&s.fresh, &s.lines.line[i])
    for i in range(lost, s.lines.count):
        set_aside(&s.root, s.lines.line[i].cell[0])
    for i in range(won, lost):          # then the others, in the order of their lines
        set_aside(&s.root, s.lines.line[i].cell[0])
    s.root.first -= lost - won
    i = won
    while (s.fresh.count + s.lines.count - lost < s.lines_wanted
            and s.root.first < s.root.count):
        if i < lost:
            value = s.lines.line[i].value
        i += 1
        if not added_line(s, depth, value):
            break
    if s.proof.length and s.fresh.count:
        keep_at_least(&s.fresh, &s.proof)
    if s.stopped:
        merge_unfinished(&s.lines, &s.fresh)
    else:
        for i in range(lost, s.lines.count):
            add_line(&s.fresh, &s.lines.line[i])
        s.lines = s.fresh
    play_first_line(s)
