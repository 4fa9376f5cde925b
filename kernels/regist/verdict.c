// SPDX-License-Identifier: MIT
// verdict.c: the blocks' word, that of the whole images, and the reasons to refuse.
#include "regist/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rank.h"
#include "regist/band.h"
#include "regist/blocks.h"
#include "regist/ecc.h"
#include "regist/repeat.h"

static const double LEAST_AGREEING = 0.25;
// Maps of images that have nothing in common, and whose blocks seemed to agree, were found to
// correlate by less than 4.3 times what chance does, true ones by 3.9 times and more.
static const double BEYOND_CHANCE = 5, SURELY = 0.5;
// Regular cells that lie or shine a few percent differently correlate by 0.96 and less one period
// on, and are found where they are.
static const double AS_WELL = 0.97;

// ---- the blocks ------------------------------------------------------------------------------

// The power from which on a block is taken to hold tissue: that of the 40 % with most structure, or
// of fewer, where these stand out from the emptiest ones: a small piece on a large canvas.
static double tissue_power(double *power, int n)
{
    double floor = kin_quantile_f64(power, n, 0.6), clear = 4 * kin_quantile_f64(power, n, 0.2);
    int above = 0;
    for (int i = 0; i < n; i++)
        above += power[i] >= clear;
    return clear > floor && above >= 4 && 20 * above >= n ? clear : floor;
}

// The NCC of the blocks with tissue, and what is left to move.
static void judge_points(struct device *dev, struct regist_result *result)
{
    int n = result->points_n, tissue = 0, trusted = 0, agreeing = 0;
    double *power = malloc(3 * (size_t)n * sizeof *power);
    if (!power) {
        device_fail(dev, KIN_MEMORY, "no memory for %d blocks", n);
        return;
    }
    double *ncc = power + n, *left = power + 2 * n;
    for (int i = 0; i < n; i++)
        power[i] = result->points[i].power;
    double floor = tissue_power(power, n);
    for (int i = 0; i < n; i++) {
        const struct probe_point *p = &result->points[i];
        if (p->fill >= 0.7f && p->power >= floor) {
            ncc[tissue++] = p->ncc;
            agreeing += p->quality >= REGIST_FIELD_QUALITY && hypotf(p->dy, p->dx) < 2;
        }
        if (p->fill >= 0.7f && p->quality >= REGIST_AFFINE_QUALITY)
            left[trusted++] = hypot(p->dy, p->dx);
    }
    result->judged = tissue;
    result->ncc_median = tissue ? kin_quantile_f64(ncc, tissue, 0.5) : 0;
    result->agreeing = tissue ? (double)agreeing / tissue : 0;
    result->residual_median = kin_quantile_f64(left, trusted, 0.5);
    result->residual_p95 = kin_quantile_f64(left, trusted, 0.95);
    result->residual_max = kin_quantile_f64(left, trusted, 1);
    free(power);
}

static void judge_blocks(struct task *t)
{
    struct regist_result *result = t->result;
    struct kin_dims d = t->r->dims;
    int size = regist_block_size(d);
    struct probe_lattice lattice = regist_lattice(d, size, size, size / 2);
    result->points = regist_measure(t, &lattice, &result->map.grid);
    if (!result->points)
        return;
    result->points_n = lattice.rows * lattice.cols;
    judge_points(t->r->dev, result);
}

// ---- the whole images ------------------------------------------------------------------------

// What the map shows of the moving image, binned: small (h, w), device memory.
static void bin_seen(struct task *t, uint16_t *small)
{
    struct device *dev = t->r->dev;
    struct kin_dims d = t->r->dims;
    int k = t->r->k, small_w = t->r->small.window.rows.dims.x, n;
    struct row_window seen = {0};
    struct warp_view view;
    bool good = warp_view_open(dev, &view, &t->result->map) &&
                row_window_through(dev, &seen, &t->full.window, &view, d, t->r->room);
    for (int y = 0; good && y < d.y; y += n) {
        n = seen.room < d.y - y ? seen.room / k * k : d.y - y;
        good = row_window_need(dev, &seen, (struct row_span){y, y + n});
        if (good)
            dev->bin_u16(dev, small + (size_t)(y / k) * (size_t)small_w,
                         seen.rows.pixels + (size_t)(y - seen.rows.first) * (size_t)d.x,
                         (struct kin_dims){1, n, d.x}, k);
    }
    row_window_close(dev, &seen);
    warp_view_close(dev, &view);
}

// The bands (regist/band.h) of the reference and of what the map shows of the moving image, binned;
// host memory (2, h, w), the caller's. NULL: see the device.
static float *shown_small(struct task *t)
{
    struct device *dev = t->r->dev;
    const struct image_rows *reference = &t->r->small.window.rows;
    struct kin_dims d = reference->dims;
    size_t n = kin_count(d);
    bool binned = t->r->k > 1;
    uint16_t *small = dev->alloc(dev, n * sizeof *small);
    float *host = malloc(2 * n * sizeof *host);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for %zu pixels", 2 * n);
    if (!device_stopped(dev))
        bin_seen(t, small);
    if (!device_stopped(dev) && regist_band(dev, reference->pixels, d, binned, host))
        regist_band(dev, small, d, binned, host + n);
    dev->release(dev, small);
    if (!device_stopped(dev))
        return host;
    free(host);
    return NULL;
}

// Another place counts only where the map that leads there would not be refused: as far as
// max_shift allows.
static struct regist_reach reach_of(const struct regist *r, const struct warp_map *map)
{
    struct regist_reach reach = {
        .most = {r->params.max_shift * r->dims.y / r->k, r->params.max_shift * r->dims.x / r->k},
        .t = {map->t[0] / r->k, map->t[1] / r->k}};
    memcpy(reach.a, map->a, sizeof reach.a);
    return reach;
}

// What another method makes of the map.
static void judge_whole(struct task *t)
{
    struct kin_dims d = t->r->small.window.rows.dims;
    struct regist_ecc ecc;
    struct regist_reach reach = reach_of(t->r, &t->result->map);
    int threads = t->r->dev->threads, dy, dx;
    float *images = shown_small(t);
    if (images && regist_ecc_step(images, images + kin_count(d), d.y, d.x, threads, &ecc)) {
        t->result->ecc_correlation = ecc.correlation;
        t->result->ecc_corner = ecc.corner * t->r->k;
        t->result->ecc_chance = regist_ecc_chance(images, images + kin_count(d), d.y, d.x, threads);
    }
    if (images &&
        regist_repeat(t->r->dev, images, images + kin_count(d), d.y, d.x, &reach, &dy, &dx)) {
        t->result->ecc_elsewhere = regist_ecc_beside(images, images + kin_count(d), d.y, d.x, dy,
                                                     dx);
        t->result->elsewhere[0] = -dy * t->r->k;
        t->result->elsewhere[1] = -dx * t->r->k;
    }
    free(images);
}

void regist_judge(struct task *t)
{
    judge_blocks(t);
    judge_whole(t);
}

// ---- the verdict -----------------------------------------------------------------------------

// Blocks that a field may have moved to where they fit agree by accident now and then, and with few
// blocks that is enough. The images as a whole do not.
static bool is_chance(const struct regist_result *result)
{
    return result->ecc_correlation < SURELY &&
           result->ecc_correlation < BEYOND_CHANCE * result->ecc_chance;
}

bool regist_is_too_far(const struct regist *r, const double t[2])
{
    return fabs(t[0]) > r->params.max_shift * r->dims.y ||
           fabs(t[1]) > r->params.max_shift * r->dims.x;
}

bool regist_fits_elsewhere(const struct regist_result *result)
{
    return result->ecc_elsewhere >= AS_WELL * result->ecc_correlation;
}

void regist_refuse_or_accept(const struct regist *r, struct regist_result *result)
{
    const double *t = result->map.t;
    if (!result->judged)
        snprintf(result->why, sizeof result->why,
                 "no block is filled by both images, where pixels of 0 count as empty: nothing can "
                 "be told");
    else if (!(result->ncc_median >= r->params.min_ncc))
        snprintf(result->why, sizeof result->why,
                 "median block correlation %.2f with the reference is below %.2f",
                 result->ncc_median, r->params.min_ncc);
    else if (result->agreeing < LEAST_AGREEING)
        snprintf(result->why, sizeof result->why,
                 "only %.0f %% of the blocks with tissue agree with the map found (%.0f %% needed)",
                 100 * result->agreeing, 100 * LEAST_AGREEING);
    else if (is_chance(result))
        snprintf(result->why, sizeof result->why,
                 "with the map found the whole images correlate by %.2f, displaced ones by %.2f: "
                 "that is chance",
                 result->ecc_correlation, result->ecc_chance);
    else if (regist_fits_elsewhere(result))
        snprintf(result->why, sizeof result->why,
                 "the image repeats itself: a further shift of (%d, %d) px would fit as well "
                 "(correlation %.2f, with the map found %.2f); a lower --max-shift may exclude one",
                 result->elsewhere[0], result->elsewhere[1], result->ecc_elsewhere,
                 result->ecc_correlation);
    else if (regist_is_too_far(r, t))
        snprintf(result->why, sizeof result->why,
                 "found shift (%.0f, %.0f) px is more than %.3g %% of the canvas (--max-shift)",
                 t[0], t[1], 100 * r->params.max_shift);
    result->refused = result->why[0];
}
