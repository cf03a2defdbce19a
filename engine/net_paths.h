/* The instruction sets that the net's inner loops (net_kernels.h) are compiled for, and the choice
 * between them when the program runs.
 *
 *   plain   any machine: the compiler's own vector types, else loops; on arm64 that becomes NEON
 *   v2      x86 with SSE4.1
 *   avx2    x86 with AVX2
 *
 * All paths compute the same integers. */
#ifndef TENGEN_NET_PATHS_H
#define TENGEN_NET_PATHS_H

#include <stdint.h>
#include <string.h>

#define NET_CHANNELS 64
#define NET_HIDDEN 32
#define NET_POLICY 16

#if defined(__GNUC__) || defined(__clang__)
#define NET_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define NET_INLINE __forceinline
#else
#define NET_INLINE inline
#endif

struct TengenNetKernels {
    const char *path;
    void (*push)(int16_t *feature, uint16_t *sum, const int16_t *rows, const uint16_t *change,
                 int changes, int16_t *saved, const int16_t *taken);
    void (*pop)(int16_t *feature, const uint16_t *change, int changes, const int16_t *saved);
    void (*peek)(int16_t *feature, const uint16_t *sum, const int16_t *rows, const uint16_t *change,
                 int changes, const int16_t *taken, uint16_t *result);
    void (*dense)(const uint8_t *in, int inputs, const int8_t *weight, const int32_t *bias,
                  int32_t *result);
    int (*head)(const uint16_t *own, const uint16_t *other, int shift, const int32_t *bias,
                const int32_t *const *more, int mores, const int8_t *w1, const int8_t *w2,
                const int32_t *b2, const int8_t *w3, uint8_t *h2);
    void (*policy)(const int16_t *feature, const uint16_t *slot, int cells, const int16_t *weight,
                   int32_t *result);
};

/* -- plain: 8 numbers of 16 bits, or 4 of 32, at a time --------------------------------------- */

#define NET_PATH "plain"
#define NET_NAME(name) tengen_net_plain_##name
#define NET_LANES 8
#define NET_LANES32 4
#define NET_V TengenNet8
#define NET_W TengenNet4
#define NET_FOUR TengenNetFour

#if defined(__GNUC__) || defined(__clang__)

typedef int16_t TengenNet8 __attribute__((vector_size(16)));
typedef int32_t TengenNet4 __attribute__((vector_size(16)));
typedef uint16_t TengenNetU8 __attribute__((vector_size(16)));
typedef uint32_t TengenNetU4 __attribute__((vector_size(16)));
#define NET_LANE(v, i) (v)[i]

#else

typedef struct { int16_t lane[8]; } TengenNet8;
typedef struct { int32_t lane[4]; } TengenNet4;
#define NET_LANE(v, i) (v).lane[i]

#endif

/* Of four inputs the first and third, and the second and fourth, again and again. */
typedef struct { TengenNet8 even, odd; } TengenNetFour;

static inline TengenNet8 tengen_net_load(const void *p)
{
    TengenNet8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline TengenNet4 tengen_net_load32(const void *p)
{
    TengenNet4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline TengenNetFour tengen_net_load_four(const uint8_t *p)
{
    TengenNetFour four;
    int i;
    for (i = 0; i < 8; ++i) {
        NET_LANE(four.even, i) = p[i & 1 ? 2 : 0];
        NET_LANE(four.odd, i) = p[i & 1 ? 3 : 1];
    }
    return four;
}

/* The 32 inputs of a view: a sum / 2^shift, rounded down, at most 127. */
static inline void tengen_net_inputs(const uint16_t *sum, int shift, uint8_t *a)
{
    int j;
    for (j = 0; j < NET_HIDDEN; ++j) {
        int x = sum[j] >> shift;
        a[j] = (uint8_t)(x > 127 ? 127 : x);
    }
}

/* 32 activations: x / 64, rounded down and clipped to 0..127. */
static inline void tengen_net_activations(const int32_t *x, uint8_t *h)
{
    int j;
    for (j = 0; j < NET_HIDDEN; ++j)
        h[j] = (uint8_t)(x[j] < 0 ? 0 : x[j] > 127 * 64 ? 127 : x[j] >> 6);
}

static inline int tengen_net_output(const uint8_t *h, const int8_t *w)
{
    int j, sum = 0;
    for (j = 0; j < NET_HIDDEN; ++j)
        sum += h[j] * w[j];
    return sum;
}

#define NET_INPUTS(sum, shift, a) tengen_net_inputs(sum, shift, a)
#define NET_ACTIVATIONS(x, h) tengen_net_activations(x, h)
#define NET_OUTPUT(h, w) tengen_net_output(h, w)
#define NET_LOAD(p) tengen_net_load(p)
#define NET_STORE(p, v) do { TengenNet8 stored = (v); memcpy(p, &stored, sizeof stored); } while (0)
#define NET_LOAD32(p) tengen_net_load32(p)
#define NET_STORE32(p, v) memcpy(p, &(v), sizeof(TengenNet4))
#define NET_LOAD_FOUR(p) tengen_net_load_four(p)
#define NET_TOTAL(s) (NET_LANE(s, 0) + NET_LANE(s, 1) + NET_LANE(s, 2) + NET_LANE(s, 3))

#if defined(__GNUC__) || defined(__clang__)

/* The sums of features are unsigned: 61,468 must not count as an overflow. */
#define NET_ADD(a, b) ((TengenNet8)((TengenNetU8)(a) + (TengenNetU8)(b)))
#define NET_SUB(a, b) ((TengenNet8)((TengenNetU8)(a) - (TengenNetU8)(b)))
#define NET_ADD32(a, b) ((a) + (b))

static inline TengenNet8 tengen_net_clip(TengenNet8 v)
{
    TengenNet8 most = {127, 127, 127, 127, 127, 127, 127, 127};
    TengenNet8 above = v > most;
    v &= v > 0;
    return (v & ~above) | (most & above);
}

/* The two halves of every lane, each with its sign: which of the two comes first in memory differs
 * between machines, but the sums of products below do not depend on it. */
static inline TengenNet4 tengen_net_low(TengenNet8 v)
{
    return (TengenNet4)((TengenNetU4)v << 16) >> 16;
}

static inline TengenNet4 tengen_net_high(TengenNet8 v)
{
    return (TengenNet4)v >> 16;
}

static inline TengenNet4 tengen_net_madd(TengenNet8 a, TengenNet8 b)
{
    return tengen_net_low(a) * tengen_net_low(b) + tengen_net_high(a) * tengen_net_high(b);
}

static inline TengenNet4 tengen_net_dot(TengenNet4 s, TengenNetFour four, const int8_t *weight)
{
    TengenNet8 w = tengen_net_load(weight);
    TengenNet8 low = (TengenNet8)((TengenNetU8)w << 8) >> 8, high = w >> 8;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = high * four.even + low * four.odd;
#else
    w = low * four.even + high * four.odd;
#endif
    return s + tengen_net_low(w) + tengen_net_high(w);
}

#else

static inline TengenNet8 tengen_net_add(TengenNet8 a, TengenNet8 b, int sign)
{
    int i;
    for (i = 0; i < 8; ++i)
        a.lane[i] = (int16_t)(a.lane[i] + sign * b.lane[i]);
    return a;
}

static inline TengenNet4 tengen_net_add32(TengenNet4 a, TengenNet4 b)
{
    int i;
    for (i = 0; i < 4; ++i)
        a.lane[i] += b.lane[i];
    return a;
}

static inline TengenNet8 tengen_net_clip(TengenNet8 v)
{
    int i;
    for (i = 0; i < 8; ++i)
        v.lane[i] = v.lane[i] < 0 ? 0 : v.lane[i] > 127 ? 127 : v.lane[i];
    return v;
}

static inline TengenNet4 tengen_net_madd(TengenNet8 a, TengenNet8 b)
{
    TengenNet4 s;
    int i;
    for (i = 0; i < 4; ++i)
        s.lane[i] = a.lane[2 * i] * b.lane[2 * i] + a.lane[2 * i + 1] * b.lane[2 * i + 1];
    return s;
}

static inline TengenNet4 tengen_net_dot(TengenNet4 s, TengenNetFour four, const int8_t *weight)
{
    int i;
    for (i = 0; i < 4; ++i)
        s.lane[i] += four.even.lane[0] * weight[4 * i] + four.odd.lane[0] * weight[4 * i + 1]
                     + four.even.lane[1] * weight[4 * i + 2] + four.odd.lane[1] * weight[4 * i + 3];
    return s;
}

#define NET_ADD(a, b) tengen_net_add(a, b, 1)
#define NET_SUB(a, b) tengen_net_add(a, b, -1)
#define NET_ADD32(a, b) tengen_net_add32(a, b)

#endif

#define NET_CLIP(v) tengen_net_clip(v)
#define NET_MADD(a, b) tengen_net_madd(a, b)
#define NET_DOT(s, four, w) tengen_net_dot(s, four, w)

#include "net_kernels.h"

/* -- x86 -------------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
#if defined(__x86_64__) || defined(__i386__)
#define TENGEN_NET_X86 1
#include <cpuid.h>
#endif
#elif defined(_MSC_VER)
#if defined(_M_X64) || defined(_M_IX86)
#define TENGEN_NET_X86 1
#include <intrin.h>
#endif
#endif

#ifdef TENGEN_NET_X86
#include <immintrin.h>

/* The modules are compiled for every x86: these functions alone may use more, and are called only
 * where the processor has it. MSVC takes the intrinsic functions without being asked to. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

#define NET_PATH "v2"
#define NET_NAME(name) tengen_net_v2_##name
#define NET_LANES 8
#define NET_LANES32 4
#define NET_V __m128i
#define NET_W __m128i
#define NET_FOUR __m128i
#define NET_LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define NET_STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define NET_LOAD32 NET_LOAD
#define NET_STORE32 NET_STORE
#define NET_ADD(a, b) _mm_add_epi16(a, b)
#define NET_SUB(a, b) _mm_sub_epi16(a, b)
#define NET_ADD32(a, b) _mm_add_epi32(a, b)
#define NET_CLIP(v) _mm_min_epi16(_mm_max_epi16(v, _mm_setzero_si128()), _mm_set1_epi16(127))
#define NET_MADD(a, b) _mm_madd_epi16(a, b)
#define NET_LOAD_FOUR(p) tengen_net_v2_load_four(p)
#define NET_DOT(s, four, w)                                                                 \
    _mm_add_epi32(s, _mm_madd_epi16(_mm_maddubs_epi16(four, NET_LOAD(w)), _mm_set1_epi16(1)))
#define NET_TOTAL(s) tengen_net_v2_total(s)
#define NET_INPUTS(sum, shift, a) tengen_net_v2_inputs(sum, shift, a)
#define NET_ACTIVATIONS(x, h) tengen_net_v2_activations(x, h)
#define NET_OUTPUT(h, w) tengen_net_v2_output(h, w)

static inline __m128i tengen_net_v2_load_four(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm_set1_epi32(four);
}

static inline int32_t tengen_net_v2_total(__m128i s)
{
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
    return _mm_cvtsi128_si32(s);
}

static inline void tengen_net_v2_inputs(const uint16_t *sum, int shift, uint8_t *a)
{
    const __m128i by = _mm_cvtsi32_si128(shift), most = _mm_set1_epi16(127);
    int j;
    for (j = 0; j < NET_HIDDEN; j += 16) {
        __m128i low = _mm_min_epu16(_mm_srl_epi16(NET_LOAD(sum + j), by), most);
        __m128i high = _mm_min_epu16(_mm_srl_epi16(NET_LOAD(sum + j + 8), by), most);
        NET_STORE(a + j, _mm_packus_epi16(low, high));
    }
}

/* The packs cut off at the bounds of their numbers, which lie beyond 0..127. */
static inline void tengen_net_v2_activations(const int32_t *x, uint8_t *h)
{
    int j;
    for (j = 0; j < NET_HIDDEN; j += 16) {
        __m128i low = _mm_packs_epi32(_mm_srai_epi32(NET_LOAD(x + j), 6),
                                      _mm_srai_epi32(NET_LOAD(x + j + 4), 6));
        __m128i high = _mm_packs_epi32(_mm_srai_epi32(NET_LOAD(x + j + 8), 6),
                                       _mm_srai_epi32(NET_LOAD(x + j + 12), 6));
        NET_STORE(h + j, _mm_min_epu8(_mm_packus_epi16(low, high), _mm_set1_epi8(127)));
    }
}

static inline int tengen_net_v2_output(const uint8_t *h, const int8_t *w)
{
    __m128i s = _mm_setzero_si128();
    s = NET_DOT(s, NET_LOAD(h), w);
    s = NET_DOT(s, NET_LOAD(h + 16), w + 16);
    return tengen_net_v2_total(s);
}

#include "net_kernels.h"

#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define NET_PATH "avx2"
#define NET_NAME(name) tengen_net_avx2_##name
#define NET_LANES 16
#define NET_LANES32 8
#define NET_V __m256i
#define NET_W __m256i
#define NET_FOUR __m256i
#define NET_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define NET_STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define NET_LOAD32 NET_LOAD
#define NET_STORE32 NET_STORE
#define NET_ADD(a, b) _mm256_add_epi16(a, b)
#define NET_SUB(a, b) _mm256_sub_epi16(a, b)
#define NET_ADD32(a, b) _mm256_add_epi32(a, b)
#define NET_CLIP(v)                                                                         \
    _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), _mm256_set1_epi16(127))
#define NET_MADD(a, b) _mm256_madd_epi16(a, b)
#define NET_LOAD_FOUR(p) tengen_net_avx2_load_four(p)
#define NET_DOT(s, four, w)                                                                 \
    _mm256_add_epi32(s, _mm256_madd_epi16(_mm256_maddubs_epi16(four, NET_LOAD(w)),          \
                                          _mm256_set1_epi16(1)))
#define NET_TOTAL(s) tengen_net_avx2_total(s)
#define NET_INPUTS(sum, shift, a) tengen_net_avx2_inputs(sum, shift, a)
#define NET_ACTIVATIONS(x, h) tengen_net_avx2_activations(x, h)
#define NET_OUTPUT(h, w) tengen_net_avx2_output(h, w)

static inline __m256i tengen_net_avx2_load_four(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm256_set1_epi32(four);
}

static inline int32_t tengen_net_avx2_total(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
    return _mm_cvtsi128_si32(s);
}

/* The packs work on each half of a register by itself: the permutations put the numbers in order. */
static inline void tengen_net_avx2_inputs(const uint16_t *sum, int shift, uint8_t *a)
{
    const __m128i by = _mm_cvtsi32_si128(shift);
    const __m256i most = _mm256_set1_epi16(127);
    __m256i low = _mm256_min_epu16(_mm256_srl_epi16(NET_LOAD(sum), by), most);
    __m256i high = _mm256_min_epu16(_mm256_srl_epi16(NET_LOAD(sum + 16), by), most);
    NET_STORE(a, _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8));
}

static inline void tengen_net_avx2_activations(const int32_t *x, uint8_t *h)
{
    __m256i low = _mm256_packs_epi32(_mm256_srai_epi32(NET_LOAD(x), 6),
                                     _mm256_srai_epi32(NET_LOAD(x + 8), 6));
    __m256i high = _mm256_packs_epi32(_mm256_srai_epi32(NET_LOAD(x + 16), 6),
                                      _mm256_srai_epi32(NET_LOAD(x + 24), 6));
    __m256i all = _mm256_min_epu8(_mm256_packus_epi16(low, high), _mm256_set1_epi8(127));
    NET_STORE(h, _mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

static inline int tengen_net_avx2_output(const uint8_t *h, const int8_t *w)
{
    return tengen_net_avx2_total(NET_DOT(_mm256_setzero_si256(), NET_LOAD(h), w));
}

#include "net_kernels.h"

#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif

/* What the processor and the system offer: 0 neither, 1 SSE4.1, 2 AVX2 as well. AVX2 also needs a
 * system that saves the upper halves of the registers. */
static int tengen_net_level(void)
{
    unsigned int a, b, c, d;
    uint64_t saved;
#if defined(_MSC_VER) && !defined(__clang__)
    int regs[4];
    __cpuid(regs, 0);
    a = (unsigned int)regs[0];
    if (a < 1)
        return 0;
    __cpuidex(regs, 1, 0);
    c = (unsigned int)regs[2];
    if (!(c & 1u << 19))
        return 0;
    if (a < 7 || !(c & 1u << 27) || !(c & 1u << 28))
        return 1;
    saved = _xgetbv(0);
    __cpuidex(regs, 7, 0);
    b = (unsigned int)regs[1];
    (void)d;
#else
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 19))
        return 0;
    if (!(c & 1u << 27) || !(c & 1u << 28))
        return 1;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(a), "=d"(d) : "c"(0));     /* xgetbv */
    saved = (uint64_t)d << 32 | a;
    if (__get_cpuid_max(0, 0) < 7)
        return 1;
    __cpuid_count(7, 0, a, b, c, d);
#endif
    return (saved & 6) == 6 && b & 1u << 5 ? 2 : 1;
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
