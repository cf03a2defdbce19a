"""The engine's public interface: class Engine, with the values of engine.model.

    engine = Engine()
    engine.set_position(Position.from_moves("h8 i9"))
    result = engine.think(Limits(turn_ms=1000))

Each Engine has a board, a transposition table and a history of its own. While it thinks, only
request_stop() and ponder_hit() may be called from another thread. In the main thread, Ctrl-C during
a call raises KeyboardInterrupt within 0.2 s, and the engine stays usable.
"""

from warnings import warn
from zlib import crc32

from engine.board cimport board_ok, is_full, make, undo
from engine.clock cimport now_us
from engine.convert cimport point_of, policy_of, put_on_board, root_of, stats_of
from engine.evaluate cimport evaluate
from engine.geometry cimport cell_at
from engine.machine cimport machine_bytes
from engine.net cimport POLICY_ONE
from engine.params cimport Values, values_of
from engine.pool cimport MAX_THREADS, set_pool_size
from engine.solver cimport defences, solve, solve_all
from engine.rules cimport is_forbidden, winner_on
from engine.think cimport Thinker, check_type
from engine.tt cimport load, resize, save, take_huge_pages
from engine.types cimport BLACK, EMPTY, WALL, int32_t, int64_t, opponent_of, uint8_t

from engine.budget import (LEAST_TABLE_BYTES, MIB, PROGRAM_BYTES, huge_pages_ms, largest_table_bytes,
                           solver_bytes, table_bytes, threads_within)
from engine.net import NetFiles
from engine.parameters import PARAMS
from engine.model import Limits, Placed, Position, Rule, SolveLimits, Stone, check_position


cdef class Engine(Thinker):
    """Engine(net_file=None)\n--\n
    A Gomoku engine: set a position, think, play. The module's docstring has an example.

    net_file  a net file (docs/NET.md), used under its rule instead of the net that comes with the
              program; None: the file that TENGEN_NET in the environment names, if any. A file that
              cannot be used: see set_position(); without a call of that, a RuntimeWarning tells.
    """

    cdef object memory_bytes        # limit for the whole program, None = not given
    cdef object hash_bytes          # wanted size of the table, None = not given
    cdef object threads             # wanted
    cdef object table_for           # the size that was asked for when the table was made
    cdef object nets                # a NetFiles
    cdef bint has_chosen_net        # that of the position's rule, or none

    def __cinit__(self, net_file=None):
        self.threads = 1
        self.nets = NetFiles(net_file)
        self.new_game()
        self._set_up(Position(15, 15))

    # -- the game and its settings -------------------------------------------------------------

    def set_memory(self, max_bytes, hash_bytes=None):
        """Limits the memory of the whole program to max_bytes; None = 350 MiB, as in tournaments.

        hash_bytes  size of the transposition table, if max_bytes leaves room for it; None = all
                    that max_bytes allows. No table takes more than half of the machine's memory.
        Takes effect at the next think(). Returns None, or a text when max_bytes is too little, or
        hash_bytes too much for the machine.
        """
        self.memory_bytes = max_bytes
        self.hash_bytes = hash_bytes
        most = largest_table_bytes(machine_bytes())
        if max_bytes is None and hash_bytes is not None and hash_bytes > most:
            return (f"a hash table of {hash_bytes // MIB} MiB is too large for this machine; it gets"
                    f" {most // MIB} MiB")
        if max_bytes is None or max_bytes >= PROGRAM_BYTES + LEAST_TABLE_BYTES:
            return None
        least = (PROGRAM_BYTES + LEAST_TABLE_BYTES) // MIB
        return (f"{max_bytes} bytes of memory are too little: the program needs {least} MiB;"
                " it plays with its smallest hash table")

    def machine_bytes(self):
        """The memory that the machine has; 0 where the system does not tell."""
        return machine_bytes()

    def set_threads(self, count):
        """How many threads search, from 1, which is the default; more than 64 count as 64.

        Takes effect at the next think(). Returns None, or a text when the memory of set_memory() is
        too little for that many. ValueError for less than 1. Only one thread searches the same nodes
        every time.
        """
        if count < 1:
            raise ValueError(f"{count} threads are impossible; expected 1 or more")
        self.threads = min(count, MAX_THREADS)
        allowed = threads_within(self.threads, self.memory_bytes)
        if allowed == self.threads:
            return None
        return (f"{self.memory_bytes} bytes of memory are too little for {self.threads} threads;"
                f" {allowed} {'searches' if allowed == 1 else 'search'}")

    def set_parameter(self, name, value):
        """Sets a parameter of the search (PARAMS in parameters.py has names, ranges and defaults).

        Raises ValueError for a name that does not exist and a value out of range. Values that earlier
        searches have left in the table are those of the old parameters, until new_game().
        """
        for i, row in enumerate(PARAMS):
            if row.name == name:
                if not row.low <= value <= row.high:
                    raise ValueError(f"{value} is out of range; expected {row.low} to {row.high}")
                (<int32_t*>&self.search.params)[<int>i] = value
                return
        known = ", ".join(row[0] for row in PARAMS)
        raise ValueError(f"there is no parameter of that name; expected one of {known}")

    def set_position(self, position):
        """Puts a position (engine.model.Position) on the board; what was learned is kept.

        Raises ValueError for a stone off the board and two stones on one point, and TypeError for
        anything but a Position. The board is unchanged then.

        Returns None, or a text when the net file of the position's rule cannot be used; that is said
        once for each file and rule.
        """
        check_type(position, Position)
        self._set_up(position)
        return self._choose_net()

    def _choose_net(self):
        """The net of the position's rule; returns a text as set_position() does."""
        self.has_chosen_net = True
        self._take_net(None)            # before another one is loaded: memory is limited
        loaded, problem = self.nets.find(self.position.rule)
        try:
            self._take_net(loaded)
        except MemoryError:
            self._take_net(None)
            problem = self.nets.give_up(self.position.rule)
        return problem

    def _ensure_net(self):
        """An engine that nobody has given a position loads its net here, not before it is needed."""
        problem = None if self.has_chosen_net else self._choose_net()
        if problem is not None:
            warn(problem, RuntimeWarning, stacklevel=2)

    def _set_up(self, position):
        position = check_position(position)
        before = self.position
        put_on_board(self.board, position)
        self.position = position
        if before is None or before[:3] != position[:3]:
            self._forget_histories()        # what was learned is of one size and rule

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

    def think(self, limits=Limits(), on_info=None):
        """The best move for the side to move, within `limits` (engine.model.Limits).

        on_info   called with an engine.model.Info after every finished iteration, in the thread
                  that called think()
        Returns an engine.model.Result. Raises ValueError on a full board and where limits.excluded
        leaves no point, RuntimeError when called while thinking, whatever on_info raises and, in the
        main thread, KeyboardInterrupt at Ctrl-C (both after the search has stopped).
        """
        cdef int64_t start_us = now_us()
        check_type(limits, Limits)
        self._check_idle()
        self._ensure_net()
        if is_full(self.board):
            raise ValueError("the board is full")
        threads = threads_within(self.threads, self.memory_bytes)
        if self._is_weakened(limits):
            threads = 1
        set_pool_size(&self.pool, threads)
        is_new = self._prepare_table(self._table_bytes(threads))
        take_huge_pages(&self.table, is_new, start_us + 1000 * <int64_t>huge_pages_ms(limits))
        return self._find_move(limits, on_info, start_us)

    cdef object _table_bytes(self, threads):
        return table_bytes(self.memory_bytes, self.hash_bytes, threads, machine_bytes())

    cdef _prepare_table(self, wanted):
        """Allocates the table when it is first needed, and again for another size; True if it did."""
        if self.table_for == wanted:
            return False
        self.table_for = None           # there is no table after a failure
        size = wanted
        while True:
            try:
                resize(&self.table, size)
                break
            except MemoryError:
                if size <= LEAST_TABLE_BYTES:
                    raise
                size //= 2
        self.table_for = wanted
        return True

    # -- the table in a file

    def save_hash(self, path):
        """Writes the transposition table to a file (engine/tt.pyx has its format); returns the
        number of positions in it. ValueError while there has been no search, after one that a level
        of strength has weakened, and for a table of less than 4 MiB; OSError; RuntimeError while the
        engine thinks. request_stop() and Ctrl-C act as in think(): within milliseconds there is an
        InterruptedError or a KeyboardInterrupt, and the file, if there was one, is what it was."""
        self._check_idle()
        if self.was_weakened:
            raise ValueError("the table holds inexact values, as the last search was at a lower strength")
        if self.table.clusters == NULL:
            raise ValueError("there is nothing to write: no search has been made")
        p, evaluation = self.position, self._evaluation()
        return self.run(lambda: save(&self.table, path, p.width, p.height, evaluation,
                                             &self.shared.stop))

    def load_hash(self, path):
        """Puts the positions of a file that save_hash() has written in the place of those that the
        table has; returns their number. They stay until new_game() or a search at a lower strength.

        ValueError with the reason for a file that is damaged, that was written by another version,
        with another net or for another board, or that has more positions than the table has room for;
        OSError; RuntimeError while the engine thinks. Then the table is as it was or empty. After
        request_stop() an InterruptedError says whether the table has lost its positions.
        """
        self._check_idle()
        self._prepare_table(self._table_bytes(threads_within(self.threads, self.memory_bytes)))
        p, evaluation = self.position, self._evaluation()
        count = self.run(lambda: load(&self.table, path, p.width, p.height, evaluation,
                                              &self.shared.stop))
        if self.was_weakened:
            self._forget_histories()        # full searches have filled the table
        self.was_weakened, self.last_win = False, None
        return count

    def _evaluation(self):
        """A number that changes with everything that static values of the position's rule come from:
        what this engine uses, not what the files hold by now."""
        cdef const Values* values = values_of(self.board.rule)
        self._ensure_net()
        net = None if self.loaded is None else self.loaded.crc
        numbers = [(<int32_t*>&self.search.params)[<int>i] for i in range(len(PARAMS))]
        crc = crc32(<const uint8_t[:sizeof(Values)]><const uint8_t*>values)
        return crc32(str((Rule(self.position.rule).name, net, numbers)).encode(), crc)

    @property
    def last_search_stats(self):
        """Where the nodes of the last think() went, all threads together: engine.model.SearchStats."""
        return stats_of(&self.search.stats)

    @property
    def root(self):
        """What the think() under way does at its root just now: engine.model.Root. Any thread may
        ask."""
        return root_of(&self.search.root)

    # -- for self-play ---------------------------------------------------------------------------

    def policy(self):
        """How likely each move is before any search: (Point, logit) of the moves that the search would
        generate and the rule allows. The logits are those of the net or, without a policy, the
        ordering scores of the table on the same scale."""
        self._ensure_net()
        return tuple([(point, logit / POLICY_ONE)
                      for point, logit in policy_of(self.board, self.net_in_use())])

    # -- wins by threats -----------------------------------------------------------------------

    def solve(self, limits=SolveLimits()):
        """Whether the side to move wins by threats: engine.model.Solution, with the proof of a win.

        This method and the next two raise RuntimeError while the engine thinks, and
        KeyboardInterrupt as think() does. After request_stop() they return what they have found.
        """
        self._begin_solving(limits)
        return self.run(lambda: solve(self.solver, limits))

    def solve_all(self, limits=SolveLimits()):
        """Every first move of the side to move that begins a win by threats: engine.model.Wins. The
        limits are those of the whole call; a third of them is for what solve() finds."""
        self._begin_solving(limits)
        return self.run(lambda: solve_all(self.solver, limits))

    def defences(self, limits=SolveLimits()):
        """The moves against the win by threats that the opponent would have, if it were the
        opponent's turn: engine.model.Defences. The limits are those of the whole call."""
        self._begin_solving(limits)
        return self.run(lambda: defences(self.solver, limits))

    cdef _begin_solving(self, limits):
        check_type(limits, SolveLimits)
        self._check_idle()
        self.prepare_solver(solver_bytes(self.memory_bytes, machine_bytes()))

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
                    points.append(point_of(cell_at(x, y)))
        return points

    def static_value(self):
        """The static value for the side to move, centi-stones, without any search."""
        self._ensure_net()
        return evaluate(self.board, self.net_in_use())

    def explain(self):
        """Where the static value comes from: its parts, cell by cell (engine.breakdown.Breakdown)."""
        from engine.breakdown import break_down     # here: a program that plays does not have it

        self._ensure_net()
        has_net = self.net_in_use() != NULL
        return break_down(self.position, self.loaded if has_net else None)

    def check(self):
        """Recomputes the whole board and compares it; AssertionError names what differs."""
        board_ok(self.board)

    cdef _check_point(self, int x, int y):
        if not (0 <= x < self.board.width and 0 <= y < self.board.height):
            raise ValueError(f"{x},{y} is off the {self.board.width}x{self.board.height} board")
