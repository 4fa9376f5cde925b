// SPDX-License-Identifier: MIT
/* deconv_survey.c: one pass over a volume before it is cut into blocks: its light, its brightest
 * sample, the median of its foreground (Otsu's threshold), and where most of the light is. */
#include "deconv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, BINS = 65536, BAND = 64 };

struct counting {
    struct kin_dims dims;
    float offset;
    int cells_y, cells_x;
    double *light;  /* (cells_y, cells_x): light of each cell, all planes */
    uint64_t *bins; /* of the samples above the offset, 1 ADU each */
    float *row;
    bool finite;
};

static void count_row(struct counting *c, struct kin_survey *survey, int y)
{
    double *light = c->light + (size_t)(y / CELL) * c->cells_x;
    for (int cell = 0; cell < c->cells_x; cell++) {
        int from = cell * CELL, to = from + CELL < c->dims.x ? from + CELL : c->dims.x;
        double sum = 0;
        for (int x = from; x < to; x++) {
            float v = c->row[x] - c->offset;
            c->finite &= isfinite(v) != 0;
            v = v > 0 ? v : 0;
            survey->top = v > survey->top ? v : survey->top;
            c->bins[kin_round_u16(v)]++;
            sum += v;
        }
        light[cell] += sum;
    }
}

/* Otsu's threshold over bins 1 and above (0 is outside of the picture): the lowest bin of the
 * foreground. */
static int otsu(const uint64_t *bins)
{
    double count = 0, sum = 0, below = 0, below_sum = 0, best = -1;
    int threshold = 1;
    for (int i = 1; i < BINS; i++) {
        count += (double)bins[i];
        sum += (double)bins[i] * i;
    }
    for (int i = 1; i < BINS - 1; i++) {
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
    for (int i = first; i < BINS; i++)
        count += bins[i];
    for (int i = first; i < BINS; i++)
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

static bool count_plane(struct counting *c, const struct kin_source *source, int z, void *band,
                        struct kin_survey *survey, struct kin_error *err)
{
    size_t row = (size_t)source->dims.x * kin_type_size(source->type);
    for (int y0 = 0; y0 < source->dims.y; y0 += BAND) {
        int rows = source->dims.y - y0 < BAND ? source->dims.y - y0 : BAND;
        if (!source->rows(source->user, z, y0, rows, band, err))
            return false;
        for (int y = 0; y < rows; y++) {
            kin_convert_f32(c->row, (char *)band + (size_t)y * row, source->type,
                            (size_t)source->dims.x);
            count_row(c, survey, y0 + y);
        }
    }
    if (!c->finite)
        return kin_fail(err, KIN_INPUT, "plane %d holds values that are not finite", z + 1);
    return true;
}

bool kin_survey(const struct kin_source *source, float offset, int window,
                struct kin_survey *survey, struct kin_error *err)
{
    struct kin_dims d = source->dims;
    struct counting c = {d, offset, (d.y + CELL - 1) / CELL, (d.x + CELL - 1) / CELL,
                         .finite = true};
    c.light = calloc((size_t)c.cells_y * (size_t)c.cells_x, sizeof *c.light);
    c.bins = calloc(BINS, sizeof *c.bins);
    c.row = malloc((size_t)d.x * sizeof *c.row);
    void *band = malloc((size_t)BAND * (size_t)d.x * kin_type_size(source->type));
    *survey = (struct kin_survey){0};
    bool good = c.light && c.bins && c.row && band;
    if (!good)
        kin_fail(err, KIN_MEMORY, "no memory for a survey of %d x %d pixels", d.x, d.y);
    for (int z = 0; good && z < d.z; z++)
        good = count_plane(&c, source, z, band, survey, err);
    if (good) {
        for (size_t i = 0; i < (size_t)c.cells_y * (size_t)c.cells_x; i++)
            survey->total += c.light[i];
        survey->foreground = median_from(c.bins, otsu(c.bins));
        brightest(&c, window, survey);
    }
    free(c.light);
    free(c.bins);
    free(c.row);
    free(band);
    return good;
}
