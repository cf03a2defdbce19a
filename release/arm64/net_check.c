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

static int16_t feature[CELLS * NET_CHANNELS], rows[ROWS * NET_CHANNELS];
static int16_t saved[CHANGES * NET_CHANNELS];
static uint16_t sum[NET_CHANNELS], seen[NET_CHANNELS], change[3 * CHANGES], slot[CELLS];
static int8_t w1[NET_CHANNELS * NET_HIDDEN], w2[NET_HIDDEN * NET_HIDDEN], w3[NET_HIDDEN];
static int32_t threats[MORE * NET_HIDDEN], b1[NET_HIDDEN], b2[NET_HIDDEN], dense[NET_HIDDEN], policy[CELLS];
static int16_t policy_weight[2 * NET_POLICY];
static uint8_t in[NET_CHANNELS], h2[NET_HIDDEN];

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

static void one_round(const struct TengenNetKernels *k)
{
    const int32_t *more[MORE];
    int i, count, first;
    for (i = 0; i < CELLS * NET_CHANNELS; ++i)
        feature[i] = (int16_t)around(draw(4) ? 200 : 32767);
    for (i = 0; i < ROWS * NET_CHANNELS; ++i)
        rows[i] = (int16_t)around(draw(4) ? 60 : 2047);
    for (i = 0; i < NET_CHANNELS; ++i) {
        sum[i] = (uint16_t)draw(draw(4) ? 8000 : 61469);
        in[i] = (uint8_t)(draw(4) ? draw(128) : 127);
    }
    for (i = 0; i < NET_CHANNELS * NET_HIDDEN; ++i)
        w1[i] = (int8_t)around(127);
    for (i = 0; i < NET_HIDDEN * NET_HIDDEN; ++i)
        w2[i] = (int8_t)around(127);
    for (i = 0; i < NET_HIDDEN; ++i) {
        w3[i] = (int8_t)around(127);
        b1[i] = around(draw(4) ? 8000 : 1 << 22);
        b2[i] = around(draw(4) ? 8000 : 1 << 22);
        policy_weight[i] = (int16_t)around(127);
    }
    for (i = 0; i < MORE * NET_HIDDEN; ++i)
        threats[i] = around(65535);
    /* A stone that is only looked at: each cell changes once. */
    count = draw(CHANGES + 1);
    first = draw(CELLS);
    for (i = 0; i < count; ++i) {
        change[3 * i] = (uint16_t)((first + 7 * i) % CELLS);
        change[3 * i + 1] = (uint16_t)draw(ROWS);
        change[3 * i + 2] = (uint16_t)draw(ROWS);
    }
    k->peek(feature, sum, rows, change, count, feature + NET_CHANNELS * draw(CELLS), seen);
    for (i = 0; i < NET_CHANNELS; ++i)
        add(seen[i]);
    /* A stone that is added; the loop must also be right where a cell changes several times. */
    count = draw(CHANGES + 1);
    for (i = 0; i < count; ++i) {
        change[3 * i] = (uint16_t)draw(CELLS);
        change[3 * i + 1] = (uint16_t)draw(ROWS);
        change[3 * i + 2] = (uint16_t)draw(ROWS);
    }
    k->push(feature, sum, rows, change, count, saved, feature + NET_CHANNELS * draw(CELLS));
    for (i = 0; i < CELLS * NET_CHANNELS; ++i)
        add(feature[i]);
    for (i = 0; i < NET_CHANNELS; ++i)
        add(sum[i]);
    k->dense(in, draw(2) ? NET_CHANNELS : NET_HIDDEN, w1, b1, dense);
    for (i = 0; i < NET_HIDDEN; ++i)
        add(dense[i]);
    count = draw(MORE + 1);
    for (i = 0; i < count; ++i)
        more[i] = threats + NET_HIDDEN * draw(MORE);
    add(k->head(sum, sum + NET_CHANNELS / 2, draw(10), b1, more, count, w1, w2, b2, w3, h2));
    for (i = 0; i < NET_HIDDEN; ++i)
        add(h2[i]);
    count = draw(CELLS + 1);
    for (i = 0; i < count; ++i)
        slot[i] = (uint16_t)draw(CELLS);
    k->policy(feature, slot, count, policy_weight, policy);
    for (i = 0; i < count; ++i)
        add(policy[i]);
    count = draw(CHANGES + 1);
    for (i = 0; i < count; ++i)
        change[3 * i] = (uint16_t)draw(CELLS);
    k->pop(feature, change, count, saved);
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
        memset(saved, 0, sizeof saved);
        for (round = 0; round < ROUNDS; ++round)
            one_round(k);
        printf("%s %08x\n", k->path, (unsigned)check);
    }
    return 0;
}
