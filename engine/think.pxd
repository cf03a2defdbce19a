# Thinking: from limits to a search, its reports and its result.
from engine.board cimport Board
from engine.net cimport LoadedNet, Net
from engine.ordering cimport History
from engine.pool cimport Pool
from engine.search cimport Sampler, Search, Shared
from engine.threats cimport VcfMemo
from engine.timeman cimport TimeLimits
from engine.tt cimport Table
from engine.types cimport int32_t, int64_t, uint64_t
from engine.vct cimport Vct

cdef class Thinker:
    cdef object position            # the engine.model.Position on the board
    cdef Board* board
    cdef Table table
    # -- what the searches use besides
    cdef Search* search
    cdef Shared shared              # with its helpers
    cdef Pool pool                  # of them
    cdef History* history
    cdef VcfMemo* memo
    cdef Net* net                   # made when a rule with a net is first used
    cdef LoadedNet loaded           # the numbers of the net of the position's rule, or None
    cdef Vct* solver                # made when it is first needed
    cdef Sampler* sampler           # the same
    cdef uint64_t game              # counts new games; salts the memo's keys
    # -- the work under way
    cdef bint is_busy
    cdef object on_info
    cdef object listener            # waits in the calling thread; None outside the main thread
    cdef object pending_error       # what on_info raised, until think() raises it
    # -- pondering
    cdef object ponder_end          # a queue with an item when it ends; None: think() does not ponder
    cdef TimeLimits clock           # of the search when there is a hit
    cdef int64_t hit_us
    cdef bint was_hit
    cdef int32_t hit                # tells the search to take the clock; for engine.intrinsics
    # -- from think() to think()
    cdef object last_win            # (Position, move, plies) of the win announced last, or None
    # -- the level of strength
    cdef object sight               # an engine.limits.Sight; None: the whole engine
    cdef object seed                # of all games, or None
    cdef uint64_t game_seed         # of this game, from the seed if there is one
    cdef bint was_weakened          # the last search

    cdef Net* net_in_use(self) noexcept
    cdef Vct* prepare_solver(self, most_bytes=*) except NULL
    cdef run(self, work)

cdef check_type(value, wanted)
