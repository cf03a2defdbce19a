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
#define PAIRS 144
#define CHANGES 40
#define MORE 16
#define SUMS (NET_REGIONS * NET_VALUE)
#define WEIGHTS (NET_WP + NET_HIDDEN * NET_HIDDEN)
#define BIASES (NET_BP + NET_HIDDEN)
#define MORE_ROW (NET_FIRST + NET_HIDDEN)

static int16_t feature[CELLS * NET_VALUE], next[CHANGES * NET_VALUE], move_feature[CELLS * NET_HIDDEN];
static int16_t base[CELLS * NET_CHANNELS], rows[ROWS * NET_CHANNELS], pairs[PAIRS * NET_CHANNELS];
static int16_t w3[NET_HIDDEN];
static uint16_t sum[SUMS], after[SUMS], move_sum[NET_HIDDEN], slot[CELLS];
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

static void add(const void *numbers, int count, int bytes)
{
    int i;
    for (i = 0; i < count; ++i) {
        const int32_t number = bytes == 4 ? ((const int32_t *)numbers)[i] : ((const int16_t *)numbers)[i];
        check = (check ^ (uint32_t)number) * 16777619u;
    }
}

static void fill(int16_t *numbers, int count, int usual, int most)
{
    int i;
    for (i = 0; i < count; ++i)
        numbers[i] = (int16_t)around(draw(4) ? usual : most);
}

/* A pair of threats, 0 to 8 each. */
static uint8_t draw_pair(void)
{
    const int black = draw(9);
    return (uint8_t)(black | draw(9) << 4);
}

/* Some changes of different cells; the pair of threats changes in those from the returned number on. */
static int draw_changes(int *count)
{
    int i, alone, first = draw(CELLS);
    *count = draw(CHANGES + 1);
    alone = draw(*count + 1);
    for (i = 0; i < *count; ++i) {
        change[i].cell = (uint16_t)((first + 7 * i) % CELLS);
        change[i].was.at = change[i].cell;
        change[i].was.region = (uint8_t)draw(NET_REGIONS);
        change[i].was.threats = change[i].threats = draw_pair();
        change[i].before = (uint16_t)draw(ROWS);
        change[i].after = (uint16_t)draw(ROWS);
        if (i >= alone)
            change[i].threats = draw_pair();
    }
    return alone;
}

static void one_round(const struct TengenNetKernels *k)
{
    const int32_t *more[MORE];
    int i, count, alone, cell, mores, own, shift;
    for (i = 0; i < CELLS * NET_CHANNELS; ++i)
        base[i] = (int16_t)draw(128);
    fill(feature, CELLS * NET_VALUE, 200, 32767);
    fill(move_feature, CELLS * NET_HIDDEN, 200, 32767);
    fill(rows, ROWS * NET_CHANNELS, 60, 2047);
    fill(pairs, PAIRS * NET_CHANNELS, 60, 2047);
    fill((int16_t *)sum, SUMS, 4000, 32767);
    fill((int16_t *)move_sum, NET_HIDDEN, 4000, 32767);
    for (i = 0; i < CELLS; ++i)
        slot[i] = (uint16_t)i;
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
    alone = draw_changes(&count);
    cell = draw(CELLS);
    k->add(feature, next, sum, after, rows, pairs, change, alone, count - alone, base, cell, cell,
           draw(NET_REGIONS));
    add(next, count * NET_VALUE, 2);
    add(after, SUMS, 2);
    k->move_add(move_feature, move_sum, rows, pairs, change, count, base, slot, cell);
    add(move_feature, CELLS * NET_HIDDEN, 2);
    add(move_sum, NET_HIDDEN, 2);
    mores = draw(MORE + 1);
    for (i = 0; i < mores; ++i)
        more[i] = threats + MORE_ROW * draw(MORE);
    own = draw(2);
    shift = 1 + draw(9);
    i = k->value(after, NET_HIDDEN * own, shift, weight, bias, more, mores, w3);
    add(&i, 1, 4);
    k->policy(move_sum, NET_HIDDEN / 2 * own, shift, weight, bias, more, mores, move_feature, slot, CELLS,
              policy);
    add(policy, CELLS, 4);
    k->move_remove(move_feature, rows, pairs, change, count, slot);
    add(move_feature, CELLS * NET_HIDDEN, 2);
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
