# Iterative deepening at the root of the search.
from engine.search cimport Search

cdef void think(Search* s) noexcept nogil
cdef void help_think(Search* s, int number) noexcept nogil
