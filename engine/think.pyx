"""Thinking: limits become a clock and a search; its reports and its result become values of
engine.model.

A Thinker does one piece of work at a time: a search, or a call of the threat solver. In the main
thread the work runs in another thread, so that Ctrl-C interrupts it (engine.interrupt).

While it ponders, a think() that has found its move waits for the hit or a stop. A hit comes in another
thread: it leaves the limits of the clock here and sets a flag. The search sees that at its next look at
the clock, takes the GIL, and starts the clock itself; so nobody else touches what it reads.

It also remembers the win that was announced last. While the game follows it, the engine announces no
longer win: a search ends early only at a win that is at least as short, and a forced reply, which is
played without a search, keeps the announcement.
"""

from libc.stdlib cimport calloc, free

import os
import time
from functools import partial
from queue import SimpleQueue

from engine.board cimport Board, empties
from engine.clock cimport now_us
from engine.convert cimport exclude, info_of, points_of, score_of
from engine.geometry cimport mix64
from engine.intrinsics cimport load_flag, store_flag
from engine.iterative_deepening cimport think
from engine.net cimport LoadedNet, Net, free_net, new_net, use_tables
from engine.ordering cimport History, age_history, forget_history
from engine.params cimport Params, default_params
from engine.pool cimport (age_pool, connect_pool, empty_pool, equip_pool, fill_pool, forget_pool,
                          gather, is_short, stack_bytes)
from engine.solver cimport begin_game, free_solver, new_solver
from engine.root cimport Unseen, exclude_unseen
from engine.search cimport Sampler, Search, draw_distance
from engine.threats cimport MEMO_SIZE, VcfMemo
from engine.timeman cimport TimeManager, ponder, start_clock, start_clock_at_hit
from engine.tt cimport new_game, new_search, release
from engine.types cimport MAX_PLY, NO_CELL, NO_LIMIT, VALUE_MATE, VALUE_MATE_FLOOR, int64_t
from engine.vct cimport Vct

from engine.interrupt import Listener, is_main_thread, listed, start_with_stack
from engine.limits import check_seed, sight_of
from engine.model import Limits, Result


cdef class Thinker:
    """What engine.api.Engine thinks with: its board, its table, and the search."""

    def __cinit__(self):
        self.board = <Board*>calloc(1, sizeof(Board))
        self.search = <Search*>calloc(1, sizeof(Search))
        self.history = <History*>calloc(1, sizeof(History))
        self.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
        if not (self.board and self.search and self.history and self.memo):
            raise MemoryError("no memory for an engine")
        self.table.params = &self.search.params
        self.search.board = self.board
        self.search.table = &self.table
        self.search.history = self.history
        self.search.memo = self.memo
        self.search.shared = &self.shared
        self.search.owner = <void*>self
        self.search.report = &_report
        self.search.time.owner = <void*>self
        self.search.time.hit = &self.hit
        self.search.time.take_hit = &_see_hit
        self.search.root.now = NO_CELL
        connect_pool(&self.pool, self.search)
        default_params(&self.search.params)

    def __dealloc__(self):
        empty_pool(&self.pool)
        free(self.search)
        free(self.history)
        free(self.memo)
        free_solver(self.solver)
        free_net(self.net)
        free(self.sampler)
        release(&self.table)
        free(self.board)

    # -- a game and its level ------------------------------------------------------------------

    def new_game(self):
        """Discards everything learned from earlier searches; fast at any table size."""
        if self.sight is not None:
            # Another seed for a new game, unless one was given for all.
            seed = int.from_bytes(os.urandom(8), "little") if self.seed is None else self.seed
            self.game_seed = mix64(<uint64_t>seed)
        self._forget_searches()

    def _forget_searches(self):
        self.game += 1
        self.search.salt = mix64(self.game)
        self.last_win = None
        self._forget_histories()
        if self.table.clusters != NULL:
            new_game(&self.table)

    def _forget_histories(self):
        """Discards what all threads have learned of moves and of the errors of static values."""
        forget_history(self.history)
        forget_pool(&self.pool)

    def set_strength(self, strength, seed=None):
        """How strongly think() plays, from 0, a beginner, to 100, which is the default and the whole
        engine (engine/limits.py). Analyses, and searches of several lines, are not weakened.

        seed   the same seed, position, limits and games before give the same move; None = every game
               is another one. At strength 100 nothing is left to chance.
        Acts from the next think() on. A change discards what was learned. ValueError for numbers
        that do not exist.
        """
        sight, seed = sight_of(strength), None if seed is None else check_seed(seed)
        if (sight, seed) != (self.sight, self.seed):
            # Values of another sight would be used.
            self.sight, self.seed = sight, seed
            self.new_game()

    def _is_weakened(self, limits):
        """True where a level of strength weakens a search with these limits."""
        return self.sight is not None and not limits.is_analysis and limits.lines == 1

    def _weaken(self, limits):
        """Narrows the search to what the level sees; returns the limits that hold then."""
        cdef Search* s = self.search
        cdef Unseen unseen
        sight = self.sight
        s.noise, s.noise_seed = sight.noise, self.game_seed
        s.params.vcf_leaf_nodes = min(s.params.vcf_leaf_nodes, sight.vcf_leaf_nodes)
        s.params.vcf_node_nodes = min(s.params.vcf_node_nodes, sight.vcf_leaf_nodes)
        s.params.vcf_root_nodes = min(s.params.vcf_root_nodes, sight.vcf_root_nodes)
        s.params.vcf_long_nodes = 0
        unseen.quiet = sight.unseen_quiet
        unseen.threats = sight.unseen_threats
        unseen.fives = sight.unseen_fives
        exclude_unseen(&s.root, s.board, s.history, &s.params, self.net_in_use(), &unseen, self.game_seed)
        nodes, depth_plies = sight.nodes, sight.depth_plies
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes)
        if limits.depth_plies is not None:
            depth_plies = min(depth_plies, limits.depth_plies)
        return limits._replace(nodes=nodes, depth_plies=depth_plies)

    # -- for self-play -------------------------------------------------------------------------

    def sample_positions(self, every, seed=0):
        """From now on keeps positions inside the searches of think(): about one in `every` of those
        whose static value is asked for, at most 64 of a search; 0 = none, which is the default.

        seed   decides which. The same calls of think() keep the same positions if one thread searches;
               with several, only those of the first thread count.
        ValueError for numbers out of range: `every` 0 to 10**6, `seed` 0 to 2**31 - 1.
        """
        if not 0 <= every <= 10 ** 6:
            raise ValueError(f"one in {every} positions is out of range; expected 0 to 10**6")
        check_seed(seed)
        if every and self.sampler == NULL:
            self.sampler = <Sampler*>calloc(1, sizeof(Sampler))
            if self.sampler == NULL:
                raise MemoryError("no memory for samples")
        self.search.sampler = self.sampler if every else NULL
        if every:
            self.sampler.every, self.sampler.seed, self.sampler.count = every, seed, 0
            draw_distance(self.sampler)

    @property
    def last_samples(self):
        """The positions that the last think() has kept: of each the moves to it, as Points."""
        cdef const Sampler* s = self.search.sampler
        if s == NULL:
            return ()
        return tuple([points_of(s.sample[i].cell, s.sample[i].length) for i in range(s.count)])

    # -- the net -------------------------------------------------------------------------------

    def _take_net(self, LoadedNet loaded):
        """Uses the numbers of a net from now on; None: the static value is the table's. MemoryError."""
        if loaded is not None:
            if self.net == NULL:
                self.net = new_net(NULL)
            use_tables(self.net, loaded.tables)
        self.loaded = loaded

    cdef Net* net_in_use(self) noexcept:
        """The net, NULL if the rule has none or the parameter use_net is 0."""
        return self.net if self.loaded is not None and self.search.params.use_net else NULL

    # -- a search ------------------------------------------------------------------------------

    def _find_move(self, limits, on_info, int64_t start_us):
        """Engine.think() for the position on the board.

        start_us   now_us() when think() was called
        """
        cdef Params params = self.search.params
        self._exclude(limits.excluded)
        self.search.noise = 0
        if self._is_weakened(limits) != self.was_weakened:
            # A full search may not use inexact values, nor a weakened one what it would not see.
            self.was_weakened = not self.was_weakened
            self._forget_searches()
        if self.was_weakened:
            self.last_win = None        # what is overlooked cannot be announced
            limits = self._weaken(limits)
        announced_plies = None if limits.excluded else self._announced_plies()
        self._set_limits(limits, announced_plies, start_us)
        if limits.is_analysis:
            self.prepare_solver()
        new_search(&self.table)
        age_history(self.history, &self.search.params)
        self.search.net = self.net_in_use()
        if self.search.sampler != NULL:
            self.sampler.root, self.sampler.count = self.search.board.stones, 0
        self.on_info = on_info
        try:
            self.run(self._search)
        finally:
            self.search.params = params
        if isinstance(self.pending_error, BaseException):
            error, self.pending_error = self.pending_error, None
            raise error
        info = info_of(self.search)
        if limits.is_ponder and not self.was_hit:
            return Result(info.pv[0], info)     # nobody plays it: nothing has been announced
        self.last_win = None
        if self.search.only_move and announced_plies is not None:
            # A forced reply in a win announced before: what was proven still holds.
            score = score_of(VALUE_MATE - announced_plies)
            info = info._replace(score=score, lines=(info.lines[0]._replace(score=score),))
        if info.score.mate_plies is not None and info.score.mate_plies > 0:
            self.last_win = (self.position, info.pv[0], info.score.mate_plies)
        return Result(info.pv[0], info)

    def _exclude(self, points):
        """Takes the points that are not played; ValueError where they leave none."""
        cdef int count = exclude(self.search.root.excluded, self.search.board, points)
        if count == empties(self.search.board):
            raise ValueError("every empty point is excluded: no move is left")
        self.search.root.has_excluded = count > 0

    def _set_limits(self, limits, announced_plies, int64_t start_us):
        """Turns limits (engine.model.Limits) into those of the search, and starts its clock."""
        cdef int limit = MAX_PLY - 2
        start_us = self._read_clock(limits, start_us)
        self.clock.stones = self.search.board.stones
        self.clock.other_limit = limits.nodes is not None or limits.depth_plies is not None
        self.was_hit = False
        if limits.is_ponder:
            ponder(&self.search.time, start_us, &self.search.params)
            self.ponder_end = SimpleQueue()
        else:
            start_clock(&self.search.time, &self.clock, start_us, &self.search.params)
        self.search.node_limit = NO_LIMIT
        if limits.nodes is not None:
            self.search.node_limit = max(1, _clamped(limits.nodes))
        if limits.depth_plies is not None:
            limit = int(min(limit, max(1, limits.depth_plies)))
        self.search.depth_limit = limit
        limit = VALUE_MATE - VALUE_MATE_FLOOR
        if limits.mate_plies is not None:
            limit = min(limit, max(1, limits.mate_plies))
        elif announced_plies is not None:
            limit = announced_plies
        self.search.mate_limit = limit
        self.search.is_analysis = limits.is_analysis
        self.search.multipv = limits.lines

    def _read_clock(self, limits, int64_t read_us):
        """Takes the limits of time from `limits`. Returns when the clock begins to run.

        read_us   when they were given; started_ns may be earlier
        """
        self.clock.turn_ms = -1 if limits.turn_ms is None else _clamped_ms(limits.turn_ms)
        self.clock.left_ms = -1 if limits.left_ms is None else _clamped_ms(limits.left_ms)
        if limits.left_ms is None and limits.match_ms:
            self.clock.left_ms = _clamped_ms(limits.match_ms)
        self.clock.increment_ms = _clamped_ms(limits.increment_ms or 0)
        if limits.started_ns is not None:
            read_us -= max(0, (time.perf_counter_ns() - limits.started_ns) // 1000)
        return read_us

    def _search(self):
        # Not before: where the system can make few threads, this one is needed, helpers are not.
        if is_short(&self.pool):
            start_with_stack(stack_bytes(), self._fill_pool)
        equip_pool(&self.pool)
        age_pool(&self.pool)
        with nogil:
            think(self.search)
            store_flag(&self.search.root.now, NO_CELL)
            gather(&self.pool)
        while (self.ponder_end is not None and not self.was_hit
                and not load_flag(&self.shared.stop)):
            self.ponder_end.get()

    def _fill_pool(self):
        fill_pool(&self.pool)

    def _announced_plies(self):
        """The stones left of the win announced last, if the position is the one that it was announced
        in, or that after the announced move and a reply; else None."""
        if self.last_win is None:
            return None
        position = self.position
        earlier, move, plies = self.last_win
        if position == earlier:
            return plies
        added = position.stones[len(earlier.stones):]
        if (plies > 2 and len(added) == 2 and added[0] == (*move, earlier.side_to_move)
                and position == earlier._replace(stones=earlier.stones + added)):
            return plies - 2
        return None

    def _tell(self):
        """Passes a report to on_info, in the thread that called think(); an exception in it ends
        the search and is raised by think()."""
        if self.on_info is not None:
            try:
                call = partial(self.on_info, info_of(self.search))
                if self.listener is None:
                    call()
                else:
                    self.listener.ask(call)
            except BaseException as error:
                self.pending_error = error
                store_flag(&self.shared.stop, 1)

    def ponder_hit(self, limits=None):
        """The opponent has played the expected move: a think() that ponders (Limits.is_ponder) becomes
        the search for the move to play. Any thread may call this.

        limits   the clock from now on: turn_ms, match_ms, left_ms and increment_ms, and started_ns if
                 the command was read earlier. None = as in the limits of think(). The time spent pondering is not
                 charged. Where time is saved for later moves it makes the search end earlier: at
                 once if it is as long as a move usually takes.
        Returns True if the search goes on by this clock, and False if there is none that ponders (any
        more): none has begun, there was a hit before, or the search has ended. Raises TypeError for
        anything but Limits, and ValueError for limits with other fields, which are fixed since think().
        """
        if limits is not None:
            check_type(limits, Limits)
            if limits._replace(turn_ms=None, match_ms=None, left_ms=None, increment_ms=None,
                               started_ns=None) != Limits():
                raise ValueError("ponder_hit() takes the limits of a clock: turn_ms, match_ms, left_ms,"
                                 " increment_ms and started_ns")
        if self.ponder_end is None or self.was_hit:
            return False
        self.was_hit = True
        self.hit_us = now_us()
        if limits is not None:
            self.hit_us = self._read_clock(limits, self.hit_us)
        store_flag(&self.hit, 1)
        self.ponder_end.put(None)
        return True

    def _start_clock_at_hit(self):
        """Called by the search that ponders, once it has seen the hit."""
        start_clock_at_hit(&self.search.time, &self.clock, self.hit_us)

    # -- the threat solver ---------------------------------------------------------------------

    cdef Vct* prepare_solver(self, most_bytes=0) except NULL:
        """The threat solver, prepared for this game; it is made when it is first needed.

        most_bytes   that its table may grow to
        """
        if self.solver == NULL:
            self.solver = new_solver()
            self.solver.board = self.search.board
            self.solver.stop = &self.shared.stop
            self.solver.params = &self.search.params
            self.search.vct = self.solver
        begin_game(self.solver, self.search.salt, most_bytes)
        return self.solver

    # -- one piece of work at a time -----------------------------------------------------------

    def _check_idle(self):
        """RuntimeError while a piece of work is under way."""
        if self.is_busy:
            raise RuntimeError("the engine is thinking already")

    cdef run(self, work):
        """work(), with the engine marked as busy; in the main thread Ctrl-C stops it."""
        with listed(self):
            self.is_busy = True
            if not is_main_thread():
                return self._finish(work)
            return self._run_in_main_thread(work)

    def _run_in_main_thread(self, work):
        self.listener = listener = Listener(self.request_stop)
        try:
            listener.start(partial(self._finish, work))
        except BaseException:
            self._end_work()
            raise
        try:
            return listener.wait()
        finally:
            store_flag(&self.shared.stop, 0)        # Ctrl-C may have come after the end of the work

    def request_stop(self):
        """Ends a running think(), which returns the best move so far. Any thread may call this."""
        store_flag(&self.shared.stop, 1)
        ponder_end = self.ponder_end
        if ponder_end is not None:
            ponder_end.put(None)

    def clear_stop(self):
        """Cancels a request_stop() that was made when nothing was running."""
        store_flag(&self.shared.stop, 0)

    def _finish(self, work):
        try:
            return work()
        finally:
            self._end_work()

    def _end_work(self):
        self.is_busy = False
        store_flag(&self.shared.stop, 0)
        self.ponder_end = None
        store_flag(&self.hit, 0)
        self.on_info = None
        self.listener = None


cdef void _report(Search* s) noexcept nogil:
    with gil:
        (<Thinker>s.owner)._tell()


cdef void _see_hit(TimeManager* t) noexcept nogil:
    with gil:
        (<Thinker>t.owner)._start_clock_at_hit()


def _clamped(number):
    """A number of nodes in the range that the engine counts: 0 to 10**15."""
    return min(max(0, number), 10 ** 15)


def _clamped_ms(time_ms):
    """A time in the range that the engine counts with, 0 to 10**12 ms (31 years): the clock takes
    shares of it in microseconds and percent."""
    return min(max(0, time_ms), 10 ** 12)


cdef check_type(value, wanted):
    """TypeError for a value that is not of the type wanted, one of engine.model."""
    if not isinstance(value, wanted):
        raise TypeError(f"expected engine.model.{wanted.__name__}, got {value!r}")
