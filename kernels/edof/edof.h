/* SPDX-License-Identifier: MIT
 *
 * edof.h: extended depth of field: one image in focus out of a stack, and the plane it came from.
 *
 *     struct kin_edof_params p;
 *     kin_edof_defaults(&p, KIN_EDOF_FOCUS);
 *     struct kin_edof_report report;
 *     bool ok = kin_edof(dev, &source, &p, NULL, NULL, 0, &sinks, NULL, &report, &err);
 *
 * The local variance of each plane is smoothed (not the image), and the plane where it is largest
 * wins. The volume is worked through in bands of rows with enough rows around them that the cut
 * does not show: results are the same bits for every memory limit and thread count. */
#pragma once

#include "device/device.h"
#include "device/focus.h"
#include "image/volume.h"

enum kin_edof_mode {
    KIN_EDOF_FOCUS, /* sub-plane z map, smoothed by confidence; two planes interpolated */
    KIN_EDOF_CLIJ2, /* plane by plane: CLIJ2's extendedDepthOfFocusVarianceProjection */
};

struct kin_edof_params {
    enum kin_edof_mode mode;
    int radius;           /* pixels: variance in boxes of 2 radius + 1 */
    double sigma;         /* pixels: Gaussian over the variance, and over the z map in focus mode */
    double max_zero;      /* a plane with more zeros than the best one by this share is left out */
    double max_saturated; /* a plane with a larger share at 64000 and above is left out */
    int min_planes;       /* fewer planes left are an error */
    bool keep_ends;       /* use the first and last plane too (left out of stacks of more than 4) */
    size_t memory;        /* bytes that may be used; 0: 1 GB */
};

struct kin_edof_report {
    struct focus_planes used;
    double zero[FOCUS_PLANES];      /* share of zeros inside of the covered area, every plane */
    double saturated[FOCUS_PLANES]; /* share at 64000 and above, every plane */
    int planes;                     /* of the stack */
    int clip;                       /* values above (99.9 %) count as this when focus is measured */
    double covered;                 /* share of pixels that are not zero in all planes */
    double trust;                   /* mean confidence, 0..1 */
    double z_mean, z_low, z_high;   /* of the map, counted from 1: mean, least, most */
    /* share of the pixels in focus (confidence 0.25 or more) within half a plane of the first or
     * last used one: does the tissue go on beyond the stack? NAN: a map was followed, or less than
     * a tenth is in focus */
    double at_end;
    int bands;
};

/* Where the results go: one plane each; any but image may have rows NULL. Different ones may get
 * rows at a time, from several threads. */
struct kin_edof_sinks {
    struct kin_sink image;      /* KIN_U16 */
    struct kin_sink zmap;       /* KIN_F32: plane, counted from 1 */
    struct kin_sink confidence; /* KIN_U8: 255 is certain */
};

/* Defaults of the mode: focus radius 3, sigma 15; clij2 radius 5, sigma 20; gates 0.10, 0.05, 3. */
void kin_edof_defaults(struct kin_edof_params *params, enum kin_edof_mode mode);

/* Which planes can be used: fills the shares, clip, covered and used. Needs no device: while a card
 * projects a stack, the next one can be looked at. Refuses what kin_edof does, but for memory and
 * z maps. */
bool kin_edof_look(const struct kin_source *source, const struct kin_edof_params *params,
                   int threads, struct kin_edof_report *report, struct kin_error *err);

/* Projects the stack. look: what kin_edof_look has filled; NULL: it is done here. zmap: a map made
 * before, KIN_F32, one plane, counted from 1, which is followed instead of finding one (offset:
 * planes that this stack lies deeper); may be NULL, then nothing goes to sinks->confidence. Refuses
 * too few planes, other types than KIN_U16, more than FOCUS_PLANES planes, a memory limit too small
 * for one band. progress may be NULL. */
bool kin_edof(struct device *dev, const struct kin_source *source,
              const struct kin_edof_params *params, const struct kin_edof_report *look,
              const struct kin_source *zmap, double offset, const struct kin_edof_sinks *sinks,
              const struct kin_progress *progress, struct kin_edof_report *report,
              struct kin_error *err);

/* ---- between edof.c and edof/gate.c ---------------------------------------------------------- */

/* kin_edof_look for a stack that is not refused. */
bool kin_edof_gate(const struct kin_source *source, const struct kin_edof_params *params,
                   int threads, struct kin_edof_report *report, struct kin_error *err);
