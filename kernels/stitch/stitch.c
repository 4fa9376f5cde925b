// SPDX-License-Identifier: MIT
// stitch.c: from pairs of tiles to the positions of all.
#include "stitch/stitch.h"
#include "stitch/chance.h"
#include "stitch/solve.h"
#include "stitch/unlike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEAKS = 5, CLIMB = 20, PROBED = 12 };
static const double NOISY = 0.4;                /* median correlation below which noise rules */
static const double FINEST = 0.01, UNSURE = 10; /* px: no place is known better, or worse */
static const double CERTAIN = 1e-3; /* chance of a pair that is seen where none should be */
static const double EMPTY = 0.15;   /* a lower promise is noise alone */
static const float FAINT = 2;       /* px: how far tiles are smoothed to find a faint overlap */

struct fit { /* of a model */
    struct device *dev;
    const struct stitch_params *params;
    const struct stitch_tiles *tiles;
    struct stitch_model *model;
    struct kin_error error; /* of a tile that could not be read: the first */
};

struct pairing { /* what measuring pairs of one kind (beside, below) needs; device buffers */
    struct device *dev;
    const struct stitch_params *params;
    int nominal[2], radius[2]; /* px, y and x */
    int min_side;              /* an overlap narrower than that says nothing */
    struct strip a, b;         /* the strips of the first and of the second tile */
    uint16_t *tile[2];         /* these tiles, maybe smoothed */
    struct kin_dims domain;
    struct fft_plan *plan;
    float *cut, *fine, *coarse, *padded, *spectrum[2];
    float *strips[2];  /* owned, host: the band-passed strips, */
    float *spectra[2]; /* and their spectra */
    double area;       /* how far pixels of the pair depend on each other, px */
    float *whole[2];   /* a tile each */
    float smooth;      /* px */
    bool band;         /* what a Gaussian four times as wide leaves is taken away */
    uint16_t *host;    /* owned: a tile, and the same as it was computed; with band only */
    float *host_band;
};

struct shift {
    int y, x;
    double ncc;
};

/* ---- scan order ------------------------------------------------------------------------------ */

void stitch_place(const struct stitch_scan *scan, int k, int *row, int *col)
{
    int length = scan->column_major ? scan->rows : scan->cols, line = k / length, at = k % length;
    if (!scan->raster && line % 2)
        at = length - 1 - at;
    *row = scan->column_major ? at : line;
    *col = scan->column_major ? line : at;
    if (scan->start_bottom)
        *row = scan->rows - 1 - *row;
    if (scan->start_right)
        *col = scan->cols - 1 - *col;
}

/* ---- one pair -------------------------------------------------------------------------------- */

/* The true normalised correlation, rounded to 1e-6 so that every back end ranks alike; -1: no
 * say. */
static double overlap_ncc(const struct pairing *p, int dy, int dx)
{
    int64_t s[6];
    struct kin_dims tile = {1, p->params->tile_h, p->params->tile_w};
    if (tile.y - abs(dy) < p->min_side || tile.x - abs(dx) < p->min_side)
        return -1;
    p->dev->overlap_sums(p->dev, p->tile[0], p->tile[1], tile, dy, dx, s);
    double n = (double)s[5], va = (double)s[2] - (double)s[0] / n * (double)s[0];
    double vb = (double)s[3] - (double)s[1] / n * (double)s[1];
    double ab = (double)s[4] - (double)s[0] / n * (double)s[1];
    if (!(va > 0) || !(vb > 0))
        return -1;
    return rint(ab / sqrt(va * vb) * 1e6) / 1e6;
}

/* Where a tile that is displaced by about `nominal` may meet the other, along one axis. */
static void strip_axis(int n, int nominal, int radius, int *at, int *length)
{
    int low = nominal - radius > 0 ? nominal - radius : 0;
    int high = n + nominal + radius < n ? n + nominal + radius : n;
    *at = low;
    *length = high - low;
}

static void tiles_close(struct pairing *p)
{
    p->dev->release(p->dev, p->tile[0]);
    p->dev->release(p->dev, p->tile[1]);
}

/* p->dev and p->params are set. */
static void tiles_open(struct pairing *p)
{
    size_t bytes = (size_t)p->params->tile_h * (size_t)p->params->tile_w * sizeof(uint16_t);
    p->tile[0] = p->dev->alloc(p->dev, bytes);
    p->tile[1] = p->dev->alloc(p->dev, bytes);
}

static void pairing_close(struct pairing *p)
{
    tiles_close(p);
    float *buffers[] = {p->cut,         p->fine,        p->coarse,   p->padded,
                        p->spectrum[0], p->spectrum[1], p->whole[0], p->whole[1]};
    for (int i = 0; i < 8; i++)
        p->dev->release(p->dev, buffers[i]);
    if (p->plan)
        p->dev->fft_free(p->dev, p->plan);
    for (int i = 0; i < 2; i++) {
        free(p->strips[i]);
        free(p->spectra[i]);
    }
}

static void pairing_open(struct pairing *p, struct device *dev, const struct stitch_params *params,
                         struct stitch_reach reach)
{
    int h = params->tile_h, w = params->tile_w;
    *p = (struct pairing){.dev = dev, .params = params};
    tiles_open(p);
    memcpy(p->nominal, reach.nominal, sizeof p->nominal);
    memcpy(p->radius, reach.radius, sizeof p->radius);
    p->min_side = (int)fmax(4, 0.25 * params->overlap * (h < w ? h : w));
    strip_axis(h, p->nominal[0], p->radius[0], &p->a.y, &p->a.h);
    strip_axis(w, p->nominal[1], p->radius[1], &p->a.x, &p->a.w);
    strip_axis(h, -p->nominal[0], p->radius[0], &p->b.y, &p->b.h);
    strip_axis(w, -p->nominal[1], p->radius[1], &p->b.x, &p->b.w);
    int sh = p->a.h > p->b.h ? p->a.h : p->b.h, sw = p->a.w > p->b.w ? p->a.w : p->b.w;
    p->domain = (struct kin_dims){1, kin_good_size(sh, false), kin_good_size(sw, true)};
    size_t n = kin_count(p->domain), half = (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1);
    p->plan = dev->fft_plan(dev, p->domain, 1);
    p->cut = dev->alloc(dev, n * sizeof(float));
    p->fine = dev->alloc(dev, n * sizeof(float));
    p->coarse = dev->alloc(dev, n * sizeof(float));
    p->padded = dev->alloc(dev, n * sizeof(float));
    p->spectrum[0] = dev->alloc(dev, half * 2 * sizeof(float));
    p->spectrum[1] = dev->alloc(dev, half * 2 * sizeof(float));
    p->whole[0] = dev->alloc(dev, (size_t)h * (size_t)w * sizeof(float));
    p->whole[1] = dev->alloc(dev, (size_t)h * (size_t)w * sizeof(float));
    for (int i = 0; i < 2; i++) {
        p->strips[i] = malloc(n * sizeof(float));
        p->spectra[i] = malloc(half * 2 * sizeof(float));
        if (!p->strips[i] || !p->spectra[i])
            device_fail(dev, KIN_MEMORY, "no memory for a strip of %d x %d", sh, sw);
    }
}

/* The spectrum of a tile's strip, band-passed (difference of Gaussians 1 and 4 px) and faded at its
 * edges; the host gets it too, and the strip before it is faded. */
static void strip_spectrum(const struct pairing *p, int which)
{
    struct device *dev = p->dev;
    struct strip strip = which ? p->b : p->a;
    struct kin_dims dims = {1, strip.h, strip.w};
    float *spectrum = p->spectrum[which];
    dev->strip_cut(dev, p->cut, p->tile[which], p->params->tile_w, strip);
    dev->gauss_xy(dev, p->fine, p->cut, dims, 1);
    dev->gauss_xy(dev, p->coarse, p->cut, dims, 4);
    dev->strip_taper(dev, p->padded, p->domain, p->fine, p->coarse, strip.h, strip.w);
    dev->fft_forward(dev, p->plan, p->padded, spectrum);
    dev->subtract(dev, p->fine, p->fine, p->coarse, kin_count(dims));
    dev->download(dev, p->strips[which], p->fine, kin_count(dims) * sizeof(float));
    dev->download(dev, p->spectra[which], spectrum,
                  (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1) * 2 * sizeof(float));
}

static struct shift best_peak(struct pairing *p)
{
    struct device *dev = p->dev;
    int peaks[PEAKS][2], oy = p->a.y - p->b.y, ox = p->a.x - p->b.x;
    struct shift_window window = {
        p->nominal[0] - p->radius[0] - oy, p->nominal[1] - p->radius[1] - ox,
        p->nominal[0] + p->radius[0] - oy, p->nominal[1] + p->radius[1] - ox};
    strip_spectrum(p, 0);
    strip_spectrum(p, 1);
    p->area = device_stopped(dev) ? NAN : chance_area(p->spectra[0], p->spectra[1], p->domain);
    dev->cross_power(dev, p->spectrum[0], p->spectrum[1],
                     (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1));
    dev->fft_inverse(dev, p->plan, p->spectrum[0], p->padded);
    int count = dev->shift_peaks(dev, p->padded, p->domain, window, peaks, PEAKS);
    struct shift best = {p->nominal[0], p->nominal[1], -2};
    for (int k = 0; k < count; k++) {
        struct shift s = {peaks[k][0] + oy, peaks[k][1] + ox, 0};
        s.ncc = overlap_ncc(p, s.y, s.x);
        if (s.ncc > best.ncc)
            best = s;
    }
    return best;
}

/* Steps to the best of the eight neighbours until none is better; keeps the 3 x 3 around the
 * last. */
static struct shift climb(const struct pairing *p, struct shift at, double around[9])
{
    for (int step = 0; step <= CLIMB; step++) {
        struct shift best = at;
        for (int i = 0; i < 9; i++) {
            int y = at.y + i / 3 - 1, x = at.x + i % 3 - 1;
            around[i] = i == 4 ? at.ncc : overlap_ncc(p, y, x);
            if (around[i] > best.ncc)
                best = (struct shift){y, x, around[i]};
        }
        if (best.y == at.y && best.x == at.x)
            break;
        at = best;
    }
    return at;
}

/* The top of the parabola through three values one pixel apart. */
static double parabola(double before, double at, double after)
{
    double bend = before - 2 * at + after;
    if (bend >= -1e-12 || before <= -1 || after <= -1)
        return 0;
    return fmin(0.5, fmax(-0.5, 0.5 * (before - after) / bend));
}

/* The chance of what was found, from the part of the overlap that lies in both strips. */
static double chance_at(const struct pairing *p, int dy, int dx)
{
    int top = p->a.y > p->b.y + dy ? p->a.y : p->b.y + dy,
        left = p->a.x > p->b.x + dx ? p->a.x : p->b.x + dx;
    int low = p->a.y + p->a.h < p->b.y + dy + p->b.h ? p->a.y + p->a.h : p->b.y + dy + p->b.h;
    int right = p->a.x + p->a.w < p->b.x + dx + p->b.w ? p->a.x + p->a.w : p->b.x + dx + p->b.w;
    struct chance_overlap overlap = {
        .stride_a = p->a.w, .stride_b = p->b.w, .h = low - top, .w = right - left};
    if (low <= top || right <= left || device_stopped(p->dev))
        return 1;
    overlap.a = p->strips[0] + (size_t)(top - p->a.y) * (size_t)p->a.w + (left - p->a.x);
    overlap.b = p->strips[1] + (size_t)(top - dy - p->b.y) * (size_t)p->b.w + (left - dx - p->b.x);
    return chance_of(&overlap, p->area);
}

/* How far noise may have moved the top of a correlation along an axis, px: white noise adds a slope
 * of variance (1 - r^2) n / |r'' r| to n pixels. */
static double uncertainty(double before, double at, double after, double pixels)
{
    double bend = 2 * at - before - after;
    if (!(at > 0) || !(bend > 0) || before <= -1 || after <= -1)
        return UNSURE;
    return fmin(UNSURE, hypot(FINEST, sqrt((1 - at * at) / (pixels * at * bend))));
}

static void measure_pair(struct pairing *p, struct stitch_edge *edge)
{
    double around[9] = {0};
    struct shift at = best_peak(p);
    if (at.ncc > -1)
        at = climb(p, at, around);
    edge->ncc = at.ncc > -1 ? at.ncc : 0;
    edge->dy = at.y + parabola(around[1], around[4], around[7]);
    edge->dx = at.x + parabola(around[3], around[4], around[5]);
    edge->chance = at.ncc > -1 ? chance_at(p, at.y, at.x) : 1;
    edge->area = p->area;
    double pixels = (double)(p->params->tile_h - abs(at.y)) * (p->params->tile_w - abs(at.x));
    edge->sigma[0] = uncertainty(around[1], around[4], around[7], pixels);
    edge->sigma[1] = uncertainty(around[3], around[4], around[5], pixels);
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static int tile_at(const struct stitch_model *m, int row, int col)
{
    for (int k = 0; k < m->tiles; k++) {
        if (m->places[k].row == row && m->places[k].col == col)
            return k;
    }
    return -1;
}

static void list_edges(const struct stitch_scan *scan, struct stitch_model *m)
{
    for (int k = 0; k < m->tiles; k++) {
        for (int below = 0; below < 2; below++) {
            int row = m->places[k].row + below, col = m->places[k].col + !below;
            if (row < scan->rows && col < scan->cols)
                m->edges[m->edge_count++] = (struct stitch_edge){
                    .from = k, .to = tile_at(m, row, col), .vertical = below, .seam = NAN};
        }
    }
}

static bool model_alloc(const struct stitch_params *params, struct stitch_model *m,
                        struct kin_error *err)
{
    int n = params->scan.rows * params->scan.cols;
    *m = (struct stitch_model){.tiles = n, .seam_median = NAN};
    m->places = calloc((size_t)n, sizeof *m->places);
    m->edges = calloc((size_t)n * 2, sizeof *m->edges);
    if (!m->places || !m->edges) {
        stitch_model_free(m);
        return kin_fail(err, KIN_MEMORY, "no memory for the positions of %d tiles", n);
    }
    for (int k = 0; k < n; k++)
        stitch_place(&params->scan, k, &m->places[k].row, &m->places[k].col);
    list_edges(&params->scan, m);
    return true;
}

static void nominal_places(const struct stitch_params *params, struct stitch_model *m)
{
    for (int k = 0; k < m->tiles; k++) {
        m->places[k].y = rint(m->places[k].row * params->tile_h * (1 - params->overlap));
        m->places[k].x = rint(m->places[k].col * params->tile_w * (1 - params->overlap));
    }
}

/* The difference of two smoothed tiles as integers: 16 steps to a unit, 0 in the middle. */
static void send_band(const struct pairing *p, uint16_t *dst, struct kin_dims dims)
{
    size_t n = kin_count(dims);
    float *fine = p->whole[1], *coarse = p->whole[0];
    p->dev->gauss_xy(p->dev, coarse, fine, dims, 4 * p->smooth);
    p->dev->subtract(p->dev, coarse, fine, coarse, n);
    p->dev->download(p->dev, p->host_band, coarse, n * sizeof *p->host_band);
    for (size_t i = 0; i < n && !device_stopped(p->dev); i++)
        p->host[i] = kin_round_u16(32768 + 16 * p->host_band[i]);
    p->dev->upload(p->dev, dst, p->host, n * sizeof *p->host);
}

/* A tile on the device, smoothed by p->smooth px. */
static void send_tile(const struct pairing *p, uint16_t *dst, const uint16_t *tile)
{
    struct kin_dims dims = {1, p->params->tile_h, p->params->tile_w};
    size_t n = kin_count(dims);
    p->dev->upload(p->dev, dst, tile, n * sizeof *dst);
    if (p->smooth <= 0)
        return;
    p->dev->u16_to_f32(p->dev, p->whole[0], dst, n);
    p->dev->gauss_xy(p->dev, p->whole[1], p->whole[0], dims, p->smooth);
    if (p->band)
        send_band(p, dst, dims);
    else
        p->dev->f32_to_u16(p->dev, dst, p->whole[1], n);
}

static bool stopped(const struct fit *f)
{
    return device_stopped(f->dev) || f->error.code != KIN_OK;
}

/* So many for each edge, the caller's; NULL: there is no memory, and the device has failed. */
static double *take_numbers(const struct fit *f, size_t each)
{
    size_t edges = (size_t)f->model->edge_count;
    double *numbers = malloc((each * edges + 1) * sizeof *numbers);
    if (!numbers)
        device_fail(f->dev, KIN_MEMORY, "no memory for the overlaps of %d tiles", f->model->tiles);
    return numbers;
}

static bool has_both(const struct fit *f, const struct stitch_edge *edge)
{
    return f->tiles->has(f->tiles->user, edge->from) && f->tiles->has(f->tiles->user, edge->to);
}

/* The tiles of an edge on the device. */
static bool send_both(struct fit *f, const struct pairing *p, const struct stitch_edge *edge)
{
    const uint16_t *tile = f->tiles->get(f->tiles->user, edge->from, &f->error);
    if (tile)
        send_tile(p, p->tile[0], tile);
    tile = tile ? f->tiles->get(f->tiles->user, edge->to, &f->error) : NULL;
    if (tile)
        send_tile(p, p->tile[1], tile);
    return tile != NULL;
}

static void measure_kind(struct fit *f, bool vertical, float smooth)
{
    struct device *dev = f->dev;
    const struct stitch_params *params = f->params;
    struct stitch_model *m = f->model;
    struct pairing p;
    pairing_open(&p, dev, params, stitch_reach(params, vertical));
    p.smooth = smooth;
    for (int e = 0; e < m->edge_count && !stopped(f); e++) {
        struct stitch_edge *edge = &m->edges[e];
        edge->dy = edge->vertical == vertical ? p.nominal[0] : edge->dy;
        edge->dx = edge->vertical == vertical ? p.nominal[1] : edge->dx;
        if (edge->vertical == vertical && has_both(f, edge) && send_both(f, &p, edge))
            measure_pair(&p, edge);
    }
    pairing_close(&p);
}

/* The median displacement of the edges of a kind that count and correlate at least half as well as
 * its best, and how well that is; false where even the best is noise. */
static bool trusted_shift(const struct fit *f, bool vertical, double shift[2], double *half)
{
    const struct stitch_model *m = f->model;
    double *work = take_numbers(f, 1), best = 0;
    for (int e = 0; e < m->edge_count; e++)
        if (m->edges[e].vertical == vertical && stitch_edge_counts(f->params, &m->edges[e]))
            best = fmax(best, m->edges[e].ncc);
    *half = best / 2;
    for (int axis = 0; work && axis < 2; axis++) {
        for (int e = 0; e < m->edge_count; e++) {
            const struct stitch_edge *edge = &m->edges[e];
            bool trusted = edge->vertical == vertical && edge->ncc >= *half &&
                           stitch_edge_counts(f->params, edge);
            work[e] = !trusted ? NAN : axis ? edge->dx : edge->dy;
        }
        shift[axis] = stitch_median(work, m->edge_count);
    }
    free(work);
    return work && best > NOISY;
}

/* Where overlaps are not what was stated, some pairs are found all the same, by climbing out of the
 * window. They tell where to look for the others; what is found there must correlate as they do. */
static void measure_again(struct fit *f, bool vertical, float smooth)
{
    struct device *dev = f->dev;
    struct stitch_model *m = f->model;
    struct stitch_reach reach = stitch_reach(f->params, vertical);
    double shift[2], half;
    if (stopped(f) || !trusted_shift(f, vertical, shift, &half) ||
        (2 * fabs(shift[0] - reach.nominal[0]) <= reach.radius[0] &&
         2 * fabs(shift[1] - reach.nominal[1]) <= reach.radius[1]))
        return;
    struct pairing p;
    reach.nominal[0] = (int)lrint(shift[0]);
    reach.nominal[1] = (int)lrint(shift[1]);
    pairing_open(&p, dev, f->params, reach);
    p.smooth = smooth;
    for (int e = 0; e < m->edge_count && !stopped(f); e++) {
        struct stitch_edge *edge = &m->edges[e], other = *edge;
        if (edge->vertical != vertical ||
            (edge->ncc >= half && stitch_edge_counts(f->params, edge)) || !has_both(f, edge) ||
            !send_both(f, &p, edge))
            continue;
        measure_pair(&p, &other);
        if (other.ncc >= half && stitch_edge_counts(f->params, &other))
            *edge = other;
    }
    pairing_close(&p);
}

/* Up to PROBED pairs of a kind, looked for wherever they would overlap by 2 to 50 %. Answers how
 * many are seen where most are; shift: where. */
static int probe_kind(struct fit *f, bool vertical, double shift[2])
{
    struct device *dev = f->dev;
    struct stitch_model *m = f->model;
    const struct stitch_params wide = {.tile_h = f->params->tile_h,
                                       .tile_w = f->params->tile_w,
                                       .overlap = 0.26,
                                       .search = 0.24,
                                       .ncc_min = f->params->ncc_min};
    struct stitch_reach reach = stitch_reach(&wide, vertical);
    double places = (2.0 * reach.radius[0] + 1) * (2.0 * reach.radius[1] + 1), *at[2], *work;
    int kind = 0, agree = 0, half = m->edge_count / 2,
        step = half > PROBED ? (half + PROBED - 1) / PROBED : 1;
    struct pairing p;
    at[0] = take_numbers(f, 3);
    at[1] = at[0] ? at[0] + m->edge_count : NULL;
    work = at[0] ? at[1] + m->edge_count : NULL;
    pairing_open(&p, dev, &wide, reach);
    for (int e = 0; at[0] && e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        at[0][e] = at[1][e] = NAN;
        if (edge->vertical != vertical || kind++ % step || stopped(f) || !has_both(f, edge) ||
            !send_both(f, &p, edge))
            continue;
        measure_pair(&p, edge);
        if (edge->ncc > stitch_ncc_least(&wide) &&
            chance_of_best(edge->chance, edge->area, places) < CERTAIN) {
            at[0][e] = edge->dy;
            at[1][e] = edge->dx;
        }
    }
    for (int axis = 0; at[0] && axis < 2; axis++) {
        memcpy(work, at[axis], (size_t)m->edge_count * sizeof *work);
        shift[axis] = stitch_median(work, m->edge_count);
    }
    for (int e = 0; at[0] && e < m->edge_count; e++)
        agree += fabs(at[0][e] - shift[0]) <= 0.02 * wide.tile_h &&
                 fabs(at[1][e] - shift[1]) <= 0.02 * wide.tile_w;
    free(at[0]);
    pairing_close(&p);
    return agree;
}

/* Whether tiles that are said not to overlap show no sign of it. */
static bool lie_apart(struct fit *f, struct kin_error *err)
{
    for (int vertical = 0; vertical < 2 && !f->params->apart; vertical++) {
        double shift[2];
        int seen = probe_kind(f, vertical, shift),
            side = vertical ? f->params->tile_h : f->params->tile_w;
        if (seen > 1)
            return kin_fail(err, KIN_INPUT,
                            "tiles do not overlap, by the experiment, but %d pairs of neighbours "
                            "show the same: they overlap by about %.0f %% (--overlap states it; "
                            "--overlap 0 insists)",
                            seen, 100 * (1 - shift[!vertical] / side));
    }
    return true;
}

/* Where an overlap hardly correlates there may still be faint, smooth signal (tissue below the
 * focus, its edge): what is left of it in a band of scales without pixel noise and without shading.
 * Such a measure must correlate twice as well to count, since fewer samples are independent. */
static void measure_faint(struct fit *f, bool vertical)
{
    struct device *dev = f->dev;
    const struct stitch_params *params = f->params;
    struct stitch_model *m = f->model;
    struct pairing p;
    size_t n = (size_t)params->tile_h * (size_t)params->tile_w;
    double least = stitch_ncc_least(params);
    pairing_open(&p, dev, params, stitch_reach(params, vertical));
    p.smooth = FAINT;
    p.band = true;
    p.host = malloc(n * sizeof *p.host);
    p.host_band = malloc(n * sizeof *p.host_band);
    if (!p.host || !p.host_band)
        device_fail(dev, KIN_MEMORY, "no memory for a tile");
    for (int e = 0; e < m->edge_count && !stopped(f); e++) {
        struct stitch_edge *edge = &m->edges[e], faint = *edge;
        if (edge->vertical != vertical || edge->ncc > least || !has_both(f, edge) ||
            !send_both(f, &p, edge))
            continue;
        measure_pair(&p, &faint);
        faint.faint = true;
        if (stitch_edge_counts(params, &faint))
            *edge = faint;
    }
    pairing_close(&p);
    free(p.host);
    free(p.host_band);
}

/* Sharp tiles are measured as they are. Where noise hides most of the correlation, all are smoothed
 * by a pixel and measured again; then those that the others place elsewhere; then those that still
 * fit nowhere. */
static void measure_edges(struct fit *f)
{
    const struct stitch_model *m = f->model;
    double *ncc = take_numbers(f, 1), median = NAN;
    measure_kind(f, false, 0);
    measure_kind(f, true, 0);
    for (int e = 0; ncc && e < m->edge_count; e++)
        ncc[e] = has_both(f, &m->edges[e]) ? m->edges[e].ncc : NAN;
    if (ncc)
        median = stitch_median(ncc, m->edge_count);
    free(ncc);
    float smooth = median < NOISY ? 1 : 0;
    if (smooth > 0) {
        measure_kind(f, false, smooth);
        measure_kind(f, true, smooth);
    }
    measure_again(f, false, smooth);
    measure_again(f, true, smooth);
    measure_faint(f, false);
    measure_faint(f, true);
}

void stitch_canvas(const struct stitch_params *params, struct stitch_model *m)
{
    double low[2] = {INFINITY, INFINITY};
    m->canvas_h = m->canvas_w = 0;
    for (int k = 0; k < m->tiles; k++) {
        low[0] = fmin(low[0], m->places[k].y);
        low[1] = fmin(low[1], m->places[k].x);
    }
    for (int k = 0; k < m->tiles; k++) {
        m->places[k].y -= low[0];
        m->places[k].x -= low[1];
        float fraction;
        int h = stitch_pixel(m->places[k].y, params->whole_pixels, &fraction) + params->tile_h,
            w = stitch_pixel(m->places[k].x, params->whole_pixels, &fraction) + params->tile_w;
        m->canvas_h = h > m->canvas_h ? h : m->canvas_h;
        m->canvas_w = w > m->canvas_w ? w : m->canvas_w;
    }
}

/* The correlation of every overlap at the final, rounded positions: what the mosaic will show. */
static double final_ncc(struct fit *f)
{
    struct device *dev = f->dev;
    const struct stitch_model *m = f->model;
    struct pairing p = {.dev = dev, .params = f->params, .min_side = 2};
    double *all = take_numbers(f, 1), median = NAN;
    tiles_open(&p);
    for (int e = 0; all && e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        const struct stitch_place *from = &m->places[edge->from], *to = &m->places[edge->to];
        all[e] = NAN;
        if (stopped(f) || !has_both(f, edge) || !send_both(f, &p, edge))
            continue;
        all[e] = overlap_ncc(&p, (int)(rint(to->y) - rint(from->y)),
                             (int)(rint(to->x) - rint(from->x)));
    }
    if (all)
        median = stitch_median(all, m->edge_count);
    free(all);
    tiles_close(&p);
    return median;
}

/* What a tile shows where it overlaps the other one of an edge, at the places found. */
static struct unlike_view view_of(struct fit *f, int tile, int other)
{
    const struct stitch_place *at = &f->model->places[tile], *by = &f->model->places[other];
    int dy = (int)(rint(by->y) - rint(at->y)), dx = (int)(rint(by->x) - rint(at->x));
    int h = f->params->tile_h - abs(dy), w = f->params->tile_w - abs(dx);
    const uint16_t *pixels = f->tiles->get(f->tiles->user, tile, &f->error);
    if (!pixels || h < 1 || w < 1)
        return (struct unlike_view){0};
    size_t top = dy > 0 ? (size_t)dy : 0, left = dx > 0 ? (size_t)dx : 0;
    return unlike_look(pixels + top * (size_t)f->params->tile_w + left, f->params->tile_w, h, w);
}

static void compare_tiles(struct fit *f)
{
    for (int e = 0; e < f->model->edge_count && !stopped(f); e++) {
        struct stitch_edge *edge = &f->model->edges[e];
        if (!has_both(f, edge))
            continue;
        struct unlike_view from = view_of(f, edge->from, edge->to),
                           to = view_of(f, edge->to, edge->from);
        unlike_compare(edge, &from, &to);
    }
    unlike_find(f->model);
}

static int present_edges(const struct fit *f)
{
    int present = 0;
    for (int e = 0; e < f->model->edge_count; e++)
        present += has_both(f, &f->model->edges[e]);
    return present;
}

/* Overlaps in which the tiles show no structure. */
static int empty_edges(const struct fit *f)
{
    int empty = 0;
    for (int e = 0; e < f->model->edge_count; e++)
        empty += has_both(f, &f->model->edges[e]) && f->model->edges[e].promise < EMPTY;
    return empty;
}

/* Half of the overlaps must fit. In a grid that has several loops of overlaps, an eighth of them
 * must close: a tree of overlaps always fits, also when each of them is an accident. */
static bool enough_edges(const struct fit *f, struct kin_error *err)
{
    const struct stitch_model *m = f->model;
    int present = present_edges(f), loops = m->edge_count - m->tiles + 1, empty = empty_edges(f);
    char nothing[100] = "";
    if (2 * m->accepted >= present &&
        (loops < 4 || 8 * m->loops >= loops || present < m->edge_count))
        return true;
    if (2 * empty > present)
        snprintf(nothing, sizeof nothing,
                 "; %d of them show nothing but noise: is there tissue, light, focus?", empty);
    return kin_fail(
        err, KIN_INPUT,
        "only %d of %d overlaps fit together, %d of %d loops of them close: is the overlap, "
        "the grid or the order of the tiles what the experiment says? (--overlap states another, "
        "--search looks farther)%s",
        m->accepted, present, m->loops, loops, nothing);
}

static bool fit_ok(const struct fit *f, struct kin_error *err)
{
    if (f->error.code != KIN_OK)
        return kin_fail(err, f->error.code, "%s", f->error.text);
    return device_ok(f->dev, err);
}

bool stitch_model_fit(struct device *dev, const struct stitch_params *params,
                      const struct stitch_tiles *tiles, struct stitch_model *m,
                      struct kin_error *err)
{
    struct fit f = {.dev = dev, .params = params, .tiles = tiles, .model = m};
    if (!model_alloc(params, m, err))
        return false;
    nominal_places(params, m);
    if (params->overlap < 0.01 || m->edge_count == 0) {
        bool apart = lie_apart(&f, err);
        m->edge_count = 0;
        stitch_canvas(params, m);
        return apart && fit_ok(&f, err);
    }
    measure_edges(&f);
    if (!fit_ok(&f, err) || !stitch_solve(params, m, err)) {
        stitch_model_free(m);
        return false;
    }
    stitch_canvas(params, m);
    m->ncc_median = final_ncc(&f);
    compare_tiles(&f);
    return fit_ok(&f, err) && enough_edges(&f, err);
}

static bool memory_has(void *user, int tile)
{
    return ((const uint16_t *const *)user)[tile] != NULL;
}

static const uint16_t *memory_get(void *user, int tile, struct kin_error *err)
{
    return ((const uint16_t *const *)user)[tile];
}

struct stitch_tiles stitch_tiles_in_memory(const uint16_t *const *tiles)
{
    return (struct stitch_tiles){(void *)(uintptr_t)tiles, memory_has, memory_get};
}

void stitch_model_free(struct stitch_model *m)
{
    if (!m)
        return;
    free(m->places);
    free(m->edges);
    *m = (struct stitch_model){.seam_median = NAN};
}

int stitch_pixel(double place, bool whole_pixels, float *fraction)
{
    double pixel = floor(place), rest = place - pixel;
    *fraction = 0;
    if (whole_pixels || rest < 0.02 || rest > 0.98)
        return (int)rint(place);
    *fraction = (float)rest;
    return (int)pixel;
}

void stitch_ramp(float *weights, int n, double overlap)
{
    double length = fmax(1, rint(overlap * n));
    for (int i = 0; i < n; i++) {
        int distance = (i < n - 1 - i ? i : n - 1 - i) + 1;
        weights[i] = (float)fmin(1, distance / length);
    }
}
