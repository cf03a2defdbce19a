"""The static value of a position, divided among its cells, for people (docs/EVALUATION.md).

The table is a sum over cells, so what each cell adds is known. The net is not: its head is not
linear, so what a cell adds depends on the others. A cell gets the mean of what it changes in the
net's output when the cells change, one after the other and in many orders, from the empty board to
the position. (If all orders were tried, that would be the cell's Shapley value.)

Invariants, which the tests check:
  * in every order the changes add up to the whole difference, so their means do too;
  * cells that change alike get the same: the mean of what they were given;
  * the orders depend only on how cells change, not on where they are, so the shares of a mirrored
    or turned board are the mirrored or turned shares.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from collections import namedtuple

from engine.board cimport Board, threat_at
from engine.convert cimport point_of, policy_of, put_on_board
from engine.evaluate cimport cell_worth, evaluate, tempo_worth, threat_mask, threats_worth
from engine.geometry cimport cell_at
from engine.net cimport (CHANNELS, NET_THREATS, POLICY_ONE, VALUE_SCALE, WIDTH, LoadedNet, Net,
                         catch_up, free_net, new_net, output_for, start, use_tables,
                         value_of_output)
from engine.types cimport (BLACK, EMPTY, MAX_STONES, VALUE_FRACTION, int16_t, int64_t,
                           opponent_of, uint16_t, uint64_t)
from engine.zobrist cimport mix64

from engine.model import Position, check_position

cdef enum:
    ORDER_PAIRS = 512        # an order and its reverse

Breakdown = namedtuple("Breakdown", "value table net limit policy")
TablePart = namedtuple("TablePart", "value cells kinds threats tempo rounding")
NetPart = namedtuple("NetPart", "name version value empty_board cells rounding")
Move = namedtuple("Move", "point logit")

# By bit of evaluate.threat_mask().
MASK_NAMES = (
    "own three", "own four", "own combination", "three", "four", "double three",
    "combination with a four", "open four",
)

# How a cell differs from the same cell of the empty board.
cdef struct Change:
    int16_t sum[CHANNELS]    # what it adds to the sums
    int own                  # the threat of a stone of the side to move, the opponent's;
    int other                # 0 none, and where a stone stands
    int64_t total            # what it has added to the output, all orders together


def break_down(position, LoadedNet net=None):
    """The parts of a position's static value: a Breakdown (breakdown.pyi says what it holds).

    net  the net to use (engine.net.load_net); None: the table alone.
    Raises TypeError for anything but a Position, and ValueError for one that cannot be put on a
    board or a net of another rule.
    """
    cdef Board* b = NULL
    cdef Net* n = NULL
    if not isinstance(position, Position):
        raise TypeError(f"expected engine.model.Position, got {position!r}")
    position = check_position(position)
    if net is not None and net.rule != position.rule:
        raise ValueError(f"the net is for rule {net.rule}, the position for rule {position.rule}")
    try:
        b = <Board*>calloc(1, sizeof(Board))
        if b == NULL:
            raise MemoryError("no memory for a board")
        put_on_board(b, position)
        table = _table_part(b)
        if net is None:
            return Breakdown(evaluate(b, NULL), table, None, evaluate(b, NULL) - table.value, None)
        n = new_net(NULL)
        use_tables(n, net.tables)
        learned = _net_part(b, n, net)
        value = evaluate(b, n)
        limit = value - table.value - learned.value
        policy = tuple([Move(*each) for each in policy_of(b, n)]) if net.tables.has_policy else None
        return Breakdown(value, table, learned, limit, policy)
    finally:
        free_net(n)
        free(b)


cdef object _nearest(object number, object divisor):
    """The quotient of whole numbers, rounded to the nearest one, halves away from zero."""
    quotient = (2 * abs(number) + divisor) // (2 * divisor)
    return quotient if number >= 0 else -quotient


cdef list _empty_cells(const Board* b):
    """From the top left, row by row."""
    return [cell_at(x, y) for y in range(b.height) for x in range(b.width)
            if b.stone[cell_at(x, y)] == EMPTY]


cdef object _table_part(const Board* b):
    cdef int cell
    cells, total = {}, 0
    for cell in _empty_cells(b):
        eighths = cell_worth(b, cell, b.side) - cell_worth(b, cell, opponent_of(b.side))
        cells[point_of(cell)] = _nearest(eighths, VALUE_FRACTION)
        total += eighths
    kinds = tuple([name for bit, name in enumerate(MASK_NAMES)
                   if threat_mask(b, b.side) >> <int>bit & 1])
    threats, tempo = threats_worth(b), tempo_worth(b)
    # As evaluate() divides: towards zero.
    whole = abs(total) // VALUE_FRACTION * (1 if total >= 0 else -1)
    return TablePart(whole + threats + tempo, cells, kinds, threats, tempo,
                     whole - sum(cells.values()))


cdef object _net_part(Board* b, Net* n, LoadedNet loaded):
    cdef Net* empty = NULL
    cdef Change* changes = NULL
    cdef int count, i
    cdef int zero[2 * NET_THREATS]
    memset(zero, 0, sizeof(zero))
    try:
        empty = new_net(NULL)
        changes = <Change*>calloc(MAX_STONES, sizeof(Change))
        if changes == NULL:
            raise MemoryError("no memory to divide a value")
        use_tables(empty, loaded.tables)
        start(empty, b)             # the board without its stones
        catch_up(n, b)
        found = _changes(b, n, empty, changes)
        count = len(found)
        base = output_for(n, b.side, empty.sum, zero)
        output = _divide(n, b.side, empty, changes, count)
        shares = [changes[i].total for i in range(count)]
    finally:
        free_net(empty)
        free(changes)
    groups = {}
    for i in range(count):
        groups.setdefault(found[i][0], []).append(i)
    cells = {}
    for group in groups.values():
        total = sum([shares[i] for i in group]) * VALUE_SCALE
        share = _nearest(total, 2 * ORDER_PAIRS * len(group) * POLICY_ONE)
        for i in group:
            cells[found[i][1]] = share
    for cell in _empty_cells(b):
        cells.setdefault(point_of(cell), 0)
    empty_board, value = value_of_output(base), value_of_output(output)
    return NetPart(loaded.name, loaded.version, value, empty_board,
                   dict(sorted(cells.items(), key=_by_row)),
                   value - empty_board - sum(cells.values()))


def _by_row(item):
    return item[0].y, item[0].x


cdef inline int _clipped(int feature) noexcept nogil:
    return min(max(feature, 0), 127)


cdef list _changes(const Board* b, const Net* n, const Net* empty, Change* changes):
    """Fills `changes` with the cells that differ from those of the empty board, in an order that
    does not depend on where they are. Returns for each (what it changes, its point), where equal
    changes are equal and the view of the side to move comes first."""
    cdef Change c
    cdef const int16_t* old
    cdef const int16_t* new
    cdef int x, y, cell, k, first = WIDTH * (b.side - BLACK)
    found = []
    for y in range(b.height):
        for x in range(b.width):
            cell = cell_at(x, y)
            if empty.stone[cell] != EMPTY:
                continue            # a wall
            old = empty.feature + CHANNELS * empty.slot[cell]
            new = n.feature + CHANNELS * n.slot[cell]
            c.own = c.other = 0
            if b.stone[cell] == EMPTY:
                c.own = threat_at(b, cell, b.side)
                c.other = threat_at(b, cell, opponent_of(b.side))
            for k in range(CHANNELS):
                c.sum[k] = (_clipped(new[k]) if b.stone[cell] == EMPTY else 0) - _clipped(old[k])
            key = (c.own, c.other, *[c.sum[k ^ first] for k in range(CHANNELS)])
            if any(key):
                found.append((key, point_of(cell)))
    found.sort()
    for i, (key, _) in enumerate(found):
        changes[<int>i].own = key[0]
        changes[<int>i].other = key[1]
        for k in range(CHANNELS):
            changes[<int>i].sum[k ^ first] = key[2 + k]
    return found


cdef int _divide(const Net* n, int side, const Net* empty, Change* changes, int count) noexcept:
    """Adds up in `changes` what each changes in the output, in all orders. Returns the output with
    all of them."""
    cdef int order[MAX_STONES]
    cdef uint64_t state = 0
    cdef int pair, i, j, last = 0
    for i in range(count):
        order[i] = i
    for pair in range(ORDER_PAIRS):
        for i in range(count - 1, 0, -1):
            state += 1
            j = <int>(mix64(state) % <uint64_t>(i + 1))
            order[i], order[j] = order[j], order[i]
        _follow(n, side, empty, changes, order, count)
        for i in range(count // 2):
            order[i], order[count - 1 - i] = order[count - 1 - i], order[i]
        last = _follow(n, side, empty, changes, order, count)
    return last


cdef int _follow(const Net* n, int side, const Net* empty, Change* changes, const int* order,
                 int count) noexcept nogil:
    """Makes the changes in one order, and adds to each what it changes in the output. Returns the
    last output."""
    cdef uint16_t sum[CHANNELS]
    cdef int counts[2 * NET_THREATS]
    cdef int i, k, before, after
    cdef Change* c
    memcpy(sum, empty.sum, sizeof(sum))
    memset(counts, 0, sizeof(counts))
    before = output_for(n, side, sum, counts)
    for i in range(count):
        c = &changes[order[i]]
        for k in range(CHANNELS):
            sum[k] = <uint16_t>(sum[k] + c.sum[k])
        if c.own:
            counts[c.own - 1] += 1
        if c.other:
            counts[NET_THREATS + c.other - 1] += 1
        after = output_for(n, side, sum, counts)
        c.total += after - before
        before = after
    return before
