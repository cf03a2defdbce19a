"""Several lines: the best moves of a position, each with its exact value (s.lines_wanted).

    begin_lines            before the first iteration
    search_several_lines   one iteration: the best move, then the best of the others, and so on
    are_lines_proven       when no iteration can change a line

The best move is the one that a search of one line finds. The searches of the others have a domain of
their own, with their own results in the table and the memo, their own history and order of the root
moves. A line that is proven, a win or a loss that no defence could delay, is not searched again, and
the search ends when all are.
"""

from libc.string cimport memcpy

from engine.board cimport Board, is_empty, threat_at
from engine.iterate cimport best_of_rest, is_proven, play_without_search
from engine.ordering cimport History
from engine.patterns cimport THREAT_FIVE
from engine.root cimport (RootLine, RootMoves, add_line, drop_symmetric_moves, first_allowed,
                          is_allowed, keep_at_least, list_root_moves, merge_unfinished, place_of,
                          root_mode, set_aside)
from engine.search cimport Search
from engine.types cimport (CELLS, NO_CELL, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR, int16_t,
                           uint64_t)

cdef uint64_t REST = 0xB5297A4D3F84D5B5     # the domain of the lines after the best; any large number


cdef bint are_lines_proven(const Search* s) noexcept nogil:
    """True when no iteration can change a line."""
    cdef int i
    for i in range(s.lines.count):
        if not is_proven(s, s.lines.line[i].value, s.lines.line[i].depth):
            return False
    return s.lines.count == s.lines_wanted or s.lines.count == s.rest.count


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
    s.rest = s.root


cdef bint copied_lost_lines(Search* s, int begin) noexcept nogil:
    """Takes the lines from `begin` on from the last iteration: lost ones, which stay what they are.
    False where one of their moves is among the new lines already."""
    cdef int i
    if s.lines.count < s.lines_wanted and s.lines.count < s.rest.count:
        return False
    for i in range(begin, s.lines.count):
        if place_of(&s.fresh, s.lines.line[i].cell[0]) < s.fresh.count:
            return False
    for i in range(begin, s.lines.count):
        add_line(&s.fresh, &s.lines.line[i])
    return True


cdef void exchange_domains(Search* s) noexcept nogil:
    """Goes from the domain of the best line to that of the others, or back."""
    cdef RootMoves root = s.root
    cdef History* history = s.history
    s.root = s.rest
    s.rest = root
    s.history = s.rest_history
    s.rest_history = history
    s.domain ^= REST
    s.vcf.salt ^= REST


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
    if s.domain and s.fresh.count and s.fresh.line[0].value < line.value < VALUE_MATE_FLOOR:
        line.value = s.fresh.line[0].value
    add_line(&s.fresh, &line)
    return True


cdef void search_rest(Search* s, int depth, int first, int lost) noexcept nogil:
    """All lines of an iteration but that of the best move, which is known. In the domain of the rest.

    first, lost   the place of the best line among the new ones, and of the first proven loss among
                  those of the last iteration
    """
    cdef int i = first, cell, value = s.fresh.line[first].value
    s.root.first = 0
    while s.root.first <= first:
        set_aside(&s.root, s.fresh.line[s.root.first].cell[0])
    for i in range(s.lines.count):          # then the others, in the order of their lines
        cell = s.lines.line[i].cell[0]
        if place_of(&s.fresh, cell) == s.fresh.count:
            set_aside(&s.root, cell)
    i = first + 1
    while i < s.lines_wanted and i < s.root.count:
        if lost <= i < s.lines.count and copied_lost_lines(s, i):
            return
        if i < s.lines.count:
            value = s.lines.line[i].value
        s.root.first = i
        if not added_line(s, depth, value):
            return
        i += 1


cdef void search_several_lines(Search* s, int depth) noexcept nogil:
    """One iteration for all lines, each a search of the root moves that have no line yet."""
    cdef int i, won = 0, lost = s.lines.count
    # Wins that are proven stand first, proven losses last; they stay.
    while won < s.lines.count and s.lines.line[won].value >= VALUE_MATE - s.mate_limit:
        won += 1
    while lost > won and is_proven(s, s.lines.line[lost - 1].value, s.lines.line[lost - 1].depth):
        lost -= 1
    s.fresh.count = 0
    s.root.first = 0
    for i in range(won):
        set_aside(&s.root, s.lines.line[i].cell[0])
        add_line(&s.fresh, &s.lines.line[i])
    if (won < s.lines_wanted and won < s.root.count
            and not (lost <= won < s.lines.count and copied_lost_lines(s, won))
            and added_line(s, depth, s.lines.line[won].value if won < s.lines.count else s.value)):
        exchange_domains(s)
        search_rest(s, depth, won, lost)
        exchange_domains(s)
    if s.proof.length and s.fresh.count:
        keep_at_least(&s.fresh, &s.proof)
    if s.stopped:
        merge_unfinished(&s.lines, &s.fresh)
    else:
        s.lines = s.fresh
    play_first_line(s)
