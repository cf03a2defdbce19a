# Values of the search as types of engine.model.
from engine.census cimport Census
from engine.search cimport Search

cdef object point_of(int cell)
cdef object score_of(int value)
cdef object info_of(const Search* s)
cdef object census_of(const Census* census)
