// SPDX-License-Identifier: MIT
// field.c: two passes over blocks, the second on a finer lattice; each measures, smooths and
// adds.
#include "regist/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/rank.h"
#include "regist/blocks.h"

double regist_min_det(const struct warp_grid *grid, int *folds)
{
    size_t n = (size_t)grid->rows * grid->cols;
    const float *uy = grid->u, *ux = grid->u + n;
    double least = 1;
    *folds = 0;
    for (int y = 0; y + 1 < grid->rows; y++)
        for (int x = 0; x + 1 < grid->cols; x++) {
            size_t i = (size_t)y * grid->cols + x, right = i + 1, down = i + grid->cols;
            double yy = 1 + (uy[down] - uy[i]) / grid->step, yx = (uy[right] - uy[i]) / grid->step;
            double xy = (ux[down] - ux[i]) / grid->step, xx = 1 + (ux[right] - ux[i]) / grid->step;
            double det = yy * xx - yx * xy;
            least = fmin(least, det);
            *folds += det <= 0.3;
        }
    return least;
}

// u (host, on the new lattice) += A d, where the old field is read at the new nodes; clipped.
static void add_to_field(struct warp_grid *to, const struct warp_grid *old, const float *d,
                         const double *a, double limit)
{
    size_t n = (size_t)to->rows * to->cols;
    for (size_t i = 0; i < n; i++) {
        double u[2] = {0}, y = to->origin + (double)(i / to->cols) * to->step;
        double x = to->origin + (double)(i % to->cols) * to->step;
        warp_grid_at(old, y, x, u);
        double uy = u[0] + a[0] * d[i] + a[1] * d[n + i], ux = u[1] + a[2] * d[i] + a[3] * d[n + i];
        double size = hypot(uy, ux), keep = size > limit ? limit / size : 1;
        to->u[i] = (float)(uy * keep);
        to->u[n + i] = (float)(ux * keep);
    }
}

// Root mean square of the smoothed displacement where blocks are trusted: what a field would move.
static double left_to_move(const struct probe_point *points, const float *d, size_t n)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (points[i].quality >= REGIST_AFFINE_QUALITY && points[i].fill >= 0.7f) {
            sum += (double)d[i] * d[i] + (double)d[n + i] * d[n + i];
            count++;
        }
    return count > 0 ? sqrt(sum / count) : 0;
}

// One pass: measure, smooth, add. False: no field is to be used (or the device failed).
static bool field_pass(struct task *t, int size, int step, double sigma, struct warp_grid *field)
{
    struct probe_lattice lattice = probe_lattice_over(t->r->dims, size, step);
    size_t n = (size_t)lattice.rows * lattice.cols;
    struct probe_point *points = regist_measure(t, &lattice, field);
    struct warp_grid next = {lattice.rows, lattice.cols, (float)step, lattice.origin,
                             malloc(2 * n * sizeof(float))};
    float *d = malloc(2 * n * sizeof *d);
    bool use = points && d && next.u &&
               probe_smooth(&lattice, points, REGIST_FIELD_QUALITY, sigma, d);
    bool first = field->rows == 0;
    if (use && first && t->r->params.field == REGIST_FIELD_AUTO)
        use = left_to_move(points, d, n) > t->r->params.field_threshold;
    if (use) {
        add_to_field(&next, field, d, t->map.a, t->r->params.field_limit);
        free(field->u);
        *field = next;
    } else {
        free(next.u);
    }
    free(d);
    free(points);
    return use;
}

static void field_statistics(struct regist_result *result, const struct warp_grid *field)
{
    int n = field->rows * field->cols;
    double *size = malloc(n * sizeof *size);
    for (int i = 0; size && i < n; i++)
        size[i] = hypot(field->u[i], field->u[n + i]);
    if (size) {
        result->u_median = kin_quantile_f64(size, n, 0.5);
        result->u_p95 = kin_quantile_f64(size, n, 0.95);
        result->u_max = kin_quantile_f64(size, n, 1);
    }
    free(size);
}

void regist_find_field(struct task *t)
{
    struct regist_result *result = t->result;
    int size = regist_block_size(t->r->dims);
    struct warp_grid field = {0};
    result->min_det = 1;
    if (t->r->params.field == REGIST_FIELD_OFF || size < 64)
        return;
    if (field_pass(t, size, size / 2, 1.3, &field))
        field_pass(t, size >= 96 ? 96 : 64, 32, 1.6, &field);
    if (field.rows) {
        int folds;
        double least = regist_min_det(&field, &folds);
        if (folds) {
            snprintf(
                result->note, sizeof result->note,
                "the displacement field folds at %d of %d nodes (least det %.2f) and was dropped",
                folds, field.rows * field.cols, least);
            free(field.u);
            return;
        }
        result->min_det = least;
        result->field = true;
        result->map.grid = field;
        field_statistics(result, &field);
    }
}
