# Thinking: from limits to a search, its reports and its result.
from engine.board cimport Board
from engine.net cimport LoadedNet, Net
from engine.ordering cimport History
from engine.search cimport Search
from engine.threats cimport VcfMemo
from engine.tt cimport Table
from engine.types cimport int64_t, uint64_t
from engine.vct cimport Vct

cdef class Thinker:
    # -- what the searches of an Engine use besides its board and its table
    cdef Search* search
    cdef History* history
    cdef VcfMemo* memo
    cdef Net* net                   # made when a rule with a net is first used
    cdef LoadedNet loaded           # the numbers of the net of the position's rule, or None
    cdef Vct* solver                # made when it is first needed
    cdef uint64_t game              # counts new games; salts the memo's keys
    # -- the work under way
    cdef bint is_busy
    cdef object on_info
    cdef object listener            # waits in the calling thread; None outside the main thread
    cdef object pending_error       # what on_info raised, until think() raises it
    # -- from think() to think()
    cdef object last_win            # (Position, plies) of the win announced last, or None

    cdef connect(self, Board* board, Table* table)
    cdef forget(self)
    cdef check_idle(self)
    cdef take_net(self, LoadedNet loaded)
    cdef Net* net_in_use(self) noexcept
    cdef Vct* prepare_solver(self) except NULL
    cdef find_move(self, object position, object limits, object on_info, int64_t start_us)
    cdef _set_limits(self, object limits, object announced_plies, int64_t start_us)
    cdef _announced_plies(self, object position)
    cdef _tell(self)
    cdef _end_work(self)
