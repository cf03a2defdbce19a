# Positions inside searches: one in so many of those whose static value is asked for, kept as the moves
# that lead there. Self-play takes positions for training from it; it changes no node.
from engine.board cimport Board
from engine.types cimport MAX_PLY, int16_t, uint64_t
from engine.zobrist cimport mix64

cdef enum:
    MAX_SAMPLES = 64         # of one search; later ones are left out

cdef struct Sample:
    int length
    int16_t cell[MAX_PLY]    # the moves from the root

cdef struct Sampler:
    int every                # static values from one sample to the next, on average
    int left                 # until the next one
    uint64_t seed            # of the distances
    int root                 # stones on the board at the root
    int count
    Sample sample[MAX_SAMPLES]


cdef inline void draw_distance(Sampler* s) noexcept nogil:
    """Draws how many static values are asked for until the next sample."""
    s.seed += 1
    s.left = 1 + <int>(mix64(s.seed) % <uint64_t>(2 * s.every - 1))


cdef inline void take_sample(Sampler* s, const Board* b) noexcept nogil:
    cdef Sample* sample
    cdef int i
    draw_distance(s)
    if s.count < MAX_SAMPLES:
        sample = &s.sample[s.count]
        s.count += 1
        sample.length = b.stones - s.root
        for i in range(sample.length):
            sample.cell[i] = b.placed[s.root + i].cell


cdef inline void count_static_value(Sampler* s, const Board* b) noexcept nogil:
    """The static value of the position on the board has been asked for."""
    s.left -= 1
    if s.left == 0:
        take_sample(s, b)
