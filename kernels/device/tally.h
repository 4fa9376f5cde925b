/* SPDX-License-Identifier: MIT
 *
 * tally.h: what the quality of a plane of 16-bit pixels is found from (qc/qc.h): how often each
 * value occurs, and sums over rows, columns and 3 x 3 windows. All are integers, so that neither
 * the order matters nor which device adds them.
 *
 *     struct tally *tally = dev->tally_new(dev, plane);
 *     dev->tally_add(dev, tally, rows, n); // as often as needed, top to bottom
 *     dev->tally_read(dev, tally, &sums);
 *     dev->tally_free(dev, tally);
 *
 * A row's windows are complete when the row below it is there. The last two rows are kept:
 *
 *     kept      row y-2   \  windows of row y-1 are
 *     kept      row y-1    > complete when row y
 *     rows      row y     /  arrives */
#pragma once

#include "kintsugi.h"

enum { TALLY_VALUES = 65536, TALLY_TENTHS = 10 };

/* Of a row: the sums of its tenths (tally_tenth), and over the windows around its pixels that have
 * no zero, which is outside of the picture: how many, and the sums of 4-neighbour Laplacians, of
 * their squares and of |Immerkaer's mask| (CVGIU 64:300, 1996). */
struct tally_row {
    uint64_t tenths[TALLY_TENTHS];
    int64_t windows, laplace, squares, noise;
};

struct tally_sums {         /* of a plane (h, w); host memory, the caller's */
    uint64_t *values;       /* (TALLY_VALUES): how often each occurs */
    uint64_t *columns;      /* (w): sums */
    struct tally_row *rows; /* (h) */
};

/* Where tenth k of a row of w pixels begins. */
KIN_INLINE int tally_tenth(int w, int k)
{
    return (int)((int64_t)w * k / TALLY_TENTHS);
}

/* What a tally takes of a card. */
KIN_INLINE size_t tally_bytes(int h, int w)
{
    return TALLY_VALUES * sizeof(uint64_t) + (size_t)w * (sizeof(uint64_t) + 2 * sizeof(uint16_t)) +
           (size_t)h * sizeof(struct tally_row);
}
