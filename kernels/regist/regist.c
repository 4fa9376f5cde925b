// SPDX-License-Identifier: MIT
// regist.c: the reference, and results as such; the chain itself is regist/align.c.
#include "regist/regist.h"

#include <math.h>
#include <stdlib.h>

#include "regist/task.h"

enum { SMALL_PIXELS = 1 << 23, LEAST_CANVAS = 64 };

struct regist_params regist_defaults(void)
{
    return (struct regist_params){.field = REGIST_FIELD_AUTO,
                                  .field_threshold = 0.15,
                                  .field_limit = 10,
                                  .min_ncc = 0.2,
                                  .max_shift = 0.25,
                                  .mellin_below = 0.3};
}

static int binning(struct kin_dims dims)
{
    int least = dims.y < dims.x ? dims.y : dims.x, k = least >= 1024 ? 4 : least >= 512 ? 2 : 1;
    while (kin_count(dims) / (size_t)k / (size_t)k > SMALL_PIXELS)
        k *= 2;
    return k;
}

bool regist_is_plane(const struct kin_source *source, struct kin_error *err)
{
    return (source->type == KIN_U16 && source->dims.z == 1) ||
           kin_fail(err, KIN_INPUT, "registration needs a plane of uint16 pixels");
}

struct regist *regist_open(struct device *dev, const struct kin_source *reference,
                           const struct regist_params *params, struct kin_error *err)
{
    struct kin_dims d = reference->dims;
    if (!regist_is_plane(reference, err))
        return NULL;
    if (d.y < LEAST_CANVAS || d.x < LEAST_CANVAS) {
        kin_fail(err, KIN_INPUT, "registration needs at least %d x %d pixels, not %d x %d",
                 LEAST_CANVAS, LEAST_CANVAS, d.y, d.x);
        return NULL;
    }
    struct regist *r = calloc(1, sizeof *r);
    if (!r) {
        kin_fail(err, KIN_MEMORY, "no memory for registration");
        return NULL;
    }
    *r = (struct regist){
        .dev = dev, .params = *params, .source = *reference, .dims = d, .k = binning(d)};
    r->few = REGIST_LEAST_ROWS;
    r->memory = dev->memory ? dev->memory : params->memory;
    return r;
}

void regist_close(struct regist *r)
{
    if (!r)
        return;
    probe_image_free(r->dev, &r->full);
    probe_image_free(r->dev, &r->small);
    free(r);
}

void regist_result_free(struct regist_result *result)
{
    free(result->map.grid.u);
    free(result->points);
    *result = (struct regist_result){0};
}

struct regist_result regist_identity(struct kin_dims dims)
{
    return (struct regist_result){.map = warp_identity((dims.y - 1) / 2.0, (dims.x - 1) / 2.0),
                                  .model = "identity",
                                  .coarse_ncc = 1,
                                  .ncc_median = 1,
                                  .agreeing = 1,
                                  .ecc_correlation = 1,
                                  .ecc_chance = NAN,
                                  .ecc_elsewhere = NAN,
                                  .min_det = 1};
}
