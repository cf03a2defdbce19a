"""The hash keys that all boards share, made at the first call."""

from engine.types cimport CELLS, uint64_t

cdef ZobristKeys _keys
cdef bint _made = False


cdef const ZobristKeys* zobrist_keys() noexcept:
    """The shared keys. The caller holds the interpreter lock, so that they are made only once."""
    global _made
    cdef uint64_t counter = 0x54656E67656E      # "Tengen"
    cdef int stone, cell, rule
    if not _made:
        for stone in range(4):
            for cell in range(CELLS):
                counter += 1
                _keys.stone[stone][cell] = mix64(counter)
        for rule in range(8):
            counter += 1
            _keys.rule[rule] = mix64(counter)
        _keys.white_to_move = mix64(counter + 1)
        _made = True
    return &_keys
