"""Values of the search as types of engine.model: cells, values, reports, counts."""

from engine.census cimport COUNT_VCF, COUNTERS, Census
from engine.geometry cimport x_of, y_of
from engine.search cimport Search
from engine.timeman cimport elapsed_us
from engine.types cimport MAX_PLY, VALUE_MATE, VALUE_MATE_FLOOR, int64_t

from engine.model import Census as CensusRecord
from engine.model import Info, Point, Score, VcfCount


cdef object point_of(int cell):
    """A cell as a Point."""
    return Point(x_of(cell), y_of(cell))


cdef object score_of(int value):
    """A value of the search as a Score."""
    if value >= VALUE_MATE_FLOOR:
        return Score(0, VALUE_MATE - value)
    if value <= -VALUE_MATE_FLOOR:
        return Score(0, -(VALUE_MATE + value))
    return Score(value)


cdef object info_of(const Search* s):
    """What the search has found so far, as an Info."""
    cdef int64_t us = elapsed_us(&s.time)
    pv = tuple(point_of(s.line[i]) for i in range(s.line_length))
    return Info(s.depth, max(s.seldepth, len(pv) if s.depth else 0), score_of(s.value), s.nodes,
                s.nodes * 1000000 // max(us, 1), us // 1000, pv)


cdef object census_of(const Census* census):
    """Where the nodes of a search went, as a Census."""
    counts = [census.count[i] for i in range(COUNT_VCF)]
    vcf = [VcfCount(*[census.count[i + j] for j in range(4)])
           for i in range(COUNT_VCF, COUNTERS, 4)]
    nodes = [census.iteration_nodes[i] for i in range(MAX_PLY) if census.iteration_nodes[i]]
    return CensusRecord(*counts, *vcf, tuple(nodes))
