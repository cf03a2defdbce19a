"""The inner loop of `tengen lab train`: samples through the net and back, without the GIL.

Samples are read from the stones of their game each time, so that millions of positions fit into
memory. The arithmetic is in kernels.h.
"""

from libc.string cimport memcpy
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

from engine.features cimport Features, Reader, read_features, start_reader
from engine.patterns cimport RowTables, row_tables

from engine.rulebook import INDEX_OF_NUMBER


cdef extern from "kernels.h" nogil:
    enum:
        PARTS
        MAX_CELLS
    ctypedef struct Weights:
        float* part[PARTS]
    ctypedef struct Shape:
        int shift
        int rounding
    ctypedef struct Base:
        int width
        int height
        int rows
        uint16_t row[MAX_CELLS][4]
    ctypedef struct Sample:
        int cells
        const uint16_t* cell
        const uint8_t* region
        const uint16_t* row
        const uint8_t* pair
        Base* base
        int candidates
        int chosen
        const uint16_t* candidate
        uint32_t threats
        int set[2]
        float target
        float value_weight
        float policy_weight
        float mean_weight
        float smoothing
    ctypedef struct Result:
        float logit
        float policy_loss
        float rank
    ctypedef struct Scratch:
        pass
    int has_avx2() noexcept
    void start_base(const Weights* w, Base* base, int cells, int sets) noexcept
    void finish_base(const Weights* g, const Base* base, int cells, int sets) noexcept
    void run_sample(const Shape* shape, const Weights* w, const Sample* s, Scratch* scratch,
                    const Weights* gradient, Result* result, int avx2) noexcept


cdef enum:
    SIZES = 400          # of boards: more than there are


cdef class Kernel:
    """Runs samples of one rule through a net of one shape.

    rule         its number in `INFO rule`
    shift        the sums over the board are divided by two to this power
    use_avx2     whether AVX2 is used if the processor has it; no bit of the results depends on it
    stones       of all games, one after the other; a stone is y * 32 + x
    start, ply   of each sample: where its game begins in `stones`, and how many of its stones are
                 on the board
    size         width and height of each sample's board, (samples, 2)
    threats      of each sample, as GameReader.describe() packs them
    chosen       of each sample, the move that was played, or -1 without a choice
    offsets      where each part of the weights begins in an array of all weights
    """

    cdef const RowTables* tables
    cdef const uint16_t[::1] stones
    cdef const int64_t[::1] start
    cdef const int16_t[::1] ply
    cdef const uint8_t[:, ::1] size
    cdef const uint32_t[::1] threats
    cdef const int16_t[::1] chosen
    cdef int64_t offset[PARTS]
    cdef Shape shape
    cdef int sets
    cdef int avx2

    def __init__(self, int rule, int shift, bint use_avx2, stones,
                 start, ply, size, threats, chosen, offsets):
        cdef int i
        self.tables = row_tables(INDEX_OF_NUMBER[rule])
        self.shape.shift = shift
        self.stones = stones
        self.start = start
        self.ply = ply
        self.size = size
        self.threats = threats
        self.chosen = chosen
        for i in range(PARTS):
            self.offset[i] = offsets[i]
        self.sets = 1 if self.tables.tables.kind[0] == self.tables.tables.kind[1] else 2
        self.avx2 = use_avx2 and has_avx2()

    def run(self, const float[::1] weights, const int64_t[::1] samples, const float[::1] targets,
            float[:, ::1] results, gradient, bint rounding, double value_weight,
            double policy_weight, double mean_weight, double smoothing):
        """Runs the samples, given by their indices, in their order.

        weights   all weights, in the units of the net file
        targets   what sigmoid(net) should be, one for each of `samples`
        results   (samples, 3), filled: the net's logit; the policy's loss; how many candidates
                  score higher than the one that was played, -1 without a choice
        gradient  an array like `weights`, to which the gradient is added, or None
        rounding  round as the engine's integers do
        value_weight, policy_weight, mean_weight, smoothing
                  of the loss whose gradient is wanted

        Samples of one call are not shared between threads; calls in several threads may run at the
        same time with gradients of their own. Raises MemoryError.
        """
        cdef Weights w
        cdef Weights g
        cdef Shape shape = self.shape
        cdef Scratch* scratch = <Scratch*>malloc(sizeof(Scratch))
        cdef Reader* reader = <Reader*>malloc(sizeof(Reader))
        cdef Features* f = <Features*>malloc(sizeof(Features))
        cdef Base* bases[SIZES]
        cdef int count = 0
        cdef Sample s
        cdef Result result
        cdef float[::1] slopes
        cdef bint with_gradient = gradient is not None
        cdef bint with_choice
        cdef int64_t i, at
        cdef int part, width, height
        try:
            if scratch == NULL or reader == NULL or f == NULL:
                raise MemoryError("no memory to train with")
            if with_gradient:
                slopes = gradient
            for part in range(PARTS):
                w.part[part] = <float*>&weights[self.offset[part]]
                g.part[part] = &slopes[self.offset[part]] if with_gradient else NULL
            shape.rounding = rounding
            start_reader(reader, self.tables)
            s.base = NULL
            s.value_weight = value_weight
            s.policy_weight = policy_weight
            s.mean_weight = mean_weight
            s.smoothing = smoothing
            with nogil:
                for i in range(samples.shape[0]):
                    at = samples[i]
                    with_choice = self.chosen[at] >= 0
                    width, height = self.size[at, 0], self.size[at, 1]
                    read_features(reader, &self.stones[self.start[at]], self.ply[at], width, height,
                                  with_choice, self.chosen[at], f)
                    if s.base == NULL or s.base.width != width or s.base.height != height:
                        s.base = NULL
                        for part in range(count):
                            if bases[part].width == width and bases[part].height == height:
                                s.base = bases[part]
                        if s.base == NULL:
                            s.base = <Base*>malloc(sizeof(Base))
                            if s.base == NULL or count == SIZES:
                                free(s.base)
                                with gil:
                                    raise MemoryError("no memory to train with")
                            bases[count] = s.base
                            count += 1
                            s.base.width, s.base.height = width, height
                            s.base.rows = self.tables.rows
                            memcpy(s.base.row, reader.base, sizeof(reader.base))
                            start_base(&w, s.base, width * height, self.sets)
                    s.cells = f.cells
                    s.cell = f.cell
                    s.region = f.region
                    s.row = &f.row[0][0][0]
                    s.pair = &f.pair[0][0]
                    s.candidates = f.candidates
                    s.chosen = f.chosen
                    s.candidate = f.candidate
                    s.threats = self.threats[at]
                    s.set[0] = self.ply[at] & 1 if self.sets == 2 else 0
                    s.set[1] = 1 - s.set[0] if self.sets == 2 else 0
                    s.target = targets[i]
                    run_sample(&shape, &w, &s, scratch, &g if with_gradient else NULL, &result,
                               self.avx2)
                    results[i, 0] = result.logit
                    results[i, 1] = result.policy_loss
                    results[i, 2] = result.rank
                if with_gradient:
                    for part in range(count):
                        finish_base(&g, bases[part], bases[part].width * bases[part].height,
                                    self.sets)
        finally:
            for part in range(count):
                free(bases[part])
            free(scratch)
            free(reader)
            free(f)
