"""Iterative deepening at the root of the search.

    think          the move for the board's side to move: forced replies, VCF, then iterations
    help_iterate   the iterations of a helper, another thread at the same position
    search_lines   one iteration: the best move, or several lines
    iterate        the best move of an iteration, in a window around the value of the last one
    search_root    the root moves in one window

Where several lines are wanted (s.lines_wanted), an iteration looks for the best move, then for the
best of the others, and so on; so each has its exact value. A line that is proven, a win or a loss
that no defence could delay, is not searched again, and the search ends when all are.
"""

from libc.string cimport memcpy, memset

from engine.atomic cimport add_count, load_flag, store_count, store_flag
from engine.board cimport (Board, count_of, empties, ends_block, first_with, is_empty, make,
                           position_key, threat_at, undo)
from engine.census cimport (COUNT_AGAIN, COUNT_AGAIN_PV, COUNT_MOVE, COUNT_REDUCED, VCF_AT_ROOT)
from engine.clock cimport now_us
from engine.evaluate cimport evaluate
from engine.forcing cimport QUIET, THREES
from engine.ordering cimport PICK_ALL
from engine.patterns cimport THREAT_FIVE, THREAT_THREE
from engine.root cimport (RootLine, add_far_root_moves, add_line, any_cell, central_cell,
                          drop_symmetric_moves, effort_of, keep_at_least, list_opening_moves,
                          list_root_moves, merge_unfinished, others_are_lost, place_of, root_mode,
                          set_aside, sort_root_moves)
from engine.rules cimport is_forbidden, is_foul, may_be_foul
from engine.search cimport (PLY, Search, clear_counts, end_pv, limited_vcf, nodes_of_all,
                            reduction_of, report_nodes, search, set_pv)
from engine.threats cimport MAX_FOURS, static_win
from engine.timeman cimport (Progress, allow_maximum, begin_iteration, elapsed_us, must_stop,
                             nodes_in_time, note_iteration)
from engine.tt cimport Found, probe
from engine.types cimport (CELLS, NO_CELL, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR,
                           int16_t, int64_t, is_mate, opponent_of)
from engine.vct cimport MAX_ATTACKS, Standing, Vct, find_vct, start_vct

cdef enum:
    VCT_SPARE_NODES = 16    # what else a look with the threat solver may exceed its limit by


# -- one iteration ------------------------------------------------------------------------------

cdef int search_root(Search* s, int alpha, int beta, int depth) noexcept nogil:
    """Searches the root moves from s.root.first on within a window and sets their values. Returns
    the best value."""
    cdef Board* b = s.board
    cdef int side = b.side, i, value, best = -VALUE_INFINITE, reduction, own_threat
    cdef int64_t nodes_before
    cdef bint is_better
    cdef int first = s.root.first
    end_pv(s, 0)
    s.static_values[0] = evaluate(b, s.net)
    for i in range(first, s.root.count):
        s.root.move[i].value = -VALUE_INFINITE            # not searched yet
    for i in range(first, s.root.count):
        own_threat = threat_at(b, s.root.move[i].cell, side)
        nodes_before = s.nodes
        is_better = False
        make(b, s.root.move[i].cell, side)
        s.nodes += 1
        s.census.count[COUNT_MOVE] += 1
        if i == first:
            value = -search(s, -beta, -alpha, depth - PLY, 1, False, NO_CELL)
        else:
            reduction = 0
            if (depth >= s.params.root_reduction_depth and i - first >= s.params.root_reduction_moves
                    and own_threat < THREAT_THREE):
                reduction = reduction_of(s, depth, i - first) - s.params.root_reduction_less
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


cdef bint decided_at_once(Search* s) noexcept nogil:
    """Chooses the move where no search is needed: the first of the game, a five, a forced or the
    only move, a VCF. True if it did; otherwise the root moves are listed."""
    cdef Board* b = s.board
    cdef int side = b.side, other = opponent_of(side), plies, cell = NO_CELL
    if b.stones == 0:
        if s.lines_wanted > 1:
            list_opening_moves(&s.root, b)
            return False
        play_without_search(s, central_cell(b), 0)
        return True
    if count_of(b, side, THREAT_FIVE):
        play_without_search(s, first_with(b, side, THREAT_FIVE), VALUE_MATE - 1)
        return True
    # Lists every move of the position's category that the rule allows. If there is none, the
    # position is lost: any legal move will do, preferably on the five cell.
    list_root_moves(&s.root, b, s.history, &s.params, s.net, root_mode(b))
    if s.root.count == 0:
        if count_of(b, other, THREAT_FIVE):
            cell = first_with(b, other, THREAT_FIVE)
            if may_be_foul(b, side) and is_foul(b, cell):
                list_root_moves(&s.root, b, s.history, &s.params, s.net, PICK_ALL)
                cell = s.root.move[0].cell if s.root.count else any_cell(b)
            play_without_search(s, cell, -(VALUE_MATE - 2))
            return True
        list_root_moves(&s.root, b, s.history, &s.params, s.net, PICK_ALL)
        if s.root.count == 0:
            cell = any_cell(b)
            play_without_search(s, cell, -(VALUE_MATE - 2) if is_forbidden(b, cell, side) else 0)
            return True
    if s.root.count == 1 and not s.is_analysis:
        play_without_search(s, s.root.move[0].cell, evaluate(b, s.net))
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
        if not s.vcf.cut or load_flag(&s.shared.stop) or s.nodes - nodes_before >= budget or must_stop(&s.time):
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
    if has_node_limit(s) and nodes_of_all(s) * 100 // s.node_limit > share:
        share = nodes_of_all(s) * 100 // s.node_limit
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
    cdef int64_t threes_before = v.threes_nodes, left, reserved = 0
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
        if v.deadline_us > s.time.start_us + s.time.gift_us + s.time.maximum_us:
            v.deadline_us = s.time.start_us + s.time.gift_us + s.time.maximum_us
    if has_node_limit(s):
        # To list moves, which can take a stone for each cell, the solver goes beyond its limit.
        left = s.node_limit - nodes_of_all(s) - empties(s.board) - VCT_SPARE_NODES
        if left <= 0:
            return False
        if v.node_limit > left or not s.time.timed:
            v.node_limit = left
        if v.node_limit > s.node_limit // 100 * per_cent:
            v.node_limit = s.node_limit // 100 * per_cent
        reserved = v.node_limit
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
    add_count(&s.shared.nodes, reserved)             # so that the helpers leave these nodes
    find_vct(v, &found)
    add_count(&s.shared.nodes, -reserved)
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


cdef int search_lines(Search* s, int depth, int value, int fallback) noexcept nogil:
    """One iteration: sets the move to play and its line, and all lines where several are wanted.
    Returns the value of the best move. value, fallback: as for iterate()

    After a stop the best move of the unfinished iteration counts, if it had found one: it begins
    with the best move of the last iteration, and any other had to beat that.
    """
    if s.lines_wanted > 1:
        search_several_lines(s, depth)
        return s.value
    value = best_of_rest(s, depth, value, fallback)
    if value > fallback:
        keep_line(s)
    return value


# -- several lines ------------------------------------------------------------------------------

cdef bint is_proven(const Search* s, int value, int depth) noexcept nogil:
    """True for a win that is short enough, and for a loss after an iteration so deep that no defence
    could last longer."""
    return (value >= VALUE_MATE - s.mate_limit
            or (value <= -VALUE_MATE_FLOOR and depth > VALUE_MATE + value))


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
    if s.lines.count > s.lines_wanted:
        s.lines.count = s.lines_wanted
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
    if count_of(b, side, THREAT_FIVE):
        list_root_moves(&s.root, b, s.history, &s.params, s.net, root_mode(b))
        for cell in range(CELLS):
            if is_empty(b, cell) and threat_at(b, cell, side) == THREAT_FIVE:
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


cdef bint copied_lost_lines(Search* s, int begin) noexcept nogil:
    """Takes the lines from `begin` on from the last iteration: lost ones, which stay what they are.
    False where one of their moves is among the new lines already."""
    cdef int i
    if s.lines.count < s.lines_wanted and s.lines.count < s.root.count:
        return False
    for i in range(begin, s.lines.count):
        if place_of(&s.fresh, s.lines.line[i].cell[0]) < s.fresh.count:
            return False
    for i in range(begin, s.lines.count):
        add_line(&s.fresh, &s.lines.line[i])
    return True


cdef void search_several_lines(Search* s, int depth) noexcept nogil:
    """One iteration for all lines, each a search of the root moves that have no line yet."""
    cdef RootLine line
    cdef int i, won = 0, lost = s.lines.count, value = s.value, seldepth
    # Wins that are proven stand first, proven losses last; they stay.
    while won < s.lines.count and s.lines.line[won].value >= VALUE_MATE - s.mate_limit:
        won += 1
    while lost > won and is_proven(s, s.lines.line[lost - 1].value, s.lines.line[lost - 1].depth):
        lost -= 1
    s.fresh.count = 0
    s.root.first = 0
    for i in range(s.lines.count):          # the moves in the order of their lines
        set_aside(&s.root, s.lines.line[i].cell[0])
        if i < won:
            add_line(&s.fresh, &s.lines.line[i])
    i = won
    while i < s.lines_wanted and i < s.root.count:
        if lost <= i < s.lines.count and copied_lost_lines(s, i):
            break
        if i < s.lines.count:
            value = s.lines.line[i].value
        s.root.first = i
        seldepth = s.seldepth
        s.seldepth = 0
        value = best_of_rest(s, depth, value, VALUE_INFINITE)
        line.value = value
        line.depth = depth
        line.seldepth = s.seldepth
        if seldepth > s.seldepth:
            s.seldepth = seldepth
        if s.stopped:
            break
        line.length = s.pv_length[0]
        memcpy(line.cell, s.pv[0], line.length * sizeof(int16_t))
        add_line(&s.fresh, &line)
        i += 1
    if s.proof.length and s.fresh.count:
        keep_at_least(&s.fresh, &s.proof)
    if s.stopped:
        merge_unfinished(&s.lines, &s.fresh)
    else:
        s.lines = s.fresh
    play_first_line(s)


# -- all iterations -----------------------------------------------------------------------------

cdef void add_reply(Search* s) noexcept nogil:
    """Adds the expected reply to a line of one move, if the transposition table has one.

    A search that is stopped where a move fails high knows that the move is better, but no line. The
    reply is needed to ponder on.
    """
    cdef Board* b = s.board
    cdef Found found
    if s.line_length != 1 or s.value >= VALUE_MATE_FLOOR or empties(b) < 2:
        return
    make(b, s.line[0], b.side)
    probe(s.table, position_key(b), 1, &found)
    if (found.hit and found.cell != NO_CELL and is_empty(b, found.cell)
            and not (may_be_foul(b, b.side) and is_forbidden(b, found.cell, b.side))):
        s.line[1] = found.cell
        s.line_length = 2
    undo(b)


cdef void think(Search* s) noexcept nogil:
    """Finds the move for the board's side to move: s.best, s.value, s.line, s.depth, s.nodes; and
    s.lines where several are wanted, or none of them where no search is needed.

    The board must not be full, and is unchanged afterwards. Calls s.before_iterations if there will
    be iterations, and s.report after every finished one.
    """
    cdef int depth, value, fallback, best_before
    cdef bint asked = False
    cdef Progress progress
    clear_counts(s)
    store_count(&s.shared.nodes, 0)
    store_flag(&s.shared.decided, 0)
    s.vcf.board = s.board
    s.vcf.nodes = &s.nodes
    s.vcf.salt = s.salt
    s.vcf.memo = s.memo
    s.vcf.params = &s.params
    s.best = NO_CELL
    s.only_move = False
    s.lines.count = 0
    s.proof.length = 0
    if decided_at_once(s) or (s.is_analysis
                              and found_root_vct(s, THREES, s.params.vct_early_share)):
        if s.lines_wanted == 1 or s.value < VALUE_MATE_FLOOR:
            return
    # What is played if the first iteration is not finished: a win that was too long, else the first
    # root move.
    if s.lines_wanted > 1:
        begin_lines(s)
        if are_lines_proven(s):
            return
    else:
        drop_symmetric_moves(&s.root, s.board)
    fallback = s.value if s.best != NO_CELL else -VALUE_INFINITE
    if s.best == NO_CELL:
        play_without_search(s, s.root.move[0].cell, evaluate(s.board, s.net))
    value = s.value
    s.before_iterations(s)
    memset(&progress, 0, sizeof(Progress))
    for depth in range(1, s.depth_limit + 1):
        if s.is_analysis and not asked and used_share(s) >= s.params.vct_late_after:
            asked = True
            if s.value < VALUE_MATE_FLOOR and found_root_vct(s, QUIET, s.params.vct_late_share):
                if s.lines_wanted == 1:
                    break
                add_win(s)
        best_before = s.best
        value = search_lines(s, depth, value, fallback)
        if s.stopped:
            break
        s.depth = depth
        s.census.iteration_nodes[depth] = nodes_of_all(s)
        note_iteration(&progress, value, s.best == best_before, effort_of(&s.root, s.best))
        if value >= fallback:
            s.value = value
            s.report(s)
        # A win is proven. A lost position is searched until no defence could last longer.
        if are_lines_proven(s) if s.lines_wanted > 1 else is_proven(s, value, depth):
            break
        if depth >= empties(s.board) or not begin_iteration(&s.time, &progress):
            break
        # The only defence needs no more time.
        if (s.time.timed and not s.is_analysis and s.lines_wanted == 1
                and others_are_lost(&s.root, s.best)):
            break
    if s.lines_wanted == 1:
        add_reply(s)


# -- helpers ------------------------------------------------------------------------------------

cdef inline bint leaves_out(int number, int depth) noexcept nogil:
    """True for the depths that the helper of this number (from 1) leaves out: every second one, or
    two or more in a row, so that the helpers are at different depths at the same time."""
    cdef int width = 1 + number // 2 % 4
    return (depth + number) // width % 2 == 1


cdef void help_iterate(Search* s, int number) noexcept nogil:
    """What a helper does: iterations over the root moves it was given, without a clock. Its results
    help the other threads through the transposition table. s.depth, s.value, s.best and s.line are
    those of the last finished iteration (s.depth 0: none).

    number   of the helper, from 1
    """
    cdef int depth, value = evaluate(s.board, s.net)
    clear_counts(s)
    s.vcf.board = s.board
    s.vcf.nodes = &s.nodes
    s.vcf.salt = s.salt
    s.vcf.memo = s.memo
    s.vcf.params = &s.params
    for depth in range(1, s.depth_limit + 1):
        if leaves_out(number, depth):
            continue
        value = best_of_rest(s, depth, value, VALUE_INFINITE)
        if s.stopped:
            break
        keep_line(s)
        s.depth = depth
        s.value = value
        if value >= VALUE_MATE - s.mate_limit:
            store_flag(&s.shared.decided, 1)        # a win is a proof: the others may end
            break
        if is_proven(s, value, depth) or depth >= empties(s.board):
            break
    report_nodes(s)
