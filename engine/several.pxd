# Several lines: the best moves of a position, each with its exact value.
from engine.search cimport Search

cdef bint are_lines_proven(const Search* s) noexcept nogil
cdef void add_win(Search* s) noexcept nogil
cdef void begin_lines(Search* s) noexcept nogil
cdef void search_several_lines(Search* s, int depth) noexcept nogil
