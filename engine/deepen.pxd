# Iterative deepening: from a position and limits to a move.
from engine.search cimport Search

cdef void think(Search* s) noexcept nogil
cdef void help_iterate(Search* s, int number) noexcept nogil
