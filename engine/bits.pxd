# Operations that C offers only as compiler built-ins, each with a portable fallback.
from engine.types cimport uint64_t

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
    #ifdef CYTHON_WITHOUT_ASSERTIONS
    #define TENGEN_CHECKED 0
    #else
    #define TENGEN_CHECKED 1
    #endif
    """
    enum: CHECKED "TENGEN_CHECKED"      # 1 in debug builds, where asserts are compiled
    int lowest_bit "tengen_lowest_bit" (uint64_t word) noexcept   # word must not be 0
    void prefetch "tengen_prefetch" (const void* address) noexcept
