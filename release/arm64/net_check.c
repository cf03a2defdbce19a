/* Runs the inner loops of the net (engine/net_kernels.h) on made-up numbers and prints a checksum of
 * all results for each path that the machine has:
 *
 *     plain 1a2b3c4d
 *
 * The checksums must be equal: of all paths, on all machines. The numbers are made by integer
 * arithmetic, within the bounds that a net file keeps (engine/network.py), and often at them. */
#include <stdio.h>

#include "net_paths.h"

#define ROUNDS 400
#define CELLS 200
#define ROWS 300
#define CHANGES 40
#define MORE 16
#define SUMS (NET_MOVE_SUMS + NET_HIDDEN)
#define WEIGHTS (NET_WP + NET_HIDDEN * NET_HIDDEN)
#define BIASES (NET_BP + NET_HIDDEN)
#define MORE_ROW (NET_FIRST + NET_HIDDEN)

static int16_t feature[CELLS * NET_CHANNELS], base[CELLS * NET_CHANNELS], rows[ROWS * NET_CHANNELS];
static int16_t w3[NET_HIDDEN];
static uint16_t sum[SUMS], seen[SUMS], slot[CELLS];
static int8_t weight[WEIGHTS];
static int32_t bias[BIASES], threats[MORE * MORE_ROW], policy[CELLS];
static struct TengenNetChange change[CHANGES];

static uint64_t state;
static uint32_t check;

/* The next number of a fixed sequence, 0 <= it < below. */
static int draw(int below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 33) % (uint64_t)below);
}

/* A number within +-limit; every eighth is one of the two bounds. */
static int around(int limit)
{
    if (!draw(8))
        return draw(2) ? limit : -limit;
    return draw(2 * limit + 1) - limit;
}

static void add(int32_t number)
{
    check = (check ^ (uint32_t)number) * 16777619u;
}

/* Some changes of cells; of different ones from `first` on, or of any if it is -1. */
static int draw_changes(int first)
{
    int i, count = draw(CHANGES + 1);
    for (i = 0; i < count; ++i) {
        change[i].slot = (uint16_t)(first < 0 ? draw(CELLS) : (first + 7 * i) % CELLS);
        change[i].region = (uint16_t)draw(NET_REGIONS);
        change[i].before = (uint16_t)draw(ROWS);
        change[i].after = (uint16_t)draw(ROWS);
        change[i].pair_before = change[i].pair_after = (uint16_t)draw(ROWS);
        if (!draw(3))
            change[i].pair_after = (uint16_t)draw(ROWS);
    }
    return count;
}

static void one_round(const struct TengenNetKernels *k)
{
    const int32_t *more[MORE];
    int i, count, own, shift, cell, region;
    for (i = 0; i < CELLS * NET_CHANNELS; ++i) {
        feature[i] = (int16_t)around(draw(4) ? 200 : 32767);
        base[i] = (int16_t)draw(128);
    }
    for (i = 0; i < ROWS * NET_CHANNELS; ++i)
        rows[i] = (int16_t)around(draw(4) ? 60 : 2047);
    for (i = 0; i < SUMS; ++i)
        sum[i] = (uint16_t)around(draw(4) ? 4000 : 32767);
    for (i = 0; i < WEIGHTS; ++i) {
        /* Those of inputs with a sign: of the regions, of the sums, of the policy's first layer. */
        const int is_signed = i < NET_W1 + NET_FIRST * NET_VALUE || (i >= NET_WM && i < NET_WP);
        weight[i] = (int8_t)around(is_signed ? 64 : 127);
    }
    for (i = 0; i < BIASES; ++i)
        bias[i] = around(draw(4) ? 8000 : 1 << 22);
    for (i = 0; i < NET_HIDDEN; ++i)
        w3[i] = (int16_t)around(127);
    for (i = 0; i < MORE * MORE_ROW; ++i)
        threats[i] = around(65535);
    /* A stone that is only looked at: each cell changes once. */
    memcpy(seen, sum, sizeof sum);
    count = draw_changes(draw(CELLS));
    cell = draw(CELLS);
    region = draw(NET_REGIONS);
    k->peek(feature, seen, rows, change, count, base, cell, region);
    for (i = 0; i < SUMS; ++i)
        add(seen[i]);
    /* A stone that is added; the loop must also be right where a cell changes several times. */
    count = draw_changes(-1);
    k->push(feature, sum, rows, change, count, base, cell, region);
    for (i = 0; i < CELLS * NET_CHANNELS; ++i)
        add(feature[i]);
    for (i = 0; i < SUMS; ++i)
        add(sum[i]);
    count = draw(MORE + 1);
    for (i = 0; i < count; ++i)
        more[i] = threats + MORE_ROW * draw(MORE);
    own = draw(2);
    shift = 1 + draw(9);
    add(k->value(sum, NET_HIDDEN * own, shift, weight, bias, more, count, w3));
    for (i = 0; i < CELLS; ++i)
        slot[i] = (uint16_t)draw(CELLS);
    k->policy(sum, NET_HIDDEN / 2 * own, shift, weight, bias, more, count, feature, slot, CELLS,
              policy);
    for (i = 0; i < CELLS; ++i)
        add(policy[i]);
    k->pop(feature, rows, change, draw_changes(-1));
    for (i = 0; i < CELLS * NET_CHANNELS; ++i)
        add(feature[i]);
}

int main(void)
{
    static const char *const paths[] = {"plain", "v2", "avx2"};
    const char *last = "";
    int i, round;
    for (i = 0; i < 3; ++i) {
        const struct TengenNetKernels *k = tengen_net_kernels(paths[i]);
        if (!strcmp(k->path, last))
            continue;               /* the machine lacks it: the one below was chosen */
        last = k->path;
        state = 0x9E3779B97F4A7C15u;
        check = 2166136261u;
        for (round = 0; round < ROUNDS; ++round)
            one_round(k);
        printf("%s %08x\n", k->path, (unsigned)check);
    }
    return 0;
}
