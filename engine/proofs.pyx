"""From the threat solver's results to proofs that anybody can replay.

    solve       is there a win by threats for the side to move, and how?
    solve_all   every threat that begins such a win
    defences    every move of the side to move after which the opponent has no such win

A proof names the replies that need an answer of their own, and one answer for all others:

    after a four     all other replies leave the five that it threatens;
    after a three    all other replies leave an open four or a double four, and make no four.

A five is prevented by a stone on its cell, under caro rules also by one beyond its ends; opposing
stones change nothing else about a line. So few replies have to be named, and each is tried on the
board. For that the tree is walked once more. Where the table has lost a move, the solver finds it
again without limits. A win may fill the board, so what recurses here keeps its lists of moves in the
solver and not on the stack.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.intrinsics cimport load_flag
from engine.board cimport (Board, beyond_run, cells_with, count_of, ends_block, first_with,
                           is_empty, line_at, make, position_key, threat_at, undo)
from engine.clock cimport now_us
from engine.convert cimport point_of
from engine.geometry cimport DIRECTIONS, cell_at, step_of
from engine.evaluate cimport move_score
from engine.forcing cimport FOURS, MAX_CHOICES, QUIET, THREES, list_attacks
from engine.movegen cimport (MoveList, add_cells, cell_of_key, generate_all,
                             generate_five_defences, generate_four_defences, generate_fours,
                             insert_key, move_key)
from engine.patterns cimport LINE_BLOCKED_THREE, LINE_FIVE, THREAT_FIVE, THREAT_OPEN_FOUR
from engine.rules cimport is_forbidden, may_be_foul
from engine.threats cimport MEMO_SIZE, VcfMemo, has_won_four, won_four_cell, zone_of_vcf
from engine.types cimport (BLACK, CELLS, NO_CELL, NO_LIMIT, WORDS, int16_t, int32_t, int64_t,
                           opponent_of, uint64_t)
from engine.vct cimport (CUT_SEEN, INFINITE, MAX_ATTACKS, PROOF_SETS, PROOF_WAYS, ProofEntry, Standing, Vct,
                         attack, defend, find_threat, find_vct, place_for, start_vct)

from engine.model import Defences, ProofNode, Solution, Status

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
    v.most_bytes = most_bytes
    if v.salt == salt:
        return
    v.salt = salt
    memset(v.memo, 0, MEMO_SIZE * sizeof(VcfMemo))
    if v.sets == PROOF_SETS:
        memset(v.table, 0, table_size(v.sets))
        return
    free(v.table)
    v.sets = PROOF_SETS
    v.table = <ProofEntry*>calloc(1, table_size(v.sets))
    if v.table == NULL:
        v.salt = 0
        raise MemoryError("no memory for the threat solver's table")


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


# -- proofs -------------------------------------------------------------------------------------

cdef set cells_against_five(const Board* b, int five, int side):
    """The empty cells where an opposing stone may take away the five on the cell `five`."""
    cdef int d, end
    found = {five}
    if ends_block(b):
        for d in range(DIRECTIONS):
            if line_at(b, five, d, side) == LINE_FIVE:
                for end in (beyond_run(b, five, step_of(d), side),
                            beyond_run(b, five, -step_of(d), side)):
                    if is_empty(b, end):
                        found.add(end)
    return found


cdef set cells_against_won_four(Vct* v, int four):
    """The empty cells where an opposing stone may spoil the open four on the cell `four`."""
    cdef Board* b = v.board
    cdef MoveList* fives = &v.vcf.list
    cdef int side = v.side, i
    found = {four}
    fives.count = 0
    make(b, four, side)
    add_cells(fives, cells_with(b, side, THREAT_FIVE))
    for i in range(fives.count):
        found |= cells_against_five(b, cell_of_key(fives.key[i]), side)
    undo(b)
    return found


cdef object five_node(const Board* b, int side):
    return ProofNode(point_of(first_with(b, side, THREAT_FIVE)), {}, None)


cdef object won_four_node(Board* b, int cell, int side):
    """The proof where a four on the cell cannot be stopped and the opponent has no five.

    A block that is a foul of Black is answered as well: the proof also holds for positions with one
    more stone, which may make the block legal.
    """
    cdef int five, reply, other = opponent_of(side)
    replies = {}
    make(b, cell, side)
    five = first_with(b, side, THREAT_FIVE)
    for reply in sorted(cells_against_five(b, five, side)):
        make(b, reply, other)
        # Without another five the block is a foul here and stays one: nothing answers it.
        if count_of(b, side, THREAT_FIVE) and not (is_empty(b, five)
                                                   and threat_at(b, five, side) == THREAT_FIVE):
            replies[point_of(reply)] = five_node(b, side)
        undo(b)
    otherwise = five_node(b, side)
    undo(b)
    return ProofNode(point_of(cell), replies, otherwise)


cdef object line_node(Board* b, list line, int side):
    """The proof of a VCF from its line (not under caro rules, where a four has several answers)."""
    cdef int i, last = line[len(line) - 1]
    fives = []
    for i in range(0, len(line) - 1, 2):
        make(b, line[i], side)
        fives.append(five_node(b, side))
        make(b, line[i + 1], opponent_of(side))
    if threat_at(b, last, side) == THREAT_FIVE:
        node = ProofNode(point_of(last), {}, None)
    else:
        node = won_four_node(b, last, side)
    for i in range(len(line) - 3, -1, -2):
        undo(b)
        undo(b)
        node = ProofNode(point_of(line[i]), {point_of(line[i + 1]): node}, fives.pop())
    return node


cdef object attack_node(Vct* v, dict known):
    """The proof of a won position with the attacker to move; None if there is none to be found."""
    cdef Board* b = v.board
    cdef int side = v.side
    cdef Standing s
    if count_of(b, side, THREAT_FIVE):
        return five_node(b, side)
    if has_won_four(b, side) and count_of(b, opponent_of(side), THREAT_FIVE) == 0:
        return won_four_node(b, won_four_cell(b, side), side)
    key = position_key(b)
    if key in known:
        return known[key]
    with nogil:
        attack(v, 0, INFINITE, INFINITE, &s)
    if s.proof:
        return None
    make(b, s.cell, side)
    answers = answers_to_threat(v, known)
    undo(b)
    if answers is None:
        return None
    known[key] = ProofNode(point_of(s.cell), answers[0], answers[1])
    return known[key]


cdef object answers_to_threat(Vct* v, dict known):
    """(replies, otherwise) after a threat that wins, the defender to move; None if a reply has no
    answer."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), reply, five = NO_CELL, i
    cdef bint is_four = count_of(b, side, THREAT_FIVE) > 0
    cdef MoveList* fours = &v.vcf.list
    cdef uint64_t zone[WORDS]
    if is_four:
        five = first_with(b, side, THREAT_FIVE)
        otherwise = five_node(b, side)
        candidates = cells_against_five(b, five, side)
    elif has_won_four(b, side):
        five = won_four_cell(b, side)
        otherwise = won_four_node(b, five, side)
        candidates = cells_against_won_four(v, five)
        fours.count = 0
        generate_fours(b, other, fours)
        candidates |= {cell_of_key(fours.key[i]) for i in range(fours.count)}
    else:
        if find_threat(v) == 0:
            return None
        line = [v.vcf.line[i] for i in range(v.vcf.line_length)]
        if not zone_of_vcf(&v.vcf, zone):
            return None
        candidates = {i for i in range(CELLS) if (zone[i >> 6] >> (i & 63)) & 1}
        b.side = side
        otherwise = attack_node(v, known) if ends_block(b) else line_node(b, line, side)
        b.side = other
        if otherwise is None:
            return None
    replies = {}
    for reply in sorted(candidates):
        if is_forbidden(b, reply, other):
            continue
        make(b, reply, other)
        then = otherwise
        if not (is_four and is_empty(b, five) and threat_at(b, five, side) == THREAT_FIVE):
            then = attack_node(v, known)
            replies[point_of(reply)] = then
        undo(b)
        if then is None:
            return None
    return replies, otherwise


cdef int plies_of(object node, dict known) except -1:
    """Stones until the five in the longest line of a proof."""
    cdef int longest
    if node.otherwise is None:
        return 1
    if id(node) in known:
        return known[id(node)]
    longest = plies_of(node.otherwise, known)
    for then in node.replies.values():
        longest = max(longest, plies_of(then, known))
    known[id(node)] = longest + 2
    return longest + 2


cdef tuple longest_line(object node, dict known):
    """The moves of the longest line with named replies."""
    line = [node.move]
    while node.replies:
        reply = max(node.replies, key=lambda r: (plies_of(node.replies[r], known), -r.y, -r.x))
        node = node.replies[reply]
        line += [reply, node.move]
    return tuple(line)


cdef object won(object proof, int64_t nodes, int64_t start_us, is_shortest=False):
    """The Solution of a position that is won by this proof."""
    known = {}
    return Solution(Status.WIN, plies_of(proof, known), longest_line(proof, known), nodes,
                    now_us() - start_us, proof, None, is_shortest)


cdef object proof_within(Vct* v, int side, int kinds, int64_t nodes, int64_t* used):
    """(proof, cut) for `side` to move on the board, within so many nodes and the limits of the call.

    proof  of a win, or None
    cut    0 where there is no such win at all, CUT_MOVES where there is none within the limit of
           moves, else CUT_SEEN
    used   nodes of the call so far
    """
    cdef Board* b = v.board
    cdef Standing s
    cdef int side_before = b.side, level = v.level
    cdef int64_t node_limit = v.node_limit, deadline_us = v.deadline_us
    cdef int64_t left = node_limit - used[0]
    if left <= 0:
        return None, CUT_SEEN
    v.node_limit = min(nodes, left)
    v.kinds = kinds
    b.side = side
    start_vct(v, side)
    with nogil:
        find_vct(v, &s)
    proof = None
    if s.proof == 0:
        lift_limits(v)
        proof = attack_node(v, {})
    used[0] += v.nodes
    b.side = side_before
    v.node_limit = node_limit
    v.deadline_us = deadline_us
    set_level(v, level)
    return proof, CUT_SEEN if s.disproof or s.cut & CUT_SEEN else s.cut


cdef object proof_by_levels(Vct* v, int side, int kinds, int64_t nodes, int64_t* used):
    """The same, from small budgets of the VCF searches to large ones. What a level has found out
    stays known to the next one. With quiet threats, a third of a level is for threes and fours alone:
    long wins by them are found sooner so."""
    cdef int64_t level_nodes = v.params.solver_level_nodes, most = used[0] + nodes
    cdef int level, cut = CUT_SEEN
    proof = None
    for level in range(MAX_LEVEL):
        set_level(v, level)
        grow_table(v, level_nodes)
        if kinds == QUIET and (level or v.moves_limit < MAX_ATTACKS):
            proof, _ = proof_within(v, side, THREES, min(level_nodes // 2, most - used[0]), used)
        if proof is None:
            proof, cut = proof_within(v, side, kinds, min(level_nodes, most - used[0]), used)
        if proof is not None or not cut & CUT_SEEN or used[0] >= most or is_over(v, used[0]):
            break
        level_nodes *= 3
    set_level(v, 0)
    return proof, cut


cdef object shortened(Vct* v, object proof, int side, int kinds, bint is_asked, int64_t* used):
    """(proof, is_shortest): the shortest win that is found when one attack fewer is asked for again
    and again, and whether all shorter ones are refuted.

    is_asked   all that the limits leave is for this; else as many nodes as the win has taken, but
               not more than solver_short_nodes
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
            shorter, cut = proof_by_levels(v, side, kinds, min(most, NO_LIMIT // 2) - used[0], used)
            if shorter is not None:
                proof = shorter
            elif cut & CUT_SEEN:
                break
            else:
                is_shortest = True
    v.moves_limit = limit_before
    return proof, is_shortest


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
    cdef int other = opponent_of(side), i, cell, reply
    cdef MoveList list
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
        replies = {}
        otherwise = None
        if not count_of(b, other, THREAT_FIVE) and not has_won_four(b, other):
            otherwise = proof_within(v, side, THREES, v.params.solver_threat_nodes, used)[0]
        if otherwise is not None:
            for reply in candidates_against(b, otherwise, other):
                then = None
                make(b, reply, other)
                if not is_over(v, used[0]):
                    then = proof_within(v, side, QUIET, v.params.solver_reply_nodes, used)[0]
                    if (then is None and depth < v.params.solver_quiet_depth
                            and has_threat(b, other)):
                        then = proof_by_quiet_move(v, side, depth + 1, used)
                undo(b)
                if then is None:
                    otherwise = None
                    break
                replies[point_of(reply)] = then
        undo(b)
        if otherwise is not None:
            return ProofNode(point_of(cell), replies, otherwise)
    return None


cdef object limit_met(const Vct* v, object limits, int64_t used):
    """What has left a call undecided that has used so many nodes, as in Solution.limit."""
    if v.stop != NULL and load_flag(v.stop):
        return "stop"
    if v.deadline_us and now_us() >= v.deadline_us:
        return "time"
    if limits.nodes is not None and used >= v.node_limit:
        return "nodes"
    return "moves" if v.moves_limit < MAX_ATTACKS else "budget"


cdef object solve_from(Vct* v, object limits, int64_t start_us):
    """solve() for v.board.side, with the clock started earlier."""
    cdef int64_t used = 0
    cdef int side = v.board.side, kinds, cut = CUT_SEEN
    cdef bint forced, quiet_first
    set_limits(v, limits, start_us)
    kinds = v.kinds
    # A first move that threatens a win by threes, but none by fours, is looked for besides.
    quiet_first = kinds == QUIET and v.moves_limit >= MAX_ATTACKS
    forced = has_threat(v.board, opponent_of(side))
    proof = None
    if kinds == QUIET:
        proof, _ = proof_within(v, side, THREES, v.params.solver_threes_nodes, &used)
    if proof is None and quiet_first and forced:
        proof = proof_by_quiet_move(v, side, 0, &used)
    if proof is None:
        proof, cut = proof_by_levels(v, side, kinds, NO_LIMIT // 2, &used)
    if proof is None and quiet_first and not forced and not is_over(v, used):
        proof = proof_by_quiet_move(v, side, 0, &used)
    if proof is None:
        return Solution(Status.UNKNOWN if cut else Status.NO_WIN, None, (), used,
                        now_us() - start_us, None, limit_met(v, limits, used) if cut else None)
    proof, is_shortest = shortened(v, proof, side, kinds, limits.shortest, &used)
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


cdef object solve_all(Vct* v, object limits):
    """Every threat that begins a win: a tuple of Solutions, in the order in which they are tried.

    The limits are those of the whole call; a first move that they leave undecided is missing.
    """
    cdef Board* b = v.board
    cdef int64_t start_us = now_us(), nodes = 0, begin_us
    cdef int side = b.side, i, count
    cdef int16_t cells[MAX_CHOICES]
    cdef MoveList fives
    cdef Standing s
    found = []
    set_limits(v, limits, start_us)
    start_vct(v, side)
    if count_of(b, side, THREAT_FIVE):
        fives.count = 0
        add_cells(&fives, cells_with(b, side, THREAT_FIVE))
        for i in range(fives.count):
            move = point_of(cell_of_key(fives.key[i]))
            found.append(Solution(Status.WIN, 1, (move,), 0, now_us() - start_us,
                                  ProofNode(move, {}, None)))
    count = list_attacks(b, side, v.kinds, NULL, cells)
    for i in range(count):
        if threat_at(b, cells[i], side) == THREAT_FIVE:
            continue                            # a five, listed above
        begin_us = now_us()
        set_limits(v, remaining(limits, nodes, start_us), begin_us)
        start_vct(v, side)
        make(b, cells[i], side)
        with nogil:
            defend(v, 0, INFINITE, INFINITE, &s)
        if s.proof == 0:
            lift_limits(v)
            answers = answers_to_threat(v, {})
            if answers is not None:
                node = ProofNode(point_of(cells[i]), answers[0], answers[1])
                found.append(won(node, v.nodes, begin_us))
        undo(b)
        nodes += v.nodes
    return tuple(found)


cdef set cells_of(object node, dict known):
    """The cells of every move and reply of a proof."""
    if id(node) in known:
        return known[id(node)]
    found = {cell_at(node.move.x, node.move.y)}
    for reply, then in node.replies.items():
        found.add(cell_at(reply.x, reply.y))
        found |= cells_of(then, known)
    if node.otherwise is not None:
        found |= cells_of(node.otherwise, known)
    known[id(node)] = found
    return found


cdef list candidates_against(Board* b, object proof, int side):
    """The cells where a stone of `side` might spoil a proof of the opponent's win.

    Such a stone must take something from the attacker, which needs a line through one of the
    attacker's moves, or give the defender a new four: together with two stones on the board (then
    it makes a blocked three now), or together with a reply of the proof on one line with it. A
    stone elsewhere changes nothing. In renju a distant stone may decide whether a point is forbidden, so
    all cells are tried.
    """
    cdef int cell, d, i, step
    found = set()
    cells = cells_of(proof, {})
    for cell in range(CELLS):
        if not is_empty(b, cell):
            continue
        near = may_be_foul(b, BLACK) or cell in cells
        for d in range(DIRECTIONS):
            near = near or line_at(b, cell, d, side) >= LINE_BLOCKED_THREE
            step = step_of(d)
            for i in range(-b.tables.reach, b.tables.reach + 1):
                near = near or cell + i * step in cells
        if near and not is_forbidden(b, cell, side):
            found.add(cell)
    return sorted(found)


cdef bint is_spent(const Vct* v, object left) noexcept:
    """True when nothing of the limits is left."""
    return left.nodes == 0 or left.time_ms == 0 or (v.stop != NULL and load_flag(v.stop))


cdef tuple points_of(list cells):
    return tuple([point_of(cell) for cell in sorted(cells)])


cdef object defences(Vct* v, object limits):
    """The moves of the side to move after which the opponent has no win by threats any more, as
    engine.model.Defences. The limits are those of the whole call.

    Each move gets few nodes at first and then four times as many, so that one that takes long leaves
    time for the others.
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
