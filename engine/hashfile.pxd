# The transposition table in a file.
from engine.tt cimport Table
from engine.types cimport int32_t

cdef object save(const Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop)
cdef object load(Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop)
