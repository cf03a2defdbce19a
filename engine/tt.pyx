"""The transposition table: probe() copies an entry, store() chooses which one to replace.

Within a cluster the entry of the same position is replaced, otherwise the one that is worth least:
an empty one or one of an earlier game, then the shallowest, with a penalty for every search since.
The memory comes from calloc: the system provides zero pages as they are used, without a pause. On
Linux take_huge_pages() has it provide huge ones ahead: a probe in a small page waits twice, for the
address of the page and for its contents.

Threads call probe() and store() at the same time; everything else is called while no thread
searches. What two threads may do to each other:

  * A reader gets a word of one result and a word of another: seal_of() makes the key differ.
  * Two writers choose the same entry, and each leaves one word: the entry matches no position.
  * Two writers store the same position in two entries of a cluster: the first is found.
  * A writer decides by what another has just replaced: a less valuable entry may survive.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import os
import struct
from errno import EINTR
from zlib import crc32

from engine.clock cimport now_us
from engine.intrinsics cimport load_flag, load_word, prefetch, store_word
from engine.machine cimport HUGE_PAGE_BYTES, take_huge_page
from engine.types cimport (BOUND_EXACT, BOUND_NONE, CELLS, NO_CELL, VALUE_MATE, VALUE_NONE, int16_t,
                           int32_t, int64_t, uint16_t, uint64_t, uint8_t)

from engine.files import open_file, replacing

cdef enum:
    AGE_MASK = 63               # the age of an entry has 6 bits


cdef int resize(Table* t, uint64_t size_bytes) except -1:
    """Gives the table at most size_bytes (at least one cluster) and empties it.

    Raises MemoryError, after which there is no table; the caller may try a smaller one.
    """
    cdef uint64_t count = size_bytes // sizeof(Cluster)
    release(t)
    if count < 1:
        count = 1
    if count > 0xFFFFFFFFU:
        count = 0xFFFFFFFFU
    t.memory = calloc(count + 1, sizeof(Cluster))
    if t.memory == NULL:
        raise MemoryError(f"no memory for a hash table of {size_bytes} bytes")
    t.clusters = <Cluster*>((<uintptr_t>t.memory + 63) & ~<uintptr_t>63)
    t.cluster_count = count
    t.huge_page = (<uintptr_t>t.memory + HUGE_PAGE_BYTES - 1) // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES
    t.game = 1
    t.age = 0
    return 0


cdef void take_huge_pages(Table* t, bint is_new, int64_t until_us) noexcept nogil:
    """Has the system provide huge pages for the table from its beginning on until the time until_us;
    the next call goes on there. Where there are none, it does nothing.

    Ahead, because in a search a page that the system has to fetch may take longer than the clock is
    left unread.
    """
    cdef uintptr_t end = <uintptr_t>t.clusters + t.cluster_count * sizeof(Cluster)
    while t.huge_page + HUGE_PAGE_BYTES <= end and now_us() < until_us:
        if not take_huge_page(<char*>t.huge_page, is_new):
            t.huge_page = end
            return
        t.huge_page += HUGE_PAGE_BYTES


cdef void release(Table* t) noexcept:
    """Frees the memory."""
    free(t.memory)
    t.memory = NULL
    t.clusters = NULL
    t.cluster_count = 0


cdef void new_game(Table* t) noexcept nogil:
    """Empties the table at once: entries of other games count as empty."""
    t.game += 1
    t.age = 0
    if t.game == GAMES:             # the numbers start again
        t.game = 1
        if t.clusters != NULL:
            memset(t.clusters, 0, t.cluster_count * sizeof(Cluster))


cdef void new_search(Table* t) noexcept nogil:
    """Begins a new search: what is stored from now on is worth more than older entries."""
    t.age = (t.age + 1) & AGE_MASK


cdef inline Cluster* cluster_of(const Table* t, uint64_t key) noexcept nogil:
    return &t.clusters[((key >> 32) * t.cluster_count) >> 32]


cdef inline bint is_of_game(uint64_t data, const Table* t) noexcept nogil:
    return data >> GAME_SHIFT == t.game


cdef inline bint is_of_key(uint64_t word, uint64_t key) noexcept nogil:
    """True when the first word of an entry, without its seal, belongs to the key."""
    return word >> KEY_SHIFT == key & ((<uint64_t>1 << 48) - 1)


cdef inline int depth_in(uint64_t data) noexcept nogil:
    return <int16_t>(data >> DEPTH_SHIFT)


cdef inline int cell_in(uint64_t data) noexcept nogil:
    return (data >> CELL_SHIFT) & (CELLS - 1)


cdef inline int age_in(uint64_t data) noexcept nogil:
    return (data >> AGE_SHIFT) & AGE_MASK


cdef void prefetch_entry(const Table* t, uint64_t key) noexcept nogil:
    """Loads the position's cache line ahead of its probe."""
    prefetch(cluster_of(t, key))


cdef void probe(const Table* t, uint64_t key, int ply, Found* found) noexcept nogil:
    """Copies what is known about a position; found.hit says whether anything is."""
    cdef const Cluster* cluster = cluster_of(t, key)
    cdef uint64_t data, word
    cdef int i
    for i in range(ENTRIES):
        data = load_word(&cluster.entry[i].data)
        if not is_of_game(data, t):
            continue
        word = load_word(&cluster.entry[i].sealed) ^ seal_of(data)
        if is_of_key(word, key):
            found.hit = True
            found.value = value_from_tt(<int16_t>word, ply)
            found.static_value = <int16_t>data
            found.cell = cell_in(data)
            found.was_pv = (data >> WAS_PV_SHIFT) & 1
            found.depth = depth_in(data)
            found.bound = (data >> BOUND_SHIFT) & 3
            return
    found.hit = False
    found.cell = NO_CELL
    found.depth = 0
    found.was_pv = False
    found.bound = BOUND_NONE
    found.static_value = VALUE_NONE


cdef inline int worth(const Table* t, uint64_t data) noexcept nogil:
    """What an entry is worth, in hundredths of a ply; the lowest is replaced."""
    if not is_of_game(data, t):
        return -(1 << 20)
    return depth_in(data) - 100 * t.params.table_age_plies * ((t.age - age_in(data)) & AGE_MASK)


cdef void store(Table* t, uint64_t key, int ply, int value, int static_value, int cell,
                int depth, int bound, bint was_pv) noexcept nogil:
    """Stores a result. A known best move is kept when the new result has none."""
    cdef Cluster* cluster = cluster_of(t, key)
    cdef Entry* target = NULL
    cdef uint64_t data
    cdef int i, least = 1 << 30, w
    for i in range(ENTRIES):
        data = load_word(&cluster.entry[i].data)
        if is_of_game(data, t) and is_of_key(
                load_word(&cluster.entry[i].sealed) ^ seal_of(data), key):
            # A much shallower bound does not replace the result of a deep search.
            if (bound != BOUND_EXACT and depth < depth_in(data) - 100 * t.params.table_keep_plies
                    and age_in(data) == t.age):
                return
            if cell == NO_CELL:
                cell = cell_in(data)
            target = &cluster.entry[i]
            break
        w = worth(t, data)
        if w < least:
            least = w
            target = &cluster.entry[i]
    data = (<uint64_t><uint16_t>static_value
            | <uint64_t>(depth if depth > 0 else 0) << DEPTH_SHIFT
            | <uint64_t>cell << CELL_SHIFT
            | <uint64_t>was_pv << WAS_PV_SHIFT
            | <uint64_t>bound << BOUND_SHIFT
            | <uint64_t>t.age << AGE_SHIFT
            | <uint64_t>t.game << GAME_SHIFT)
    store_word(&target.sealed, (key << KEY_SHIFT | <uint16_t>value_to_tt(value, ply)) ^ seal_of(data))
    store_word(&target.data, data)


# -- in a file ----------------------------------------------------------------------------------
#
# So that an analysis can go on another day.
#
# Format 1, little endian:
#
#     offset  bytes
#          0      8  "TGNHASH\0"
#          8      4  format, 1
#         12      4  CRC-32 of what static values come from: tables, nets and parameters
#         16      2  columns of the board, for a clear refusal: keys differ by its size as well
#         18      2  rows
#         20     12  0
#         32         entries of 16 bytes: the key of the position; then, from the lowest bit, the 45
#                    bits of Entry.data that belong neither to its age nor to the game, 3 bits 0, and
#                    the value
#     at the end  4  CRC-32 of everything before
#
# An entry in memory has 48 bits of its key. The place of the entry gives the others where the table has
# 65,536 clusters (4 MiB) or more.

MAGIC = b"TGNHASH\0"
FORMAT = 1
HEADER = struct.Struct("<8sIIHH12x")
CRC = struct.Struct("<I")

cdef enum:
    ENTRY_BYTES = 16
    CHUNK = 1 << 16             # entries that are written or read at a time
    SLICE = 1 << 16             # clusters that are looked through at a time, a few milliseconds
    SYNCED = 1 << 22            # entries (64 MiB) that are put on the disk at a time
    VALUE_SHIFT = 48
    LEAST_CLUSTERS = 1 << 16


cdef inline void put_word(uint8_t* at, uint64_t word) noexcept nogil:
    cdef int i
    for i in range(8):
        at[i] = <uint8_t>(word >> (8 * i))


cdef inline uint64_t word_at(const uint8_t* at) noexcept nogil:
    cdef uint64_t word = 0
    cdef int i
    for i in range(8):
        word |= <uint64_t>at[i] << (8 * i)
    return word


cdef bint recover_key(uint64_t low, uint64_t index, uint64_t count, uint64_t* key) noexcept nogil:
    """The key with these 48 lower bits whose place is the cluster `index` of `count`; False if there is
    none: the entry is half of one and half of another."""
    cdef uint64_t first = ((index << 32) + count - 1) // count      # upper half of the least such key
    cdef uint64_t upper = first + (((low >> 32) - first) & 0xFFFF)
    if upper >> 32 or (upper * count) >> 32 != index:
        return False
    key[0] = upper << 32 | (low & 0xFFFFFFFFU)
    return True


cdef object save(const Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop):
    """Writes all entries of the game; returns how many. A file of that name is replaced when everything
    is written. ValueError for a table that is too small, OSError; InterruptedError after a stop.

    width, height  of the board
    evaluation     a number that is the same as long as static values are
    stop           a flag, looked at after each piece
    """
    if t.clusters == NULL or t.cluster_count < LEAST_CLUSTERS:
        raise ValueError("a hash table of less than 4 MiB cannot be written")
    with replacing(path) as file:
        return _write(t, file, HEADER.pack(MAGIC, FORMAT, evaluation, width, height), stop)


cdef object _write(const Table* t, object file, bytes header, const int32_t* stop):
    cdef uint8_t[::1] chunk = bytearray(CHUNK * ENTRY_BYTES)
    cdef uint64_t index = 0, count = 0, synced = 0
    cdef int filled
    file.write(header)
    crc = crc32(header)
    while index < t.cluster_count:
        if load_flag(stop):
            raise InterruptedError(EINTR, "stopped before all was written; there is no new file")
        with nogil:
            filled = _take_entries(t, &index, &chunk[0])
        file.write(chunk[:filled])
        crc = crc32(chunk[:filled], crc)
        count += filled // ENTRY_BYTES
        if count - synced >= SYNCED:    # all at the end would take long, without a look at the flag
            file.flush()
            os.fsync(file.fileno())
            synced = count
    file.write(CRC.pack(crc))
    return count


cdef int _take_entries(const Table* t, uint64_t* next_index, uint8_t* chunk) noexcept nogil:
    """Fills the chunk with entries of the clusters from the next one on, of SLICE clusters at most;
    returns how many bytes."""
    cdef uint64_t data, word, key = 0
    cdef uint64_t index = next_index[0], end = min(index + SLICE, t.cluster_count)
    cdef int i, filled = 0
    while index < end and filled <= (CHUNK - ENTRIES) * ENTRY_BYTES:
        for i in range(ENTRIES):
            data = load_word(&t.clusters[index].entry[i].data)
            if data >> GAME_SHIFT != t.game:
                continue
            word = load_word(&t.clusters[index].entry[i].sealed) ^ seal_of(data)
            if not recover_key(word >> KEY_SHIFT, index, t.cluster_count, &key):
                continue
            put_word(&chunk[filled], key)
            put_word(&chunk[filled + 8], (data & ((<uint64_t>1 << AGE_SHIFT) - 1))
                     | (word & 0xFFFF) << VALUE_SHIFT)
            filled += ENTRY_BYTES
        index += 1
    next_index[0] = index
    return filled


cdef object load(Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop):
    """Empties the table and fills it from a file that save() has written; returns how many entries it
    has. ValueError with the reason, OSError: then the table is as it was or empty. InterruptedError
    after a stop: the text says what became of the table."""
    with open_file(path) as file:
        entries, odd = divmod(os.fstat(file.fileno()).st_size - HEADER.size - CRC.size, ENTRY_BYTES)
        head = file.read(HEADER.size)
        if entries < 0 or len(head) < HEADER.size or head[:8] != MAGIC:
            raise ValueError("this is not a hash file of Tengen")
        _, form, made_for, columns, rows = HEADER.unpack(head)
        if form != FORMAT:
            raise ValueError(f"format {form} is of another version; this one reads format {FORMAT}")
        if odd:
            raise ValueError("the file is damaged: it does not end with an entry")
        if made_for != evaluation:
            raise ValueError("the file was written with other nets, tables or parameters")
        if (columns, rows) != (width, height):
            raise ValueError(f"the file is for boards of {columns}x{rows}, this one is {width}x{height}")
        room = t.cluster_count * ENTRIES
        if entries > room:
            raise ValueError(f"the file has {entries} positions and is too large: the hash table has room"
                             f" for {room}")
        if not _is_whole(file, head, entries, stop):
            raise ValueError("the file is damaged: its checksum is wrong")
        file.seek(HEADER.size)
        new_game(t)
        return _read(t, file, entries, stop)


cdef bint _is_whole(object file, bytes head, object entries, const int32_t* stop) except -1:
    """Reads all entries and the checksum."""
    crc = crc32(head)
    while entries:
        if load_flag(stop):
            raise InterruptedError(EINTR, "stopped before the file was read; the hash table stays")
        chunk = file.read(min(entries, CHUNK) * ENTRY_BYTES)
        if len(chunk) < ENTRY_BYTES:
            return False
        crc = crc32(chunk, crc)
        entries -= len(chunk) // ENTRY_BYTES
    return file.read() == CRC.pack(crc)


cdef object _read(Table* t, object file, object entries, const int32_t* stop):
    cdef const uint8_t[::1] chunk
    cdef int length, stored = 0
    while entries:
        if load_flag(stop):
            new_game(t)
            raise InterruptedError(EINTR, "stopped while the file was read; the hash table is empty")
        chunk = file.read(min(entries, CHUNK) * ENTRY_BYTES)
        length = <int>len(chunk)
        if not length:
            break
        entries -= length // ENTRY_BYTES
        with nogil:
            stored += _store_entries(t, &chunk[0], length)
    return stored


cdef int _store_entries(Table* t, const uint8_t* chunk, int length) noexcept nogil:
    """Stores the entries of a chunk; returns how many could be."""
    cdef uint64_t data
    cdef int i, at, value, stored = 0
    for i in range(length // ENTRY_BYTES):
        at = i * ENTRY_BYTES
        data = word_at(&chunk[at + 8])
        value = <int16_t>(data >> VALUE_SHIFT)
        if (data >> BOUND_SHIFT) & 3 == BOUND_NONE or not -VALUE_MATE <= value <= VALUE_MATE:
            continue
        store(t, word_at(&chunk[at]), 0, value, <int16_t>data, (data >> CELL_SHIFT) & (CELLS - 1),
              <int16_t>(data >> DEPTH_SHIFT), (data >> BOUND_SHIFT) & 3,
              (data >> WAS_PV_SHIFT) & 1)
        stored += 1
    return stored
