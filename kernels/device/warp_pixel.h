/* SPDX-License-Identifier: MIT
 *
 * warp_pixel.h: reading one pixel of a uint16 image through a map; shared by the warp and block
 * primitives of both back ends. */
#pragma once

#include "core/fold.h"
#include "device/cubic.h"

/* `count` rows from `first` on of an image of h x w. */
struct pixel_source {
    const uint16_t *data;
    int h, w, first, count;
};

KIN_INLINE struct pixel_source pixel_source_of(const struct image_rows *rows)
{
    struct pixel_source src = {rows->pixels, rows->dims.y, rows->dims.x, rows->first, rows->count};
    return src;
}

KIN_INLINE const uint16_t *pixel_row(const struct pixel_source *src, int y)
{
    return src->data + (size_t)(y - src->first) * src->w;
}

/* The nearest row to that which is there. */
KIN_INLINE const uint16_t *pixel_row_given(const struct pixel_source *src, int y)
{
    return src->data + (size_t)cubic_clamp(y - src->first, src->count) * src->w;
}

/* Catmull-Rom between edge pixels, which are repeated beyond the border. */
KIN_INLINE float pixel_at_edge(const struct pixel_source *src, int iy, int ix, const float *wy,
                               const float *wx)
{
    float sum = 0;
    for (int j = 0; j < 4; j++) {
        const uint16_t *row = pixel_row(src, cubic_clamp(iy + j - 1, src->h));
        for (int i = 0; i < 4; i++)
            sum += wy[j] * wx[i] * row[cubic_clamp(ix + i - 1, src->w)];
    }
    return sum;
}

/* The same away from the border: four columns at a time. */
KIN_INLINE float pixel_inside(const struct pixel_source *src, int iy, int ix, const float *wy,
                              const float *wx)
{
    const uint16_t *p = pixel_row(src, iy - 1) + ix - 1;
    float column[4];
    for (int i = 0; i < 4; i++)
        column[i] = wy[0] * p[i] + wy[1] * p[i + src->w] + wy[2] * p[i + 2 * src->w] +
                    wy[3] * p[i + 3 * src->w];
    return wx[0] * column[0] + wx[1] * column[1] + wx[2] * column[2] + wx[3] * column[3];
}

/* floor without a call, for what fits an int. */
KIN_INLINE int pixel_floor(double v)
{
    int i = (int)v;
    return i - (v < i);
}

/* Whether (y, x) lies on a pixel of the image. */
KIN_INLINE bool pixel_there(const struct pixel_source *src, double y, double x)
{
    return y > -0.5 && x > -0.5 && y < src->h - 0.5 && x < src->w - 0.5;
}

/* The value at (y, x) by Catmull-Rom; edge pixels are repeated beyond the border. False:
 * outside. */
KIN_INLINE bool pixel_cubic(const struct pixel_source *src, double y, double x, float *value)
{
    if (!pixel_there(src, y, x))
        return false;
    int iy = pixel_floor(y), ix = pixel_floor(x);
    bool inside = iy > 0 && ix > 0 && iy + 2 < src->h && ix + 2 < src->w;
    float wy[4], wx[4];
    cubic_weights((float)(y - iy), wy);
    cubic_weights((float)(x - ix), wx);
    *value = inside ? pixel_inside(src, iy, ix, wy, wx) : pixel_at_edge(src, iy, ix, wy, wx);
    return true;
}

/* The nearest source pixel holds 0: nothing was measured there (outside the mosaic). */
KIN_INLINE bool pixel_empty(const struct pixel_source *src, double y, double x)
{
    int iy = cubic_clamp(pixel_floor(y + 0.5), src->h),
        ix = cubic_clamp(pixel_floor(x + 0.5), src->w);
    return pixel_row(src, iy)[ix] == 0;
}

/* Where pixel (y, x) is read, the field left out. */
KIN_INLINE void pixel_affine(const struct warp_map *m, int y, int x, double q[2])
{
    double dy = y - m->c[0], dx = x - m->c[1];
    q[0] = m->a[0] * dy + m->a[1] * dx + m->c[0] + m->t[0];
    q[1] = m->a[2] * dy + m->a[3] * dx + m->c[1] + m->t[1];
}

/* Where pixel (y, x) is read. */
KIN_INLINE void pixel_map(const struct warp_map *m, int y, int x, double q[2])
{
    float u[2];
    pixel_affine(m, y, x, q);
    cubic_grid_at(&m->grid, (float)y, (float)x, u);
    q[0] += u[0];
    q[1] += u[1];
}

/* ---- rows that are read once ----------------------------------------------------------------- */

KIN_INLINE bool pixel_has_field(const struct warp_map *m)
{
    return m->grid.rows && m->grid.cols;
}

/* Whether a map is read by rows: see warp.h. */
KIN_INLINE bool pixel_by_rows(const struct warp_map *m)
{
    double down = fabs(m->a[0] - 1), aside = fabs(m->a[2]);
    bool upright = down < WARP_STRETCH && fabs(m->a[3] - 1) < WARP_STRETCH &&
                   fabs(m->a[1]) < WARP_SLANT && aside < WARP_SLANT * m->a[0];
    bool little = down < WARP_BENT_STRETCH && aside < WARP_BENT_SLANT;
    bool near = fabs(m->t[0]) < WARP_BENT_FAR && fabs(m->t[1]) < WARP_BENT_FAR &&
                fabs(m->c[0]) < WARP_BENT_FAR && fabs(m->c[1]) < WARP_BENT_FAR;
    return upright && (!pixel_has_field(m) || (m->grid.gentle && little && near));
}

/* How far row y of the canvas lies below the first of the WARP_KNOTS pixels that are made of the
 * same lines. */
KIN_INLINE int pixel_below_first(int y)
{
    return y & (WARP_KNOTS - 1);
}

/* What a column of the canvas goes along x from row to row of the image: dx/dy; 0 if it is not read
 * by rows. */
KIN_INLINE double pixel_slant(const struct warp_map *m)
{
    return pixel_by_rows(m) ? m->a[2] / m->a[0] : 0;
}

/* Row k of the image where it is crossed at x; edge pixels are repeated beyond the border. */
KIN_INLINE float pixel_crossed(const struct pixel_source *src, int k, double x)
{
    const uint16_t *row = pixel_row(src, cubic_clamp(k, src->h));
    int ix = pixel_floor(x), w = src->w;
    return cubic_between(row[cubic_clamp(ix - 1, w)], row[cubic_clamp(ix, w)],
                         row[cubic_clamp(ix + 1, w)], row[cubic_clamp(ix + 2, w)], (float)(x - ix));
}

/* The same as pixel_cubic where rows are crossed at that slant. */
KIN_INLINE bool pixel_slanted(const struct pixel_source *src, double y, double x, double slant,
                              float *value)
{
    if (!pixel_there(src, y, x))
        return false;
    int iy = pixel_floor(y);
    float v[4];
    for (int j = 0; j < 4; j++)
        v[j] = pixel_crossed(src, iy + j - 1, x + slant * (iy + j - 1 - y));
    *value = cubic_between(v[0], v[1], v[2], v[3], (float)(y - iy));
    return true;
}

/* The same for the j-th pixel of a column from a row of the canvas on that is a multiple of
 * WARP_KNOTS; knots: where the two above that lie, and the two below. */
KIN_INLINE bool pixel_bent(const struct pixel_source *src, const double y[4], const double x[4],
                           int j, float *value)
{
    int on = j ? 2 : 1; /* its line */
    double along = (double)(j ? j - 1 : WARP_KNOTS - 1) / WARP_KNOTS,
           here = y[on] + along * (y[on + 1] - y[on]);
    if (!pixel_there(src, here, x[on] + along * (x[on + 1] - x[on])))
        return false;
    int iy = pixel_floor(here);
    float v[4];
    for (int i = 0; i < 4; i++) {
        int k = iy + i - 1, line = 0;
        while (line < 2 && y[line] + 0.5 * (y[line + 1] - y[line]) < k - 2)
            line++;
        double slant = (x[line + 1] - x[line]) / (y[line + 1] - y[line]);
        v[i] = pixel_crossed(src, k, x[line] + slant * (k - y[line]));
    }
    *value = cubic_between(v[0], v[1], v[2], v[3], (float)(here - iy));
    return true;
}

/* Mean of the k x k pixels (fewer at the far edges) of binned pixel (y, x), rounded. */
KIN_INLINE uint16_t pixel_binned(const uint16_t *src, struct kin_dims dims, int k, int y, int x)
{
    int y1 = y * k + k < dims.y ? y * k + k : dims.y, x1 = x * k + k < dims.x ? x * k + k : dims.x;
    uint64_t sum = 0, n = (uint64_t)(y1 - y * k) * (x1 - x * k);
    for (int j = y * k; j < y1; j++)
        for (int i = x * k; i < x1; i++)
            sum += src[(size_t)j * dims.x + i];
    sum += n / 2; /* a card takes long to divide 64 bits */
    return (uint16_t)(sum >> 32 ? sum / n : (uint32_t)sum / (uint32_t)n);
}

/* ---- log-polar spectra ----------------------------------------------------------------------- */

/* log(1 + |F|) at frequency index (ky, kx); kx 0..w/2, ky of either sign. */
KIN_INLINE float log_magnitude(const float *spectrum, struct kin_dims dims, int ky, int kx)
{
    if (kx > dims.x / 2)
        kx = dims.x / 2;
    const float *v = spectrum + 2 * ((size_t)kin_wrap(ky, dims.y) * (dims.x / 2 + 1) + kx);
    return log1pf(hypotf(v[0], v[1]));
}

/* The same at an angle (radians) and a radius (cycles per pixel). */
KIN_INLINE float log_polar_at(const float *spectrum, struct kin_dims dims, double angle,
                              double radius)
{
    float y = (float)(radius * sin(angle) * dims.y), x = (float)(radius * cos(angle) * dims.x);
    int iy = (int)floorf(y), ix = (int)floorf(x);
    float fy = y - (float)iy, fx = x - (float)ix;
    return (1 - fy) * ((1 - fx) * log_magnitude(spectrum, dims, iy, ix) +
                       fx * log_magnitude(spectrum, dims, iy, ix + 1)) +
           fy * ((1 - fx) * log_magnitude(spectrum, dims, iy + 1, ix) +
                 fx * log_magnitude(spectrum, dims, iy + 1, ix + 1));
}

/* Angle a of `angles` over half a turn, from -pi/2 on; radius r of `radii` from low to high. */
KIN_INLINE double log_polar_angle(int a, int angles)
{
    return M_PI * a / angles - M_PI / 2;
}

KIN_INLINE double log_polar_radius(int r, int radii, float low, float high)
{
    return low * pow((double)high / low, (double)r / radii);
}
