"""The static value of a position, divided among its cells, for people (docs/EVALUATION.md).

Without a net it is the table's, a sum over cells, so what each cell adds is known. The value of a
net is not: its layers are not linear, so what a cell adds depends on the others. A cell gets the
mean of what it changes in the net's output when the cells change, one after the other and in many
orders, from the empty board to the position. (If all orders were tried, that would be the cell's
Shapley value.)

Invariants, which the tests check:
  * in every order the changes add up to the whole difference, so their means do too;
  * cells that change alike in regions that do get the same: the mean of what they were given;
  * the orders depend only on how the cells of regions change, not on where they are (to the net
    all corners are alike, and all edges), so the shares of a mirrored or turned board are the
    mirrored or turned shares.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from collections import namedtuple

from engine.board cimport Board, threat_at
from engine.convert cimport point_of, policy_of, put_on_board
from engine.evaluate cimport cell_worth, evaluate, tempo_worth, threat_mask, threats_worth
from engine.geometry cimport cell_at, mix64
from engine.net cimport (CHANNELS, NET_THREATS, POLICY_ONE, REGIONS, SUMS, VALUE_CHANNELS,
                         VALUE_SCALE, WIDTH, LoadedNet, Net, catch_up, value_features, free_net, new_net,
                         output_for, use_tables, value_of_output)
from engine.types cimport (BLACK, EMPTY, MAX_STONES, VALUE_FRACTION, int16_t, int64_t, opponent_of,
                           uint16_t, uint64_t)

from engine.model import Position, check_position

cdef enum:
    ORDER_PAIRS = 512        # an order and its reverse

Breakdown = namedtuple("Breakdown", "value table net limit policy", module=__name__)
TablePart = namedtuple("TablePart", "value cells kinds threats tempo rounding", module=__name__)
NetPart = namedtuple("NetPart", "name version value empty_board cells rounding", module=__name__)
Move = namedtuple("Move", "point logit", module=__name__)

# By bit of evaluate.threat_mask().
MASK_NAMES = (
    "own three", "own four", "own combination", "three", "four", "double three",
    "combination with a four", "open four",
)

# How an empty cell differs from the same cell of the empty board.
cdef struct Change:
    int region
    int16_t sum[VALUE_CHANNELS]  # what it adds to the sums of its region
    int own                      # the threat of a stone of the side to move, the opponent's;
    int other                    # 0 none
    int64_t total                # what it has added to the output, all orders together


def break_down(position, LoadedNet net=None):
    """The parts of a position's static value: a Breakdown (breakdown.pyi says what it holds).

    net  the net whose value it is (engine.net.load_net); None: the table's.
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
        if net is None:
            table = _table_part(b)
            return Breakdown(evaluate(b, NULL), table, None, evaluate(b, NULL) - table.value, None)
        n = new_net(NULL)
        use_tables(n, net.tables)
        learned = _net_part(b, n, net)
        value = evaluate(b, n)
        policy = tuple([Move(*each) for each in policy_of(b, n)])
        return Breakdown(value, None, learned, value - learned.value, policy)
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
    cdef Change* changes = <Change*>calloc(MAX_STONES, sizeof(Change))
    cdef int count, i
    if changes == NULL:
        raise MemoryError("no memory to divide a value")
    try:
        catch_up(n, b)
        found = _changes(b, n, changes)
        count = len(found)
        base = _follow(n, b.side, changes, NULL, 0)
        output = _divide(n, b.side, changes, count)
        shares = [changes[i].total for i in range(count)]
    finally:
        free(changes)
    groups = {}
    for i in range(count):
        groups.setdefault(found[i][0], []).append(i)
    cells = dict.fromkeys([point_of(cell) for cell in _empty_cells(b)], 0)
    for group in groups.values():
        total = sum([shares[i] for i in group]) * VALUE_SCALE
        share = _nearest(total, 2 * ORDER_PAIRS * len(group) * POLICY_ONE)
        for i in group:
            cells[found[i][1]] = share
    empty_board, value = value_of_output(base), value_of_output(output)
    return NetPart(loaded.name, loaded.version, value, empty_board, cells,
                   value - empty_board - sum(cells.values()))


cdef list _changes(const Board* b, const Net* n, Change* changes):
    """Fills `changes` with the cells that differ from those of the empty board, region by region.
    Returns for each (what its region and the cell change, its point), where equal changes are equal
    and the view of the side to move comes first. A cell with a stone changes nothing by itself."""
    cdef const int16_t* base
    cdef const int16_t* feature
    cdef Change* c = changes
    cdef int cell, k, region, first = WIDTH * (b.side - BLACK)
    regions = [[] for _ in range(REGIONS)]
    for cell in _empty_cells(b):
        base = n.base + CHANNELS * n.slot[cell]
        feature = value_features(n, cell)
        key = (threat_at(b, cell, b.side), threat_at(b, cell, opponent_of(b.side)),
               *[min(max(feature[k ^ first], 0), 127) - base[k ^ first]
                 for k in range(VALUE_CHANNELS)])
        if any(key):
            regions[n.cell[cell].region].append((key, point_of(cell)))
    kinds = []
    for region in range(REGIONS):
        regions[region].sort()
        kind = (2 if region == 4 else region % 2, [key for key, _ in regions[region]])
        kinds.append((kind, region))
    kinds.sort()
    found = []
    for kind, region in kinds:
        rank = [each for each, _ in kinds].index(kind)      # the same for regions that change alike
        for key, point in regions[region]:
            found.append(((rank, key), point))
            c.region = region
            c.own, c.other = key[:2]
            for k in range(VALUE_CHANNELS):
                c.sum[k ^ first] = key[2 + k]
            c += 1
    return found


cdef int _divide(const Net* n, int side, Change* changes, int count) noexcept:
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
        _follow(n, side, changes, order, count)
        for i in range(count // 2):
            order[i], order[count - 1 - i] = order[count - 1 - i], order[i]
        last = _follow(n, side, changes, order, count)
    return last


cdef int _follow(const Net* n, int side, Change* changes, const int* order,
                 int count) noexcept nogil:
    """Makes the changes in one order, and adds to each what it changes in the output. Returns the
    last output."""
    cdef uint16_t sum[SUMS]
    cdef int counts[2 * NET_THREATS]
    cdef int i, k, at, before, after
    cdef Change* c
    memset(sum, 0, sizeof(sum))
    memset(counts, 0, sizeof(counts))
    before = output_for(n, side, sum, counts)
    for i in range(count):
        c = &changes[order[i]]
        for k in range(VALUE_CHANNELS):
            at = VALUE_CHANNELS * c.region + k
            sum[at] = <uint16_t>(sum[at] + c.sum[k])
        if c.own:
            counts[c.own - 1] += 1
        if c.other:
            counts[NET_THREATS + c.other - 1] += 1
        after = output_for(n, side, sum, counts)
        c.total += after - before
        before = after
    return before
