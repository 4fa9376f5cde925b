/* SPDX-License-Identifier: MIT
 *
 * task.h: what the steps of regist.h's chain share: the reference, the image beside it, and
 * what is known of its map so far. */
#pragma once

#include "regist/probe.h"
#include "regist/regist.h"

enum { REGIST_LEAST_ROWS = 512 }; /* of an image on the device: fewer are too few */

struct regist {
    struct device *dev;
    struct regist_params params;
    struct kin_source source; /* the reference */
    struct kin_dims dims;
    int k;                          /* binning of the small level */
    int room;                       /* rows of an image that the device holds at a time */
    int few;                        /* with fewer it does not work */
    size_t memory;                  /* bytes that may be used; 0: no limit */
    struct probe_image full, small; /* the reference */
};

/* The moving image at both levels. */
struct task {
    struct regist *r;
    struct probe_image full, small;
    struct warp_map map; /* of the full level, without a field */
    struct regist_result *result;
};

/* False: the source is not what can be registered. */
bool regist_is_plane(const struct kin_source *source, struct kin_error *err);
