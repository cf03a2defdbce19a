# Operations that C offers only as compiler built-ins, each with a portable fallback: bits of a word, and
# numbers that several threads read and write at the same time, without a lock.
#
# All accesses to these are relaxed: each is done as a whole, but another thread may see accesses to different
# numbers in another order. Where that order matters, the locks of pool.pyx make it, so there are no
# fences here. Compilers that know neither atomic built-ins nor C11 get volatile accesses: there an
# addition may be lost (not with MSVC), and on 32-bit systems a 64-bit number may be read half old and
# half new. The transposition table recognises such halves.
from engine.types cimport int32_t, int64_t, uint64_t, uint8_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(__GNUC__) || defined(__clang__)
    static inline int tengen_lowest_bit(uint64_t w) { return __builtin_ctzll(w); }
    #elif defined(_MSC_VER) && defined(_M_X64)
    #include <intrin.h>
    static __forceinline int tengen_lowest_bit(uint64_t w) {
        unsigned long i; _BitScanForward64(&i, w); return (int)i;
    }
    #else
    static int tengen_lowest_bit(uint64_t w) {
        int i = 0;
        while (!(w & 1)) { w >>= 1; ++i; }
        return i;
    }
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    #define tengen_prefetch(p) __builtin_prefetch(p)
    #else
    #define tengen_prefetch(p) ((void)(p))
    #endif
    #include <string.h>
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    static uint64_t tengen_load_bytes(const uint8_t *p) {
        uint64_t w = 0;
        int i;
        for (i = 0; i < 8; ++i) w |= (uint64_t)p[i] << (8 * i);
        return w;
    }
    static void tengen_store_bytes(uint8_t *p, uint64_t w) {
        int i;
        for (i = 0; i < 8; ++i) p[i] = (uint8_t)(w >> (8 * i));
    }
    #else
    static inline uint64_t tengen_load_bytes(const uint8_t *p) {
        uint64_t w; memcpy(&w, p, sizeof w); return w;
    }
    static inline void tengen_store_bytes(uint8_t *p, uint64_t w) { memcpy(p, &w, sizeof w); }
    #endif
    #ifdef CYTHON_WITHOUT_ASSERTIONS
    #define TENGEN_CHECKED 0
    #else
    #define TENGEN_CHECKED 1
    #endif
    """
    enum: CHECKED "TENGEN_CHECKED"      # 1 in debug builds, where asserts are compiled
    int lowest_bit "tengen_lowest_bit" (uint64_t word) noexcept   # word must not be 0
    void prefetch "tengen_prefetch" (const void* address) noexcept
    # Eight bytes as one word, the first of them lowest.
    uint64_t load_bytes "tengen_load_bytes" (const uint8_t* bytes) noexcept
    void store_bytes "tengen_store_bytes" (uint8_t* bytes, uint64_t word) noexcept


cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(__GNUC__) || defined(__clang__)
    #define TENGEN_LOAD(type, p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define TENGEN_STORE(type, p, n) __atomic_store_n((p), (n), __ATOMIC_RELAXED)
    #define TENGEN_ADD(type, p, n) __atomic_fetch_add((p), (n), __ATOMIC_RELAXED)
    #elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L \\
        && !defined(__STDC_NO_ATOMICS__) && !defined(_MSC_VER)
    #include <stdatomic.h>
    #define TENGEN_LOAD(type, p) \\
        atomic_load_explicit((volatile _Atomic(type) *)(p), memory_order_relaxed)
    #define TENGEN_STORE(type, p, n) \\
        atomic_store_explicit((volatile _Atomic(type) *)(p), (n), memory_order_relaxed)
    #define TENGEN_ADD(type, p, n) \\
        atomic_fetch_add_explicit((volatile _Atomic(type) *)(p), (n), memory_order_relaxed)
    #else
    #define TENGEN_LOAD(type, p) (*(const volatile type *)(p))
    #define TENGEN_STORE(type, p, n) (*(volatile type *)(p) = (n))
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define TENGEN_ADD(type, p, n) tengen_add_loop((volatile __int64 *)(p), (n))
    static __int64 tengen_add_loop(volatile __int64 *p, __int64 n) {
        __int64 old = *p;
        for (;;) {
            __int64 seen = _InterlockedCompareExchange64(p, old + n, old);
            if (seen == old) return old;
            old = seen;
        }
    }
    #else
    #define TENGEN_ADD(type, p, n) (*(volatile type *)(p) += (n))
    #endif
    #endif
    static int32_t tengen_load_flag(const int32_t *p) { return TENGEN_LOAD(int32_t, p); }
    static void tengen_store_flag(int32_t *p, int32_t n) { TENGEN_STORE(int32_t, p, n); }
    static int64_t tengen_load_count(const int64_t *p) { return TENGEN_LOAD(int64_t, p); }
    static void tengen_store_count(int64_t *p, int64_t n) { TENGEN_STORE(int64_t, p, n); }
    static void tengen_add_count(int64_t *p, int64_t n) { (void)TENGEN_ADD(int64_t, p, n); }
    static uint64_t tengen_load_word(const uint64_t *p) { return TENGEN_LOAD(uint64_t, p); }
    static void tengen_store_word(uint64_t *p, uint64_t n) { TENGEN_STORE(uint64_t, p, n); }
    """
    int32_t load_flag "tengen_load_flag" (const int32_t* flag) noexcept
    void store_flag "tengen_store_flag" (int32_t* flag, int32_t value) noexcept
    int64_t load_count "tengen_load_count" (const int64_t* count) noexcept
    void store_count "tengen_store_count" (int64_t* count, int64_t value) noexcept
    void add_count "tengen_add_count" (int64_t* count, int64_t more) noexcept
    uint64_t load_word "tengen_load_word" (const uint64_t* word) noexcept
    void store_word "tengen_store_word" (uint64_t* word, uint64_t value) noexcept
