"""Iterative deepening at the root of the search.

    think          the move for the board's side to move: forced replies, VCF, then iterations
    iterate        one iteration, in a window around the value of the last one
    search_root    all root moves in one window
"""

from libc.string cimport memcpy, memset

from engine.board cimport Board, count_of, empties, ends_block, first_with, make, threat_at, undo
from engine.census cimport (COUNT_AGAIN, COUNT_AGAIN_PV, COUNT_MOVE, COUNT_REDUCED, VCF_AT_ROOT,
                            Census)
from engine.clock cimport now_us
from engine.evaluate cimport evaluate
from engine.forcing cimport QUIET, THREES
from engine.ordering cimport PICK_ALL
from engine.patterns cimport THREAT_FIVE, THREAT_THREE
from engine.root cimport (add_far_root_moves, any_cell, central_cell, drop_symmetric_moves, effort_of,
                          list_root_moves, others_are_lost, root_mode, sort_root_moves)
from engine.rules cimport is_foul, may_be_foul
from engine.search cimport PLY, Search, end_pv, limited_vcf, reduction_of, search, set_pv
from engine.threats cimport MAX_FOURS, static_win
from engine.timeman cimport (Progress, allow_maximum, begin_iteration, elapsed_us, must_stop,
                             nodes_in_time, note_iteration)
from engine.types cimport (NO_CELL, VALUE_DRAW, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR,
                           int16_t, int64_t, is_mate, opponent_of)
from engine.vct cimport MAX_ATTACKS, Standing, Vct, find_vct, start_vct


# -- one iteration ------------------------------------------------------------------------------

cdef int search_root(Search* s, int alpha, int beta, int depth) noexcept nogil:
    """Searches every root move within a window and sets its value. Returns the best value."""
    cdef Board* b = s.board
    cdef int side = b.side, i, value, best = -VALUE_INFINITE, reduction, own_threat
    cdef int64_t nodes_before
    cdef bint is_better
    end_pv(s, 0)
    s.static_values[0] = evaluate(b)
    for i in range(s.root.count):
        s.root.move[i].value = -VALUE_INFINITE            # not searched yet
    for i in range(s.root.count):
        own_threat = threat_at(b, s.root.move[i].cell, side)
        nodes_before = s.nodes
        is_better = False
        make(b, s.root.move[i].cell, side)
        s.nodes += 1
        s.census.count[COUNT_MOVE] += 1
        if i == 0:
            value = -search(s, -beta, -alpha, depth - PLY, 1, False, NO_CELL)
        else:
            reduction = 0
            if (depth >= s.params.root_reduction_depth and i >= s.params.root_reduction_moves
                    and own_threat < THREAT_THREE):
                reduction = reduction_of(s, depth, i) - s.params.root_reduction_less
                if reduction > depth - 2 * PLY:
                    reduction = depth - 2 * PLY
                if reduction < 0:
                    reduction = 0
            s.census.count[COUNT_REDUCED] += reduction > 0
            value = -search(s, -alpha - 1, -alpha, depth - PLY - reduction, 1, True, NO_CELL)
            if value > alpha and reduction and not s.stopped:
                s.census.count[COUNT_AGAIN] += 1
                value = -search(s, -alpha - 1, -alpha, depth - PLY, 1, True, NO_CELL)
            if value > alpha and not s.stopped:
                is_better = True
                s.census.count[COUNT_AGAIN_PV] += 1
                value = -search(s, -beta, -alpha, depth - PLY, 1, False, NO_CELL)
        undo(b)
        s.root.move[i].nodes += s.nodes - nodes_before
        if s.stopped:
            if is_better:               # by how much is not known, but it is better
                end_pv(s, 1)
                set_pv(s, 0, s.root.move[i].cell)
                best = alpha + 1
            return best
        if value <= -VALUE_MATE_FLOOR:
            s.root.move[i].is_lost = True
        if i == 0 or value > alpha:
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


cdef bint decided_at_once(Search* s) noexcept nogil:
    """Chooses the move where no search is needed: the first of the game, a five, a forced or the
    only move, a VCF. True if it did; otherwise the root moves are listed."""
    cdef Board* b = s.board
    cdef int side = b.side, other = opponent_of(side), plies, cell = NO_CELL
    if b.stones == 0:
        play_without_search(s, central_cell(b), 0)
        return True
    if count_of(b, side, THREAT_FIVE):
        play_without_search(s, first_with(b, side, THREAT_FIVE), VALUE_MATE - 1)
        return True
    # Lists every move of the position's category that the rule allows. If there is none, the
    # position is lost: any legal move will do, preferably on the five cell.
    list_root_moves(&s.root, b, s.history, &s.params, root_mode(b))
    if s.root.count == 0:
        if count_of(b, other, THREAT_FIVE):
            cell = first_with(b, other, THREAT_FIVE)
            if may_be_foul(b, side) and is_foul(b, cell):
                list_root_moves(&s.root, b, s.history, &s.params, PICK_ALL)
                cell = s.root.move[0].cell if s.root.count else any_cell(b)
            play_without_search(s, cell, -(VALUE_MATE - 2) if empties(b) >= 2 else VALUE_DRAW)
            return True
        list_root_moves(&s.root, b, s.history, &s.params, PICK_ALL)
        if s.root.count == 0:
            play_without_search(s, any_cell(b), 0)
            return True
    if s.root.count == 1 and not s.is_analysis:
        play_without_search(s, s.root.move[0].cell, evaluate(b))
        s.only_move = True
        return True
    if count_of(b, other, THREAT_FIVE) == 0:
        plies = static_win(b, &cell)
        if plies and plies <= empties(b) and plies <= s.mate_limit:
            play_without_search(s, cell, VALUE_MATE - plies)
            return True
    return found_root_vcf(s)


cdef bint found_root_vcf(Search* s) noexcept nogil:
    """Looks for a win by fours, the shortest first, and makes it the move to play. True if it is
    short enough to be played without a search."""
    cdef int fours = 1, plies, i, budget = s.params.vcf_root_nodes
    cdef int64_t nodes_before = s.nodes
    while fours <= MAX_FOURS:
        plies = limited_vcf(s, fours, budget - <int>(s.nodes - nodes_before), VCF_AT_ROOT)
        if plies and plies <= empties(s.board):
            play_without_search(s, s.vcf.line[0], VALUE_MATE - plies)
            for i in range(s.vcf.line_length):
                s.line[i] = s.vcf.line[i]
            s.line_length = s.vcf.line_length
            s.seldepth = plies
            return plies <= s.mate_limit
        if not s.vcf.cut or s.stop or s.nodes - nodes_before >= budget or must_stop(&s.time):
            return False
        # Tries every length while they are short, then takes longer steps.
        fours += 1 if fours < s.params.vcf_root_lengths else fours // 2
    return False


cdef inline bint has_node_limit(const Search* s) noexcept nogil:
    return s.node_limit < <int64_t>1 << 60


cdef int64_t used_share(Search* s) noexcept nogil:
    """How much of the limits is used up, in per cent; 0 where depth alone limits the search."""
    cdef int64_t share = 0
    if s.time.timed:
        share = elapsed_us(&s.time) * 100 // (s.time.maximum_us + 1)
    if has_node_limit(s) and s.nodes * 100 // s.node_limit > share:
        share = s.nodes * 100 // s.node_limit
    return share


cdef bint found_root_vct(Search* s, int kinds, int per_cent) noexcept nogil:
    """Looks for a win by threats with a share of the limits and makes it the move to play. True if
    it is short enough.

    For analysis only: in play, where the search finds these wins in time, it costs 23 +-19 Elo
    (ledger 13). Short combinations are looked for before the first iteration, long ones and quiet
    threats after the search has used a part of the limits.

    kinds     of moves the attacker has: forcing.THREES or QUIET
    per_cent  of the limits; where depth alone limits the search, vct_untimed_nodes instead
    """
    cdef Vct* v = s.vct
    cdef Standing found
    cdef int64_t threes_before = v.threes_nodes
    if (s.board.stones < s.params.vct_stones
            or count_of(s.board, opponent_of(s.board.side), THREAT_FIVE)):
        return False
    v.node_limit = s.params.vct_untimed_nodes
    v.deadline_us = 0
    if s.time.timed and s.time.nodes_per_s:
        v.node_limit = nodes_in_time(&s.time, s.time.maximum_us * per_cent // 100)
    elif s.time.timed:
        v.node_limit = <int64_t>1 << 62
        v.deadline_us = now_us() + s.time.maximum_us * per_cent // 100
    if has_node_limit(s):
        if v.node_limit > s.node_limit - s.nodes or not s.time.timed:
            v.node_limit = s.node_limit - s.nodes
        if v.node_limit > s.node_limit // 100 * per_cent:
            v.node_limit = s.node_limit // 100 * per_cent
    v.kinds = kinds
    if ends_block(s.board):
        v.kinds = THREES                    # the solver has no quiet threats under caro rules
    # With quiet threats, about half is for threes alone. Under a clock it is counted in nodes: the
    # solver makes one or two stones a microsecond.
    v.threes_nodes = v.node_limit // 2
    if s.time.timed and v.threes_nodes > s.time.maximum_us * per_cent // 100:
        v.threes_nodes = s.time.maximum_us * per_cent // 100
    v.moves_limit = MAX_ATTACKS
    if s.mate_limit < 2 * MAX_ATTACKS - 1:
        v.moves_limit = (s.mate_limit + 1) // 2
    v.vcf_nodes = s.params.vct_leaf_nodes
    v.root_vcf_nodes = s.params.vct_leaf_nodes       # found_root_vcf() has looked further
    start_vct(v, s.board.side)
    find_vct(v, &found)
    v.threes_nodes = threes_before
    s.nodes += v.nodes
    if found.proof or found.plies > empties(s.board) or found.plies > s.mate_limit:
        return False
    play_without_search(s, found.cell, VALUE_MATE - found.plies)
    s.seldepth = found.plies
    return True


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


cdef void think(Search* s) noexcept nogil:
    """Finds the move for the board's side to move: s.best, s.value, s.line, s.depth, s.nodes.

    The board must not be full, and is unchanged afterwards. Calls s.report after every finished
    iteration.
    """
    cdef int depth, value, fallback, best_before
    cdef bint far = False, asked = False
    cdef Progress progress
    s.nodes = 0
    memset(&s.census, 0, sizeof(Census))
    s.next_poll = 0
    s.stopped = False
    s.depth = 0
    s.seldepth = 0
    s.vcf.board = s.board
    s.vcf.nodes = &s.nodes
    s.vcf.salt = s.salt
    s.vcf.memo = s.memo
    s.vcf.params = &s.params
    s.best = NO_CELL
    s.only_move = False
    if decided_at_once(s):
        return
    if s.is_analysis and found_root_vct(s, THREES, s.params.vct_early_share):
        return
    # What is played if the first iteration is not finished: a win that was too long, else the first
    # root move.
    drop_symmetric_moves(&s.root, s.board)
    fallback = s.value if s.best != NO_CELL else -VALUE_INFINITE
    if s.best == NO_CELL:
        play_without_search(s, s.root.move[0].cell, evaluate(s.board))
    value = s.value
    memset(&progress, 0, sizeof(Progress))
    for depth in range(1, s.depth_limit + 1):
        if s.is_analysis and not asked and used_share(s) >= s.params.vct_late_after:
            asked = True
            if s.value < VALUE_MATE_FLOOR and found_root_vct(s, QUIET, s.params.vct_late_share):
                break
        best_before = s.best
        value = iterate(s, depth, value, fallback)
        if (value <= -VALUE_MATE_FLOOR and not s.stopped and not far
                and root_mode(s.board) == PICK_ALL):
            far = True
            add_far_root_moves(&s.root, s.board)
            value = iterate(s, depth, value, fallback)
        # After a stop the best move of the unfinished iteration counts, if it had found one: it
        # begins with the best move of the last iteration, and any other had to beat that.
        if value > fallback:
            keep_line(s)
        if s.stopped:
            break
        s.depth = depth
        s.census.iteration_nodes[depth] = s.nodes
        note_iteration(&progress, value, s.best == best_before, effort_of(&s.root, s.best))
        if value >= fallback:
            s.value = value
            s.report(s)
        # A win is proven. A lost position is searched until no defence could last longer.
        if value >= VALUE_MATE - s.mate_limit:
            break
        if value <= -VALUE_MATE_FLOOR and depth > VALUE_MATE + value:
            break
        if depth >= empties(s.board) or not begin_iteration(&s.time, &progress):
            break
        # The only defence needs no more time.
        if s.time.timed and not s.is_analysis and others_are_lost(&s.root, s.best):
            break
