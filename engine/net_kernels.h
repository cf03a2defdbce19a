/* The inner loops of the net (net.pyx), written once over the types and macros of net_paths.h, which
 * includes this file once for each instruction set. */

/* The numbers from `k` on of a cell's features, once its rows are exchanged for others. */
static NET_INLINE NET_V NET_NAME(exchanged)(NET_V f, const int16_t *rows, const int16_t *pairs, int k,
                                            int window, int new_window, int pair, int new_pair)
{
    f = f - NET_LOAD(rows + NET_CHANNELS * window + k) + NET_LOAD(rows + NET_CHANNELS * new_window + k);
    if (pair != new_pair)
        f = f - NET_LOAD(pairs + NET_CHANNELS * pair + k) + NET_LOAD(pairs + NET_CHANNELS * new_pair + k);
    return f;
}

/* Features with other rows of the window, and with the pair's too if `paired`, to `next`; the sums follow. */
static NET_INLINE void NET_NAME(change)(const int16_t *feature, int16_t *next, uint16_t *sum,
                                        const int16_t *rows, const int16_t *pairs,
                                        const struct TengenNetChange c, const int paired)
{
    int k;
    for (k = 0; k < NET_VALUE; k += NET_LANES) {
        uint16_t *total = sum + NET_VALUE * c.was.region + k;
        NET_V was = NET_LOAD(feature + NET_VALUE * c.was.at + k);
        NET_V is = was - NET_LOAD(rows + NET_CHANNELS * c.before + k)
                   + NET_LOAD(rows + NET_CHANNELS * c.after + k);
        if (paired)
            is = is - NET_LOAD(pairs + NET_CHANNELS * c.was.threats + k)
                 + NET_LOAD(pairs + NET_CHANNELS * c.threats + k);
        NET_STORE(next + k, is);
        NET_STORE(total, NET_LOAD(total) + NET_CLIP(is, 0, 127) - NET_CLIP(was, 0, 127));
    }
}

/* The value's part of a stone. The features of the cells that it changes go to `next`, one after the
 * other, first those of the `alone` cells whose pair of threats stays. The sums are those `before` the
 * stone less its own cell, which is in `slot` with features in the row `at`, and follow the changes. */
static void NET_NAME(add)(const int16_t *feature, int16_t *next, const uint16_t *before, uint16_t *sum,
                          const int16_t *rows, const int16_t *pairs,
                          const struct TengenNetChange *change, int alone, int paired,
                          const int16_t *base, int slot, int at, int region)
{
    int i, k;
    for (k = 0; k < NET_REGIONS * NET_VALUE; k += NET_LANES)
        NET_STORE(sum + k, NET_LOAD(before + k));
    for (k = 0; k < NET_VALUE; k += NET_LANES) {
        uint16_t *total = sum + NET_VALUE * region + k;
        NET_V f = NET_CLIP(NET_LOAD(feature + NET_VALUE * at + k), 0, 127);
        NET_STORE(total, NET_LOAD(total) - f + NET_LOAD(base + NET_CHANNELS * slot + k));
    }
    for (i = 0; i < alone; ++i)         /* a change is passed as a copy: no store can change it */
        NET_NAME(change)(feature, next + NET_VALUE * i, sum, rows, pairs, change[i], 0);
    for (; i < alone + paired; ++i)
        NET_NAME(change)(feature, next + NET_VALUE * i, sum, rows, pairs, change[i], 1);
}

/* The policy's part of a stone on `cell`, in place. */
static void NET_NAME(move_add)(int16_t *feature, uint16_t *sum, const int16_t *rows,
                               const int16_t *pairs, const struct TengenNetChange *change, int changes,
                               const int16_t *base, const uint16_t *slots, int cell)
{
    int i, k;
    for (k = 0; k < NET_HIDDEN; k += NET_LANES) {
        NET_V f = NET_CLIP(NET_LOAD(feature + NET_HIDDEN * slots[cell] + k), 0, 127);
        NET_V s = NET_LOAD(sum + k) - f + NET_LOAD(base + NET_CHANNELS * slots[cell] + NET_VALUE + k);
        for (i = 0; i < changes; ++i) {
            const struct TengenNetChange c = change[i];
            int16_t *row = feature + NET_HIDDEN * slots[c.cell] + k;
            NET_V was = NET_LOAD(row);
            NET_V is = NET_NAME(exchanged)(was, rows, pairs, NET_VALUE + k, c.before, c.after,
                                           c.was.threats, c.threats);
            NET_STORE(row, is);
            s = s + NET_CLIP(is, 0, 127) - NET_CLIP(was, 0, 127);
        }
        NET_STORE(sum + k, s);
    }
}

/* Gives the features back what move_add() has changed. */
static void NET_NAME(move_remove)(int16_t *feature, const int16_t *rows, const int16_t *pairs,
                                  const struct TengenNetChange *change, int changes,
                                  const uint16_t *slots)
{
    int i, k;
    for (i = 0; i < changes; ++i) {
        const struct TengenNetChange c = change[i];
        int16_t *row = feature + NET_HIDDEN * slots[c.cell];
        for (k = 0; k < NET_HIDDEN; k += NET_LANES)
            NET_STORE(row + k, NET_NAME(exchanged)(NET_LOAD(row + k), rows, pairs, NET_VALUE + k,
                                                   c.after, c.before, c.threats, c.was.threats));
    }
}

/* A layer for 1, 2 or 4 vectors of inputs, which lie one after the other, as do their results. For each:
 * result[j] = bias[j] + the sum over i of in[i] * weight[i / 4][j][i % 4], divided by 64 and rounded
 * down; beyond +-127 a result may be any other number that is. A weight is loaded once for all vectors.
 * Up to eight sums grow at a time, since each addition to a sum waits for the one before. */
static NET_INLINE void NET_NAME(dense)(const uint8_t *in, const int vectors, const int inputs,
                                       const int8_t *weight, const int32_t *bias, const int outputs,
                                       int16_t *result)
{
    const int sums = vectors * outputs < 8 * NET_LANES32 ? outputs / NET_LANES32 : 8 / vectors;
    NET_W s[8];
    int i, j, k, n;
    for (j = 0; j < outputs; j += sums * NET_LANES32) {
        for (n = 0; n < vectors; ++n)
            for (k = 0; k < sums; ++k)
                s[sums * n + k] = NET_LOAD32(bias + j + k * NET_LANES32);
        for (i = 0; i < inputs; i += 4)
            for (n = 0; n < vectors; ++n)
                for (k = 0; k < sums; ++k)
                    s[sums * n + k] = NET_DOT(s[sums * n + k], in + inputs * n + i,
                                              weight + outputs * i + 4 * (j + k * NET_LANES32));
        for (n = 0; n < vectors; ++n)
            for (k = 0; k < sums; k += 2)
                NET_STORE_PAIR(result + outputs * n + j + k * NET_LANES32, s[sums * n + k],
                               s[sums * n + k + 1]);
    }
}

/* The numbers as inputs of a layer: clipped to 0..127, after a shift; with a sign to +-127, plus 127. */
static NET_INLINE void NET_NAME(activate)(const int16_t *x, int count, int shift, uint8_t *a)
{
    int i;
    for (i = 0; i < count; i += NET_LANES)
        NET_STORE_BYTES(a + i, NET_CLIP(NET_RIGHT(NET_LOAD(x + i), shift), 0, 127));
}

static NET_INLINE void NET_NAME(activate_signed)(const uint16_t *x, int count, int own, int shift,
                                                 uint8_t *a)
{
    int i;
    for (i = 0; i < count; i += NET_LANES)
        NET_STORE_BYTES(a + i,
                        NET_CLIP(NET_RIGHT(NET_LOAD(x + (i ^ own)), shift), -127, 127) + 127);
}

/* result = bias + so many rows: those of the threats. */
static NET_INLINE void NET_NAME(add_rows)(const int32_t *bias, const int32_t *const *more, int mores,
                                          int from, int count, int32_t *result)
{
    int i, j;
    for (j = 0; j < count; j += NET_LANES32) {
        NET_W s = NET_LOAD32(bias + j);
        for (i = 0; i < mores; ++i)
            s = s + NET_LOAD32(more[i] + from + j);
        NET_STORE32(result + j, s);
    }
}

/* The sum of a[i] * b[i], i = 0..31. */
static NET_INLINE int32_t NET_NAME(dot)(const int16_t *a, const int16_t *b)
{
    NET_W s = NET_MADD(NET_CLIP(NET_LOAD(a), 0, 127), NET_LOAD(b));
    int32_t part[NET_LANES32], total = 0;
    int i;
    for (i = NET_LANES; i < 32; i += NET_LANES)
        s = s + NET_MADD(NET_CLIP(NET_LOAD(a + i), 0, 127), NET_LOAD(b + i));
    NET_STORE32(part, s);
    for (i = 0; i < NET_LANES32; ++i)
        total += part[i];
    return total;
}

/* The output of the value without b3. own: the first channel of the side to move, 0 or 32. */
static int NET_NAME(value)(const uint16_t *sum, int own, int shift, const int8_t *weight,
                           const int32_t *bias, const int32_t *const *more, int mores,
                           const int16_t *w3)
{
    /* Where a region's inputs go: corners 0 to 3, edges 4 to 7, the centre 8. The first of each kind. */
    static const uint8_t place[NET_REGIONS] = {0, 4, 1, 5, 8, 6, 2, 7, 3};
    static const uint8_t first_of[4] = {0, 4, 8, 9};
    uint8_t a[NET_INPUTS], in[NET_REGIONS * NET_VALUE];
    uint16_t total[NET_VALUE] = {0};
    int16_t seen[NET_REGIONS * NET_REGION], kinds[3][NET_REGION] = {{0}}, h[NET_FIRST];
    int32_t first[NET_FIRST];
    int r, i;
    for (r = 0; r < NET_REGIONS; ++r, sum += NET_VALUE) {
        for (i = 0; i < NET_VALUE; i += NET_LANES)
            NET_STORE(total + i, NET_LOAD(total + i) + NET_LOAD(sum + i));
        NET_NAME(activate_signed)(sum, NET_VALUE, own, shift - 1, in + NET_VALUE * place[r]);
    }
    NET_NAME(dense)(in, 4, NET_VALUE, weight, bias, NET_REGION, seen);
    NET_NAME(dense)(in + 4 * NET_VALUE, 4, NET_VALUE, weight + NET_REGION * NET_VALUE,
                    bias + NET_REGION, NET_REGION, seen + 4 * NET_REGION);
    NET_NAME(dense)(in + 8 * NET_VALUE, 1, NET_VALUE, weight + 2 * NET_REGION * NET_VALUE,
                    bias + 2 * NET_REGION, NET_REGION, seen + 8 * NET_REGION);
    for (r = 0; r < 3; ++r)
        for (i = first_of[r] * NET_REGION; i < first_of[r + 1] * NET_REGION; i += NET_LANES) {
            int16_t *kind = kinds[r] + i % NET_REGION;
            NET_STORE(kind, NET_LOAD(kind) + NET_CLIP(NET_LOAD(seen + i), 0, 127));
        }
    NET_NAME(activate_signed)(total, NET_VALUE, own, shift, a);
    for (i = 0; i < 3; ++i)
        NET_NAME(activate)(kinds[i], NET_REGION, i < 2 ? 2 : 0, a + NET_VALUE + NET_REGION * i);
    NET_NAME(add_rows)(bias + NET_B1, more, mores, 0, NET_FIRST, first);
    NET_NAME(dense)(a, 1, NET_INPUTS, weight + NET_W1, first, NET_FIRST, h);
    NET_NAME(activate)(h, NET_FIRST, 0, a);
    NET_NAME(dense)(a, 1, NET_FIRST, weight + NET_W2, bias + NET_B2, NET_HIDDEN, h);
    return NET_NAME(dot)(h, w3);
}

/* The policy of cells, without `entry`: result[i] of the cell in slot[i]. own: 0 or 16. */
static void NET_NAME(policy)(const uint16_t *sum, int own, int shift, const int8_t *weight,
                             const int32_t *bias, const int32_t *const *more, int mores,
                             const int16_t *feature, const uint16_t *slot, int cells,
                             int32_t *result)
{
    uint8_t a[NET_HIDDEN];
    int16_t h[NET_HIDDEN], p[NET_HIDDEN];
    int32_t first[NET_HIDDEN];
    int i;
    NET_NAME(activate_signed)(sum, NET_HIDDEN, own, shift, a);
    NET_NAME(add_rows)(bias + NET_BM, more, mores, NET_FIRST, NET_HIDDEN, first);
    NET_NAME(dense)(a, 1, NET_HIDDEN, weight + NET_WM, first, NET_HIDDEN, h);
    NET_NAME(activate)(h, NET_HIDDEN, 0, a);
    NET_NAME(dense)(a, 1, NET_HIDDEN, weight + NET_WP, bias + NET_BP, NET_HIDDEN, h);
    for (i = 0; i < NET_HIDDEN; i += NET_LANES)
        NET_STORE(p + (i ^ own), NET_CLIP(NET_LOAD(h + i), -127, 127));
    for (i = 0; i < cells; ++i)
        result[i] = NET_NAME(dot)(feature + NET_HIDDEN * slot[i], p);
}

static const struct TengenNetKernels NET_NAME(kernels) = {
    NET_TEXT(NET_PATH), NET_NAME(add), NET_NAME(move_add), NET_NAME(move_remove), NET_NAME(value),
    NET_NAME(policy)
};
