/* SPDX-License-Identifier: MIT
 *
 * pixel_bent.h: reading an image by rows through a gentle field (warp.h), for the CPU: as
 * pixel_rows.h does where columns of the canvas are straight. Here they are made of lines from knot
 * to knot; where one of these crosses a row of the image, that is interpolated once and kept until
 * the last pixel is made of it. A value depends on its place and the map alone, not on where one
 * begins:
 *
 *     bent_begin(&bent, src, map, x0, n);
 *     for (int y = y0; y < y0 + rows; y++)
 *         bent_read(&bent, y, values); */
#pragma once

#include <limits.h>

#include "device/pixel_run.h"

enum {
    BENT = 256,         /* columns that go down together */
    BENT_TOGETHER = 32, /* of these, interpolated at once: a vector of pixels */
    BENT_LINES = 4,     /* a power of two: the lines that are kept, three, and one end */
    BENT_KEPT = 32,     /* rows that are kept: those of three lines, 6 of each at most */
};

/* Where columns are at a row of knots, in whole pixels and what is left of them, for which floats
 * will do; and the lines from there to the next knots. */
struct bent_line {
    int iy[BENT], ix[BENT];        /* ix: less i */
    float y[BENT], x[BENT];        /* past these */
    float down[BENT], slant[BENT]; /* rows to the next knots; dx/dy */
    int begin[BENT];               /* the first row of the image that a line crosses */
    bool within;                   /* all these knots lie in the image */
};

struct bent {
    const struct pixel_source *src;
    const struct warp_map *map;
    int x0, n;                         /* columns */
    int end;                           /* lines have been followed down to these knots */
    struct bent_line line[BENT_LINES]; /* see bent_at */
    float row[BENT_KEPT][BENT];        /* row k of the image is row[k % BENT_KEPT] */
    struct pixel_run run;              /* while knots are found */
};

/* Columns x0 .. x0 + n of the canvas, x0 a multiple of BENT, n at most that, and some more that
 * make the last ones full; the map is read by rows and has a field. */
PIXEL_INLINE void bent_begin(struct bent *b, const struct pixel_source *src,
                             const struct warp_map *map, int x0, int n)
{
    b->src = src;
    b->map = map;
    b->x0 = x0;
    b->n = (n + BENT_TOGETHER - 1) / BENT_TOGETHER * BENT_TOGETHER;
    b->end = INT_MIN;
}

/* The last row of knots up to row y of the canvas. */
PIXEL_INLINE int bent_knots(int y)
{
    return y - ((y - 1) & (WARP_KNOTS - 1));
}

/* The line that begins at row y of the canvas. */
PIXEL_INLINE struct bent_line *bent_at(struct bent *b, int y)
{
    return &b->line[(unsigned)(y - 1) / WARP_KNOTS % BENT_LINES];
}

/* pixel_floor in half the vectors. */
PIXEL_INLINE int bent_floor(float v)
{
    int i = (int)v;
    return i - (v < (float)i);
}

/* Knots at row y of the canvas. */
PIXEL_INLINE void bent_find(struct bent *b, int y)
{
    struct bent_line *line = bent_at(b, y);
    const double bottom = b->src->h - 1, right = b->src->w - 1;
    int outside = 0;
    for (int at = 0, n; at < b->n; at += n) {
        n = pixel_run_length(b->map, b->n - at);
        pixel_run_map(b->map, y, b->x0 + at, n, &b->run);
#pragma omp simd reduction(| : outside)
        for (int i = 0; i < n; i++) {
            double down = b->run.y[i], across = b->run.x[i];
            int iy = pixel_floor(down), ix = pixel_floor(across);
            line->iy[at + i] = iy;
            line->ix[at + i] = ix - (at + i);
            line->y[at + i] = (float)(down - iy);
            line->x[at + i] = (float)(across - ix);
            outside |= (down < 0) | (down > bottom) | (across < 0) | (across > right);
        }
    }
    line->within = !outside;
    b->end = y;
}

/* Columns that are interpolated at once, from the at-th on: what they cross on a line. */
struct bent_range {
    int at;
    int first, end;  /* rows of the image */
    int left, right; /* ix */
};

/* Lines from knots to the next. */
PIXEL_INLINE struct bent_range bent_join(struct bent_line *from, struct bent_line *to, int at)
{
    int first = INT_MAX, end = INT_MIN, left = INT_MAX, right = INT_MIN;
#pragma omp simd reduction(min : first, left) reduction(max : end, right)
    for (int i = at; i < at + BENT_TOGETHER; i++) {
        int iy = from->iy[i], ix = from->ix[i];
        float across = (float)(to->ix[i] - ix) + (to->x[i] - from->x[i]),
              down = (float)(to->iy[i] - iy) + (to->y[i] - from->y[i]), slant = across / down;
        int begin = from->begin[i], next = iy + bent_floor(from->y[i] + 0.5f * down) + 3;
        int one = bent_floor(from->x[i] + ((float)(begin - iy) - from->y[i]) * slant),
            other = bent_floor(from->x[i] + ((float)(next - 1 - iy) - from->y[i]) * slant);
        from->down[i] = down;
        from->slant[i] = slant;
        to->begin[i] = next;
        first = pixel_least(first, begin);
        end = pixel_most(end, next);
        left = pixel_least(left, ix + pixel_least(one, other));
        right = pixel_most(right, ix + pixel_most(one, other));
    }
    return (struct bent_range){at, first, end, left, right};
}

/* Row k where these columns cross it. A pass for each ix is faster than to look for columns that
 * have the same: few differ. */
PIXEL_INLINE void bent_cross(struct bent *b, const struct bent_line *from,
                             const struct bent_line *to, const struct bent_range *range, int k)
{
    const int w = b->src->w, at = range->at, left = range->left, right = range->right;
    const uint16_t *row = pixel_row_given(b->src, k);
    float *kept = b->row[(unsigned)k % BENT_KEPT] + at, x[BENT_TOGETHER];
    int ix[BENT_TOGETHER];
    __builtin_prefetch(pixel_row_given(b->src, k + WARP_KNOTS) +
                       cubic_clamp(at + left, w)); /* next lines */
#pragma omp simd
    for (int i = 0; i < BENT_TOGETHER; i++) {
        float down = (float)(k - from->iy[at + i]) - from->y[at + i],
              across = from->x[at + i] + down * from->slant[at + i];
        /* rounding must not lead past all of them */
        int whole = pixel_most(left, pixel_least(from->ix[at + i] + bent_floor(across), right));
        x[i] = across - (float)(whole - from->ix[at + i]);
        int crosses = (k >= from->begin[at + i]) & (k < to->begin[at + i]);
        ix[i] = crosses ? whole : INT_MAX;
    }
    for (int here = left; here <= right; here++) {
        uint16_t edge[BENT_TOGETHER + 3];
        const int first = at + here - 1;
        const bool inside = first >= 0 && first + BENT_TOGETHER + 3 <= w;
        const uint16_t *v = inside ? row + first : edge;
        for (int i = 0; !inside && i < BENT_TOGETHER + 3; i++)
            edge[i] = row[cubic_clamp(first + i, w)];
#pragma omp simd
        for (int i = 0; i < BENT_TOGETHER; i++) {
            float value = cubic_between(v[i], v[i + 1], v[i + 2], v[i + 3], x[i]);
            kept[i] = ix[i] == here ? value : kept[i];
        }
    }
}

/* The next lines. */
PIXEL_INLINE void bent_follow(struct bent *b)
{
    struct bent_line *from = bent_at(b, b->end), *to = bent_at(b, b->end + WARP_KNOTS);
    struct bent_range range[BENT / BENT_TOGETHER];
    int first = INT_MAX, end = INT_MIN, n = b->n / BENT_TOGETHER;
    bent_find(b, b->end + WARP_KNOTS);
    for (int i = 0; i < n; i++) {
        range[i] = bent_join(from, to, i * BENT_TOGETHER);
        first = pixel_least(first, range[i].first);
        end = pixel_most(end, range[i].end);
    }
    for (int k = first; k < end; k++)
        for (int i = 0; i < n; i++)
            if (k >= range[i].first && k < range[i].end)
                bent_cross(b, from, to, &range[i], k);
}

/* values: the image where the columns from the at-th on are `along` of a line down. */
PIXEL_INLINE void bent_between(const struct bent *b, const struct bent_line *line, float along,
                               int at, float *values)
{
    int iy[BENT_TOGETHER], top = INT_MAX, bottom = INT_MIN;
    float y[BENT_TOGETHER];
#pragma omp simd reduction(min : top) reduction(max : bottom)
    for (int i = 0; i < BENT_TOGETHER; i++) {
        float down = line->y[at + i] + along * line->down[at + i];
        int whole = bent_floor(down);
        y[i] = down - (float)whole;
        iy[i] = line->iy[at + i] + whole;
        top = pixel_least(top, iy[i]);
        bottom = pixel_most(bottom, iy[i]);
    }
    for (int k = top; k <= bottom; k++) {
        const float *rows[4];
        for (int j = 0; j < 4; j++)
            rows[j] = b->row[(unsigned)(k + j - 1) % BENT_KEPT] + at;
#pragma omp simd
        for (int i = 0; i < BENT_TOGETHER; i++) {
            float value = cubic_between(rows[0][i], rows[1][i], rows[2][i], rows[3][i], y[i]);
            values[i] = iy[i] == k ? value : values[i];
        }
    }
}

/* values (BENT): the image where row y of the canvas is read, the rows from top to bottom; NAN
 * outside of it. */
PIXEL_INLINE void bent_read(struct bent *b, int y, float *values)
{
    /* Fours of pixels need rows of their own line and of two before. Of the first line that is
     * followed nobody knows where it begins: it is one more. */
    const int knot = bent_knots(y), needed = y - pixel_below_first(y) + 1 + WARP_KNOTS,
              first = needed - 4 * WARP_KNOTS;
    const struct bent_line *line = bent_at(b, knot), *next = bent_at(b, knot + WARP_KNOTS);
    const float along = (float)(y - knot) / WARP_KNOTS;
    if (b->end < first || b->end > needed) {
        bent_find(b, first);
        memcpy(bent_at(b, first)->begin, bent_at(b, first)->iy, sizeof line->begin);
    }
    while (b->end < needed)
        bent_follow(b);
    for (int at = 0; at < b->n; at += BENT_TOGETHER)
        bent_between(b, line, along, at, values + at);
    if (line->within && next->within)
        return;
    const double bottom = b->src->h - 0.5, right = b->src->w - 0.5;
#pragma omp simd
    for (int i = 0; i < b->n; i++) {
        float down = along * line->down[i];
        double here = line->iy[i] + (double)(line->y[i] + down),
               across = line->ix[i] + i + (double)(line->x[i] + down * line->slant[i]);
        int there = (here > -0.5) & (across > -0.5) & (here < bottom) & (across < right);
        values[i] = there ? values[i] : NAN;
    }
}
