# The net: a static value and a policy that are learned from games (docs/NET.md).
#
# A Net follows a board. It is brought up to date only when a value is asked for: the board makes
# and takes back stones without it, and the search for wins by fours costs nothing more.
from engine.board cimport Board
from engine.patterns cimport RowTables
from engine.types cimport (CELLS, MAX_STONES, int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t,
                           uint64_t)

cdef enum:
    WIDTH = 32               # channels of a view for the value,
    POLICY = 16              # and for the policy
    VALUE_CHANNELS = 64      # Black's view, then White's
    CHANNELS = 96            # after these Black's view for the policy, then White's
    REGIONS = 9              # by patterns.region_of() of x, plus 3 times that of y
    SUMS = 576               # VALUE_CHANNELS for each region
    MOVE_CHANNELS = 32       # both views for the policy; their sums are of the whole board
    FIRST = 64               # outputs of the first layer of the value,
    MOVES = 32               # and of the policy
    LAYER_ROW = 96           # both together
    WEIGHTS = 14336          # of all layers but the last of the value
    BIASES = 208
    NET_THREATS = 8          # those above THREAT_NONE
    NET_COUNTS = 4
    NET_PAIRS = 81           # own threat and the opponent's
    PAIR_ROWS = 144          # behind the rows of windows: by Black's threat | White's << 4
    MAX_STONE_CHANGES = 40   # cells whose windows a stone can change
    # Two cells on a line can change each other's window only once, when the first of them gets its
    # stone, and each cell has at most 40 others within reach.
    MAX_NET_CHANGES = MAX_STONES * 20
    POLICY_ONE = 8128        # a policy of one logit
    VALUE_SCALE = 220        # centi-stones of a logit

# What the net has for one side to move.
cdef struct NetHead:
    int8_t weight[WEIGHTS]           # by four inputs, output, input of the four: see dense()
    int32_t bias[BIASES]             # with the threat rows of a board where every count is 0
    int32_t threat[2][NET_THREATS][NET_COUNTS][LAYER_ROW]   # what other counts add to that
    int16_t w3[WIDTH]
    int32_t b3
    int16_t entry[9][9]              # by own threat and the opponent's

# A net file as the loops need it: read-only once it is made, so all threads share it.
cdef struct NetTables:
    uint64_t serial                  # from 1; another net may get the memory of one that is freed
    const RowTables* numbers
    int16_t* row                     # CHANNELS numbers for each row of windows, then for each pair
    int16_t bias[CHANNELS]
    int shift
    NetHead head[2]                  # by side to move - 1

# One stone of the line that the net follows.
cdef struct NetStone:
    int16_t cell
    uint8_t colour
    int32_t changes                  # fill of `change` before it
    uint16_t move_sum[MOVE_CHANNELS] # before it

cdef struct NetCell:
    uint16_t at                      # which row of `feature` it has
    uint8_t region
    uint8_t threats                  # Black's | White's << 4

cdef struct Net:
    const NetTables* tables
    uint64_t serial                  # of the tables that what follows was worked out with
    const void* kernels              # the path in use: see net_paths.h, which only net.pyx includes
    bint is_set_up                   # what follows belongs to a board
    int stones
    uint64_t hash[MAX_STONES + 1]    # by number of stones: of the board that the net has followed
    NetStone placed[MAX_STONES + 1]
    uint8_t stone[CELLS]             # these two as the board has them
    uint64_t key[4][64]
    NetCell cell[CELLS]
    # By number of stones: of the clipped features of the empty cells, less the base.
    uint16_t sum[MAX_STONES + 1][SUMS]
    int changes
    # The next stone, if `is_next` is set: its hash, sums, changes and features stand behind those of
    # the stones before it.
    bint is_next
    int next_changes
    int next_pairs                   # the last changes, of cells whose threats change too; set by prepare()
    uint16_t listed[CELLS]           # of the cells it changes: which change
    # The policy's part, which follows later, when it is asked.
    int moved                        # so many of the stones
    uint16_t move_sum[MOVE_CHANNELS]
    # -- without gaps, to fit the cache
    uint16_t slot[CELLS]
    int16_t* feature                 # VALUE_CHANNELS for each slot, then for each change; not clipped
    int16_t* move_feature            # MOVE_CHANNELS for each slot
    int16_t* base                    # by slot, CHANNELS: clipped, of the board without its stones
    void* change                     # a TengenNetChange for each
    void* memory                     # of the four above


cdef Net* new_net(const char* path) except NULL
cdef void free_net(Net* n) noexcept
cdef const char* path_of(const Net* n) noexcept
cdef void use_tables(Net* n, const NetTables* tables) noexcept
cdef void start(Net* n, const Board* b) noexcept nogil
cdef void catch_up(Net* n, const Board* b) noexcept nogil
cdef const int16_t* value_features(const Net* n, int cell) noexcept nogil
cdef int output_for(const Net* n, int side, const uint16_t* sum, const int* counts) noexcept nogil
cdef int value_of_output(int output) noexcept nogil
cdef int net_value(Net* n, const Board* b) noexcept nogil
cdef void policies(Net* n, const Board* b, uint16_t* cells, int count,
                   int32_t* result) noexcept nogil


cdef class LoadedNet:
    """The net of a file, in memory as long as this object is.

    rule  its number in `INFO rule`
    crc   CRC-32 of the file
    """

    cdef object __weakref__
    cdef NetTables* tables
    cdef void* memory
    cdef readonly int rule
    cdef readonly int version
    cdef readonly object crc
    cdef readonly str name
