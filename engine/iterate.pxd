# One iteration at the root of the search.
from engine.search cimport Search

cdef void play_without_search(Search* s, int cell, int value) noexcept nogil
cdef void keep_line(Search* s) noexcept nogil
cdef int best_of_rest(Search* s, int depth, int value, int fallback) noexcept nogil
cdef bint is_proven(const Search* s, int value, int depth) noexcept nogil
