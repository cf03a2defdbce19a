# What a level of strength does not see: moves that it overlooks, and errors of its values.
from engine.board cimport Board
from engine.geometry cimport mix64
from engine.net cimport Net
from engine.ordering cimport History
from engine.params cimport Params
from engine.root cimport RootMoves
from engine.types cimport VALUE_EVAL_LIMIT, uint64_t

cdef struct Unseen:          # shares in permille; engine/levels.py says what they mean
    int quiet
    int threats
    int fives

cdef inline int with_noise(int value, int noise, uint64_t seed, uint64_t key) noexcept nogil:
    """A static value with an error of at most `noise` centi-stones that depends on the seed and the
    position: the sum of two even draws, so that small errors are more frequent."""
    cdef uint64_t drawn = mix64(key ^ seed)
    cdef int error = <int>(drawn & 0xFFFF) + <int>(drawn >> 16 & 0xFFFF) - 0xFFFF
    return min(max(value + error * noise // 0x10000, -VALUE_EVAL_LIMIT), VALUE_EVAL_LIMIT)

cdef void exclude_unseen(RootMoves* r, Board* b, const History* h, const Params* p, Net* net,
                   const Unseen* unseen, uint64_t seed) noexcept nogil
