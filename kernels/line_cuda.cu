// SPDX-License-Identifier: MIT
/* line_cuda.cu: plans of transforms of lines in shared memory: into which radices a length is divided, and
 * tables.
 */
#include "line_cuda.h"

extern "C" {
#include "dct.h"
}

namespace {

const int RADICES[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16};

struct division {
    int count, sum; /* of radices */
    int radix[LINE_STAGES];
};

/* Divides what is left of a length by radices no smaller than the last one. Fewer stages are better, of as many
 * those whose radices are most alike. The last one, which needs no twiddles, is the largest. */
void divide_by(int left, const struct division *so_far, struct division *best)
{
    if (left == 1 && (!best->count || so_far->count < best->count ||
                      (so_far->count == best->count && so_far->sum < best->sum)))
        *best = *so_far;
    if (left == 1 || so_far->count == LINE_STAGES)
        return;
    for (int radix : RADICES) {
        struct division more = *so_far;
        bool in_order = !more.count || radix >= more.radix[more.count - 1];
        more.radix[more.count++] = radix;
        more.sum += radix;
        if (in_order && left % radix == 0)
            divide_by(left / radix, &more, best);
    }
}

/* count: 0, it has another factor than 2, 3, 5 and 7, or too many. */
struct division divide(int n)
{
    struct division none = {}, best = {};
    divide_by(n, &none, &best);
    return best;
}

struct gpu_divisor divisor(int by)
{
    return {(unsigned)by, (unsigned)((((uint64_t)1 << 32) + (unsigned)by - 1) / (unsigned)by)};
}

float2 turn_of(double turns)
{
    return float2{(float)cos(2 * M_PI * turns), (float)sin(2 * M_PI * turns)};
}

/* Where sample i lies in shared memory: its digits, each times how far apart it puts samples there. */
uint16_t place_of(const struct line_plan *c, int i)
{
    int at = 0;
    for (int k = 0; k < c->stages; k++) {
        at += i / c->stage[k].step * c->stage[k].apart;
        i %= c->stage[k].step;
    }
    return (uint16_t)at;
}

/* Where coefficient l does: its last digit, to the base of the first radix, says in which part of a line. */
uint16_t reversed_of(const struct line_plan *c, int l)
{
    int at = 0;
    for (int k = 0; k < c->stages; k++) {
        at += l % c->stage[k].radix * c->stage[k].apart;
        l /= c->stage[k].radix;
    }
    return (uint16_t)at;
}

/* All but the tables. stages: 0, n has another factor than 2, 3, 5 and 7, or too many. */
struct line_plan shape_of(int n)
{
    struct line_plan c = {};
    struct division by = divide(n);
    int step = 1, apart = 1, twiddle = 0;
    for (int k = by.count; k--;) {
        c.stage[k] = {by.radix[k], step, apart, twiddle, divisor(n / by.radix[k]), divisor(step)};
        twiddle += step;
        step *= by.radix[k];
        apart = apart * by.radix[k] | 1;
    }
    c.n = n;
    c.stride = (apart + 11) / 16 * 16 + 4; /* a quarter of the banks from line to line */
    c.stages = by.count;
    return c;
}

size_t twiddles_of(const struct line_plan *c)
{
    return (size_t)(c->stage[0].twiddle + c->stage[0].step);
}

/* Of the tables, which are one piece. */
size_t bytes_of(const struct line_plan *c)
{
    size_t n = (size_t)c->n;
    return (twiddles_of(c) + n / 2) * sizeof(float2) + n / 2 * sizeof(ushort2) + 2 * n * sizeof(uint16_t);
}

void place_tables(struct line_plan *c, const void *memory)
{
    c->twiddle = (const float2 *)memory;
    c->turn = c->twiddle + twiddles_of(c);
    c->pair = (const ushort2 *)(c->turn + c->n / 2);
    c->place = (const uint16_t *)(c->pair + c->n / 2);
    c->sorted = c->place + c->n;
}

/* Fills tables of the host. */
void fill(const struct line_plan *c)
{
    float2 *twiddle = (float2 *)c->twiddle, *turn = (float2 *)c->turn;
    ushort2 *pair = (ushort2 *)c->pair;
    uint16_t *sorted = (uint16_t *)c->sorted, *place = (uint16_t *)c->place;
    for (int k = 0; k < c->stages; k++)
        for (int j = 0; j < c->stage[k].step; j++)
            twiddle[c->stage[k].twiddle + j] = turn_of(-(double)j / (c->stage[k].step * c->stage[k].radix));
    for (int l = 0; l < c->n / 2; l++) {
        turn[l] = turn_of(-(double)l / (4.0 * c->n));
        pair[l] = ushort2{reversed_of(c, l), reversed_of(c, l ? c->n - l : c->n / 2)};
    }
    for (int i = 0; i < c->n; i++) {
        sorted[i] = place_of(c, dct_place(i, c->n));
        place[i] = place_of(c, i);
    }
}

} // namespace

bool gpu_line_suits(const struct device *dev, int n)
{
    struct line_plan c = shape_of(n);
    return n % 2 == 0 && c.stages && c.stride <= UINT16_MAX && gpu_line_bytes(&c) <= gpu_of(dev)->shared;
}

struct line_plan gpu_line_plan(struct device *dev, int n)
{
    struct line_plan c = shape_of(n);
    size_t bytes = bytes_of(&c);
    void *host = malloc(bytes), *there = gpu_alloc(dev, bytes);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for the tables of a transform");
    if (host && there) {
        place_tables(&c, host);
        fill(&c);
        gpu_upload(dev, there, host, bytes);
        place_tables(&c, there);
    }
    free(host);
    return c;
}

void gpu_line_free(struct device *dev, struct line_plan *plan)
{
    gpu_release(dev, (void *)plan->twiddle);
}
