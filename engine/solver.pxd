# Solutions with their proofs, as types of engine.model, from the threat solver.
from engine.types cimport uint64_t
from engine.vct cimport Vct

cdef Vct* new_solver() except NULL
cdef void free_solver(Vct* v) noexcept
cdef void begin_game(Vct* v, uint64_t salt, uint64_t most_bytes) except *
cdef object solve(Vct* v, object limits)
cdef object solve_all(Vct* v, object limits)
cdef object defences(Vct* v, object limits)
