"""The structs of params.pxd, filled: Params with the defaults, Values from the values file."""

from libc.stdlib cimport calloc

from engine.patterns cimport CODES
from engine.types cimport RULES, int16_t, int32_t

from engine import values as values_file
from engine.parameters import PARAMS
from engine.rulebook import RULES as RULE_ROWS


cdef void default_params(Params* p) noexcept:
    """Fills p with the defaults of PARAMS."""
    cdef int32_t* fields = <int32_t*>p
    cdef int i = 0
    assert len(PARAMS) * sizeof(int32_t) == sizeof(Params)
    for row in PARAMS:
        fields[i] = row.default
        i += 1


cdef Values* _values[RULES]      # read when a rule is first used, then shared and constant


cdef const Values* values_of(int rule) except NULL:
    """The values of a rule, read from the values file at the first call for it.

    The caller holds the interpreter lock. Raises ValueError for a bad file, MemoryError.
    """
    cdef Values* v = _values[rule]
    cdef int16_t[::1] numbers
    cdef int colour, code, at
    if v != NULL:
        return v
    numbers = values_file.load_body()[1]
    v = <Values*>calloc(1, sizeof(Values))
    if v == NULL:
        raise MemoryError("no memory for the values")
    at = RULE_ROWS[rule].values * (6 * CODES + THREAT_MASKS + 4)
    for colour in range(2):
        for code in range(CODES):
            v.worth[colour][code] = numbers[at + code]
            v.attack[colour][code] = numbers[at + CODES + code]
            v.defend[colour][code] = numbers[at + 2 * CODES + code]
        at += 3 * CODES
    for code in range(THREAT_MASKS):
        v.threat_value[code] = numbers[at + code]
    at += THREAT_MASKS
    v.tempo = numbers[at]
    v.killer_bonus = numbers[at + 1]
    v.counter_bonus = numbers[at + 2]
    v.near_bonus = numbers[at + 3]
    _values[rule] = v
    return v
