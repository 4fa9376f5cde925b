// SPDX-License-Identifier: MIT
// The fit. Marker signal only ever adds light, so the background is the lower edge of the cloud of
// (blank, marker) cells: a start from low quantiles in slices of the blank, then Tukey's biweight
// (Beaton & Tukey 1974) with a spread measured on the residuals below the line, where no marker
// reaches.
#include "isolate/isolate.h"
#include "core/rank.h"
#include "image/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 24, ROUNDS = 40, LEAST_CELLS = 40, BAND = 256, MOST_CELLS = 1 << 21 };

struct cell {
    double blank, marker;
    int y, x; // its first pixel
};

bool isolate_is_blank(const char *name, const char *const *named, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(name, named[i]))
            return true;
    return experiment_names_blank(name);
}

// ---- bands -----------------------------------------------------------------------------------

// Where one of them holds nothing (its cycle does not reach so far), the other stands alone.
static void mix_rows(uint16_t *a, const uint16_t *b, size_t n, const struct isolate_mix *mix)
{
    float f = (float)mix->of_a, g = (float)mix->of_b, alone = g / (1 - f);
    for (size_t i = 0; i < n; i++)
        if (b[i])
            a[i] = kin_round_u16(a[i] ? f * a[i] + g * b[i] : alone * b[i]);
}

static bool mixed_rows(void *user, int z, int y0, int count, void *dst, struct kin_error *err)
{
    const struct isolate_mix *mix = user;
    size_t n = (size_t)count * (size_t)mix->a.dims.x;
    uint16_t *other = malloc(n * sizeof *other);
    bool good = (other || kin_fail(err, KIN_MEMORY, "no memory for %d rows", count)) &&
                mix->a.rows(mix->a.user, z, y0, count, dst, err) &&
                mix->b.rows(mix->b.user, z, y0, count, other, err);
    if (good)
        mix_rows(dst, other, n, mix);
    free(other);
    return good;
}

struct kin_source isolate_mixed(const struct isolate_mix *mix)
{
    return (struct kin_source){mix->a.dims, KIN_U16, mixed_rows, (void *)(uintptr_t)mix};
}

// Some rows of both images, those of the blank with more above and below.
struct band {
    uint16_t *marker, *blank; // owned
    int y0, rows;
    int blank_y0, blank_rows;
};

static bool band_alloc(struct band *b, struct kin_dims d, int rows, int beyond,
                       struct kin_error *err)
{
    *b = (struct band){
        .marker = malloc((size_t)rows * (size_t)d.x * sizeof *b->marker),
        .blank = malloc((size_t)(rows + 2 * beyond) * (size_t)d.x * sizeof *b->blank)};
    return (b->marker && b->blank) ||
           kin_fail(err, KIN_MEMORY, "no memory for %d rows of two images", rows);
}

static void band_free(struct band *b)
{
    free(b->marker);
    free(b->blank);
}

static bool band_read(struct band *b, const struct isolate_pair *pair, int y0, int rows, int beyond,
                      struct kin_error *err)
{
    const struct kin_source *m = &pair->marker, *k = &pair->blank;
    int h = m->dims.y, end = y0 + rows + beyond < h ? y0 + rows + beyond : h;
    b->y0 = y0;
    b->rows = rows;
    b->blank_y0 = y0 - beyond > 0 ? y0 - beyond : 0;
    b->blank_rows = end - b->blank_y0;
    return m->rows(m->user, 0, y0, rows, b->marker, err) &&
           k->rows(k->user, 0, b->blank_y0, b->blank_rows, b->blank, err);
}

// ---- cells -----------------------------------------------------------------------------------

static int bin_of(struct kin_dims d, const struct isolate_params *params)
{
    int bin = params->bin > 0 ? params->bin : 8;
    while (!params->bin && (int64_t)(d.y / bin) * (d.x / bin) > MOST_CELLS)
        bin *= 2;
    while (bin > 1 && (int64_t)(d.y / bin) * (d.x / bin) < 2000)
        bin /= 2;
    return bin;
}

// Adds the cells of a band, means of bin x bin pixels; one that touches a pixel of 0 is left out.
static int add_cells(struct cell *cells, int n, const struct band *b, struct kin_dims d, int bin)
{
    for (int y = 0; y + bin <= b->rows; y += bin)
        for (int x = 0; x + bin <= d.x; x += bin) {
            uint64_t sum = 0, of_blank = 0;
            bool whole = true;
            for (int j = 0; j < bin; j++)
                for (int i = 0; i < bin; i++) {
                    size_t at = (size_t)(y + j) * d.x + x + i;
                    sum += b->marker[at];
                    of_blank += b->blank[at];
                    whole &= b->marker[at] && b->blank[at];
                }
            if (whole)
                cells[n++] = (struct cell){(double)of_blank / (bin * bin),
                                           (double)sum / (bin * bin), b->y0 + y, x};
        }
    return n;
}

// Answers how many cells there are; -1: see err.
static int fill_cells(struct cell *cells, const struct isolate_pair *pair, int bin,
                      struct kin_error *err)
{
    struct kin_dims d = pair->marker.dims;
    struct band b;
    int step = bin < BAND ? BAND / bin * bin : bin, n = 0;
    bool good = band_alloc(&b, d, step < d.y ? step : d.y, 0, err);
    for (int y = 0; good && y < d.y; y += step) {
        good = band_read(&b, pair, y, d.y - y < step ? d.y - y : step, 0, err);
        n = good ? add_cells(cells, n, &b, d, bin) : n;
    }
    band_free(&b);
    return good ? n : -1;
}

static int by_blank(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->blank != y->blank)
        return x->blank < y->blank ? -1 : 1;
    return (x->marker > y->marker) - (x->marker < y->marker);
}

static double quantile(double *v, int n, double q)
{
    return kin_rank_f64(v, (size_t)n, (size_t)(q * (n - 1)));
}

// ---- the line --------------------------------------------------------------------------------

struct line {
    double scale, offset;
};

// What the marker shows beyond the blank.
static double above(const struct cell *cell, struct line line)
{
    return cell->marker - line.offset - line.scale * cell->blank;
}

// The line through n weighted points (w NULL: all 1), of a known scale or (0) its own, which is
// never negative.
static struct line weighted_line(const struct cell *c, const double *w, int n, double known)
{
    double s = 0, sx = 0, sy = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        double k = w ? w[i] : 1;
        s += k;
        sx += k * c[i].blank;
        sy += k * c[i].marker;
    }
    sx /= s;
    sy /= s;
    for (int i = 0; i < n; i++) {
        double k = w ? w[i] : 1;
        xx += k * (c[i].blank - sx) * (c[i].blank - sx);
        xy += k * (c[i].blank - sx) * (c[i].marker - sy);
    }
    struct line line = {known > 0 ? known : xx > 0 ? fmax(xy / xx, 0) : 0, 0};
    line.offset = sy - line.scale * sx;
    return line;
}

// The 20th percentile of the marker in slices of equally many cells, sorted by blank, and a line
// through them.
static struct line first_line(const struct cell *cells, int n, double known, double *scratch)
{
    struct cell low[SLICES] = {0};
    for (int k = 0; k < SLICES; k++) {
        int from = (int)((int64_t)n * k / SLICES), to = (int)((int64_t)n * (k + 1) / SLICES);
        for (int i = from; i < to; i++) {
            low[k].blank += cells[i].blank / (to - from);
            scratch[i - from] = cells[i].marker;
        }
        low[k].marker = quantile(scratch, to - from, 0.2);
    }
    return weighted_line(low, NULL, SLICES, known);
}

// Deviation of the cells below the line, as of a Gaussian cut in half: 1.4826 times their median
// distance.
static double lower_spread(const struct cell *cells, int n, struct line line, double *scratch)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        double r = above(&cells[i], line);
        if (r <= 0)
            scratch[m++] = -r;
    }
    return m ? fmax(1.4826 * quantile(scratch, m, 0.5), 0.05) : 0.05;
}

static void biweights(const struct cell *cells, int n, struct line line, double spread, double *w)
{
    for (int i = 0; i < n; i++) {
        double r = above(&cells[i], line) / (3 * spread);
        w[i] = fabs(r) < 1 ? (1 - r * r) * (1 - r * r) : 0;
    }
}

// Weighted mean of the residuals and of the blank over cells from..to-1 (sorted by blank).
static void third(const struct cell *cells, const double *w, int from, int to, struct line line,
                  double *residual, double *blank)
{
    double s = 1e-12, r = 0, b = 0;
    for (int i = from; i < to; i++) {
        s += w[i];
        r += w[i] * above(&cells[i], line);
        b += w[i] * cells[i].blank;
    }
    *residual = r / s;
    *blank = b / s;
}

static void background_numbers(const struct cell *cells, int n, struct line line, const double *w,
                               struct isolate_fit *fit)
{
    double s = 0, mean = 0, vm = 0, rr = 0, r0, b0, r1, b1;
    for (int i = 0; i < n; i++) {
        s += w[i];
        mean += w[i] * cells[i].marker;
        fit->background += w[i] > 0.1;
    }
    for (int i = 0; i < n; i++) {
        double r = above(&cells[i], line), m = cells[i].marker - mean / s;
        vm += w[i] * m * m;
        rr += w[i] * r * r;
    }
    third(cells, w, 0, n / 3, line, &r0, &b0);
    third(cells, w, n - n / 3, n, line, &r1, &b1);
    // What was taken away, or what was there: a scale that is known may be far too small or large.
    double taken = line.scale * (b1 - b0), step = fmax(taken, taken + r1 - r0);
    fit->explained = vm > 0 ? fmax(1 - rr / vm, 0) : 0;
    fit->left = step > fit->spread ? fmin(fabs(r1 - r0) / step, 1) : 0;
}

static void fit_cells(struct cell *cells, int n, double *w, const struct isolate_params *params,
                      struct isolate_fit *fit)
{
    qsort(cells, n, sizeof *cells, by_blank);
    struct line line = first_line(cells, n, params->scale, w);
    double spread = lower_spread(cells, n, line, w);
    for (int round = 0; round < ROUNDS; round++) {
        biweights(cells, n, line, spread, w);
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += w[i];
        if (sum < LEAST_CELLS)
            break;
        line = weighted_line(cells, w, n, params->scale);
        spread = lower_spread(cells, n, line, w);
    }
    biweights(cells, n, line, spread, w);
    fit->spread = spread;
    fit->scale = line.scale;
    fit->offset = line.offset;
    background_numbers(cells, n, line, w, fit);
    bool known = params->scale > 0;
    if ((!known && fit->scale > params->max_scale) || fit->background < LEAST_CELLS) {
        fit->failed = true;
        snprintf(fit->note, sizeof fit->note,
                 "no usable relation to the blank (scale %.3g on %d of %d cells; --max-scale %g)",
                 fit->scale, fit->background, n, params->max_scale);
        fit->scale = known ? params->scale : 0;
        for (int i = 0; i < n; i++)
            w[i] = cells[i].marker - fit->scale * cells[i].blank;
        fit->offset = quantile(w, n, 0.2);
    }
}

// ---- a blank that tells nothing ---------------------------------------------------------------

static const double HARDLY = 0.2, TEXTURED = 0.5; // explained; what neighbours have in common
// deviations: in one place, and in the best of many
static const double SURE = 4, SURE_WHERE = 5;

static int by_place(const void *a, const void *b)
{
    const struct cell *p = a, *q = b;
    return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

// The share of the background's variance that cells beside each other have in common (von Neumann's
// ratio, Annals of Mathematical Statistics 12:367, 1941): noise has nothing. w: weights of the fit.
static double texture(const struct cell *cells, int n, const double *w, int bin, struct cell *some)
{
    double sum = 0, squares = 0, steps = 0;
    int count = 0, pairs = 0;
    for (int i = 0; i < n; i++)
        if (w[i] > 0.1)
            some[count++] = cells[i];
    qsort(some, (size_t)count, sizeof *some, by_place);
    for (int i = 0; i < count; i++) {
        sum += some[i].marker;
        squares += some[i].marker * some[i].marker;
        if (i && some[i].y == some[i - 1].y && some[i].x == some[i - 1].x + bin) {
            double step = some[i].marker - some[i - 1].marker;
            steps += step * step;
            pairs++;
        }
    }
    double variance = squares / fmax(1, count) - sum / fmax(1, count) * (sum / fmax(1, count));
    return pairs && variance > 0 ? 1 - steps / (2 * pairs) / variance : 0;
}

enum { APART = 3, NEAREST = 6, FURTHEST = 18 }; // cells
enum { WITHIN = 11 }; // places across where the blank is looked for, the outermost for the others

// Puts in the place of cells how they differ from those APART to the right, which leaves little of
// what is wider than that, and the places of those that have one. A stain counts as the brightest
// background. cells: by place.
static int differences(struct cell *cells, int n, int bin, double brightest)
{
    int kept = 0;
    for (int i = 0; i + APART < n; i++) {
        struct cell here = cells[i], there = cells[i + APART];
        if (there.y != here.y || there.x != here.x + APART * bin)
            continue;
        here.marker = fmin(here.marker, brightest) - fmin(there.marker, brightest);
        here.blank -= there.blank;
        cells[kept++] = here;
    }
    return kept;
}

// Of the marker with the blank so many pixels away. cells: by place.
static double correlation(const struct cell *cells, int n, int dy, int dx)
{
    double m = 0, b = 0, mm = 0, bb = 0, mb = 0;
    int pairs = 0;
    for (int i = 0, j = 0; i < n; i++) {
        const struct cell there = {.y = cells[i].y + dy, .x = cells[i].x + dx};
        while (j < n && by_place(&cells[j], &there) < 0)
            j++;
        if (j == n)
            break;
        if (by_place(&cells[j], &there))
            continue;
        double marker = cells[i].marker, blank = cells[j].blank;
        m += marker;
        b += blank;
        mm += marker * marker;
        bb += blank * blank;
        mb += marker * blank;
        pairs++;
    }
    double spread = pairs ? (mm - m * m / pairs) * (bb - b * b / pairs) : 0;
    return spread > 0 ? (mb - m * b / pairs) / sqrt(spread) : 0;
}

// How the marker agrees with the blank in its place, and where it agrees best, in deviations of
// what it has in common with the blank far beside.
struct agreement {
    double here, best;
    double y, x; // pixels, from where the blank shows it to where the marker does
};

// The highest place of the parabola through three values in a row, seen from the middle one, which
// is the highest of them unless it lies at the end of what is looked at.
static double top(double before, double middle, double behind)
{
    double bend = before - 2 * middle + behind;
    return bend < 0 ? fmin(fmax(0.5 * (before - behind) / bend, -1), 1) : 0;
}

static void find_best(const struct cell *cells, int n, int bin, struct agreement *a)
{
    double near[WITHIN][WITHIN]; // a border around the places that may be the best
    int y = 1, x = 1;
    for (int i = 0; i < WITHIN; i++)
        for (int k = 0; k < WITHIN; k++)
            near[i][k] = correlation(cells, n, (i - WITHIN / 2) * bin, (k - WITHIN / 2) * bin);
    for (int i = 1; i + 1 < WITHIN; i++)
        for (int k = 1; k + 1 < WITHIN; k++)
            if (near[i][k] > near[y][x]) {
                y = i;
                x = k;
            }
    a->here = near[WITHIN / 2][WITHIN / 2];
    a->best = near[y][x];
    a->y = -bin * (y - WITHIN / 2 + top(near[y - 1][x], near[y][x], near[y + 1][x]));
    a->x = -bin * (x - WITHIN / 2 + top(near[y][x - 1], near[y][x], near[y][x + 1]));
}

// cells: by place.
static struct agreement agreement_of(const struct cell *cells, int n, int bin)
{
    struct agreement a;
    double sum = 0, squares = 0;
    int count = 0;
    for (int far = NEAREST; far <= FURTHEST; far += NEAREST)
        for (int k = 0; k < 9; k++) {
            int dy = k / 3 - 1, dx = k % 3 - 1;
            if (!dy && !dx)
                continue;
            double r = correlation(cells, n, dy * far * bin, dx * far * bin);
            sum += r;
            squares += r * r;
            count++;
        }
    double mean = sum / count, deviation = sqrt(fmax(squares / count - mean * mean, 0));
    find_best(cells, n, bin, &a);
    a.here = deviation > 0 ? (a.here - mean) / deviation : 0;
    a.best = deviation > 0 ? (a.best - mean) / deviation : 0;
    return a;
}

// Whether the marker shows anything of the blank, be it ever so little beside a stain's haze, and
// where.
static bool shows_blank(const struct cell *cells, int n, const double *w, int bin,
                        struct cell *some, struct isolate_fit *fit)
{
    double brightest = 0;
    for (int i = 0; i < n; i++)
        brightest = w[i] > 0.1 ? fmax(brightest, cells[i].marker) : brightest;
    memcpy(some, cells, (size_t)n * sizeof *some);
    qsort(some, (size_t)n, sizeof *some, by_place);
    struct agreement a = agreement_of(some, differences(some, n, bin, brightest), bin);
    fit->shift[0] = a.best > SURE_WHERE ? a.y : NAN;
    fit->shift[1] = a.best > SURE_WHERE ? a.x : NAN;
    return a.here > SURE;
}

// A background that is more than noise, of which the blank knows nothing, has another origin; or
// the blank is of another place, or was taken without light.
static void doubt_blank(const struct cell *cells, const double *w, int bin, struct cell *some,
                        struct isolate_fit *fit)
{
    bool shown = shows_blank(cells, fit->cells, w, bin, some, fit);
    if (fit->failed || fit->explained > HARDLY || shown ||
        texture(cells, fit->cells, w, bin, some) < TEXTURED)
        return;
    fit->unrelated = true;
    snprintf(fit->note, sizeof fit->note,
             "the blank explains %.0f %% of the background: is it of the same tissue, registered "
             "and well exposed?",
             100 * fit->explained);
}

// ---- lines of places ----------------------------------------------------------------------------

enum { LEAST_REGION = 300 }; // cells that a place needs for a line of its own

// The line around one node, from the cells within a step of it; false: the whole image's is better.
static bool fit_node(const struct cell *cells, int n, int y, int x,
                     const struct isolate_params *params, const struct isolate_fit *whole,
                     struct cell *near, double *w, struct isolate_fit *fit)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (abs(cells[i].y - y) < params->region && abs(cells[i].x - x) < params->region)
            near[count++] = cells[i];
    *fit = (struct isolate_fit){0};
    if (count < LEAST_REGION)
        return false;
    fit_cells(near, count, w, params, fit);
    return !fit->failed && fit->background >= LEAST_REGION / 3 && fit->scale > 0.4 * whole->scale &&
           fit->scale < 2.5 * whole->scale;
}

// False: no memory.
static bool fit_field(const struct cell *cells, int n, struct kin_dims dims,
                      const struct isolate_params *params, struct isolate_fit *fit,
                      struct cell *near, double *w)
{
    struct isolate_field f = {.step = params->region};
    f.rows = dims.y / f.step + 2;
    f.cols = dims.x / f.step + 2;
    size_t nodes = (size_t)f.rows * f.cols;
    f.scale = malloc(2 * nodes * sizeof *f.scale);
    if (!f.scale)
        return false;
    f.offset = f.scale + nodes;
    for (size_t i = 0; i < nodes; i++) {
        struct isolate_fit here;
        int y = (int)(i / (size_t)f.cols) * f.step, x = (int)(i % (size_t)f.cols) * f.step;
        bool own = fit_node(cells, n, y, x, params, fit, near, w, &here);
        f.scale[i] = (float)(own ? here.scale : fit->scale);
        f.offset[i] = (float)(own ? here.offset : fit->offset);
        f.own += own;
    }
    fit->field = f;
    return true;
}

void isolate_fit_free(struct isolate_fit *fit)
{
    free(fit->field.scale);
    fit->field = (struct isolate_field){0};
}

bool isolate_measure(const struct isolate_pair *pair, const struct isolate_params *params,
                     struct isolate_fit *fit, struct kin_error *err)
{
    struct kin_dims dims = pair->marker.dims;
    int bin = bin_of(dims, params);
    size_t most = (size_t)(dims.y / bin + 1) * (dims.x / bin + 1);
    struct cell *cells = malloc(2 * most * sizeof *cells);
    double *w = malloc(most * sizeof *w);
    *fit = (struct isolate_fit){.shift = {NAN, NAN}};
    bool good = (cells && w) || kin_fail(err, KIN_MEMORY, "no memory for %zu cells", most);
    if (good)
        good = (fit->cells = fill_cells(cells, pair, bin, err)) >= 0;
    if (good && fit->cells < LEAST_CELLS) {
        fit->failed = true;
        snprintf(fit->note, sizeof fit->note, "only %d cells with pixels in both images",
                 fit->cells);
    } else if (good) {
        fit_cells(cells, fit->cells, w, params, fit);
        doubt_blank(cells, w, bin, cells + most, fit);
        if (params->region > 0 && !fit->failed)
            good = fit_field(cells, fit->cells, dims, params, fit, cells + most, w) ||
                   kin_fail(err, KIN_MEMORY, "no memory for lines of places");
    }
    fit->quality = fit->failed || fit->unrelated ? 0.5 * (1 - fit->left) : 1 - fit->left;
    free(cells);
    free(w);
    return good;
}

// ---- subtraction -----------------------------------------------------------------------------

enum { WIDEST = 3 * ISOLATE_SMOOTHEST }; // pixels to each side
enum { RUN = 32768 };                    // pixels whose sum fits 32 bits

static int kernel_of(double sigma, float w[WIDEST + 1])
{
    int radius = sigma > 0 ? (int)ceil(3 * sigma) : 0;
    radius = radius > WIDEST ? WIDEST : radius;
    double sum = 0;
    for (int k = 0; k <= radius; k++) {
        w[k] = sigma > 0 ? (float)exp(-0.5 * k * k / (sigma * sigma)) : 1;
        sum += (k ? 2 : 1) * (double)w[k];
    }
    for (int k = 0; k <= radius; k++)
        w[k] /= (float)sum;
    return radius;
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

// What is smoothed: the blank, or where it holds something.
enum of { BLANK, COVERAGE };

// Row y, smoothed; column: w + 2 radius floats of scratch.
static void smooth_row(float *restrict out, enum of of, const struct band *b, struct kin_dims d,
                       int y, const float *kernel, int radius, float *restrict column)
{
    float *middle = column + radius;
    for (int x = 0; x < d.x; x++)
        middle[x] = 0;
    for (int k = -radius; k <= radius; k++) {
        const uint16_t *row = b->blank + (size_t)(clamp(y + k, d.y) - b->blank_y0) * d.x;
        float share = kernel[abs(k)];
#pragma omp simd
        for (int x = 0; x < d.x; x++)
            middle[x] += share * (of == BLANK ? row[x] : row[x] > 0);
    }
    for (int k = 1; k <= radius; k++) {
        middle[-k] = middle[0];
        middle[d.x - 1 + k] = middle[d.x - 1];
    }
    for (int x = 0; x < d.x; x++)
        out[x] = kernel[0] * middle[x];
    for (int k = 1; k <= radius; k++) {
        float share = kernel[k];
#pragma omp simd
        for (int x = 0; x < d.x; x++)
            out[x] += share * (middle[x - k] + middle[x + k]);
    }
}

static bool holds_all(const uint16_t *row, int n)
{
    int gaps = 0;
#pragma omp simd reduction(+ : gaps)
    for (int x = 0; x < n; x++)
        gaps += !row[x];
    return !gaps;
}

// Row y of the blank, smoothed over those pixels that hold something (Knutsson & Westin 1993); 0
// where none does. gaps: whether row blank_y0 + i has some that do not; scratch: 2 w + 2 radius.
static void blank_row(float *restrict out, const struct band *b, const bool *gaps,
                      struct kin_dims d, int y, const float *kernel, int radius,
                      float *restrict scratch)
{
    bool whole = true;
    for (int k = -radius; k <= radius; k++)
        whole = whole && !gaps[clamp(y + k, d.y) - b->blank_y0];
    smooth_row(out, BLANK, b, d, y, kernel, radius, scratch + d.x);
    if (whole)
        return;
    smooth_row(scratch, COVERAGE, b, d, y, kernel, radius, scratch + d.x);
    for (int x = 0; x < d.x; x++)
        out[x] = scratch[x] > 0 ? out[x] / scratch[x] : 0;
}

struct totals {
    uint64_t in, out, clipped, counted;
};

// The line of every pixel of row y: scale and offset, w numbers each.
static void line_of_row(const struct isolate_fit *fit, int y, int w, float *scale, float *offset)
{
    const struct isolate_field *f = &fit->field;
    for (int x = 0; !f->rows && x < w; x++) {
        scale[x] = (float)fit->scale;
        offset[x] = (float)fit->offset;
    }
    if (!f->rows)
        return;
    int r = y / f->step;
    float fy = (float)(y - r * f->step) / (float)f->step;
    for (int x0 = 0; x0 < w; x0 += f->step) {
        size_t i = (size_t)r * f->cols + x0 / f->step, j = i + f->cols;
        float s[] = {f->scale[i], f->scale[i + 1], f->scale[j], f->scale[j + 1]},
              o[] = {f->offset[i], f->offset[i + 1], f->offset[j], f->offset[j + 1]};
        int n = w - x0 < f->step ? w - x0 : f->step;
#pragma omp simd
        for (int x = 0; x < n; x++) {
            float fx = (float)x / (float)f->step;
            scale[x0 + x] = (1 - fy) * ((1 - fx) * s[0] + fx * s[1]) +
                            fy * ((1 - fx) * s[2] + fx * s[3]);
            offset[x0 + x] = (1 - fy) * ((1 - fx) * o[0] + fx * o[1]) +
                             fy * ((1 - fx) * o[2] + fx * o[3]);
        }
    }
}

// What is left of n <= RUN pixels of the marker, in their place; 0 outside the mosaic.
static struct totals subtract_run(uint16_t *restrict marker, const float *restrict blank, int n,
                                  const float *restrict scale, const float *restrict offset)
{
    uint32_t in = 0, out = 0, clipped = 0, counted = 0;
#pragma omp simd reduction(+ : in, out, clipped, counted)
    for (int x = 0; x < n; x++) {
        float v = (float)marker[x] - offset[x] - scale[x] * blank[x];
        uint32_t value = marker[x], inside = value > 0, left = inside ? kin_round_u16(v) : 0;
        counted += inside;
        in += value;
        clipped += v < 0 ? inside : 0;
        out += left;
        marker[x] = (uint16_t)left;
    }
    return (struct totals){in, out, clipped, counted};
}

static struct totals subtract_row(uint16_t *marker, const float *blank, int w, const float *scale,
                                  const float *offset)
{
    struct totals t = {0};
    for (int x = 0; x < w; x += RUN) {
        struct totals run = subtract_run(marker + x, blank + x, w - x < RUN ? w - x : RUN,
                                         scale + x, offset + x);
        t.in += run.in;
        t.out += run.out;
        t.clipped += run.clipped;
        t.counted += run.counted;
    }
    return t;
}

// What is left of a band's marker, in its place. False: no memory.
static bool subtract_band(struct band *b, struct kin_dims dims, const float *kernel, int radius,
                          int threads, const struct isolate_fit *fit, struct totals *totals)
{
    uint64_t in = 0, out = 0, clipped = 0, counted = 0;
    bool *gaps = malloc((size_t)b->blank_rows * sizeof *gaps), memory = gaps;
#pragma omp parallel num_threads(threads) reduction(+ : in, out, clipped, counted)
    {
        float *rows = gaps ? malloc((5 * (size_t)dims.x + 2 * (size_t)radius) * sizeof *rows)
                           : NULL;
        if (!rows)
#pragma omp atomic write
            memory = false;
#pragma omp for schedule(static)
        for (int i = 0; i < (gaps ? b->blank_rows : 0); i++)
            gaps[i] = !holds_all(b->blank + (size_t)i * dims.x, dims.x);
#pragma omp for schedule(static)
        for (int i = 0; i < b->rows; i++) {
            uint16_t *row = b->marker + (size_t)i * dims.x;
            if (!rows)
                continue;
            blank_row(rows, b, gaps, dims, b->y0 + i, kernel, radius, rows + 3 * (size_t)dims.x);
            float *scale = rows + dims.x, *offset = scale + dims.x;
            line_of_row(fit, b->y0 + i, dims.x, scale, offset);
            struct totals t = subtract_row(row, rows, dims.x, scale, offset);
            in += t.in;
            out += t.out;
            clipped += t.clipped;
            counted += t.counted;
        }
        free(rows);
    }
    free(gaps);
    totals->in += in;
    totals->out += out;
    totals->clipped += clipped;
    totals->counted += counted;
    return memory;
}

bool isolate_apply(const struct isolate_pair *pair, const struct isolate_params *params,
                   int threads, struct isolate_fit *fit, const struct kin_sink *sink,
                   struct kin_error *err)
{
    struct kin_dims dims = pair->marker.dims;
    float kernel[WIDEST + 1];
    int radius = kernel_of(params->smooth, kernel), rows;
    struct totals t = {0};
    struct band b;
    bool good = band_alloc(&b, dims, BAND < dims.y ? BAND : dims.y, radius, err);
    for (int y = 0; good && y < dims.y; y += rows) {
        rows = dims.y - y < BAND ? dims.y - y : BAND;
        good = band_read(&b, pair, y, rows, radius, err) &&
               (subtract_band(&b, dims, kernel, radius, threads, fit, &t) ||
                kin_fail(err, KIN_MEMORY, "no memory for the rows of a blank image")) &&
               sink->rows(sink->user, 0, rows, b.marker, err);
    }
    band_free(&b);
    fit->removed = t.in ? 1 - (double)t.out / (double)t.in : 0;
    fit->clipped = t.counted ? (double)t.clipped / (double)t.counted : 0;
    return good;
}
