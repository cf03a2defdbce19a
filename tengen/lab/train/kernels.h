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
    WIDTH = 32,           /* features of a cell in a view for the value, */
    POLICY = 16,          /* and for the policy */
    ROW = WIDTH + POLICY,
    REGIONS = 9,
    REGION = 16,          /* outputs of the layer of a region */
    FIRST = 64,           /* outputs of the hidden layers of the value */
    HIDDEN = 32,
    KINDS = 3,            /* of regions: corners, edges, the centre */
    INPUTS = 2 * WIDTH + KINDS * REGION,
    MOVES = 32,           /* outputs of both layers of the policy */
    MAX_CELLS = 484,
    PARTS = 18,           /* of the weights, in the order of the net file */
    ROWS_PART = 0, PAIRS_PART, BIAS_PART, THREAT_PART, WR_PART, BR_PART, W1_PART, B1_PART, W2_PART,
    B2_PART, W3_PART, B3_PART, MOVE_THREAT_PART, WM_PART, BM_PART, WP_PART, BP_PART, ENTRY_PART,
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
} Shape;

/* The empty board of one size: the rows of its cells, their features by set of weights, and the
 * gradient of these. */
typedef struct {
    int width, height;
    int rows;                  /* of one set */
    uint16_t row[MAX_CELLS][4];
    float cell[2][MAX_CELLS][ROW];
    float slope[2][MAX_CELLS][ROW];
} Base;

typedef struct {
    int cells;
    const uint16_t* cell;      /* place on the board */
    const uint8_t* region;
    const uint16_t* row;       /* [cells][2][4] */
    const uint8_t* pair;       /* [cells][2] */
    Base* base;
    int candidates;
    int chosen;
    const uint16_t* candidate;
    uint32_t threats;          /* two bits for each side and threat */
    int set[2];                /* set of weights, by view; the head is that of the first */
    float target;              /* a probability */
    float value_weight;        /* of the loss, for the gradient */
    float policy_weight;
    float mean_weight;         /* of the squared mean of the policy's logits */
    float smoothing;           /* share of the policy's target spread over all candidates */
} Sample;

typedef struct {
    float logit;               /* of the value */
    float policy_loss;         /* 0 where the position has no choice */
    float rank;                /* candidates above the chosen one; -1 where there is no choice */
} Result;

typedef struct {
    float cell[MAX_CELLS][2][ROW];         /* features by entry and view */
    float slope[MAX_CELLS][2][POLICY];     /* of the policy by its features */
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

/* The features of the empty board, for so many cells and sets. */
static void start_base(const Weights* w, Base* base, int cells, int sets) {
    int set, i, d, k;
    for (set = 0; set < sets; set++)
        for (i = 0; i < cells; i++) {
            float* f = base->cell[set][i];
            for (k = 0; k < ROW; k++)
                f[k] = w->part[BIAS_PART][set * ROW + k]
                     + w->part[PAIRS_PART][(size_t)set * THREAT_PAIRS * ROW + k];
            for (d = 0; d < 4; d++)
                for (k = 0; k < ROW; k++)
                    f[k] += w->part[ROWS_PART][((size_t)set * base->rows + base->row[i][d]) * ROW + k];
            for (k = 0; k < ROW; k++) f[k] = f[k] < 0.0f ? 0.0f : f[k] > ONE ? ONE : f[k];
        }
    memset(base->slope, 0, sizeof(base->slope));
}

/* Adds the gradient of these features. */
static void finish_base(const Weights* g, const Base* base, int cells, int sets) {
    int set, i, d, k;
    for (set = 0; set < sets; set++)
        for (i = 0; i < cells; i++)
            for (k = 0; k < ROW; k++) {
                float f = base->cell[set][i][k], slope = base->slope[set][i][k];
                if (f <= 0.0f || f >= ONE) continue;
                g->part[BIAS_PART][set * ROW + k] += slope;
                g->part[PAIRS_PART][(size_t)set * THREAT_PAIRS * ROW + k] += slope;
                for (d = 0; d < 4; d++)
                    g->part[ROWS_PART][((size_t)set * base->rows + base->row[i][d]) * ROW + k] += slope;
            }
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
