"""Forcing moves and the replies to them, best first.

    list_attacks   the attacker's moves: every four, every three, quiet moves that may threaten a VCF
    list_replies   the defender's moves: what stops a five; what leaves no open four or double four,
                   and own fours; what may spoil a VCF

The replies are exact: a reply that is left out loses by force. Whether an attack really leaves a
threat is judged after the move. Points that are forbidden in renju are left out of both lists.
"""

from engine.board cimport (Board, cells_with, count_of, first_with, line_at, make, makes_line,
                           threat_at, undo)
from engine.geometry cimport DIRECTIONS, step_of
from engine.movegen cimport (MoveList, add_cells, add_legal_fouls, add_move, cell_of_key,
                             drop_forbidden, generate_all, generate_five_defences,
                             generate_four_defences, generate_fours, sort_by_attack)
from engine.patterns cimport (LINE_BLOCKED_THREE, LINE_FIVE, LINE_FOUR, LINE_THREE, LINE_THREE_WIDE, LINE_TWO_TIGHT,
                              THREAT_DOUBLE_FOUR, THREAT_DOUBLE_THREE, THREAT_FIVE, THREAT_NONE,
                              THREAT_OPEN_FOUR, THREAT_THREE)
from engine.threats cimport has_won_four, may_have_four
from engine.types cimport EMPTY, int16_t, opponent_of, uint64_t


cdef int sorted_cells(const Board* b, int side, MoveList* list, int16_t* cells) noexcept nogil:
    """Copies the moves to `cells`, those worth most to `side` first. A cell that is listed twice
    is copied once, and at most MAX_CHOICES are copied. Returns how many."""
    cdef int i, count = 0
    sort_by_attack(b, side, list)
    for i in range(list.count):
        if (i == 0 or list.key[i] != list.key[i - 1]) and count < MAX_CHOICES:
            cells[count] = cell_of_key(list.key[i])
            count += 1
    return count


# -- the attacker -------------------------------------------------------------------------------

cdef void add_threes(Board* b, int side, MoveList* list) noexcept nogil:
    """Appends the moves that make a three and no four."""
    add_cells(list, cells_with(b, side, THREAT_THREE))
    add_cells(list, cells_with(b, side, THREAT_DOUBLE_THREE))
    add_legal_fouls(b, side, LINE_THREE, LINE_THREE_WIDE, list)


cdef void add_quiet(Board* b, int side, MoveList* list) noexcept nogil:
    """Appends moves that make no threat now and may threaten a VCF: those that make at least a two
    or a blocked three. Where the side can make no four yet, one must come from three stones on a
    line, this one among them. Whether there is a VCF is judged after the move."""
    cdef int i, cell
    cdef int least = LINE_TWO_TIGHT if may_have_four(b, side) else LINE_BLOCKED_THREE
    cdef MoveList near
    generate_all(b, &near)
    for i in range(near.count):
        cell = cell_of_key(near.key[i])
        if threat_at(b, cell, side) == THREAT_NONE and makes_line(b, cell, side, least, LINE_FIVE):
            add_move(list, cell)


cdef void keep_zone(const uint64_t* zone, MoveList* list) noexcept nogil:
    """Removes the moves outside a set of cells."""
    cdef int i, cell, kept = 0
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        if zone[cell >> 6] >> (cell & 63) & 1:
            list.key[kept] = list.key[i]
            kept += 1
    list.count = kept


cdef int list_attacks(Board* b, int side, int kinds, const uint64_t* zone,
                      int16_t* cells) noexcept nogil:
    """The attacker's moves where `side` is to move and has no five; returns how many.

    kinds   FOURS, THREES or QUIET
    zone    the cells that may spoil the VCF which the opponent threatens, NULL where there is none
    cells   room for MAX_CHOICES
    """
    cdef MoveList list
    list.count = 0
    if count_of(b, opponent_of(side), THREAT_FIVE):
        generate_five_defences(b, side, &list)
        drop_forbidden(b, side, &list)
        return sorted_cells(b, side, &list, cells)
    if kinds >= QUIET and zone != NULL:
        add_cells(&list, zone)
        drop_forbidden(b, side, &list)
        return sorted_cells(b, side, &list, cells)
    generate_fours(b, side, &list)
    if kinds >= THREES:
        add_threes(b, side, &list)
    if kinds >= QUIET:
        add_quiet(b, side, &list)
    if zone != NULL:
        keep_zone(zone, &list)
    return sorted_cells(b, side, &list, cells)


# -- the defender -------------------------------------------------------------------------------

cdef void add_double_four_defences(Board* b, int side, MoveList* list) noexcept nogil:
    """Appends the moves of `side` after which the opponent, who could make two fours with one
    stone but no open four, has no such cell any more."""
    cdef int other = opponent_of(side), d, i, at, step
    cdef int first = first_with(b, other, THREAT_DOUBLE_FOUR)
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


cdef int list_replies(Board* b, int side, const uint64_t* zone, int16_t* cells) noexcept nogil:
    """The moves of `side` against what the opponent threatens; returns how many.

    zone    the cells that may spoil the VCF which the opponent threatens (threats.zone_of_vcf);
            NULL where the threat is a five, an open four or a double four
    cells   room for MAX_CHOICES
    """
    cdef int other = opponent_of(side)
    cdef MoveList list
    list.count = 0
    if zone != NULL:
        add_cells(&list, zone)
    elif count_of(b, other, THREAT_FIVE):
        generate_five_defences(b, side, &list)
    else:
        if count_of(b, other, THREAT_OPEN_FOUR):
            generate_four_defences(b, side, &list)
        else:
            add_double_four_defences(b, side, &list)
        generate_fours(b, side, &list)
    drop_forbidden(b, side, &list)
    return sorted_cells(b, side, &list, cells)
