/* The instruction sets that the net's inner loops (net_kernels.h) are compiled for, and the choice
 * between them when the program runs.
 *
 *   plain   any machine: the compiler's own vector types; on arm64 they become NEON. A compiler that
 *           has none gets loops over single numbers
 *   v2      x86 with SSE4.1
 *   avx2    x86 with AVX2
 *   vnni    x86 with AVX2 and, of AVX-512, VL and VNNI
 *
 * All paths compute the same integers. */
#ifndef TENGEN_NET_PATHS_H
#define TENGEN_NET_PATHS_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define NET_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define NET_INLINE __forceinline
#else
#define NET_INLINE inline
#endif

/* Of a row: Black's view for the value, White's, then both for the policy. The weights and biases of all
 * layers are one after the other. */
enum {
    NET_VALUE = 64, NET_CHANNELS = 96,
    NET_REGIONS = 9, NET_REGION = 16, NET_INPUTS = NET_VALUE + 3 * NET_REGION, NET_FIRST = 64,
    NET_HIDDEN = 32,
    NET_W1 = 3 * NET_REGION * NET_VALUE, NET_W2 = NET_W1 + NET_FIRST * NET_INPUTS,
    NET_WM = NET_W2 + NET_HIDDEN * NET_FIRST, NET_WP = NET_WM + NET_HIDDEN * NET_HIDDEN,
    NET_B1 = 3 * NET_REGION, NET_B2 = NET_B1 + NET_FIRST, NET_BM = NET_B2 + NET_HIDDEN,
    NET_BP = NET_BM + NET_HIDDEN
};

struct TengenNetCell {
    uint16_t at;                            /* the row of its features */
    uint8_t region, threats;                /* Black's threat | White's << 4 */
};

/* What a stone changes in one cell. */
struct TengenNetChange {
    struct TengenNetCell was;
    uint16_t before, after;                 /* the rows of the window */
    uint16_t cell;
    uint8_t threats;                        /* after it */
};

struct TengenNetKernels {
    const char *path;
    void (*add)(const int16_t *feature, int16_t *next, const uint16_t *before, uint16_t *sum,
                const int16_t *rows, const int16_t *pairs, const struct TengenNetChange *change,
                int alone, int paired, const int16_t *base, int slot, int at, int region);
    void (*move_add)(int16_t *feature, uint16_t *sum, const int16_t *rows, const int16_t *pairs,
                     const struct TengenNetChange *change, int changes, const int16_t *base,
                     const uint16_t *slots, int cell);
    void (*move_remove)(int16_t *feature, const int16_t *rows, const int16_t *pairs,
                        const struct TengenNetChange *change, int changes, const uint16_t *slots);
    int (*value)(const uint16_t *sum, int own, int shift, const int8_t *weight,
                 const int32_t *bias, const int32_t *const *more, int mores, const int16_t *w3);
    void (*policy)(const uint16_t *sum, int own, int shift, const int8_t *weight,
                   const int32_t *bias, const int32_t *const *more, int mores,
                   const int16_t *feature, const uint16_t *slot, int cells, int32_t *result);
};

/* A path is chosen by NET_PATH, its name, and NET_BYTES, the size of its vectors. NET_V is a vector of
 * 16-bit numbers, NET_W of 32-bit numbers. The compiler's operators work on them, whether they are
 * vectors or single numbers. 16-bit numbers are unsigned, since sums wrap; NET_S is for shifts. Loads and
 * stores never assume alignment: some compilers for Windows keep 32-byte vectors on a stack that is
 * aligned to 16 bytes only. */
#define NET_JOINED(a, b) a##b
#define NET_JOIN(a, b) NET_JOINED(a, b)
#define NET_TEXT_OF(path) #path
#define NET_TEXT(path) NET_TEXT_OF(path)
#define NET_NAME(name) NET_JOIN(NET_JOIN(tengen_net_, NET_PATH), NET_JOIN(_, name))
#define NET_LANES ((int)(sizeof(NET_V) / 2))
#define NET_LANES32 ((int)(sizeof(NET_W) / 4))
#define NET_LOAD(p) (*(const NET_V *)(p))
#define NET_STORE(p, v) (*(NET_V *)(p) = (v))
#define NET_LOAD32(p) (*(const NET_W *)(p))
#define NET_STORE32(p, v) (*(NET_W *)(p) = (v))
#define NET_RIGHT(v, by) ((NET_V)((NET_S)(v) >> (by)))

#define NET_PATH plain

#if defined(__GNUC__) || defined(__clang__)

#define NET_TYPE(type, name, bytes)                                                         \
    typedef type TengenNet##name __attribute__((vector_size(bytes), aligned(1), may_alias))
NET_TYPE(uint16_t, V16, 16);
NET_TYPE(int16_t, S16, 16);
NET_TYPE(int32_t, W16, 16);
NET_TYPE(uint32_t, U16, 16);
NET_TYPE(uint8_t, B16, 8);
NET_TYPE(uint16_t, V32, 32);
NET_TYPE(int16_t, S32, 32);
NET_TYPE(int32_t, W32, 32);
NET_TYPE(uint8_t, B32, 16);

#define NET_BYTES 16
#define NET_V NET_JOIN(TengenNetV, NET_BYTES)
#define NET_S NET_JOIN(TengenNetS, NET_BYTES)
#define NET_W NET_JOIN(TengenNetW, NET_BYTES)
#define NET_B NET_JOIN(TengenNetB, NET_BYTES)
#define NET_STORE_BYTES(p, v) (*(NET_B *)(p) = __builtin_convertvector(v, NET_B))

static NET_INLINE NET_V tengen_net_clip(NET_V v, int least, int most)
{
    const NET_S low = (NET_S){0} + (int16_t)least, high = (NET_S){0} + (int16_t)most;
    NET_S x = (NET_S)v, below = x < low, above = x > high;
    return (NET_V)((x & ~(below | above)) | (low & below) | (high & above));
}

/* The two halves of every lane, each with its sign: which of the two comes first in memory differs
 * between machines, but the sums of products below do not depend on it. */
static NET_INLINE NET_W tengen_net_low(NET_V v)
{
    return (NET_W)((TengenNetU16)v << 16) >> 16;
}

static NET_INLINE NET_W tengen_net_high(NET_V v)
{
    return (NET_W)v >> 16;
}

static NET_INLINE NET_W tengen_net_madd(NET_V a, NET_V b)
{
    return tengen_net_low(a) * tengen_net_low(b) + tengen_net_high(a) * tengen_net_high(b);
}

static NET_INLINE NET_W tengen_net_dot(NET_W s, const uint8_t *in, const int8_t *weight)
{
    const NET_V even = {in[0], in[2], in[0], in[2], in[0], in[2], in[0], in[2]};
    const NET_V odd = {in[1], in[3], in[1], in[3], in[1], in[3], in[1], in[3]};
    NET_V w = NET_LOAD(weight), low = NET_RIGHT(w << 8, 8), high = NET_RIGHT(w, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = high * even + low * odd;
#else
    w = low * even + high * odd;
#endif
    return s + tengen_net_low(w) + tengen_net_high(w);
}

#else

#define NET_V uint16_t
#define NET_S int16_t
#define NET_W int32_t
#define NET_STORE_BYTES(p, v) (*(uint8_t *)(p) = (uint8_t)(v))

static NET_INLINE NET_V tengen_net_clip(int v, int least, int most)
{
    v = (int16_t)v;
    return (NET_V)(v < least ? least : v > most ? most : v);
}

static NET_INLINE NET_W tengen_net_madd(int a, int b)
{
    return (int16_t)a * (int16_t)b;
}

static NET_INLINE NET_W tengen_net_dot(NET_W s, const uint8_t *in, const int8_t *weight)
{
    return s + in[0] * weight[0] + in[1] * weight[1] + in[2] * weight[2] + in[3] * weight[3];
}

#endif

static NET_INLINE void tengen_net_store_pair(int16_t *p, NET_W s, NET_W t)
{
    int32_t x[2 * NET_LANES32];
    int i;
    NET_STORE32(x, s);
    NET_STORE32(x + NET_LANES32, t);
    for (i = 0; i < 2 * NET_LANES32; ++i)       /* >> rounds down with every compiler we know */
        p[i] = (int16_t)(x[i] < -128 * 64 ? -128 : x[i] > 127 * 64 ? 127 : x[i] >> 6);
}

#define NET_CLIP(v, least, most) tengen_net_clip(v, least, most)
#define NET_MADD(a, b) tengen_net_madd(a, b)
#define NET_DOT(s, in, w) tengen_net_dot(s, in, w)
#define NET_STORE_PAIR(p, s, t) tengen_net_store_pair(p, s, t)

#include "net_kernels.h"

/* -- x86 -------------------------------------------------------------------------------------- */

#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
#define TENGEN_NET_X86 1
#include <cpuid.h>
#include <immintrin.h>

static NET_INLINE int32_t tengen_net_four(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return four;
}

/* The sets have the same instructions for 16 and for 32 bytes: NET_MM names one of them. The packs cut
 * numbers off at the bounds of 16 bits. */
#undef NET_CLIP
#undef NET_MADD
#undef NET_DOT
#undef NET_STORE_PAIR
#define NET_CLIP(v, least, most)                                                            \
    ((NET_V)NET_MM(min_epi16)(NET_MM(max_epi16)((NET_I)(v), NET_MM(set1_epi16)(least)),     \
                              NET_MM(set1_epi16)(most)))
#define NET_MADD(a, b) ((NET_W)NET_MM(madd_epi16)((NET_I)(a), (NET_I)(b)))
#define NET_DOT(s, in, w)                                                                   \
    ((s) + NET_MADD(NET_MM(maddubs_epi16)(NET_MM(set1_epi32)(tengen_net_four(in)),          \
                                          (NET_I)NET_LOAD(w)), NET_MM(set1_epi16)(1)))
#define NET_STORE_PAIR(p, s, t)                                                             \
    NET_STORE(p, (NET_V)NET_IN_ORDER(NET_MM(packs_epi32)((NET_I)((s) >> 6), (NET_I)((t) >> 6))))

/* The modules are compiled for every x86: the functions between these two alone may use a further set,
 * and are called only where the processor has it. */
#define NET_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define NET_BEGIN(set) \
    NET_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define NET_END NET_PRAGMA(clang attribute pop)
#else
#define NET_BEGIN(set) NET_PRAGMA(GCC push_options) NET_PRAGMA(GCC target(set))
#define NET_END NET_PRAGMA(GCC pop_options)
#endif

#undef NET_PATH
#define NET_PATH v2
#define NET_I __m128i
#define NET_MM(op) _mm_##op
#define NET_IN_ORDER(v) (v)
NET_BEGIN("sse4.1")
#include "net_kernels.h"
NET_END

#undef NET_PATH
#undef NET_BYTES
#undef NET_I
#undef NET_MM
#undef NET_IN_ORDER
#define NET_PATH avx2
#define NET_BYTES 32
#define NET_I __m256i
#define NET_MM(op) _mm256_##op
#define NET_IN_ORDER(v) _mm256_permute4x64_epi64(v, 0xD8)   /* the pack works on each half by itself */
NET_BEGIN("avx2")
#include "net_kernels.h"
NET_END

#undef NET_PATH
#undef NET_DOT
#define NET_PATH vnni
#define NET_DOT(s, in, w)                                                                   \
    ((NET_W)_mm256_dpbusd_epi32((NET_I)(s), _mm256_set1_epi32(tengen_net_four(in)),         \
                                (NET_I)NET_LOAD(w)))
NET_BEGIN("avx2,avx512vl,avx512vnni")
#include "net_kernels.h"
NET_END

/* What the processor and the system offer: 0 nothing, 1 SSE4.1, 2 AVX2 as well, 3 VNNI too. The last
 * two also need a system that saves the whole registers. */
static int tengen_net_level(void)
{
    unsigned int a, b, c, d;
    uint64_t saved;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 19))
        return 0;
    if (!(c & 1u << 27) || !(c & 1u << 28))
        return 1;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(a), "=d"(d) : "c"(0));     /* xgetbv */
    saved = (uint64_t)d << 32 | a;
    if (__get_cpuid_max(0, 0) < 7)
        return 1;
    __cpuid_count(7, 0, a, b, c, d);
    if ((saved & 6) != 6 || !(b & 1u << 5))
        return 1;
    return (saved & 0xE0) == 0xE0 && b & 1u << 31 && c & 1u << 11 ? 3 : 2;
}

#endif

/* The kernels of a path by name, those of the fastest path for an unknown name or none, and for a path
 * that this machine lacks the best below it. */
static const struct TengenNetKernels *tengen_net_kernels(const char *path)
{
#ifdef TENGEN_NET_X86
    int level = tengen_net_level();
    if (path && !strcmp(path, "plain"))
        level = 0;
    else if (path && !strcmp(path, "v2") && level > 1)
        level = 1;
    else if (path && !strcmp(path, "avx2") && level > 2)
        level = 2;
    if (level == 3)
        return &tengen_net_vnni_kernels;
    if (level == 2)
        return &tengen_net_avx2_kernels;
    if (level == 1)
        return &tengen_net_v2_kernels;
#else
    (void)path;
#endif
    return &tengen_net_plain_kernels;
}

#endif
