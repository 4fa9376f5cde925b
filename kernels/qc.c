// SPDX-License-Identifier: MIT
// One pass over the rows of a plane. A row's 3 x 3 windows need the row above and the row below, so
// the scan keeps the last two rows of the band before:
//
//     carry[0]  row y-2   \  windows of row y-1 are
//     carry[1]  row y-1    > complete when row y
//     rows[0]   row y     /  arrives
#include "qc.h"

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 65536, SATURATED = 64000, BLOCKS = 10 };

const struct qc_field qc_plane_fields[] = {
#define X(name, unit, text) {#name, unit, text, offsetof(struct qc_plane, name)},
    QC_PLANE_FIELDS(X)
#undef X
};
const int qc_plane_field_count = sizeof qc_plane_fields / sizeof *qc_plane_fields;

// What the windows centred on one row add up to.
struct window_sums {
    int64_t windows, laplace, immerkaer;
    double laplace2;
};

struct qc_scan {
    int h, w, y, threads;
    uint64_t *histogram;        // BINS
    uint64_t *row_sum;          // h
    uint64_t *col_sum;          // w
    uint64_t *block_sum;        // BLOCKS x BLOCKS
    uint16_t *carry[2];         // rows y-2 and y-1
    struct window_sums *window; // h: per row, summed in order at the end
};

static void scan_free(struct qc_scan *scan)
{
    free(scan->histogram);
    free(scan->row_sum);
    free(scan->col_sum);
    free(scan->block_sum);
    free(scan->carry[0]);
    free(scan->carry[1]);
    free(scan->window);
    free(scan);
}

struct qc_scan *qc_scan_new(int h, int w, int threads, struct kin_error *err)
{
    if (h < 1 || w < 1) {
        kin_fail(err, KIN_INPUT, "cannot measure a plane of %d x %d pixels", h, w);
        return NULL;
    }
    struct qc_scan *scan = calloc(1, sizeof *scan);
    if (scan) {
        *scan = (struct qc_scan){
            .h = h, .w = w, .threads = threads > 0 ? threads : omp_get_max_threads()};
        scan->histogram = calloc(BINS, sizeof(uint64_t));
        scan->row_sum = calloc(h, sizeof(uint64_t));
        scan->col_sum = calloc(w, sizeof(uint64_t));
        scan->block_sum = calloc(BLOCKS * BLOCKS, sizeof(uint64_t));
        scan->carry[0] = calloc(w, sizeof(uint16_t));
        scan->carry[1] = calloc(w, sizeof(uint16_t));
        scan->window = calloc(h, sizeof(struct window_sums));
        if (scan->histogram && scan->row_sum && scan->col_sum && scan->block_sum &&
            scan->carry[0] && scan->carry[1] && scan->window)
            return scan;
        scan_free(scan);
    }
    kin_fail(err, KIN_MEMORY, "no memory to measure a plane of %d x %d pixels", h, w);
    return NULL;
}

static bool has_zero(const uint16_t *a, const uint16_t *b, const uint16_t *c)
{
    return !a[-1] || !a[0] || !a[1] || !b[-1] || !b[0] || !b[1] || !c[-1] || !c[0] || !c[1];
}

// a, b, c: the row above, the row, the row below.
static struct window_sums row_windows(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                                      int w)
{
    struct window_sums s = {0};
    for (int x = 1; x < w - 1; x++) {
        if (has_zero(a + x, b + x, c + x))
            continue;
        int edge = a[x] + c[x] + b[x - 1] + b[x + 1];
        int corner = a[x - 1] + a[x + 1] + c[x - 1] + c[x + 1];
        int64_t laplace = edge - 4 * (int)b[x];
        s.windows++;
        s.laplace += laplace;
        s.laplace2 += (double)(laplace * laplace);
        s.immerkaer += llabs((int64_t)corner - 2 * edge + 4 * (int)b[x]);
    }
    return s;
}

static uint64_t row_total(const uint16_t *row, int w)
{
    uint64_t sum = 0;
    for (int x = 0; x < w; x++)
        sum += row[x];
    return sum;
}

// Row y of the plane while rows of the band lie at `band` and the two before it in carry.
static const uint16_t *row_at(const struct qc_scan *scan, const uint16_t *band, int y)
{
    int in_band = y - scan->y;
    return in_band >= 0 ? band + (size_t)in_band * scan->w : scan->carry[in_band + 2];
}

static void scan_windows(struct qc_scan *scan, const uint16_t *band, int count)
{
    int first = scan->y - 1 < 1 ? 1 : scan->y - 1, last = scan->y + count - 2;
#pragma omp parallel for num_threads(scan->threads) schedule(static)
    for (int y = first; y <= last; y++)
        scan->window[y] = row_windows(row_at(scan, band, y - 1), row_at(scan, band, y),
                                      row_at(scan, band, y + 1), scan->w);
}

static void scan_histogram(struct qc_scan *scan, const uint16_t *band, size_t n)
{
#pragma omp parallel num_threads(scan->threads)
    {
        uint32_t *own = calloc(BINS, sizeof *own);
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            if (own)
                own[band[i]]++;
            else
#pragma omp atomic
                scan->histogram[band[i]]++;
        }
#pragma omp critical
        for (int v = 0; own && v < BINS; v++)
            scan->histogram[v] += own[v];
        free(own);
    }
}

static void scan_sums(struct qc_scan *scan, const uint16_t *band, int count)
{
    int w = scan->w;
#pragma omp parallel for num_threads(scan->threads) schedule(static)
    for (int i = 0; i < count; i++)
        scan->row_sum[scan->y + i] = row_total(band + (size_t)i * w, w);
    for (int i = 0; i < count; i++) {
        uint64_t *blocks = scan->block_sum +
                           BLOCKS * (int)((int64_t)(scan->y + i) * BLOCKS / scan->h);
        const uint16_t *row = band + (size_t)i * w;
        for (int x = 0; x < w; x++)
            scan->col_sum[x] += row[x];
        for (int k = 0; k < BLOCKS; k++) {
            int x0 = (int)((int64_t)w * k / BLOCKS), x1 = (int)((int64_t)w * (k + 1) / BLOCKS);
            blocks[k] += row_total(row + x0, x1 - x0);
        }
    }
}

void qc_scan_rows(struct qc_scan *scan, const uint16_t *rows, int count)
{
    if (count > scan->h - scan->y)
        count = scan->h - scan->y;
    if (count < 1)
        return;
    scan_windows(scan, rows, count);
    scan_histogram(scan, rows, (size_t)count * scan->w);
    scan_sums(scan, rows, count);
    const uint16_t *above = row_at(scan, rows, scan->y + count - 2);
    if (scan->y + count >= 2)
        memmove(scan->carry[0], above, scan->w * sizeof *above);
    memcpy(scan->carry[1], rows + (size_t)(count - 1) * scan->w, scan->w * sizeof *rows);
    scan->y += count;
}

const uint64_t *qc_scan_histogram(const struct qc_scan *scan)
{
    return scan->histogram;
}

int qc_quantile(const uint64_t *histogram, double q)
{
    uint64_t total = 0, below = 0;
    for (int v = 0; v < BINS; v++)
        total += histogram[v];
    for (int v = 0; v < BINS; v++)
        if (total && (double)(below += histogram[v]) >= q * (double)total && below)
            return v;
    return 0;
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
    for (int v = 0; v < BINS; v++) {
        n += (double)scan->histogram[v];
        mean += (double)scan->histogram[v] * v;
    }
    mean /= n;
    for (int v = 0; v < BINS; v++)
        var += (double)scan->histogram[v] * (v - mean) * (v - mean);
    double saturated = 0;
    for (int v = SATURATED; v < BINS; v++)
        saturated += (double)scan->histogram[v];
    p->mean = mean;
    p->std = sqrt(var / n);
    p->snr = p->std > 0 ? mean / p->std : NAN;
    p->zero = (double)scan->histogram[0] / n;
    p->saturated = saturated / n;
}

static void percentiles(const struct qc_scan *scan, struct qc_plane *p)
{
    const uint64_t *h = scan->histogram;
    p->p01 = qc_quantile(h, 0.001);
    p->p1 = qc_quantile(h, 0.01);
    p->p10 = qc_quantile(h, 0.1);
    p->p50 = qc_quantile(h, 0.5);
    p->p90 = qc_quantile(h, 0.9);
    p->p99 = qc_quantile(h, 0.99);
    p->p999 = qc_quantile(h, 0.999);
    p->contrast = (p->p99 - p->p1) / 65535.0;
}

static void profiles(const struct qc_scan *scan, struct qc_plane *p)
{
    double mean, std, steps = 0, steps2 = 0;
    profile(scan->row_sum, scan->h, scan->w, &mean, &std);
    p->row_cv = mean > 0 ? 100 * std / mean : NAN;
    for (int y = 1; y < scan->h; y++) {
        double d = ((double)scan->row_sum[y] - (double)scan->row_sum[y - 1]) / scan->w;
        steps += d / (scan->h - 1);
        steps2 += d * d / (scan->h - 1);
    }
    p->banding = mean > 0 ? sqrt(fmax(steps2 - steps * steps, 0)) / mean : NAN;
    profile(scan->col_sum, scan->w, scan->h, &mean, &std);
    p->col_cv = mean > 0 ? 100 * std / mean : NAN;
}

// Samples of axis length n that fall into block k of BLOCKS.
static int rows_of_block(int n, int k)
{
    int count = 0;
    for (int y = 0; y < n; y++)
        count += (int64_t)y * BLOCKS / n == k;
    return count;
}

static double uniformity(const struct qc_scan *scan)
{
    double least = INFINITY, greatest = 0;
    if (scan->h < BLOCKS || scan->w < BLOCKS)
        return NAN;
    for (int j = 0; j < BLOCKS; j++) {
        double rows = rows_of_block(scan->h, j);
        for (int k = 0; k < BLOCKS; k++) {
            int64_t cols = (int64_t)scan->w * (k + 1) / BLOCKS - (int64_t)scan->w * k / BLOCKS;
            double mean = (double)scan->block_sum[j * BLOCKS + k] / (rows * (double)cols);
            least = fmin(least, mean);
            greatest = fmax(greatest, mean);
        }
    }
    return greatest > 0 ? least / greatest : NAN;
}

static void sharpness(const struct qc_scan *scan, struct qc_plane *p)
{
    double n = 0, laplace = 0, laplace2 = 0, immerkaer = 0;
    for (int y = 0; y < scan->h; y++) {
        n += (double)scan->window[y].windows;
        laplace += (double)scan->window[y].laplace;
        laplace2 += scan->window[y].laplace2;
        immerkaer += (double)scan->window[y].immerkaer;
    }
    if (n < 1)
        return;
    p->noise = sqrt(M_PI / 2) / 6 * immerkaer / n;
    if (p->noise <= 0)
        return;
    double variance = laplace2 / n - (laplace / n) * (laplace / n);
    p->sharpness = variance / (20 * p->noise * p->noise) - 1;
    p->snr_fg = (p->p99 - p->p10) / p->noise;
}

struct qc_plane qc_scan_end(struct qc_scan *scan)
{
    struct qc_plane p;
    for (int i = 0; i < qc_plane_field_count; i++)
        *(double *)((char *)&p + qc_plane_fields[i].offset) = NAN;
    if (scan->y > 0) {
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

bool qc_measure(const struct kin_source *source, int threads, struct qc_plane *plane, struct kin_error *err)
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
