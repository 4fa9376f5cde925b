// SPDX-License-Identifier: MIT
// fit.c: from pairs of tiles to the positions of all.
#include "core/each.h"
#include "core/lanes.h"
#include "stitch/chance.h"
#include "stitch/pair.h"
#include "stitch/unlike.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBED = 12,
    CARD_LANES = 4 /* that share a card: each has host work for as long as it computes */
};
static const double NOISY = 0.4;    /* median correlation below which noise rules */
static const double CERTAIN = 1e-3; /* chance of a pair that is seen where none should be */
static const double EMPTY = 0.15;   /* a lower promise is noise alone */
static const float FAINT = 2;       /* px: how far tiles are smoothed to find a faint overlap */

struct fit { /* of a model */
    struct device *dev;
    const struct stitch_params *params;
    const struct stitch_tiles *tiles;
    struct stitch_model *model;
    struct kin_error error; /* of a tile that could not be read: the first */
    int count;              /* of tiles */
    int lanes;              /* pairs that are measured at a time */
    uint16_t **shelf;     /* owned, [tile]: device buffers of those that were sent; NULL: tiles are
                               sent for each pair */
    pthread_mutex_t door; /* of the shelf, and of a round */
};

struct round { /* over the edges, each lane with a pairing of its own */
    struct fit *f;
    const struct stitch_params *params;
    bool vertical;
    struct stitch_reach reach;
    struct pairing_look look;
    bool plain; /* the pairing is */
    /* Whether it is this one's turn, asked once in their order; NULL: all of its kind */
    bool (*wants)(struct round *r, const struct stitch_edge *edge);
    void (*what)(struct round *r, struct pairing *p, struct stitch_edge *edge);
    double half;    /* of the best correlation */
    int seen, step; /* every step-th edge */
    double *at[2];  /* [edge] */
    int next;
};

/* ---- all pairs ------------------------------------------------------------------------------- */

static void list_edges(const struct stitch_scan *scan, struct stitch_model *m)
{
    for (int k = 0; k < m->tiles; k++) {
        for (int below = 0; below < 2; below++) {
            int to = stitch_tile_at(scan, m->places[k].row + below, m->places[k].col + !below);
            if (to >= 0)
                m->edges[m->edge_count++] = (struct stitch_edge){
                    .from = k, .to = to, .vertical = below, .seam = NAN};
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

static size_t tile_bytes(const struct stitch_params *params)
{
    return (size_t)params->tile_h * (size_t)params->tile_w * sizeof(uint16_t);
}

/* The CPU threads of a lane. */
static int threads_of(const struct fit *f)
{
    return (f->dev->threads + f->lanes - 1) / f->lanes;
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

/* A tile that stays on the device; NULL: none does, or it cannot be sent. */
static const uint16_t *on_shelf(struct fit *f, struct device *dev, int tile)
{
    size_t bytes = tile_bytes(f->params);
    if (!f->shelf)
        return NULL;
    pthread_mutex_lock(&f->door);
    if (!f->shelf[tile] && (f->shelf[tile] = dev->alloc(dev, bytes)))
        dev->upload(dev, f->shelf[tile], f->tiles->get(f->tiles->user, tile, &f->error), bytes);
    pthread_mutex_unlock(&f->door);
    return f->shelf[tile];
}

static bool send_tile(struct fit *f, struct pairing *p, int which, int tile)
{
    const uint16_t *there = on_shelf(f, p->dev, tile),
                   *host = there ? NULL : f->tiles->get(f->tiles->user, tile, &f->error);
    if (there)
        pairing_show(p, which, there);
    else if (host)
        pairing_send(p, which, host);
    return there || host;
}

/* The next edge of a round, and what has failed on the way; edge_count: there is none. */
static int take_edge(struct round *r, const struct device *share)
{
    struct fit *f = r->f;
    int count = f->model->edge_count, e;
    pthread_mutex_lock(&f->door);
    if (device_stopped(share))
        device_fail(f->dev, share->error.code, "%s", share->error.text);
    for (e = stopped(f) ? count : r->next; e < count; e++) {
        const struct stitch_edge *edge = &f->model->edges[e];
        if ((r->plain || edge->vertical == r->vertical) && (!r->wants || r->wants(r, edge)) &&
            has_both(f, edge))
            break;
    }
    r->next = e + 1;
    pthread_mutex_unlock(&f->door);
    return e;
}

static void run_lane(void *user, int lane)
{
    struct round *r = user;
    struct fit *f = r->f;
    struct device share = device_share(f->dev, threads_of(f));
    struct pairing p = {.dev = NULL};
    for (int e; (e = take_edge(r, &share)) < f->model->edge_count;) {
        struct stitch_edge *edge = &f->model->edges[e];
        if (!p.dev && r->plain)
            pairing_open_plain(&p, &share, r->params, 2);
        else if (!p.dev)
            pairing_open(&p, &share, r->params, r->reach, r->look);
        if (send_tile(f, &p, 0, edge->from) && send_tile(f, &p, 1, edge->to))
            r->what(r, &p, edge);
    }
    if (p.dev)
        pairing_close(&p);
}

static void run_round(struct round *r)
{
    kin_lanes(r->f->lanes, threads_of(r->f), run_lane, r);
}

static struct round round_of(struct fit *f, bool vertical, struct pairing_look look)
{
    return (struct round){.f = f,
                          .params = f->params,
                          .vertical = vertical,
                          .reach = stitch_reach(f->params, vertical),
                          .look = look};
}

static void measure(struct round *r, struct pairing *p, struct stitch_edge *edge)
{
    pairing_measure(p, edge);
}

static void measure_kind(struct fit *f, bool vertical, float smooth)
{
    struct stitch_model *m = f->model;
    struct round r = round_of(f, vertical, (struct pairing_look){.smooth = smooth});
    r.what = measure;
    for (int e = 0; e < m->edge_count; e++)
        if (m->edges[e].vertical == vertical) {
            m->edges[e].dy = r.reach.nominal[0];
            m->edges[e].dx = r.reach.nominal[1];
        }
    run_round(&r);
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

static bool fits_badly(struct round *r, const struct stitch_edge *edge)
{
    return edge->ncc < r->half || !stitch_edge_counts(r->params, edge);
}

static void measure_better(struct round *r, struct pairing *p, struct stitch_edge *edge)
{
    struct stitch_edge other = *edge;
    pairing_measure(p, &other);
    if (!fits_badly(r, &other))
        *edge = other;
}

/* Where overlaps are not what was stated, some pairs are found all the same, by climbing out of the
 * window. They tell where to look for the others; what is found there must correlate as they do. */
static void measure_again(struct fit *f, bool vertical, float smooth)
{
    struct round r = round_of(f, vertical, (struct pairing_look){.smooth = smooth});
    double shift[2];
    if (stopped(f) || !trusted_shift(f, vertical, shift, &r.half) ||
        (2 * fabs(shift[0] - r.reach.nominal[0]) <= r.reach.radius[0] &&
         2 * fabs(shift[1] - r.reach.nominal[1]) <= r.reach.radius[1]))
        return;
    r.reach.nominal[0] = (int)lrint(shift[0]);
    r.reach.nominal[1] = (int)lrint(shift[1]);
    r.wants = fits_badly;
    r.what = measure_better;
    run_round(&r);
}

static bool is_probed(struct round *r, const struct stitch_edge *edge)
{
    return r->seen++ % r->step == 0;
}

static void probe(struct round *r, struct pairing *p, struct stitch_edge *edge)
{
    double places = (2.0 * r->reach.radius[0] + 1) * (2.0 * r->reach.radius[1] + 1);
    int e = (int)(edge - r->f->model->edges);
    pairing_measure(p, edge);
    if (edge->ncc > stitch_ncc_least(r->params) &&
        chance_of_best(edge->chance, edge->area, places) < CERTAIN) {
        r->at[0][e] = edge->dy;
        r->at[1][e] = edge->dx;
    }
}

/* Up to PROBED pairs of a kind, looked for wherever they would overlap by 2 to 50 %. Answers how
 * many are seen where most are; shift: where. */
static int probe_kind(struct fit *f, bool vertical, double shift[2])
{
    struct stitch_model *m = f->model;
    const struct stitch_params wide = {.tile_h = f->params->tile_h,
                                       .tile_w = f->params->tile_w,
                                       .overlap = 0.26,
                                       .search = 0.24,
                                       .ncc_min = f->params->ncc_min};
    double *at[2], *work;
    int agree = 0, half = m->edge_count / 2;
    struct round r = {.f = f,
                      .params = &wide,
                      .vertical = vertical,
                      .reach = stitch_reach(&wide, vertical),
                      .wants = is_probed,
                      .what = probe,
                      .step = half > PROBED ? (half + PROBED - 1) / PROBED : 1};
    r.at[0] = at[0] = take_numbers(f, 3);
    r.at[1] = at[1] = at[0] ? at[0] + m->edge_count : NULL;
    work = at[0] ? at[1] + m->edge_count : NULL;
    for (int e = 0; at[0] && e < m->edge_count; e++)
        at[0][e] = at[1][e] = NAN;
    if (at[0])
        run_round(&r);
    for (int axis = 0; at[0] && axis < 2; axis++) {
        memcpy(work, at[axis], (size_t)m->edge_count * sizeof *work);
        shift[axis] = stitch_median(work, m->edge_count);
    }
    for (int e = 0; at[0] && e < m->edge_count; e++)
        agree += fabs(at[0][e] - shift[0]) <= 0.02 * wide.tile_h &&
                 fabs(at[1][e] - shift[1]) <= 0.02 * wide.tile_w;
    free(at[0]);
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

static bool is_faint(struct round *r, const struct stitch_edge *edge)
{
    return edge->ncc <= stitch_ncc_least(r->params);
}

static void measure_band(struct round *r, struct pairing *p, struct stitch_edge *edge)
{
    struct stitch_edge faint = *edge;
    pairing_measure(p, &faint);
    faint.faint = true;
    if (stitch_edge_counts(r->params, &faint))
        *edge = faint;
}

/* Where an overlap hardly correlates there may still be faint, smooth signal (tissue below the
 * focus, its edge): what is left of it in a band of scales without pixel noise and without shading.
 * Such a measure must correlate twice as well to count, since fewer samples are independent. */
static void measure_faint(struct fit *f, bool vertical)
{
    struct round r = round_of(f, vertical, (struct pairing_look){.smooth = FAINT, .band = true});
    r.wants = is_faint;
    r.what = measure_band;
    run_round(&r);
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

static void correlate(struct round *r, struct pairing *p, struct stitch_edge *edge)
{
    const struct stitch_model *m = r->f->model;
    const struct stitch_place *from = &m->places[edge->from], *to = &m->places[edge->to];
    r->at[0][edge - m->edges] = pairing_ncc(p, (int)(rint(to->y) - rint(from->y)),
                                            (int)(rint(to->x) - rint(from->x)));
}

/* The correlation of every overlap at the final, rounded positions: what the mosaic will show. */
static double final_ncc(struct fit *f)
{
    struct round r = {.f = f, .params = f->params, .plain = true, .what = correlate};
    int count = f->model->edge_count;
    double *all = r.at[0] = take_numbers(f, 1), median = NAN;
    for (int e = 0; all && e < count; e++)
        all[e] = NAN;
    if (all) {
        run_round(&r);
        median = stitch_median(all, count);
    }
    free(all);
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

static bool compare_pair(void *user, int e, struct kin_error *err)
{
    struct fit *f = user;
    struct stitch_edge *edge = &f->model->edges[e];
    if (f->error.code != KIN_OK || !has_both(f, edge))
        return true;
    struct unlike_view from = view_of(f, edge->from, edge->to),
                       to = view_of(f, edge->to, edge->from);
    unlike_compare(edge, &from, &to);
    return true;
}

static void compare_tiles(struct fit *f)
{
    struct kin_error none;
    int threads = f->tiles->stay ? f->dev->threads : 1;
    if (!stopped(f))
        kin_each(f->model->edge_count, threads, compare_pair, f, &none);
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

/* How many pairs are measured at a time: where tiles stay, as many as there are threads for, on a
 * card a few, and in no more than half of the memory, so that freed memory need not go back to the
 * system. */
static int lanes_of(const struct fit *f, size_t shelf)
{
    const struct stitch_params *p = f->params;
    bool card = f->dev->kind == DEVICE_GPU;
    size_t each = PAIRING_TILES * tile_bytes(p),
           taken = p->held + (size_t)f->model->tiles * tile_bytes(p),
           most = card ? CARD_LANES : KIN_LANES, threads = (size_t)f->dev->threads;
    size_t room[] = {threads, p->memory / 2 > taken ? (p->memory / 2 - taken) / each : 0,
                     f->dev->memory / 2 > shelf ? (f->dev->memory / 2 - shelf) / each : 0};
    if (!f->tiles->stay)
        return 1;
    for (int i = 0; i < 3; i++)
        if (room[i] < most && (i != 1 || p->memory) && (i != 2 || card))
            most = room[i];
    return most > 1 ? (int)most : 1;
}

/* On a card there is room for all tiles, or not for several pairs at a time either. */
static bool fit_open(struct fit *f)
{
    size_t tiles = (size_t)f->count, shelf = tiles * tile_bytes(f->params);
    bool card = f->dev->kind == DEVICE_GPU;
    pthread_mutex_init(&f->door, NULL);
    f->lanes = lanes_of(f, card ? shelf : 0);
    if (!card || f->lanes == 1)
        return true;
    f->shelf = calloc(tiles, sizeof *f->shelf);
    if (!f->shelf)
        device_fail(f->dev, KIN_MEMORY, "no memory for %zu tiles", tiles);
    return f->shelf != NULL;
}

static void fit_close(struct fit *f)
{
    for (int k = 0; f->shelf && k < f->count; k++)
        f->dev->release(f->dev, f->shelf[k]);
    free(f->shelf);
    pthread_mutex_destroy(&f->door);
}

static bool fit_places(struct fit *f, struct kin_error *err)
{
    const struct stitch_params *params = f->params;
    struct stitch_model *m = f->model;
    if (!stitch_overlaps(params) || m->edge_count == 0) {
        bool apart = lie_apart(f, err);
        m->edge_count = 0;
        stitch_canvas(params, m);
        return apart && fit_ok(f, err);
    }
    measure_edges(f);
    if (!fit_ok(f, err) || !stitch_solve(params, m, err)) {
        stitch_model_free(m);
        return false;
    }
    stitch_canvas(params, m);
    m->ncc_median = final_ncc(f);
    compare_tiles(f);
    return fit_ok(f, err) && enough_edges(f, err);
}

bool stitch_model_fit(struct device *dev, const struct stitch_params *params,
                      const struct stitch_tiles *tiles, struct stitch_model *m,
                      struct kin_error *err)
{
    struct fit f = {.dev = dev, .params = params, .tiles = tiles, .model = m};
    if (!model_alloc(params, m, err))
        return false;
    nominal_places(params, m);
    f.count = m->tiles;
    bool good = (fit_open(&f) || device_ok(dev, err)) && fit_places(&f, err);
    fit_close(&f);
    return good;
}
