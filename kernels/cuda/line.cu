// SPDX-License-Identifier: MIT
/* line.cu: plans of transforms of lines in shared memory: into which radices a length is
 * divided, and tables. */
#include "cuda/line.h"

namespace {

enum {
    /* of shared memory for complex numbers: as many threads read it at a time */
    BANKS = 16,
    /* that a block should have at least, for 16 in every thread's butterflies */
    BLOCK_SAMPLES = 4096,
    MOST = 64, /* lines of a block */
};

/* What cuda/line_block.h has: for the first stage, those between, and the last one, which makes
 * pairs of l, n - l. */
const int FIRST[] = {3, 4, 5, 7, 8}, RADICES[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16},
          LAST[] = {2, 4, 8};

struct division {
    int count, sum; /* of radices */
    int radix[LINE_STAGES];
};

void add(struct division *to, int radix)
{
    to->radix[to->count++] = radix;
    to->sum += radix;
}

/* Divides what is left of a length by radices no smaller than the one before, then by the last one.
 * Fewer stages are better, of as many those whose radices are most alike. */
void divide_between(int left, int last, const struct division *so_far, struct division *best)
{
    struct division more = *so_far;
    if (more.count == LINE_STAGES)
        return;
    if (left == 1) {
        add(&more, last);
        if (!best->count || more.count < best->count ||
            (more.count == best->count && more.sum < best->sum))
            *best = more;
        return;
    }
    for (int radix : RADICES) {
        more = *so_far;
        bool in_order = more.count == 1 || radix >= more.radix[more.count - 1];
        add(&more, radix);
        if (in_order && left % radix == 0)
            divide_between(left / radix, last, &more, best);
    }
}

/* count: 0, it cannot be divided so. */
struct division divide(int n)
{
    struct division best = {};
    for (int first : FIRST)
        for (int last : LAST) {
            struct division begun = {};
            add(&begun, first);
            if (n % (first * last) == 0)
                divide_between(n / (first * last), last, &begun, &best);
        }
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

/* Where sample i lies in shared memory: its digits, each times how far apart it puts samples
 * there. */
uint16_t place_of(const struct line_plan *c, int i)
{
    int at = 0;
    for (int k = 0; k < c->stages; k++) {
        at += i / c->stage[k].step * c->stage[k].apart;
        i %= c->stage[k].step;
    }
    return (uint16_t)at;
}

/* Where coefficient l does: its last digit, to the base of the first radix, says in which part of a
 * line. */
uint16_t reversed_of(const struct line_plan *c, int l)
{
    int at = 0;
    for (int k = 0; k < c->stages; k++) {
        at += l % c->stage[k].radix * c->stage[k].apart;
        l /= c->stage[k].radix;
    }
    return (uint16_t)at;
}

/* Butterflies of the last stage. */
int waves_of(const struct line_plan *c)
{
    return c->n / c->stage[c->stages - 1].radix;
}

/* How far the samples of a stage are apart, so that threads that are neighbours meet no bank twice:
 * neither when they take samples side by side, nor coefficients, which the first stages' digits
 * tell apart. */
int apart_of(int stage, int least)
{
    if (stage == 0)
        return least | 1;
    return least < BANKS ? least : (least + BANKS / 2 - 1) / BANKS * BANKS + BANKS / 2;
}

/* Doubles a block's lines, of `stride` samples at most, until it has samples enough, or a
 * multiprocessor no more room for LINE_BLOCKS of it; to at least `fewest`, if there is room for
 * two. Answers how often. */
int shift_of(const struct gpu *gpu, int n, int stride, int fewest)
{
    int shift = 0;
    for (; 2 << shift <= MOST; shift++) {
        size_t bytes = (size_t)stride * sizeof(float2) << (shift + 1);
        bool few = 2 << shift <= fewest;
        if (bytes > gpu->shared ||
            (few ? 2 : LINE_BLOCKS) * (bytes + gpu->shared_reserved) > gpu->shared_all ||
            (!few && n << shift >= BLOCK_SAMPLES))
            break;
    }
    return shift;
}

/* All but the tables. stages: 0, n has another factor than 2, 3, 5 and 7, or too many or too
 * few. */
struct line_plan shape_of(const struct device *dev, int n, int fewest)
{
    struct line_plan c = {};
    struct division by = divide(n);
    int step = 1, apart = 1, twiddle = 0;
    c.n = n;
    c.stages = by.count;
    for (int k = by.count; k--;) {
        apart = apart_of(k, apart);
        c.stage[k] = {by.radix[k], step, apart, twiddle, divisor(n / by.radix[k]), divisor(step)};
        twiddle += step;
        step *= by.radix[k];
        apart *= by.radix[k];
    }
    if (!c.stages)
        return c;
    c.samples = divisor(c.stage[0].step / 2);
    c.waves = divisor((waves_of(&c) + 1) / 2);
    c.shift = shift_of(gpu_of(dev), n, apart + BANKS - 1, fewest);
    /* of a line, among threads that read at a time */
    int neighbours = c.shift < 4 ? BANKS >> c.shift : 1;
    c.stride = (apart - neighbours + BANKS - 1) / BANKS * BANKS + neighbours;
    return c;
}

size_t twiddles_of(const struct line_plan *c)
{
    return (size_t)(c->stage[0].twiddle + c->stage[0].step);
}

/* Of the tables, which are one piece. */
size_t bytes_of(const struct line_plan *c)
{
    size_t n = (size_t)c->n, waves = (size_t)waves_of(c);
    return (twiddles_of(c) + waves) * sizeof(float2) + (waves + n) * sizeof(uint16_t);
}

void place_tables(struct line_plan *c, const void *memory)
{
    c->twiddle = (const float2 *)memory;
    c->turn = c->twiddle + twiddles_of(c);
    c->wave = (const uint16_t *)(c->turn + waves_of(c));
    c->place = c->wave + waves_of(c);
}

/* Fills tables of the host. */
void fill(const struct line_plan *c)
{
    float2 *twiddle = (float2 *)c->twiddle, *turn = (float2 *)c->turn;
    uint16_t *wave = (uint16_t *)c->wave, *place = (uint16_t *)c->place;
    for (int k = 0; k < c->stages; k++)
        for (int j = 0; j < c->stage[k].step; j++)
            twiddle[c->stage[k].twiddle + j] = turn_of(-(double)j /
                                                       (c->stage[k].step * c->stage[k].radix));
    for (int l = 0; l < waves_of(c); l++) {
        turn[l] = turn_of(-(double)l / (4.0 * c->n));
        wave[l] = reversed_of(c, l);
    }
    for (int i = 0; i < c->n; i++)
        place[i] = place_of(c, i);
}

} // namespace

bool gpu_line_suits(const struct device *dev, int n)
{
    struct line_plan c = shape_of(dev, n, 1);
    return c.stages && c.stride <= UINT16_MAX && gpu_line_bytes(&c) <= gpu_of(dev)->shared;
}

struct line_plan gpu_line_plan(struct device *dev, int n, int fewest)
{
    struct line_plan c = shape_of(dev, n, fewest);
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
