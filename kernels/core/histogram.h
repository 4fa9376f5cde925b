/* SPDX-License-Identifier: MIT
 *
 * histogram.h: how often each value of 16 bits occurs. Threads count beside each other, each into a
 * table of its own:
 *
 *     struct kin_histogram h;
 *     if (!kin_histogram_new(&h, threads)) ...
 *     for (...) {
 *         kin_histogram_expect(&h, rows * width);
 *         #pragma omp parallel for num_threads(threads)
 *         for (...)
 *             kin_histogram_add(&h, row, width);
 *     }
 *     kin_histogram_gather(&h);
 *     ... h.bins ...
 *     kin_histogram_free(&h); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KIN_BINS = 65536 };

struct kin_histogram {
    uint64_t *bins;     /* (KIN_BINS): what was gathered */
    uint32_t *counting; /* (threads, KIN_BINS): what was not */
    uint64_t expected;  /* samples in them, at most */
    int threads;
};

/* An empty one. False: no memory, and nothing to be freed. */
bool kin_histogram_new(struct kin_histogram *h, int threads);
void kin_histogram_free(struct kin_histogram *h);

/* So many samples, at most UINT32_MAX, are about to be added; by one thread at a time. */
void kin_histogram_expect(struct kin_histogram *h, uint64_t samples);

/* Adds n samples, by any thread of a parallel region of at most `threads`. */
void kin_histogram_add(struct kin_histogram *h, const uint16_t *samples, size_t n);

/* The same, but without the samples below `least`, which takes a fraction of the time where they
 * are nearly all. */
void kin_histogram_add_from(struct kin_histogram *h, uint16_t least, const uint16_t *samples,
                            size_t n);

/* Brings all that was added into the bins. */
void kin_histogram_gather(struct kin_histogram *h);

/* bins (KIN_BINS): counts n samples. */
void kin_count_u16(uint32_t *restrict bins, const uint16_t *restrict samples, size_t n);

/* The least value that the share q (0..1) of what bins (KIN_BINS) count does not exceed; 0: they
 * count nothing. */
int kin_quantile_u16(const uint64_t *bins, double q);
