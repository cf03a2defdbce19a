"""Victory by continuous threats (VCT), as a proof: fours, threes, and moves that threaten a VCF.

    find_vct        solves the position on the board, the attacker to move
    attack          the same without its preliminary searches, for a position below the root
    defend          the same with the defender to move, after a threat
    find_threat     the VCF that the attacker's last move threatens

The moves of both sides come from forcing.pyx; replies that it leaves out lose by force.

Method: depth-first proof-number search (df-pn). Each side has few moves, and their number
tells how near the end is. The position that is cheapest to prove is searched first, so a long
forced line is followed to its end before broad ones, and no depth has to be set. Iterative deepening
over the attacker's moves would be worse: combinations of ten threes and fours are common, and it
would search all broad lines of that length. What is added:

  * each position with the attacker to move is first searched for a VCF with a small budget, which
    ends most lines many plies early;
  * whether a quiet move threatens a VCF is judged when it is searched, not when it is listed; a
    list holds dozens of them, and the proof number of most is never reached;
  * where the defender has a VCF, a three or a quiet threat is refuted at once, and where the
    defender threatens one, only moves count that may spoil it;
  * refuting all attacks is taken to cost as much as the hardest one, and 1 for each other: attacks
    lead to the same positions in many orders, which a sum would count again and again;
  * a child is searched until it is worse than the second best by solver_slack, so that the search
    does not change lines at every stone and needs only a small table.

A search for a VCF has a budget of nodes. What was refuted only because a budget was met is marked
(CUT_SEEN) and searched again at the next level, where budgets are larger; all else stays known. So a
position without a win is exhausted, unless the last level still meets its budgets.

Stones are never removed, so no position repeats and every result holds wherever the position comes
up. A table keeps positions from one solve of a game to the next; its keys include the attacker, the
kinds of moves and the stone by which the win must be complete. All numbers are integers and all
orders total: the same position, limits and table content give the same nodes.
"""

from engine.board cimport (Board, count_of, first_with, key_after, make, position_key, threat_at,
                           undo)
from engine.clock cimport now_us
from engine.forcing cimport FOURS, MAX_CHOICES, QUIET, THREES, list_attacks, list_replies
from engine.geometry cimport mix64
from engine.intrinsics cimport load_flag
from engine.patterns cimport THREAT_DOUBLE_THREE, THREAT_FIVE, THREAT_FOUR, THREAT_NONE
from engine.threats cimport find_vcf, has_won_four, may_have_four, won_four_cell, zone_of_vcf
from engine.types cimport MAX_STONES, NO_CELL, WORDS, int16_t, int64_t, opponent_of, uint32_t, uint64_t


# -- the table ----------------------------------------------------------------------------------

cdef inline ProofEntry* set_of(const Vct* v, uint64_t key) noexcept nogil:
    return &v.table[((key ^ (key >> 31)) & (v.sets - 1)) * PROOF_WAYS]


cdef inline bint is_older(const Vct* v, const ProofEntry* e) noexcept nogil:
    """True when a position that is not won was searched with smaller budgets."""
    return e.plies >> 2 < v.level


cdef ProofEntry* find_entry(const Vct* v, uint64_t key) noexcept nogil:
    """The position's entry, NULL if nothing is known, or only what a smaller budget has missed."""
    cdef ProofEntry* e = set_of(v, key)
    cdef int i
    for i in range(PROOF_WAYS):
        if e[i].key == key:
            if e[i].disproof == 0 and (e[i].plies & CUT_SEEN) and is_older(v, &e[i]):
                return NULL
            return &e[i]
    return NULL


cdef ProofEntry* place_for(const Vct* v, uint64_t key) noexcept nogil:
    """The position's entry, else the one of its set that took the least work."""
    cdef ProofEntry* e = set_of(v, key)
    cdef ProofEntry* target = e
    cdef int i
    for i in range(PROOF_WAYS):
        if e[i].key == key:
            return &e[i]
        if e[i].work < target.work:
            target = &e[i]
    return target


cdef void note(const Vct* v, uint64_t key, const Standing* s, int64_t work) noexcept nogil:
    """Stores what is known."""
    cdef ProofEntry* target = place_for(v, key)
    if target.key == key:
        work += target.work
    target.key = key
    target.proof = s.proof
    target.disproof = s.disproof
    target.cell = s.cell
    target.plies = s.plies if s.proof == 0 else s.cut + 4 * v.level
    target.work = <uint32_t>work if work < 0xFFFFFFF else 0xFFFFFFF


cdef inline int cut_of(const ProofEntry* e) noexcept nogil:
    """What a refutation has left out."""
    return e.plies & (CUT_MOVES | CUT_SEEN)


cdef inline void recall(const ProofEntry* e, Standing* s) noexcept nogil:
    s.proof = e.proof
    s.disproof = e.disproof
    s.cell = e.cell
    s.plies = e.plies if e.proof == 0 else 0
    s.cut = cut_of(e) if e.disproof == 0 else 0


cdef inline void win(Standing* s, int cell, int plies) noexcept nogil:
    s.proof = 0
    s.disproof = INFINITE
    s.cell = cell
    s.plies = plies
    s.cut = 0


cdef inline void refute(Standing* s, int cell, int cut) noexcept nogil:
    s.proof = INFINITE
    s.disproof = 0
    s.cell = cell
    s.plies = 0
    s.cut = cut


# -- limits -------------------------------------------------------------------------------------

cdef inline bint out_of_limits(Vct* v) noexcept nogil:
    if v.nodes >= v.node_limit:
        v.stopped = True
    elif v.nodes >= v.next_poll:
        v.next_poll = v.nodes + v.params.solver_poll_nodes
        if (v.stop != NULL and load_flag(v.stop)) or (v.deadline_us and now_us() >= v.deadline_us):
            v.stopped = True
    return v.stopped


cdef inline int moves_left(const Vct* v) noexcept nogil:
    """How many stones the attacker may still place, the five included."""
    return v.moves_limit - (v.board.stones - v.root_stones + 1) // 2


# -- positions that need no search --------------------------------------------------------------

cdef bint attack_is_clear(Vct* v, Standing* s) noexcept nogil:
    """True when the position is decided before the attacker's moves are listed."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), left = moves_left(v)
    if left < 1:
        refute(s, NO_CELL, CUT_MOVES)
        return True
    if count_of(b, side, THREAT_FIVE):
        win(s, first_with(b, side, THREAT_FIVE), 1)
        return True
    if left < 2:
        refute(s, NO_CELL, CUT_MOVES)
        return True
    if count_of(b, other, THREAT_FIVE) == 0 and has_won_four(b, side):
        win(s, won_four_cell(b, side), 3)
        return True
    return False


cdef int vcf_of(Vct* v, int side, int moves, int64_t budget) noexcept nogil:
    """A VCF of a side, as if it were to move, with so many own stones at most: all stones until the
    five and v.vcf.line, or 0."""
    cdef Board* b = v.board
    cdef int side_before = b.side, plies
    v.vcf.side = side
    v.vcf.fours_limit = moves - 1
    v.vcf.won_limit = moves - 2
    v.vcf.node_limit = min(v.nodes + budget, v.node_limit)
    v.vcf.deadline_us = v.deadline_us
    b.side = side
    plies = find_vcf(&v.vcf)
    b.side = side_before
    return plies


cdef bint has_vcf(Vct* v, Standing* s, int64_t budget) noexcept nogil:
    """True when the attacker is to move and has a VCF that is found within the budget of nodes."""
    cdef int plies = vcf_of(v, v.side, moves_left(v), budget)
    if plies == 0:
        return False
    win(s, v.vcf.line[0], plies)
    return True


cdef int find_threat(Vct* v) noexcept nogil:
    """The VCF that the attacker's last move threatens: its stones and v.vcf.line, or 0."""
    v.vcf.late = False
    v.vcf.node_limit = v.nodes + 1
    if not may_have_four(v.board, v.side):
        return 0
    return vcf_of(v, v.side, moves_left(v), v.threat_nodes)


cdef inline bint defender_has_vcf(Vct* v) noexcept nogil:
    """True when the defender, if it is to move, has a VCF, which is then v.vcf.line. Among threes and
    fours alone, where a reply costs little, the search is short."""
    cdef int other = opponent_of(v.side)
    cdef int64_t budget = v.vcf_nodes if v.kinds == QUIET else v.vcf_nodes // 4
    return may_have_four(v.board, other) and vcf_of(v, other, MAX_STONES, budget) != 0


cdef bint defence_is_clear(Vct* v, Standing* s) noexcept nogil:
    """True when the position after an attacking move is decided before the replies are listed."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), left = moves_left(v)
    if count_of(b, other, THREAT_FIVE):
        refute(s, first_with(b, other, THREAT_FIVE), 0)
        return True
    if count_of(b, side, THREAT_FIVE):
        if left < 1:
            refute(s, NO_CELL, CUT_MOVES)
        return left < 1
    if v.kinds == FOURS or (v.kinds == THREES and not has_won_four(b, side)):
        refute(s, NO_CELL, 0)                   # no threat at all
        return True
    # The opponent's open four or double four comes one stone earlier than the attacker's.
    if has_won_four(b, other):
        refute(s, won_four_cell(b, other), 0)
        return True
    if left < 2:
        refute(s, NO_CELL, CUT_MOVES)
        return True
    return False


# -- the search ---------------------------------------------------------------------------------

cdef inline uint32_t guess_proof(const Vct* v, int cell) noexcept nogil:
    """The first proof number of an attack: about the number of its replies."""
    cdef int threat = threat_at(v.board, cell, v.side)
    if threat >= THREAT_FOUR or threat == THREAT_DOUBLE_THREE:
        return 1
    return v.params.solver_quiet_proof if threat == THREAT_NONE else v.params.solver_three_proof


cdef inline uint32_t saturated(uint64_t total) noexcept nogil:
    """A sum of proof numbers, limited to what an undecided position may have."""
    return <uint32_t>total if total < INFINITE else INFINITE - 1


cdef inline uint32_t share_of(uint32_t limit, uint64_t others) noexcept nogil:
    """The part of a limit that is left for one child; all of it where the others exceed it."""
    return <uint32_t>(limit - others) if others < limit else limit


cdef struct Children:        # the moves of one node, with what is known of each
    int count
    int next                 # behind their place in Vct.cell, .proof and .disproof
    int16_t* cell            # these three have `count` items
    uint32_t* proof
    uint32_t* disproof
    int cut                  # of the attacker's node: what the refutations of moves have left out
    int plies                # of the defender's node: stones until the five, by the replies so far


cdef inline void place(Vct* v, int at, Children* c) noexcept nogil:
    """Gives the moves of a node, not listed yet, their place."""
    c.cell = &v.cell[at]
    c.proof = &v.proof[at]
    c.disproof = &v.disproof[at]


cdef int choose_child(const uint32_t* own, const uint32_t* other, int count, uint32_t* second,
                      uint64_t* total, uint64_t* others, bint attacking) noexcept nogil:
    """The most promising undecided child, -1 if all are decided against the side to move.

    own     the numbers that the side to move wants small: proof for the attacker
    other   the opposing numbers, 0 where the child is decided against the side to move
    second  out: the second smallest of the own numbers
    total   out: how hard it is to decide all of them against the side to move. The defender's
            replies count as the sum of their numbers, the attacker's moves as the largest and 1 for
            each other: many lead to the same positions, which a sum would count again and again
    others  out: the part of it that the returned child does not change
    """
    cdef int i, best = -1
    cdef uint32_t largest = 0
    second[0] = INFINITE
    total[0] = 0
    for i in range(count):
        if other[i] == 0:
            continue
        if not attacking:
            total[0] += other[i]
        else:
            total[0] += 1
            largest = max(largest, other[i])
        if best < 0 or own[i] < own[best]:
            if best >= 0:
                second[0] = own[best]
            best = i
        elif own[i] < second[0]:
            second[0] = own[i]
    if best >= 0:
        others[0] = total[0] - (1 if attacking else other[best])
        total[0] = others[0] + (largest if attacking else other[best])
    return best


cdef void search_children(Vct* v, Children* c, bint attacking, uint32_t proof_limit,
                          uint32_t disproof_limit, Standing* s) noexcept nogil:
    """Searches the most promising child again and again, until the node is decided or one of its
    numbers reaches its limit. One loop serves both sides, with proof and disproof exchanged."""
    cdef Board* b = v.board
    cdef int mover = b.side, best
    cdef uint32_t* own = &c.proof[0] if attacking else &c.disproof[0]
    cdef uint32_t* other = &c.disproof[0] if attacking else &c.proof[0]
    cdef uint32_t own_limit = proof_limit if attacking else disproof_limit
    cdef uint32_t other_limit = disproof_limit if attacking else proof_limit
    cdef uint32_t second, limit, rest, sum_of_others
    cdef uint64_t total, others, slack
    cdef Standing child
    while True:
        best = choose_child(own, other, c.count, &second, &total, &others, attacking)
        if best < 0:
            if attacking:
                refute(s, NO_CELL, c.cut)
            else:
                win(s, NO_CELL, c.plies)
            return
        sum_of_others = saturated(total)
        s.proof = own[best] if attacking else sum_of_others
        s.disproof = sum_of_others if attacking else own[best]
        s.cell = c.cell[best]
        s.plies = 0
        s.cut = 0
        if own[best] >= own_limit or sum_of_others >= other_limit or out_of_limits(v):
            return
        # The child is left only when it is clearly worse than the second best.
        slack = <uint64_t>second * v.params.solver_slack // 100
        limit = <uint32_t>(second + slack + 1) if second + slack < own_limit else own_limit
        rest = share_of(other_limit, others)
        make(b, c.cell[best], mover)
        v.nodes += 1
        if attacking:
            defend(v, c.next, limit, rest, &child)
        else:
            attack(v, c.next, rest, limit, &child)
        undo(b)
        c.proof[best] = child.proof
        c.disproof[best] = child.disproof
        if own[best] == 0:
            if attacking:
                win(s, c.cell[best], child.plies + 1)
            else:
                refute(s, c.cell[best], child.cut)
            return
        if other[best] == 0:
            if attacking:
                c.cut |= child.cut
            elif child.plies >= c.plies:
                c.plies = child.plies + 1
        if v.stopped:
            return


cdef void attack(Vct* v, int at, uint32_t proof_limit, uint32_t disproof_limit, Standing* s) noexcept nogil:
    """The attacker is to move: searches until one of the numbers reaches its limit.

    at   where there is room for the node's moves
    """
    cdef Board* b = v.board
    cdef int i
    cdef int64_t nodes_before = v.nodes
    cdef uint64_t key = position_key(b) ^ v.salt_now
    cdef ProofEntry* e = find_entry(v, key)
    cdef uint64_t zone[WORDS]
    cdef bint threatened = False
    cdef Children c

    # Step 1. Known, clear, or won by fours?
    if e != NULL:
        recall(e, s)
        if s.proof == 0 or s.disproof == 0:
            return
    elif attack_is_clear(v, s):
        return
    if (e == NULL or is_older(v, e)) and has_vcf(v, s, v.vcf_nodes):
        note(v, key, s, v.nodes - nodes_before)
        return

    # Step 2. The moves, with what is known of them. Against a VCF of the defender's only those count
    # that may spoil it.
    if v.kinds > FOURS and count_of(b, opponent_of(v.side), THREAT_FIVE) == 0 and defender_has_vcf(v):
        threatened = zone_of_vcf(&v.vcf, zone)
    place(v, at, &c)
    c.count = list_attacks(b, v.side, v.kinds, zone if threatened else NULL, c.cell)
    c.next = at + c.count
    c.cut = CUT_SEEN if c.count == MAX_CHOICES else 0
    for i in range(c.count):
        e = find_entry(v, key_after(b, c.cell[i], v.side) ^ v.salt_now)
        if e != NULL:
            c.proof[i] = e.proof
            c.disproof[i] = e.disproof
            if e.disproof == 0:
                c.cut |= cut_of(e)
            elif e.proof == 0:
                win(s, c.cell[i], e.plies + 1)
                note(v, key, s, v.nodes - nodes_before)
                return
        else:
            c.proof[i] = guess_proof(v, c.cell[i])
            c.disproof[i] = 1

    # Step 3. Searches the most promising one, again and again.
    search_children(v, &c, True, proof_limit, disproof_limit, s)
    note(v, key, s, v.nodes - nodes_before)


cdef void look_at_replies(Vct* v, const Children* c) noexcept nogil:
    """Notes which replies to a quiet threat leave a VCF. Most do; the number of the others is then
    the proof number of the threat."""
    cdef Board* b = v.board
    cdef int i, other = opponent_of(v.side)
    cdef int64_t nodes_before
    cdef uint64_t key
    cdef Standing s
    for i in range(c.count):
        key = key_after(b, c.cell[i], other) ^ v.salt_now
        if find_entry(v, key) != NULL:
            continue
        nodes_before = v.nodes
        make(b, c.cell[i], other)
        v.nodes += 1
        if attack_is_clear(v, &s) or has_vcf(v, &s, v.vcf_nodes):
            note(v, key, &s, v.nodes - nodes_before)
        undo(b)


cdef void defend(Vct* v, int at, uint32_t proof_limit, uint32_t disproof_limit, Standing* s) noexcept nogil:
    """The defender is to move after a threat: searches until a number reaches its limit. at: as above"""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i
    cdef int64_t nodes_before = v.nodes
    cdef uint64_t key = position_key(b) ^ v.salt_now
    cdef ProofEntry* e = find_entry(v, key)
    cdef bint quiet = False
    cdef uint64_t zone[WORDS]
    cdef Children c

    # Step 1. Known or clear?
    if e != NULL:
        recall(e, s)
        if s.proof == 0 or s.disproof == 0:
            return
    elif defence_is_clear(v, s):
        note(v, key, s, 0)
        return

    # Step 2. What is threatened, and the replies; every other stone loses to it.
    v.threat_plies = 1 if count_of(b, side, THREAT_FIVE) else 3
    if v.threat_plies == 3 and not has_won_four(b, side):
        quiet = True
        v.threat_plies = find_threat(v)
        if v.threat_plies == 0:
            # What else cuts a search for a VCF is the limit of moves.
            refute(s, NO_CELL, (CUT_SEEN if v.nodes >= v.vcf.node_limit or v.vcf.late else 0)
                   | (CUT_MOVES if v.moves_limit < MAX_ATTACKS else 0))
            note(v, key, s, v.nodes - nodes_before)
            return
        if not zone_of_vcf(&v.vcf, zone):
            refute(s, NO_CELL, CUT_SEEN)
            note(v, key, s, v.nodes - nodes_before)
            return
    if v.threat_plies > 1 and (e == NULL or is_older(v, e)) and defender_has_vcf(v):
        refute(s, v.vcf.line[0], 0)
        note(v, key, s, v.nodes - nodes_before)
        return
    place(v, at, &c)
    c.count = list_replies(b, other, zone if quiet else NULL, c.cell)
    c.next = at + c.count
    c.plies = v.threat_plies + 1
    if c.count == MAX_CHOICES:
        refute(s, NO_CELL, CUT_SEEN)
        return
    if quiet and (e == NULL or is_older(v, e)):
        look_at_replies(v, &c)
    for i in range(c.count):
        e = find_entry(v, key_after(b, c.cell[i], other) ^ v.salt_now)
        if e != NULL:
            c.proof[i] = e.proof
            c.disproof[i] = e.disproof
            if e.disproof == 0:
                refute(s, c.cell[i], cut_of(e))
                note(v, key, s, v.nodes - nodes_before)
                return
            if e.proof == 0 and e.plies >= c.plies:
                c.plies = e.plies + 1
        else:
            c.proof[i] = 1
            c.disproof[i] = 1

    # Step 3. Searches the reply that is closest to a refutation, again and again.
    search_children(v, &c, False, proof_limit, disproof_limit, s)
    note(v, key, s, v.nodes - nodes_before)


# -- for callers --------------------------------------------------------------------------------

cdef void choose_moves(Vct* v, int kinds) noexcept nogil:
    """Sets which moves the attacker has; each kind has keys of its own in the table."""
    v.kinds = kinds
    # Without a limit of moves a solve shares the table with the next one of the game. The game itself
    # takes no part: its number would decide which positions share a set of the table.
    v.salt_now = mix64(8 * (0 if v.moves_limit >= MAX_ATTACKS
                            else v.root_stones + 2 * v.moves_limit)
                       + 2 * v.kinds + v.side - 1)


cdef void start_vct(Vct* v, int side) noexcept nogil:
    """Begins a solve for the attacker `side`; the limits are set, the board is the root."""
    v.side = side
    v.nodes = 0
    v.next_poll = 0
    v.stopped = False
    v.root_stones = v.board.stones
    choose_moves(v, v.kinds)
    v.vcf.board = v.board
    v.vcf.memo = v.memo
    v.vcf.salt = 0
    v.vcf.nodes = &v.nodes
    v.vcf.stop = v.stop
    v.vcf.is_quick = False
    v.vcf.params = v.params


cdef void find_vct(Vct* v, Standing* found) noexcept nogil:
    """Is there a VCT for v.side, which is to move? start_vct() must have been called.

    The board is unchanged afterwards. found.proof == 0: v.side wins with found.cell in at most
    found.plies; found.disproof == 0: it has no such win (found.cut: within the limit of moves);
    otherwise v.stopped is set.
    """
    cdef ProofEntry* e = find_entry(v, position_key(v.board) ^ v.salt_now)
    cdef int64_t node_limit = v.node_limit
    if e == NULL and not attack_is_clear(v, found) and has_vcf(v, found, v.root_vcf_nodes):
        note(v, position_key(v.board) ^ v.salt_now, found, v.nodes)
        return
    if v.kinds == QUIET:
        choose_moves(v, THREES)
        v.node_limit = min(v.node_limit, v.nodes + v.threes_nodes)
        attack(v, 0, INFINITE, INFINITE, found)
        if found.proof == 0:
            return
        v.stopped = v.stopped and v.nodes < v.node_limit
        v.node_limit = node_limit
        choose_moves(v, QUIET)
    attack(v, 0, INFINITE, INFINITE, found)
