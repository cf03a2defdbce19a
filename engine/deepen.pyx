"""Iterative deepening at the root of the search.

    think          the move for the board's side to move: forced replies, VCF, then iterations
    help_iterate   the iterations of a helper, another thread at the same position

The search of the root moves is in iterate.pyx, what several lines need in several.pyx.
"""

from libc.string cimport memset

from engine.atomic cimport add_count, load_flag, store_count, store_flag
from engine.board cimport (Board, count_of, empties, ends_block, is_empty, make, position_key,
                           undo)
from engine.census cimport VCF_AT_ROOT
from engine.clock cimport now_us
from engine.evaluate cimport evaluate
from engine.forcing cimport QUIET, THREES
from engine.iterate cimport best_of_rest, is_proven, keep_line, play_without_search
from engine.ordering cimport PICK_ALL
from engine.patterns cimport THREAT_FIVE
from engine.root cimport (add_far_root_moves, any_cell, central_cell, drop_symmetric_moves,
                          effort_of, first_allowed, is_allowed, list_opening_moves,
                          list_root_moves, others_are_lost, root_mode)
from engine.rules cimport is_forbidden
from engine.search cimport (Search, clear_counts, limited_vcf, nodes_of_all, prepare_vcf,
                            report_nodes)
from engine.several cimport add_win, are_lines_proven, begin_lines, search_several_lines
from engine.threats cimport MAX_FOURS, static_win
from engine.timeman cimport (Progress, begin_iteration, elapsed_us, must_stop, note_iteration, note_look)
from engine.tt cimport Found, probe
from engine.types cimport (NO_CELL, NO_LIMIT, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR, int64_t,
                           opponent_of)
from engine.vct cimport MAX_ATTACKS, Standing, Vct, find_vct, start_vct

cdef enum:
    VCT_SPARE_NODES = 16    # what else a look with the threat solver may exceed its limit by


cdef bint decided_at_once(Search* s) noexcept nogil:
    """Chooses the move where no search is needed: the first of the game, a five, a forced or the
    only move, a VCF. True if it did; otherwise the root moves are listed."""
    cdef Board* b = s.board
    cdef int side = b.side, other = opponent_of(side), plies, cell = NO_CELL
    if b.stones == 0:
        if s.lines_wanted > 1:
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
    cdef int fours = 1, plies, i, budget = s.params.vcf_root_nodes
    cdef int64_t nodes_before = s.nodes
    while True:
        plies = limited_vcf(s, fours, budget - <int>(s.nodes - nodes_before), VCF_AT_ROOT)
        note_look(&s.time, now_us())
        if plies and plies <= empties(s.board):
            if not is_allowed(&s.root, s.vcf.line[0]):
                return False            # the search finds what other fours lead to
            play_without_search(s, s.vcf.line[0], VALUE_MATE - plies)
            for i in range(s.vcf.line_length):
                s.line[i] = s.vcf.line[i]
            s.line_length = s.vcf.line_length
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


cdef bint found_root_vct(Search* s, int kinds, int per_cent) noexcept nogil:
    """Looks for a win by threats with a share of the limits and makes it the move to play. True if
    it is short enough.

    For analysis only: in play, where the search finds these wins in time, it costs 23 +-19 Elo
    (ledger 13). Short combinations are looked for before the first iteration, long ones and quiet
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
    # The solver has no quiet threats under caro rules.
    v.kinds = THREES if ends_block(s.board) else kinds
    v.moves_limit = min((s.mate_limit + 1) // 2, MAX_ATTACKS)
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
    play_without_search(s, found.cell, VALUE_MATE - found.plies)
    s.seldepth = found.plies
    return True


# -- all iterations -----------------------------------------------------------------------------

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


cdef void add_reply(Search* s) noexcept nogil:
    """Adds the expected reply to a line of one move, if the transposition table has one.

    A search that is stopped where a move fails high knows that the move is better, but no line; an
    only move is not searched at all. The reply is needed to ponder on.
    """
    cdef Board* b = s.board
    cdef Found found
    if s.line_length != 1 or s.value >= VALUE_MATE_FLOOR or empties(b) < 2:
        return
    make(b, s.line[0], b.side)
    probe(s.table, position_key(b), 1, &found)
    if (found.hit and found.cell != NO_CELL and is_empty(b, found.cell)
            and not is_forbidden(b, found.cell, b.side)):
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
    prepare_vcf(s)
    s.best = NO_CELL
    s.only_move = False
    s.lines.count = 0
    s.proof.length = 0
    if decided_at_once(s) or (s.is_analysis
                              and found_root_vct(s, THREES, s.params.vct_early_share)):
        if s.lines_wanted == 1 or s.value < VALUE_MATE_FLOOR:
            if s.only_move:
                add_reply(s)
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
        # The only defence needs no more time. Where it loses as well, the longest one is looked for.
        if (s.time.timed and not s.is_analysis and s.lines_wanted == 1
                and value > -VALUE_MATE_FLOOR and others_are_lost(&s.root, s.best)):
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
    prepare_vcf(s)
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
