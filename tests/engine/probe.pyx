"""Access to the engine's internals for tests. Not part of the shipped program."""

from libc.stdint cimport int16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.board cimport Board, board_ok, line_at, lines_at, make, set_up, threat_at, undo
from engine.clock cimport now_us
from engine.features cimport Features, Reader, read_features, start_reader
from engine.evaluate cimport attack_score, cells_worth, evaluate, move_score, threat_mask
from engine.geometry cimport DIRECTIONS, cell_at, mix64, x_of, y_of
from engine.movegen cimport (MoveList, cell_of_key, generate_all, generate_five_defences,
                             generate_four_defences, generate_fours)
from engine.net cimport (MOVE_CHANNELS, VALUE_CHANNELS, LoadedNet, Net, catch_up, value_features,
                         free_net, net_value, new_net, path_of, policies, use_tables)
from engine.ordering cimport CorrectionHistory, corrected, learn_error
from engine.params cimport Params, default_params
from engine.patterns cimport CODES, RuleTables, THREATS, patterns_at, row_tables, rule_tables
from engine.rules cimport is_forbidden, winner_on
from engine.threats cimport MAX_FOURS, MEMO_SIZE, Vcf, VcfMemo, find_vcf, static_win
from engine.timeman cimport (Progress, TimeLimits, TimeManager, allow_maximum, begin_iteration,
                             is_used_up, note_iteration, note_look, note_poll, ponder, start_clock,
                             worth_us)
from engine.tt cimport Found, Table, new_game, new_search, release, resize, store, take_huge_pages
from engine.tt cimport probe as probe_table
from engine.types cimport CELLS, EMPTY, int32_t, int64_t, uint16_t, uint64_t

from engine.parameters import PARAMS
from engine.rulebook import INDEX_OF_NUMBER


def table_patterns(int rule, window):
    """(Black's, White's) pattern of a window of board stones, by the tables."""
    cdef uint64_t key = 0
    cdef int i, both
    cdef const RuleTables* t = rule_tables(rule)
    for i in range(11):
        if i != 5:
            key |= (<uint64_t>window[i]) << (2 * i)
    both = patterns_at(t, key, 5)
    return both & 15, both >> 4


def code_members():
    """The line patterns of every code, in code order."""
    cdef const RuleTables* t = rule_tables(0)
    return [tuple(t.members[code][i] for i in range(4)) for code in range(CODES)]


def code_threats(int rule, int colour):
    """The threat of every code for a colour (1 Black, 2 White)."""
    cdef const RuleTables* t = rule_tables(rule)
    return [t.threat[colour - 1][t.tally[colour - 1][t.members[code][0] | t.members[code][1] << 4]
                                 + t.tally[colour - 1][t.members[code][2] | t.members[code][3] << 4]]
            for code in range(CODES)]


cdef class ProbeBoard:
    """A board without a search. Colours: 1 Black, 2 White; rule: the number in `INFO rule`."""

    cdef Board* board
    cdef VcfMemo* memo

    def __cinit__(self, int width, int height, int rule=0, walls=()):
        cdef int16_t cells[CELLS]
        cdef int count = 0
        self.board = <Board*>calloc(1, sizeof(Board))
        self.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
        if self.board == NULL or self.memo == NULL:
            raise MemoryError
        for x, y in walls:
            cells[count] = cell_at(x, y)
            count += 1
        set_up(self.board, INDEX_OF_NUMBER[rule], width, height, cells, count)

    def __dealloc__(self):
        free(self.board)
        free(self.memo)

    def make(self, int x, int y, int colour):
        """Puts a stone on an empty point."""
        make(self.board, cell_at(x, y), colour)

    def undo(self):
        """Takes the last stone back."""
        undo(self.board)

    def check(self):
        """Raises AssertionError when the incremental state is not the recomputed one."""
        board_ok(self.board)

    def visible_state(self):
        """Everything a search can read of the position, as bytes and numbers."""
        cdef Board* b = self.board
        cells = []
        for cell in range(CELLS):
            if b.stone[cell] == EMPTY:
                cells.append((lines_at(b, cell), b.tally[0][cell], b.tally[1][cell], b.threat[cell]))
        return (
            (<char*>b.stone)[:sizeof(b.stone)],
            (<char*>b.key)[:sizeof(b.key)],
            tuple(cells),
            (<char*>b.count)[:sizeof(b.count)],
            (<char*>&b.threat_set[0][1][0])[:sizeof(b.threat_set[0]) - sizeof(b.threat_set[0][0])],
            (<char*>&b.threat_set[1][1][0])[:sizeof(b.threat_set[1]) - sizeof(b.threat_set[1][0])],
            (<char*>b.empty_row)[:sizeof(b.empty_row)],
            (<char*>b.near_row[b.stones])[:sizeof(b.near_row[0])],
            b.hash, b.side, b.stones, b.threat_changes,
        )

    def empties(self):
        """The playable empty points, row by row."""
        cdef Board* b = self.board
        return [(x, y) for y in range(b.height) for x in range(b.width)
                if b.stone[cell_at(x, y)] == EMPTY]

    def line(self, int x, int y, int d, int colour):
        """The line pattern a stone would make on the empty point in direction d."""
        return line_at(self.board, cell_at(x, y), d, colour)

    def threat(self, int x, int y, int colour):
        """The threat a stone would make on the empty point."""
        return threat_at(self.board, cell_at(x, y), colour)

    def count(self, int colour, int threat):
        """How many empty cells carry the threat for the colour."""
        return self.board.count[colour - 1][threat]

    def is_forbidden(self, int x, int y, int colour):
        """True when the rule forbids the colour the empty point."""
        return bool(is_forbidden(self.board, cell_at(x, y), colour))

    def winner(self):
        """The colour with a winning run on the board, 0 for none."""
        return winner_on(self.board)

    def set_side(self, int colour):
        """Sets the side to move; after make() it is the other colour."""
        self.board.side = colour

    def moves(self, kind, int colour=0):
        """Cells of a generator of movegen, named without its "generate_"; of a colour, but for "all".
        Against "five_defences" the opponent must have a five cell, against "four_defences" an
        open-four cell."""
        cdef MoveList list
        list.count = 0
        if kind == "fours":
            generate_fours(self.board, colour, &list)
        elif kind == "five_defences":
            generate_five_defences(self.board, colour, &list)
        elif kind == "four_defences":
            generate_four_defences(self.board, colour, &list)
        else:
            generate_all(self.board, &list)
        return {(x_of(cell_of_key(list.key[i])), y_of(cell_of_key(list.key[i])))
                for i in range(list.count)}

    def static_win(self):
        """(stones, x, y) of a static win of the side to move, None if there is none."""
        cdef int cell = 0
        cdef int plies = static_win(self.board, &cell)
        return (plies, x_of(cell), y_of(cell)) if plies else None

    def vcf(self, int fours_limit=MAX_FOURS, bint is_quick=False, int poll_nodes=0,
            bint keeps_memo=False):
        """A VCF search of the side to move: (stones until the five, line, stones made); 0 stones if
        none is found.

        poll_nodes   not 0: it was asked to stop before it began, and looks at that so often.
        keeps_memo   it knows of the failures that searches before have remembered.
        """
        cdef Vcf v
        cdef int64_t nodes = 0
        cdef Params params
        cdef int32_t stop = 1
        default_params(&params)
        if poll_nodes:
            params.vcf_poll_nodes = poll_nodes
        if not keeps_memo:
            memset(self.memo, 0, MEMO_SIZE * sizeof(VcfMemo))
        memset(&v, 0, sizeof(Vcf))
        v.board = self.board
        v.side = self.board.side
        v.nodes = &nodes
        v.node_limit = 1000000
        v.stop = &stop if poll_nodes else NULL
        v.fours_limit = v.won_limit = fours_limit
        v.salt = 1
        v.is_quick = is_quick
        v.memo = self.memo
        v.params = &params
        plies = find_vcf(&v)
        return plies, [(x_of(v.line[i]), y_of(v.line[i])) for i in range(v.line_length)], nodes

    @property
    def value(self):
        """What the empty cells are worth, Black's view, without threats and tempo."""
        return cells_worth(self.board)

    def threat_mask(self, int side):
        """Which kinds of threats each side has, seen from `side` (evaluate.threat_mask)."""
        return threat_mask(self.board, side)

    def scores(self, int x, int y, int side):
        """(attack_score, move_score) of a stone of `side` on the empty point."""
        return (attack_score(self.board, cell_at(x, y), side),
                move_score(self.board, cell_at(x, y), side))

    @property
    def static_value(self):
        """evaluate() for the side to move."""
        return evaluate(self.board, NULL)

    @property
    def hash(self):
        """Hash of stones and walls."""
        return self.board.hash

    @property
    def stones(self):
        """Stones on the board, walls not counted."""
        return self.board.stones


cdef class ProbeNet:
    """The state of a net that follows boards. path: "plain", "v2", "avx2", "vnni"; see net.new_net()."""

    cdef Net* net
    cdef LoadedNet loaded

    def __cinit__(self, LoadedNet loaded, path):
        text = path.encode()
        self.loaded = loaded
        self.net = new_net(text)
        use_tables(self.net, loaded.tables)

    def __dealloc__(self):
        free_net(self.net)

    def value(self, ProbeBoard board):
        """The static value of the side to move."""
        return net_value(self.net, board.board)

    @property
    def stones(self):
        """How many stones of a board the net has followed."""
        return self.net.stones

    def policies(self, ProbeBoard board, points):
        """The policy of the side to move for empty points."""
        cdef uint16_t cells[CELLS]
        cdef int32_t result[CELLS]
        cdef int i, count = len(points)
        for i in range(count):
            cells[i] = cell_at(points[i][0], points[i][1])
        policies(self.net, board.board, cells, count, result)
        return [result[i] for i in range(count)]

    def state(self, ProbeBoard board):
        """(sums, features, threats of the empty cells), once the net has caught up
        with the board."""
        cdef Net* n = self.net
        cdef Board* b = board.board
        cdef int cell
        catch_up(n, b)
        features, cells = [], []
        for cell in range(CELLS):
            if b.stone[cell] == EMPTY:
                features.append((<char*>value_features(n, cell))[:2 * VALUE_CHANNELS]
                                + (<char*>(n.move_feature + MOVE_CHANNELS * n.slot[cell]))[:2 * MOVE_CHANNELS])
                cells.append(n.cell[cell].threats)
        return ((<char*>n.sum[n.stones])[:sizeof(n.sum[0])]
                + (<char*>n.move_sum)[:sizeof(n.move_sum)], features, cells)

    @property
    def path(self):
        """The instruction set in use."""
        return path_of(self.net).decode()


cdef inline int part_of(uint64_t key, int depth, int part) noexcept nogil:
    return mix64(key + 4 * depth + part) % 60000


cdef class ProbeErrors:
    """Mean errors of static values."""

    cdef CorrectionHistory errors
    cdef Params params

    def __cinit__(self):
        default_params(&self.params)

    def corrected(self, ProbeBoard board, int value):
        """As ordering.corrected()."""
        return corrected(&self.errors, &self.params, board.board, value)

    def learn(self, ProbeBoard board, int error, int depth_plies):
        """As ordering.learn_error()."""
        learn_error(&self.errors, &self.params, board.board, error, depth_plies)


cdef class ProbeTable:
    """A transposition table of its own."""

    cdef Table table
    cdef Params params

    def __cinit__(self, uint64_t size_bytes):
        default_params(&self.params)
        self.table.params = &self.params
        resize(&self.table, size_bytes)

    def __dealloc__(self):
        release(&self.table)

    def store(self, uint64_t key, int ply, int value, int cell, int depth, int bound):
        """As tt.store(), with static value 0."""
        store(&self.table, key, ply, value, 0, cell, depth, bound, False)

    def find(self, uint64_t key, int ply):
        """(value, cell, depth, bound) or None."""
        cdef Found found
        probe_table(&self.table, key, ply, &found)
        return (found.value, found.cell, found.depth, found.bound) if found.hit else None

    def take_huge_pages(self, bint is_new, int64_t time_us):
        """As tt.take_huge_pages(); returns how many bytes of the table have been seen to."""
        begin = self.table.huge_page
        take_huge_pages(&self.table, is_new, now_us() + time_us)
        return self.table.huge_page - begin

    def new_game(self):
        """As tt.new_game()."""
        new_game(&self.table)

    def new_search(self):
        """As tt.new_search()."""
        new_search(&self.table)

    def words(self, int index):
        """The two words of an entry of the first cluster."""
        return (self.table.clusters[0].entry[index].sealed, self.table.clusters[0].entry[index].data)

    def set_words(self, int index, words):
        """Overwrites the two words of an entry of the first cluster."""
        self.table.clusters[0].entry[index].sealed = words[0]
        self.table.clusters[0].entry[index].data = words[1]

    def hammer(self, uint64_t seed, int keys, int rounds):
        """Stores and reads results of a few keys at random, without the GIL, for a test that does it
        in several threads. All parts of a result are functions of its key and depth. Returns
        (found, wrong): how many results were found, and how many were not of that form."""
        cdef uint64_t key
        cdef int i, depth, found_count = 0, wrong = 0
        cdef Found found
        with nogil:
            for i in range(rounds):
                seed = mix64(seed + 1)
                key = mix64(seed % keys)
                depth = (seed >> 32) % 12800
                if seed >> 63:
                    store(&self.table, key, 0, part_of(key, depth, 0) - 30000,
                          part_of(key, depth, 1) - 30000, 1 + part_of(key, depth, 2) % 1023, depth,
                          1 + part_of(key, depth, 3) % 3, depth & 1)
                    continue
                probe_table(&self.table, key, 0, &found)
                if found.hit:
                    depth = found.depth
                    found_count += 1
                    wrong += (found.value != part_of(key, depth, 0) - 30000
                              or found.static_value != part_of(key, depth, 1) - 30000
                              or found.cell != 1 + part_of(key, depth, 2) % 1023
                              or found.bound != 1 + part_of(key, depth, 3) % 3
                              or found.was_pv != depth & 1)
        return found_count, wrong

    @property
    def clusters(self):
        """Clusters in the table."""
        return self.table.cluster_count


cdef class ProbeClock:
    """A time manager of its own, on a clock that the test sets: microseconds since any moment.

    For each limit of start(), -1 means that there is none. start() begins at the real time, which
    `now_us` then holds.
    """

    cdef TimeManager time
    cdef Params params
    cdef Progress progress
    cdef readonly int64_t now_us

    def __cinit__(self):
        default_params(&self.params)

    def set_parameter(self, name, value):
        """As Engine.set_parameter(), any value; for the next start()."""
        index = [row.name for row in PARAMS].index(name)
        (<int32_t*>&self.params)[<int>index] = value

    def start(self, int64_t turn_ms=-1, int64_t left_ms=-1, bint other_limit=False, int stones=0,
              int64_t increment_ms=0):
        """As timeman.start_clock(), the command having just been read."""
        cdef TimeLimits limits
        limits.turn_ms = turn_ms
        limits.left_ms = left_ms
        limits.increment_ms = increment_ms
        limits.other_limit = other_limit
        limits.stones = stones
        memset(&self.progress, 0, sizeof(Progress))
        self.now_us = now_us()
        start_clock(&self.time, &limits, self.now_us, &self.params)
        self.time.polled_us = self.now_us

    def begin_pondering(self):
        """As timeman.ponder()."""
        self.now_us = now_us()
        ponder(&self.time, self.now_us, &self.params)

    def poll(self, int64_t after_us):
        """Looks at the clock `after_us` after the last look; True when it is time to stop."""
        self.now_us += after_us
        note_poll(&self.time, self.now_us)
        return bool(is_used_up(&self.time, self.now_us))

    def look_within(self, int64_t after_us):
        """As the end of a search for a win by threats, `after_us` after the last look."""
        self.now_us += after_us
        note_look(&self.time, self.now_us)

    @property
    def elapsed_us(self):
        """Time from the start to the last look."""
        return self.now_us - self.time.start_us

    @property
    def late_us(self):
        """What is kept back because looks at the clock came late."""
        return self.time.late_us

    @property
    def times_us(self):
        """(optimum, maximum), None without a clock."""
        return (self.time.optimum_us, self.time.maximum_us) if self.time.timed else None

    def note_iteration(self, int value=0, bint is_same_move=False, int effort=0):
        """As timeman.note_iteration()."""
        note_iteration(&self.progress, value, is_same_move, effort)

    @property
    def worth_us(self):
        """As timeman.worth_us(), with what note_iteration() was told since the start."""
        return worth_us(&self.time, &self.progress)

    def begin_iteration(self):
        """As timeman.begin_iteration(), by the real clock."""
        return bool(begin_iteration(&self.time, &self.progress))

    def allow_maximum(self):
        """As timeman.allow_maximum()."""
        allow_maximum(&self.time)

    @property
    def cut_us(self):
        """How long after the start the iteration that was begun last is broken off."""
        return self.time.cut_us


def features_of(int rule, int width, int height, const uint16_t[::1] stones, int played=-1):
    """The inputs of the position after these stones: (rows, cells, candidates, chosen).

    rows        for each cell, the rows of the view of the side to move, then of the opponent's
    cells       (y * width + x, region, threat of the side to move, the opponent's)
    candidates  the candidates among the cells
    chosen      the index of the candidate `played`, -1 if it is none
    """
    cdef Reader* r = <Reader*>calloc(1, sizeof(Reader))
    cdef Features* f = <Features*>calloc(1, sizeof(Features))
    cdef int i, d, view
    if r == NULL or f == NULL:
        free(r)
        free(f)
        raise MemoryError("no memory to read a position")
    try:
        start_reader(r, row_tables(INDEX_OF_NUMBER[rule]))
        read_features(r, &stones[0] if stones.shape[0] else NULL, stones.shape[0], width, height,
                      True, played, f)
        return (
            [[[f.row[i][view][d] for d in range(DIRECTIONS)] for view in range(2)]
             for i in range(f.cells)],
            [(f.cell[i], f.region[i], f.pair[i][0] // THREATS % THREATS, f.pair[i][0] % THREATS)
             for i in range(f.cells)],
            [f.candidate[i] for i in range(f.candidates)],
            f.chosen,
        )
    finally:
        free(r)
        free(f)
