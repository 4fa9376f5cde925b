// SPDX-License-Identifier: MIT
/* focus_cpu.c: finding and taking the plane in focus, on the CPU.
 *
 * Sums in boxes are exact, so that where a loop starts does not show: those of values fit a uint32
 * out to radius 127, those of squares the 53 bits of a double. */
#include "core/simd.h"
#include "device/device_cpu.h"
#include "device/focus_pixel.h"

#include <stdlib.h>
#include <string.h>

/* ---- variance in boxes, averaged over bins --------------------------------------------------- */

/* Sums over the 2r+1 rows around the current one, with r mirrored columns on both sides. */
struct box {
    int width, radius;
    uint32_t *s1;  /* (radius + width + radius) */
    double *s2;    /* the same */
    double *sum;   /* (width): variances of the rows of a bin, added */
    double *light; /* (width): values of these rows, added */
};

/* The variance of the n values with that sum and sum of squares, from exact integers. */
static double box_variance(double n, double sum, double squares)
{
    return (n * squares - sum * sum) * (1 / (n * n));
}

static bool box_new(struct box *w, int width, int radius)
{
    size_t wide = (size_t)width + 2 * (size_t)radius;
    *w = (struct box){.width = width, .radius = radius};
    w->s1 = kin_alloc(wide * sizeof *w->s1);
    w->s2 = kin_alloc(wide * sizeof *w->s2);
    w->sum = kin_alloc(2 * (size_t)width * sizeof *w->sum);
    w->light = w->sum ? w->sum + width : NULL;
    return w->s1 && w->s2 && w->sum;
}

static void box_free(struct box *w)
{
    free(w->s1);
    free(w->s2);
    free(w->sum);
}

VECTOR_CLONES static void add_row(uint32_t *s1, double *s2, const uint16_t *in, int n, int top)
{
    for (int x = 0; x < n; x++) {
        int v = in[x] < top ? in[x] : top;
        s1[x] += (uint32_t)v;
        s2[x] += (double)v * v;
    }
}

VECTOR_CLONES static void slide_row(uint32_t *s1, double *s2, const uint16_t *in,
                                    const uint16_t *out, int n, int top)
{
    for (int x = 0; x < n; x++) {
        int a = in[x] < top ? in[x] : top, b = out[x] < top ? out[x] : top;
        s1[x] += (uint32_t)(a - b);
        s2[x] += (double)a * a - (double)b * b;
    }
}

static void mirror_sides(struct box *w)
{
    int r = w->radius;
    for (int k = 1; k <= r; k++) {
        int left = r + kin_mirror(-k, w->width), right = r + kin_mirror(w->width - 1 + k, w->width);
        w->s1[r - k] = w->s1[left];
        w->s2[r - k] = w->s2[left];
        w->s1[r + w->width - 1 + k] = w->s1[right];
        w->s2[r + w->width - 1 + k] = w->s2[right];
    }
}

/* Adds the variances of one row to sum. */
VECTOR_CLONES static void add_variances(double *restrict sum, const uint32_t *restrict s1,
                                        const double *restrict s2, int n, int radius)
{
    double count = (2.0 * radius + 1) * (2.0 * radius + 1);
    enum { CHUNK = 256 };
    uint32_t a[CHUNK];
    double b[CHUNK];
    for (int x0 = 0; x0 < n; x0 += CHUNK) {
        int m = n - x0 < CHUNK ? n - x0 : CHUNK;
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        for (int k = 0; k <= 2 * radius; k++)
            for (int x = 0; x < m; x++) {
                a[x] += s1[x0 + x + k];
                b[x] += s2[x0 + x + k];
            }
        for (int x = 0; x < m; x++)
            sum[x0 + x] += box_variance(count, a[x], b[x]);
    }
}

static void bin_columns(float *dst, const double *sum, int width, int bin, int rows)
{
    for (int i = 0; i * bin < width; i++) {
        int cols = width - i * bin < bin ? width - i * bin : bin;
        double total = 0;
        for (int k = 0; k < cols; k++)
            total += sum[i * bin + k];
        dst[i] = (float)(total / ((double)cols * rows));
    }
}

/* Bin row j of a plane whose first row of pixels is row `radius` of src; first: the sums are
 * empty. */
static void measure_bins(struct box *w, const uint16_t *src, int rows, int bin, int j, int top,
                         bool first, float *spread, float *level)
{
    size_t width = (size_t)w->width;
    int y0 = j * bin, count = rows - y0 < bin ? rows - y0 : bin, r = w->radius;
    memset(w->sum, 0, 2 * width * sizeof *w->sum);
    for (int y = y0; y < y0 + count; y++) {
        if (first && y == y0) {
            for (int k = 0; k <= 2 * r; k++)
                add_row(w->s1 + r, w->s2 + r, src + (size_t)(y + k) * width, w->width, top);
        } else {
            slide_row(w->s1 + r, w->s2 + r, src + (size_t)(y + 2 * r) * width,
                      src + (size_t)(y - 1) * width, w->width, top);
        }
        mirror_sides(w);
        add_variances(w->sum, w->s1, w->s2, w->width, r);
        const uint16_t *row = src + (size_t)(y + r) * width;
        for (int x = 0; x < w->width; x++)
            w->light[x] += row[x] < top ? row[x] : top;
    }
    bin_columns(spread, w->sum, w->width, bin, count);
    bin_columns(level, w->light, w->width, bin, count);
}

void cpu_focus_measure(struct device *dev, float *spread, float *level, const uint16_t *src,
                       struct kin_dims dims, int radius, int bin, int top)
{
    enum { CHUNK = 16 };
    if (device_stopped(dev))
        return;
    int rows = dims.y - 2 * radius, bins = (rows + bin - 1) / bin,
        across = (dims.x + bin - 1) / bin, failed = 0;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic) reduction(+ : failed)
    for (int j0 = 0; j0 < bins; j0 += CHUNK) {
        struct box w;
        bool good = box_new(&w, dims.x, radius);
        for (int j = j0; good && j < j0 + CHUNK && j < bins; j++)
            measure_bins(&w, src, rows, bin, j, top, j == j0, spread + (size_t)j * across,
                         level + (size_t)j * across);
        box_free(&w);
        failed += !good;
    }
    if (failed)
        device_fail(dev, KIN_MEMORY, "no memory for rows of %d box sums", dims.x);
}

void cpu_focus_score(struct device *dev, float *score, const float *spread, const float *level,
                     float add, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        score[i] = spread[i] / (level[i] + add);
}

/* ---- the peak over z ------------------------------------------------------------------------- */

void cpu_focus_peak(struct device *dev, float *z, float *weight, float *trust, const float *score,
                    size_t n, const struct focus_planes *planes, bool fine)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++) {
        float column[FOCUS_PLANES];
        for (int k = 0; k < planes->count; k++)
            column[k] = score[(size_t)k * n + i];
        struct focus_found found = focus_best(column, planes, fine);
        z[i] = found.z;
        weight[i] = found.weight;
        trust[i] = found.trust;
    }
}

/* ---- the map --------------------------------------------------------------------------------- */

void cpu_median5(struct device *dev, float *dst, const float *src, struct kin_dims dims)
{
    if (device_stopped(dev))
        return;
    int pairs = (dims.y + 1) / 2;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < dims.z * pairs; i++) {
        size_t plane = (size_t)(i / pairs) * (size_t)dims.y * (size_t)dims.x;
        int y = i % pairs * 2;
        for (int x = 0; x < dims.x; x++) {
            float median[2];
            median_pair(src + plane, dims.y, dims.x, y, x, median);
            for (int k = 0; k < 2 && y + k < dims.y; k++)
                dst[plane + (size_t)(y + k) * (size_t)dims.x + (size_t)x] = median[k];
        }
    }
}

void cpu_focus_weigh(struct device *dev, float *weighted, const float *z, const float *weight,
                     size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        weighted[i] = z[i] * weight[i];
}

void cpu_focus_settle(struct device *dev, float *z, const float *weighted, const float *weight,
                      float fallback, float doubt, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        z[i] = focus_settled(weighted[i], weight[i], fallback, doubt);
}

/* ---- taking the pixels ----------------------------------------------------------------------- */

/* One row of the map at full resolution: pixel row y. */
static void map_row(float *z, const struct focus_map *map, int y, int width)
{
    struct focus_axis down = focus_axis_of(map->bin, map->dims.y),
                      across = focus_axis_of(map->bin, map->dims.x);
    struct focus_rows rows = focus_rows_at(map->z, map->dims.x, &down, y - map->y0);
    for (int x = 0; x < width; x++) {
        struct focus_between columns = focus_between(&across, x);
        z[x] = focus_depth(&rows, &columns);
    }
}

void cpu_focus_take(struct device *dev, uint16_t *dst, float *z, const struct focus_stack *stack,
                    const struct focus_map *map, int y0, int rows)
{
    if (device_stopped(dev))
        return;
    const struct focus_planes *planes = stack->planes;
    int width = stack->width;
    struct focus_step steps[FOCUS_PLANES];
    float first = (float)planes->number[0], last = (float)planes->number[planes->count - 1];
    focus_steps_of(planes, steps);
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int y = 0; y < rows; y++) {
        size_t at = (size_t)y * (size_t)width;
        map_row(z + at, map, y0 + y, width);
        for (size_t i = at; i < at + (size_t)width; i++) {
            float depth = kin_clamp(z[i], first, last);
            const struct focus_step *step = &steps[(int)(depth - first)];
            float here = stack->pixels[stack->plane * (size_t)step->place + i],
                  next = stack->pixels[stack->plane * (size_t)step->next + i];
            dst[i] = kin_round_u16(focus_pixel(focus_share(step, depth), here, next));
        }
    }
}
