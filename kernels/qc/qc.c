// SPDX-License-Identifier: MIT
// qc.c: what a plane's sums (device/tally.h) say of its quality.
#include "qc/qc.h"
#include "core/histogram.h"
#include "device/device.h"
#include "device/tally.h"
#include "image/volume.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SATURATED = 64000, STAGED = 64 /* rows that go to a card at a time */ };

const struct qc_field qc_plane_fields[] = {
#define X(name, unit, text) {#name, unit, text, offsetof(struct qc_plane, name)},
    QC_PLANE_FIELDS(X)
#undef X
};
const int qc_plane_field_count = sizeof qc_plane_fields / sizeof *qc_plane_fields;

struct qc_scan {
    struct device *dev, *own; // own: opened for this scan; or NULL
    int h, w, y;
    struct tally *tally;
    uint16_t *staged; // owned device buffer, of a card: rows of the host on their way
    struct tally_sums sums;
    uint64_t *row_sums; // (h)
};

static void scan_free(struct qc_scan *scan)
{
    struct device *dev = scan->dev;
    dev->tally_free(dev, scan->tally);
    dev->release(dev, scan->staged);
    device_close(scan->own);
    free(scan->sums.values);
    free(scan->sums.columns);
    free(scan->sums.rows);
    free(scan->row_sums);
    free(scan);
}

// Takes what a scan needs of its device and of the host.
static bool scan_open(struct qc_scan *scan, struct kin_error *err)
{
    struct device *dev = scan->dev;
    scan->sums = (struct tally_sums){calloc(TALLY_VALUES, sizeof *scan->sums.values),
                                     calloc((size_t)scan->w, sizeof *scan->sums.columns),
                                     calloc((size_t)scan->h, sizeof *scan->sums.rows)};
    scan->row_sums = calloc((size_t)scan->h, sizeof *scan->row_sums);
    if (!scan->sums.values || !scan->sums.columns || !scan->sums.rows || !scan->row_sums)
        return kin_fail(err, KIN_MEMORY, "no memory to measure a plane of %d x %d pixels", scan->h,
                        scan->w);
    scan->tally = dev->tally_new(dev, (struct kin_dims){1, scan->h, scan->w});
    if (dev->kind == DEVICE_GPU)
        scan->staged = dev->alloc(dev, STAGED * (size_t)scan->w * sizeof *scan->staged);
    return device_ok(dev, err);
}

size_t qc_scan_bytes(int h, int w)
{
    return tally_bytes(h, w) + STAGED * (size_t)w * sizeof(uint16_t);
}

struct qc_scan *qc_scan_on(struct device *dev, int h, int w, struct kin_error *err)
{
    struct qc_scan *scan = NULL;
    if (h < 1 || w < 1)
        kin_fail(err, KIN_INPUT, "cannot measure a plane of %d x %d pixels", h, w);
    else if (!(scan = calloc(1, sizeof *scan)))
        kin_fail(err, KIN_MEMORY, "no memory to measure a plane of %d x %d pixels", h, w);
    if (!scan)
        return NULL;
    *scan = (struct qc_scan){.dev = dev, .h = h, .w = w};
    if (scan_open(scan, err))
        return scan;
    scan_free(scan);
    return NULL;
}

struct qc_scan *qc_scan_new(int h, int w, int threads, struct kin_error *err)
{
    struct device *own = device_open(DEVICE_CPU, threads, err);
    struct qc_scan *scan = own ? qc_scan_on(own, h, w, err) : NULL;
    if (scan)
        scan->own = own;
    else
        device_close(own);
    return scan;
}

// How many of so many rows there is room for.
static int rows_left(const struct qc_scan *scan, int count)
{
    return count < scan->h - scan->y ? count : scan->h - scan->y;
}

// The next rows, which lie on the scan's device.
static void add_rows(struct qc_scan *scan, const uint16_t *rows, int count)
{
    if (count < 1)
        return;
    scan->dev->tally_add(scan->dev, scan->tally, rows, count);
    scan->y += count;
}

void qc_scan_rows(struct qc_scan *scan, const uint16_t *rows, int count)
{
    struct device *dev = scan->dev;
    size_t w = (size_t)scan->w;
    count = rows_left(scan, count);
    if (!scan->staged)
        add_rows(scan, rows, count);
    for (int y = 0, n; scan->staged && y < count; y += n) {
        n = count - y < STAGED ? count - y : STAGED;
        dev->upload(dev, scan->staged, rows + (size_t)y * w, (size_t)n * w * sizeof *rows);
        add_rows(scan, scan->staged, n);
    }
}

void qc_scan_there(struct qc_scan *scan, const uint16_t *rows, const uint16_t *there, int count)
{
    if (scan->staged)
        add_rows(scan, there, rows_left(scan, count));
    else
        qc_scan_rows(scan, rows, count);
}

// Mean and standard deviation of n sums, each of per samples.
static void profile(const uint64_t *sum, int n, double per, double *mean, double *std)
{
    double m = 0, v = 0;
    for (int i = 0; i < n; i++)
        m += (double)sum[i] / per / n;
    for (int i = 0; i < n; i++)
        v += ((double)sum[i] / per - m) * ((double)sum[i] / per - m) / n;
    *mean = m;
    *std = sqrt(v);
}

static void moments(const struct qc_scan *scan, struct qc_plane *p)
{
    double n = 0, mean = 0, var = 0;
    for (int v = 0; v < TALLY_VALUES; v++) {
        n += (double)scan->sums.values[v];
        mean += (double)scan->sums.values[v] * v;
    }
    mean /= n;
    for (int v = 0; v < TALLY_VALUES; v++)
        var += (double)scan->sums.values[v] * (v - mean) * (v - mean);
    double saturated = 0;
    for (int v = SATURATED; v < TALLY_VALUES; v++)
        saturated += (double)scan->sums.values[v];
    p->mean = mean;
    p->std = sqrt(var / n);
    p->snr = p->std > 0 ? mean / p->std : NAN;
    p->zero = (double)scan->sums.values[0] / n;
    p->saturated = saturated / n;
}

static void percentiles(const struct qc_scan *scan, struct qc_plane *p)
{
    const uint64_t *h = scan->sums.values;
    p->p01 = kin_quantile_u16(h, 0.001);
    p->p1 = kin_quantile_u16(h, 0.01);
    p->p10 = kin_quantile_u16(h, 0.1);
    p->p50 = kin_quantile_u16(h, 0.5);
    p->p90 = kin_quantile_u16(h, 0.9);
    p->p99 = kin_quantile_u16(h, 0.99);
    p->p999 = kin_quantile_u16(h, 0.999);
    p->contrast = (p->p99 - p->p1) / 65535.0;
}

static void profiles(const struct qc_scan *scan, struct qc_plane *p)
{
    double mean, std, steps = 0, steps2 = 0;
    profile(scan->row_sums, scan->h, scan->w, &mean, &std);
    p->row_cv = mean > 0 ? 100 * std / mean : NAN;
    for (int y = 1; y < scan->h; y++) {
        double d = ((double)scan->row_sums[y] - (double)scan->row_sums[y - 1]) / scan->w;
        steps += d / (scan->h - 1);
        steps2 += d * d / (scan->h - 1);
    }
    p->banding = mean > 0 ? sqrt(fmax(steps2 - steps * steps, 0)) / mean : NAN;
    profile(scan->sums.columns, scan->w, scan->h, &mean, &std);
    p->col_cv = mean > 0 ? 100 * std / mean : NAN;
}

static double uniformity(const struct qc_scan *scan)
{
    uint64_t sum[TALLY_TENTHS][TALLY_TENTHS] = {0};
    int rows[TALLY_TENTHS] = {0};
    double least = INFINITY, greatest = 0;
    if (scan->h < TALLY_TENTHS || scan->w < TALLY_TENTHS)
        return NAN;
    for (int y = 0; y < scan->h; y++) {
        int j = (int)((int64_t)y * TALLY_TENTHS / scan->h);
        rows[j]++;
        for (int k = 0; k < TALLY_TENTHS; k++)
            sum[j][k] += scan->sums.rows[y].tenths[k];
    }
    for (int j = 0; j < TALLY_TENTHS; j++) {
        for (int k = 0; k < TALLY_TENTHS; k++) {
            double cols = tally_tenth(scan->w, k + 1) - tally_tenth(scan->w, k),
                   mean = (double)sum[j][k] / (rows[j] * cols);
            least = fmin(least, mean);
            greatest = fmax(greatest, mean);
        }
    }
    return greatest > 0 ? least / greatest : NAN;
}

static void sharpness(const struct qc_scan *scan, struct qc_plane *p)
{
    double n = 0, laplace = 0, squares = 0, noise = 0;
    for (int y = 0; y < scan->h; y++) {
        const struct tally_row *row = &scan->sums.rows[y];
        n += (double)row->windows;
        laplace += (double)row->laplace;
        squares += (double)row->squares;
        noise += (double)row->noise;
    }
    if (n < 1)
        return;
    p->noise = sqrt(M_PI / 2) / 6 * noise / n;
    if (p->noise <= 0)
        return;
    double variance = squares / n - (laplace / n) * (laplace / n);
    p->sharpness = variance / (20 * p->noise * p->noise) - 1;
    p->snr_fg = (p->p99 - p->p10) / p->noise;
}

struct qc_plane qc_scan_end(struct qc_scan *scan)
{
    struct qc_plane p;
    for (int i = 0; i < qc_plane_field_count; i++)
        *(double *)((char *)&p + qc_plane_fields[i].offset) = NAN;
    if (scan->y > 0) {
        scan->dev->tally_read(scan->dev, scan->tally, &scan->sums);
        for (int y = 0; y < scan->h; y++)
            for (int k = 0; k < TALLY_TENTHS; k++)
                scan->row_sums[y] += scan->sums.rows[y].tenths[k];
        moments(scan, &p);
        percentiles(scan, &p);
        profiles(scan, &p);
        p.uniformity = uniformity(scan);
        sharpness(scan, &p);
    }
    scan_free(scan);
    return p;
}

static bool scan_rows(void *user, int z, int count, const void *rows, struct kin_error *err)
{
    (void)z, (void)err;
    qc_scan_rows(user, rows, count);
    return true;
}

bool qc_measure(const struct kin_source *source, int threads, struct qc_plane *plane,
                struct kin_error *err)
{
    struct kin_dims d = source->dims;
    if (source->type != KIN_U16 || d.z != 1)
        return kin_fail(err, KIN_INPUT, "not one plane of 16-bit samples");
    struct qc_scan *scan = qc_scan_new(d.y, d.x, threads, err);
    if (!scan)
        return false;
    bool good = kin_pass_plane(source, &(struct kin_sink){KIN_U16, scan_rows, scan}, err);
    *plane = qc_scan_end(scan);
    return good;
}

bool qc_measure_file(const char *path, int threads, struct qc_plane *plane, struct kin_error *err)
{
    char *one = (char *)(uintptr_t)path;
    struct kin_source source;
    struct kin_stack *image = kin_stack_open(&one, 1, &source, err);
    bool good = image && ((source.type == KIN_U16 && source.dims.z == 1) ||
                          kin_fail(err, KIN_INPUT, "%s: not one page of uint16 pixels", path));
    good = good && qc_measure(&source, threads, plane, err);
    kin_stack_close(image);
    return good;
}

double qc_ncc(const float *a, const float *b, const uint8_t *mask, size_t n)
{
    double count = 0, ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++)
        if (!mask || mask[i]) {
            count++;
            ma += a[i];
            mb += b[i];
        }
    if (count < 2)
        return NAN;
    ma /= count;
    mb /= count;
    for (size_t i = 0; i < n; i++)
        if (!mask || mask[i]) {
            ab += (a[i] - ma) * (b[i] - mb);
            aa += (a[i] - ma) * (a[i] - ma);
            bb += (b[i] - mb) * (b[i] - mb);
        }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}
