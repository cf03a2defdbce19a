"""The tunables: search parameters (one table, below) and the values file (loaded per rule)."""

from libc.stdlib cimport calloc

from engine.patterns cimport CODES, RuleTables, rule_tables
from engine.types cimport RULES, int16_t, int32_t

from engine import values as values_file

# name, default, lowest, highest, meaning. Defaults are set by hand; whoever changes one shows
# the match that says so (docs/MEASUREMENTS.md).
PARAMS = (
    ("aspiration_window", 30, 5, 500, "half width of the first window round the last value"),
    ("razor_margin", 120, 0, 2000, "so far below alpha a node of depth 1 is only checked by VCF"),
    ("futility_margin", 70, 0, 1000, "a ply: so far above beta a node is taken as cut"),
    ("futility_depth_plies", 6, 0, 20, "deepest node that futility may cut"),
    ("move_count_base", 5, 1, 60, "moves always searched; grows with the square of the depth"),
    ("move_count_depth_plies", 6, 0, 20, "deepest node whose late moves may be skipped"),
    ("reduction_scale", 130, 10, 400, "late move reduction: per cent of log2(depth)*log2(move)/4"),
    ("reduction_base", 20, 0, 300, "late move reduction: hundredths of a ply added"),
    ("history_divisor", 8192, 512, 65536, "history points that take one ply off a reduction"),
    ("vcf_leaf_nodes", 20, 0, 100000, "stones a victory-by-fours search may place at a leaf"),
    ("vcf_node_nodes", 200, 0, 100000, "the same where a node is about to be razored"),
    ("vcf_root_nodes", 20000, 0, 10000000, "the same for the root, before the first iteration"),
    ("singular_depth_plies", 7, 3, 50, "shallowest node that tests its table move for being singular"),
    ("singular_margin", 3, 0, 50, "a ply: how much worse all other moves must be"),
    ("reserve_ms", 30, 0, 1000, "kept back from every time limit"),
    ("default_turn_ms", 5000, 1, 600000, "for a move without any limit"),
    ("expected_moves", 22, 2, 200, "own moves the remaining match time is divided by"),
    ("poll_nodes", 256, 16, 65536, "stones between two looks at clock and stop flag"),
)


cdef void default_params(Params* p) noexcept:
    """Fills p with the defaults of PARAMS."""
    cdef int32_t* fields = <int32_t*>p
    cdef int i = 0
    assert len(PARAMS) * sizeof(int32_t) == sizeof(Params)
    for row in PARAMS:
        fields[i] = row[1]
        i += 1


cdef Values* _values[RULES]      # read when a rule is first used, then shared and constant


cdef const Values* values_of(int rule) except NULL:
    """The values of a rule, read from the values file at the first call for it.

    The caller holds the interpreter lock. Raises ValueError for a bad file, MemoryError.
    """
    cdef Values* v = _values[rule]
    cdef const RuleTables* t = rule_tables(rule)
    cdef int16_t[::1] numbers
    cdef int colour, code, at
    if v != NULL:
        return v
    numbers = values_file.load_body()[1]
    v = <Values*>calloc(1, sizeof(Values))
    if v == NULL:
        raise MemoryError("no memory for the values")
    at = rule * (6 * CODES + THREAT_MASKS + 4)
    for colour in range(2):
        for code in range(CODES):
            v.info[colour][code].value = numbers[at + code]
            v.info[colour][code].threat = t.threat[colour][code]
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
