// SPDX-License-Identifier: MIT
// When a number is good, doubtful or bad. A row a metric; stage "" means every stage that reports
// it.
#include "qc/qc.h"

#include <math.h>
#include <string.h>

#define ANY INFINITY

static const struct qc_limit limits[] = {
    // stage, metric, unit, higher is worse, yellow, red, what it can be: from, to; what it says
    {"", "saturated", "", true, 0.01, 0.05, 0, 1, "share of pixels at 64000 or above"},
    {"stitch", "zero", "", true, 0.10, 0.50, 0, 1, "share of zero pixels"},
    {"decon", "zero", "", true, 0.10, 0.50, 0, 1, "share of zero pixels"},
    {"edf", "zero", "", true, 0.10, 0.50, 0, 1, "share of zero pixels"},
    {"stitch", "snr_fg", "", false, 3, 1.5, 0, ANY,
     "(p99 - p10) / noise: is there a signal at all"},
    {"decon", "snr_fg", "", false, 3, 1.5, 0, ANY, "(p99 - p10) / noise: is there a signal at all"},
    {"edf", "snr_fg", "", false, 3, 1.5, 0, ANY, "(p99 - p10) / noise: is there a signal at all"},
    {"stitch", "banding", "", true, 0.05, 0.20, 0, ANY, "steps between neighbouring rows"},
    {"stitch", "accepted_edges", "", false, 0.7, 0.5, 0, 1,
     "share of tile pairs whose overlap was matched"},
    {"stitch", "unlike_edges", "", true, 0.05, 0.2, 0, 1,
     "share of tile pairs that show tissue in their overlap, but not the same"},
    {"stitch", "foreign_tiles", "", true, 1, 2, 0, ANY,
     "tiles that show other tissue than all of their neighbours"},
    {"stitch", "uneven_tiles", "", true, 1, 5, 0, ANY,
     "tiles brighter or darker than all of their neighbours, where they overlap"},
    {"stitch", "blurred_tiles", "", true, 1, 5, 0, ANY,
     "tiles less sharp than all of their neighbours, where they overlap"},
    {"stitch", "residual_rms", "px", true, 1, 3, 0, ANY,
     "disagreement of tile pairs with the positions found"},
    // In weak light noise alone lowers the correlation of overlaps that lie exactly on each other:
    // phantoms of 80 photons give 0.29 to 0.33 with residuals below 0.2 px, and less light gives
    // less. So a low value is a doubt; what is wrong in place shows in accepted_edges and
    // residual_rms, which are red on their own.
    {"stitch", "overlap_ncc", "", false, 0.25, 0.10, -1, 1,
     "median correlation of matched overlaps"},
    // Blending two noisy tiles smooths noise as well as structure. A well placed real mosaic of
    // brain has 0.49, the same with its tiles displaced by some pixels 0.27; phantoms in good light
    // have more.
    {"stitch", "seam_sharpness", "", false, 0.45, 0.35, 0, ANY,
     "sharpness of seams over that of their surroundings"},
    {"stitch", "missing_tiles", "", true, 1, 5, 0, ANY, "tile images that were not there"},
    {"stitch", "one_value_tiles", "", true, 1, 5, 0, ANY,
     "tile images of one value, which no camera takes"},
    {"stitch", "signal", "", false, 0.15, NAN, -1, 1,
     "what neighbouring planes of a tile have in common: 0 for noise"},
    {"stitch", "at_ceiling", "", true, 0.01, 0.05, 0, 1,
     "share of raw samples at the camera's greatest value"},
    {"stitch", "faulty_pixels", "", true, 0.005, 0.02, 0, 1,
     "share of the camera's pixels that are bright or dark in all tiles"},
    {"stitch", "copied_planes", "", true, 1, 2, 0, ANY,
     "planes that are, pixel for pixel, those of another plane, channel or cycle"},
    {"stitch", "contrast_dip", "", true, 0.05, NAN, 0, 1,
     "how far a plane's contrast falls below that of planes on both sides, over the greatest"},
    {"decon", "flux_error", "", true, 0.001, 0.01, 0, ANY, "light lost or made by deconvolution"},
    {"decon", "high_share", "", true, 0.001, 0.01, 0, 1, "share of samples above 64000"},
    {"decon", "focus_gain", "", false, 0.6, NAN, 0, ANY,
     "contrast that the sharpest plane gained, over what the outermost gained: less by a wrong "
     "aperture or plane distance"},
    {"edf", "planes_used", "", false, 4, 3, 0, 9999, "planes left by the quality gate"},
    {"edf", "focus_at_end", "", true, 0.5, 0.9, 0, 1,
     "share of what is in focus that lies at the first or last plane used"},
    {"registration", "ncc", "", false, 0.4, 0.2, -1, 1, "median correlation of blocks with tissue"},
    {"registration", "agreeing", "", false, 0.75, 0.25, 0, 1,
     "share of blocks with tissue that agree with the map"},
    {"registration", "displacement_median_px", "px", true, 0.5, 2, 0, ANY,
     "what blocks say is left to move, median"},
    {"registration", "displacement_p95_px", "px", true, 2, 5, 0, ANY,
     "what blocks say is left to move, 95th percentile"},
    {"registration", "detail", "", false, 0.3, NAN, -ANY, ANY,
     "fine structure of the nuclear image that the reference shows too, over coarse structure: 1 "
     "where both are as sharp"},
    {"registration", "reference_detail", "", false, 0.3, NAN, -ANY, ANY,
     "the same of the reference's fine structure, where this is the less sharp one"},
    {"registration", "least_light", "", false, 0.35, NAN, 0, ANY,
     "light of the square that lost most, over the reference's there"},
    {"registration", "folds", "", true, 1, 1, 0, ANY, "places where the displacement field folds"},
    {"registration", "refused", "", true, 1, 1, 0, 1,
     "1: the cycle does not fit; its images are not there, or those of an earlier run"},
    {"report", "odd_reports", "", true, 1, NAN, 0, ANY,
     "reports of stages that cannot be read as one, or say what cannot be"},
    {"isolate", "blank_shift_px", "px", true, 8, NAN, 0, ANY,
     "how far beside the blank the marker shows its autofluorescence"},
    {"isolate", "quality", "", false, 0.8, 0.5, -ANY, 1, "1 - share of the autofluorescence left"},
};

const struct qc_limit *qc_limit_find(const char *stage, const char *metric)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strcmp(limits[i].metric, metric) &&
            (!limits[i].stage[0] || !strcmp(limits[i].stage, stage)))
            return &limits[i];
    return NULL;
}

bool qc_limit_counts(const struct qc_limit *limit)
{
    return limit->higher && limit->yellow >= 1 && !*limit->unit;
}

bool qc_limit_allows(const struct qc_limit *limit, double value)
{
    return isfinite(value) && (!limit || (value >= limit->from && value <= limit->to));
}

enum qc_status qc_judge(const struct qc_limit *limit, double value)
{
    if (!limit || isnan(value))
        return QC_NONE;
    double sign = limit->higher ? 1 : -1;
    bool count = qc_limit_counts(limit);
    if (!isnan(limit->red) && (count ? value >= limit->red : sign * value > sign * limit->red))
        return QC_RED;
    if (!isnan(limit->yellow) &&
        (count ? value >= limit->yellow : sign * value > sign * limit->yellow))
        return QC_YELLOW;
    return QC_GREEN;
}

const char *qc_status_name(enum qc_status status)
{
    static const char *const names[] = {"none", "green", "yellow", "red"};
    return names[status];
}
