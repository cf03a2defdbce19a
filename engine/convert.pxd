# Values of the search as types of engine.model, and positions of engine.model on a board.
from engine.board cimport Board
from engine.net cimport Net
from engine.root cimport RootMoves
from engine.search cimport Search, SearchStats
from engine.types cimport int16_t, uint64_t

cdef put_on_board(Board* b, object position)
cdef int exclude(uint64_t* cells, const Board* b, object points) except -1
cdef object point_of(int cell)
cdef tuple points_of(const int16_t* cells, int count)
cdef object score_of(int value)
cdef object root_of(const RootMoves* r)
cdef object info_of(const Search* s)
cdef object stats_of(const SearchStats* stats)
cdef list policy_of(Board* b, Net* net)
