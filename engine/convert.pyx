"""Positions of engine.model on a board, and values of the search as types of engine.model: cells,
values, reports, counts."""

from libc.string cimport memset

from engine.board cimport Board, is_empty, make, set_up
from engine.evaluate cimport move_score
from engine.geometry cimport cell_at, x_of, y_of
from engine.intrinsics cimport load_count, load_flag
from engine.movegen cimport MoveList, cell_of_key, generate_all
from engine.net cimport POLICY_ONE, Net, policies
from engine.root cimport RootLine, RootMoves
from engine.rules cimport is_forbidden
from engine.search cimport COUNT_VCF, COUNTERS, Search, SearchStats, nodes_of_all
from engine.timeman cimport elapsed_us
from engine.types cimport (CELLS, MAX_PLY, MAX_STONES, NO_CELL, VALUE_MATE, VALUE_MATE_FLOOR, WALL,
                           WORDS, int16_t, int32_t, int64_t, uint16_t, uint64_t)

from engine.model import SearchStats as SearchStatsRecord
from engine.model import Info, Line, Point, Root, Score, VcfCount
from engine.rulebook import INDEX_OF_NUMBER


cdef enum:
    POINTS_PER_LOGIT = 150   # of the table's ordering scores: the scale to which they are fitted


cdef put_on_board(Board* b, object position):
    """Sets a board up with the stones of a Position that check_position() accepts."""
    cdef int16_t walls[CELLS]
    cdef int wall_count = 0
    for stone in position.stones:
        if stone.stone == WALL:
            walls[wall_count] = cell_at(stone.x, stone.y)
            wall_count += 1
    set_up(b, INDEX_OF_NUMBER[position.rule], position.width, position.height, walls, wall_count)
    for stone in position.stones:
        if stone.stone != WALL:
            make(b, cell_at(stone.x, stone.y), stone.stone)
    b.side = position.side_to_move


cdef int exclude(uint64_t* cells, const Board* b, object points) except -1:
    """Sets the bits of the points that are on the board and empty, as in RootMoves.excluded. Returns
    how many cells that are."""
    cdef int cell, found = 0
    memset(cells, 0, WORDS * sizeof(uint64_t))
    for x, y in points:
        if 0 <= x < b.width and 0 <= y < b.height:
            cell = cell_at(x, y)
            if is_empty(b, cell) and not (cells[cell >> 6] >> (cell & 63)) & 1:
                cells[cell >> 6] |= <uint64_t>1 << (cell & 63)
                found += 1
    return found


cdef list POINTS = [Point(x_of(cell), y_of(cell)) for cell in range(CELLS)]   # of every cell


cdef object point_of(int cell):
    """A cell as a Point."""
    return POINTS[cell]


cdef object score_of(int value):
    """A value of the search as a Score."""
    if value >= VALUE_MATE_FLOOR:
        return Score(0, VALUE_MATE - value)
    if value <= -VALUE_MATE_FLOOR:
        return Score(0, -(VALUE_MATE + value))
    return Score(value)


cdef tuple points_of(const int16_t* cells, int count):
    """Cells as Points."""
    return tuple([point_of(cells[i]) for i in range(count)])


cdef object line_of(const RootLine* line):
    """One of the best moves with what follows, as a Line."""
    return Line(score_of(line.value), line.depth,
                max(line.seldepth, line.length if line.depth else 0),
                points_of(line.cell, line.length))


cdef object root_of(const RootMoves* r):
    """What is known of the root while it is searched, as a Root, in any thread."""
    cdef int now = load_flag(&r.now), cell
    lost = tuple([point_of(cell) for cell in range(CELLS)
                  if (<uint64_t>load_count(&r.lost[cell >> 6]) >> (cell & 63)) & 1])
    return Root(None if now == NO_CELL else point_of(now), lost)


cdef object info_of(const Search* s):
    """What the search has found so far, as an Info."""
    cdef int64_t us = elapsed_us(&s.time), nodes = nodes_of_all(s)
    cdef const RootLine* best = &s.lines.line[0]
    cdef int i
    pv = points_of(best.cell, best.length)
    score = score_of(best.value)
    seldepth = max(s.seldepth, best.length if s.depth else 0)
    if s.multipv == 1:
        lines = (Line(score, s.depth, seldepth, pv),)
    else:
        lines = tuple([line_of(&s.lines.line[i]) for i in range(s.lines.count)])
    return Info(s.depth, seldepth, score, nodes, nodes * 1000000 // max(us, 1), us // 1000, pv, lines)


cdef object stats_of(const SearchStats* stats):
    """Where the nodes of a search went, as a SearchStats."""
    counts = [stats.count[i] for i in range(COUNT_VCF)]
    vcf = [VcfCount(*[stats.count[i + j] for j in range(4)])
           for i in range(COUNT_VCF, COUNTERS, 4)]
    nodes = [stats.iteration_nodes[i] for i in range(MAX_PLY) if stats.iteration_nodes[i]]
    return SearchStatsRecord(*counts, *vcf, tuple(nodes))


cdef list policy_of(Board* b, Net* net):
    """The moves that the search would generate and the rule allows, each a Point with its logit times
    POLICY_ONE: that of the net's policy or, without one (net may be NULL), the ordering score of the
    table as a logit."""
    cdef MoveList moves
    cdef uint16_t cells[MAX_STONES]
    cdef int32_t logits[MAX_STONES]
    cdef int i, count = 0
    generate_all(b, &moves)
    for i in range(moves.count):
        if not is_forbidden(b, cell_of_key(moves.key[i]), b.side):
            cells[count] = cell_of_key(moves.key[i])
            count += 1
    if net != NULL:
        policies(net, b, cells, count, logits)
    else:
        for i in range(count):
            logits[i] = move_score(b, cells[i], b.side) * POLICY_ONE // POINTS_PER_LOGIT
    return [(point_of(cells[i]), logits[i]) for i in range(count)]
