// SPDX-License-Identifier: MIT
/* survey.c: one pass over a volume before it is cut into blocks: its light, its brightest
 * sample, the median of its foreground (Otsu's threshold), and where most of the light is. */
#include "core/each.h"
#include "core/histogram.h"
#include "core/simd.h"
#include "deconv/deconv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, BAND = 64 };
enum { PIECE = 16 * CELL }; /* rows that one thread looks at: of whole cells */

struct counting {
    const struct kin_source *source;
    struct kin_dims dims;
    float offset;
    int cells_y, cells_x;
    double *light;  /* (z, cells_y, cells_x): light of each cell */
    uint64_t *bins; /* of the samples above the offset, 1 ADU each */
    float top;      /* the largest of them */
};

/* What one thread looks at. */
struct looking {
    uint32_t *bins; /* of the piece */
    float *row;
    uint16_t *bin; /* where each sample of the row is counted */
    void *band;
    float top;
    bool finite;
};

/* The light of n <= CELL samples. */
VECTOR_CLONES static double look_at_cell(struct looking *l, const float *samples, int n,
                                         float offset, uint16_t *restrict bin)
{
    float level[CELL], top = l->top;
    int wrong = 0;
    double sum = 0;
    for (int x = 0; x < n; x++) {
        float v = samples[x] - offset;
        wrong |= !(fabsf(v) <= FLT_MAX);
        level[x] = v > 0 ? v : 0;
        bin[x] = kin_round_u16(v);
    }
#pragma omp simd reduction(max : top) reduction(+ : sum)
    for (int x = 0; x < n; x++) {
        top = level[x] > top ? level[x] : top;
        sum += (double)level[x];
    }
    l->top = top;
    l->finite &= !wrong;
    return sum;
}

/* The light of the cells of a row, and where its samples are counted. */
static void look_at_row(const struct counting *c, struct looking *l, const void *samples,
                        double *light)
{
    int w = c->dims.x;
    kin_convert_f32(l->row, samples, c->source->type, (size_t)w);
    for (int x = 0; x < w; x += CELL)
        light[x / CELL] += look_at_cell(l, l->row + x, w - x < CELL ? w - x : CELL, c->offset,
                                        l->bin + x);
}

/* The same of integers, less an integer: where they are counted is their light. */
VECTOR_CLONES static void look_at_integers(struct looking *l, const uint16_t *restrict samples,
                                           int w, int offset, uint16_t *restrict bin,
                                           double *restrict light)
{
    uint16_t top = 0;
    for (int x = 0; x < w; x++) {
        int v = samples[x] - offset;
        bin[x] = (uint16_t)(v > 0 ? v : 0);
        top = bin[x] > top ? bin[x] : top;
    }
    for (int from = 0; from < w; from += CELL) {
        int end = w - from < CELL ? w : from + CELL;
        uint32_t sum = 0;
        for (int x = from; x < end; x++)
            sum += bin[x];
        light[from / CELL] += sum;
    }
    l->top = top > l->top ? top : l->top;
}

static void count_row(const struct counting *c, struct looking *l, const void *samples,
                      double *light)
{
    bool whole = c->source->type == KIN_U16 && c->offset >= 0 && c->offset <= UINT16_MAX &&
                 c->offset == floorf(c->offset);
    if (whole)
        look_at_integers(l, samples, c->dims.x, (int)c->offset, l->bin, light);
    else
        look_at_row(c, l, samples, light);
    kin_count_u16(l->bins, l->bin, (size_t)c->dims.x);
}

/* Otsu's threshold over bins 1 and above (0 is outside of the picture): the lowest bin of the
 * foreground. */
static int otsu(const uint64_t *bins)
{
    double count = 0, sum = 0, below = 0, below_sum = 0, best = -1;
    int threshold = 1;
    for (int i = 1; i < KIN_BINS; i++) {
        count += (double)bins[i];
        sum += (double)bins[i] * i;
    }
    for (int i = 1; i < KIN_BINS - 1; i++) {
        below += (double)bins[i];
        below_sum += (double)bins[i] * i;
        double above = count - below;
        if (below <= 0 || above <= 0)
            continue;
        double gap = below_sum / below - (sum - below_sum) / above,
               between = below * above * gap * gap;
        if (between > best) {
            best = between;
            threshold = i + 1;
        }
    }
    return threshold;
}

static double median_from(const uint64_t *bins, int first)
{
    uint64_t count = 0, seen = 0;
    for (int i = first; i < KIN_BINS; i++)
        count += bins[i];
    for (int i = first; i < KIN_BINS; i++)
        if ((seen += bins[i]) * 2 >= count && count)
            return i;
    return 0;
}

/* The square of whole cells with the most light; ties go to the first. */
static void brightest(const struct counting *c, int window, struct kin_survey *survey)
{
    int side = (window + CELL - 1) / CELL;
    int last_y = c->cells_y - side > 0 ? c->cells_y - side : 0,
        last_x = c->cells_x - side > 0 ? c->cells_x - side : 0;
    double best = -1;
    for (int y = 0; y <= last_y; y++)
        for (int x = 0; x <= last_x; x++) {
            double sum = 0;
            for (int i = y; i < y + side && i < c->cells_y; i++)
                for (int k = x; k < x + side && k < c->cells_x; k++)
                    sum += c->light[(size_t)i * c->cells_x + k];
            if (sum > best) {
                best = sum;
                survey->y = y * CELL;
                survey->x = x * CELL;
            }
        }
    survey->size = window;
}

static bool look_at_rows(const struct counting *c, struct looking *l, const struct kin_piece *piece,
                         struct kin_error *err)
{
    const struct kin_source *source = c->source;
    size_t row = (size_t)source->dims.x * kin_type_size(source->type);
    double *light = c->light + (size_t)piece->z * c->cells_y * c->cells_x;
    for (int y0 = piece->y0, left; (left = piece->y0 + piece->rows - y0) > 0; y0 += BAND) {
        int rows = left < BAND ? left : BAND;
        if (!source->rows(source->user, piece->z, y0, rows, l->band, err))
            return false;
        for (int y = 0; y < rows; y++)
            count_row(c, l, (const char *)l->band + (size_t)y * row,
                      light + (size_t)((y0 + y) / CELL) * c->cells_x);
    }
    return l->finite ||
           kin_fail(err, KIN_INPUT, "plane %d holds values that are not finite", piece->z + 1);
}

static bool count_piece(void *user, const struct kin_piece *piece, struct kin_error *err)
{
    struct counting *c = user;
    size_t width = (size_t)c->dims.x;
    struct looking l = {calloc(KIN_BINS, sizeof *l.bins), malloc(width * sizeof *l.row),
                        malloc(width * sizeof *l.bin),
                        malloc(BAND * width * kin_type_size(c->source->type)), .finite = true};
    bool good = l.bins && l.row && l.bin && l.band;
    if (!good)
        kin_fail(err, KIN_MEMORY, "no memory for a survey of %d x %d pixels", c->dims.x, c->dims.y);
    good = good && look_at_rows(c, &l, piece, err);
#pragma omp critical(survey)
    if (good) {
        for (int i = 0; i < KIN_BINS; i++)
            c->bins[i] += l.bins[i];
        c->top = l.top > c->top ? l.top : c->top;
    }
    free(l.bins);
    free(l.row);
    free(l.bin);
    free(l.band);
    return good;
}

/* The light of all planes in that of the first; answers the sum. */
static double add_light(struct counting *c)
{
    size_t cells = (size_t)c->cells_y * (size_t)c->cells_x;
    double total = 0;
    for (size_t i = 0; i < cells; i++) {
        for (int z = 1; z < c->dims.z; z++)
            c->light[i] += c->light[(size_t)z * cells + i];
        total += c->light[i];
    }
    return total;
}

bool kin_survey(const struct kin_source *source, float offset, int window, int threads,
                struct kin_survey *survey, struct kin_error *err)
{
    struct kin_dims d = source->dims;
    struct counting c = {source, d, offset, (d.y + CELL - 1) / CELL, (d.x + CELL - 1) / CELL};
    c.light = calloc((size_t)d.z * (size_t)c.cells_y * (size_t)c.cells_x, sizeof *c.light);
    c.bins = calloc(KIN_BINS, sizeof *c.bins);
    *survey = (struct kin_survey){0};
    bool good = c.light && c.bins;
    if (!good)
        kin_fail(err, KIN_MEMORY, "no memory for a survey of %d x %d pixels", d.x, d.y);
    good = good && kin_each_piece(d.z, d.y, PIECE, threads, count_piece, &c, err);
    if (good) {
        survey->top = c.top;
        survey->total = add_light(&c);
        survey->foreground = median_from(c.bins, otsu(c.bins));
        brightest(&c, window, survey);
    }
    free(c.light);
    free(c.bins);
    return good;
}
