// SPDX-License-Identifier: MIT
// align.c: the chain of regist.h, step after step. Two pyramid levels are used: the canvas
// binned k times (k 4, less for a small canvas, more for a very large one), where noise is low and
// a block reaches far, and the pixels themselves, of which the device may hold only some rows at a
// time.
#include "regist/affine.h"
#include "regist/field.h"
#include "regist/pose.h"
#include "regist/room.h"
#include "regist/verdict.h"

// From the task's map on. False: there is no room for its rows, or see the device.
static bool measure_map(struct task *t)
{
    struct regist *r = t->r;
    if (r->k > 1)
        regist_affine(t, r->k, 4);
    if (!regist_check_room(t))
        return false;
    regist_affine(t, 1, r->k > 1 ? 3 : 4);
    t->result->map = t->map;
    regist_find_field(t);
    regist_judge(t);
    return !device_stopped(r->dev);
}

// Of the places of an image that repeats itself, the one found may lie farther than cycles move:
// then the task goes on from the best one that does not.
static bool is_elsewhere(struct task *t)
{
    struct regist_result *result = t->result, found = *result;
    if (!regist_is_too_far(t->r, found.map.t) || !regist_fits_elsewhere(&found))
        return false;
    regist_result_free(result);
    *result = regist_identity(t->r->dims);
    result->coarse_ncc = found.coarse_ncc;
    result->mellin = found.mellin;
    t->map = found.map;
    t->map.grid = (struct warp_grid){0};
    for (int i = 0; i < 2; i++)
        t->map.t[i] += found.map.a[2 * i] * found.elsewhere[0] +
                       found.map.a[2 * i + 1] * found.elsewhere[1];
    return true;
}

static bool align_once(struct regist *r, const struct kin_source *moving,
                       struct regist_result *result, struct kin_error *err)
{
    struct device *dev = r->dev;
    *result = regist_identity(r->dims);
    struct task t = {.r = r, .map = result->map, .result = result};
    if (regist_load(&t, moving)) {
        regist_coarse(&t);
        if (measure_map(&t) && is_elsewhere(&t))
            measure_map(&t);
        regist_refuse_or_accept(r, result);
        if (result->refused && !device_stopped(dev))
            regist_suggest_pose(&t);
    }
    probe_image_free(dev, &t.full);
    probe_image_free(dev, &t.small);
    if (device_ok(dev, err))
        return true;
    regist_result_free(result);
    return false;
}

bool regist_align(struct regist *r, const struct kin_source *moving, struct regist_result *result,
                  struct kin_error *err)
{
    if (!regist_is_plane(moving, err))
        return false;
    for (;;) {
        struct kin_error why = {0};
        size_t half = r->memory / 2, least;
        if (align_once(r, moving, result, &why))
            return true;
        if (!half || !regist_rows_within(r, moving->dims, half, &least) || !device_forgive(r->dev))
            return kin_fail(err, why.code, "%s", why.text);
        r->memory = half; // others have taken some of the card's
        r->room = 0;      // all is loaded anew
    }
}
