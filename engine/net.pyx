"""The net's state for a board: brought up to date when a value is asked for, and read.

A Net keeps the stones that it has followed, with the hash of the board after each of them. To catch
up, it takes stones back until its hash is that of the board with as many stones, then it adds the
board's further stones. It has line keys and stones of its own, so a stone is added as if it were
the last one, whatever else is on the board; the board's log tells which threats it changed.

A stone writes new rows of features and new sums behind those of the stones before it. The cells it
changes get the new rows only when it is added, so a position is valued without adding its last stone
(prepare), it is added later at next to no cost, and taken back by giving the cells their old rows.

Invariants, checked by the tests against a Net made afresh and against a plain oracle:
  * the features of an empty cell are the bias, its four rows and that of its pair of threats; those
    of a cell with a stone stay as they were before the stone;
  * the sums, by region, are those of the clipped features of the empty cells, less what these cells
    have on the board without its stones.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import os
from itertools import count as counting
from weakref import WeakValueDictionary

from engine.board cimport Board, ThreatChange, count_of, hash_after, rotated, threat_at
from engine.geometry cimport DIRECTIONS, line_of, place_on_line, step_of, x_of, y_of
from engine.patterns cimport (HALF_MASK, RowTables, RuleTables, THREATS, half_after,
                              half_before, region_of, row_tables, stone_bits, tally_of)
from engine.types cimport (BLACK, CELLS, EMPTY, MAX_STONES, int16_t, int32_t, int8_t,
                           opponent_of, uint16_t, uint32_t, uint64_t)

from engine import network
from engine.rulebook import INDEX_OF_NUMBER

cdef extern from "net_paths.h" nogil:
    enum:
        NET_B1, NET_BM       # where the biases of the first layers are
    cdef struct TengenNetCell:      # as NetCell
        uint16_t at
        uint8_t region, threats
    cdef struct TengenNetChange:
        TengenNetCell was
        uint16_t before, after, cell
        uint8_t threats
    cdef struct TengenNetKernels:
        const char* path
        void (*add)(const int16_t* feature, int16_t* next, const uint16_t* before, uint16_t* sum,
                    const int16_t* rows, const int16_t* pairs, const TengenNetChange* change, int alone, int paired,
                    const int16_t* base, int slot, int at, int region) noexcept nogil
        void (*move_add)(int16_t* feature, uint16_t* sum, const int16_t* rows, const int16_t* pairs,
                         const TengenNetChange* change, int changes, const int16_t* base,
                         const uint16_t* slots, int cell) noexcept nogil
        void (*move_remove)(int16_t* feature, const int16_t* rows, const int16_t* pairs,
                            const TengenNetChange* change, int changes, const uint16_t* slots) noexcept nogil
        int (*value)(const uint16_t* sum, int own, int shift, const int8_t* weight,
                     const int32_t* bias, const int32_t** more, int mores,
                     const int16_t* w3) noexcept nogil
        void (*policy)(const uint16_t* sum, int own, int shift, const int8_t* weight,
                       const int32_t* bias, const int32_t** more, int mores,
                       const int16_t* feature, const uint16_t* slot, int cells,
                       int32_t* result) noexcept nogil
    const TengenNetKernels* tengen_net_kernels(const char* path) noexcept nogil

cdef enum:
    LINE_BYTES = 64          # of a cache line: what the large arrays are aligned to
    MAX_CHANGES = MAX_NET_CHANGES + MAX_STONE_CHANGES

NET_VARIABLE = "TENGEN_NET"
SIMD_VARIABLE = "TENGEN_SIMD"       # plain, v2, avx2 or vnni: the path of all nets


cdef inline const TengenNetKernels* kernels_of(const Net* n) noexcept nogil:
    return <const TengenNetKernels*>n.kernels


cdef inline TengenNetChange* changes_from(const Net* n, int changes) noexcept nogil:
    return <TengenNetChange*>n.change + changes


cdef inline void* aligned(void* memory) noexcept nogil:
    """The first address from `memory` on that begins a cache line."""
    return <void*>((<uintptr_t>memory + LINE_BYTES - 1) & ~<uintptr_t>(LINE_BYTES - 1))


# -- one Net ------------------------------------------------------------------------------------

cdef Net* new_net(const char* path) except NULL:
    """A Net without tables (use_tables). MemoryError.

    path  "plain", "v2", "avx2", "vnni"; NULL: that which TENGEN_SIMD names in the environment. Any
          other text chooses the fastest that the machine has, and a path that it lacks the best below.
    """
    cdef bytes wanted = os.environ.get(SIMD_VARIABLE, "").encode(errors="replace")
    cdef Net* n = <Net*>calloc(1, sizeof(Net))
    cdef char* memory = <char*>malloc(
        ((MAX_STONES + MAX_CHANGES) * VALUE_CHANNELS + MAX_STONES * (MOVE_CHANNELS + CHANNELS))
        * sizeof(int16_t) + MAX_CHANGES * sizeof(TengenNetChange) + LINE_BYTES)
    if n == NULL or memory == NULL:
        free(n)
        free(memory)
        raise MemoryError("no memory for the state of a net")
    n.memory = memory
    n.feature = <int16_t*>aligned(memory)
    n.move_feature = n.feature + (MAX_STONES + MAX_CHANGES) * VALUE_CHANNELS
    n.base = n.move_feature + MAX_STONES * MOVE_CHANNELS
    n.change = n.base + MAX_STONES * CHANNELS
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
    """The instruction set in use: "plain", "v2", "avx2" or "vnni"."""
    return kernels_of(n).path


cdef void use_tables(Net* n, const NetTables* tables) noexcept:
    """Makes the Net one of these tables, which must stay as long as it is used with them."""
    n.tables = tables
    if n.serial != tables.serial:
        n.serial = tables.serial
        n.is_set_up = False


# -- following a board --------------------------------------------------------------------------

cdef inline void place_stone(Net* n, int cell, int colour) noexcept nogil:
    """Xors the stone into the line keys: places it, or takes it back."""
    cdef int d
    for d in range(DIRECTIONS):
        n.key[d][line_of(cell, d)] ^= stone_bits(colour, place_on_line(cell, d))


cdef void start(Net* n, const Board* b) noexcept nogil:
    """The state for the board without its stones, walls apart: every feature from its rows."""
    cdef const NetTables* t = n.tables
    cdef const RuleTables* p = t.numbers.tables
    cdef int16_t f[CHANNELS]
    cdef int row[DIRECTIONS + 1]
    cdef NetCell* c
    cdef uint64_t key
    cdef uint32_t lines
    cdef int cell, d, i, k, place, slots = 0
    memcpy(n.stone, b.stone, sizeof(n.stone))
    memcpy(n.key, b.key, sizeof(n.key))
    n.stones = n.changes = n.moved = 0
    n.is_next = False
    n.hash[0] = b.placed[0].hash if b.stones else b.hash
    for i in range(b.stones):
        cell = b.placed[i].cell
        place_stone(n, cell, n.stone[cell])
        n.stone[cell] = EMPTY
    memset(n.sum[0], 0, sizeof(n.sum[0]))
    memset(n.move_sum, 0, sizeof(n.move_sum))
    for cell in range(CELLS):
        if n.stone[cell] != EMPTY:
            continue
        n.slot[cell] = slots
        c = &n.cell[cell]
        lines = 0
        for d in range(DIRECTIONS):
            place = place_on_line(cell, d)
            key = n.key[d][line_of(cell, d)]
            i = p.before[half_before(key, place)] + p.after[half_after(key, place)]
            lines |= <uint32_t>p.both[i] << (8 * d)
            row[d] = t.numbers.row[i]
        c.at = slots
        c.region = region_of(x_of(cell), b.width) + 3 * region_of(y_of(cell), b.height)
        c.threats = (p.threat[0][tally_of(p, 0, lines)] | p.threat[1][tally_of(p, 1, lines)] << 4)
        row[DIRECTIONS] = t.numbers.rows + c.threats
        memcpy(f, t.bias, sizeof(t.bias))
        for d in range(DIRECTIONS + 1):
            for k in range(CHANNELS):
                f[k] += t.row[CHANNELS * row[d] + k]
        memcpy(n.feature + VALUE_CHANNELS * slots, f, VALUE_CHANNELS * sizeof(int16_t))
        memcpy(n.move_feature + MOVE_CHANNELS * slots, f + VALUE_CHANNELS, MOVE_CHANNELS * sizeof(int16_t))
        for k in range(CHANNELS):
            n.base[CHANNELS * slots + k] = min(max(f[k], 0), 127)
        slots += 1
    n.is_set_up = True


cdef inline TengenNetChange* note_change(Net* n, const uint16_t* row, int at, int old, int new,
                                         TengenNetChange* next) noexcept nogil:
    """Writes that the window of a cell becomes another, both as RuleTables.both is indexed. It counts
    if they differ and the cell is empty; which of them do is all but random, so no branch asks."""
    memcpy(&next.was, &n.cell[at], sizeof(NetCell))
    next.before = row[old]
    next.after = row[new]
    next.cell = at
    return next + ((old != new) & (n.stone[at] == EMPTY))


cdef inline TengenNetChange* note_pair(Net* n, const RuleTables* t, const uint16_t* row, uint64_t window,
                                       uint64_t colour, int cell, int step, int i,
                                       TengenNetChange* next) noexcept nogil:
    """note_change() of the cells i places behind the stone and before it."""
    cdef int half = (window >> (2 * (i + 5))) & HALF_MASK
    cdef int other = t.after[(window >> (2 * (i + 11))) & HALF_MASK]
    next = note_change(n, row, cell + i * step, other + t.before[half ^ colour << (2 * (5 - i))],
                       other + t.before[half], next)
    half = (window >> (2 * (11 - i))) & HALF_MASK
    other = t.before[(window >> (2 * (5 - i))) & HALF_MASK]
    return note_change(n, row, cell - i * step, other + t.after[half ^ colour << (2 * (i - 1))],
                       other + t.after[half], next)


cdef int list_changes(Net* n, const Board* b) noexcept nogil:
    """Writes what the board's next stone changes behind the changes of the stones before it; returns
    how many changes these are. Those of cells whose threats change come last, n.next_pairs in all."""
    cdef const RuleTables* t = n.tables.numbers.tables
    cdef const uint16_t* row = &n.tables.numbers.row[0]
    cdef TengenNetChange* first = changes_from(n, n.changes)
    cdef TengenNetChange* next = first
    cdef TengenNetChange swap
    cdef const ThreatChange* change
    cdef int cell = b.placed[n.stones].cell, d, i, at, step, end, count, alone
    cdef uint64_t colour = b.stone[cell], window
    for d in range(DIRECTIONS):
        i = place_on_line(cell, d)
        step = step_of(d)
        # As in make(): the cell ten places before the stone is lowest.
        window = rotated(n.key[d][line_of(cell, d)] ^ stone_bits(colour, i), 2 * (i - 10))
        for i in range(1, 5):
            next = note_pair(n, t, row, window, colour, cell, step, i, next)
        if t.reach == 5:
            next = note_pair(n, t, row, window, colour, cell, step, 5, next)
    count = <int>(next - first)
    for i in range(count):
        n.listed[first[i].cell] = i
        first[i].threats = first[i].was.threats
    alone = count
    end = b.threat_changes if n.stones + 1 == b.stones else b.placed[n.stones + 1].threat_changes
    for i in range(b.placed[n.stones].threat_changes, end):
        change = &b.threat_change[i]
        if change.cell == cell or change.before == change.after:
            continue
        at = n.listed[change.cell]
        if at < alone:
            alone -= 1
            swap = first[at]
            first[at] = first[alone]
            first[alone] = swap
            n.listed[first[at].cell] = at
            n.listed[swap.cell] = alone
            at = alone
        first[at].threats ^= (change.before ^ change.after) << (4 * change.colour)
    n.next_pairs = count - alone
    return count


cdef void prepare(Net* n, const Board* b) noexcept nogil:
    """Works out all that the board's next stone changes. The state stays as it is."""
    cdef uint64_t hash = hash_after(b, n.stones + 1)
    cdef int cell = b.placed[n.stones].cell
    cdef const int16_t* rows = n.tables.row
    if n.is_next and n.hash[n.stones + 1] == hash:
        return
    n.is_next = True
    n.hash[n.stones + 1] = hash
    n.next_changes = list_changes(n, b)
    kernels_of(n).add(n.feature, n.feature + VALUE_CHANNELS * (MAX_STONES + n.changes),
                      n.sum[n.stones], n.sum[n.stones + 1], rows, rows + CHANNELS * n.tables.numbers.rows,
                      changes_from(n, n.changes), n.next_changes - n.next_pairs, n.next_pairs,
                      n.base, n.slot[cell], n.cell[cell].at, n.cell[cell].region)


cdef void push(Net* n, const Board* b) noexcept nogil:
    """Adds the board's next stone."""
    cdef NetStone* s = &n.placed[n.stones]
    cdef const TengenNetChange* c
    cdef int i
    prepare(n, b)
    s.cell = b.placed[n.stones].cell
    s.colour = b.stone[s.cell]
    s.changes = n.changes
    for i in range(n.changes, n.changes + n.next_changes):
        c = changes_from(n, i)
        n.cell[c.cell].at = MAX_STONES + i
        n.cell[c.cell].threats = c.threats
    place_stone(n, s.cell, s.colour)
    n.stone[s.cell] = s.colour
    n.changes += n.next_changes
    n.stones += 1
    n.is_next = False


cdef void pop(Net* n) noexcept nogil:
    """Takes back the last stone, which is then the next one."""
    cdef NetStone* s
    cdef const TengenNetChange* c
    cdef const int16_t* rows = n.tables.row
    cdef int i
    n.stones -= 1
    s = &n.placed[n.stones]
    n.next_changes = n.changes - s.changes
    if n.moved > n.stones:
        n.moved = n.stones
        memcpy(n.move_sum, s.move_sum, sizeof(n.move_sum))
        kernels_of(n).move_remove(n.move_feature, rows, rows + CHANNELS * n.tables.numbers.rows,
                                  changes_from(n, s.changes), n.next_changes, n.slot)
    for i in range(s.changes, n.changes):
        c = changes_from(n, i)
        memcpy(&n.cell[c.cell], &c.was, sizeof(NetCell))
    n.changes = s.changes
    place_stone(n, s.cell, s.colour)
    n.stone[s.cell] = EMPTY
    n.is_next = True


cdef void follow(Net* n, const Board* b, int stones) noexcept nogil:
    """Brings the state to the board's position as it was with so many stones."""
    if not n.is_set_up or n.hash[0] != hash_after(b, 0):
        start(n, b)
    while n.stones > stones or n.hash[n.stones] != hash_after(b, n.stones):
        pop(n)
    while n.stones < stones:
        push(n, b)


cdef void catch_up(Net* n, const Board* b) noexcept nogil:
    """Brings the state to the board's position, whatever it was before; the policy's part too."""
    cdef const int16_t* rows = n.tables.row
    cdef NetStone* s
    cdef int end
    follow(n, b, b.stones)
    while n.moved < n.stones:
        s = &n.placed[n.moved]
        n.moved += 1
        end = n.changes if n.moved == n.stones else n.placed[n.moved].changes
        memcpy(s.move_sum, n.move_sum, sizeof(n.move_sum))
        kernels_of(n).move_add(n.move_feature, n.move_sum, rows,
                               rows + CHANNELS * n.tables.numbers.rows,
                               changes_from(n, s.changes), end - s.changes, n.base, n.slot, s.cell)


cdef const int16_t* value_features(const Net* n, int cell) noexcept nogil:
    """The features for the value of an empty cell."""
    return n.feature + VALUE_CHANNELS * n.cell[cell].at


# -- value and policy ---------------------------------------------------------------------------

cdef inline int add_count(const int32_t** more, int mores, const NetHead* h, int i, int threat,
                          int count) noexcept nogil:
    """Adds what the net makes of so many cells with a threat to the rows in `more`, of which there
    are `mores`; returns how many there are now. i: 0 own, 1 the opponent's."""
    more[mores] = h.threat[i][threat][count if count < NET_COUNTS else NET_COUNTS - 1]
    return mores + (count != 0)         # with count 0 the next row takes its place: no branch


cdef inline int add_counts(const int32_t** more, const NetHead* h, const Board* b) noexcept nogil:
    """The rows of all threats on the board, into `more`; returns how many these are."""
    cdef int threat, mores = 0, other = opponent_of(b.side)
    for threat in range(NET_THREATS):
        mores = add_count(more, mores, h, 0, threat, count_of(b, b.side, threat + 1))
        mores = add_count(more, mores, h, 1, threat, count_of(b, other, threat + 1))
    return mores


cdef inline int run_head(const Net* n, int side, const uint16_t* sum, const int32_t** more,
                         int mores) noexcept nogil:
    """The output of the value. more: rows of the threats."""
    cdef const NetHead* h = &n.tables.head[side - 1]
    return h.b3 + kernels_of(n).value(sum, WIDTH * (side - BLACK), n.tables.shift, h.weight, h.bias,
                                      more, mores, h.w3)


cdef int output_for(const Net* n, int side, const uint16_t* sum, const int* counts) noexcept nogil:
    """The output of the value for inputs of any kind, for breakdown.pyx.

    sum     of the value, by region: Black's view, then White's.
    counts  cells by threat, NET_THREATS for the side to move, then for the opponent.
    """
    cdef const NetHead* h = &n.tables.head[side - 1]
    cdef const int32_t* more[2 * NET_THREATS]
    cdef int i, mores = 0
    for i in range(2 * NET_THREATS):
        mores = add_count(more, mores, h, i // NET_THREATS, i % NET_THREATS, counts[i])
    return run_head(n, side, sum, more, mores)


cdef int value_of_output(int output) noexcept nogil:
    """An output of the value in centi-stones."""
    cdef int scaled = output * VALUE_SCALE
    cdef int value = scaled // POLICY_ONE           # C's division, towards zero
    return value - 1 if scaled < 0 and value * POLICY_ONE != scaled else value


cdef int net_value(Net* n, const Board* b) noexcept nogil:
    """The static value for the side to move, in centi-stones.

    The state follows the board up to its last stone only, unless it has that one already: most
    positions that are evaluated have no next one, and the stone need not be taken back.
    """
    cdef const int32_t* more[2 * NET_THREATS]
    cdef int mores = add_counts(more, &n.tables.head[b.side - 1], b)
    if b.stones and not (n.is_set_up and n.stones >= b.stones and n.hash[b.stones] == b.hash):
        follow(n, b, b.stones - 1)
        prepare(n, b)
    else:
        follow(n, b, b.stones)
    return value_of_output(run_head(n, b.side, n.sum[b.stones], more, mores))


cdef void policies(Net* n, const Board* b, uint16_t* cells, int count,
                   int32_t* result) noexcept nogil:
    """The policy of the side to move for empty cells: logits times POLICY_ONE, one for each."""
    cdef const NetHead* h = &n.tables.head[b.side - 1]
    cdef const int32_t* more[2 * NET_THREATS]
    cdef uint16_t slot[MAX_STONES]
    cdef int i, other = opponent_of(b.side), mores = add_counts(more, h, b)
    catch_up(n, b)
    for i in range(count):
        slot[i] = n.slot[cells[i]]
    kernels_of(n).policy(n.move_sum, POLICY * (b.side - BLACK), n.tables.shift, h.weight, h.bias, more,
                         mores, n.move_feature, slot, count, result)
    for i in range(count):
        result[i] += 64 * h.entry[threat_at(b, cells[i], b.side)][threat_at(b, cells[i], other)]


# -- from a file --------------------------------------------------------------------------------

cdef class LoadedNet:
    def __cinit__(self, loaded, crc=0):
        """loaded: an engine.network.Network that network.check() accepts; crc: of its file.
        MemoryError."""
        cdef const RowTables* numbers = row_tables(INDEX_OF_NUMBER[loaded.rule])
        self.tables = <NetTables*>calloc(1, sizeof(NetTables))
        self.memory = calloc((numbers.rows + PAIR_ROWS) * CHANNELS * sizeof(int16_t) + LINE_BYTES, 1)
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
        _set_rows(self.tables, loaded)
        for i in range(2):
            _set_head(&self.tables.head[i], loaded, i)

    def __dealloc__(self):
        free(self.tables)
        free(self.memory)


cdef _set_row(int16_t* to, const int16_t[::1] numbers, int black, int white):
    """The numbers of both views, side by side: the rows of these indices."""
    cdef int k
    for k in range(WIDTH + POLICY):
        to[k if k < WIDTH else WIDTH + k] = numbers[(WIDTH + POLICY) * black + k]
        to[WIDTH + k if k < WIDTH else WIDTH + POLICY + k] = numbers[(WIDTH + POLICY) * white + k]


cdef _set_rows(NetTables* t, object loaded):
    """Both views of every row, of every pair of threats and of the bias."""
    cdef int sets = network.sets_of(loaded.rule), rows = t.numbers.rows, i
    cdef int white = sets - 1           # the set of White's view
    for i in range(rows):
        _set_row(t.row + CHANNELS * i, loaded.rows, i, white * rows + t.numbers.swapped[i])
    for i in range(NET_PAIRS):
        _set_row(t.row + CHANNELS * (rows + (i // THREATS | i % THREATS << 4)), loaded.pairs, i,
                 white * NET_PAIRS + i % THREATS * THREATS + i // THREATS)
    _set_row(t.bias, loaded.bias, 0, white)


cdef _set_head(NetHead* h, object loaded, int colour):
    """The layers for Black (0) or White (1) to move."""
    cdef int first = colour if network.sets_of(loaded.rule) == 2 else 0
    cdef int i, j, k, at, none, layer, layers, outputs, inputs, signed, offset
    cdef int8_t* to = h.weight
    cdef int32_t* bias = h.bias
    cdef const int8_t[::1] weights
    cdef const int32_t[::1] biases
    cdef const int16_t[::1] rows
    for name, bias_name, layers, outputs, inputs in network.LAYERS:
        weights, biases = getattr(loaded, name), getattr(loaded, bias_name)
        signed = network.SIGNED.get(name, 0)
        for layer in range(layers * first, layers * first + layers):
            for j in range(outputs):
                bias[j] = biases[outputs * layer + j]
                for i in range(inputs):
                    at = (outputs * layer + j) * inputs + i
                    to[(i // 4 * outputs + j) * 4 + i % 4] = weights[at]
                    # Inputs with a sign come plus 127.
                    if i < signed:
                        bias[j] -= 127 * weights[at]
            to += outputs * inputs
            bias += outputs
    for name, outputs, offset, at in (("threat_rows", FIRST, 0, NET_B1),
                                      ("move_threat_rows", MOVES, FIRST, NET_BM)):
        rows = getattr(loaded, name)[2 * NET_THREATS * NET_COUNTS * outputs * first:]
        for i in range(2 * NET_THREATS):
            for j in range(outputs):
                none = rows[i * NET_COUNTS * outputs + j]
                h.bias[at + j] += none
                for k in range(NET_COUNTS):
                    h.threat[i // NET_THREATS][i % NET_THREATS][k][offset + j] = (
                        rows[(i * NET_COUNTS + k) * outputs + j] - none)
    for i in range(WIDTH):
        h.w3[i] = loaded.w3[WIDTH * first + i]
    h.b3 = loaded.b3[first]
    assert to == h.weight + WEIGHTS and bias == h.bias + BIASES
    for i in range(NET_PAIRS):
        h.entry[i // THREATS][i % THREATS] = loaded.entry[NET_PAIRS * first + i]


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
        self._named = "" if path is not None else f"{NET_VARIABLE}: "
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
            if self.path is not None and network.rule_and_version(self.path)[0] == rule:
                loaded, problem = load_net(self.path, rule), None
        except ValueError as error:
            problem = f"{error}; this net is not used"
        except MemoryError:
            return None, self.give_up(rule)
        self._rule, self._loaded = rule, loaded
        return loaded, self._once(problem)

    def check(self):
        """Raises network.NetError, with the name of the file, where the user's cannot be used: for
        all who would rather stop than play with another net."""
        if self.path is None:
            return
        try:
            load_net(self.path, network.rule_and_version(self.path)[0])
        except network.NetError as error:
            path = os.path.join(os.path.dirname(self.path), str(error))
            raise network.NetError(f"{self._named}{path}") from None

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

    Raises network.NetError, with the name of the file, where it cannot be used, and MemoryError.
    """
    return LoadedNet(*network.load_with_crc(path, rule))
