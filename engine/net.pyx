"""The net's state for a board: brought up to date when a value is asked for, and read.

A Net keeps the stones that it has followed, with the hash of the board after each of them. To catch
up, it takes stones back until its hash is that of the board with as many stones, then it adds the
board's further stones. It has line keys and stones of its own, so a stone is added as if it were
the last one, whatever else is on the board.

Invariants, checked by the tests against a Net made afresh and against a plain oracle:
  * the features of an empty cell are the bias and its four rows; those of a cell with a stone stay as
    they were before the stone;
  * the sums are those of the clipped features of the empty cells.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import os
from itertools import count as counting
from weakref import WeakValueDictionary

from engine.board cimport Board, count_of, threat_at
from engine.geometry cimport DIRECTIONS, line_of, place_on_line, step_of
from engine.lines cimport HALF, half_after, half_before, stone_bits
from engine.rows cimport RowTables, row_at, row_tables
from engine.types cimport (BLACK, CELLS, EMPTY, MAX_STONES, WALL, int8_t, int16_t, int32_t, opponent_of,
                           uint8_t, uint16_t, uint64_t)

from engine import network
from engine.rulebook import INDEX_OF_NUMBER

cdef extern from "net_paths.h" nogil:
    cdef struct TengenNetKernels:
        const char* path
        void (*push)(int16_t* feature, uint16_t* sum, const int16_t* rows, const uint16_t* change,
                     int changes, int16_t* saved, const int16_t* taken) noexcept nogil
        void (*pop)(int16_t* feature, const uint16_t* change, int changes,
                    const int16_t* saved) noexcept nogil
        void (*peek)(int16_t* feature, const uint16_t* sum, const int16_t* rows,
                     const uint16_t* change, int changes, const int16_t* taken,
                     uint16_t* result) noexcept nogil
        void (*dense)(const uint8_t* inputs, int count, const int8_t* weight, const int32_t* bias,
                      int32_t* result) noexcept nogil
        int (*head)(const uint16_t* own, const uint16_t* other, int shift, const int32_t* bias,
                    const int32_t** more, int mores, const int8_t* w1, const int8_t* w2,
                    const int32_t* b2, const int8_t* w3, uint8_t* h2) noexcept nogil
        void (*policy)(const int16_t* feature, const uint16_t* slot, int cells,
                       const int16_t* weight, int32_t* result) noexcept nogil
    const TengenNetKernels* tengen_net_kernels(const char* path) noexcept nogil

cdef enum:
    LINE_BYTES = 64          # of a cache line: what the large arrays are aligned to

NET_VARIABLE = "TENGEN_NET"
SIMD_VARIABLE = "TENGEN_SIMD"       # plain, v2 or avx2: the path of all nets (docs/NET.md)


cdef inline const TengenNetKernels* kernels_of(const Net* n) noexcept nogil:
    return <const TengenNetKernels*>n.kernels


cdef inline void* aligned(void* memory) noexcept nogil:
    """The first address from `memory` on that begins a cache line."""
    return <void*>((<uintptr_t>memory + LINE_BYTES - 1) & ~<uintptr_t>(LINE_BYTES - 1))


# -- one Net ------------------------------------------------------------------------------------

cdef Net* new_net(const char* path) except NULL:
    """A Net without tables (use_tables). MemoryError.

    path  "plain", "v2", "avx2"; NULL: that which TENGEN_SIMD names in the environment. Any other text
          chooses the fastest that the machine has, and a path that it lacks the best below.
    """
    cdef bytes wanted = os.environ.get(SIMD_VARIABLE, "").encode(errors="replace")
    cdef Net* n = <Net*>calloc(1, sizeof(Net))
    cdef char* memory = <char*>malloc(
        (CELLS + MAX_NET_CHANGES) * CHANNELS * sizeof(int16_t)
        + (MAX_NET_CHANGES + MAX_STONE_CHANGES) * 3 * sizeof(uint16_t) + LINE_BYTES)
    if n == NULL or memory == NULL:
        free(n)
        free(memory)
        raise MemoryError("no memory for the state of a net")
    n.memory = memory
    n.feature = <int16_t*>aligned(memory)
    n.saved = n.feature + CELLS * CHANNELS
    n.change = <uint16_t*>(n.saved + MAX_NET_CHANGES * CHANNELS)
    if path == NULL:
        path = wanted
    n.kernels = tengen_net_kernels(path)
    return n


cdef void free_net(Net* n) noexcept:
    """Frees a Net; NULL is allowed."""
    if n != NULL:
        free(n.memory)
        free(n)


cdef const char* path_of(const Net* n) noexcept:
    """The instruction set in use: "plain", "v2" or "avx2"."""
    return kernels_of(n).path


cdef void use_tables(Net* n, const NetTables* tables) noexcept:
    """Makes the Net one of these tables, which must stay as long as it is used with them."""
    n.tables = tables
    if n.serial != tables.serial:
        n.serial = tables.serial
        n.is_set_up = False


# -- following a board --------------------------------------------------------------------------

cdef inline void place(Net* n, int cell, int colour) noexcept nogil:
    """Xors the stone into the line keys: places it, or takes it back."""
    cdef int d
    for d in range(DIRECTIONS):
        n.key[d][line_of(cell, d)] ^= stone_bits(colour, place_on_line(cell, d))


cdef void start(Net* n, const Board* b) noexcept nogil:
    """The state for the board without its stones, walls apart: every feature from its four rows."""
    cdef const NetTables* t = n.tables
    cdef const int16_t* row
    cdef int16_t* f
    cdef int cell, d, i, k, slots = 0
    memcpy(n.stone, b.stone, sizeof(n.stone))
    memcpy(n.key, b.key, sizeof(n.key))
    n.stones = 0
    n.changes = 0
    n.hash[0] = b.placed[0].hash if b.stones else b.hash
    for i in range(b.stones):
        cell = b.placed[i].cell
        place(n, cell, n.stone[cell])
        n.stone[cell] = EMPTY
    memset(n.sum, 0, sizeof(n.sum))
    for cell in range(CELLS):
        if n.stone[cell] != EMPTY:
            continue
        n.slot[cell] = slots
        f = n.feature + CHANNELS * slots
        slots += 1
        memcpy(f, t.bias, sizeof(t.bias))
        for d in range(DIRECTIONS):
            row = t.row + CHANNELS * row_at(t.numbers, n.key[d][line_of(cell, d)],
                                            place_on_line(cell, d))
            for k in range(CHANNELS):
                f[k] += row[k]
        for k in range(CHANNELS):
            n.sum[k] += min(max(f[k], 0), 127)
    n.is_set_up = True


cdef inline uint16_t* walk(const Net* n, uint64_t key, int cell, int d, bint forward, int colour,
                           int reach, const uint16_t* class_before, const uint16_t* class_after,
                           const uint16_t* row, uint16_t* next) noexcept nogil:
    """Writes what a stone changes on one side of it along direction d: (slot, row before, row after)
    for each change. The walk is that of board.make().

    key   of the line, with the stone
    next  where to write; the end of what is written is returned
    """
    cdef int i, seen = 0, at = cell, middle = place_on_line(cell, d), half, other, old, new
    cdef int step = step_of(d) if forward else -step_of(d)
    for i in range(1, reach + 1):
        at += step
        if n.stone[at] != EMPTY:
            seen |= n.stone[at]
            if seen == WALL:
                break
            continue
        # The row differs where the class of the half with the stone does.
        if forward:
            half = half_before(key, middle + i)
            new = class_before[half]
            old = class_before[half ^ colour << (2 * (HALF - i))]
            if old == new:
                continue
            other = class_after[half_after(key, middle + i)]
        else:
            half = half_after(key, middle - i)
            new = class_after[half]
            old = class_after[half ^ colour << (2 * (i - 1))]
            if old == new:
                continue
            other = class_before[half_before(key, middle - i)]
        next[0] = n.slot[at]
        next[1] = row[other + old]
        next[2] = row[other + new]
        next += 3
    return next


cdef int list_changes(Net* n, int cell, int colour, int reach) noexcept nogil:
    """Places the stone in the line keys and writes what it changes behind the changes of the stones
    before it; returns how many changes these are."""
    # Copies of pointers: the compiler cannot know that the stores of walk() leave them as they are.
    cdef const uint16_t* before = &n.tables.numbers.tables.before[0]
    cdef const uint16_t* after = &n.tables.numbers.tables.after[0]
    cdef const uint16_t* row = &n.tables.numbers.row[0]
    cdef uint16_t* first = n.change + 3 * n.changes
    cdef uint16_t* next = first
    cdef uint64_t key
    cdef int d
    place(n, cell, colour)
    for d in range(DIRECTIONS):
        key = n.key[d][line_of(cell, d)]
        next = walk(n, key, cell, d, True, colour, reach, before, after, row, next)
        next = walk(n, key, cell, d, False, colour, reach, before, after, row, next)
    return <int>(next - first) // 3


cdef void push(Net* n, int cell, int colour, int reach, uint64_t hash) noexcept nogil:
    """Adds a stone; hash: of the board with it."""
    cdef NetStone* s = &n.placed[n.stones]
    cdef int changes = list_changes(n, cell, colour, reach)
    s.cell = cell
    s.colour = colour
    s.changes = n.changes
    memcpy(s.sum, n.sum, sizeof(n.sum))
    kernels_of(n).push(n.feature, n.sum, n.tables.row, n.change + 3 * n.changes, changes,
                       n.saved + CHANNELS * n.changes, n.feature + CHANNELS * n.slot[cell])
    n.stone[cell] = colour
    n.changes += changes
    n.stones += 1
    n.hash[n.stones] = hash


cdef void peek(Net* n, int cell, int colour, int reach, uint16_t* sum) noexcept nogil:
    """The sums with one more stone, into `sum`. The state stays as it is."""
    cdef int changes = list_changes(n, cell, colour, reach)
    kernels_of(n).peek(n.feature, n.sum, n.tables.row, n.change + 3 * n.changes, changes,
                       n.feature + CHANNELS * n.slot[cell], sum)
    place(n, cell, colour)


cdef void pop(Net* n) noexcept nogil:
    """Takes back the last stone."""
    cdef NetStone* s
    n.stones -= 1
    s = &n.placed[n.stones]
    kernels_of(n).pop(n.feature, n.change + 3 * s.changes, n.changes - s.changes,
                      n.saved + CHANNELS * s.changes)
    n.changes = s.changes
    memcpy(n.sum, s.sum, sizeof(n.sum))
    place(n, s.cell, s.colour)
    n.stone[s.cell] = EMPTY


cdef inline uint64_t hash_after(const Board* b, int stones) noexcept nogil:
    """The hash of the board when it had so many stones."""
    return b.hash if stones == b.stones else b.placed[stones].hash


cdef void follow(Net* n, const Board* b, int stones) noexcept nogil:
    """Brings the state to the board's position as it was with so many stones."""
    cdef int cell
    if not n.is_set_up or n.hash[0] != hash_after(b, 0):
        start(n, b)
    while n.stones > stones or n.hash[n.stones] != hash_after(b, n.stones):
        pop(n)
    while n.stones < stones:
        cell = b.placed[n.stones].cell
        push(n, cell, b.stone[cell], b.tables.reach, hash_after(b, n.stones + 1))


cdef void catch_up(Net* n, const Board* b) noexcept nogil:
    """Brings the state to the board's position, whatever position it had before."""
    follow(n, b, b.stones)


# -- value and policy ---------------------------------------------------------------------------

cdef inline int add_count(const int32_t** more, int mores, const NetHead* h, int i, int threat,
                          int count) noexcept nogil:
    """Adds what the net makes of so many cells with a threat to the rows in `more`, of which there
    are `mores`; returns how many there are now. i: 0 own, 1 the opponent's."""
    more[mores] = h.threat[i][threat][count if count < NET_COUNTS else NET_COUNTS - 1]
    return mores + (count != 0)         # with count 0 the next row takes its place: no branch


cdef inline int finish_head(const Net* n, int side, const uint16_t* sum, const int32_t** more,
                            int mores, uint8_t* h2) noexcept nogil:
    """The output of the head, and the second hidden layer in h2. more: rows of the threats."""
    cdef const NetHead* h = &n.tables.head[side - 1]
    cdef int i = WIDTH * (side - BLACK)
    return h.b3 + kernels_of(n).head(sum + i, sum + WIDTH - i, n.tables.shift, h.first, more, mores,
                                     h.w1, h.w2, h.b2, h.w3, h2)


cdef int run_head(const Net* n, const Board* b, const uint16_t* sum, uint8_t* h2) noexcept nogil:
    """The head for the side to move: its output, and the second hidden layer in h2.

    sum: CHANNELS sums of the board's features.
    """
    cdef const NetHead* h = &n.tables.head[b.side - 1]
    cdef const int32_t* more[2 * NET_THREATS]
    cdef int i, threat, mores = 0, colour = b.side
    for i in range(2):
        for threat in range(NET_THREATS):
            mores = add_count(more, mores, h, i, threat, count_of(b, colour, threat + 1))
        colour = opponent_of(colour)
    return finish_head(n, b.side, sum, more, mores, h2)


cdef int output_for(const Net* n, int side, const uint16_t* sum, const int* counts) noexcept nogil:
    """The output of the head for inputs of any kind, for breakdown.pyx.

    sum     CHANNELS sums: Black's view, then White's.
    counts  cells by threat, NET_THREATS for the side to move, then for the opponent.
    """
    cdef const NetHead* h = &n.tables.head[side - 1]
    cdef const int32_t* more[2 * NET_THREATS]
    cdef uint8_t h2[HIDDEN]
    cdef int i, mores = 0
    for i in range(2 * NET_THREATS):
        mores = add_count(more, mores, h, i // NET_THREATS, i % NET_THREATS, counts[i])
    return finish_head(n, side, sum, more, mores, h2)


cdef int value_of_output(int output) noexcept nogil:
    """An output of the head in centi-stones."""
    cdef int scaled = output * VALUE_SCALE
    cdef int value = scaled // POLICY_ONE           # C's division, towards zero
    return value - 1 if scaled < 0 and value * POLICY_ONE != scaled else value


cdef int net_value(Net* n, const Board* b) noexcept nogil:
    """What the net adds to the static value of the side to move, in centi-stones.

    The state follows the board up to its last stone only, unless it has that one already: most
    positions that are evaluated have no next one, and the stone need not be taken back.
    """
    cdef uint16_t sum[CHANNELS]
    cdef uint8_t h2[HIDDEN]
    cdef int cell
    if b.stones == 0 or (n.is_set_up and n.stones >= b.stones and n.hash[b.stones] == b.hash):
        catch_up(n, b)
        return value_of_output(run_head(n, b, n.sum, h2))
    follow(n, b, b.stones - 1)
    cell = b.placed[b.stones - 1].cell
    peek(n, cell, b.stone[cell], b.tables.reach, sum)
    return value_of_output(run_head(n, b, sum, h2))


cdef void policies(Net* n, const Board* b, uint16_t* cells, int count,
                   int32_t* result) noexcept nogil:
    """The policy of the side to move for empty cells: logits times POLICY_ONE, one for each."""
    cdef const NetHead* h = &n.tables.head[b.side - 1]
    cdef uint8_t h2[HIDDEN]
    cdef int32_t sums[HIDDEN]
    cdef int16_t weight[2 * POLICY]
    cdef uint16_t slot[MAX_STONES]
    cdef int i, p, other = opponent_of(b.side)
    catch_up(n, b)
    run_head(n, b, n.sum, h2)
    kernels_of(n).dense(h2, HIDDEN, h.wp, h.bp, sums)
    for i in range(HIDDEN):
        p = min(max(sums[i] >> 6, -127), 127)       # >> rounds down with every compiler we know
        weight[i if b.side == BLACK else i ^ POLICY] = p
    for i in range(count):
        slot[i] = n.slot[cells[i]]
    kernels_of(n).policy(n.feature, slot, count, weight, result)
    for i in range(count):
        result[i] += 64 * h.entry[threat_at(b, cells[i], b.side)][threat_at(b, cells[i], other)]


# -- from a file --------------------------------------------------------------------------------

cdef class LoadedNet:
    def __cinit__(self, loaded, crc=0):
        """loaded: an engine.network.Network that network.check() accepts; crc: of its file.
        MemoryError."""
        cdef const RowTables* numbers = row_tables(INDEX_OF_NUMBER[loaded.rule])
        self.tables = <NetTables*>calloc(1, sizeof(NetTables))
        self.memory = malloc(numbers.rows * CHANNELS * sizeof(int16_t) + LINE_BYTES)
        if self.tables == NULL or self.memory == NULL:
            raise MemoryError("no memory for a net")
        self.rule = loaded.rule
        self.version = loaded.version
        self.crc = crc
        self.name = loaded.name
        self.tables.numbers = numbers
        self.tables.serial = next(_serials)
        self.tables.row = <int16_t*>aligned(self.memory)
        self.tables.shift = loaded.shift
        self.tables.has_policy = network.has_policy(loaded)
        _set_rows(self.tables, loaded)
        for i in range(2):
            _set_head(&self.tables.head[i], loaded, i)

    def __dealloc__(self):
        free(self.tables)
        free(self.memory)


cdef _interleave(int8_t* to, const int8_t[::1] weight, int inputs, int first):
    """Copies the weights of a layer, [set][output][input], in the order of dense()."""
    cdef int i, j
    for j in range(HIDDEN):
        for i in range(inputs):
            to[(i // 4 * HIDDEN + j) * 4 + i % 4] = weight[(HIDDEN * first + j) * inputs + i]


cdef _set_rows(NetTables* t, object loaded):
    """Both views of every row and of the bias, side by side."""
    cdef const int16_t[::1] rows = loaded.rows
    cdef const int16_t[::1] bias = loaded.bias
    cdef int sets = network.sets_of(loaded.rule), row, k
    cdef int white = (sets - 1) * t.numbers.rows        # where the set of White's view begins
    for row in range(t.numbers.rows):
        for k in range(WIDTH):
            t.row[CHANNELS * row + k] = rows[WIDTH * row + k]
            t.row[CHANNELS * row + WIDTH + k] = rows[WIDTH * (white + t.numbers.swapped[row]) + k]
    for k in range(WIDTH):
        t.bias[k] = bias[k]
        t.bias[WIDTH + k] = bias[WIDTH * (sets - 1) + k]


cdef _set_head(NetHead* h, object loaded, int colour):
    """The head for Black (0) or White (1) to move."""
    cdef int first = colour if network.sets_of(loaded.rule) == 2 else 0, i, j, k, at
    cdef const int16_t[::1] threat_rows = loaded.threat_rows
    cdef const int16_t[::1] entry = loaded.entry
    cdef const int8_t[::1] w3 = loaded.w3
    cdef const int32_t[::1] b1 = loaded.b1
    cdef const int32_t[::1] b2 = loaded.b2
    cdef const int32_t[::1] bp = loaded.bp
    _interleave(h.w1, loaded.w1, CHANNELS, first)
    _interleave(h.w2, loaded.w2, HIDDEN, first)
    _interleave(h.wp, loaded.wp, HIDDEN, first)
    for j in range(HIDDEN):
        h.w3[j] = w3[HIDDEN * first + j]
        h.b2[j] = b2[HIDDEN * first + j]
        h.bp[j] = bp[HIDDEN * first + j]
        h.first[j] = b1[HIDDEN * first + j]
        for i in range(2 * NET_THREATS):
            at = ((2 * NET_THREATS * first + i) * NET_COUNTS) * HIDDEN + j
            h.first[j] += threat_rows[at]
            for k in range(NET_COUNTS):
                h.threat[i // NET_THREATS][i % NET_THREATS][k][j] = (
                    threat_rows[at + k * HIDDEN] - threat_rows[at])
    h.b3 = loaded.b3[first]
    for i in range(9):
        for j in range(9):
            h.entry[i][j] = entry[81 * first + 9 * i + j]


_serials = counting(1)               # of the nets loaded
_shipped = WeakValueDictionary()     # by rule: the nets of the program that an engine uses


def _load_shipped(rule):
    """(LoadedNet, None) of the file that comes with the program, one for all engines; (None, None) if
    it has none for the rule, and (None, a text) if the file cannot be used."""
    path = network.default_file(rule)
    loaded = _shipped.get(rule)
    if loaded is None and os.path.exists(path):
        try:
            loaded = _shipped[rule] = load_net(path, rule)
        except ValueError as problem:
            return None, f"{problem}; this net is not used"
    return loaded, None


class NetFiles:
    """Where an engine finds the net of a rule: in a file of the user's, if that is for the rule, else
    in the program. One net is held at a time: memory is limited, and a game has one rule.

    path  the user's file; None: that which TENGEN_NET names in the environment, if any
    """

    def __init__(self, path=None):
        self.path = path if path is not None else os.environ.get(NET_VARIABLE) or None
        self._rule = self._loaded = None    # what find() found last
        self._told = set()                  # the rules about whose net something was told

    def find(self, rule):
        """(LoadedNet or None, None or a text for the user) for a rule, given by its number. What is
        wrong with a file is told once for each rule."""
        rule = int(rule)
        if rule == self._rule:
            return self._loaded, None
        self._rule = self._loaded = None
        try:
            loaded, problem = _load_shipped(rule)
            if self.path is not None and network.serves(network.rule_of(self.path), rule):
                loaded, problem = load_net(self.path, rule), None
        except ValueError as error:
            problem = f"{error}; this net is not used"
        except MemoryError:
            return None, self.give_up(rule)
        self._rule, self._loaded = rule, loaded
        return loaded, self._once(problem)

    def give_up(self, rule):
        """Without memory for the net of a rule none is used; returns a text for the user, or None
        where something was told about the net of the rule."""
        self._rule, self._loaded = int(rule), None
        return self._once("not enough memory for the net: the static value is that of the table")

    def _once(self, problem):
        if problem is None or self._rule in self._told:
            return None
        self._told.add(self._rule)
        return problem


def load_net(path, int rule):
    """The net of a file, for a rule given by its number in `INFO rule`: a LoadedNet.

    Raises network.NetError, with the name of the file, where it cannot be used, ValueError if the
    values file cannot be read, MemoryError.
    """
    return LoadedNet(*network.load_with_crc(path, rule))
