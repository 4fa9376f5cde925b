// SPDX-License-Identifier: MIT
// truth_images.c: files by name, and what two of them have in common.
#include "qc/truth_images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/part.h"
#include "core/rank.h"

void truth_processed(const struct comparing *c, char *path, const char *format, int cycle,
                     int channel)
{
    char name[300];
    snprintf(name, sizeof name, format, cycle, channel);
    snprintf(path, TRUTH_PATH, "%s/data/processed/%s", c->project, name);
}

void truth_path(const struct comparing *c, char *path, const char *format, int cycle, int channel)
{
    char name[300];
    snprintf(name, sizeof name, format, cycle, channel);
    snprintf(path, TRUTH_PATH, "%s/truth/%s", c->project, name);
}

bool truth_load(const struct comparing *c, const char *path, struct kin_image *image)
{
    struct kin_image any;
    if (!kin_is_taken(path) || !kin_tiff_read(path, &any, c->err))
        return false;
    bool fine = kin_to_f32(&any, image, c->err);
    kin_image_free(&any);
    return fine;
}

// The common part of two images, packed; both lose what the other does not have.
static void trim(struct kin_image *a, struct kin_image *b)
{
    struct kin_dims d = {1, a->dims.y < b->dims.y ? a->dims.y : b->dims.y,
                         a->dims.x < b->dims.x ? a->dims.x : b->dims.x};
    struct kin_image *both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        float *p = kin_f32(both[k]);
        for (int y = 0; y < d.y; y++)
            memmove(p + (size_t)y * d.x, p + (size_t)y * both[k]->dims.x, (size_t)d.x * sizeof *p);
        both[k]->dims = d;
    }
}

bool truth_load_pair(const struct comparing *c, const char *found, const char *wanted,
                     struct kin_image *a, struct kin_image *b)
{
    if (!truth_load(c, found, a))
        return false;
    if (!truth_load(c, wanted, b)) {
        kin_image_free(a);
        return false;
    }
    trim(a, b);
    return true;
}

float truth_quantile(const struct kin_image *image, double q)
{
    size_t n = kin_count(image->dims), step = n / 200000 + 1, m = 0;
    float *v = malloc((n / step + 1) * sizeof *v), result = NAN;
    for (size_t i = 0; v && i < n; i += step)
        v[m++] = kin_f32(image)[i];
    if (m)
        result = kin_rank_f32(v, m, (size_t)(q * (double)(m - 1)));
    free(v);
    return result;
}
