/* SPDX-License-Identifier: MIT
 *
 * qc.h: what can be said of the quality of one plane of pixels, and when a number is good, doubtful
 * or bad. Stages fill a scan while they write a plane (rows pass once), tools read it back from
 * their JSON; qc/svg.h draws it and qc/page.h makes the page.
 *
 *     struct qc_scan *scan = qc_scan_new(h, w, threads, &err);
 *     qc_scan_rows(scan, rows, n);            // as often as needed, top to bottom
 *     struct qc_plane plane = qc_scan_end(scan); // frees the scan
 *
 * All sums are exact integers or are added in row order: the numbers do not depend on how the rows
 * are cut into bands, nor on the number of threads. */
#pragma once

#include "image/volume.h"

/* X(name, unit, what it says). Every field is a double; a plane that does not define it holds NaN.
 *   snr, row_cv, col_cv are KINTSUGI's (mean / std; 100 std / mean of the row and column means);
 *   noise: Immerkaer, CVGIU 64:300, 1996; sharpness: variance of the 4-neighbour Laplacian over
 *   what that noise alone would give (20 sigma^2), less 1. Windows that touch a zero (outside the
 *   mosaic) count for neither. */
#define QC_PLANE_FIELDS(X)                                                                         \
    X(mean, "ADU", "mean of all pixels")                                                           \
    X(std, "ADU", "standard deviation of all pixels")                                              \
    X(snr, "", "mean / std, as KINTSUGI reports it")                                               \
    X(row_cv, "%", "100 std / mean of the row means")                                              \
    X(col_cv, "%", "100 std / mean of the column means")                                           \
    X(p01, "ADU", "0.1th percentile")                                                              \
    X(p1, "ADU", "1st percentile")                                                                 \
    X(p10, "ADU", "10th percentile")                                                               \
    X(p50, "ADU", "median")                                                                        \
    X(p90, "ADU", "90th percentile")                                                               \
    X(p99, "ADU", "99th percentile")                                                               \
    X(p999, "ADU", "99.9th percentile")                                                            \
    X(noise, "ADU", "standard deviation of the pixel noise")                                       \
    X(sharpness, "", "Laplacian variance over noise variance, less 1")                             \
    X(snr_fg, "", "(p99 - p10) / noise")                                                           \
    X(zero, "", "share of zero pixels")                                                            \
    X(saturated, "", "share of pixels at 64000 or above")                                          \
    X(contrast, "", "(p99 - p1) / 65535")                                                          \
    X(uniformity, "", "least / greatest of 10 x 10 block means")                                   \
    X(banding, "", "std of the differences of row means / mean")

struct qc_plane {
#define X(name, unit, text) double name;
    QC_PLANE_FIELDS(X)
#undef X
};

struct qc_field {
    const char *name, *unit, *text;
    size_t offset; /* of the double in struct qc_plane */
};

/* The fields as a table, qc_plane_field_count of them, in the order above. */
extern const struct qc_field qc_plane_fields[];
extern const int qc_plane_field_count;

/* The value of a field. */
static inline double qc_get(const struct qc_plane *plane, const struct qc_field *field)
{
    return *(const double *)((const char *)plane + field->offset);
}

struct device;
struct qc_scan;

/* A scan of a plane of h rows of w pixels. NULL: KIN_MEMORY or KIN_INPUT. threads 0: all. */
struct qc_scan *qc_scan_new(int h, int w, int threads, struct kin_error *err);

/* The same on a device, borrowed until its end, which also keeps what fails. NULL: see there. */
struct qc_scan *qc_scan_on(struct device *dev, int h, int w, struct kin_error *err);

/* Bytes that it takes of a card. */
size_t qc_scan_bytes(int h, int w);

/* The next count rows, of the host. More rows than h are ignored. */
void qc_scan_rows(struct qc_scan *scan, const uint16_t *rows, int count);

/* The same of rows that also lie on a device, which looks at them if it is the scan's. */
void qc_scan_there(struct qc_scan *scan, const uint16_t *rows, const uint16_t *there, int count);

/* The numbers of the rows seen, unless the device has failed; frees the scan. */
struct qc_plane qc_scan_end(struct qc_scan *scan);

/* The numbers of a plane of uint16 that a source gives, read in bands. False: KIN_MEMORY,
 * KIN_INPUT, or the source's. */
bool qc_measure(const struct kin_source *source, int threads, struct qc_plane *plane,
                struct kin_error *err);

/* The same of a file. False: also where that is not one page of such. */
bool qc_measure_file(const char *path, int threads, struct qc_plane *plane, struct kin_error *err);

/* Normalised cross-correlation of two arrays: sum (a-ma)(b-mb) / sqrt(sum (a-ma)^2 sum (b-mb)^2);
 * pixels with mask 0 are left out (mask may be NULL). NaN if either is constant. */
double qc_ncc(const float *a, const float *b, const uint8_t *mask, size_t n);

/* ---- good, doubtful, bad ------------------------------------------------------------------- */

enum qc_status { QC_NONE, QC_GREEN, QC_YELLOW, QC_RED };

/* A threshold: `higher` says whether larger values are worse. yellow and red may be NaN (no
 * limit). */
struct qc_limit {
    const char *stage, *metric, *unit;
    bool higher;
    double yellow, red;
    double from, to; /* what the value can be; infinite: anything */
    const char *text;
};

/* The limit of that stage's metric; NULL if it has none (then it is only shown). */
const struct qc_limit *qc_limit_find(const char *stage, const char *metric);

/* Whether a value is a number that the metric can have. */
bool qc_limit_allows(const struct qc_limit *limit, double value);

/* Whether the limit is one of a count: a value that reaches it is beyond it. */
bool qc_limit_counts(const struct qc_limit *limit);

/* The status of a value under a limit; QC_NONE without a limit or for a NaN. */
enum qc_status qc_judge(const struct qc_limit *limit, double value);

/* "none", "green", "yellow", "red". */
const char *qc_status_name(enum qc_status status);
