"""Iterative deepening at the root of the search.

    think        the move for the board's side to move: forced replies, VCF, then iterations
    help_think   the iterations of a helper, another thread at the same position

An iteration searches the root moves in a window around the value of the last one (iterate). Where
several lines are wanted (s.multipv), it searches the best move, then the best of the others, and so on,
each for its exact value. A line that is proven, a win or a loss that no defence could delay, is not
searched again, and the search ends when all are.
"""

from libc.string cimport memcpy, memset

from engine.board cimport (Board, count_of, empties, ends_block, is_empty, make, position_key,
                           threat_at, undo)
from engine.clock cimport now_us
from engine.evaluate cimport evaluate
from engine.forcing cimport QUIET, THREES
from engine.intrinsics cimport add_count, load_flag, store_count, store_flag
from engine.ordering cimport PICK_ALL
from engine.patterns cimport THREAT_FIVE, THREAT_THREE
from engine.root cimport (RootLine, add_far_root_moves, add_line, any_cell, central_cell,
                          drop_symmetric_moves, effort_of, first_allowed, forget_now, is_allowed,
                          keep_at_least, list_opening_moves, list_root_moves, merge_unfinished,
                          note_lost, others_are_lost, root_mode, set_aside, sort_root_moves)
from engine.rules cimport is_forbidden
from engine.search cimport (COUNT_MOVE, VCF_AT_ROOT, PLY, Search, clear_counts, end_pv, limited_vcf, nodes_of_all,
                            prepare_vcf, reduction_of, report_nodes, search_move, set_pv)
from engine.threats cimport MAX_FOURS, static_win
from engine.timeman cimport (Progress, allow_maximum, begin_iteration, elapsed_us, must_stop,
                             note_iteration, note_look)
from engine.tt cimport Found, probe
from engine.types cimport (CELLS, NO_CELL, NO_LIMIT, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR,
                           int16_t, int64_t, is_mate, opponent_of)
from engine.vct cimport MAX_ATTACKS, Standing, Vct, find_vct, start_vct

cdef enum:
    VCT_SPARE_NODES = 16    # what else a look with the threat solver may exceed its limit by


# -- the lines ----------------------------------------------------------------------------------

cdef void set_line(RootLine* line, int cell, int value) noexcept nogil:
    """A line of one move that no iteration has searched."""
    line.value = value
    line.depth = 0
    line.seldepth = 0
    line.length = 1
    line.cell[0] = cell


cdef void play_without_search(Search* s, int cell, int value) noexcept nogil:
    """Sets the move to play and its value: the only line, of this one move."""
    set_line(&s.lines.line[0], cell, value)
    s.lines.count = 1


cdef void take_pv(const Search* s, RootLine* line) noexcept nogil:
    """Gives the line the moves of the principal variation, if there is one."""
    if s.pv_length[0]:
        line.length = s.pv_length[0]
        memcpy(line.cell, s.pv[0], line.length * sizeof(int16_t))


cdef bint is_proven(const Search* s, const RootLine* line) noexcept nogil:
    """True for a win that is short enough, and for a loss after an iteration so deep that no defence
    could last longer."""
    return (line.value >= VALUE_MATE - s.mate_limit
            or (line.value <= -VALUE_MATE_FLOOR and line.depth > VALUE_MATE + line.value))


cdef bint are_lines_proven(const Search* s) noexcept nogil:
    """True when no iteration can change a line."""
    cdef int i
    for i in range(s.lines.count):
        if not is_proven(s, &s.lines.line[i]):
            return False
    return s.lines.count == s.multipv or s.lines.count == s.root.count


cdef void add_win(Search* s, RootLine* win) noexcept nogil:
    """Adds a win that was found without an iteration to the lines."""
    win.seldepth = VALUE_MATE - win.value
    if not is_proven(s, win):
        s.proof = win[0]
    keep_at_least(&s.lines, win)
    s.lines.count = min(s.lines.count, s.multipv)


cdef void begin_lines(Search* s) noexcept nogil:
    """The lines before the first iteration: all fives, the win that was found, or the first root
    move, which is played if no iteration is finished. Of root moves that are mirror images of each
    other one is kept."""
    cdef Board* b = s.board
    cdef int side = b.side, cell, i
    cdef bint has_win = s.lines.count > 0
    cdef RootLine line = s.lines.line[0]
    s.lines.count = 0
    if s.multipv > 1 and first_allowed(&s.root, b, side, THREAT_FIVE) != NO_CELL:
        list_root_moves(&s.root, b, s.history, &s.params, s.net, root_mode(b))
        for cell in range(CELLS):
            if (is_empty(b, cell) and is_allowed(&s.root, cell)
                    and threat_at(b, cell, side) == THREAT_FIVE):
                set_aside(&s.root, cell)
        drop_symmetric_moves(&s.root, b)
        for i in range(s.root.count):
            cell = s.root.move[i].cell
            if threat_at(b, cell, side) == THREAT_FIVE:
                set_line(&line, cell, VALUE_MATE - 1)
                add_win(s, &line)
    else:
        if has_win:
            add_win(s, &line)
            if s.multipv > 1:
                set_aside(&s.root, line.cell[0])
        drop_symmetric_moves(&s.root, b)
        if not has_win:
            play_without_search(s, s.root.move[0].cell, evaluate(b, s.net))
    s.root.first = 0


# -- before the iterations ----------------------------------------------------------------------

cdef bint decided_at_once(Search* s) noexcept nogil:
    """Chooses the move where no search is needed: the first of the game, a five, a forced or the
    only move, a VCF. True if it did; otherwise the root moves are listed."""
    cdef Board* b = s.board
    cdef int side = b.side, other = opponent_of(side), plies, cell = NO_CELL
    if b.stones == 0:
        if s.multipv > 1 or s.is_analysis:
            list_opening_moves(&s.root, b)
            return False
        play_without_search(s, central_cell(&s.root, b), 0)
        return True
    cell = first_allowed(&s.root, b, side, THREAT_FIVE)
    if cell != NO_CELL:
        play_without_search(s, cell, VALUE_MATE - 1)
        return True
    # Lists every move of the position's category that the rule and the limits allow. If there is
    # none, the position is lost: any legal move will do, preferably on the five cell.
    list_root_moves(&s.root, b, s.history, &s.params, s.net, root_mode(b))
    if s.root.count == 0:
        if count_of(b, other, THREAT_FIVE):
            cell = first_allowed(&s.root, b, other, THREAT_FIVE)
            if cell == NO_CELL or is_forbidden(b, cell, side):
                list_root_moves(&s.root, b, s.history, &s.params, s.net, PICK_ALL)
                cell = s.root.move[0].cell if s.root.count else any_cell(&s.root, b)
            play_without_search(s, cell, -(VALUE_MATE - 2))
            return True
        list_root_moves(&s.root, b, s.history, &s.params, s.net, PICK_ALL)
        if s.root.count == 0 and s.root.has_excluded:
            add_far_root_moves(&s.root, b)
        if s.root.count == 0:
            cell = any_cell(&s.root, b)
            play_without_search(s, cell, -(VALUE_MATE - 2) if is_forbidden(b, cell, side) else 0)
            return True
    if s.root.count == 1 and not s.is_analysis and not s.root.has_excluded:
        play_without_search(s, s.root.move[0].cell, evaluate(b, s.net))
        s.only_move = True
        return True
    if count_of(b, other, THREAT_FIVE) == 0:
        plies = static_win(b, &cell)
        if plies and plies <= empties(b) and plies <= s.mate_limit and is_allowed(&s.root, cell):
            play_without_search(s, cell, VALUE_MATE - plies)
            return True
    return found_root_vcf(s)


cdef bint found_root_vcf(Search* s) noexcept nogil:
    """Looks for a win by fours, the shortest first, and makes it the move to play. True if it is
    short enough to be played without a search.

    If the budget is used up, a win of any length is looked for with another. That may take far fewer
    nodes: without a limit of length every position that has no win is remembered, with one
    only those in which no line was cut.
    """
    cdef int fours = 1, plies, budget = s.params.vcf_root_nodes
    cdef int64_t nodes_before = s.nodes
    while True:
        plies = limited_vcf(s, fours, budget - <int>(s.nodes - nodes_before), VCF_AT_ROOT)
        note_look(&s.time, now_us())
        if plies and plies <= empties(s.board):
            if not is_allowed(&s.root, s.vcf.line[0]):
                return False            # the search finds what other fours lead to
            play_without_search(s, s.vcf.line[0], VALUE_MATE - plies)
            s.lines.line[0].length = s.vcf.line_length
            memcpy(s.lines.line[0].cell, s.vcf.line, s.vcf.line_length * sizeof(int16_t))
            s.seldepth = plies
            return plies <= s.mate_limit
        if (not s.vcf.cut or load_flag(&s.shared.stop) or must_stop(&s.time)
                or (fours == MAX_FOURS and not s.vcf.late)):
            return False
        # Tries every length while they are short, then takes longer steps. After a ponder hit, which
        # has broken one off, the same one again.
        if s.nodes - nodes_before >= budget:
            fours = MAX_FOURS
            budget += s.params.vcf_long_nodes
        elif not s.vcf.late:
            fours = min(fours + (1 if fours < s.params.vcf_root_lengths else fours // 2), MAX_FOURS)


cdef int64_t used_share(Search* s) noexcept nogil:
    """How much of the limits is used up, in per cent; 0 where depth alone limits the search."""
    cdef int64_t share = 0
    if s.time.timed:
        share = elapsed_us(&s.time) * 100 // (s.time.maximum_us + 1)
    if s.node_limit != NO_LIMIT:
        share = max(share, nodes_of_all(s) * 100 // s.node_limit)
    return share


cdef bint limit_look(Search* s, int per_cent) noexcept nogil:
    """Gives the threat solver a share of the limits, where depth alone limits the search
    vct_untimed_nodes instead. False if no node is left for it."""
    cdef Vct* v = s.vct
    cdef int64_t share_us = s.time.maximum_us * per_cent // 100, left
    v.node_limit = s.params.vct_untimed_nodes
    v.deadline_us = 0
    if s.time.timed:
        v.node_limit = NO_LIMIT
        v.deadline_us = min(now_us() + share_us,
                            s.time.start_us + s.time.gift_us + s.time.maximum_us)
    if s.node_limit != NO_LIMIT:
        # To list moves, which can take a stone for each cell, the solver goes beyond its limit.
        left = s.node_limit - nodes_of_all(s) - empties(s.board) - VCT_SPARE_NODES
        if left <= 0:
            return False
        v.node_limit = min(left, s.node_limit // 100 * per_cent)
    # With quiet threats, about half is for threes alone. Under a clock it is counted in nodes: the
    # solver makes one or two stones a microsecond.
    v.threes_nodes = v.node_limit // 2
    if s.time.timed:
        v.threes_nodes = min(v.threes_nodes, share_us)
    return True


cdef bint found_root_vct(Search* s, int kinds, int per_cent, RootLine* win) noexcept nogil:
    """Looks for a win by threats with a share of the limits. True if it finds one that is short
    enough, which is then in `win`.

    For analysis only: in play, where the search finds these wins in time, it costs 23 +-19 Elo.
    Short combinations are looked for before the first iteration, long ones and quiet
    threats after the search has used a part of the limits.

    kinds     of moves the attacker has: forcing.THREES or QUIET
    per_cent  of the limits, as for limit_look()
    """
    cdef Vct* v = s.vct
    cdef Standing found
    cdef int64_t threes_before = v.threes_nodes, reserved
    if (s.board.stones < s.params.vct_stones
            or count_of(s.board, opponent_of(s.board.side), THREAT_FIVE)
            or not limit_look(s, per_cent)):
        return False
    reserved = v.node_limit if s.node_limit != NO_LIMIT else 0
    # Under caro rules quiet threats take long, as a four has several answers.
    v.kinds = THREES if ends_block(s.board) else kinds
    v.moves_limit = min((s.mate_limit + 1) // 2, MAX_ATTACKS)
    v.level = 0
    v.threat_nodes = s.params.solver_threat_vcf_nodes
    v.vcf_nodes = s.params.vct_leaf_nodes
    v.root_vcf_nodes = s.params.vct_leaf_nodes       # found_root_vcf() has looked further
    start_vct(v, s.board.side)
    add_count(&s.shared.nodes, reserved)             # so that the helpers leave these nodes
    find_vct(v, &found)
    note_look(&s.time, now_us())
    add_count(&s.shared.nodes, -reserved)
    v.threes_nodes = threes_before
    s.nodes += v.nodes
    if (found.proof or found.plies > empties(s.board) or found.plies > s.mate_limit
            or not is_allowed(&s.root, found.cell)):
        return False
    set_line(win, found.cell, VALUE_MATE - found.plies)
    s.seldepth = found.plies
    return True


# -- one iteration ------------------------------------------------------------------------------

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
        if (i > first and depth >= s.params.root_lmr_depth
                and i - first >= s.params.root_lmr_moves and own_threat < THREAT_THREE):
            reduction = reduction_of(&s.params, depth, i - first) - s.params.root_lmr_less
            reduction = max(min(reduction, depth - 2 * PLY), 0)
        store_flag(&s.root.now, s.root.move[i].cell)
        make(b, s.root.move[i].cell, side)
        s.nodes += 1
        s.stats.count[COUNT_MOVE] += 1
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
            note_lost(&s.root, &s.root.move[i])
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
                take_pv(s, &s.lines.line[0])
            beta = VALUE_INFINITE if is_open else value + delta


cdef int best_of_rest(Search* s, int depth, int value, int fallback) noexcept nogil:
    """iterate(), and once more with the cells far from every stone if all others lose."""
    value = iterate(s, depth, value, fallback)
    if (value <= -VALUE_MATE_FLOOR and not s.stopped and not s.root.has_far
            and root_mode(s.board) == PICK_ALL):
        add_far_root_moves(&s.root, s.board)
        if s.multipv > 1:
            drop_symmetric_moves(&s.root, s.board)
        value = iterate(s, depth, value, fallback)
    return value


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
    take_pv(s, &line)
    # The search of the best line has shown that no other one is better, though one that is searched
    # with the whole window may look so. A win is a proof, and goes first.
    if s.fresh.count and s.fresh.line[0].value < line.value < VALUE_MATE_FLOOR:
        line.value = s.fresh.line[0].value
    add_line(&s.fresh, &line)
    set_aside(&s.root, line.cell[0])
    return True


cdef int search_lines(Search* s, int depth, int value, int fallback) noexcept nogil:
    """One iteration: sets all lines, each by a search of the root moves that have no line yet. Returns
    the value of the best move. value, fallback: as for iterate()

    After a stop the best move of the unfinished iteration counts, if it had found one: it begins
    with the best move of the last iteration, and any other had to beat that.
    Of several lines, wins that are proven stand first, proven losses last; both stay. No move without
    a line is better than one of these losses.
    """
    cdef RootLine* best = &s.lines.line[0]
    cdef int i, won = 0, lost = s.lines.count
    if s.multipv == 1:
        value = best_of_rest(s, depth, value, fallback)
        if value > fallback:
            take_pv(s, best)
        if value >= fallback and not s.stopped:
            best.value = value
            best.depth = depth
        return value
    value = best.value
    while won < s.lines.count and s.lines.line[won].value >= VALUE_MATE - s.mate_limit:
        won += 1
    while lost > won and is_proven(s, &s.lines.line[lost - 1]):
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
    while (s.fresh.count + s.lines.count - lost < s.multipv
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
    s.lines.count = min(s.lines.count, s.multipv)
    return best.value


# -- all iterations -----------------------------------------------------------------------------

cdef void add_reply(Search* s) noexcept nogil:
    """Adds the expected reply to a line of one move, if the transposition table has one.

    A search that is stopped where a move fails high knows that the move is better, but no line; an
    only move is not searched at all. The reply is needed to ponder on.
    """
    cdef Board* b = s.board
    cdef RootLine* line = &s.lines.line[0]
    cdef Found found
    if line.length != 1 or line.value >= VALUE_MATE_FLOOR or empties(b) < 2:
        return
    make(b, line.cell[0], b.side)
    probe(s.table, position_key(b), 1, &found)
    if (found.hit and found.cell != NO_CELL and is_empty(b, found.cell)
            and not is_forbidden(b, found.cell, b.side)):
        line.cell[1] = found.cell
        line.length = 2
    undo(b)


cdef void think(Search* s) noexcept nogil:
    """Finds the move for the board's side to move: s.lines, of which the first begins with it, s.depth
    and s.nodes. There is one line where no search is needed.

    The board must not be full, and is unchanged afterwards. Calls s.before_iterations if there will
    be iterations, and s.report after every finished one.
    """
    cdef RootLine* best = &s.lines.line[0]
    cdef int depth, value, fallback, best_before
    cdef bint asked = False
    cdef Progress progress
    cdef RootLine win
    clear_counts(s)
    store_count(&s.shared.nodes, 0)
    store_flag(&s.shared.decided, 0)
    prepare_vcf(s)
    forget_now(&s.root)
    s.only_move = False
    s.lines.count = 0
    s.proof.length = 0
    if decided_at_once(s) or (s.is_analysis
                              and found_root_vct(s, THREES, s.params.vct_early_share, best)):
        s.lines.count = 1
        if s.multipv == 1 or best.value < VALUE_MATE_FLOOR:
            if s.only_move:
                add_reply(s)
            return
    begin_lines(s)
    if are_lines_proven(s):
        return
    # A win that was too long is played unless the search finds a better one.
    fallback = s.proof.value if s.proof.length else -VALUE_INFINITE
    value = best.value
    s.before_iterations(s)
    memset(&progress, 0, sizeof(Progress))
    for depth in range(1, s.depth_limit + 1):
        if s.is_analysis and not asked and used_share(s) >= s.params.vct_late_after:
            asked = True
            if (best.value < VALUE_MATE_FLOOR
                    and found_root_vct(s, QUIET, s.params.vct_late_share, &win)):
                add_win(s, &win)
                if are_lines_proven(s):
                    break
        best_before = best.cell[0]
        value = search_lines(s, depth, value, fallback)
        if s.stopped:
            break
        s.depth = depth
        s.stats.iteration_nodes[depth] = nodes_of_all(s)
        note_iteration(&progress, value, best.cell[0] == best_before,
                       effort_of(&s.root, best.cell[0]))
        if value >= fallback:
            s.report(s)
        # A win is proven. A lost position is searched until no defence could last longer.
        if are_lines_proven(s):
            break
        if depth >= empties(s.board) or not begin_iteration(&s.time, &progress):
            break
        # The only defence needs no more time. Where it loses as well, the longest one is looked for.
        if (s.time.timed and not s.is_analysis and s.multipv == 1
                and value > -VALUE_MATE_FLOOR and others_are_lost(&s.root, best.cell[0])):
            break
    if s.multipv == 1:
        add_reply(s)


# -- helpers ------------------------------------------------------------------------------------

cdef inline bint leaves_out(int number, int depth) noexcept nogil:
    """True for the depths that the helper of this number (from 1) leaves out: every second one, or
    two or more in a row, so that the helpers are at different depths at the same time."""
    cdef int width = 1 + number // 2 % 4
    return (depth + number) // width % 2 == 1


cdef void help_think(Search* s, int number) noexcept nogil:
    """What a helper does: iterations over the root moves it was given, without a clock. Its results
    help the other threads through the transposition table. s.depth and the only
    line are those of the last finished iteration (s.depth 0: none).

    number   of the helper, from 1
    """
    cdef RootLine* best = &s.lines.line[0]
    cdef int depth, value = evaluate(s.board, s.net)
    s.lines.count = 1
    clear_counts(s)
    prepare_vcf(s)
    for depth in range(1, s.depth_limit + 1):
        if leaves_out(number, depth):
            continue
        value = best_of_rest(s, depth, value, VALUE_INFINITE)
        if s.stopped:
            break
        take_pv(s, best)
        s.depth = best.depth = depth
        best.value = value
        if value >= VALUE_MATE - s.mate_limit:
            store_flag(&s.shared.decided, 1)        # a win is a proof: the others may end
            break
        if is_proven(s, best) or depth >= empties(s.board):
            break
    report_nodes(s)
