"""Forced wins that need no general search.

static_win   wins that the threat counts show, and the number of stones until the five:
                 open four, double four        3   the opponent must have no five
                 four-three                    5   the forced block must make no four or five and
                                                   must leave the open-four cell
                 double three                  5   the opponent must have no four at all
             Black in renju gets only the first line, because a three may not be real there.
find_vcf     victory by continuous fours, depth first. Every own move makes a four, so the
             opponent has one reply (a few under caro rules). Positions without a VCF are
             stored, unless a limit was met below them. A line may fill the board, so the lists of
             moves are in the Vcf: a level of the recursion takes little of the stack.
zone_of_vcf  the cells where a reply may spoil the VCF that was found.

Distances are upper bounds: a shorter win may exist.
"""

from libc.string cimport memset

from engine.intrinsics cimport load_flag
from engine.board cimport (Board, cells_with, count_of, empties, ends_block, first_with, line_at, make,
                           position_key, threat_at, undo)
from engine.clock cimport now_us
from engine.geometry cimport DIRECTIONS
from engine.movegen cimport (MoveList, cell_of_key, generate_five_defences, generate_fours,
                             has_line_four, sort_by_attack)
from engine.patterns cimport (LINE_BLOCKED_THREE, LINE_TWO_TIGHT, THREAT_DOUBLE_THREE, THREAT_FIVE,
                              THREAT_FORBIDDEN, THREAT_FOUR, THREAT_FOUR_THREE, THREAT_OPEN_FOUR)
from engine.rules cimport is_foul, is_forbidden, may_be_foul
from engine.types cimport NO_CELL, WORDS, opponent_of, uint64_t

cdef enum:
    QUICK_SALT = 0x5CAD         # quick searches have entries of their own in the memo


# -- wins from the counts -----------------------------------------------------------------------

cdef bint four_three_wins(Board* b, int cell) noexcept nogil:
    """True when the side to move wins by the four-three on `cell`: the block makes no four or five
    and does not prevent the open four."""
    cdef int side = b.side, other = opponent_of(side), block
    cdef bint won = False
    make(b, cell, side)
    if count_of(b, side, THREAT_FIVE) == 1:
        block = first_with(b, side, THREAT_FIVE)
        if is_forbidden(b, block, other):
            won = True
        elif threat_at(b, block, other) < THREAT_FOUR and threat_at(b, block, other) != THREAT_FORBIDDEN:
            make(b, block, other)
            won = (count_of(b, other, THREAT_FIVE) == 0
                   and count_of(b, side, THREAT_OPEN_FOUR) > 0)
            undo(b)
    undo(b)
    return won


cdef int static_win(Board* b, int* cell) noexcept nogil:
    """Stones until the five of the side to move (3 or 5), with the winning cell; 0 if the counts
    show no win. Neither side may have a five cell; the caller has checked that."""
    cdef int side = b.side, other = opponent_of(side), at
    at = won_four_cell(b, side)
    if at != NO_CELL:
        cell[0] = at
        return 3
    if may_be_foul(b, side):
        return 0
    # Tries one four-three only. The VCF search finds the others, and all of caro, where a four can
    # be stopped in several ways.
    if count_of(b, side, THREAT_FOUR_THREE) and not ends_block(b):
        at = first_with(b, side, THREAT_FOUR_THREE)
        if four_three_wins(b, at):
            cell[0] = at
            return 5
    if count_of(b, side, THREAT_DOUBLE_THREE) and not may_have_four(b, other):
        cell[0] = first_with(b, side, THREAT_DOUBLE_THREE)
        return 5
    return 0


# -- victory by continuous fours ----------------------------------------------------------------

cdef inline VcfMemo* memo_of(Vcf* v, uint64_t key) noexcept nogil:
    return &v.memo[(key ^ (key >> 29)) & (MEMO_SIZE - 1)]


cdef bint is_late(Vcf* v) noexcept nogil:
    """True when the deadline has passed or a flag is set. Looks every vcf_poll_nodes nodes:
    often, because under caro rules a stone can take ten times as long, as every block is tried."""
    if v.nodes[0] >= v.next_poll and (v.deadline_us or v.stop != NULL):
        v.next_poll = v.nodes[0] + v.params.vcf_poll_nodes
        v.late = ((v.stop != NULL and load_flag(v.stop)) or (v.hit != NULL and load_flag(v.hit))
                  or (v.deadline_us and now_us() >= v.deadline_us))
    return v.late


cdef bint leads_on(const Board* b, int cell, int side, int least) noexcept nogil:
    """True when a stone on the cell makes line patterns of at least `least` in two lines. One of
    them is its four. Otherwise the next four has to come from stones that are already there."""
    cdef int d, lines = 0
    for d in range(DIRECTIONS):
        lines += line_at(b, cell, d, side) >= least
    return lines >= 2


cdef inline int keep_moves(Vcf* v, int at) noexcept nogil:
    """Copies v.list to v.moves[at ...]; returns how many moves that are."""
    cdef int i
    assert at + v.list.count <= VCF_ROOM
    for i in range(v.list.count):
        v.moves[at + i] = cell_of_key(v.list.key[i])
    return v.list.count


cdef int after_four(Vcf* v, int depth, int at) noexcept nogil:
    """The attacker has just made a four: stones until the five against every block, or 0.

    depth   own fours made before this one.
    at      where in v.moves there is room
    """
    cdef Board* b = v.board
    cdef int other = b.side, i, count, block, plies, longest = 0
    if count_of(b, other, THREAT_FIVE):
        return 0                          # the opponent has a five
    generate_five_defences(b, other, &v.list)
    count = keep_moves(v, at)
    for i in range(count):
        block = v.moves[at + i]
        if is_forbidden(b, block, other):
            continue
        if v.nodes[0] >= v.node_limit:
            v.cut = True
            return 0
        make(b, block, other)
        v.nodes[0] += 1
        v.line[2 * depth + 1] = block
        plies = vcf_from(v, depth + 1, at + count)
        undo(b)
        if plies == 0:
            return 0
        if plies > longest:
            longest = plies
    if longest == 0:                      # no block: any reply, then the five
        v.line_length = 2 * depth + 1
        return 2
    return longest + 1


cdef int vcf_from(Vcf* v, int depth, int at) noexcept nogil:
    """The attacker is to move: stones until the five, 0 if no VCF is found.

    depth   own fours on the board since the start of the search.
    at      where in v.moves there is room
    """
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, count, cell, plies
    cdef uint64_t key
    cdef VcfMemo* memo
    cdef MoveList* fours = &v.list
    cdef bint cut_before, is_quick

    # Step 1. A five; an opponent's five must be stopped by a move that makes a four.
    if count_of(b, side, THREAT_FIVE):
        v.line[2 * depth] = first_with(b, side, THREAT_FIVE)
        v.line_length = 2 * depth + 1
        return 1
    fours.count = 0
    if count_of(b, other, THREAT_FIVE):
        generate_five_defences(b, side, fours)
        plies = 0
        for i in range(fours.count):
            cell = cell_of_key(fours.key[i])
            if threat_at(b, cell, side) >= THREAT_FOUR or (
                    threat_at(b, cell, side) == THREAT_FORBIDDEN and has_line_four(b, cell, side)
                    and not is_foul(b, cell)):
                fours.key[plies] = fours.key[i]
                plies += 1
        fours.count = plies
    else:
        # Step 2. A four that cannot be stopped ends the search.
        cell = won_four_cell(b, side)
        if cell != NO_CELL:
            v.line[2 * depth] = cell
            v.line_length = 2 * depth + 1
            return 3
        generate_fours(b, side, fours)
    if fours.count == 0:
        return 0
    # If there is only one four, the next one must come from another line of its stone.
    is_quick = v.is_quick and not count_of(b, other, THREAT_FIVE)
    if is_quick and fours.count == 1 and not leads_on(b, cell_of_key(fours.key[0]), side,
                                                      LINE_BLOCKED_THREE):
        return 0
    if depth >= v.fours_limit or empties(b) < 3:
        v.cut = True
        return 0

    # Step 3. Known to fail?
    key = position_key(b) ^ v.salt ^ (QUICK_SALT if v.is_quick else 0)
    memo = memo_of(v, key)
    if memo.key == key:
        return 0

    # Step 4. Every four, the most promising first.
    cut_before = v.cut
    v.cut = False
    sort_by_attack(b, side, fours)
    count = keep_moves(v, at)
    for i in range(count):
        if v.nodes[0] >= v.node_limit or is_late(v):
            v.cut = True
            break
        cell = v.moves[at + i]
        if is_quick and not leads_on(b, cell, side, LINE_TWO_TIGHT):
            continue
        make(b, cell, side)
        v.nodes[0] += 1
        v.line[2 * depth] = cell
        plies = after_four(v, depth, at + count)
        undo(b)
        if plies:
            v.cut = cut_before
            return plies + 1
    if not v.cut:
        memo.key = key
    v.cut = v.cut or cut_before
    return 0


cdef int find_vcf(Vcf* v) noexcept nogil:
    """Victory by continuous fours for v.side, which is to move: stones until the five, or 0.

    The board is unchanged afterwards. On success line[0 .. line_length-1] is the winning line,
    without its last stones where any reply loses. v.cut says whether a limit was met.
    """
    v.cut = False
    v.late = False
    v.next_poll = v.nodes[0] + v.params.vcf_poll_nodes
    v.line_length = 0
    return vcf_from(v, 0, 0)


# -- what a VCF can be stopped by -----------------------------------------------------------------

cdef void add_all_fives(const Board* b, int side, uint64_t* cells) noexcept nogil:
    cdef int word
    for word in range(WORDS):
        cells[word] |= cells_with(b, side, THREAT_FIVE)[word]


cdef void add_all_fours(const Board* b, int side, uint64_t* cells) noexcept nogil:
    """Adds every cell where the side may make a four or a five."""
    cdef int word, threat
    for threat in range(THREAT_FOUR, THREAT_FIVE + 1):
        if count_of(b, side, threat):
            for word in range(WORDS):
                cells[word] |= cells_with(b, side, threat)[word]
    if may_be_foul(b, side):
        for word in range(WORDS):
            cells[word] |= cells_with(b, side, THREAT_FORBIDDEN)[word]


cdef bint zone_of_vcf(Vcf* v, uint64_t* zone) noexcept nogil:
    """The empty cells where a stone of the defender, who is to move, may spoil the VCF v.line of
    v.side: those of the line and of its fives, and every cell where, at some point of the line, one
    more stone would have given the defender a four. A stone elsewhere takes nothing from the
    attacker and makes no block a four. False where the line depends on a foul. Not for caro rules,
    where a four has several answers and the win is more than this line."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, cell, made = 0
    cdef bint good = True
    memset(zone, 0, WORDS * sizeof(uint64_t))
    add_all_fours(b, other, zone)
    for i in range(v.line_length):
        cell = v.line[i]
        zone[cell >> 6] |= (<uint64_t>1) << (cell & 63)
        if i % 2 == 0 and threat_at(b, cell, side) == THREAT_FORBIDDEN:
            good = False
        if i == v.line_length - 1 and threat_at(b, cell, side) == THREAT_FIVE:
            break
        make(b, cell, side if i % 2 == 0 else other)
        made += 1
        if i % 2:
            add_all_fours(b, other, zone)
    if made % 2:                      # the line ends with a four that cannot be stopped
        add_all_fives(b, side, zone)
        if may_be_foul(b, other) and count_of(b, side, THREAT_FIVE) == 1:
            good = False
    for i in range(made):
        undo(b)
    b.side = other
    for i in range(WORDS):
        zone[i] &= <uint64_t>b.empty_row[2 * i] | <uint64_t>b.empty_row[2 * i + 1] << 32
    return good
