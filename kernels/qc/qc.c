// SPDX-License-Identifier: MIT
// One pass over the rows of a plane. A row's 3 x 3 windows need the row above and the row below, so
// the scan keeps the last two rows of the band before:
//
//     carry[0]  row y-2   \  windows of row y-1 are
//     carry[1]  row y-1    > complete when row y
//     rows[0]   row y     /  arrives
#include "qc/qc.h"
#include "core/histogram.h"
#include "core/simd.h"

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SATURATED = 64000, BLOCKS = 10, RUN = 1024 };

const struct qc_field qc_plane_fields[] = {
#define X(name, unit, text) {#name, unit, text, offsetof(struct qc_plane, name)},
    QC_PLANE_FIELDS(X)
#undef X
};
const int qc_plane_field_count = sizeof qc_plane_fields / sizeof *qc_plane_fields;

// What the windows centred on one row add up to: integers, so that their order does not matter.
struct window_sums {
    int64_t windows, laplace, laplace2, immerkaer;
};

struct qc_scan {
    int h, w, y, threads;
    struct kin_histogram histogram;
    uint64_t *row_sum;          // h
    uint64_t *col_sum;          // w
    uint64_t *block_sum;        // h x BLOCKS: the tenths of each row
    uint16_t *carry[2];         // rows y-2 and y-1
    struct window_sums *window; // h: per row
};

static void scan_free(struct qc_scan *scan)
{
    kin_histogram_free(&scan->histogram);
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
        bool good = kin_histogram_new(&scan->histogram, scan->threads);
        scan->row_sum = calloc(h, sizeof(uint64_t));
        scan->col_sum = calloc(w, sizeof(uint64_t));
        scan->block_sum = calloc((size_t)h * BLOCKS, sizeof(uint64_t));
        scan->carry[0] = calloc(w, sizeof(uint16_t));
        scan->carry[1] = calloc(w, sizeof(uint16_t));
        scan->window = calloc(h, sizeof(struct window_sums));
        if (good && scan->row_sum && scan->col_sum && scan->block_sum && scan->carry[0] &&
            scan->carry[1] && scan->window)
            return scan;
        scan_free(scan);
    }
    kin_fail(err, KIN_MEMORY, "no memory to measure a plane of %d x %d pixels", h, w);
    return NULL;
}

static inline uint16_t least_of(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

// What is needed of a row's windows: along the columns, second differences and the least of three.
struct columns {
    int curve[RUN + 2];
    uint16_t least[RUN + 2];
};

// Sums over n <= RUN windows, of which columns x, x + 1 and x + 2 are those of window x. With
// `some`, one that has a zero, which is outside of the picture, does not count. Squares of RUN of
// them fit into 53 bits, all else into 32.
static inline __attribute__((always_inline)) void
sum_windows(struct window_sums *sums, const struct columns *of, const uint16_t *b, int n, bool some)
{
    const int *curve = of->curve;
    const uint16_t *least = of->least;
    int windows = 0, sum = 0, noise = 0;
    double squares = 0;
#pragma omp simd reduction(+ : windows, sum, noise, squares)
    for (int x = 0; x < n; x++) {
        int laplace = curve[x + 1] + b[x - 1] - 2 * b[x] + b[x + 1],
            immerkaer = curve[x] - 2 * curve[x + 1] + curve[x + 2];
        if (some) {
            int whole = least_of(least_of(least[x], least[x + 1]), least[x + 2]) != 0;
            laplace &= -whole;
            immerkaer &= -whole;
            windows += whole;
        }
        sum += laplace;
        noise += abs(immerkaer);
        squares += (double)laplace * laplace;
    }
    sums->windows += some ? windows : n;
    sums->laplace += sum;
    sums->laplace2 += (int64_t)squares;
    sums->immerkaer += noise;
}

// The n <= RUN windows centred on b[0] to b[n-1]; a, b, c: the row above, the row, the row below.
VECTOR_CLONES static void add_windows(struct window_sums *sums, const uint16_t *a,
                                      const uint16_t *b, const uint16_t *c, int n)
{
    struct columns columns;
    uint16_t least = UINT16_MAX;
    for (int x = 0; x < n + 2; x++) {
        columns.curve[x] = a[x - 1] - 2 * b[x - 1] + c[x - 1];
        columns.least[x] = least_of(least_of(a[x - 1], b[x - 1]), c[x - 1]);
        least = least_of(least, columns.least[x]);
    }
    if (least)
        sum_windows(sums, &columns, b, n, false);
    else
        sum_windows(sums, &columns, b, n, true);
}

static struct window_sums row_windows(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                                      int w)
{
    struct window_sums sums = {0};
    for (int x = 1; x < w - 1; x += RUN)
        add_windows(&sums, a + x, b + x, c + x, w - 1 - x < RUN ? w - 1 - x : RUN);
    return sums;
}

VECTOR_CLONES static uint64_t total_of(const uint16_t *row, int w)
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

// Where block k of an axis of n samples begins.
static int block_start(int n, int k)
{
    return (int)((int64_t)n * k / BLOCKS);
}

// Row y, and the windows of the row above it.
static void scan_row(struct qc_scan *scan, const uint16_t *band, int y)
{
    const uint16_t *row = row_at(scan, band, y);
    uint64_t *blocks = scan->block_sum + (size_t)y * BLOCKS;
    if (y >= 2)
        scan->window[y - 1] = row_windows(row_at(scan, band, y - 2), row_at(scan, band, y - 1), row,
                                          scan->w);
    kin_histogram_add(&scan->histogram, row, (size_t)scan->w);
    for (int k = 0; k < BLOCKS; k++) {
        int x0 = block_start(scan->w, k), x1 = block_start(scan->w, k + 1);
        blocks[k] = total_of(row + x0, x1 - x0);
        scan->row_sum[y] += blocks[k];
    }
}

// n <= RUN columns of at most RUN rows, each of width w.
VECTOR_CLONES static void add_columns(uint64_t *sums, const uint16_t *rows, int w, int count, int n)
{
    uint32_t part[RUN] = {0};
    for (int y = 0; y < count; y++)
        for (int x = 0; x < n; x++)
            part[x] += rows[(size_t)y * (size_t)w + x];
    for (int x = 0; x < n; x++)
        sums[x] += part[x];
}

static void scan_columns(struct qc_scan *scan, const uint16_t *band, int count)
{
    int w = scan->w;
#pragma omp parallel for num_threads(scan->threads) schedule(static)
    for (int x = 0; x < w; x += RUN)
        for (int y = 0; y < count; y += RUN)
            add_columns(scan->col_sum + x, band + (size_t)y * w + x, w,
                        count - y < RUN ? count - y : RUN, w - x < RUN ? w - x : RUN);
}

void qc_scan_rows(struct qc_scan *scan, const uint16_t *rows, int count)
{
    if (count > scan->h - scan->y)
        count = scan->h - scan->y;
    if (count < 1)
        return;
    kin_histogram_expect(&scan->histogram, (uint64_t)count * scan->w);
#pragma omp parallel for num_threads(scan->threads) schedule(static)
    for (int y = scan->y; y < scan->y + count; y++)
        scan_row(scan, rows, y);
    scan_columns(scan, rows, count);
    const uint16_t *above = row_at(scan, rows, scan->y + count - 2);
    if (scan->y + count >= 2)
        memmove(scan->carry[0], above, scan->w * sizeof *above);
    memcpy(scan->carry[1], rows + (size_t)(count - 1) * scan->w, scan->w * sizeof *rows);
    scan->y += count;
}

int qc_quantile(const uint64_t *histogram, double q)
{
    uint64_t total = 0, below = 0;
    for (int v = 0; v < KIN_BINS; v++)
        total += histogram[v];
    for (int v = 0; v < KIN_BINS; v++)
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
    for (int v = 0; v < KIN_BINS; v++) {
        n += (double)scan->histogram.bins[v];
        mean += (double)scan->histogram.bins[v] * v;
    }
    mean /= n;
    for (int v = 0; v < KIN_BINS; v++)
        var += (double)scan->histogram.bins[v] * (v - mean) * (v - mean);
    double saturated = 0;
    for (int v = SATURATED; v < KIN_BINS; v++)
        saturated += (double)scan->histogram.bins[v];
    p->mean = mean;
    p->std = sqrt(var / n);
    p->snr = p->std > 0 ? mean / p->std : NAN;
    p->zero = (double)scan->histogram.bins[0] / n;
    p->saturated = saturated / n;
}

static void percentiles(const struct qc_scan *scan, struct qc_plane *p)
{
    const uint64_t *h = scan->histogram.bins;
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

static double uniformity(const struct qc_scan *scan)
{
    uint64_t sum[BLOCKS][BLOCKS] = {0};
    int rows[BLOCKS] = {0};
    double least = INFINITY, greatest = 0;
    if (scan->h < BLOCKS || scan->w < BLOCKS)
        return NAN;
    for (int y = 0; y < scan->h; y++) {
        int j = (int)((int64_t)y * BLOCKS / scan->h);
        rows[j]++;
        for (int k = 0; k < BLOCKS; k++)
            sum[j][k] += scan->block_sum[(size_t)y * BLOCKS + k];
    }
    for (int j = 0; j < BLOCKS; j++) {
        for (int k = 0; k < BLOCKS; k++) {
            double cols = block_start(scan->w, k + 1) - block_start(scan->w, k),
                   mean = (double)sum[j][k] / (rows[j] * cols);
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
        laplace2 += (double)scan->window[y].laplace2;
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
        kin_histogram_gather(&scan->histogram);
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
