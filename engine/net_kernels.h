/* The inner loops of the net (net.pyx), written once over the macros of net_paths.h, which includes
 * this file once for each instruction set. Features and sums have 64 channels: 32 of Black's view,
 * then 32 of White's.
 *
 * Loads and stores never assume alignment: some compilers for Windows keep 32-byte vectors on a
 * stack that is aligned to 16 bytes only. */

/* What the changes of a stone do to the features and their sums: feature += rows[after] - rows[before]
 * for each change, which is (slot, before, after). `taken` are the features of the cell that gets the
 * stone: they leave the sums. The new sums go to `result`, which may be `sum`. With `keep` the new
 * features are stored, and those before them in `saved`; without, `feature` stays as it is. */
static NET_INLINE void NET_NAME(change)(int16_t *feature, const uint16_t *sum, const int16_t *rows,
                                        const uint16_t *change, int changes, int16_t *saved,
                                        const int16_t *taken, uint16_t *result, const int keep)
{
    int part, i;
    for (part = 0; part < NET_CHANNELS; part += 4 * NET_LANES) {
        const uint16_t *total = sum + part;
        NET_V s0 = NET_LOAD(total), s1 = NET_LOAD(total + NET_LANES);
        NET_V s2 = NET_LOAD(total + 2 * NET_LANES), s3 = NET_LOAD(total + 3 * NET_LANES);
#define NET_LEAVE(s, k) s = NET_SUB(s, NET_CLIP(NET_LOAD(taken + part + (k) * NET_LANES)))
        NET_LEAVE(s0, 0);
        NET_LEAVE(s1, 1);
        NET_LEAVE(s2, 2);
        NET_LEAVE(s3, 3);
#undef NET_LEAVE
        for (i = 0; i < changes; ++i) {
            int16_t *f = feature + NET_CHANNELS * change[3 * i] + part;
            const int16_t *before = rows + NET_CHANNELS * change[3 * i + 1] + part;
            const int16_t *after = rows + NET_CHANNELS * change[3 * i + 2] + part;
            int16_t *old = saved + NET_CHANNELS * i + part;
#define NET_CHANGE(s, k)                                                                    \
    do {                                                                                    \
        NET_V was = NET_LOAD(f + (k) * NET_LANES);                                          \
        NET_V is = NET_ADD(NET_SUB(was, NET_LOAD(before + (k) * NET_LANES)),                \
                           NET_LOAD(after + (k) * NET_LANES));                              \
        if (keep) {                                                                         \
            NET_STORE(old + (k) * NET_LANES, was);                                          \
            NET_STORE(f + (k) * NET_LANES, is);                                             \
        }                                                                                   \
        s = NET_ADD(s, NET_SUB(NET_CLIP(is), NET_CLIP(was)));                               \
    } while (0)
            NET_CHANGE(s0, 0);
            NET_CHANGE(s1, 1);
            NET_CHANGE(s2, 2);
            NET_CHANGE(s3, 3);
#undef NET_CHANGE
        }
        NET_STORE(result + part, s0);
        NET_STORE(result + part + NET_LANES, s1);
        NET_STORE(result + part + 2 * NET_LANES, s2);
        NET_STORE(result + part + 3 * NET_LANES, s3);
    }
}

/* Adds a stone: see change(). */
static void NET_NAME(push)(int16_t *feature, uint16_t *sum, const int16_t *rows,
                           const uint16_t *change, int changes, int16_t *saved,
                           const int16_t *taken)
{
    NET_NAME(change)(feature, sum, rows, change, changes, saved, taken, sum, 1);
}

/* The sums with one more stone, into `result`. No cell may have two changes. */
static void NET_NAME(peek)(int16_t *feature, const uint16_t *sum, const int16_t *rows,
                           const uint16_t *change, int changes, const int16_t *taken,
                           uint16_t *result)
{
    NET_NAME(change)(feature, sum, rows, change, changes, feature, taken, result, 0);
}

/* Puts saved features back where push() took them from. */
static void NET_NAME(pop)(int16_t *feature, const uint16_t *change, int changes,
                          const int16_t *saved)
{
    int i, k;
    for (i = 0; i < changes; ++i) {
        int16_t *f = feature + NET_CHANNELS * change[3 * i];
        for (k = 0; k < NET_CHANNELS; k += NET_LANES)
            NET_STORE(f + k, NET_LOAD(saved + NET_CHANNELS * i + k));
    }
}

/* result[j] = bias[j] + the sum over i of in[i] * weight[i / 4][j][i % 4], j = 0..31. `in` is within
 * 0..127, so two products fit 16 bits. `inputs` is a multiple of four. */
static void NET_NAME(dense)(const uint8_t *in, int inputs, const int8_t *weight,
                            const int32_t *bias, int32_t *result)
{
    int group, j;
    for (j = 0; j < NET_HIDDEN; j += 4 * NET_LANES32) {
        NET_W s0 = NET_LOAD32(bias + j), s1 = NET_LOAD32(bias + j + NET_LANES32);
        NET_W s2 = NET_LOAD32(bias + j + 2 * NET_LANES32);
        NET_W s3 = NET_LOAD32(bias + j + 3 * NET_LANES32);
        const int8_t *w = weight + 4 * j;
        for (group = 0; group < inputs; group += 4, w += 4 * NET_HIDDEN) {
            NET_FOUR four = NET_LOAD_FOUR(in + group);
            s0 = NET_DOT(s0, four, w);
            s1 = NET_DOT(s1, four, w + 4 * NET_LANES32);
            s2 = NET_DOT(s2, four, w + 8 * NET_LANES32);
            s3 = NET_DOT(s3, four, w + 12 * NET_LANES32);
        }
        NET_STORE32(result + j, s0);
        NET_STORE32(result + j + NET_LANES32, s1);
        NET_STORE32(result + j + 2 * NET_LANES32, s2);
        NET_STORE32(result + j + 3 * NET_LANES32, s3);
    }
}

/* The head: the second hidden layer into h2, and the sum of h2[j] * w3[j] is returned.
 *
 * own, other   sums of the view of the side to move and of the opponent's
 * bias         of the first layer
 * more, mores  so many rows of 32 numbers are added to it: those of the threats */
static int NET_NAME(head)(const uint16_t *own, const uint16_t *other, int shift,
                          const int32_t *bias, const int32_t *const *more, int mores,
                          const int8_t *w1, const int8_t *w2, const int32_t *b2, const int8_t *w3,
                          uint8_t *h2)
{
    uint8_t a[NET_CHANNELS];
    uint8_t h1[NET_HIDDEN];
    int32_t first[NET_HIDDEN], result[NET_HIDDEN];
    int i, j;
    for (j = 0; j < NET_HIDDEN; j += 4 * NET_LANES32) {
        NET_W s0 = NET_LOAD32(bias + j), s1 = NET_LOAD32(bias + j + NET_LANES32);
        NET_W s2 = NET_LOAD32(bias + j + 2 * NET_LANES32);
        NET_W s3 = NET_LOAD32(bias + j + 3 * NET_LANES32);
        for (i = 0; i < mores; ++i) {
            const int32_t *row = more[i] + j;
            s0 = NET_ADD32(s0, NET_LOAD32(row));
            s1 = NET_ADD32(s1, NET_LOAD32(row + NET_LANES32));
            s2 = NET_ADD32(s2, NET_LOAD32(row + 2 * NET_LANES32));
            s3 = NET_ADD32(s3, NET_LOAD32(row + 3 * NET_LANES32));
        }
        NET_STORE32(first + j, s0);
        NET_STORE32(first + j + NET_LANES32, s1);
        NET_STORE32(first + j + 2 * NET_LANES32, s2);
        NET_STORE32(first + j + 3 * NET_LANES32, s3);
    }
    NET_INPUTS(own, shift, a);
    NET_INPUTS(other, shift, a + NET_CHANNELS / 2);
    NET_NAME(dense)(a, NET_CHANNELS, w1, first, result);
    NET_ACTIVATIONS(result, h1);
    NET_NAME(dense)(h1, NET_HIDDEN, w2, b2, result);
    NET_ACTIVATIONS(result, h2);
    return NET_OUTPUT(h2, w3);
}

/* result[i] = the first 16 clipped features of both views of the cell slot[i], times 32 weights:
 * 16 for Black's view, then 16 for White's. */
static void NET_NAME(policy)(const int16_t *feature, const uint16_t *slot, int cells,
                             const int16_t *weight, int32_t *result)
{
    int i, k;
    for (i = 0; i < cells; ++i) {
        const int16_t *f = feature + NET_CHANNELS * slot[i];
        NET_W s = NET_MADD(NET_CLIP(NET_LOAD(f)), NET_LOAD(weight));
        s = NET_ADD32(s, NET_MADD(NET_CLIP(NET_LOAD(f + NET_CHANNELS / 2)),
                                  NET_LOAD(weight + NET_POLICY)));
        for (k = NET_LANES; k < NET_POLICY; k += NET_LANES) {
            s = NET_ADD32(s, NET_MADD(NET_CLIP(NET_LOAD(f + k)), NET_LOAD(weight + k)));
            s = NET_ADD32(s, NET_MADD(NET_CLIP(NET_LOAD(f + NET_CHANNELS / 2 + k)),
                                      NET_LOAD(weight + NET_POLICY + k)));
        }
        result[i] = NET_TOTAL(s);
    }
}

static const struct TengenNetKernels NET_NAME(kernels) = {
    NET_PATH, NET_NAME(push), NET_NAME(pop), NET_NAME(peek), NET_NAME(dense), NET_NAME(head),
    NET_NAME(policy)
};

/* The next path defines these anew. */
#undef NET_PATH
#undef NET_NAME
#undef NET_LANES
#undef NET_LANES32
#undef NET_V
#undef NET_W
#undef NET_FOUR
#undef NET_LANE
#undef NET_LOAD
#undef NET_STORE
#undef NET_LOAD32
#undef NET_STORE32
#undef NET_LOAD_FOUR
#undef NET_TOTAL
#undef NET_ADD
#undef NET_SUB
#undef NET_ADD32
#undef NET_CLIP
#undef NET_MADD
#undef NET_DOT
#undef NET_INPUTS
#undef NET_ACTIVATIONS
#undef NET_OUTPUT
