/* SPDX-License-Identifier: MIT
 *
 * domain.h: a block of a volume that is cut in y and x, and the band of rows that it is taken from
 * or that its core goes to; the arithmetic of one sample, for both back ends.
 *
 *     band (z, rows, volume.x)                block (z, dims.y, dims.x) around (y, x)
 *     +----------------------------------+    +-----------------+
 *     |   (y, x)                         |    | halo            |
 *     |      +---------------+           | -> |    +-------+    |   what lies outside of the volume
 *     |      |               |           |    |    | core  |    |   is mirrored, or comes from its
 *     +------+---------------+-----------+    +-----------------+   other side */
#pragma once

#include "core/fold.h"

struct domain {
    struct kin_dims dims, volume;
    int y, x;   /* of the block's first sample in the volume; may lie outside of it */
    int band_y; /* the band's first row */
    int band_rows;
    bool periodic;      /* in y and x; else mirrored */
    enum kin_type type; /* of the band's samples */
    float offset;       /* ADU without light: taken off on the way in, put back on the way out */
};

/* The core of a block: rows x cols from its sample (y0, x0) on goes to column x of a band of as
 * many rows. */
struct domain_core {
    struct kin_dims dims, volume; /* as above */
    int y0, x0, rows, cols, x;
    enum kin_type type; /* KIN_U16 or KIN_F32 */
    float offset;
};

enum { DOMAIN_HIGH = 64000 }; /* samples above it are counted */

/* Where row i (or column) of the block is read. */
KIN_INLINE int domain_fold(int i, int n, bool periodic)
{
    return periodic ? kin_wrap(i, n) : kin_mirror(i, n);
}

KIN_INLINE float domain_above(float v, float offset)
{
    return v > offset ? v - offset : 0;
}

KIN_INLINE float domain_value(const void *band, size_t i, enum kin_type type, float offset)
{
    return domain_above(type == KIN_U16  ? ((const uint16_t *)band)[i]
                        : type == KIN_U8 ? ((const uint8_t *)band)[i]
                                         : ((const float *)band)[i],
                        offset);
}

/* The row of the band that row y is read from. */
KIN_INLINE size_t domain_line(const struct domain *d, int y)
{
    return (size_t)(domain_fold(d->y + y, d->volume.y, d->periodic) - d->band_y);
}

/* The place in the band of row y of plane z. */
KIN_INLINE size_t domain_row(const struct domain *d, int z, int y)
{
    return ((size_t)z * d->band_rows + domain_line(d, y)) * d->volume.x;
}

/* Puts a sample into place i of a band; answers whether it is high. */
KIN_INLINE bool domain_put(void *band, size_t i, enum kin_type type, float v)
{
    if (type == KIN_U16)
        ((uint16_t *)band)[i] = kin_round_u16(v);
    else
        ((float *)band)[i] = v;
    return v > DOMAIN_HIGH;
}
