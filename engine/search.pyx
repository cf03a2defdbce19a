"""The search of one node: principal variation search, leaves ended by VCF.

    search         one node, in numbered steps
    search_move    the move that has just been made, less deep or in a narrow window first
    leaf           depth 0: static value, raised by a VCF of the side to move
    limited_vcf    a win by fours within the limits of the search

The root is in iterative_deepening.pyx.

Values are in centi-stones from the side to move's view; `VALUE_MATE - n` is a five with the n-th
stone from the root. A mate value is always a proof: no move that might refute it is skipped
(steps 8 and 10 check that), and it is never longer than the board has empty cells, except where every
empty cell is forbidden to Black in renju: that is lost by the next stone, and counts as a five with the
second one.

The opponent's threats decide which moves are searched at a node: a five must be stopped; where the
opponent can make an open four, that must be prevented or answered with fours. Everything else is
move ordering and depth.

Each numbered step that could be left out says what it is worth in Elo (docs/ledger/ has the
games). The numbers of the steps are rows of PARAMS in parameters.py.
"""

from libc.string cimport memset

from math import log2

from engine.board cimport (Board, board_ok, count_of, empties, first_with, is_full, key_after, make,
                           position_key, threat_at, undo)
from engine.evaluate cimport evaluate
from engine.intrinsics cimport CHECKED, add_count, load_count, load_flag
from engine.ordering cimport (PICK_ALL, PICK_FIVE_DEFENCES, PICK_FOUR_DEFENCES, Picker,
                              add_far_moves, corrected, learn_error, next_move, reward,
                              start_picker)
from engine.params cimport Params
from engine.patterns cimport (THREAT_FIVE, THREAT_FOUR, THREAT_FOUR_THREE, THREAT_OPEN_FOUR,
                              THREAT_THREE)
from engine.root cimport with_noise
from engine.rules cimport is_foul, may_be_foul
from engine.threats cimport MAX_FOURS, find_vcf, has_won_four, may_have_four, static_win
from engine.timeman cimport must_stop
from engine.tt cimport Found, prefetch_entry, probe, store
from engine.types cimport (BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, MAX_PLY, MAX_STONES, NO_CELL,
                           VALUE_DRAW, VALUE_INFINITE, VALUE_MATE, VALUE_MATE_FLOOR, VALUE_NONE,
                           int16_t, int64_t, is_mate, opponent_of, uint64_t)

cdef extern from "Python.h" nogil:
    bint Py_IsInitialized() noexcept

cdef enum:
    LOG_ROWS = 4                # depths are looked up by quarters of a ply
    LOG_DEPTHS = 512            # rows: deeper nodes count as that deep
    LOG_MOVES = 64              # later moves count as the last of these
    MAX_TRIED = 64              # quiet moves of a node whose history is updated
    SINGULAR_DIVISOR = 2        # of the depth at which a move is tested for being singular
    MAX_POLICY_REDUCTION = 3 * PLY


# -- reductions ---------------------------------------------------------------------------------

cdef int[LOG_DEPTHS] log2_hundredths    # 0 for 0
for _n in range(1, LOG_DEPTHS):
    # In 1024ths first. No such logarithm is so close to a whole one that machines could differ.
    log2_hundredths[<int>_n] = int(1024 * log2(_n)) * 100 // 1024


cdef int reduction_of(const Params* p, int depth, int number) noexcept nogil:
    """By how much the move with this number is searched less deep, before adjustments, in a node of
    this depth, which is positive; log2(d) * log2(m) / 4 plies is close to the usual ln(d) * ln(m) / 2.
    The logarithm of a depth below a ply counts as 0."""
    cdef int row = min(depth * LOG_ROWS // PLY, LOG_DEPTHS - 1)
    return (max(log2_hundredths[row] - log2_hundredths[LOG_ROWS], 0)
            * log2_hundredths[min(number, LOG_MOVES - 1)] // 400 * p.lmr_scale // 100
            + p.lmr_base)


# -- limits -------------------------------------------------------------------------------------

cdef void check_board(const Board* b) noexcept with gil:
    """For debug builds: recomputes the board and compares. Python prints the error, and a test that
    sees it fails. Not to be called once Python has begun to end, while a helper may search on."""
    board_ok(b)


cdef void report_nodes(Search* s) noexcept nogil:
    """Adds what this thread has counted since its last report to the count of all threads."""
    add_count(&s.shared.nodes, s.nodes - s.reported)
    s.reported = s.nodes


cdef void clear_counts(Search* s) noexcept nogil:
    """Sets this thread's counts to zero, for a new search."""
    s.nodes = 0
    s.reported = 0
    s.own_limit = s.node_limit
    s.next_poll = 0
    s.stopped = False
    s.depth = 0
    s.seldepth = 0
    memset(&s.stats, 0, sizeof(SearchStats))


cdef void poll(Search* s) noexcept nogil:
    """Sets s.stopped when a limit is met or a stop was asked for; otherwise, when to look again.

    A thread counts alone for at most its share of the nodes that are left, so all of them together
    exceed the limit by few. A single thread's share is all that is left, and it meets the limit
    exactly.
    """
    cdef int64_t left
    report_nodes(s)
    left = s.node_limit - load_count(&s.shared.nodes)
    if CHECKED and Py_IsInitialized():
        check_board(s.board)
    if (left <= 0 or load_flag(&s.shared.stop) or load_flag(&s.shared.decided)
            or must_stop(&s.time)):
        s.stopped = True
        return
    s.own_limit = s.nodes + (left + s.threads - 1) // s.threads
    s.next_poll = min(s.nodes + s.params.poll_nodes, s.own_limit)


cdef inline bint out_of_limits(Search* s) noexcept nogil:
    """True when the search must end. Looks at the limits and the flags every poll_nodes nodes, and
    when this thread's share of the nodes is used up."""
    if s.nodes >= s.next_poll and not s.stopped:
        poll(s)
    return s.stopped


# -- leaves -------------------------------------------------------------------------------------

cdef void prepare_vcf(Search* s) noexcept nogil:
    """Gives the VCF search what it needs of this one; to be called before the iterations."""
    s.vcf.board = s.board
    s.vcf.nodes = &s.nodes
    s.vcf.salt = s.salt
    s.vcf.memo = s.memo
    s.vcf.params = &s.params
    s.vcf.stop = &s.shared.stop


cdef int limited_vcf(Search* s, int fours_limit, int node_budget, int caller) noexcept nogil:
    """A VCF of the side to move: stones until the five, or 0. It leaves one node of the limit to
    the search, which then finds that the limit is met.

    caller   VCF_AT_LEAF, VCF_AT_RAZOR or VCF_AT_ROOT, for the counts
    """
    cdef int plies
    cdef int64_t* count = &s.stats.count[COUNT_VCF + caller]
    cdef int64_t before = s.nodes
    s.vcf.side = s.board.side
    s.vcf.fours_limit = s.vcf.won_limit = fours_limit
    s.vcf.is_quick = caller != VCF_AT_ROOT
    s.vcf.node_limit = min(s.nodes + node_budget, s.own_limit - 1)
    s.vcf.hit = s.time.hit if s.time.is_pondering else NULL
    s.vcf.deadline_us = 0
    if s.time.timed:
        s.vcf.deadline_us = s.time.start_us + s.time.gift_us + s.time.maximum_us
    plies = find_vcf(&s.vcf)
    count[0] += 1
    count[1] += plies != 0
    count[2] += s.vcf.cut
    count[3] += s.nodes - before
    return plies


cdef int vcf_value(Search* s, int ply, int node_budget, int caller) noexcept nogil:
    """The value of a VCF of the side to move within the budget, VALUE_NONE if none is found."""
    cdef Board* b = s.board
    cdef int side = b.side, plies
    if not may_have_four(b, side):
        return VALUE_NONE
    plies = limited_vcf(s, MAX_FOURS, node_budget, caller)
    if plies == 0 or plies > empties(b):
        return VALUE_NONE
    s.pv[ply][0] = s.vcf.line[0]
    s.pv_length[ply] = 1
    s.seldepth = max(s.seldepth, ply + plies)
    return VALUE_MATE - (ply + plies)


cdef int leaf(Search* s, int beta, int ply, int static_value, int budget,
              int caller) noexcept nogil:
    """The value of a leaf: the static value, or a mate where the side to move has a VCF.

    Where the static value already fails high, no VCF is searched.
    """
    cdef int value
    if static_value >= beta:
        return static_value
    value = vcf_value(s, ply, budget, caller)
    return static_value if value == VALUE_NONE else value


# -- one node -----------------------------------------------------------------------------------

cdef inline int static_value_of(Search* s) noexcept nogil:
    """The static value of the position, with the error of the level of strength."""
    cdef int value = evaluate(s.board, s.net)
    if s.sampler != NULL:
        count_static_value(s.sampler, s.board)
    return with_noise(value, s.noise, s.noise_seed, position_key(s.board)) if s.noise else value


cdef inline int bound_of(int value, int alpha, int beta) noexcept nogil:
    """What a value that was searched within (alpha, beta) says about the true one."""
    if value >= beta:
        return BOUND_LOWER
    return BOUND_EXACT if value > alpha else BOUND_UPPER


cdef bint opponent_threatens(const Board* b, int other) noexcept nogil:
    """True when `other` would win by fours if it were to move, as far as the threat counts show."""
    return has_won_four(b, other) or count_of(b, other, THREAT_FOUR_THREE)


cdef inline bint is_proof(const Found* found, int alpha, int beta) noexcept nogil:
    """True when the entry holds a mate that decides the node, whatever its depth: a mate value is
    always a proof."""
    return ((found.value >= VALUE_MATE_FLOOR and found.value >= beta and found.bound & BOUND_LOWER)
            or (found.value <= -VALUE_MATE_FLOOR and found.value <= alpha
                and found.bound & BOUND_UPPER))


cdef int search_move(Search* s, int alpha, int beta, int depth, int reduction, int ply,
                     bint is_first, bint pv_node, bint cut_node) noexcept nogil:
    """The value of the move that has just been made, for the side that made it, within (alpha, beta).
    All moves but the first are expected to be no better than alpha, and only that is shown at first.

    depth, ply          of the position after the move; reduction: by how much less deep it is
                        searched first
    pv_node, cut_node   of the position before the move
    After a stop the value is valid only as far as that it is above alpha where the move is better.
    """
    cdef int64_t* count = s.stats.count
    cdef int value
    if is_first:
        value = -search(s, -beta, -alpha, depth, ply, not cut_node and not pv_node, NO_CELL)
        return alpha if s.stopped else value
    count[COUNT_REDUCED] += reduction > 0
    value = -search(s, -alpha - 1, -alpha, depth - reduction, ply, True, NO_CELL)
    if value > alpha and reduction and not s.stopped:
        count[COUNT_AGAIN] += 1
        value = -search(s, -alpha - 1, -alpha, depth, ply, not cut_node, NO_CELL)
    if s.stopped:
        return alpha
    if value > alpha and pv_node:
        count[COUNT_AGAIN_PV] += 1
        value = -search(s, -beta, -alpha, depth, ply, False, NO_CELL)
        if s.stopped:
            return alpha + 1
    return value


cdef int search(Search* s, int alpha, int beta, int depth, int ply, bint cut_node,
                int omitted) noexcept nogil:
    """The value of the node within (alpha, beta), fail-soft.

    depth     left, in hundredths of a ply; at a leaf 0 or less
    cut_node  a fail-high is expected here (used for reductions only)
    omitted   a move that is left out, to test whether it is singular; normally NO_CELL
    Once s.stopped is set the value is invalid; the caller must check.
    """
    cdef Board* b = s.board
    cdef const Params* p = &s.params
    cdef int64_t* count = s.stats.count
    cdef int side = b.side, other = opponent_of(side)
    cdef bint pv_node = beta - alpha > 1
    cdef bint must_stop_five, improving = False, quiet, far = False, was_pv
    cdef int value, best = -VALUE_INFINITE, best_cell = NO_CELL, cell = NO_CELL, plies, mode
    cdef int raw_value, static_value, extension, reduction, new_depth, moves = 0, tried_count = 0
    cdef int alpha_before = alpha, move_limit, own_threat, bar
    cdef uint64_t key
    cdef Found found
    cdef Picker picker
    cdef int16_t tried[MAX_TRIED]

    assert -VALUE_INFINITE <= alpha < beta <= VALUE_INFINITE
    assert 0 < ply < MAX_PLY and depth < MAX_PLY * PLY

    # Step 1. Limits, a full board, the selective depth.
    end_pv(s, ply)
    if out_of_limits(s):
        return 0
    s.seldepth = max(s.seldepth, ply)
    if is_full(b):
        return VALUE_DRAW
    count[COUNT_PV if pv_node else (COUNT_CUT if cut_node else COUNT_ALL)] += 1

    # Step 2. A five wins at once; the longest line ends with the static value.
    if count_of(b, side, THREAT_FIVE):
        s.pv[ply][0] = first_with(b, side, THREAT_FIVE)
        s.pv_length[ply] = 1
        count[COUNT_WIN] += 1
        return VALUE_MATE - (ply + 1)
    if ply >= MAX_PLY - 1:
        return static_value_of(s)

    # Step 3. Mate distance pruning: the best line from here is a five with the third stone, the
    # worst an opponent's five with the second: 3 +-17.
    alpha = max(alpha, -VALUE_MATE + ply + 2)
    beta = min(beta, VALUE_MATE - (ply + 3))
    if alpha >= beta:
        return alpha

    # Step 4. Wins that the threat counts show, unless the opponent has a five: 1 +-19 at equal nodes,
    # but they are found without making stones.
    must_stop_five = count_of(b, other, THREAT_FIVE) > 0
    if not must_stop_five and omitted == NO_CELL:
        plies = static_win(b, &cell)
        if plies and plies <= empties(b):
            s.pv[ply][0] = cell
            s.pv_length[ply] = 1
            count[COUNT_WIN] += 1
            return VALUE_MATE - (ply + plies)

    # Step 5. The transposition table: its cuts are worth 63 +-18. A mate in it counts at any depth,
    # because it is a proof.
    key = position_key(b)
    probe(s.table, key, ply, &found)
    if omitted != NO_CELL:
        found.hit = False
    if found.hit and not pv_node and (
            (found.depth >= depth
             and found.bound & (BOUND_LOWER if found.value >= beta else BOUND_UPPER))
            or is_proof(&found, alpha, beta)):
        count[COUNT_TABLE] += 1
        return found.value
    was_pv = pv_node or (found.hit and found.was_pv)

    # Step 6. The static value; leaves end in a VCF search. A budget of 20 nodes instead of 60 is
    # worth 69 +-49 Elo, the fitted values 157 +-43 over those set by hand, VCF searches that skip fours
    # which lead nowhere 60 +-26, values corrected by their errors, with a history of replies, 15 +-9,
    # and to search on from a leaf that fails high while the opponent threatens an open four 10 +-10.
    if must_stop_five:
        raw_value = VALUE_NONE
    elif found.static_value != VALUE_NONE:
        raw_value = found.static_value
    else:
        raw_value = static_value_of(s)
    static_value = raw_value
    if raw_value != VALUE_NONE:
        static_value = corrected(&s.history.errors, p, b, raw_value)
    s.static_values[ply] = static_value
    if depth <= 0 and not must_stop_five:
        if static_value < beta or not count_of(b, other, THREAT_OPEN_FOUR):
            count[COUNT_LEAF] += 1
            value = leaf(s, beta, ply, static_value, p.vcf_leaf_nodes, VCF_AT_LEAF)
            if s.stopped:
                return 0
            store(s.table, key, ply, value, raw_value, found.cell, 0,
                  bound_of(value, alpha_before, beta), was_pv)
            return value
        depth = 1       # more than a leaf, less than any other node: the defences are searched

    # Step 7. Which moves are searched: only defences against an open four, 26 +-19. To leave out
    # also the cells that cannot spoil a threatened VCF gains nothing (2 +-9).
    mode = PICK_ALL
    if must_stop_five:
        mode = PICK_FIVE_DEFENCES
    elif count_of(b, other, THREAT_OPEN_FOUR):
        mode = PICK_FOUR_DEFENCES
    if static_value != VALUE_NONE:
        if ply >= 2 and s.static_values[ply - 2] != VALUE_NONE:
            improving = static_value > s.static_values[ply - 2]
        elif ply >= 4 and s.static_values[ply - 4] != VALUE_NONE:
            improving = static_value > s.static_values[ply - 4]

    # Step 8. Cuts without a move, only away from mate values and where nothing is threatened. Margins
    # and reductions tuned together with the net: 20 +-14 Elo.
    if not pv_node and mode == PICK_ALL and omitted == NO_CELL and not is_mate(beta):
        # Razoring: the node is lost unless there is a win by fours.
        if depth <= p.razor_depth and static_value + p.razor_margin * depth // PLY < alpha:
            value = leaf(s, beta, ply, static_value, p.vcf_node_nodes, VCF_AT_RAZOR)
            if s.stopped:
                return 0
            count[COUNT_RAZOR] += 1
            return value
        # Futility: the static value is so good that the node fails high without a move.
        if (depth <= p.futility_depth and not opponent_threatens(b, other)
                and static_value - p.futility_margin * (depth - improving * PLY) // PLY >= beta):
            count[COUNT_FUTILITY] += 1
            return static_value

    # Step 9. Without a table move a deep node is searched less deep (internal iterative reduction):
    # 16 +-18. So it is where a fail-high is expected and that move is of a much shallower search:
    # 5 +-11.
    if mode == PICK_ALL and depth >= p.iir_depth:
        if found.cell == NO_CELL:
            depth -= p.iir_reduction
        elif cut_node and found.depth < depth - p.old_move_entry:
            depth -= p.old_move_reduction

    # Step 10. The moves, the most promising first. Beyond a number of moves that grows with the
    # depth, the rest are skipped: 117 +-37 Elo; on the principal variation, beyond twice as
    # many: 99 +-25.
    move_limit = MAX_STONES
    if mode == PICK_ALL:
        move_limit = (p.lmp_linear + p.lmp_square * depth // PLY) * depth // PLY
        if not improving:
            move_limit = move_limit * p.lmp_flat // 100
        move_limit = p.lmp_base + move_limit // 100
        if pv_node:
            move_limit = move_limit * p.lmp_pv // 100
    start_picker(&picker, p, s.net if depth >= p.policy_depth else NULL, b, mode,
                 found.cell, ply)
    while True:
        cell = next_move(&picker, b, s.history)
        if cell == NO_CELL:
            # All moves lose: before that is a proof, the cells far from every stone are tried.
            if mode == PICK_ALL and best <= -VALUE_MATE_FLOOR and not far:
                far = True
                add_far_moves(&picker, b)
                continue
            break
        if cell == omitted or (may_be_foul(b, side) and is_foul(b, cell)):
            continue
        own_threat = threat_at(b, cell, side)
        quiet = own_threat < THREAT_FOUR and threat_at(b, cell, other) < THREAT_FOUR_THREE
        moves += 1
        # Skips late moves, but never while all moves so far lose by force.
        if moves > move_limit and best > -VALUE_MATE_FLOOR:
            count[COUNT_SKIP] += 1
            break

        # Step 11. Extensions: a reply to a five costs no depth, 9 +-19. Nor does a table move that is
        # singular, which is one that is better than all others by a margin: -4 +-19, in searches that
        # seldom reach its depth.
        extension = 0
        if mode == PICK_FIVE_DEFENCES:
            extension = PLY
        elif (cell == found.cell and depth >= p.singular_depth
                and omitted == NO_CELL and found.bound & BOUND_LOWER
                and found.depth >= depth - p.singular_entry
                and not is_mate(found.value)):
            bar = found.value - p.singular_margin * depth // (10 * PLY)
            value = search(s, bar - 1, bar, (depth - PLY) // SINGULAR_DIVISOR, ply, cut_node, cell)
            if s.stopped:
                return 0
            end_pv(s, ply)
            if value < bar:
                extension = PLY
            elif bar >= beta and not pv_node:
                count[COUNT_MULTI_CUT] += 1
                return bar              # multi-cut: another move fails high as well

        # Step 12. Make the move; late moves are first searched less deep, except where a five has to
        # be stopped. The part of the policy, with its order of moves, is worth 35 Elo.
        prefetch_entry(s.table, key_after(b, cell, side))     # arrives while make() works
        count[COUNT_MOVE] += 1
        new_depth = depth - PLY + extension
        reduction = 0
        if moves > 1 and depth >= p.lmr_depth and mode != PICK_FIVE_DEFENCES:
            reduction = reduction_of(p, depth, moves)
            if cut_node:
                reduction += p.lmr_cut
            if was_pv:
                reduction -= p.lmr_pv
            if THREAT_THREE <= own_threat < THREAT_FOUR:
                reduction -= p.lmr_three
            if picker.has_policy and p.policy_lmr and quiet:
                reduction += min(max(p.policy_lmr_base
                                     + p.policy_lmr * picker.surprise // 100, 0),
                                 MAX_POLICY_REDUCTION)
            reduction -= s.history.quiet[side - 1][cell] * PLY // p.history_divisor
            reduction = max(min(reduction, new_depth - PLY), 0)
        make(b, cell, side)
        s.nodes += 1
        value = search_move(s, alpha, beta, new_depth, reduction, ply + 1, moves == 1, pv_node,
                            cut_node)
        undo(b)
        if s.stopped:
            return 0

        # Step 13. A better move; a quiet one that fails high is remembered: history 15 +-18, killers
        # 19 +-20, counter-moves -1 +-17.
        if value > best:
            best = value
            best_cell = cell
            if value > alpha:
                alpha = value
                if pv_node:
                    set_pv(s, ply, cell)
                if alpha >= beta:
                    count[COUNT_FAIL_HIGH] += 1
                    count[COUNT_FIRST_MOVE] += moves == 1
                    if quiet:
                        reward(s.history, p, b, ply, (depth + PLY // 2) // PLY, cell, tried,
                               tried_count)
                    break
        if quiet and tried_count < MAX_TRIED:
            tried[tried_count] = cell
            tried_count += 1

    # Step 14. No move defends against the threat, or every empty cell is forbidden, which loses as
    # well: return the mate.
    if moves == 0:
        if omitted != NO_CELL:
            return alpha
        if mode == PICK_FOUR_DEFENCES and empties(b) >= 4:
            return -(VALUE_MATE - (ply + 4))
        assert mode == PICK_FIVE_DEFENCES or may_be_foul(b, side)
        return -(VALUE_MATE - (ply + 2))

    # Step 15. Store the result. Learn how wrong the static value was, but neither from a
    # bound that the static value keeps nor where a four is best, which it cannot see. These and the
    # small gains of steps 6, 7 and 9 were tested together, with new nets: 33 +-15.
    if omitted == NO_CELL:
        store(s.table, key, ply, best, raw_value, best_cell, depth,
              bound_of(best, alpha_before, beta), was_pv)
        if (mode == PICK_ALL and not is_mate(best) and not (best >= beta and best <= raw_value)
                and not (best <= alpha_before and best >= raw_value)
                and not (best > alpha_before and threat_at(b, best_cell, side) >= THREAT_FOUR)):
            learn_error(&s.history.errors, p, b, best - raw_value, depth // PLY)
    return best
