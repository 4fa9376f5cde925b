// SPDX-License-Identifier: MIT
// compare.c: cross-spectra averaged over blocks under a Hann window (Welch, IEEE Trans. Audio
// Electroacoust. 15:70, 1967), and sums over squares.
#include "regist/compare.h"
#include "core/rank.h"
#include "device/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 128,
    STEP = 64,
    HALF = SIDE / 2 + 1,
    PLACES = SIDE * HALF,
    MOST_BLOCKS = 1024,
    LEAST_BLOCKS = 16,
    CELL = 32, // a square is 2 x 2 of these
    LEAST_SQUARES = 30
};
static const double FILLED = 0.9; // of the pixels of a block are not 0, nor of a square of a

// ---- spectra ---------------------------------------------------------------------------------

enum { COARSE, FINE, BANDS };

struct spectra {
    struct device *dev; // borrowed; a CPU
    struct fft_plan *plan;
    float *real, *complex; // of a block of a, then of b
    uint16_t *rows;        // SIDE of a, then of b
    float window[SIDE];    // Hann
    int8_t band[PLACES];   // COARSE, FINE or BANDS: none of these
    double aa[BANDS + 1], bb[BANDS + 1], ab[BANDS + 1];
    int blocks;
};

static double frequency(int at)
{
    int row = at / HALF, col = at % HALF;
    return hypot(row > SIDE / 2 ? row - SIDE : row, col) / SIDE;
}

static void fill_tables(struct spectra *s)
{
    for (int i = 0; i < SIDE; i++)
        s->window[i] = (float)(0.5 - 0.5 * cos(2 * M_PI * i / (SIDE - 1)));
    for (int i = 0; i < PLACES; i++) {
        double f = frequency(i);
        s->band[i] = f >= 1.0 / 40 && f < 1.0 / 24  ? COARSE
                     : f >= 1.0 / 14 && f < 1.0 / 9 ? FINE
                                                    : BANDS;
    }
}

static struct spectra *spectra_open(struct device *cpu, int w, struct kin_error *err)
{
    struct spectra *s = calloc(1, sizeof *s);
    uint16_t *rows = malloc(2 * SIDE * (size_t)w * sizeof *rows);
    if (!s || !rows) {
        kin_fail(err, KIN_MEMORY, "no memory to compare rows of %d pixels", w);
        free(rows);
        free(s);
        return NULL;
    }
    s->dev = cpu;
    s->rows = rows;
    s->plan = cpu->fft_plan(cpu, (struct kin_dims){1, SIDE, SIDE}, 2);
    s->real = cpu->alloc(cpu, 2 * SIDE * SIDE * sizeof(float));
    s->complex = cpu->alloc(cpu, 2 * 2 * PLACES * sizeof(float));
    fill_tables(s);
    return s;
}

static void spectra_close(struct spectra *s)
{
    if (!s)
        return;
    s->dev->fft_free(s->dev, s->plan);
    s->dev->release(s->dev, s->real);
    s->dev->release(s->dev, s->complex);
    free(s->rows);
    free(s);
}

// A block less its mean, under the window; answers the share of it that is not 0.
static double put_block(const struct spectra *s, const uint16_t *rows, int w, int x, float *to)
{
    double sum = 0;
    int filled = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            uint16_t v = rows[(size_t)j * (size_t)w + (size_t)(x + i)];
            sum += v;
            filled += v != 0;
        }
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            to[j * SIDE + i] = (float)(rows[(size_t)j * (size_t)w + (size_t)(x + i)] -
                                       sum / (SIDE * SIDE)) *
                               s->window[j] * s->window[i];
    return (double)filled / (SIDE * SIDE);
}

// What each place of the half spectrum stands for: itself, and but for two columns its mirror.
static int times(int at)
{
    return at % HALF % (SIDE / 2) ? 2 : 1;
}

static void add_block(struct spectra *s)
{
    const float *a = s->complex, *b = s->complex + 2 * PLACES;
    for (int i = 0; i < PLACES; i++) {
        double aa = (double)a[2 * i] * a[2 * i] + (double)a[2 * i + 1] * a[2 * i + 1],
               bb = (double)b[2 * i] * b[2 * i] + (double)b[2 * i + 1] * b[2 * i + 1],
               ab = (double)a[2 * i] * b[2 * i] + (double)a[2 * i + 1] * b[2 * i + 1];
        s->aa[s->band[i]] += times(i) * aa;
        s->bb[s->band[i]] += times(i) * bb;
        s->ab[s->band[i]] += times(i) * ab;
    }
    s->blocks++;
}

static bool add_row(struct spectra *s, const struct kin_source *a, const struct kin_source *b,
                    int y, int step, struct kin_error *err)
{
    int w = a->dims.x;
    uint16_t *of_b = s->rows + (size_t)SIDE * (size_t)w;
    if (!a->rows(a->user, 0, y, SIDE, s->rows, err) || !b->rows(b->user, 0, y, SIDE, of_b, err))
        return false;
    for (int x = 0; x + SIDE <= w && !device_stopped(s->dev); x += step) {
        double filled = fmin(put_block(s, s->rows, w, x, s->real),
                             put_block(s, of_b, w, x, s->real + SIDE * SIDE));
        if (filled < FILLED)
            continue;
        s->dev->fft_forward(s->dev, s->plan, s->real, s->complex);
        add_block(s);
    }
    return true;
}

static void conclude(const struct spectra *s, struct compare_spectra *found)
{
    found->blocks = s->blocks;
    if (s->blocks < LEAST_BLOCKS)
        return;
    found->detail_b = s->ab[FINE] / s->aa[FINE] / (s->ab[COARSE] / s->aa[COARSE]);
    found->detail_a = s->ab[FINE] / s->bb[FINE] / (s->ab[COARSE] / s->bb[COARSE]);
}

bool compare_spectra(struct device *cpu, const struct kin_source *a, const struct kin_source *b,
                     struct compare_spectra *found, struct kin_error *err)
{
    int64_t all = (int64_t)(a->dims.y / STEP) * (a->dims.x / STEP);
    int step = STEP * (int)ceil(sqrt((double)all / MOST_BLOCKS));
    *found = (struct compare_spectra){0, NAN, NAN};
    if (!all)
        return true;
    struct spectra *s = spectra_open(cpu, a->dims.x, err);
    bool good = s;
    for (int y = 0; good && y + SIDE <= a->dims.y; y += step)
        good = add_row(s, a, b, y, step, err);
    if (good && !device_stopped(cpu))
        conclude(s, found);
    good = good && device_ok(cpu, err);
    spectra_close(s);
    return good;
}

// ---- light -----------------------------------------------------------------------------------

struct cell {
    double a, b;
    int filled, covered; // pixels
};

struct squares {
    int rows, cols; // of cells
    struct cell *cells;
    double *values; // room for one of each
};

static void add_strip(struct cell *cells, const struct squares *q, const uint16_t *a,
                      const uint16_t *b, const uint8_t *cover, int w)
{
    for (int y = 0; y < CELL; y++)
        for (int x = 0; x < q->cols * CELL; x++) {
            size_t at = (size_t)y * (size_t)w + (size_t)x;
            struct cell *cell = &cells[x / CELL];
            cell->a += a[at];
            cell->b += b[at];
            cell->filled += a[at] != 0;
            cell->covered += cover[at] != 0;
        }
}

static bool sum_cells(const struct squares *q, const struct kin_source *a,
                      const struct kin_source *b, const struct kin_source *cover,
                      struct kin_error *err)
{
    size_t n = (size_t)CELL * (size_t)a->dims.x;
    uint16_t *rows = malloc(2 * n * sizeof *rows);
    uint8_t *covered = malloc(n);
    bool good = (rows && covered) ||
                kin_fail(err, KIN_MEMORY, "no memory to compare rows of %d pixels", a->dims.x);
    for (int row = 0; good && row < q->rows; row++) {
        good = a->rows(a->user, 0, row * CELL, CELL, rows, err) &&
               b->rows(b->user, 0, row * CELL, CELL, rows + n, err) &&
               cover->rows(cover->user, 0, row * CELL, CELL, covered, err);
        if (good)
            add_strip(q->cells + (size_t)row * (size_t)q->cols, q, rows, rows + n, covered,
                      a->dims.x);
    }
    free(rows);
    free(covered);
    return good;
}

// The square whose first cell stands there; false: b does not cover it, or a is empty there.
static bool square_at(const struct squares *q, int row, int col, struct cell *sum)
{
    *sum = (struct cell){0};
    for (int k = 0; k < 4; k++) {
        const struct cell *c =
            &q->cells[(size_t)(row + k / 2) * (size_t)q->cols + (size_t)(col + k % 2)];
        sum->a += c->a;
        sum->b += c->b;
        sum->filled += c->filled;
        sum->covered += c->covered;
    }
    return sum->covered == 4 * CELL * CELL && sum->filled >= FILLED * 4 * CELL * CELL;
}

// Half the light of a's bright squares, nine in ten have less than these.
static double light_of_tissue(const struct squares *q)
{
    struct cell sum;
    int n = 0;
    for (int row = 0; row + 1 < q->rows; row++)
        for (int col = 0; col + 1 < q->cols; col++)
            if (square_at(q, row, col, &sum))
                q->values[n++] = sum.a;
    return n ? kin_quantile_f64(q->values, (size_t)n, 0.9) / 2 : NAN;
}

static void find_least(const struct squares *q, struct compare_light *found)
{
    double tissue = light_of_tissue(q), least = INFINITY;
    struct cell sum;
    int n = 0;
    for (int row = 0; row + 1 < q->rows; row++)
        for (int col = 0; col + 1 < q->cols; col++) {
            if (!square_at(q, row, col, &sum) || !(sum.a > 0 && sum.a >= tissue))
                continue;
            q->values[n++] = sum.b / sum.a;
            if (sum.b / sum.a >= least)
                continue;
            least = sum.b / sum.a;
            found->y = (row + 1) * CELL;
            found->x = (col + 1) * CELL;
        }
    double middle = n >= LEAST_SQUARES ? kin_median_f64(q->values, (size_t)n) : 0;
    found->least = middle > 0 ? least / middle : NAN;
}

bool compare_light(const struct kin_source *a, const struct kin_source *b,
                   const struct kin_source *cover, struct compare_light *found,
                   struct kin_error *err)
{
    struct squares q = {.rows = a->dims.y / CELL, .cols = a->dims.x / CELL};
    size_t n = (size_t)q.rows * (size_t)q.cols;
    *found = (struct compare_light){.least = NAN};
    if (!n)
        return true;
    q.cells = calloc(n, sizeof *q.cells);
    q.values = malloc(n * sizeof *q.values);
    bool good = ((q.cells && q.values) ||
                 kin_fail(err, KIN_MEMORY, "no memory for the light of %zu squares", n)) &&
                sum_cells(&q, a, b, cover, err);
    if (good)
        find_least(&q, found);
    free(q.cells);
    free(q.values);
    return good;
}
