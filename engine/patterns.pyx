"""Line patterns, codes and threats: their definitions, and how the tables are made.

A pattern is defined by what one more stone can reach, so that a rule needs only its definition of a
winning five (`wins`); everything else follows by recursion:

    five <- four / open four <- three <- two <- one

The tables hold the pattern of every window. They are small: for one colour a half window ends at the
first stone that is not its own, so the 4**5 half windows fall into at most 94 sequences a colour.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

import sys
import zlib
from array import array
from collections import namedtuple

from engine.types cimport EMPTY, RULES, WALL, int16_t, uint16_t, uint8_t

from engine import rulebook
from engine.rulebook import INDEX_OF_NUMBER

cdef enum:
    OWN = 1              # a window as its colour sees it: EMPTY, OWN, OTHER, WALL
    OTHER = 2
    WINDOW = 11          # 2 * HALF + 1
    CENTRE = 5
    SEQUENCES = 96       # at most: 62 that end + 32 that do not
    UNKNOWN = 255

# One colour while its table is being made: its sequences and the patterns known so far.
cdef struct View:
    int kind
    int sequences
    uint8_t id_of[HALF_KEYS]                 # normalised half window -> sequence (or UNKNOWN)
    uint16_t half_of[SEQUENCES]              # sequence -> normalised half window
    uint8_t pattern[SEQUENCES * SEQUENCES]   # before, after -> line pattern (or UNKNOWN)


# -- one window -------------------------------------------------------------------------------

cdef int run_of(const uint8_t* window, int* first, int* last) noexcept nogil:
    """Length of the run of own stones through the centre, and the places of its two ends."""
    first[0] = last[0] = CENTRE
    while first[0] > 0 and window[first[0] - 1] == OWN:
        first[0] -= 1
    while last[0] < WINDOW - 1 and window[last[0] + 1] == OWN:
        last[0] += 1
    return last[0] - first[0] + 1


cdef bint wins(int kind, const uint8_t* window) noexcept nogil:
    """True when the run of own stones through the centre wins for a colour judged by `kind`."""
    cdef int first, last, length = run_of(window, &first, &last)
    if length < 5:
        return False
    if length > 5:
        return kind & OVERLINE_WINS != 0
    if kind & ENDS_BLOCK:
        return not (window[first - 1] == OTHER and window[last + 1] == OTHER)
    return True


cdef int run_length(const uint8_t* window) noexcept nogil:
    """Length of the run of own stones through the centre."""
    cdef int first, last
    return run_of(window, &first, &last)


cdef int completions(int kind, uint8_t* window) noexcept nogil:
    """How many empty cells of the window would complete a winning five through the centre."""
    cdef int i, found = 0
    for i in range(1, WINDOW - 1):
        if window[i] == EMPTY:
            window[i] = OWN
            found += wins(kind, window)
            window[i] = EMPTY
    return found


cdef bint can_be_stopped(int kind, uint8_t* window) noexcept nogil:
    """True when some single opposing stone in the window leaves no completion.

    In caro that stone may stand beyond the completing cell, where it blocks the five's end.
    """
    cdef int i, left
    for i in range(WINDOW):
        if window[i] == EMPTY:
            window[i] = OTHER
            left = completions(kind, window)
            window[i] = EMPTY
            if left == 0:
                return True
    return False


cdef int pattern_of_four(int kind, uint8_t* window) noexcept nogil:
    """The pattern of a window that has at least one completion."""
    if not can_be_stopped(kind, window):
        # Two completions at the ends of one run of four are a straight four; two completions
        # otherwise are two fours in one line, which Black in renju must not make.
        if kind & HAS_FOULS and run_length(window) != 4:
            return LINE_DOUBLE_FOUR
        return LINE_OPEN_FOUR
    return LINE_FOUR


cdef int pattern_from_children(const int* reached) noexcept nogil:
    """The pattern of a window without a completion; reached[p] = cells where one more stone
    makes line pattern p."""
    cdef int open_fours = reached[LINE_OPEN_FOUR]
    cdef int threes = reached[LINE_THREE] + reached[LINE_THREE_WIDE]
    if open_fours:
        return LINE_THREE_WIDE if open_fours > 1 else LINE_THREE
    if reached[LINE_FOUR] or reached[LINE_DOUBLE_FOUR]:
        return LINE_BLOCKED_THREE
    if threes:
        return LINE_TWO_WIDE if threes > 3 else (LINE_TWO if threes > 2 else LINE_TWO_TIGHT)
    if reached[LINE_BLOCKED_THREE]:
        return LINE_BLOCKED_TWO
    if reached[LINE_TWO_TIGHT] or reached[LINE_TWO] or reached[LINE_TWO_WIDE]:
        return LINE_ONE
    if reached[LINE_BLOCKED_TWO]:
        return LINE_BLOCKED_ONE
    return LINE_DEAD


cdef int pattern_without_search(int kind, uint8_t* window) noexcept nogil:
    """The pattern where it does not depend on the patterns of one more stone, else UNKNOWN."""
    if wins(kind, window):
        return LINE_FIVE
    if run_length(window) > 5:
        return LINE_OVERLINE if kind & HAS_FOULS else LINE_DEAD
    if completions(kind, window):
        return pattern_of_four(kind, window)
    return UNKNOWN


# -- all windows of one colour ----------------------------------------------------------------

cdef inline int reach_of(int kind) noexcept nogil:
    """How far from a cell a stone can still matter to it. Where any row of five or more wins, a
    stone five cells away takes part in no five through the cell; elsewhere it makes an overline
    of one or stands at its end."""
    return HALF - 1 if kind == OVERLINE_WINS else HALF


cdef int normalised(int kind, int half) noexcept nogil:
    """A half window (nearest cell in the lowest bits) with a wall on every cell that cannot matter:
    those beyond the first wall or opponent's stone, and the fifth where the reach is four. The
    opponent's stone itself stays only under caro rules; under the others it counts as a wall.
    """
    cdef int result = 0, i, stone
    cdef bint ended = False
    for i in range(HALF):
        stone = (half >> (2 * i)) & 3
        if reach_of(kind) < HALF and i == HALF - 1:
            ended = True
        if ended:
            stone = WALL
        elif stone == OTHER or stone == WALL:
            ended = True
            if not kind & ENDS_BLOCK:
                stone = WALL
        result |= stone << (2 * i)
    return result


cdef int view_pattern(View* v, int before, int after) noexcept nogil:
    """The line pattern of two sequences. It is stored, so each window is worked out once."""
    cdef uint8_t window[WINDOW]
    cdef int reached[LINE_PATTERNS]
    cdef int half_before = v.half_of[before], half_after = v.half_of[after]
    cdef int known = v.pattern[before * SEQUENCES + after]
    cdef int i, pattern
    if known != UNKNOWN:
        return known
    window[CENTRE] = OWN
    for i in range(HALF):
        window[CENTRE - 1 - i] = (half_before >> (2 * i)) & 3
        window[CENTRE + 1 + i] = (half_after >> (2 * i)) & 3
    pattern = pattern_without_search(v.kind, window)
    if pattern == UNKNOWN:
        memset(reached, 0, sizeof(reached))
        for i in range(HALF - 1):
            if window[CENTRE - 1 - i] == EMPTY:
                reached[view_pattern(v, v.id_of[half_before | OWN << (2 * i)], after)] += 1
            if window[CENTRE + 1 + i] == EMPTY:
                reached[view_pattern(v, before, v.id_of[half_after | OWN << (2 * i)])] += 1
        pattern = pattern_from_children(reached)
    v.pattern[before * SEQUENCES + after] = pattern
    return pattern


cdef void make_view(View* v, int kind) noexcept nogil:
    """Numbers the sequences of one colour and clears its patterns."""
    cdef int half, plain
    v.kind = kind
    v.sequences = 0
    memset(v.id_of, UNKNOWN, sizeof(v.id_of))
    memset(v.pattern, UNKNOWN, sizeof(v.pattern))
    for half in range(HALF_KEYS):
        plain = normalised(kind, half)
        if plain == half:
            v.id_of[half] = v.sequences
            v.half_of[v.sequences] = half
            v.sequences += 1


# -- the tables of a rule ---------------------------------------------------------------------

cdef int with_colours_swapped(int half) noexcept nogil:
    """The half window with black and white stones exchanged (a wall has both bits)."""
    return ((half & 0x155) << 1) | ((half & 0x2AA) >> 1)


cdef int reversed_half(int half) noexcept nogil:
    """The half window with its cells in reverse order."""
    cdef int result = 0, i
    for i in range(HALF):
        result |= ((half >> (2 * i)) & 3) << (2 * (HALF - 1 - i))
    return result


cdef void make_windows(RuleTables* t, View* black, View* white) noexcept nogil:
    """Fills the tables from half windows to classes, and from two classes to both patterns."""
    cdef uint16_t class_of[HALF_KEYS]
    cdef uint8_t black_id[HALF_CLASSES]
    cdef uint8_t white_id[HALF_CLASSES]
    cdef uint16_t known[SEQUENCES * SEQUENCES]
    cdef int half, b, w, i, j, classes = 0
    memset(known, 0xFF, sizeof(known))
    for half in range(HALF_KEYS):
        b = black.id_of[normalised(black.kind, half)]
        w = white.id_of[normalised(white.kind, with_colours_swapped(half))]
        if known[b * SEQUENCES + w] == 0xFFFF:
            known[b * SEQUENCES + w] = classes
            black_id[classes] = b
            white_id[classes] = w
            classes += 1
        class_of[half] = known[b * SEQUENCES + w]
    t.half_classes = classes
    for half in range(HALF_KEYS):
        t.after[half] = class_of[half]
        t.before[half] = class_of[reversed_half(half)] * classes
    for i in range(classes):
        for j in range(classes):
            t.both[i * classes + j] = (view_pattern(black, black_id[i], black_id[j])
                                       | view_pattern(white, white_id[i], white_id[j]) << 4)


# Fields of a tally; four lines never fill one. Where a row of six or two fours in a line are fouls, each
# counts as two fours, which are a foul as well.
cdef enum:
    ONE_THREE = 1
    ONE_FOUR = 1 << 3
    ONE_OPEN_FOUR = 1 << 7
    ONE_FIVE = 1 << 10


cdef int tally_of_line(int kind, int pattern) noexcept nogil:
    """What one line adds to the tally of its cell."""
    if pattern == LINE_FIVE:
        return ONE_FIVE
    if pattern == LINE_OPEN_FOUR:
        return ONE_OPEN_FOUR
    if pattern == LINE_DOUBLE_FOUR or (pattern == LINE_OVERLINE and kind & HAS_FOULS):
        return 2 * ONE_FOUR
    if pattern == LINE_FOUR:
        return ONE_FOUR
    return ONE_THREE if pattern == LINE_THREE or pattern == LINE_THREE_WIDE else 0


cdef int threat_of(int kind, int tally) noexcept nogil:
    """What a cell whose four lines have so much together means for play."""
    cdef int threes = tally & 7, fours = (tally >> 3) & 15, open_fours = (tally >> 7) & 7
    if tally >= ONE_FIVE:
        return THREAT_FIVE
    if kind & HAS_FOULS and (fours + open_fours > 1 or threes > 1):
        return THREAT_FORBIDDEN
    if open_fours:
        return THREAT_OPEN_FOUR
    if fours > 1:
        return THREAT_DOUBLE_FOUR
    if fours:
        return THREAT_FOUR_THREE if threes else THREAT_FOUR
    if threes:
        return THREAT_DOUBLE_THREE if threes > 1 else THREAT_THREE
    return THREAT_NONE


cdef void make_threats(RuleTables* t) noexcept nogil:
    """Fills tally and threat."""
    cdef int i, two
    for i in range(2):
        for two in range(256):
            t.tally[i][two] = tally_of_line(t.kind[i], two & 15) + tally_of_line(t.kind[i], two >> 4)
        for two in range(TALLIES):
            t.threat[i][two] = threat_of(t.kind[i], two)


cdef void make_codes(RuleTables* t) noexcept nogil:
    """Numbers the multisets of four patterns and their pairs; fills combine.

    Pairs and codes are numbered in the order of their sorted members, strongest first.
    """
    cdef int a, b, c, d, i, j, code, pairs = 0
    cdef uint8_t first[PAIRS]
    cdef uint8_t second[PAIRS]
    cdef uint16_t number[LINE_PATTERNS * LINE_PATTERNS * LINE_PATTERNS * LINE_PATTERNS]
    cdef uint8_t m[4]
    cdef uint8_t swap
    for a in range(LINE_PATTERNS):
        for b in range(a + 1):
            t.pair[a << 4 | b] = t.pair[b << 4 | a] = pairs
            t.pair_row[a << 4 | b] = t.pair_row[b << 4 | a] = pairs * PAIRS
            first[pairs] = a
            second[pairs] = b
            pairs += 1
    code = 0
    for a in range(LINE_PATTERNS):
        for b in range(a + 1):
            for c in range(b + 1):
                for d in range(c + 1):
                    t.members[code][0] = a
                    t.members[code][1] = b
                    t.members[code][2] = c
                    t.members[code][3] = d
                    number[((a * LINE_PATTERNS + b) * LINE_PATTERNS + c) * LINE_PATTERNS + d] = code
                    code += 1
    for i in range(PAIRS):
        for j in range(PAIRS):
            m[0] = first[i]
            m[1] = second[i]
            m[2] = first[j]
            m[3] = second[j]
            for a in range(3):                      # an exchange sort is enough for four
                for b in range(a + 1, 4):
                    if m[b] > m[a]:
                        swap = m[a]
                        m[a] = m[b]
                        m[b] = swap
            t.combine[i * PAIRS + j] = number[
                ((m[0] * LINE_PATTERNS + m[1]) * LINE_PATTERNS + m[2]) * LINE_PATTERNS + m[3]]


cdef int kind_of(object row, int colour) except -1:
    """How the windows of a colour (0 Black, 1 White) are judged by a row of rulebook.RULES."""
    return (OVERLINE_WINS * row.overline_wins[colour] + ENDS_BLOCK * row.ends_block
            + HAS_FOULS * (row.black_has_fouls and colour == 0))


cdef RuleTables* _tables[RULES]     # made when a rule is first used, then shared and constant


cdef const RuleTables* rule_tables(int rule) except NULL:
    """The tables of a rule, made at the first call for it.

    The caller holds the interpreter lock. Raises MemoryError.
    """
    cdef RuleTables* t = _tables[rule]
    cdef View* views
    if t != NULL:
        return t
    t = <RuleTables*>calloc(1, sizeof(RuleTables))
    views = <View*>calloc(2, sizeof(View))
    if t == NULL or views == NULL:
        free(t)
        free(views)
        raise MemoryError("no memory for the pattern tables")
    assert len(rulebook.RULES) == RULES
    t.kind[0] = kind_of(rulebook.RULES[rule], 0)
    t.kind[1] = kind_of(rulebook.RULES[rule], 1)
    t.reach = max(reach_of(t.kind[0]), reach_of(t.kind[1]))
    make_view(&views[0], t.kind[0])
    make_view(&views[1], t.kind[1])
    make_windows(t, &views[0], &views[1])
    make_codes(t)
    make_threats(t)
    free(views)
    _tables[rule] = t
    return t


# -- rows -------------------------------------------------------------------------------------

# `swapped` exchanges the colours, so that a table of rows made for one colour's view serves the other one as
# well. In renju the colours are judged differently and classes of half windows do not map onto each
# other: there a net has a table for each colour, and `swapped` maps every row onto itself.

Numbering = namedtuple("Numbering", "classes rows class_of_half row_of_pair swapped crc")


cdef void make_rows(RowTables* t) noexcept nogil:
    """Numbers the pairs of classes, and finds for each the pair with the colours exchanged."""
    cdef const RuleTables* p = t.tables
    cdef int classes = p.half_classes, i, j
    cdef int swapped_class[HALF_CLASSES]
    cdef bint alike = p.kind[0] == p.kind[1]
    for i in range(HALF_KEYS):
        swapped_class[p.after[i]] = p.after[with_colours_swapped(i)]
    for i in range(classes):
        for j in range(i, classes):
            t.row[i * classes + j] = t.row[j * classes + i] = t.rows
            t.rows += 1
    for i in range(classes):
        for j in range(i, classes):
            t.swapped[t.row[i * classes + j]] = t.row[
                swapped_class[i] * classes + swapped_class[j] if alike else i * classes + j]


cdef RowTables* _row_tables[RULES]      # made when a rule is first used, then shared and constant


cdef const RowTables* row_tables(int rule) except NULL:
    """The rows of a rule, numbered at the first call for it.

    The caller holds the interpreter lock. Raises MemoryError.
    """
    cdef RowTables* t = _row_tables[rule]
    cdef const RuleTables* p = rule_tables(rule)
    if t != NULL:
        return t
    t = <RowTables*>calloc(1, sizeof(RowTables))
    if t == NULL:
        raise MemoryError("no memory for the rows of the evaluation")
    t.tables = p
    make_rows(t)
    _row_tables[rule] = t
    return t


cdef const RowTables* known_tables(int rule) except NULL:
    """row_tables() of a rule given by its number in `INFO rule`; ValueError for what is no rule."""
    if rule not in INDEX_OF_NUMBER:
        raise ValueError(f"there is no rule {rule}; expected one of {list(INDEX_OF_NUMBER)}")
    return row_tables(INDEX_OF_NUMBER[rule])


cdef object _classes(const RowTables* t):
    return array("H", [t.tables.after[i] for i in range(HALF_KEYS)])


cdef object _crc(object of_half):
    if sys.byteorder == "big":
        of_half = array("H", of_half)
        of_half.byteswap()
    return zlib.crc32(of_half.tobytes())


def rows_and_crc(int rule):
    """The fields rows and crc of numbering() alone, which takes no time: for a net that is loaded
    while a manager waits. Raises what numbering() raises."""
    cdef const RowTables* t = known_tables(rule)
    return t.rows, _crc(_classes(t))


def largest_of(const int16_t[::1] numbers):
    """The absolute value of the number farthest from 0; 0 where there are none."""
    cdef int largest = 0, i, number
    for i in range(numbers.shape[0]):
        number = -numbers[i] if numbers[i] < 0 else numbers[i]
        if number > largest:
            largest = number
    return largest


def numbering(int rule):
    """How windows are numbered under a rule, given by its number in `INFO rule`: a Numbering.

    classes        classes of half windows
    rows           pairs of classes, mirror images counted once
    class_of_half  1,024 classes by half window: two bits a cell (0 empty, 1 Black, 2 White, 3 wall),
                   the cell nearest to the centre lowest
    row_of_pair    classes * classes rows, by one class * classes + the other
    swapped        by row, the row with the colours exchanged; in renju the row itself
    crc            CRC-32 of class_of_half as 16-bit numbers, low byte first: equal numberings, equal
                   CRC

    Raises ValueError for a number that is no rule, MemoryError.
    """
    cdef const RowTables* t = known_tables(rule)
    cdef int i, classes = t.tables.half_classes
    of_half = _classes(t)
    return Numbering(classes, t.rows, of_half,
                     array("H", [t.row[i] for i in range(classes * classes)]),
                     array("H", [t.swapped[i] for i in range(t.rows)]),
                     _crc(of_half))
