"""The hash keys of all boards. Made at the first call; every board shares them."""

from engine.types cimport CELLS, uint64_t

cdef ZobristKeys _keys
cdef bint _made = False


cdef const ZobristKeys* zobrist_keys() noexcept:
    """The shared keys (the caller holds the interpreter lock: made exactly once)."""
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
