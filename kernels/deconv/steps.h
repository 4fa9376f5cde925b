/* SPDX-License-Identifier: MIT
 *
 * steps.h: steps of Richardson-Lucy (Richardson 1972, Lucy 1974) on one domain, with vector
 * extrapolation (Biggs & Andrews, Appl. Opt. 36:1766, 1997):
 *
 *     x' = p * H^T (y / max(H p, floor)),   p = max(x + alpha (x - x_before), 0)
 *     alpha = <g, g_before> / <g_before, g_before> in 0..0.98,   g = x' - p
 *
 * The start is flat, so that the first step is H^T y and needs no forward model. */
#pragma once

#include "device/device.h"

/* The accelerations, found or given. */
struct deconv_schedule {
    int limit; /* most steps */
    int count; /* steps that are made */
    bool accelerate, given;
    double stop;        /* percent */
    double tv, damping; /* see deconv.h */
    double flat;        /* what the flat start holds; 0: start from the data */
    float smooth;       /* pixels */
    float *alpha;       /* (limit), borrowed */
};

/* Volumes of one domain on the device. */
struct deconv_work {
    struct kin_dims dims;
    float *data;         /* owned, as all here */
    float *now, *before; /* the last two images */
    /* where a step starts; only while steps are regularised or accelerations being found */
    float *point;
    float *step, *last; /* the last two steps; only while accelerations are being found */
};

/* False: the device failed; free it all the same. */
bool deconv_work_new(struct device *dev, struct kin_dims dims, const struct deconv_schedule *s,
                     struct deconv_work *work);
void deconv_work_free(struct device *dev, struct deconv_work *work);

/* All steps on work->data, whose result is work->now; fills in a schedule that is not given. A
 * failure is the device's. */
void deconv_steps(struct device *dev, struct rl_plan *plan, struct deconv_work *work, float floor,
                  struct deconv_schedule *s);
