"""Thinking: limits become a clock and a search; its reports and its result become values of
engine.model.

A Thinker does one piece of work at a time: a search, or a call of the threat solver. In the main
thread the work runs in another thread, so that Ctrl-C interrupts it (engine.interrupt).

While it ponders, a think() that has found its move waits for the hit or a stop. A hit comes in another
thread: it leaves the limits of the clock here and sets a flag. The search sees that at its next look at
the clock, takes the GIL, and starts the clock itself; so nobody else touches what it reads.

It also remembers the win that was announced last. While the game follows it, no longer one is
announced: a search ends early only at a win that is at least as short, and a forced reply, which is
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
                          gather, is_short, set_pool_size, stack_bytes)
from engine.proofs cimport begin_game, free_solver, new_solver
from engine.search cimport Search
from engine.search_stats cimport Sampler, draw_distance
from engine.strength cimport Unseen, exclude_unseen
from engine.threats cimport MEMO_SIZE, VcfMemo
from engine.timeman cimport TimeManager, ponder, start_clock, start_clock_at_hit
from engine.tt cimport Table, new_game, new_search
from engine.types cimport MAX_PLY, NO_LIMIT, VALUE_MATE, VALUE_MATE_FLOOR, int64_t
from engine.vct cimport Vct

from engine.interrupt import Listener, is_main_thread, listed, start_with_stack
from engine.model import Result


cdef class Thinker:
    """What an Engine thinks with. connect() must be called before anything else."""

    def __cinit__(self):
        self.search = <Search*>calloc(1, sizeof(Search))
        self.history = <History*>calloc(1, sizeof(History))
        self.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
        if not (self.search and self.history and self.memo):
            raise MemoryError("no memory for an engine")
        self.search.history = self.history
        self.search.memo = self.memo
        self.search.shared = &self.shared
        self.search.owner = <void*>self
        self.search.report = &_report
        self.search.time.owner = <void*>self
        self.search.time.hit = &self.hit
        self.search.time.take_hit = &_take_hit
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

    cdef connect(self, Board* board, Table* table):
        """Gives the searches their board and their transposition table. Both stay the caller's, who
        keeps them as long as there can be a search."""
        self.search.board = board
        self.search.table = table
        table.params = &self.search.params

    cdef forget(self):
        """Discards everything learned from earlier searches."""
        self._draw_game_seed()
        self._forget_searches()

    cdef _forget_searches(self):
        self.game += 1
        self.search.salt = mix64(self.game)
        self.last_win = None
        self.forget_histories()
        if self.search.table.clusters != NULL:
            new_game(self.search.table)

    cdef forget_histories(self):
        """Discards what all threads have learned of moves and of the errors of static values."""
        forget_history(self.history)
        forget_pool(&self.pool)

    cdef note_loaded(self):
        """The table has been replaced by one that full searches have filled."""
        self.was_weakened = False
        self.last_win = None

    cdef set_threads(self, int threads):
        """How many threads search from the next search on; made when it begins."""
        set_pool_size(&self.pool, threads)

    cdef set_sight(self, object sight, object seed):
        """What the searches see (engine.levels.Sight), None = all; seed: as for Engine.set_strength().
        A change discards what was learned, as values of another sight would be used."""
        if (sight, seed) != (self.sight, self.seed):
            self.sight, self.seed = sight, seed
            self.forget()

    cdef bint is_weakened(self, object limits) except -1:
        """True where a level of strength weakens a search with these limits."""
        return self.sight is not None and not limits.is_analysis and limits.lines == 1

    cdef _draw_game_seed(self):
        """Another seed for a new game, unless one was given for all."""
        if self.sight is not None:
            seed = int.from_bytes(os.urandom(8), "little") if self.seed is None else self.seed
            self.game_seed = mix64(<uint64_t>seed)

    cdef object _weaken(self, object limits):
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

    cdef check_idle(self):
        """RuntimeError while a piece of work is under way."""
        if self.is_busy:
            raise RuntimeError("the engine is thinking already")

    cdef set_sampler(self, int every, uint64_t seed):
        """Keeps positions of the searches from now on, one in `every`; 0: none."""
        if every and self.sampler == NULL:
            self.sampler = <Sampler*>calloc(1, sizeof(Sampler))
            if self.sampler == NULL:
                raise MemoryError("no memory for samples")
        self.search.sampler = self.sampler if every else NULL
        if every:
            self.sampler.every, self.sampler.seed, self.sampler.count = every, seed, 0
            draw_distance(self.sampler)

    cdef tuple samples(self):
        """The moves to each position that the last search has kept."""
        cdef const Sampler* s = self.search.sampler
        if s == NULL:
            return ()
        return tuple([points_of(s.sample[i].cell, s.sample[i].length) for i in range(s.count)])

    cdef take_net(self, LoadedNet loaded):
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

    cdef find_move(self, object position, object limits, object on_info, int64_t start_us):
        """Engine.think() for the position, which is on the board.

        start_us   now_us() when think() was called
        """
        cdef Params params = self.search.params
        self._exclude(limits.excluded)
        self.search.noise = 0
        if self.is_weakened(limits) != self.was_weakened:
            # A full search may not use inexact values, nor a weakened one what it would not see.
            self.was_weakened = not self.was_weakened
            self._forget_searches()
        if self.was_weakened:
            self.last_win = None        # what is overlooked cannot be announced
            limits = self._weaken(limits)
        announced_plies = None if limits.excluded else self._announced_plies(position)
        self._set_limits(limits, announced_plies, start_us)
        if limits.is_analysis:
            self.prepare_solver()
        new_search(self.search.table)
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
            self.last_win = (position, info.pv[0], info.score.mate_plies)
        return Result(info.pv[0], info)

    cdef _exclude(self, object points):
        """Takes the points that are not played; ValueError where they leave none."""
        cdef int count = exclude(self.search.root.excluded, self.search.board, points)
        if count == empties(self.search.board):
            raise ValueError("every empty point is excluded: no move is left")
        self.search.root.has_excluded = count > 0

    cdef _set_limits(self, object limits, object announced_plies, int64_t start_us):
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

    cdef int64_t _read_clock(self, object limits, int64_t read_us):
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
            gather(&self.pool)
        while (self.ponder_end is not None and not self.was_hit
                and not load_flag(&self.shared.stop)):
            self.ponder_end.get()

    def _fill_pool(self):
        fill_pool(&self.pool)

    cdef _announced_plies(self, object position):
        """The stones left of the win announced last, if the position is the one that it was announced
        in, or that after the announced move and a reply; else None."""
        if self.last_win is None:
            return None
        earlier, move, plies = self.last_win
        if position == earlier:
            return plies
        added = position.stones[len(earlier.stones):]
        if (plies > 2 and len(added) == 2 and added[0] == (*move, earlier.side_to_move)
                and position == earlier._replace(stones=earlier.stones + added)):
            return plies - 2
        return None

    cdef _tell(self):
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

    cdef bint take_hit(self, object limits) except -1:
        """Engine.ponder_hit(): True if a think() ponders and there has been no hit before."""
        if self.ponder_end is None or self.was_hit:
            return False
        self.was_hit = True
        self.hit_us = now_us()
        if limits is not None:
            self.hit_us = self._read_clock(limits, self.hit_us)
        store_flag(&self.hit, 1)
        self.ponder_end.put(None)
        return True

    cdef _start_clock_at_hit(self):
        """Called by the search that ponders, once it has seen the hit."""
        start_clock_at_hit(&self.search.time, &self.clock, self.hit_us)

    # -- the threat solver ---------------------------------------------------------------------

    cdef Vct* prepare_solver(self) except NULL:
        """The threat solver, prepared for this game; it is made when it is first needed."""
        if self.solver == NULL:
            self.solver = new_solver()
            self.solver.board = self.search.board
            self.solver.stop = &self.shared.stop
            self.solver.params = &self.search.params
            self.search.vct = self.solver
        begin_game(self.solver, self.search.salt)
        return self.solver

    # -- one piece of work at a time -----------------------------------------------------------

    def run(self, work):
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
        """Ends the work under way soon. Any thread may call this."""
        store_flag(&self.shared.stop, 1)
        ponder_end = self.ponder_end
        if ponder_end is not None:
            ponder_end.put(None)

    def _finish(self, work):
        try:
            return work()
        finally:
            self._end_work()

    cdef _end_work(self):
        self.is_busy = False
        store_flag(&self.shared.stop, 0)
        self.ponder_end = None
        store_flag(&self.hit, 0)
        self.on_info = None
        self.listener = None


cdef void _report(Search* s) noexcept nogil:
    with gil:
        (<Thinker>s.owner)._tell()


cdef void _take_hit(TimeManager* t) noexcept nogil:
    with gil:
        (<Thinker>t.owner)._start_clock_at_hit()


def _clamped(number):
    """A number of nodes in the range that the engine counts: 0 to 10**15."""
    return min(max(0, number), 10 ** 15)


def _clamped_ms(time_ms):
    """A time in the range that the engine counts with, 0 to 10**12 ms (31 years): the clock takes
    shares of it in microseconds and percent."""
    return min(max(0, time_ms), 10 ** 12)
