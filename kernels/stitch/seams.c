// SPDX-License-Identifier: MIT
// seams.c: whether the mosaic is as sharp where tiles overlap as beside.
//
// The variance of the Laplacian falls where two tiles are averaged, also when they fit perfectly,
// because noise averages out. Noise of variance s^2 has a Laplacian of variance 20 s^2; in the
// middle half of an overlap, where the weights w and 1-w run from 1/4 to 3/4, a mean keeps 13/24 of
// it. Both are taken off before the ratio is formed. Tissue that does not fit keeps 13/24 as well,
// tissue that fits all. A real mosaic that fits has 0.5 to 1 (its noise is not quite white), a
// displaced one 0.3. s is estimated in the strips beside the seam (Immerkaer 1996). All of it is
// done on sums of 2 x 2 pixels: there tissue still has edges, and noise counts four times less.
#include "stitch/stitch.h"

#include <math.h>
#include <stdlib.h>

struct rect {
    int y0, x0, y1, x1; /* ends excluded */
};

/* A rectangle as its rows come. */
struct strip_sums {
    struct rect rect;
    int rows, cols; /* of squares of 2 x 2 pixels */
    int32_t *sums; /* owned, (rows, cols): of those squares; NULL before its first row and after its
                      last */
    double variance, noise; /* of the Laplacian; standard deviation; once all is there */
};

struct seam {
    bool told;                   /* it can be */
    struct strip_sums strips[3]; /* the overlap, and what lies on both sides of it */
};

struct stitch_seams {
    const struct stitch_model *model; /* borrowed */
    int y;                            /* rows that have come */
    bool failed;                      /* no memory */
    struct seam *seams;               /* owned, by edge */
    double *ratios;                   /* owned, by edge: room */
};

/* Variance of the Laplacian of a rectangle, and the noise's standard deviation. */
static void sharpness(struct strip_sums *strip)
{
    double sum = 0, square = 0, rough = 0;
    int rows = strip->rows, cols = strip->cols;
    const int32_t *b = strip->sums;
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
    strip->variance = square / n - sum / n * (sum / n);
    strip->noise = sqrt(M_PI / 2) / 6 * rough / n;
}

/* Adds what rows y0..y1-1 of the mosaic, of w samples, have of the rectangle. False: no memory. */
static bool add_rows(struct strip_sums *strip, const uint16_t *rows, int w, int y0, int y1)
{
    int first = strip->rect.y0, end = first + 2 * strip->rows, cols = strip->cols;
    if (y0 >= end || y1 <= first)
        return true;
    if (!strip->sums &&
        !(strip->sums = calloc((size_t)strip->rows * (size_t)cols, sizeof *strip->sums)))
        return false;
    for (int y = y0 > first ? y0 : first; y < (y1 < end ? y1 : end); y++) {
        const uint16_t *p = rows + (size_t)(y - y0) * (size_t)w + strip->rect.x0;
        int32_t *to = strip->sums + (size_t)((y - first) / 2) * (size_t)cols;
        for (int x = 0; x < cols; x++)
            to[x] += p[2 * x] + p[2 * x + 1];
    }
    if (y1 >= end) {
        sharpness(strip);
        free(strip->sums);
        strip->sums = NULL;
    }
    return true;
}

static int later(double a, double b)
{
    return (int)rint(a > b ? a : b);
}

/* The middle half of an edge's overlap, and the strips as wide as the overlap on both sides of
 * it. */
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

static double seam_ratio(const struct seam *seam)
{
    const struct strip_sums *at = &seam->strips[0], *a = &seam->strips[1], *b = &seam->strips[2];
    if (!seam->told)
        return NAN;
    double noise = (a->noise * a->noise + b->noise * b->noise) / 2,
           both = (a->variance + b->variance) / 2, beside = both - 20 * noise;
    if (beside < 1 || beside < 0.05 * both)
        return NAN;
    return fmax(0, at->variance - 20 * noise * 13 / 24) / beside;
}

static void seams_free(struct stitch_seams *s)
{
    for (int e = 0; s && s->seams && e < s->model->edge_count; e++)
        for (int i = 0; i < 3; i++)
            free(s->seams[e].strips[i].sums);
    if (s) {
        free(s->seams);
        free(s->ratios);
    }
    free(s);
}

struct stitch_seams *stitch_seams_new(const struct stitch_model *model,
                                      const struct stitch_params *params, struct kin_error *err)
{
    struct stitch_seams *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct stitch_seams){
            .model = model,
            .seams = calloc((size_t)model->edge_count + 1, sizeof *s->seams),
            .ratios = malloc(((size_t)model->edge_count + 1) * sizeof *s->ratios)};
    if (!s || !s->seams || !s->ratios) {
        seams_free(s);
        kin_fail(err, KIN_MEMORY, "no memory for the seams of a mosaic");
        return NULL;
    }
    for (int e = 0; e < model->edge_count; e++) {
        struct rect rects[3];
        struct seam *seam = &s->seams[e];
        seam->told = seam_rects(model, params, &model->edges[e], rects);
        for (int i = 0; i < 3 && seam->told; i++) {
            int rows = (rects[i].y1 - rects[i].y0) / 2, cols = (rects[i].x1 - rects[i].x0) / 2;
            seam->strips[i] = (struct strip_sums){.rect = rects[i], .rows = rows, .cols = cols};
            seam->told = rows >= 3 && cols >= 3;
        }
    }
    return s;
}

void stitch_seams_rows(struct stitch_seams *s, const uint16_t *rows, int count)
{
    bool good = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : good)
    for (int e = 0; e < s->model->edge_count; e++) {
        for (int i = 0; i < 3 && s->seams[e].told; i++)
            good = good &&
                   add_rows(&s->seams[e].strips[i], rows, s->model->canvas_w, s->y, s->y + count);
    }
    s->y += count;
    s->failed = s->failed || !good;
}

bool stitch_seams_end(struct stitch_seams *s, struct stitch_model *model, struct kin_error *err)
{
    bool good = s && !s->failed;
    for (int e = 0; good && model && e < model->edge_count; e++)
        s->ratios[e] = model->edges[e].seam = seam_ratio(&s->seams[e]);
    if (good && model)
        model->seam_median = stitch_median(s->ratios, model->edge_count);
    seams_free(s);
    return good || kin_fail(err, KIN_MEMORY, "no memory for the seams of a mosaic");
}
