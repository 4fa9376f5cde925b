// SPDX-License-Identifier: MIT
// surface.c: a smooth flat field for when images are few: log F = sum of c_k P_k, P the
// products of Legendre polynomials of total degree 1 to 4. Three things tell the coefficients, each
// as surely as it repeats:
//
//     overlaps   the same tissue, of brightness L, under two places of the field: log A - log B =
//                sum of c_k (P_k(a) - P_k(b)) + (d(a) / F(a) - d(b) / F(b)) / L, whatever it is; d,
//                a plane, is what the offset was stated too low by: dim tissue shows it
//     tiles      a polynomial through the logarithm of each; tissue differs from tile to tile, and
//                so do these, which tells how far their mean may be off
//     the rest   flat fields are flat: c_k is about 0, for want of anything better
//
// Both kinds of data are fitted with Cauchy weights. Thumbnails are binned to 64 x 64 first.
#include "illum/surface.h"
#include "core/cholesky.h"
#include "core/rank.h"
#include "device/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    M = ILLUM_PIXELS,
    SIDE = ILLUM_SIDE / 2,
    CELLS = SIDE * SIDE,
    DEGREE = 4,
    TERMS = (DEGREE + 1) * (DEGREE + 2) / 2, /* the first is constant: overlaps do not tell it */
    OFFSETS = 3,                             /* unknowns of d: level, slopes along y and x */
    UNKNOWNS = TERMS + OFFSETS,
    ROUNDS = 15,
    CHUNK = 512, /* cells that are summed up together */
    SKIP = 2,    /* every other row and column of a tile tell its polynomial */
    LEAST = 4    /* cells along the narrow side of an overlap */
};

static const double FLAT = 0.15;        /* c_k of a flat field of degree 1; of degree d a d-th */
static const double TISSUE = 0.3;       /* those of a tile's tissue, before tiles have told */
static const double TOLD = 2;           /* tiles' worth of that */
static const double CORRELATED = 15;    /* cells of an overlap err alike: so many stand for one */
static const double STILL = 1e-5;       /* a round that changes nothing by more is the last */
static const double FINEST = 1e-3;      /* no ratio is known better */
static const double DARK_SHARE = 0.1;   /* of what tiles have: less light is not trusted */
static const double BRIGHT_FROM = 0.75; /* of all cells, sorted by their light */
static const double FRAME = 2;          /* ADU: how far off a measured dark frame is */
static const double NO_LEVEL = 300, NO_SLOPE = 20; /* ADU: an offset that nobody states */

struct cell {
    uint16_t a, b;  /* where in the field it lies; in an overlap, of both tiles; else twice */
    float from, to; /* in an overlap: the light there */
    float value;    /* a logarithm, or the difference of two */
};

struct surface {
    struct device *dev;                /* keeps what fails */
    double legendre[SIDE][DEGREE + 1]; /* at the middle of each row or column */
    int degree[TERMS];
    int first;                               /* unknown that is fitted: those before it stay 0 */
    double prior[UNKNOWNS], drawn[UNKNOWNS]; /* 1 / variance of each, times its expectation */
    double c[UNKNOWNS];
    double typical;     /* light: more of it does not count more */
    float base[CELLS];  /* log F where all c_k are 0 */
    double gain[CELLS]; /* 1 / F */
};

struct light { /* of the places, binned, less the offset */
    int places;
    float *cells; /* owned, (places, CELLS) */
    float *level; /* owned, (places): median; 0: not to be used */
    float typical;
};

struct illum_views {
    struct device *dev;
    const struct illum_params *params; /* the caller's */
    struct light light;
    struct cell *cells; /* owned, (n): of the overlaps */
    int n;
    float *work; /* owned, (n) */
};

/* Zeroed memory; NULL: there is none, and the device has failed. */
static void *take(struct device *dev, size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        device_fail(dev, KIN_MEMORY, "no memory for a flat field");
    return memory;
}

/* ---- the terms ------------------------------------------------------------------------------- */

static void legendre_at(double u, double p[DEGREE + 1])
{
    p[0] = 1;
    p[1] = u;
    for (int k = 1; k < DEGREE; k++)
        p[k + 1] = ((2 * k + 1) * u * p[k] - k * p[k - 1]) / (k + 1);
}

static void terms_of(const double *rows, const double *columns, double t[TERMS])
{
    int k = 0;
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; i + j <= DEGREE; j++)
            t[k++] = rows[i] * columns[j];
}

static void begin(struct surface *s, struct device *dev)
{
    int k = 0;
    memset(s, 0, sizeof *s);
    s->dev = dev;
    for (int x = 0; x < SIDE; x++)
        legendre_at((x + 0.5) * 2 / SIDE - 1, s->legendre[x]);
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; i + j <= DEGREE; j++)
            s->degree[k++] = i + j;
}

static void update_gain(struct surface *s)
{
    double t[TERMS];
    for (int x = 0; x < CELLS; x++) {
        double sum = s->base[x];
        terms_of(s->legendre[x / SIDE], s->legendre[x % SIDE], t);
        for (int k = 1; k < TERMS; k++)
            sum += s->c[k] * t[k];
        s->gain[x] = exp(-sum);
    }
}

static double light_of(const struct surface *s, const struct cell *cell)
{
    return ((double)cell->from * s->gain[cell->a] + (double)cell->to * s->gain[cell->b]) / 2;
}

/* What each unknown is multiplied with in a cell; answers how much the cell counts. L is that of
 * both tiles: by that of one, its noise would pass for an offset. */
static double design(const struct surface *s, const struct cell *cell, double t[UNKNOWNS])
{
    double other[TERMS];
    const double *y[] = {s->legendre[cell->a / SIDE], s->legendre[cell->b / SIDE]},
                 *x[] = {s->legendre[cell->a % SIDE], s->legendre[cell->b % SIDE]};
    terms_of(y[0], x[0], t);
    memset(t + TERMS, 0, OFFSETS * sizeof *t);
    if (cell->a == cell->b)
        return 1;
    terms_of(y[1], x[1], other);
    for (int k = 0; k < TERMS; k++)
        t[k] -= other[k];
    double a = s->gain[cell->a], b = s->gain[cell->b], light = light_of(s, cell);
    t[TERMS] = (a - b) / light;
    t[TERMS + 1] = (y[0][1] * a - y[1][1] * b) / light;
    t[TERMS + 2] = (x[0][1] * a - x[1][1] * b) / light;
    return fmin(1, light / s->typical);
}

/* ---- fits ------------------------------------------------------------------------------------ */

struct sums {
    double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS];
};

/* Less what the base makes of it. */
static double value_of(const struct surface *s, const struct cell *cell)
{
    return (double)(cell->value - (s->base[cell->a] - s->base[cell->b]));
}

static double residual_of(const struct surface *s, const struct cell *cell, double t[UNKNOWNS],
                          double *weight)
{
    double r = value_of(s, cell);
    *weight = design(s, cell, t);
    for (int k = 0; k < UNKNOWNS; k++)
        r -= s->c[k] * t[k];
    return r;
}

static void add_cells(const struct surface *s, const struct cell *cells, int n, double scale,
                      struct sums *sums)
{
    double t[UNKNOWNS];
    memset(sums, 0, sizeof *sums);
    for (int i = 0; i < n; i++) {
        double w, r = residual_of(s, &cells[i], t, &w) / (2 * scale),
                  value = value_of(s, &cells[i]);
        w /= (1 + r * r) * CORRELATED * scale * scale;
        for (int k = s->first; k < UNKNOWNS; k++) {
            for (int j = s->first; j <= k; j++)
                sums->a[k][j] += w * t[k] * t[j];
            sums->b[k] += w * t[k] * value;
        }
    }
}

/* Of all cells; work: room for n. */
static double scale_of(const struct surface *s, const struct cell *cells, int n, float *work)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        double t[UNKNOWNS], weight;
        work[i] = (float)fabs(residual_of(s, &cells[i], t, &weight));
    }
    return fmax(FINEST, 1.4826 * (double)kin_median_f32(work, (size_t)n));
}

/* change: the largest of an unknown, offsets as a share of the light. */
static bool fit_round(struct surface *s, const struct cell *cells, int n, double scale,
                      struct sums *parts, double *change)
{
    struct sums all = {0};
    int chunks = (n + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < chunks; i++)
        add_cells(s, cells + i * CHUNK, n - i * CHUNK < CHUNK ? n - i * CHUNK : CHUNK, scale,
                  &parts[i]);
    for (int k = 0; k < UNKNOWNS; k++) {
        all.a[k][k] = s->prior[k];
        all.b[k] = s->drawn[k];
    }
    for (int i = 0; i < chunks; i++)
        for (int k = 0; k < UNKNOWNS; k++) {
            for (int j = 0; j <= k; j++)
                all.a[k][j] += parts[i].a[k][j];
            all.b[k] += parts[i].b[k];
        }
    if (!cholesky_solve(all.a[0], all.b, UNKNOWNS))
        return false;
    *change = 0;
    for (int k = 0; k < UNKNOWNS; k++) {
        double unit = k < TERMS || s->typical == 0 ? 1 : s->typical;
        *change = fmax(*change, fabs(all.b[k] - s->c[k]) / unit);
    }
    memcpy(s->c, all.b, sizeof s->c);
    update_gain(s);
    return true;
}

/* The coefficients that n cells and what is known before tell. False: no memory, or they do not. */
static bool fit_cells(struct surface *s, const struct cell *cells, int n)
{
    float *work = take(s->dev, (size_t)n * sizeof *work);
    struct sums *parts = take(s->dev, ((size_t)n / CHUNK + 1) * sizeof *parts);
    double change = 1;
    bool good = work && parts;
    for (int round = 0; good && change > STILL && round < ROUNDS; round++)
        good = fit_round(s, cells, n, n ? scale_of(s, cells, n, work) : 1, parts, &change);
    free(work);
    free(parts);
    return good;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* A polynomial through the logarithm of a place's light, which may fall to a tenth. */
static bool fit_place(struct surface *s, const struct light *light, int place, double c[TERMS])
{
    struct cell *cells = take(s->dev, CELLS * sizeof *cells);
    const float *from = light->cells + (size_t)place * CELLS;
    struct surface own = *s;
    for (int k = TERMS; k < UNKNOWNS; k++)
        own.prior[k] = 1; /* a tile alone does not tell */
    int n = 0;
    for (int x = 0; cells && x < CELLS; x++) {
        double share = (double)from[x] / (double)light->level[place];
        if (x % SKIP || x / SIDE % SKIP)
            continue;
        cells[n++] = (struct cell){(uint16_t)x, (uint16_t)x, 0, 0,
                                   (float)log(fmax(share, DARK_SHARE))};
    }
    bool good = cells && fit_cells(&own, cells, n);
    memcpy(c, own.c, TERMS * sizeof *c);
    free(cells);
    return good;
}

/* The mean over n tiles of each coefficient, and how far tiles differ in those of its degree. */
static void learn(struct surface *s, double (*c)[TERMS], int n)
{
    double mean[TERMS] = {0}, square[DEGREE + 1] = {0};
    int count[DEGREE + 1] = {0};
    for (int k = 0; k < TERMS; k++) {
        for (int i = 0; i < n; i++)
            mean[k] += c[i][k] / n;
        for (int i = 0; i < n; i++)
            square[s->degree[k]] += (c[i][k] - mean[k]) * (c[i][k] - mean[k]);
        count[s->degree[k]] += n - 1;
    }
    s->prior[0] = 1;
    for (int k = 1; k < TERMS; k++) {
        int d = s->degree[k];
        double tissue = (square[d] + TOLD * TISSUE / d * TISSUE / d) / (count[d] + TOLD);
        s->prior[k] = d / FLAT * d / FLAT + n / tissue;
        s->drawn[k] = n / tissue * mean[k];
    }
}

static bool fit_tiles(struct surface *s, const struct light *light)
{
    double(*c)[TERMS] = take(s->dev, (size_t)light->places * sizeof *c);
    int *lit = take(s->dev, (size_t)light->places * sizeof *lit), n = 0;
    bool good = c && lit;
    for (int k = 0; good && k < light->places; k++)
        if (light->level[k] > 0)
            lit[n++] = k;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : good)
    for (int i = 0; i < n; i++)
        good = fit_place(s, light, lit[i], c[i]) && good;
    free(lit);
    if (good)
        learn(s, c, n);
    free(c);
    return good && n > 0;
}

/* ---- overlaps -------------------------------------------------------------------------------- */

/* The cells that a pair has in common; cells NULL: only how many there may be. */
static int overlap_cells(const struct light *light, const struct illum_pair *pair,
                         struct cell *cells)
{
    int dy = (int)lrint(pair->dy * SIDE), dx = (int)lrint(pair->dx * SIDE), n = 0;
    int top = dy > 0 ? dy : 0, left = dx > 0 ? dx : 0, low = dy > 0 ? SIDE : SIDE + dy,
        right = dx > 0 ? SIDE : SIDE + dx;
    if (pair->from >= light->places || pair->to >= light->places ||
        !(light->level[pair->from] > 0) || !(light->level[pair->to] > 0) || low - top < LEAST ||
        right - left < LEAST)
        return 0;
    if (!cells)
        return (low - top) * (right - left);
    for (int y = top; y < low; y++)
        for (int x = left; x < right; x++) {
            int a = y * SIDE + x, b = (y - dy) * SIDE + x - dx;
            float from = light->cells[(size_t)pair->from * CELLS + (size_t)a],
                  to = light->cells[(size_t)pair->to * CELLS + (size_t)b],
                  least = (float)DARK_SHARE * light->typical;
            if (from > least && to > least)
                cells[n++] = (struct cell){(uint16_t)a, (uint16_t)b, from, to, logf(from / to)};
        }
    return n;
}

/* Those of all pairs, owned by it. False: no memory. */
static bool list_overlaps(struct illum_views *v)
{
    size_t room = 1;
    for (int i = 0; i < v->params->pair_count; i++)
        room += (size_t)overlap_cells(&v->light, &v->params->pairs[i], NULL);
    v->cells = take(v->dev, room * sizeof *v->cells);
    for (int i = 0; v->cells && i < v->params->pair_count; i++)
        v->n += overlap_cells(&v->light, &v->params->pairs[i], v->cells + v->n);
    v->work = take(v->dev, (size_t)v->n * sizeof *v->work);
    return v->cells && v->work;
}

static bool fit_overlaps(struct surface *s, struct illum_views *v)
{
    const struct illum_params *params = v->params;
    bool stated = !isnan(params->dark);
    double error = params->dark_error > 0 ? params->dark_error : FRAME,
           level = stated ? error : NO_LEVEL, slope = stated ? error : NO_SLOPE;
    for (int k = TERMS; k < UNKNOWNS; k++)
        s->prior[k] = k == TERMS ? 1 / (level * level) : 1 / (slope * slope);
    s->typical = (double)v->light.typical;
    update_gain(s);
    return fit_cells(s, v->cells, v->n);
}

/* ---- light ----------------------------------------------------------------------------------- */

static int count_places(int n, const struct illum_params *params)
{
    int places = params->place_of ? 0 : n;
    for (int i = 0; params->place_of && i < n; i++)
        places = params->place_of[i] >= places ? params->place_of[i] + 1 : places;
    return places;
}

static void bin(const float *mean, double offset, float *cells)
{
    enum { N = ILLUM_SIDE };
    for (int x = 0; x < CELLS; x++) {
        const float *at = mean + x / SIDE * 2 * N + x % SIDE * 2;
        cells[x] = (at[0] + at[1] + at[N] + at[N + 1]) / 4 - (float)offset;
    }
}

/* Places that have hardly any light are left out; false: all are. */
static bool take_levels(struct light *light, float *work)
{
    int n = 0;
    for (int k = 0; k < light->places; k++) {
        memcpy(work, light->cells + (size_t)k * CELLS, CELLS * sizeof *work);
        light->level[k] = light->level[k] > 0 ? kin_median_f32(work, CELLS) : 0;
    }
    for (int k = 0; k < light->places; k++)
        if (light->level[k] > 1)
            work[n++] = light->level[k];
    light->typical = n ? kin_median_f32(work, (size_t)n) : 0;
    for (int k = 0; k < light->places; k++)
        if (!(light->level[k] > 1) || light->level[k] < (float)DARK_SHARE * light->typical)
            light->level[k] = 0;
    return n > 0;
}

static void light_free(struct light *light)
{
    free(light->cells);
    free(light->level);
}

static bool gather_light(struct illum_views *v, const float *thumbs, int n)
{
    struct light *light = &v->light;
    const struct illum_params *params = v->params;
    size_t places = (size_t)light->places;
    float *means = take(v->dev, places * M * sizeof *means),
          *work = take(v->dev, (CELLS + places) * sizeof *work);
    int *row = take(v->dev, places * sizeof *row);
    light->cells = take(v->dev, places * CELLS * sizeof *light->cells);
    light->level = take(v->dev, places * sizeof *light->level);
    bool good = means && work && row && light->cells && light->level;
    if (good)
        illum_place_means(thumbs, params->place_of, n, light->places, means, row);
    for (int k = 0; good && k < light->places; k++)
        if (row[k] >= 0) {
            bin(means + (size_t)row[k] * M, isnan(params->dark) ? 0 : params->dark,
                light->cells + (size_t)k * CELLS);
            light->level[k] = 1;
        }
    good = good && take_levels(light, work);
    free(means);
    free(work);
    free(row);
    return good;
}

/* ---- the surface ----------------------------------------------------------------------------- */

static void evaluate(const struct surface *s, float *flat)
{
    enum { N = ILLUM_SIDE };
    double legendre[N][DEGREE + 1], t[TERMS];
    for (int x = 0; x < N; x++)
        legendre_at((x + 0.5) * 2 / N - 1, legendre[x]);
    for (int x = 0; x < M; x++) {
        double sum = 0;
        terms_of(legendre[x / N], legendre[x % N], t);
        for (int k = 1; k < TERMS; k++)
            sum += s->c[k] * t[k];
        flat[x] = (float)exp(sum);
    }
    float mean = (float)kin_mean_f32(flat, M);
    for (int x = 0; x < M; x++)
        flat[x] /= mean;
}

struct illum_views *illum_views_open(struct device *dev, const float *thumbs, int n,
                                     const struct illum_params *params)
{
    struct illum_views *v = take(dev, sizeof *v);
    if (!v)
        return NULL;
    v->dev = dev;
    v->params = params;
    v->light.places = count_places(n, params);
    if (v->light.places > 0 && gather_light(v, thumbs, n) && list_overlaps(v))
        return v;
    illum_views_close(v);
    return NULL;
}

void illum_views_close(struct illum_views *v)
{
    if (!v)
        return;
    light_free(&v->light);
    free(v->cells);
    free(v->work);
    free(v);
}

bool illum_views_surface(struct illum_views *v, float *flat)
{
    struct surface *s = take(v->dev, sizeof *s);
    bool good = s != NULL;
    if (good) {
        begin(s, v->dev);
        good = fit_tiles(s, &v->light) && fit_overlaps(s, v);
    }
    if (good)
        evaluate(s, flat);
    free(s);
    return good;
}

/* Of the brightest cells. */
static double scale_of_bright(const struct surface *s, struct illum_views *v)
{
    int n = 0;
    for (int i = 0; i < v->n; i++)
        v->work[i] = (float)light_of(s, &v->cells[i]);
    float least = kin_rank_f32(v->work, (size_t)v->n, (size_t)(BRIGHT_FROM * v->n));
    for (int i = 0; i < v->n; i++) {
        double t[UNKNOWNS], weight;
        if (light_of(s, &v->cells[i]) >= (double)least)
            v->work[n++] = (float)fabs(residual_of(s, &v->cells[i], t, &weight));
    }
    return fmax(FINEST, 1.4826 * (double)kin_median_f32(v->work, (size_t)n));
}

double illum_views_disagreement(struct illum_views *v, const float *flat, double *bright)
{
    struct surface *s = v->n ? take(v->dev, sizeof *s) : NULL;
    double left = *bright = NAN;
    if (s) {
        begin(s, v->dev);
        bin(flat, 0, s->base);
        for (int x = 0; x < CELLS; x++)
            s->base[x] = logf(s->base[x]);
        s->first = TERMS;
        for (int k = 0; k < TERMS; k++)
            s->prior[k] = 1;
        if (fit_overlaps(s, v)) {
            left = scale_of(s, v->cells, v->n, v->work);
            *bright = scale_of_bright(s, v);
        }
    }
    free(s);
    return left;
}
