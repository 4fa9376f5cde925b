// SPDX-License-Identifier: MIT
#include "core/histogram.h"

#include "core/simd.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

bool kin_histogram_new(struct kin_histogram *h, int threads)
{
    *h = (struct kin_histogram){calloc(KIN_BINS, sizeof *h->bins),
                                calloc((size_t)threads * KIN_BINS, sizeof *h->counting), 0,
                                threads};
    if (h->bins && h->counting)
        return true;
    kin_histogram_free(h);
    return false;
}

void kin_histogram_free(struct kin_histogram *h)
{
    free(h->bins);
    free(h->counting);
    *h = (struct kin_histogram){0};
}

void kin_histogram_expect(struct kin_histogram *h, uint64_t samples)
{
    if (h->expected + samples > UINT32_MAX)
        kin_histogram_gather(h);
    h->expected += samples;
}

/* The table of this thread. */
static uint32_t *own_table(const struct kin_histogram *h)
{
    return h->counting + (size_t)omp_get_thread_num() * KIN_BINS;
}

void kin_histogram_add(struct kin_histogram *h, const uint16_t *samples, size_t n)
{
    kin_count_u16(own_table(h), samples, n);
}

enum { BLOCK = 64 };

VECTOR_CLONES static void count_from(uint32_t *restrict bins, uint16_t least,
                                     const uint16_t *restrict samples, size_t n)
{
    for (size_t i = 0; i + BLOCK <= n; i += BLOCK) {
        uint16_t top = 0;
        for (size_t j = i; j < i + BLOCK; j++)
            top = samples[j] > top ? samples[j] : top;
        for (size_t j = i; top >= least && j < i + BLOCK; j++)
            if (samples[j] >= least)
                bins[samples[j]]++;
    }
    for (size_t i = n - n % BLOCK; i < n; i++)
        if (samples[i] >= least)
            bins[samples[i]]++;
}

void kin_histogram_add_from(struct kin_histogram *h, uint16_t least, const uint16_t *samples,
                            size_t n)
{
    if (least)
        count_from(own_table(h), least, samples, n);
    else
        kin_histogram_add(h, samples, n);
}

void kin_histogram_gather(struct kin_histogram *h)
{
    for (int t = 0; t < h->threads; t++)
        for (int v = 0; v < KIN_BINS; v++)
            h->bins[v] += h->counting[(size_t)t * KIN_BINS + (size_t)v];
    memset(h->counting, 0, (size_t)h->threads * KIN_BINS * sizeof *h->counting);
    h->expected = 0;
}

void kin_count_u16(uint32_t *restrict bins, const uint16_t *restrict samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bins[samples[i]]++;
}

int kin_quantile_u16(const uint64_t *bins, double q)
{
    uint64_t total = 0, below = 0;
    for (int v = 0; v < KIN_BINS; v++)
        total += bins[v];
    for (int v = 0; v < KIN_BINS; v++)
        if (total && (double)(below += bins[v]) >= q * (double)total && below)
            return v;
    return 0;
}
