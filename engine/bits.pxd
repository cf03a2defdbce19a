# Bit tricks with a portable fallback: lowest set bit and its removal, population count.
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
    static inline int tengen_count_bits(uint64_t w) {
        w -= (w >> 1) & 0x5555555555555555ULL;
        w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
        w = (w + (w >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((w * 0x0101010101010101ULL) >> 56);
    }
    #if defined(__GNUC__) || defined(__clang__)
    #define tengen_prefetch(p) __builtin_prefetch(p)
    #else
    #define tengen_prefetch(p) ((void)(p))
    #endif
    """
    int lowest_bit "tengen_lowest_bit" (uint64_t word) noexcept   # word must not be 0
    int count_bits "tengen_count_bits" (uint64_t word) noexcept
    void prefetch "tengen_prefetch" (const void* address) noexcept
