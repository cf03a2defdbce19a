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

from engine.intrinsics cimport load_flag, lowest_bit
from engine.board cimport (Board, beyond_run, cells_with, count_of, empties, ends_block, first_with, line_at, make,
                           position_key, threat_at, undo)
from engine.clock cimport now_us
from engine.geometry cimport DIRECTIONS, line_of, place_on_line, step_of
from engine.movegen cimport (MoveList, cell_of_key, generate_five_defences, generate_fours,
                             has_line_four, sort_by_attack)
from engine.patterns cimport (HALF, LINE_BLOCKED_THREE, LINE_FIVE, LINE_FOUR, LINE_THREE, LINE_THREE_WIDE,
                              LINE_TWO_TIGHT, THREAT_DOUBLE_THREE, THREAT_FIVE, THREAT_FORBIDDEN,
                              THREAT_FOUR, THREAT_FOUR_THREE, THREAT_NONE, THREAT_OPEN_FOUR,
                              THREAT_THREE, patterns_at, stone_bits)
from engine.rules cimport is_foul, is_forbidden, may_be_foul
from engine.types cimport BLACK, EMPTY, NO_CELL, NO_LIMIT, WORDS, int16_t, opponent_of, uint64_t

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

cdef inline uint64_t memo_key(const Vcf* v, uint64_t position) noexcept nogil:
    return position ^ v.salt ^ (QUICK_SALT if v.is_quick else 0)


cdef inline VcfMemo* memo_of(Vcf* v, uint64_t key) noexcept nogil:
    return &v.memo[(key ^ (key >> 29)) & (MEMO_SIZE - 1)]


cdef inline bint fails(Vcf* v, uint64_t position) noexcept nogil:
    """True when the position with this key is known to have no VCF."""
    cdef uint64_t key = memo_key(v, position)
    return memo_of(v, key).key == key


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


cdef inline int pattern_of(const Board* b, uint64_t key, int cell, int d, int side) noexcept nogil:
    """The line pattern of the side's stone on the empty cell, its line with this key."""
    return patterns_at(b.tables, key, place_on_line(cell, d)) >> (4 * (side - 1)) & 15


cdef bint has_four_left(Vcf* v, int cell, int block, int line, int at, int count) noexcept nogil:
    """May the attacker still make a four after its four on `cell` and the stone that blocks it?

    line    direction of the four
    at      the fours of the position are v.moves[at .. at+count-1]
    """
    cdef const Board* b = v.board
    cdef int side = v.side, step = step_of(line), d, i, end, x, word
    cdef uint64_t key = (b.key[line][line_of(cell, line)] ^ stone_bits(side, place_on_line(cell, line))
                         ^ stone_bits(opponent_of(side), place_on_line(block, line)))
    cdef uint64_t rest
    # New fours: on other lines of the stone, or on its own.
    for d in range(DIRECTIONS):
        if d != line and line_at(b, cell, d, side) >= LINE_BLOCKED_THREE:
            return True
    for end in range(2):
        x = cell
        for i in range(1, HALF):
            x += step
            if b.stone[x] == EMPTY and x != block:
                if pattern_of(b, key, x, line, side) >= LINE_FOUR:
                    return True
            elif b.stone[x] != side:
                break
        step = -step
    # Those of now, and those that are fouls now.
    for i in range(count):
        x = v.moves[at + i]
        if x != cell and x != block:
            for d in range(DIRECTIONS):
                if line_at(b, x, d, side) >= LINE_FOUR and (
                        d != line or line_of(x, d) != line_of(cell, d)
                        or pattern_of(b, key, x, d, side) >= LINE_FOUR):
                    return True
    if may_be_foul(b, side) and count_of(b, side, THREAT_FORBIDDEN):
        for word in range(WORDS):
            rest = cells_with(b, side, THREAT_FORBIDDEN)[word]
            while rest:
                x = word * 64 + lowest_bit(rest)
                rest &= rest - 1
                if has_line_four(b, x, side):
                    return True
    return False


cdef bint is_in_vain(Vcf* v, int cell, int depth, int at, int count) noexcept nogil:
    """True when the four on `cell` leads to no VCF, which is seen without placing the stones: it has
    one block, and then the attacker has no four left or the position is known. at, count: as above"""
    cdef const Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, line = 0, step, x, end, block = NO_CELL
    cdef int threat = threat_at(b, cell, side)
    cdef uint64_t key
    if ends_block(b) or (threat != THREAT_FOUR and threat != THREAT_FOUR_THREE):
        return False
    while line_at(b, cell, line, side) < LINE_FOUR:
        line += 1
    step = step_of(line)
    key = b.key[line][line_of(cell, line)] ^ stone_bits(side, place_on_line(cell, line))
    for end in range(2):
        x = cell
        for i in range(1, HALF):
            x += step
            if b.stone[x] == EMPTY:
                if pattern_of(b, key, x, line, side) == LINE_FIVE:
                    block = x
                    break
            elif b.stone[x] != side:
                break
        step = -step
    if may_be_foul(b, other) and threat_at(b, block, other) not in (THREAT_NONE, THREAT_THREE):
        return False                      # it may be a foul
    if depth + 1 < v.fours_limit and empties(b) >= 5 and fails(
            v, position_key(b) ^ b.zobrist.stone[side][cell] ^ b.zobrist.stone[other][block]):
        return True
    return (count_of(b, other, THREAT_FIVE) == 0
            and not has_four_left(v, cell, block, line, at, count))


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
        if cell != NO_CELL and depth <= v.won_limit:
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
    key = memo_key(v, position_key(b))
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
        v.nodes[0] += 1
        if v.nodes[0] < v.node_limit and is_in_vain(v, cell, depth, at, count):
            v.nodes[0] += 1               # as many as if both stones had been made
            continue
        make(b, cell, side)
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


cdef inline void add_cell(uint64_t* cells, int cell) noexcept nogil:
    cells[cell >> 6] |= (<uint64_t>1) << (cell & 63)


cdef void add_foul_reads(Board* b, int cell, uint64_t* reads) noexcept nogil:
    """Adds the empty cells that may decide whether Black's stone on the empty cell is a foul: those
    of its windows and, as a three counts only if it can become a straight four, the same for the
    cells where that would be made."""
    cdef int d, i, at, step, end, threes = 0
    cdef int three_lines[4]
    for d in range(DIRECTIONS):
        step = step_of(d)
        for i in range(-b.tables.reach, b.tables.reach + 1):
            if b.stone[cell + i * step] == EMPTY:
                add_cell(reads, cell + i * step)
        if line_at(b, cell, d, BLACK) == LINE_THREE or line_at(b, cell, d, BLACK) == LINE_THREE_WIDE:
            three_lines[threes] = d
            threes += 1
    if threat_at(b, cell, BLACK) != THREAT_FORBIDDEN:
        return
    make(b, cell, BLACK)
    for d in range(threes):
        step = step_of(three_lines[d])
        for end in range(2):
            at = cell
            for i in range(1, 4):
                at += step
                if b.stone[at] != BLACK:
                    if b.stone[at] == EMPTY:
                        add_foul_reads(b, at, reads)
                    break
            step = -step
    undo(b)


cdef void add_foul_changes(Vcf* v, int cell, int colour, uint64_t* zone) noexcept nogil:
    """Adds the cells where one stone of the colour changes whether Black's stone on `cell` is a foul."""
    cdef Board* b = v.board
    cdef bint foul = is_foul(b, cell)
    cdef int word, at
    cdef uint64_t rest
    cdef uint64_t reads[WORDS]
    memset(reads, 0, sizeof(reads))
    add_foul_reads(b, cell, reads)
    for word in range(WORDS):
        rest = reads[word] & ~zone[word]
        while rest:
            at = word * 64 + lowest_bit(rest)
            rest &= rest - 1
            if at == cell:
                continue
            make(b, at, colour)
            v.nodes[0] += 1
            if is_foul(b, cell) != foul:
                add_cell(zone, at)
            undo(b)


cdef void add_ends(const Board* b, int side, uint64_t* zone) noexcept nogil:
    """Adds the cells beyond the ends of every five that the side could make: under caro rules a stone
    there may spoil it."""
    cdef int word, cell, d
    cdef uint64_t rest
    for word in range(WORDS):
        rest = cells_with(b, side, THREAT_FIVE)[word]
        while rest:
            cell = word * 64 + lowest_bit(rest)
            rest &= rest - 1
            for d in range(DIRECTIONS):
                if line_at(b, cell, d, side) == LINE_FIVE:
                    add_cell(zone, beyond_run(b, cell, step_of(d), side))
                    add_cell(zone, beyond_run(b, cell, -step_of(d), side))


cdef bint add_tree(Vcf* v, uint64_t* zone) noexcept nogil:
    """Adds the zone of a win by fours with several answers to a four; v.line is one of its lines and
    the attacker is to move. False if a stop or the clock prevented it."""
    cdef Board* b = v.board
    cdef int other = opponent_of(v.side), cell = v.line[0], i, count
    cdef bint is_last = v.line_length == 1, found = True
    cdef int16_t blocks[MAX_BLOCKS]
    add_cell(zone, cell)
    if threat_at(b, cell, v.side) == THREAT_FIVE:
        add_all_fives(b, v.side, zone)
        add_ends(b, v.side, zone)
        return True
    make(b, cell, v.side)
    add_all_fives(b, v.side, zone)
    add_ends(b, v.side, zone)
    if not is_last:
        generate_five_defences(b, other, &v.list)
        count = v.list.count
        for i in range(count):
            blocks[i] = cell_of_key(v.list.key[i])
        for i in range(count):
            make(b, blocks[i], other)
            v.nodes[0] += 1
            add_all_fours(b, other, zone)
            found = find_vcf(v) != 0 and add_tree(v, zone)
            undo(b)
            if not found:
                break
    undo(b)
    return found


cdef bint zone_of_vcf(Vcf* v, uint64_t* zone) noexcept nogil:
    """The empty cells where a stone of the defender, who is to move, may spoil the VCF v.line of
    v.side. A stone elsewhere takes nothing from the attacker and makes no block a four.

    It holds the cells of the line and of its fives; every cell where, at some point of the line, one
    more stone would have given the defender a four; in renju, where one more stone would make a
    block legal that is a foul, or a move of the line a foul. Under caro rules a four has several
    answers, so the zone is that of every line.

    False, under caro rules only, where a stop or the clock prevented that its lines were found again.
    """
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), i, cell, made = 0, side_before = b.side
    cdef bint found = True
    memset(zone, 0, WORDS * sizeof(uint64_t))
    add_all_fours(b, other, zone)
    if ends_block(b):
        b.side = side
        v.node_limit = NO_LIMIT       # each line was found within the budget of the whole
        found = add_tree(v, zone)
    else:
        for i in range(v.line_length):
            cell = v.line[i]
            add_cell(zone, cell)
            if i % 2 == 0 and threat_at(b, cell, side) == THREAT_FIVE:
                break
            if i % 2 == 0 and may_be_foul(b, side) and threat_at(b, cell, side) == THREAT_FORBIDDEN:
                add_foul_changes(v, cell, other, zone)
            make(b, cell, side if i % 2 == 0 else other)
            made += 1
            if i % 2:
                add_all_fours(b, other, zone)
        if made % 2:                  # the line ends with a four that cannot be stopped
            add_all_fives(b, side, zone)
            if may_be_foul(b, other) and count_of(b, side, THREAT_FIVE) == 1:
                add_foul_changes(v, first_with(b, side, THREAT_FIVE), other, zone)
        for i in range(made):
            undo(b)
    b.side = side_before
    for i in range(WORDS):
        zone[i] &= <uint64_t>b.empty_row[2 * i] | <uint64_t>b.empty_row[2 * i + 1] << 32
    return found
