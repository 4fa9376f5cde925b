// SPDX-License-Identifier: MIT
// stitch_seams.c: whether the mosaic is as sharp where tiles overlap as beside.
//
// The variance of the Laplacian falls where two tiles are averaged, also when they fit perfectly,
// because noise averages out. Noise of variance s^2 has a Laplacian of variance 20 s^2; in the
// middle half of an overlap, where the weights w and 1-w run from 1/4 to 3/4, a mean keeps 13/24 of
// it. Both are taken off before the ratio is formed. Tissue that does not fit keeps 13/24 as well,
// tissue that fits all. A real mosaic that fits has 0.5 to 1 (its noise is not quite white), a
// displaced one 0.3. s is estimated in the strips beside the seam (Immerkaer 1996). All of it is
// done on sums of 2 x 2 pixels: there tissue still has edges, and noise counts four times less.
#include "stitch.h"

#include <math.h>
#include <stdlib.h>

struct rect {
    int y0, x0, y1, x1; /* ends excluded */
};

/* Sums of 2 x 2 pixels of a rectangle; NULL: too small, or no memory. The caller's. */
static int32_t *bin(const uint16_t *image, int w, struct rect r, int *rows, int *cols)
{
    *rows = (r.y1 - r.y0) / 2;
    *cols = (r.x1 - r.x0) / 2;
    if (*rows < 3 || *cols < 3)
        return NULL;
    int32_t *sums = malloc((size_t)*rows * (size_t)*cols * sizeof *sums);
    for (int i = 0; sums && i < *rows * *cols; i++) {
        const uint16_t *p = image + (size_t)(r.y0 + i / *cols * 2) * (size_t)w +
                            (size_t)(r.x0 + i % *cols * 2);
        sums[i] = p[0] + p[1] + p[w] + p[w + 1];
    }
    return sums;
}

/* Variance of the Laplacian of a rectangle, and the noise's standard deviation; false: too small.
 */
static bool sharpness(const uint16_t *image, int w, struct rect r, double *variance, double *noise)
{
    double sum = 0, square = 0, rough = 0;
    int rows, cols;
    int32_t *b = bin(image, w, r, &rows, &cols);
    if (!b)
        return false;
    for (int y = 1; y < rows - 1; y++) {
        const int32_t *up = b + (size_t)(y - 1) * (size_t)cols, *at = up + cols, *down = at + cols;
        for (int x = 1; x < cols - 1; x++) {
            int cross = up[x] + down[x] + at[x - 1] + at[x + 1];
            int corners = up[x - 1] + up[x + 1] + down[x - 1] + down[x + 1];
            double laplace = cross - 4 * at[x];
            sum += laplace;
            square += laplace * laplace;
            rough += abs(corners - 2 * cross + 4 * at[x]);
        }
    }
    double n = (double)(rows - 2) * (cols - 2);
    free(b);
    *variance = square / n - sum / n * (sum / n);
    *noise = sqrt(M_PI / 2) / 6 * rough / n;
    return true;
}

static int later(double a, double b)
{
    return (int)rint(a > b ? a : b);
}

/* The middle half of an edge's overlap, and the strips as wide as the overlap on both sides of it.
 */
static bool seam_rects(const struct stitch_model *m, const struct stitch_params *p,
                       const struct stitch_edge *edge, struct rect rects[3])
{
    const struct stitch_place *a = &m->places[edge->from], *b = &m->places[edge->to];
    int y0 = later(a->y, b->y), x0 = later(a->x, b->x);
    int y1 = (int)fmin(fmin(rint(a->y), rint(b->y)) + p->tile_h, m->canvas_h),
        x1 = (int)fmin(fmin(rint(a->x), rint(b->x)) + p->tile_w, m->canvas_w);
    int width = edge->vertical ? y1 - y0 : x1 - x0,
        far = edge->vertical ? m->canvas_h : m->canvas_w;
    int at = edge->vertical ? y0 : x0;
    if (width < 4 || y1 - y0 < 4 || x1 - x0 < 4 || at - width < 0 || at + 2 * width > far)
        return false;
    int dy = edge->vertical ? width : 0, dx = edge->vertical ? 0 : width;
    rects[0] = (struct rect){y0 + dy / 4, x0 + dx / 4, y1 - dy / 4, x1 - dx / 4};
    rects[1] = (struct rect){y0 - dy, x0 - dx, y1 - dy, x1 - dx};
    rects[2] = (struct rect){y0 + dy, x0 + dx, y1 + dy, x1 + dx};
    return true;
}

static double seam_ratio(const struct stitch_model *m, const struct stitch_params *p,
                         const struct stitch_edge *edge, const uint16_t *mosaic)
{
    struct rect r[3];
    double v[3], s[3];
    if (!seam_rects(m, p, edge, r))
        return NAN;
    for (int i = 0; i < 3; i++) {
        if (!sharpness(mosaic, m->canvas_w, r[i], &v[i], &s[i]))
            return NAN;
    }
    double noise = (s[1] * s[1] + s[2] * s[2]) / 2, beside = (v[1] + v[2]) / 2 - 20 * noise;
    if (beside < 1 || beside < 0.05 * (v[1] + v[2]) / 2)
        return NAN;
    return fmax(0, v[0] - 20 * noise * 13 / 24) / beside;
}

void stitch_seams(const struct stitch_model *model, const struct stitch_params *params,
                  const uint16_t *mosaic, double *ratios)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int e = 0; e < model->edge_count; e++)
        ratios[e] = seam_ratio(model, params, &model->edges[e], mosaic);
}
