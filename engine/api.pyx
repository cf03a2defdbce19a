"""The engine's public interface: class Engine, with the values of engine.model.

    engine = Engine()
    engine.set_position(Position.from_moves("h8 i9"))
    result = engine.think(Limits(turn_ms=1000))

Each Engine has a board, a transposition table and a history of its own. While it thinks, only
request_stop() may be called from another thread. In the main thread, Ctrl-C during a call raises
KeyboardInterrupt within 0.2 s, and the engine stays usable.
"""

from libc.stdlib cimport calloc, free

import time
from functools import partial

from engine.board cimport Board, board_ok, is_full, make, set_up, undo
from engine.census cimport COUNT_VCF, COUNTERS, Census
from engine.clock cimport now_us
from engine.evaluate cimport evaluate
from engine.geometry cimport cell_at, x_of, y_of
from engine.ordering cimport History, age_history, forget_history
from engine.params cimport default_params
from engine.proofs cimport begin_game, defences, free_solver, new_solver, solve, solve_all
from engine.rules cimport is_forbidden, winner_on
from engine.search cimport Search, prepare_search, think
from engine.show cimport dump, explain
from engine.threats cimport MEMO_SIZE, VcfMemo
from engine.timeman cimport TimeLimits, elapsed_us, start_clock
from engine.tt cimport Table, fill_permille, new_game, new_search, release, resize
from engine.types cimport (BLACK, CELLS, EMPTY, MAX_PLY, VALUE_MATE, VALUE_MATE_FLOOR, WALL,
                           int16_t, int32_t, int64_t, opponent_of, uint64_t)
from engine.vct cimport Vct
from engine.zobrist cimport mix64

from engine.listen import Listener, is_main_thread
from engine.params import PARAMS
from engine.rulebook import INDEX_OF_NUMBER
from engine.model import Census as CensusRecord
from engine.model import (Info, Limits, Placed, Point, Position, Result, Rule, Score, SolveLimits,
                          Stone, VcfCount, check_position)


_MIB = 1024 * 1024
DEFAULT_MEMORY_BYTES = 350 * _MIB   # assumed where no limit is given
PROGRAM_BYTES = 24 * _MIB           # all but the table: 16 MiB were measured, with every rule in use
_LEAST_TABLE_BYTES = _MIB


cdef class Engine:
    """A Gomoku engine: set a position, think, play. The module's docstring has an example."""

    cdef Board* board
    cdef Search* search
    cdef Table table
    cdef History* history
    cdef VcfMemo* memo
    cdef Vct* solver                # made when it is first needed
    cdef uint64_t game              # counts new games; salts the memo's keys
    cdef object memory_bytes        # limit for the whole program, None = not given
    cdef object hash_bytes          # wanted size of the table, None = not given
    cdef object table_for           # the size that was asked for when the table was made
    cdef object on_info
    cdef object listener            # waits in the calling thread; None outside the main thread
    cdef object position            # the Position on the board
    cdef object last_win            # (Position, plies) of the win announced last, or None
    cdef object _pending_error      # what on_info raised, until think() raises it
    cdef bint thinking

    def __cinit__(self):
        self.board = <Board*>calloc(1, sizeof(Board))
        self.search = <Search*>calloc(1, sizeof(Search))
        self.history = <History*>calloc(1, sizeof(History))
        self.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
        if not (self.board and self.search and self.history and self.memo):
            raise MemoryError("no memory for an engine")
        self.table.clusters = NULL
        self.table.memory = NULL
        self.table.params = &self.search.params
        self.search.board = self.board
        self.search.table = &self.table
        self.search.history = self.history
        self.search.memo = self.memo
        self.search.owner = <void*>self
        self.search.report = &_report
        default_params(&self.search.params)
        prepare_search(self.search)
        self.new_game()
        self.set_position(Position(15, 15))

    def __dealloc__(self):
        release(&self.table)
        free(self.board)
        free(self.search)
        free(self.history)
        free(self.memo)
        free_solver(self.solver)

    # -- the game and its settings -------------------------------------------------------------

    def new_game(self):
        """Discards everything learned from earlier searches; fast at any table size."""
        self.game += 1
        self.search.salt = mix64(self.game)
        self.last_win = None
        forget_history(self.history)
        if self.table.clusters != NULL:
            new_game(&self.table)

    def set_memory(self, max_bytes, hash_bytes=None):
        """Limits the memory of the whole program to max_bytes; None = 350 MiB, as in tournaments.

        hash_bytes  size of the transposition table, if max_bytes leaves room for it; None = all
                    that max_bytes allows.
        Takes effect at the next think(). Returns None, or a text when max_bytes is too little.
        """
        self.memory_bytes = max_bytes
        self.hash_bytes = hash_bytes
        if max_bytes is None or max_bytes >= PROGRAM_BYTES + _LEAST_TABLE_BYTES:
            return None
        return (f"{max_bytes} bytes of memory are too little: the program needs about"
                f" {PROGRAM_BYTES // _MIB} MiB; it plays with its smallest hash table")

    def set_parameter(self, name, value):
        """Sets a parameter of the search (PARAMS in params.pyx has names, ranges and defaults).

        Raises ValueError for a name that does not exist and a value out of range.
        """
        for i, row in enumerate(PARAMS):
            if row.name == name:
                if not row.low <= value <= row.high:
                    raise ValueError(f"{value} is out of range; expected {row.low} to {row.high}")
                (<int32_t*>&self.search.params)[<int>i] = value
                prepare_search(self.search)
                return
        known = ", ".join(row[0] for row in PARAMS)
        raise ValueError(f"there is no parameter of that name; expected one of {known}")

    def set_position(self, position):
        """Puts a position (engine.model.Position) on the board; what was learned is kept.

        Raises ValueError for a size out of 5..22, a stone off the board, two stones on one point or
        a side to move that is not a colour, and TypeError for anything but a Position. The board is
        unchanged then.
        """
        cdef int16_t walls[CELLS]
        cdef int wall_count = 0
        _check_type(position, Position)
        position = Position(*position)      # `_replace` does not check stones
        check_position(position)
        for stone in position.stones:
            if stone.stone == WALL:
                walls[wall_count] = cell_at(stone.x, stone.y)
                wall_count += 1
        set_up(self.board, INDEX_OF_NUMBER[position.rule], position.width, position.height, walls,
               wall_count)
        for stone in position.stones:
            if stone.stone != WALL:
                make(self.board, cell_at(stone.x, stone.y), stone.stone)
        self.board.side = position.side_to_move
        self.position = position

    def get_position(self):
        """The position on the board."""
        return self.position

    def play(self, int x, int y):
        """Places a stone of the side to move; ValueError off the board or on an occupied point.

        Points that renju forbids Black are accepted: the manager decides what follows.
        """
        p = self.position
        if not (0 <= x < p.width and 0 <= y < p.height):
            raise ValueError(f"{x},{y} is off the {p.width}x{p.height} board")
        if self.board.stone[cell_at(x, y)] != EMPTY:
            raise ValueError(f"{x},{y} is occupied")
        colour = p.side_to_move
        make(self.board, cell_at(x, y), colour)
        self.position = Position(p.width, p.height, p.rule,
                                 p.stones + (Placed(x, y, Stone(colour)),),
                                 Stone(opponent_of(colour)))

    def undo(self):
        """Takes the last stone back; its colour is to move then. ValueError on an empty board."""
        p = self.position
        if self.board.stones == 0:
            raise ValueError("there is no stone to take back")
        last = max(i for i, stone in enumerate(p.stones) if stone.stone != WALL)
        undo(self.board)
        self.board.side = p.stones[last].stone
        self.position = Position(p.width, p.height, p.rule, p.stones[:last] + p.stones[last + 1:],
                                 Stone(p.stones[last].stone))

    # -- thinking ------------------------------------------------------------------------------

    def request_stop(self):
        """Ends a running think(), which returns the best move so far. Any thread may call this."""
        self.search.stop = 1

    def clear_stop(self):
        """Cancels a request_stop() that was made when nothing was running."""
        self.search.stop = 0

    def think(self, limits=Limits(), on_info=None):
        """The best move for the side to move, within `limits` (engine.model.Limits).

        on_info   called with an engine.model.Info after every finished iteration, in the thread
                  that called think()
        Returns an engine.model.Result. Raises ValueError on a full board, RuntimeError when
        called while thinking, whatever on_info raises and, in the main thread, KeyboardInterrupt at
        Ctrl-C (both after the search has stopped).
        """
        cdef TimeLimits time_limits
        cdef int64_t start_us = now_us()
        cdef int limit
        _check_type(limits, Limits)
        if self.thinking:
            raise RuntimeError("the engine is thinking already")
        if is_full(self.board):
            raise ValueError("the board is full")
        if limits.started_ns is not None:
            start_us -= max(0, (time.perf_counter_ns() - limits.started_ns) // 1000)
        time_limits.turn_ms = -1 if limits.turn_ms is None else _clamped_ms(limits.turn_ms)
        time_limits.left_ms = -1 if limits.left_ms is None else _clamped_ms(limits.left_ms)
        if limits.left_ms is None and limits.match_ms:
            time_limits.left_ms = _clamped_ms(limits.match_ms)
        time_limits.other_limit = limits.nodes is not None or limits.depth_plies is not None
        start_clock(&self.search.time, &time_limits, start_us, &self.search.params)
        self.search.node_limit = <int64_t>1 << 62
        if limits.nodes is not None:
            self.search.node_limit = max(1, _clamped(limits.nodes))
        limit = MAX_PLY - 2
        if limits.depth_plies is not None:
            limit = int(min(limit, max(1, limits.depth_plies)))
        self.search.depth_limit = limit
        won_in = self._announced_plies()
        limit = VALUE_MATE - VALUE_MATE_FLOOR
        if limits.mate_plies is not None:
            limit = min(limit, max(1, limits.mate_plies))
        elif won_in is not None:
            limit = won_in
        self.search.mate_limit = limit
        self.search.is_analysis = limits.is_analysis
        self._prepare_table()
        if limits.is_analysis:
            self._make_solver()
        new_search(&self.table)
        age_history(self.history, &self.search.params)
        self.on_info = on_info
        self._run(self._search)
        if isinstance(self._pending_error, BaseException):
            error, self._pending_error = self._pending_error, None
            raise error
        info = self._info()
        self.last_win = None
        if self.search.only_move and won_in is not None:
            # A forced reply in a win announced before: what was proven still holds.
            info = info._replace(score=Score(0, won_in))
        if info.score.mate_plies is not None and info.score.mate_plies > 0:
            self.last_win = (self.position, info.score.mate_plies)
        return Result(info.pv[0], info)

    def _search(self):
        with nogil:
            think(self.search)

    def _run(self, work):
        """work(), with the engine marked as thinking; in the main thread Ctrl-C stops it."""
        self.thinking = True
        if not is_main_thread():
            return self._finish(work)
        self.listener = listener = Listener(self.request_stop)
        try:
            listener.start(partial(self._finish, work))
        except BaseException:
            self._end_thinking()
            raise
        try:
            return listener.wait()
        finally:
            self.search.stop = 0        # Ctrl-C may have come after the end of the work

    def _finish(self, work):
        try:
            return work()
        finally:
            self._end_thinking()

    cdef _end_thinking(self):
        self.thinking = False
        self.search.stop = 0
        self.on_info = None
        self.listener = None

    cdef _announced_plies(self):
        """The stones left of the win announced last, if the position follows it; else None."""
        if self.last_win is not None:
            earlier, plies = self.last_win
            played = len(self.position.stones) - len(earlier.stones)
            if (played % 2 == 0 and 0 <= played < plies and earlier.rule == self.position.rule
                    and earlier.stones == self.position.stones[:len(earlier.stones)]):
                return plies - played
        return None

    cdef _prepare_table(self):
        """Allocates the table when it is first needed, and again for another size."""
        wanted = self._table_bytes()
        if self.table_for == wanted:
            return
        size = wanted
        while True:
            try:
                resize(&self.table, size)
                break
            except MemoryError:
                if size <= _LEAST_TABLE_BYTES:
                    raise
                size //= 2
        self.table_for = wanted

    def _table_bytes(self):
        """The size of the table that set_memory() asked for."""
        if self.memory_bytes is None and self.hash_bytes is not None:
            return max(_LEAST_TABLE_BYTES, self.hash_bytes)
        allowed = DEFAULT_MEMORY_BYTES if self.memory_bytes is None else self.memory_bytes
        # Freeing the table at the end of the program takes the system 0.3 ms a megabyte: with half
        # of 350 MB, END still takes less than 100 ms.
        size = min(allowed - PROGRAM_BYTES, allowed // 2)
        if self.hash_bytes is not None:
            size = min(size, self.hash_bytes)
        return max(_LEAST_TABLE_BYTES, size)

    cdef _info(self):
        """What the search has found so far, as an engine.model.Info."""
        cdef Search* s = self.search
        cdef int64_t us = elapsed_us(&s.time)
        pv = tuple(Point(x_of(s.line[i]), y_of(s.line[i])) for i in range(s.line_length))
        return Info(s.depth, max(s.seldepth, len(pv) if s.depth else 0), _score(s.value), s.nodes,
                    s.nodes * 1000000 // max(us, 1), us // 1000, pv)

    cdef _tell(self):
        """Passes a report to on_info, in the thread that called think(); an exception in it ends
        the search and is raised by think()."""
        if self.on_info is not None:
            try:
                call = partial(self.on_info, self._info())
                if self.listener is None:
                    call()
                else:
                    self.listener.ask(call)
            except BaseException as error:
                self._pending_error = error
                self.search.stop = 1

    @property
    def last_census(self):
        """Where the nodes of the last think() went: engine.model.Census."""
        cdef Census* census = &self.search.census
        counts = [census.count[i] for i in range(COUNT_VCF)]
        vcf = [VcfCount(*[census.count[i + j] for j in range(4)])
               for i in range(COUNT_VCF, COUNTERS, 4)]
        nodes = [census.iteration_nodes[i] for i in range(MAX_PLY) if census.iteration_nodes[i]]
        return CensusRecord(*counts, *vcf, tuple(nodes))

    # -- wins by threats -----------------------------------------------------------------------

    def solve(self, limits=SolveLimits()):
        """Whether the side to move wins by threats: engine.model.Solution, with the proof of a win.

        This method and the next two raise RuntimeError while the engine thinks, and
        KeyboardInterrupt as think() does. After request_stop() they return what they have found.
        """
        self._prepare_solver(limits)
        return self._run(partial(self._solve, limits))

    def solve_all(self, limits=SolveLimits()):
        """Every threat of the side to move that begins a win by threats: a tuple of Solutions.

        The limits are those of the whole call; threats that they leave undecided are left out.
        """
        self._prepare_solver(limits)
        return self._run(partial(self._solve_all, limits))

    def defences(self, limits=SolveLimits()):
        """The moves against the win by threats that the opponent would have, if it were the
        opponent's turn: engine.model.Defences. The limits are those of the whole call."""
        self._prepare_solver(limits)
        return self._run(partial(self._defences, limits))

    cdef _prepare_solver(self, limits):
        _check_type(limits, SolveLimits)
        if self.thinking:
            raise RuntimeError("the engine is thinking already")
        self._make_solver()

    def _solve(self, limits):
        return solve(self.solver, limits)

    def _solve_all(self, limits):
        return solve_all(self.solver, limits)

    def _defences(self, limits):
        return defences(self.solver, limits)

    cdef _make_solver(self):
        """Creates the threat solver when it is first needed, and prepares it for this game."""
        if self.solver == NULL:
            self.solver = new_solver()
            self.solver.board = self.board
            self.solver.stop = &self.search.stop
            self.solver.params = &self.search.params
            self.search.vct = self.solver
        begin_game(self.solver, self.search.salt)

    # -- queries -------------------------------------------------------------------------------

    def winner(self):
        """The colour (Stone) that has a winning line on the board, or None."""
        colour = winner_on(self.board)
        return Stone(colour) if colour != EMPTY else None

    def is_forbidden(self, int x, int y):
        """True when the rule forbids the side to move this empty point."""
        self._check_point(x, y)
        return (self.board.stone[cell_at(x, y)] == EMPTY
                and bool(is_forbidden(self.board, cell_at(x, y), self.board.side)))

    def forbidden_points(self):
        """The points that renju forbids to Black, whoever is to move; none under other rules."""
        points = []
        for y in range(self.board.height):
            for x in range(self.board.width):
                if self.board.stone[cell_at(x, y)] == EMPTY \
                        and is_forbidden(self.board, cell_at(x, y), BLACK):
                    points.append(Point(x, y))
        return points

    def static_value(self):
        """The static value for the side to move, centi-stones, without any search."""
        return evaluate(self.board)

    def explain(self):
        """Where the static value comes from, as text: the sums, the threats, the best points.

        Points are named for people, `h8`, rows counted from the bottom.
        """
        return explain(self.board)

    def dump(self):
        """The position as text that Position.from_text() reads, rows numbered from the bottom: `X`
        Black, `O` White, `#` wall, `!` forbidden to Black."""
        return dump(self.board, Rule(self.position.rule).name.lower())

    def check(self):
        """Recomputes the whole board and compares it; AssertionError names what differs."""
        board_ok(self.board)

    def hash_permille(self):
        """The share of the transposition table that is in use, in thousandths."""
        return fill_permille(&self.table)

    cdef _check_point(self, int x, int y):
        if not (0 <= x < self.board.width and 0 <= y < self.board.height):
            raise ValueError(f"{x},{y} is off the {self.board.width}x{self.board.height} board")


cdef void _report(Search* s) noexcept nogil:
    with gil:
        (<Engine>s.owner)._tell()


def _check_type(value, wanted):
    if not isinstance(value, wanted):
        raise TypeError(f"expected engine.model.{wanted.__name__}, got {value!r}")


def _clamped(number):
    """A number of nodes in the range that the engine counts: 0 to 10**15."""
    return min(max(0, number), 10 ** 15)


def _clamped_ms(time_ms):
    """A time in the range that the engine counts with, 0 to 10**12 ms (31 years): the clock takes
    shares of it in microseconds and percent."""
    return min(max(0, time_ms), 10 ** 12)


def _score(int value):
    """A value of the search as an engine.model.Score."""
    if value >= VALUE_MATE_FLOOR:
        return Score(0, VALUE_MATE - value)
    if value <= -VALUE_MATE_FLOOR:
        return Score(0, -(VALUE_MATE + value))
    return Score(value)
