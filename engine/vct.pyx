"""Victory by continuous threes and fours (VCT), as a proof.

    find_vct        the position on the board, the attacker to move
    judge_attack    the same below the root: the standing after the search
    judge_defence   a position with the defender to move, after a threat
    list_attacks    the attacker's moves: every four; every three; quiet moves that may threaten a VCF
    list_replies    the defender's moves: what stops a five; what leaves no open four, and his own
                    fours; what may spoil the VCF. All exact: a reply left out loses by force

Method: depth-first proof-number search (df-pn). Where each side has few moves and their number says
how near the end is, the position that is cheapest to prove comes first: a long forced line is
followed to its end while broad ones wait, and no depth has to be given. Iterative deepening by
attacking moves was not taken: combinations of ten threes and fours are common, and the broad
lines of the same length would all come first. Two additions:

  * a position with the attacker to move is first asked for a VCF with a tiny budget, which ends
    most lines many plies early;
  * a child is left only when it is worse than the second best by a quarter, so that the search
    does not jump at every stone and lives with a small table.

Threes alone are searched first: they decide most positions quickly, one way or the other, and a
quiet threat has a dozen replies. In caro, where a four has several answers and a VCF is no line,
there are no quiet threats.

Stones only come, so no position repeats and every result is true wherever it is met. A table
remembers positions between solves of a game; its keys are salted with the game, the attacker, his
kinds of moves and the stone by which he must have won. Integers only, total orders: the same
position and limits give the same nodes, as long as the table holds the same.
"""

from engine.board cimport (Board, cells_with, count_of, first_cell, key_after, line_at, make,
                           position_key, threat_at, undo)
from engine.clock cimport now_us
from engine.geometry cimport DIRECTIONS, step_of
from engine.movegen cimport (MoveList, add_cells, add_move, cell_of_key, generate_five_defences,
                             generate_all, generate_four_defences, generate_fours, move_key)
from engine.patterns cimport (LINE_FOUR, LINE_THREE, LINE_THREE_WIDE, LINE_TWO_TIGHT,
                              THREAT_DOUBLE_FOUR, THREAT_DOUBLE_THREE, THREAT_FIVE,
                              THREAT_FORBIDDEN, THREAT_FOUR, THREAT_FOUR_THREE, THREAT_NONE,
                              THREAT_OPEN_FOUR, THREAT_THREE)
from engine.rules cimport is_forbidden, is_foul, may_be_foul
from engine.threats cimport MAX_FOURS, find_vcf, zone_of_vcf
from engine.types cimport (EMPTY, NO_CELL, WORDS, int16_t, int32_t, int64_t, opponent_of, uint32_t,
                           uint64_t)
from engine.zobrist cimport mix64


# -- the table ----------------------------------------------------------------------------------

cdef inline ProofEntry* set_of(const Vct* v, uint64_t key) noexcept nogil:
    return &v.table[((key ^ (key >> 31)) & (PROOF_SETS - 1)) * PROOF_WAYS]


cdef ProofEntry* find_entry(const Vct* v, uint64_t key) noexcept nogil:
    """The position's entry, NULL if nothing is known."""
    cdef ProofEntry* e = set_of(v, key)
    cdef int i
    for i in range(PROOF_WAYS):
        if e[i].key == key:
            return &e[i]
    return NULL


cdef void note(const Vct* v, uint64_t key, const Standing* s, int64_t work) noexcept nogil:
    """Stores what is known; of another position the one that took the least work goes."""
    cdef ProofEntry* e = set_of(v, key)
    cdef ProofEntry* target = e
    cdef int i
    for i in range(PROOF_WAYS):
        if e[i].key == key:
            target = &e[i]
            work += target.work
            break
        if e[i].work < target.work:
            target = &e[i]
    target.key = key
    target.proof = s.proof
    target.disproof = s.disproof
    target.cell = s.cell
    target.plies = s.plies
    target.cut = s.cut
    target.work = <uint32_t>work if work < 0xFFFFFFF else 0xFFFFFFF


cdef inline void recall(const ProofEntry* e, Standing* s) noexcept nogil:
    s.proof = e.proof
    s.disproof = e.disproof
    s.cell = e.cell
    s.plies = e.plies
    s.cut = e.cut


cdef inline void win(Standing* s, int cell, int plies) noexcept nogil:
    s.proof = 0
    s.disproof = INFINITE
    s.cell = cell
    s.plies = plies
    s.cut = False


cdef inline void refute(Standing* s, int cell, bint cut) noexcept nogil:
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
        v.next_poll = v.nodes + 256
        if (v.stop != NULL and v.stop[0]) or (v.deadline_us and now_us() >= v.deadline_us):
            v.stopped = True
    return v.stopped


cdef inline int moves_left(const Vct* v) noexcept nogil:
    """How many stones the attacker may still place, the five included."""
    return v.moves_limit - (v.board.stones - v.root_stones + 1) // 2


# -- moves --------------------------------------------------------------------------------------

cdef bint has_won_four(const Board* b, int side) noexcept nogil:
    """True when one more stone wins in two unless the opponent has a five: an open four or two
    fours are there to be made."""
    return count_of(b, side, THREAT_OPEN_FOUR) or count_of(b, side, THREAT_DOUBLE_FOUR)


cdef bint has_line_three(const Board* b, int cell, int side) noexcept nogil:
    cdef int d
    for d in range(DIRECTIONS):
        if LINE_THREE <= line_at(b, cell, d, side) <= LINE_THREE_WIDE:
            return True
    return False


cdef void add_threes(Board* b, int side, MoveList* list) noexcept nogil:
    """Appends the moves that make a three and no four."""
    cdef MoveList doubtful
    cdef int i, cell
    add_cells(list, cells_with(b, side, THREAT_THREE))
    add_cells(list, cells_with(b, side, THREAT_DOUBLE_THREE))
    if may_be_foul(b, side) and count_of(b, side, THREAT_FORBIDDEN):
        doubtful.count = 0
        add_cells(&doubtful, cells_with(b, side, THREAT_FORBIDDEN))
        for i in range(doubtful.count):
            cell = cell_of_key(doubtful.key[i])
            if has_line_three(b, cell, side) and not is_foul(b, cell):
                add_move(list, cell)


cdef bint may_have_four(const Board* b, int side) noexcept nogil:
    return (count_of(b, side, THREAT_FOUR) or count_of(b, side, THREAT_FOUR_THREE)
            or count_of(b, side, THREAT_DOUBLE_FOUR) or count_of(b, side, THREAT_OPEN_FOUR)
            or (may_be_foul(b, side) and count_of(b, side, THREAT_FORBIDDEN)))


cdef bint may_be_quiet_threat(const Board* b, int cell, int side) noexcept nogil:
    """True for a move that makes nothing now, but a two or a blocked three for a four to use."""
    cdef int d
    if threat_at(b, cell, side) == THREAT_NONE:
        for d in range(DIRECTIONS):
            if line_at(b, cell, d, side) >= LINE_TWO_TIGHT:
                return True
    return False


cdef void add_quiet(Vct* v, MoveList* list) noexcept nogil:
    """Appends moves that might threaten a VCF: those that leave a four-three or two fours to be
    made, and against an open four of the opponent's all that stop it.

    Longer VCF are not looked for where the shortest kind is missing: they are rare, and every
    move would have to be tried. Whether there is a VCF is judged after the move.
    """
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, cell
    cdef bint must_stop = count_of(b, other, THREAT_OPEN_FOUR) > 0, threatens
    cdef MoveList near
    if must_stop:
        generate_four_defences(b, side, &near)
    else:
        generate_all(b, &near)
    for i in range(near.count):
        cell = cell_of_key(near.key[i])
        if must_stop:
            if not is_forbidden(b, cell, side):
                add_move(list, cell)
        elif may_be_quiet_threat(b, cell, side):
            make(b, cell, side)
            v.nodes += 1
            threatens = ((count_of(b, side, THREAT_FOUR_THREE)
                          or count_of(b, side, THREAT_DOUBLE_FOUR))
                         and not has_won_four(b, other))
            undo(b)
            if threatens:
                add_move(list, cell)


cdef int sorted_cells(const Board* b, MoveList* list, int side, int16_t* cells) noexcept nogil:
    """The list in order of what the cells are worth to `side`, by cell where equal; doubles are
    dropped, and what is too much. Returns the number of cells."""
    cdef int i, j, cell, count = 0
    cdef int32_t key
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        key = move_key(b.values.attack[side - 1][b.cell[cell].code[side - 1]], cell)
        j = i
        while j > 0 and list.key[j - 1] < key:
            list.key[j] = list.key[j - 1]
            j -= 1
        list.key[j] = key
    for i in range(list.count):
        if (i == 0 or list.key[i] != list.key[i - 1]) and count < MAX_CHOICES:
            cells[count] = cell_of_key(list.key[i])
            count += 1
    return count


cdef int list_attacks(Vct* v, int16_t* cells) noexcept nogil:
    """The attacker's moves, where he is to move and has no five. Whether each leaves a threat is
    judged after it."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, kept = 0
    cdef MoveList list
    list.count = 0
    if count_of(b, other, THREAT_FIVE):
        generate_five_defences(b, side, &list)
        for i in range(list.count):
            if not is_forbidden(b, cell_of_key(list.key[i]), side):
                list.key[kept] = list.key[i]
                kept += 1
        list.count = kept
    else:
        generate_fours(b, side, &list)
        if v.moves >= THREES:
            add_threes(b, side, &list)
        if v.moves >= QUIET:
            add_quiet(v, &list)
    return sorted_cells(b, &list, side, cells)


cdef void add_double_four_defences(Board* b, int side, MoveList* list) noexcept nogil:
    """Appends the moves of `side` after which the opponent, who could make two fours with one
    stone but no open four, has no such cell any more."""
    cdef int other = opponent_of(side), d, i, at, step
    cdef int first = first_cell(cells_with(b, other, THREAT_DOUBLE_FOUR))
    for d in range(DIRECTIONS):
        if line_at(b, first, d, other) < LINE_FOUR:
            continue
        step = step_of(d)
        for i in range(-b.tables.reach, b.tables.reach + 1):
            at = first + i * step
            if b.stone[at] != EMPTY:
                continue
            make(b, at, side)
            if not has_won_four(b, other):
                add_move(list, at)
            undo(b)


cdef int find_threat(Vct* v) noexcept nogil:
    """The VCF that the attacker, who has just moved, threatens: its stones and v.vcf.line, or 0.

    Not one that hangs on a foul of Black: a stone far away may decide that.
    """
    cdef Board* b = v.board
    cdef int plies
    cdef Standing s
    if not may_have_four(b, v.side):
        return 0
    b.side = v.side
    plies = s.plies if has_vcf(v, &s, v.vcf_nodes) else 0
    b.side = opponent_of(v.side)
    return plies


cdef int list_replies(Vct* v, int16_t* cells) noexcept nogil:
    """The defender's moves against a five, an open four in the making or a VCF; -1 where it turns
    out that there is no threat."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, kept = 0
    cdef uint64_t zone[WORDS]
    cdef MoveList list
    list.count = 0
    if count_of(b, side, THREAT_FIVE):
        generate_five_defences(b, other, &list)
    elif not has_won_four(b, side):
        v.threat_plies = find_threat(v)
        if v.threat_plies == 0 or not zone_of_vcf(&v.vcf, zone):
            return -1
        add_cells(&list, zone)
    else:
        if count_of(b, side, THREAT_OPEN_FOUR):
            generate_four_defences(b, other, &list)
        else:
            add_double_four_defences(b, other, &list)
        generate_fours(b, other, &list)
    if may_be_foul(b, other):
        for i in range(list.count):
            if not is_foul(b, cell_of_key(list.key[i])):
                list.key[kept] = list.key[i]
                kept += 1
        list.count = kept
    return sorted_cells(b, &list, other, cells)


# -- positions that need no search --------------------------------------------------------------

cdef bint attack_is_clear(Vct* v, Standing* s) noexcept nogil:
    """True when the position with the attacker to move needs no look at his moves."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), left = moves_left(v)
    if left < 1:
        refute(s, NO_CELL, True)
        return True
    if count_of(b, side, THREAT_FIVE):
        win(s, first_cell(cells_with(b, side, THREAT_FIVE)), 1)
        return True
    if left < 2:
        refute(s, NO_CELL, True)
        return True
    if count_of(b, other, THREAT_FIVE) == 0 and has_won_four(b, side):
        if count_of(b, side, THREAT_OPEN_FOUR):
            win(s, first_cell(cells_with(b, side, THREAT_OPEN_FOUR)), 3)
        else:
            win(s, first_cell(cells_with(b, side, THREAT_DOUBLE_FOUR)), 3)
        return True
    return False


cdef bint has_vcf(Vct* v, Standing* s, int64_t budget) noexcept nogil:
    """True when a VCF of the attacker, who is to move, is found within the budget of stones."""
    cdef int plies, left = moves_left(v)
    v.vcf.side = v.side
    v.vcf.fours_limit = MAX_FOURS if left > MAX_FOURS else left - 1
    v.vcf.node_limit = v.nodes + budget
    if v.vcf.node_limit > v.node_limit:
        v.vcf.node_limit = v.node_limit
    v.vcf.deadline_us = v.deadline_us
    plies = find_vcf(&v.vcf)
    if plies == 0 or (plies + 1) // 2 > left:
        return False
    win(s, v.vcf.line[0], plies)
    return True


cdef bint defence_is_clear(Vct* v, Standing* s) noexcept nogil:
    """True when the position after an attacking move needs no look at the replies."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), left = moves_left(v)
    if count_of(b, other, THREAT_FIVE):
        refute(s, first_cell(cells_with(b, other, THREAT_FIVE)), False)
        return True
    if count_of(b, side, THREAT_FIVE):
        if left < 1:
            refute(s, NO_CELL, True)
        return left < 1
    if v.moves == FOURS or (v.moves == THREES and not has_won_four(b, side)):
        refute(s, NO_CELL, False)               # no threat at all
        return True
    # His open four, or two, come a stone earlier than ours.
    if count_of(b, other, THREAT_OPEN_FOUR):
        refute(s, first_cell(cells_with(b, other, THREAT_OPEN_FOUR)), False)
        return True
    if count_of(b, other, THREAT_DOUBLE_FOUR):
        refute(s, first_cell(cells_with(b, other, THREAT_DOUBLE_FOUR)), False)
        return True
    if left < 2:
        refute(s, NO_CELL, True)
        return True
    return False


# -- the search ---------------------------------------------------------------------------------

cdef inline uint32_t guess_proof(const Vct* v, int cell) noexcept nogil:
    """The proof number of an attack nobody has looked at: its replies, roughly."""
    cdef int threat = threat_at(v.board, cell, v.side)
    if threat >= THREAT_FOUR or threat == THREAT_DOUBLE_THREE:
        return 1
    return v.quiet_proof if threat == THREAT_NONE else 3


cdef inline uint32_t saturated(uint64_t total) noexcept nogil:
    """A sum of numbers as a number of an undecided position."""
    return <uint32_t>total if total < INFINITE else INFINITE - 1


cdef inline uint32_t share_of(uint32_t limit, uint64_t others) noexcept nogil:
    """What of a limit is left for one child; all of it where the sum has no room for more."""
    return <uint32_t>(limit - others) if others < limit else limit


cdef void attack(Vct* v, uint32_t proof_limit, uint32_t disproof_limit, Standing* s) noexcept nogil:
    """The attacker is to move: searches until one of the numbers reaches its limit."""
    cdef Board* b = v.board
    cdef int side = v.side, count, i, best, open_children
    cdef int64_t nodes_before = v.nodes
    cdef uint64_t key = position_key(b) ^ v.salt_now
    cdef ProofEntry* e = find_entry(v, key)
    cdef uint32_t second, limit
    cdef uint64_t total
    cdef bint cut = False
    cdef Standing child
    cdef int16_t cells[MAX_CHOICES]
    cdef uint32_t proof[MAX_CHOICES]
    cdef uint32_t disproof[MAX_CHOICES]

    # Step 1. Known, clear, or won by fours?
    if e != NULL:
        recall(e, s)
        if s.proof == 0 or s.disproof == 0:
            return
    else:
        if attack_is_clear(v, s):
            return
        if has_vcf(v, s, v.vcf_nodes):
            note(v, key, s, v.nodes - nodes_before)
            return

    # Step 2. The moves, with what is known of them.
    count = list_attacks(v, cells)
    if count == MAX_CHOICES:
        cut = True
    for i in range(count):
        e = find_entry(v, key_after(b, cells[i], side) ^ v.salt_now)
        if e != NULL:
            proof[i] = e.proof
            disproof[i] = e.disproof
            if e.disproof == 0:
                cut = cut or e.cut
            elif e.proof == 0:
                win(s, cells[i], e.plies + 1)
                note(v, key, s, v.nodes - nodes_before)
                return
        else:
            proof[i] = guess_proof(v, cells[i])
            disproof[i] = 1

    # Step 3. The most promising one again and again.
    while True:
        best = -1
        second = INFINITE
        total = 0
        open_children = 0
        for i in range(count):
            if disproof[i] == 0:
                continue
            open_children += 1
            total += disproof[i]
            if best < 0 or proof[i] < proof[best]:
                if best >= 0:
                    second = proof[best]
                best = i
            elif proof[i] < second:
                second = proof[i]
        if best < 0:
            refute(s, NO_CELL, cut)
            break
        s.proof = proof[best]
        s.disproof = saturated(total)
        s.cell = cells[best]
        s.plies = 0
        s.cut = False
        if s.proof >= proof_limit or s.disproof >= disproof_limit or out_of_limits(v):
            break
        limit = second + (second >> 2) + 1
        if limit > proof_limit:
            limit = proof_limit
        make(b, cells[best], side)
        v.nodes += 1
        defend(v, limit, share_of(disproof_limit, total - disproof[best]), &child)
        undo(b)
        proof[best] = child.proof
        disproof[best] = child.disproof
        if child.proof == 0:
            win(s, cells[best], child.plies + 1)
            break
        if child.disproof == 0:
            cut = cut or child.cut
        if v.stopped:
            break
    note(v, key, s, v.nodes - nodes_before)


cdef void look_at_replies(Vct* v, const int16_t* cells, int count) noexcept nogil:
    """Notes which replies to a quiet threat leave a VCF: most do, and the rest is its number."""
    cdef Board* b = v.board
    cdef int i, other = opponent_of(v.side)
    cdef int64_t nodes_before
    cdef uint64_t key
    cdef Standing s
    for i in range(count):
        key = key_after(b, cells[i], other) ^ v.salt_now
        if find_entry(v, key) != NULL:
            continue
        nodes_before = v.nodes
        make(b, cells[i], other)
        v.nodes += 1
        if attack_is_clear(v, &s) or has_vcf(v, &s, v.vcf_nodes):
            note(v, key, &s, v.nodes - nodes_before)
        undo(b)


cdef void defend(Vct* v, uint32_t proof_limit, uint32_t disproof_limit, Standing* s) noexcept nogil:
    """The defender is to move after a threat: searches until a number reaches its limit."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), count, i, best, open_children, plies
    cdef int64_t nodes_before = v.nodes
    cdef uint64_t key = position_key(b) ^ v.salt_now
    cdef ProofEntry* e = find_entry(v, key)
    cdef uint32_t second, limit
    cdef uint64_t total
    cdef Standing child
    cdef int16_t cells[MAX_CHOICES]
    cdef uint32_t proof[MAX_CHOICES]
    cdef uint32_t disproof[MAX_CHOICES]

    # Step 1. Known or clear?
    if e != NULL:
        recall(e, s)
        if s.proof == 0 or s.disproof == 0:
            return
    elif defence_is_clear(v, s):
        note(v, key, s, 0)
        return

    # Step 2. The replies; every other stone loses to the five or the open four.
    v.threat_plies = 1 if count_of(b, side, THREAT_FIVE) else 3
    count = list_replies(v, cells)
    if count < 0:
        refute(s, NO_CELL, v.moves_limit < MAX_ATTACKS)
        note(v, key, s, v.nodes - nodes_before)
        return
    plies = v.threat_plies + 1
    if e == NULL and count_of(b, side, THREAT_FIVE) == 0 and not has_won_four(b, side):
        look_at_replies(v, cells, count)
    for i in range(count):
        e = find_entry(v, key_after(b, cells[i], other) ^ v.salt_now)
        if e != NULL:
            proof[i] = e.proof
            disproof[i] = e.disproof
            if e.disproof == 0:
                refute(s, cells[i], e.cut)
                note(v, key, s, v.nodes - nodes_before)
                return
            if e.proof == 0 and e.plies >= plies:
                plies = e.plies + 1
        else:
            proof[i] = 1
            disproof[i] = 1

    # Step 3. The reply that looks most like a refutation, again and again.
    while True:
        best = -1
        second = INFINITE
        total = 0
        open_children = 0
        for i in range(count):
            if proof[i] == 0:
                continue
            open_children += 1
            total += proof[i]
            if best < 0 or disproof[i] < disproof[best]:
                if best >= 0:
                    second = disproof[best]
                best = i
            elif disproof[i] < second:
                second = disproof[i]
        if best < 0:
            win(s, NO_CELL, plies)
            break
        s.proof = saturated(total)
        s.disproof = disproof[best]
        s.cell = cells[best]
        s.plies = 0
        s.cut = False
        if s.proof >= proof_limit or s.disproof >= disproof_limit or out_of_limits(v):
            break
        limit = second + (second >> 2) + 1
        if limit > disproof_limit:
            limit = disproof_limit
        make(b, cells[best], other)
        v.nodes += 1
        attack(v, share_of(proof_limit, total - proof[best]), limit, &child)
        undo(b)
        proof[best] = child.proof
        disproof[best] = child.disproof
        if child.disproof == 0:
            refute(s, cells[best], child.cut)
            break
        if child.proof == 0 and child.plies >= plies:
            plies = child.plies + 1
        if v.stopped:
            break
    note(v, key, s, v.nodes - nodes_before)


# -- from outside -------------------------------------------------------------------------------


cdef void choose_moves(Vct* v, int moves) noexcept nogil:
    """Sets which moves the attacker has; each kind has keys of its own in the table."""
    v.moves = moves
    # Without a limit of its own a solve shares what it learns with the next one of the game.
    v.salt_now = mix64(v.salt + 8 * (0 if v.moves_limit >= MAX_ATTACKS
                                     else v.root_stones + 2 * v.moves_limit)
                       + 2 * v.moves + v.side - 1)


cdef void start_vct(Vct* v, int side) noexcept nogil:
    """Begins a solve for the attacker `side`; the limits are set, the board is the root."""
    v.side = side
    v.nodes = 0
    v.next_poll = 0
    v.stopped = False
    v.root_stones = v.board.stones
    choose_moves(v, v.moves)
    v.vcf.board = v.board
    v.vcf.memo = v.memo
    v.vcf.salt = v.salt
    v.vcf.nodes = &v.nodes
    v.vcf.stop = v.stop


cdef void judge_attack(Vct* v, Standing* found) noexcept nogil:
    """Searches the position on the board, the attacker to move, to its end or a limit."""
    attack(v, INFINITE, INFINITE, found)


cdef void judge_defence(Vct* v, Standing* found) noexcept nogil:
    """The same with the defender to move, after a move of the attacker."""
    defend(v, INFINITE, INFINITE, found)


cdef void find_vct(Vct* v, Standing* found) noexcept nogil:
    """Is there a VCT for v.side, who is to move? start_vct() has been called.

    The board is as before afterwards. found.proof == 0: he wins with found.cell, in found.plies at
    most; found.disproof == 0: he does not (found.cut: within the moves allowed); else v.stopped.
    """
    cdef ProofEntry* e = find_entry(v, position_key(v.board) ^ v.salt_now)
    cdef int64_t node_limit = v.node_limit
    if e == NULL and not attack_is_clear(v, found) and has_vcf(v, found, v.root_vcf_nodes):
        note(v, position_key(v.board) ^ v.salt_now, found, v.nodes)
        return
    if v.moves == QUIET:
        choose_moves(v, THREES)
        if v.node_limit > v.nodes + v.threes_nodes:
            v.node_limit = v.nodes + v.threes_nodes
        judge_attack(v, found)
        if found.proof == 0:
            return
        v.stopped = v.stopped and v.nodes < v.node_limit
        v.node_limit = node_limit
        choose_moves(v, QUIET)
    judge_attack(v, found)
