/* The kernels of kernels.h, which includes this file once for each instruction set. NAME adds a
 * suffix to every name. */

#if defined(__GNUC__) || defined(__clang__)
typedef float NAME(v8) __attribute__((vector_size(32), aligned(4), may_alias));
typedef int NAME(v8i) __attribute__((vector_size(32), aligned(4), may_alias));
#define V8 NAME(v8)
#define V8I NAME(v8i)
static inline V8 NAME(load)(const float* p) { return *(const V8*)p; }
static inline void NAME(store)(float* p, V8 a) { *(V8*)p = a; }
static inline V8 NAME(all)(float a) { return (V8){a, a, a, a, a, a, a, a}; }
static inline V8 NAME(add)(V8 a, V8 b) { return a + b; }
static inline V8 NAME(mul)(V8 a, V8 b) { return a * b; }
/* Clipped to 0..127. */
static inline V8 NAME(clip)(V8 a) {
    V8I low = (V8I)(a > 0.0f), high = (V8I)(a < ONE);
    V8 most = NAME(all)(ONE);
    return (V8)(((V8I)a & low & high) | ((V8I)most & ~high));
}
/* `slope` where the clipped `a` is inside its bounds, otherwise 0. */
static inline V8 NAME(gate)(V8 a, V8 slope) {
    return (V8)((V8I)slope & (V8I)(a > 0.0f) & (V8I)(a < ONE));
}
static inline float NAME(lane)(V8 a, int i) { return a[i]; }
#else
typedef struct { float e[8]; } NAME(v8);
#define V8 NAME(v8)
static V8 NAME(load)(const float* p) { V8 a; memcpy(a.e, p, sizeof(a.e)); return a; }
static void NAME(store)(float* p, V8 a) { memcpy(p, a.e, sizeof(a.e)); }
static V8 NAME(all)(float x) { V8 a; int i; for (i = 0; i < 8; i++) a.e[i] = x; return a; }
static V8 NAME(add)(V8 a, V8 b) { int i; for (i = 0; i < 8; i++) a.e[i] += b.e[i]; return a; }
static V8 NAME(mul)(V8 a, V8 b) { int i; for (i = 0; i < 8; i++) a.e[i] *= b.e[i]; return a; }
static V8 NAME(clip)(V8 a) {
    int i;
    for (i = 0; i < 8; i++) a.e[i] = a.e[i] > 0.0f ? (a.e[i] < ONE ? a.e[i] : ONE) : 0.0f;
    return a;
}
static V8 NAME(gate)(V8 a, V8 slope) {
    int i;
    for (i = 0; i < 8; i++) slope.e[i] = a.e[i] > 0.0f && a.e[i] < ONE ? slope.e[i] : 0.0f;
    return slope;
}
static float NAME(lane)(V8 a, int i) { return a.e[i]; }
#endif

static inline float NAME(sum)(V8 a) {
    return ((NAME(lane)(a, 0) + NAME(lane)(a, 4)) + (NAME(lane)(a, 2) + NAME(lane)(a, 6)))
         + ((NAME(lane)(a, 1) + NAME(lane)(a, 5)) + (NAME(lane)(a, 3) + NAME(lane)(a, 7)));
}

/* Sum of a[i] * b[i]; `size` is a multiple of 8. */
static inline float NAME(dot)(const float* a, const float* b, int size) {
    V8 s = NAME(mul)(NAME(load)(a), NAME(load)(b));
    int i;
    for (i = 8; i < size; i += 8) s = NAME(add)(s, NAME(mul)(NAME(load)(a + i), NAME(load)(b + i)));
    return NAME(sum)(s);
}

/* a[i] += factor * b[i]. */
static inline void NAME(add_times)(float* a, const float* b, float factor, int size) {
    V8 f = NAME(all)(factor);
    int i;
    for (i = 0; i < size; i += 8)
        NAME(store)(a + i, NAME(add)(NAME(load)(a + i), NAME(mul)(f, NAME(load)(b + i))));
}

/* x / 64 clipped to low..127; rounded to the nearest, halves up, as the engine's shift does. */
static inline float NAME(scaled)(float x, float low, int rounding) {
    x *= 1.0f / 64.0f;
    if (rounding) x = floorf(x + 0.5f);
    return x < low ? low : (x > ONE ? ONE : x);
}

/* A layer: out[j] = scaled(x[j] + sum in[i] * w[j][i]). */
static inline void NAME(layer)(float* out, const float* x, const float* w, const float* in,
                               int inputs, int outputs, float low, int rounding) {
    int j;
    for (j = 0; j < outputs; j++)
        out[j] = NAME(scaled)(x[j] + NAME(dot)(w + j * inputs, in, inputs), low, rounding);
}

/* Its gradient: slopes of out -> those of in (added), w and x (added). */
static inline void NAME(layer_back)(const float* out, const float* slope, float low,
                                    const float* w, const float* in, float* in_slope,
                                    float* w_slope, float* x_slope, int inputs, int outputs) {
    int j;
    for (j = 0; j < outputs; j++) {
        float d = slope[j] * (1.0f / 64.0f);
        if (d == 0.0f || out[j] <= low || out[j] >= ONE) continue;
        x_slope[j] += d;
        NAME(add_times)(in_slope, w + j * inputs, d, inputs);
        NAME(add_times)(w_slope + j * inputs, in, d, inputs);
    }
}

/* Features of all entries. By region and view, and over the board for the policy, the sums of their
 * differences from the empty board. */
static inline void NAME(cells)(const Weights* w, const Sample* s, float (*cell)[2][ROW],
                               float (*regions)[2][WIDTH], float (*moves)[POLICY]) {
    int i, v, b;
    memset(regions, 0, REGIONS * 2 * WIDTH * sizeof(float));
    memset(moves, 0, 2 * POLICY * sizeof(float));
    for (i = 0; i < s->cells; i++) {
        for (v = 0; v < 2; v++) {
            const uint16_t* row = s->row + (2 * i + v) * 4;
            const float* base = w->part[ROWS_PART];
            const float* r0 = base + (size_t)row[0] * ROW;
            const float* r1 = base + (size_t)row[1] * ROW;
            const float* r2 = base + (size_t)row[2] * ROW;
            const float* r3 = base + (size_t)row[3] * ROW;
            const float* pair = w->part[PAIRS_PART] + s->pair[2 * i + v] * ROW;
            const float* bias = w->part[BIAS_PART] + s->set[v] * ROW;
            const float* empty = s->base->cell[s->set[v]][s->cell[i]];
            float* out = cell[i][v];
            float* sum = regions[s->region[i]][v];
            for (b = 0; b < ROW; b += 8) {
                float* to = b < WIDTH ? sum + b : moves[v] + b - WIDTH;
                V8 f = NAME(add)(NAME(add)(NAME(load)(r0 + b), NAME(load)(r1 + b)),
                                 NAME(add)(NAME(load)(r2 + b), NAME(load)(r3 + b)));
                f = NAME(add)(f, NAME(add)(NAME(load)(bias + b), NAME(load)(pair + b)));
                f = NAME(clip)(f);
                NAME(store)(out + b, f);
                f = NAME(add)(f, NAME(mul)(NAME(load)(empty + b), NAME(all)(-1.0f)));
                NAME(store)(to, NAME(add)(NAME(load)(to), f));
            }
        }
    }
}

/* Slopes of the sums by region and view and over the board. extra: of the features for the policy,
 * unless it is NULL. */
static inline void NAME(cells_back)(const Weights* g, const Sample* s, float (*cell)[2][ROW],
                                    float (*regions)[2][WIDTH], float (*moves)[POLICY],
                                    float (*extra)[2][POLICY]) {
    int i, v, b;
    for (i = 0; i < s->cells; i++) {
        for (v = 0; v < 2; v++) {
            const uint16_t* row = s->row + (2 * i + v) * 4;
            float* base = g->part[ROWS_PART];
            float* r0 = base + (size_t)row[0] * ROW;
            float* r1 = base + (size_t)row[1] * ROW;
            float* r2 = base + (size_t)row[2] * ROW;
            float* r3 = base + (size_t)row[3] * ROW;
            float* pair = g->part[PAIRS_PART] + s->pair[2 * i + v] * ROW;
            float* bias = g->part[BIAS_PART] + s->set[v] * ROW;
            float* empty = s->base->slope[s->set[v]][s->cell[i]];
            const float* f = cell[i][v];
            for (b = 0; b < (extra ? ROW : WIDTH); b += 8) {
                V8 d = NAME(load)(b < WIDTH ? regions[s->region[i]][v] + b : moves[v] + b - WIDTH);
                NAME(store)(empty + b, NAME(add)(NAME(load)(empty + b),
                                                 NAME(mul)(d, NAME(all)(-1.0f))));
                if (b >= WIDTH) d = NAME(add)(d, NAME(load)(extra[i][v] + b - WIDTH));
                d = NAME(gate)(NAME(load)(f + b), d);
                NAME(store)(bias + b, NAME(add)(NAME(load)(bias + b), d));
                NAME(store)(pair + b, NAME(add)(NAME(load)(pair + b), d));
                NAME(store)(r0 + b, NAME(add)(NAME(load)(r0 + b), d));
                NAME(store)(r1 + b, NAME(add)(NAME(load)(r1 + b), d));
                NAME(store)(r2 + b, NAME(add)(NAME(load)(r2 + b), d));
                NAME(store)(r3 + b, NAME(add)(NAME(load)(r3 + b), d));
            }
        }
    }
}

/* The policy's logits and its result. p: the weights of the features of both views. */
static void NAME(policy)(const Sample* s, float (*cell)[2][ROW], const float* p,
                         const float* entry, float* logit, Result* result) {
    float best;
    double total = 0.0;
    int i, above = 0;
    for (i = 0; i < s->candidates; i++) {
        const int at = s->candidate[i];
        logit[i] = (NAME(dot)(cell[at][0] + WIDTH, p, POLICY)
                    + NAME(dot)(cell[at][1] + WIDTH, p + POLICY, POLICY)
                    + 64.0f * entry[s->pair[2 * at] % THREAT_PAIRS]) / LOGIT;
    }
    best = logit[0];
    for (i = 0; i < s->candidates; i++) {
        if (logit[i] > best) best = logit[i];
        above += logit[i] > logit[s->chosen];
    }
    for (i = 0; i < s->candidates; i++) total += exp((double)logit[i] - best);
    result->policy_loss = (float)(log(total) + best - logit[s->chosen]);
    result->rank = (float)above;
}

/* Slopes of the policy's loss: by its weights p (set), by features (`extra`, set), by `entry`
 * (added). */
static void NAME(policy_back)(const Sample* s, float (*cell)[2][ROW], const float* p,
                              float* p_slope, float (*extra)[2][POLICY], float* entry_slope,
                              const float* logit) {
    const int n = s->candidates;
    float best = logit[0];
    double total = 0.0, mean = 0.0;
    int i, v;
    memset(extra, 0, (size_t)s->cells * 2 * POLICY * sizeof(float));
    memset(p_slope, 0, 2 * POLICY * sizeof(float));
    for (i = 0; i < n; i++) {
        if (logit[i] > best) best = logit[i];
        mean += logit[i];
    }
    mean /= n;
    for (i = 0; i < n; i++) total += exp((double)logit[i] - best);
    for (i = 0; i < n; i++) {
        const int at = s->candidate[i];
        double d = exp((double)logit[i] - best) / total - s->smoothing / n;
        float slope;
        if (i == s->chosen) d -= 1.0 - s->smoothing;
        d = d * s->policy_weight + s->mean_weight * 2.0 * mean / n;
        slope = (float)(d / LOGIT);
        for (v = 0; v < 2; v++) {
            NAME(add_times)(p_slope + v * POLICY, cell[at][v] + WIDTH, slope, POLICY);
            NAME(add_times)(extra[at][v], p + v * POLICY, slope, POLICY);
        }
        entry_slope[s->pair[2 * at] % THREAT_PAIRS] += 64.0f * slope;
    }
}

/* A sum as an input of a layer: less, rounded down, clipped to -127..127. */
static inline float NAME(input)(float sum, float less, int rounding) {
    sum *= less;
    if (rounding) sum = floorf(sum);
    return sum < -ONE ? -ONE : sum > ONE ? ONE : sum;
}

/* The slope of a sum, from that of the input made of it. */
static inline float NAME(input_back)(float input, float slope, float less) {
    return input > -ONE && input < ONE ? slope * less : 0.0f;
}

/* Adds the rows of the threats on the board, or the other way round a slope to them. */
static inline void NAME(threats)(const Sample* s, float* x, float* rows, int outputs, int back) {
    int side;
    for (side = 0; side < 16; side++) {
        float* row = rows + (side * 4 + (s->threats >> (2 * side) & 3)) * outputs;
        NAME(add_times)(back ? row : x, back ? x : row, 1.0f, outputs);
    }
}

/* 0 for a corner, 1 for an edge, 2 for the centre. */
static const int NAME(kind)[REGIONS] = {0, 1, 0, 1, 2, 1, 0, 1, 0};

static void NAME(value)(const Shape* shape, const Weights* w, const Sample* s,
                        float (*regions)[2][WIDTH], const Weights* g, float (*slopes)[2][WIDTH],
                        Result* result) {
    const int rounding = shape->rounding, set = s->set[0];
    const float less = 1.0f / (float)(1 << shape->shift);
    float part[REGIONS][2 * WIDTH], seen[REGIONS][REGION], a[INPUTS];
    float x1[FIRST], h1[FIRST], h2[HIDDEN];
    const float* wr = w->part[WR_PART] + set * KINDS * REGION * 2 * WIDTH;
    const float* w1 = w->part[W1_PART] + set * FIRST * INPUTS;
    const float* w2 = w->part[W2_PART] + set * HIDDEN * FIRST;
    const float* w3 = w->part[W3_PART] + set * HIDDEN;
    float* threats = w->part[THREAT_PART] + set * THREAT_ROWS * FIRST;
    int i, r;

    memset(a, 0, sizeof(a));
    for (r = 0; r < REGIONS; r++) {
        const int kind = NAME(kind)[r];
        for (i = 0; i < 2 * WIDTH; i++) {
            a[i] += regions[r][i / WIDTH][i % WIDTH];
            part[r][i] = NAME(input)(regions[r][i / WIDTH][i % WIDTH], 2.0f * less, rounding);
        }
        NAME(layer)(seen[r], w->part[BR_PART] + (set * KINDS + kind) * REGION,
                    wr + kind * REGION * 2 * WIDTH, part[r], 2 * WIDTH, REGION, 0.0f, rounding);
        for (i = 0; i < REGION; i++) a[2 * WIDTH + kind * REGION + i] += seen[r][i];
    }
    for (i = 0; i < 2 * WIDTH; i++) a[i] = NAME(input)(a[i], less, rounding);
    for (i = 2 * WIDTH; i < INPUTS - REGION; i++)
        a[i] = rounding ? floorf(a[i] * 0.25f) : a[i] * 0.25f;
    memcpy(x1, w->part[B1_PART] + set * FIRST, sizeof(x1));
    NAME(threats)(s, x1, threats, FIRST, 0);
    NAME(layer)(h1, x1, w1, a, INPUTS, FIRST, 0.0f, rounding);
    NAME(layer)(h2, w->part[B2_PART] + set * HIDDEN, w2, h1, FIRST, HIDDEN, 0.0f, rounding);
    result->logit = (w->part[B3_PART][set] + NAME(dot)(h2, w3, HIDDEN)) / LOGIT;
    if (g) {
        float slope2[HIDDEN], slope1[FIRST], slope_a[INPUTS], x_slope[FIRST];
        float d = (float)(s->value_weight * (1.0 / (1.0 + exp(-(double)result->logit)) - s->target)
                          / LOGIT);
        memset(slope1, 0, sizeof(slope1));
        memset(slope_a, 0, sizeof(slope_a));
        memset(x_slope, 0, sizeof(x_slope));
        for (i = 0; i < HIDDEN; i++) slope2[i] = d * w3[i];
        g->part[B3_PART][set] += d;
        NAME(add_times)(g->part[W3_PART] + set * HIDDEN, h2, d, HIDDEN);
        NAME(layer_back)(h2, slope2, 0.0f, w2, h1, slope1, g->part[W2_PART] + set * HIDDEN * FIRST,
                         g->part[B2_PART] + set * HIDDEN, FIRST, HIDDEN);
        NAME(layer_back)(h1, slope1, 0.0f, w1, a, slope_a, g->part[W1_PART] + set * FIRST * INPUTS,
                         x_slope, INPUTS, FIRST);
        NAME(add_times)(g->part[B1_PART] + set * FIRST, x_slope, 1.0f, FIRST);
        NAME(threats)(s, x_slope, g->part[THREAT_PART] + set * THREAT_ROWS * FIRST, FIRST, 1);
        for (i = 0; i < 2 * WIDTH; i++) slope_a[i] = NAME(input_back)(a[i], slope_a[i], less);
        for (i = 2 * WIDTH; i < INPUTS - REGION; i++) slope_a[i] *= 0.25f;
        for (r = 0; r < REGIONS; r++) {
            const int kind = NAME(kind)[r];
            float slope[2 * WIDTH];
            memset(slope, 0, sizeof(slope));
            NAME(layer_back)(seen[r], slope_a + 2 * WIDTH + kind * REGION, 0.0f,
                             wr + kind * REGION * 2 * WIDTH, part[r], slope,
                             g->part[WR_PART] + (set * KINDS + kind) * REGION * 2 * WIDTH,
                             g->part[BR_PART] + (set * KINDS + kind) * REGION, 2 * WIDTH, REGION);
            for (i = 0; i < 2 * WIDTH; i++)
                slopes[r][i / WIDTH][i % WIDTH] = slope_a[i] + NAME(input_back)(part[r][i], slope[i], 2.0f * less);
        }
    }
}

static void NAME(sample)(const Shape* shape, const Weights* w, const Sample* s, Scratch* scratch,
                         const Weights* g, Result* result) {
    const int rounding = shape->rounding, set = s->set[0];
    const float less = 1.0f / (float)(1 << shape->shift);
    const int chooses = s->chosen >= 0 && s->candidates > 1;
    float regions[REGIONS][2][WIDTH], slopes[REGIONS][2][WIDTH];
    float sums[2][POLICY], a[2 * POLICY], x[MOVES], h[MOVES], p[2 * POLICY];
    const float* wm = w->part[WM_PART] + set * MOVES * 2 * POLICY;
    const float* wp = w->part[WP_PART] + set * 2 * POLICY * MOVES;
    int i;

    NAME(cells)(w, s, scratch->cell, regions, sums);
    NAME(value)(shape, w, s, regions, g, slopes, result);
    result->policy_loss = 0.0f;
    result->rank = -1.0f;
    if (chooses) {
        for (i = 0; i < 2 * POLICY; i++) a[i] = NAME(input)(sums[i / POLICY][i % POLICY], less, rounding);
        memcpy(x, w->part[BM_PART] + set * MOVES, sizeof(x));
        NAME(threats)(s, x, w->part[MOVE_THREAT_PART] + set * THREAT_ROWS * MOVES, MOVES, 0);
        NAME(layer)(h, x, wm, a, 2 * POLICY, MOVES, 0.0f, rounding);
        NAME(layer)(p, w->part[BP_PART] + set * 2 * POLICY, wp, h, MOVES, 2 * POLICY, -ONE, rounding);
        NAME(policy)(s, scratch->cell, p, w->part[ENTRY_PART] + set * THREAT_PAIRS,
                     scratch->logit, result);
    }
    if (g && chooses) {
        float p_slope[2 * POLICY], h_slope[MOVES], x_slope[MOVES], a_slope[2 * POLICY];
        memset(h_slope, 0, sizeof(h_slope));
        memset(x_slope, 0, sizeof(x_slope));
        memset(a_slope, 0, sizeof(a_slope));
        NAME(policy_back)(s, scratch->cell, p, p_slope, scratch->slope,
                          g->part[ENTRY_PART] + set * THREAT_PAIRS, scratch->logit);
        NAME(layer_back)(p, p_slope, -ONE, wp, h, h_slope,
                         g->part[WP_PART] + set * 2 * POLICY * MOVES,
                         g->part[BP_PART] + set * 2 * POLICY, MOVES, 2 * POLICY);
        NAME(layer_back)(h, h_slope, 0.0f, wm, a, a_slope,
                         g->part[WM_PART] + set * MOVES * 2 * POLICY, x_slope, 2 * POLICY, MOVES);
        NAME(add_times)(g->part[BM_PART] + set * MOVES, x_slope, 1.0f, MOVES);
        NAME(threats)(s, x_slope, g->part[MOVE_THREAT_PART] + set * THREAT_ROWS * MOVES, MOVES, 1);
        for (i = 0; i < 2 * POLICY; i++) sums[i / POLICY][i % POLICY] = NAME(input_back)(a[i], a_slope[i], less);
    }
    if (g) NAME(cells_back)(g, s, scratch->cell, slopes, sums, chooses ? scratch->slope : NULL);
}

#undef V8
#undef V8I
