// SPDX-License-Identifier: MIT
// levels.c: the baselines of tiles.
#include "illum/levels.h"
#include "core/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { M = ILLUM_PIXELS };

static void set_levels(struct illum_levels *l, enum illum_level how)
{
    double mean = 0, middle = (l->tiles - 1) / 2.0;
    int count = 0;
    for (int k = 0; k < l->tiles; k++) {
        if (!isnan(l->baseline[k])) {
            mean += l->baseline[k];
            count++;
        }
    }
    mean /= count ? count : 1;
    for (int k = 0; k < l->tiles; k++) {
        bool known = !isnan(l->baseline[k]);
        double zero = how == ILLUM_TO_MEAN ? mean : 0;
        l->scale[k] = how == ILLUM_DECAY ? (float)exp(l->decay * (k - middle)) : 1;
        l->shift[k] = known && (how == ILLUM_TO_ZERO || how == ILLUM_TO_MEAN)
                          ? (float)(l->baseline[k] - zero)
                          : 0;
    }
}

static bool measure(struct device *dev, const float *means, const int *place, int count,
                    const struct illum_fit *fit, struct illum_levels *l, struct kin_error *err)
{
    double *found = calloc((size_t)l->tiles + 1, sizeof *found);
    bool good = found ? !count || illum_baseline(dev, means, count, fit, found, err)
                      : kin_fail(err, KIN_MEMORY, "no memory for baselines");
    for (int k = 0; good && k < l->tiles; k++)
        l->baseline[k] = place[k] < 0 ? NAN : found[place[k]];
    free(found);
    return good && (illum_decay(l->baseline, l->tiles, &l->decay) ||
                    kin_fail(err, KIN_MEMORY, "no memory for baselines"));
}

bool illum_levels_find(struct device *dev, const float *thumbs, const int *tile_of, int n,
                       const struct illum_fit *fit, int tiles, enum illum_level how,
                       struct illum_levels *levels, struct kin_error *err)
{
    size_t room = (size_t)tiles + 1;
    float *means = malloc(room * M * sizeof *means);
    int *place = calloc(room, sizeof *place);
    *levels = (struct illum_levels){.tiles = tiles,
                                    .baseline = calloc(room, sizeof(double)),
                                    .shift = calloc(room, sizeof(float)),
                                    .scale = calloc(room, sizeof(float))};
    bool good = (means && place && levels->baseline && levels->shift && levels->scale) ||
                kin_fail(err, KIN_MEMORY, "no memory for the baselines of %d tiles", tiles);
    int count = good ? illum_place_means(thumbs, tile_of, n, tiles, means, place) : 0;
    good = good && measure(dev, means, place, count, fit, levels, err);
    if (good)
        set_levels(levels, how);
    free(means);
    free(place);
    return good;
}

bool illum_levels_write(const struct illum_levels *l, const char *path, struct kin_error *err)
{
    struct kin_part part;
    if (!kin_part_open(&part, path, err))
        return false;
    fprintf(part.file, "tile,baseline,shift,scale\n");
    for (int k = 0; k < l->tiles; k++) {
        fprintf(part.file, "%d,", k + 1);
        if (!isnan(l->baseline[k]))
            fprintf(part.file, "%.3f", l->baseline[k]);
        fprintf(part.file, ",%.3f,%.6f\n", (double)l->shift[k], (double)l->scale[k]);
    }
    return kin_part_close(&part, true, err);
}

void illum_levels_free(struct illum_levels *levels)
{
    free(levels->baseline);
    free(levels->shift);
    free(levels->scale);
    *levels = (struct illum_levels){0};
}
