"""Answers of the threat solver, with proofs that anybody can replay (proofs.pyx).

    solve       is there a win by threats for the side to move, and how?
    solve_all   every first move that begins such a win
    defences    every move of the side to move after which the opponent has no such win

A position is searched by levels, from small budgets to large ones, until a limit of the call is met;
threes and fours alone come first. A win is then shortened: the same with one attack fewer.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.intrinsics cimport load_flag
from engine.board cimport Board, cells_with, count_of, make, threat_at, undo
from engine.clock cimport now_us
from engine.convert cimport point_of
from engine.evaluate cimport move_score
from engine.forcing cimport FOURS, MAX_CHOICES, QUIET, THREES, list_attacks
from engine.movegen cimport (MoveList, add_cells, cell_of_key, generate_all,
                             generate_five_defences, generate_four_defences, insert_key, move_key)
from engine.patterns cimport THREAT_FIVE, THREAT_OPEN_FOUR
from engine.proofs cimport (answers_to_threat, attack_node, candidates_against, longest_line,
                            plies_of)
from engine.rules cimport is_forbidden
from engine.threats cimport MEMO_SIZE, VcfMemo, has_won_four
from engine.types cimport NO_LIMIT, int16_t, int32_t, int64_t, opponent_of, uint64_t
from engine.vct cimport (CUT_SEEN, INFINITE, MAX_ATTACKS, PROOF_SETS, PROOF_WAYS, ProofEntry,
                         Standing, Vct, defend, find_vct, place_for, start_vct)

from engine.model import Defences, ProofNode, Solution, Status, Wins

cdef enum:
    MAX_LEVEL = 9            # of budgets: the last one has 4 ** 8 times the first

METHODS = {"vcf": FOURS, "threes": THREES, "vct": QUIET}


cdef Vct* new_solver() except NULL:
    """A solver with its tables, board and salt still to be given. Raises MemoryError."""
    cdef Vct* v = <Vct*>calloc(1, sizeof(Vct))
    if v == NULL:
        raise MemoryError("no memory for the threat solver")
    v.sets = PROOF_SETS
    v.table = <ProofEntry*>calloc(1, table_size(v.sets))
    v.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
    if v.table == NULL or v.memo == NULL:
        free_solver(v)
        raise MemoryError("no memory for the threat solver's tables")
    return v


cdef void free_solver(Vct* v) noexcept:
    """Frees the solver; NULL is allowed."""
    if v != NULL:
        free(v.table)
        free(v.memo)
        free(v)


cdef void begin_game(Vct* v, uint64_t salt, uint64_t most_bytes) except *:
    """Clears everything of other games: entries they left would influence what is replaced.

    most_bytes   that the table of positions may grow to; it begins with 1.5 MiB
    """
    cdef ProofEntry* table
    v.most_bytes = most_bytes
    if v.salt == salt:
        return
    if v.sets != PROOF_SETS:
        table = <ProofEntry*>calloc(1, table_size(PROOF_SETS))
        if table == NULL:
            raise MemoryError("no memory for the threat solver's table")
        free(v.table)
        v.table, v.sets = table, PROOF_SETS
    else:
        memset(v.table, 0, table_size(v.sets))
    memset(v.memo, 0, MEMO_SIZE * sizeof(VcfMemo))
    v.salt = salt


cdef inline size_t table_size(uint64_t sets) noexcept:
    return sets * PROOF_WAYS * sizeof(ProofEntry)


cdef void grow_table(Vct* v, int64_t nodes) noexcept:
    """Makes the table large enough for so many nodes, if the memory allows it."""
    cdef uint64_t sets = v.sets, i
    cdef ProofEntry* old = v.table
    cdef ProofEntry* table
    while 4 * PROOF_WAYS * sets < <uint64_t>nodes and table_size(2 * sets) <= v.most_bytes:
        sets *= 2
    if sets == v.sets:
        return
    table = <ProofEntry*>calloc(1, table_size(sets))
    if table == NULL:
        return
    v.table = table
    v.sets, sets = sets, v.sets
    for i in range(sets * PROOF_WAYS):
        if old[i].key:
            place_for(v, old[i].key)[0] = old[i]
    free(old)


# -- limits -------------------------------------------------------------------------------------

cdef void set_level(Vct* v, int level) noexcept:
    """Sets the budgets of the VCF searches: each level has four times those of the one before."""
    v.level = level
    v.vcf_nodes = <int64_t>v.params.solver_vcf_nodes << (2 * level)
    v.threat_nodes = <int64_t>v.params.solver_threat_vcf_nodes << (2 * level)


cdef void set_limits(Vct* v, object limits, int64_t start_us) except *:
    v.kinds = METHODS[limits.method]
    v.threes_nodes = 0
    set_level(v, 0)
    v.root_vcf_nodes = v.params.solver_root_vcf_nodes
    v.node_limit = NO_LIMIT if limits.nodes is None else min(limits.nodes, 10 ** 15)
    v.deadline_us = 0
    if limits.time_ms is not None:
        v.deadline_us = start_us + 1000 * <int64_t>min(limits.time_ms, 10 ** 12)
    v.moves_limit = MAX_ATTACKS
    if limits.moves is not None:
        v.moves_limit = min(limits.moves, MAX_ATTACKS)


cdef void lift_limits(Vct* v) noexcept:
    """For walking a proof: what has been found before may be searched again without limits."""
    v.node_limit = NO_LIMIT
    v.deadline_us = 0
    v.stopped = False


cdef object won(object proof, int64_t nodes, int64_t start_us, is_shortest=False):
    """The Solution of a position that is won by this proof."""
    known = {}
    return Solution(Status.WIN, plies_of(proof, known), longest_line(proof, known), nodes,
                    now_us() - start_us, proof, None, is_shortest)


cdef bint wins_within(Vct* v, int side, int kinds, int64_t nodes, int64_t* used, int* cut):
    """Is there a win for `side` to move on the board, within so many nodes and the limits of the call?

    used   nodes of the call so far
    cut    out: 0 where there is no such win at all, CUT_MOVES where there is none within the limit
           of moves, else CUT_SEEN
    """
    cdef Board* b = v.board
    cdef Standing s
    cdef int side_before = b.side
    cdef int64_t node_limit = v.node_limit
    cut[0] = CUT_SEEN
    if used[0] >= node_limit:
        return False
    v.node_limit = min(nodes, node_limit - used[0])
    v.kinds = kinds
    b.side = side
    start_vct(v, side)
    with nogil:
        find_vct(v, &s)
    used[0] += v.nodes
    b.side = side_before
    v.node_limit = node_limit
    if s.disproof == 0 and not s.cut & CUT_SEEN:
        cut[0] = s.cut
    return s.proof == 0


cdef object proof_now(Vct* v, int side, int kinds, dict known, int64_t* used):
    """The proof of a win that wins_within() has just found. known: of positions met before."""
    cdef Board* b = v.board
    cdef int side_before = b.side
    cdef int64_t node_limit = v.node_limit, deadline_us = v.deadline_us
    v.kinds = kinds
    b.side = side
    start_vct(v, side)
    lift_limits(v)
    proof = attack_node(v, known)
    used[0] += v.nodes
    b.side = side_before
    v.node_limit = node_limit
    v.deadline_us = deadline_us
    return proof


cdef object proof_within(Vct* v, int side, int kinds, int64_t nodes, int64_t* used, int* cut):
    """The proof of a win that wins_within() finds, or None."""
    if wins_within(v, side, kinds, nodes, used, cut):
        return proof_now(v, side, kinds, {}, used)
    return None


cdef object proof_by_levels(Vct* v, int side, int kinds, int64_t nodes, int64_t* used, int* cut):
    """The same, from small budgets of the VCF searches to large ones. What a level has found out
    stays known to the next one. With quiet threats, a third of a level is for threes and fours alone:
    long wins by them are found sooner so."""
    cdef int64_t level_nodes = v.params.solver_level_nodes, most = used[0] + nodes
    cdef int level
    proof = None
    for level in range(MAX_LEVEL):
        set_level(v, level)
        grow_table(v, level_nodes)
        if kinds == QUIET and (level or v.moves_limit < MAX_ATTACKS):
            proof = proof_within(v, side, THREES, min(level_nodes // 2, most - used[0]), used, cut)
        if proof is None:
            proof = proof_within(v, side, kinds, min(level_nodes, most - used[0]), used, cut)
        if proof is not None or not cut[0] & CUT_SEEN or used[0] >= most or is_over(v, used[0]):
            break
        level_nodes *= 3
    set_level(v, 0)
    return proof


cdef object shortened(Vct* v, object proof, bint is_quiet, int side, int kinds, bint is_asked,
                      int64_t* used):
    """(proof, is_shortest): the shortest win that is found when one attack fewer is asked for again
    and again, and whether all shorter ones are refuted.

    is_quiet   it begins with a quiet move, of which only a few are tried: none is said to be shortest
    is_asked   all that the limits leave is for this, quiet moves too; else as many nodes as the win
               has taken, but not more than solver_short_nodes
    """
    cdef int64_t most = NO_LIMIT
    cdef int limit_before = v.moves_limit, cut
    if not is_asked:
        most = used[0] + min(used[0], v.params.solver_short_nodes)
    is_shortest = False
    while not is_shortest and used[0] < most and not is_over(v, used[0]):
        v.moves_limit = (plies_of(proof, {}) - 1) // 2
        is_shortest = v.moves_limit == 0
        if not is_shortest:
            shorter = proof_by_levels(v, side, kinds, min(most, NO_LIMIT // 2) - used[0], used, &cut)
            if shorter is not None:
                is_quiet = False
            elif cut & CUT_SEEN:
                break
            elif is_asked and kinds == QUIET:
                shorter = proof_by_quiet_move(v, side, 0, used)
                is_quiet = is_quiet or shorter is not None
            if shorter is not None:
                proof = shorter
            else:
                is_shortest = True
    v.moves_limit = limit_before
    return proof, is_shortest and not is_quiet


cdef bint is_over(Vct* v, int64_t used) noexcept:
    """True when a limit of the call is met."""
    return (used >= v.node_limit or (v.deadline_us and now_us() >= v.deadline_us)
            or (v.stop != NULL and load_flag(v.stop)))


cdef void list_strong_moves(Board* b, int side, int most, MoveList* list) noexcept:
    """The moves near a stone that are worth most to both sides together, best first, so many at
    most."""
    cdef MoveList near
    cdef int i, last, cell
    cdef int32_t key
    generate_all(b, &near)
    list.count = 0
    for i in range(near.count):
        cell = cell_of_key(near.key[i])
        key = move_key(move_score(b, cell, side), cell)
        last = list.count if list.count < most else most - 1
        if last == list.count or key > list.key[last]:
            list.count = last + 1
            insert_key(list, last, key)


cdef bint has_threat(const Board* b, int side) noexcept:
    return count_of(b, side, THREAT_FIVE) or count_of(b, side, THREAT_OPEN_FOUR)


cdef object proof_by_quiet_move(Vct* v, int side, int depth, int64_t* used):
    """A proof that begins with a move which threatens a win by threats, but no VCF; or None.

    Such a move wins where the attacker would win if the opponent passed, and still wins after every
    reply that could spoil that win. It tries the moves that stop the opponent's threat or, where
    there is none and depth is 0, the few strongest moves.
    """
    cdef Board* b = v.board
    cdef int other = opponent_of(side), i, cell, cut, limit_before = v.moves_limit
    cdef MoveList list
    if limit_before <= 2:
        return None
    if count_of(b, other, THREAT_FIVE):
        generate_five_defences(b, side, &list)
    elif count_of(b, other, THREAT_OPEN_FOUR):
        generate_four_defences(b, side, &list)
    elif depth == 0:
        list_strong_moves(b, side, v.params.solver_strong_moves, &list)
    else:
        return None
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        if is_over(v, used[0]) or is_forbidden(b, cell, side):
            continue
        make(b, cell, side)
        if limit_before < MAX_ATTACKS:
            v.moves_limit = limit_before - 1
        otherwise = replies = None
        if not count_of(b, other, THREAT_FIVE) and not has_won_four(b, other):
            otherwise = proof_within(v, side, THREES, v.params.solver_threat_nodes, used, &cut)
        if otherwise is not None:
            replies = answers_to_all(v, candidates_against(b, otherwise, other), side, depth, used)
        undo(b)
        v.moves_limit = limit_before
        if replies is not None:
            return ProofNode(point_of(cell), replies, otherwise)
    return None


cdef object answers_to_all(Vct* v, list candidates, int side, int depth, int64_t* used):
    """The answer to each reply of the opponent, who is to move; None if one has none. The proofs are
    made last: they take longer than the search, and most moves have a reply without an answer."""
    cdef Board* b = v.board
    cdef int other = opponent_of(side), reply, cut
    replies = {}
    known = {}
    for reply in candidates:
        if is_over(v, used[0]):
            return None
        then = None
        make(b, reply, other)
        is_won = wins_within(v, side, QUIET, v.params.solver_reply_nodes, used, &cut)
        if not is_won and depth < v.params.solver_quiet_depth and has_threat(b, other):
            then = proof_by_quiet_move(v, side, depth + 1, used)
        undo(b)
        if not is_won and then is None:
            return None
        replies[reply] = then
    for reply, then in replies.items():
        if then is None:
            make(b, reply, other)
            replies[reply] = proof_now(v, side, QUIET, known, used)
            undo(b)
            if replies[reply] is None:
                return None
    return {point_of(reply): then for reply, then in replies.items()}


cdef object limit_met(const Vct* v, object limits, int64_t used, int cut):
    """What has left a call undecided that has used so many nodes, as in Solution.limit."""
    if v.stop != NULL and load_flag(v.stop):
        return "stop"
    if v.deadline_us and now_us() >= v.deadline_us:
        return "time"
    if limits.nodes is not None and used >= v.node_limit:
        return "nodes"
    return "budget" if cut & CUT_SEEN else "moves"


cdef object solve_from(Vct* v, object limits, int64_t start_us):
    """solve() for v.board.side, with the clock started earlier."""
    cdef int64_t used = 0
    cdef int side = v.board.side, kinds, cut = CUT_SEEN
    cdef bint forced, is_quiet = False
    set_limits(v, limits, start_us)
    kinds = v.kinds
    forced = has_threat(v.board, opponent_of(side))
    proof = None
    if kinds == QUIET:
        proof = proof_within(v, side, THREES, v.params.solver_threes_nodes, &used, &cut)
    # A first move that threatens a win by threes, but none by fours, is looked for besides.
    if proof is None and kinds == QUIET and forced:
        proof = proof_by_quiet_move(v, side, 0, &used)
        is_quiet = proof is not None
    if proof is None:
        proof = proof_by_levels(v, side, kinds, NO_LIMIT // 2, &used, &cut)
    if proof is None and kinds == QUIET and not forced and not is_over(v, used):
        proof = proof_by_quiet_move(v, side, 0, &used)
        is_quiet = proof is not None
    if proof is None:
        return Solution(Status.UNKNOWN if cut else Status.NO_WIN, None, (), used,
                        now_us() - start_us, None, limit_met(v, limits, used, cut) if cut else None)
    proof, is_shortest = shortened(v, proof, is_quiet, side, kinds, limits.shortest, &used)
    return won(proof, used, start_us, is_shortest)


cdef object solve(Vct* v, object limits):
    """A win by threats for the side to move of v.board: an engine.model.Solution."""
    return solve_from(v, limits, now_us())


# -- all wins, all defences ---------------------------------------------------------------------

cdef object remaining(object limits, int64_t nodes, int64_t start_us):
    """The limits of a call less what it has used so far."""
    if limits.nodes is not None:
        limits = limits._replace(nodes=max(0, limits.nodes - nodes))
    if limits.time_ms is not None:
        limits = limits._replace(time_ms=max(0, limits.time_ms - (now_us() - start_us) // 1000))
    return limits


cdef object a_third_of(object limits):
    """Of both limits of a call, to find a win but not to shorten it."""
    nodes, time_ms = (n and n // 3 for n in (limits.nodes, limits.time_ms))
    return limits._replace(nodes=nodes, time_ms=time_ms, shortest=False)


cdef object solve_all(Vct* v, object limits):
    """Every threat that begins a win, and what solve() finds: engine.model.Wins.

    The limits are those of the whole call. A third of them is for solve(). Then each first move gets
    few nodes at first and three times as many in each round, so that those that take long leave
    something for the others.
    """
    cdef Board* b = v.board
    cdef int64_t start_us = now_us(), nodes = 0, begin_us, round_nodes = v.params.solver_round_nodes
    cdef int side = b.side, i, cell, level = 0
    cdef int16_t cells[MAX_CHOICES]
    cdef MoveList fives
    cdef Standing s
    found = []
    set_limits(v, limits, start_us)
    if count_of(b, side, THREAT_FIVE):
        fives.count = 0
        add_cells(&fives, cells_with(b, side, THREAT_FIVE))
        for i in range(fives.count):
            cell = cell_of_key(fives.key[i])
            found.append(won(ProofNode(point_of(cell), {}, None), 0, start_us))
    open_cells = [cells[i] for i in range(list_attacks(b, side, v.kinds, NULL, cells))
                  if threat_at(b, cells[i], side) != THREAT_FIVE]
    if not found:
        first = solve_from(v, a_third_of(limits), start_us)
        nodes += first.nodes
        if first.status == Status.NO_WIN:
            return Wins((), ())
        if first.status == Status.WIN:
            found.append(first)
            open_cells = [cell for cell in open_cells if point_of(cell) != first.line[0]]
    left = remaining(limits, nodes, start_us)
    if left.nodes is not None and open_cells:
        round_nodes = max(1, min(round_nodes, left.nodes // (4 * len(open_cells))))
    while open_cells and level < MAX_LEVEL and not is_spent(v, left):
        grow_table(v, round_nodes)
        for cell in tuple(open_cells):
            if is_spent(v, left):
                break
            begin_us = now_us()
            set_limits(v, left, begin_us)
            set_level(v, level)
            v.node_limit = min(v.node_limit, round_nodes)
            start_vct(v, side)
            make(b, cell, side)
            with nogil:
                defend(v, 0, INFINITE, INFINITE, &s)
            if s.proof == 0:
                lift_limits(v)
                answers = answers_to_threat(v, {})
                if answers is not None:
                    node = ProofNode(point_of(cell), answers[0], answers[1])
                    found.append(won(node, v.nodes, begin_us))
                    open_cells.remove(cell)
            elif s.disproof == 0 and not s.cut & CUT_SEEN:
                open_cells.remove(cell)
            undo(b)
            nodes += v.nodes
            left = remaining(limits, nodes, start_us)
        round_nodes *= 3
        level += 1
    return Wins(tuple(found), points_of(open_cells))


cdef bint is_spent(const Vct* v, object left) noexcept:
    """True when nothing of the limits is left."""
    return left.nodes == 0 or left.time_ms == 0 or (v.stop != NULL and load_flag(v.stop))


cdef tuple points_of(list cells):
    return tuple([point_of(cell) for cell in sorted(cells)])


cdef object defences(Vct* v, object limits):
    """The moves of the side to move after which the opponent has no win by threats any more, as
    engine.model.Defences. The limits are those of the whole call.

    Each move gets few nodes at first and then four times as many, so that those that take long leave
    something for the others.
    """
    cdef Board* b = v.board
    cdef int64_t start_us = now_us(), used, round_nodes = v.params.solver_round_nodes
    cdef int side = b.side, cell
    moves = []
    unknown = []
    refuted = {}
    b.side = opponent_of(side)
    try:
        threat = solve_from(v, limits, start_us)
    finally:
        b.side = side
    used = threat.nodes
    open_cells = [] if threat.proof is None else candidates_against(b, threat.proof, side)
    for cell in [cell for cell in open_cells if threat_at(b, cell, side) == THREAT_FIVE]:
        moves.append(cell)
        open_cells.remove(cell)
    left = remaining(limits, used, start_us)
    if left.nodes is not None and open_cells:
        round_nodes = max(1, min(round_nodes, left.nodes // (4 * len(open_cells))))
    while open_cells and not is_spent(v, left):
        for cell in tuple(open_cells):
            if is_spent(v, left):
                break
            nodes = round_nodes if left.nodes is None else min(round_nodes, left.nodes)
            make(b, cell, side)
            after = solve_from(v, left._replace(nodes=nodes), now_us())
            undo(b)
            used += after.nodes
            left = remaining(limits, used, start_us)
            if after.limit in ("nodes", "time", "stop"):
                continue
            open_cells.remove(cell)
            if after.status == Status.NO_WIN:
                moves.append(cell)
            elif after.status == Status.WIN:
                refuted[point_of(cell)] = after
            else:
                unknown.append(cell)
        round_nodes *= 4
    return Defences(threat, points_of(moves), points_of(unknown + open_cells), refuted)
