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

/* A layer of HIDDEN inputs or of the accumulators: out[j] = scaled(x[j] + sum in[i] * w[j][i]). */
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

/* Features of all entries, and their sums by view. */
static inline void NAME(cells)(const Weights* w, const Sample* s, float* cell, float* sums) {
    int i, v, b;
    for (i = 0; i < 2 * WIDTH; i++) sums[i] = 0.0f;
    for (i = 0; i < s->cells; i++) {
        V8 count = NAME(all)(s->count[i]);
        for (v = 0; v < 2; v++) {
            const uint16_t* row = s->row + (2 * i + v) * 4;
            const float* base = w->part[ROWS_PART];
            const float* r0 = base + (size_t)row[0] * WIDTH;
            const float* r1 = base + (size_t)row[1] * WIDTH;
            const float* r2 = base + (size_t)row[2] * WIDTH;
            const float* r3 = base + (size_t)row[3] * WIDTH;
            const float* bias = w->part[BIAS_PART] + s->set[v] * WIDTH;
            float* out = cell + (2 * i + v) * WIDTH;
            float* sum = sums + v * WIDTH;
            for (b = 0; b < WIDTH; b += 8) {
                V8 f = NAME(add)(NAME(add)(NAME(load)(r0 + b), NAME(load)(r1 + b)),
                                 NAME(add)(NAME(load)(r2 + b), NAME(load)(r3 + b)));
                f = NAME(clip)(NAME(add)(f, NAME(load)(bias + b)));
                NAME(store)(out + b, f);
                NAME(store)(sum + b, NAME(add)(NAME(load)(sum + b), NAME(mul)(count, f)));
            }
        }
    }
}

/* slopes: of the sums by view. extra: of the first half of the features, unless it is NULL. */
static inline void NAME(cells_back)(const Weights* g, const Sample* s, const float* cell,
                                    const float* slopes, const float* extra) {
    int i, v, b;
    for (i = 0; i < s->cells; i++) {
        V8 count = NAME(all)(s->count[i]);
        for (v = 0; v < 2; v++) {
            const uint16_t* row = s->row + (2 * i + v) * 4;
            float* base = g->part[ROWS_PART];
            float* r0 = base + (size_t)row[0] * WIDTH;
            float* r1 = base + (size_t)row[1] * WIDTH;
            float* r2 = base + (size_t)row[2] * WIDTH;
            float* r3 = base + (size_t)row[3] * WIDTH;
            float* bias = g->part[BIAS_PART] + s->set[v] * WIDTH;
            const float* f = cell + (2 * i + v) * WIDTH;
            for (b = 0; b < WIDTH; b += 8) {
                V8 d = NAME(mul)(count, NAME(load)(slopes + v * WIDTH + b));
                if (extra && b < HALF)
                    d = NAME(add)(d, NAME(load)(extra + (2 * i + v) * HALF + b));
                d = NAME(gate)(NAME(load)(f + b), d);
                NAME(store)(bias + b, NAME(add)(NAME(load)(bias + b), d));
                NAME(store)(r0 + b, NAME(add)(NAME(load)(r0 + b), d));
                NAME(store)(r1 + b, NAME(add)(NAME(load)(r1 + b), d));
                NAME(store)(r2 + b, NAME(add)(NAME(load)(r2 + b), d));
                NAME(store)(r3 + b, NAME(add)(NAME(load)(r3 + b), d));
            }
        }
    }
}

/* The policy's logits and its result. */
static void NAME(policy)(const Sample* s, const float* cell, const float* p, const float* entry,
                         float* logit, Result* result) {
    float best;
    double total = 0.0;
    int i, above = 0;
    for (i = 0; i < s->candidates; i++) {
        const float* f = cell + 2 * s->candidate[i] * WIDTH;
        logit[i] = (NAME(dot)(f, p, HALF) + NAME(dot)(f + WIDTH, p + HALF, HALF)
                    + 64.0f * entry[s->threat_pair[i]]) / LOGIT;
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
static void NAME(policy_back)(const Sample* s, const float* cell, const float* p, float* p_slope,
                              float* extra, float* entry_slope, const float* logit) {
    const int n = s->candidates;
    float best = logit[0];
    double total = 0.0, mean = 0.0;
    int i;
    memset(extra, 0, (size_t)s->cells * 2 * HALF * sizeof(float));
    memset(p_slope, 0, (size_t)WIDTH * sizeof(float));
    for (i = 0; i < n; i++) {
        if (logit[i] > best) best = logit[i];
        mean += logit[i];
    }
    mean /= n;
    for (i = 0; i < n; i++) total += exp((double)logit[i] - best);
    for (i = 0; i < n; i++) {
        const float* f = cell + 2 * s->candidate[i] * WIDTH;
        float* x = extra + 2 * s->candidate[i] * HALF;
        double d = exp((double)logit[i] - best) / total - s->smoothing / n;
        float slope;
        if (i == s->chosen) d -= 1.0 - s->smoothing;
        d = d * s->policy_weight + s->mean_weight * 2.0 * mean / n;
        slope = (float)(d / LOGIT);
        NAME(add_times)(p_slope, f, slope, HALF);
        NAME(add_times)(p_slope + HALF, f + WIDTH, slope, HALF);
        NAME(add_times)(x, p, slope, HALF);
        NAME(add_times)(x + HALF, p + HALF, slope, HALF);
        entry_slope[s->threat_pair[i]] += 64.0f * slope;
    }
}

static void NAME(sample)(const Shape* shape, const Weights* w, const Sample* s, Scratch* scratch,
                         const Weights* gradient, Result* result) {
    const int rounding = shape->rounding, set = s->set[0];
    const float less = 1.0f / (float)(1 << shape->shift);
    const int chooses = shape->with_policy && s->chosen >= 0 && s->candidates > 1;
    float sums[2 * WIDTH], a[2 * WIDTH], x1[HIDDEN], h1[HIDDEN], h2[HIDDEN], p[WIDTH];
    const float* w1 = w->part[W1_PART] + set * HIDDEN * 2 * WIDTH;
    const float* w2 = w->part[W2_PART] + set * HIDDEN * HIDDEN;
    const float* w3 = w->part[W3_PART] + set * HIDDEN;
    const float* wp = w->part[WP_PART] + set * WIDTH * HIDDEN;
    int i, side;

    NAME(cells)(w, s, scratch->cell, sums);
    for (i = 0; i < 2 * WIDTH; i++) {
        a[i] = sums[i] * less;
        if (rounding) a[i] = floorf(a[i]);
        if (a[i] > ONE) a[i] = ONE;
    }
    memcpy(x1, w->part[B1_PART] + set * HIDDEN, sizeof(x1));
    for (side = 0; side < 16; side++)
        NAME(add_times)(x1, w->part[THREAT_PART] + (set * THREAT_ROWS + side * 4
                        + (s->threats >> (2 * side) & 3)) * HIDDEN, 1.0f, HIDDEN);
    NAME(layer)(h1, x1, w1, a, 2 * WIDTH, HIDDEN, 0.0f, rounding);
    NAME(layer)(h2, w->part[B2_PART] + set * HIDDEN, w2, h1, HIDDEN, HIDDEN, 0.0f, rounding);
    result->logit = (w->part[B3_PART][set] + NAME(dot)(h2, w3, HIDDEN)) / LOGIT;
    result->policy_loss = 0.0f;
    result->rank = -1.0f;
    if (chooses) {
        NAME(layer)(p, w->part[BP_PART] + set * WIDTH, wp, h2, HIDDEN, WIDTH, -ONE, rounding);
        NAME(policy)(s, scratch->cell, p, w->part[ENTRY_PART] + set * THREAT_PAIRS,
                     scratch->logit, result);
    }
    if (gradient) {
        float slope2[HIDDEN], slope1[HIDDEN], slope_a[2 * WIDTH], x_slope[HIDDEN];
        double z = (double)result->logit + s->table;
        float d = (float)(s->value_weight * (1.0 / (1.0 + exp(-z)) - s->target) / LOGIT);
        const Weights* g = gradient;
        float* extra = NULL;
        memset(slope1, 0, sizeof(slope1));
        memset(slope_a, 0, sizeof(slope_a));
        for (i = 0; i < HIDDEN; i++) slope2[i] = d * w3[i];
        g->part[B3_PART][set] += d;
        NAME(add_times)(g->part[W3_PART] + set * HIDDEN, h2, d, HIDDEN);
        if (chooses) {
            float p_slope[WIDTH];
            extra = scratch->slope;
            NAME(policy_back)(s, scratch->cell, p, p_slope, extra,
                              g->part[ENTRY_PART] + set * THREAT_PAIRS, scratch->logit);
            NAME(layer_back)(p, p_slope, -ONE, wp, h2, slope2,
                             g->part[WP_PART] + set * WIDTH * HIDDEN,
                             g->part[BP_PART] + set * WIDTH, HIDDEN, WIDTH);
        }
        NAME(layer_back)(h2, slope2, 0.0f, w2, h1, slope1,
                         g->part[W2_PART] + set * HIDDEN * HIDDEN,
                         g->part[B2_PART] + set * HIDDEN, HIDDEN, HIDDEN);
        memset(x_slope, 0, sizeof(x_slope));
        NAME(layer_back)(h1, slope1, 0.0f, w1, a, slope_a,
                         g->part[W1_PART] + set * HIDDEN * 2 * WIDTH, x_slope, 2 * WIDTH, HIDDEN);
        NAME(add_times)(g->part[B1_PART] + set * HIDDEN, x_slope, 1.0f, HIDDEN);
        for (side = 0; side < 16; side++)
            NAME(add_times)(g->part[THREAT_PART] + (set * THREAT_ROWS + side * 4
                            + (s->threats >> (2 * side) & 3)) * HIDDEN, x_slope, 1.0f, HIDDEN);
        for (i = 0; i < 2 * WIDTH; i++) slope_a[i] = a[i] < ONE ? slope_a[i] * less : 0.0f;
        NAME(cells_back)(g, s, scratch->cell, slope_a, extra);
    }
}

#undef V8
#undef V8I
