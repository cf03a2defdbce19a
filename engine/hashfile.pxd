# The transposition table in a file.
from engine.tt cimport Table

cdef object save(const Table* t, object path, int width, int height, object evaluation)
cdef object load(Table* t, object path, int width, int height, object evaluation)
