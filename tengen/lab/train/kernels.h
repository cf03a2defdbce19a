/* One training sample through the net and back, in single precision.
 *
 * All numbers are in the units of the net file: an activation of 127 is 1.0, and with `rounding`
 * every step rounds as the engine's integers do, so that the results are equal to theirs. (Sums of
 * integers below 2**24 are exact in a float.) Additions are in a fixed order, whatever the vector
 * size: a build with AVX2 gives the same bytes as one without.
 */
#ifndef TENGEN_TRAIN_KERNELS_H
#define TENGEN_TRAIN_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    HIDDEN = 32,          /* outputs of both hidden layers */
    WIDTH = 32,           /* numbers in a row */
    HALF = WIDTH / 2,     /* of them, which the policy reads too */
    MAX_CELLS = 484,
    PARTS = 12,           /* of the weights, in the order of the net file */
    ROWS_PART = 0, BIAS_PART, THREAT_PART, W1_PART, B1_PART, W2_PART, B2_PART, W3_PART, B3_PART,
    WP_PART, BP_PART, ENTRY_PART,
    THREAT_ROWS = 64,     /* 2 sides, 8 threats, counts 0..3 */
    THREAT_PAIRS = 81
};

#define ONE 127.0f             /* 1.0 of an activation */
#define LOGIT 8128.0f          /* 1.0 of the output: 127 * 64 */

typedef struct {               /* weights, or their gradient */
    float* part[PARTS];
} Weights;

typedef struct {
    int shift;                 /* sums over the board are divided by two to this power */
    int rounding;
    int with_policy;
} Shape;

typedef struct {
    int cells;
    const uint16_t* row;       /* [cells][2][4] */
    const float* count;
    int candidates;
    int chosen;
    const uint16_t* candidate;
    const uint8_t* threat_pair;
    uint32_t threats;          /* two bits for each side and threat */
    int set[2];                /* set of weights, by view; the head is that of the first */
    float table;               /* the table's value, in logits */
    float target;              /* a probability */
    float value_weight;        /* of the loss, for the gradient */
    float policy_weight;
    float mean_weight;         /* of the squared mean of the policy's logits */
    float smoothing;           /* share of the policy's target spread over all candidates */
} Sample;

typedef struct {
    float logit;               /* of the net, without the table */
    float policy_loss;         /* 0 where the position has no choice */
    float rank;                /* candidates above the chosen one; -1 where there is no choice */
} Result;

typedef struct {
    float cell[MAX_CELLS * 2 * WIDTH];     /* features by entry and view */
    float slope[MAX_CELLS * 2 * WIDTH];    /* of the policy by its features */
    float logit[MAX_CELLS];
} Scratch;

/* AVX2 where the processor has it. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define TENGEN_TWO_PATHS 1
#endif

#define NAME(name) name##_plain
#include "kernels_body.h"
#undef NAME

#ifdef TENGEN_TWO_PATHS
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define NAME(name) name##_avx2
#include "kernels_body.h"
#undef NAME
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* Whether the processor has AVX2; always 0 where the build has one path. */
static int has_avx2(void) {
#ifdef TENGEN_TWO_PATHS
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

/* One sample: its result, and what it adds to `gradient` unless that is NULL. */
static void run_sample(const Shape* shape, const Weights* w, const Sample* s, Scratch* scratch,
                       const Weights* gradient, Result* result, int avx2) {
#ifdef TENGEN_TWO_PATHS
    if (avx2) {
        sample_avx2(shape, w, s, scratch, gradient, result);
        return;
    }
#endif
    (void)avx2;
    sample_plain(shape, w, s, scratch, gradient, result);
}

#endif
