// SPDX-License-Identifier: MIT
// tally_cpu.c: tallies on the CPU, the twin of cuda/tally.cu.
#include "core/histogram.h"
#include "core/simd.h"
#include "device/device_cpu.h"
#include "device/tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 1024 };

static_assert((int)TALLY_VALUES == KIN_BINS, "a bin for each value");

struct tally {
    int h, w, y;
    struct kin_histogram values;
    struct tally_sums sums; // without values
    uint16_t *kept[2];      // rows y-2 and y-1
};

void cpu_tally_free(struct device *dev, struct tally *tally)
{
    if (!tally)
        return;
    kin_histogram_free(&tally->values);
    free(tally->sums.columns);
    free(tally->sums.rows);
    free(tally->kept[0]);
    free(tally->kept[1]);
    free(tally);
}

struct tally *cpu_tally_new(struct device *dev, struct kin_dims plane)
{
    size_t h = (size_t)plane.y, w = (size_t)plane.x;
    struct tally *t = device_stopped(dev) ? NULL : calloc(1, sizeof *t);
    if (t) {
        t->h = plane.y;
        t->w = plane.x;
        bool good = kin_histogram_new(&t->values, dev->threads);
        t->sums.columns = calloc(w, sizeof *t->sums.columns);
        t->sums.rows = calloc(h, sizeof *t->sums.rows);
        t->kept[0] = calloc(w, sizeof *t->kept[0]);
        t->kept[1] = calloc(w, sizeof *t->kept[1]);
        if (good && t->sums.columns && t->sums.rows && t->kept[0] && t->kept[1])
            return t;
        cpu_tally_free(dev, t);
    }
    device_fail(dev, KIN_MEMORY, "no memory to measure a plane of %d x %d pixels", plane.y,
                plane.x);
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
sum_windows(struct tally_row *sums, const struct columns *of, const uint16_t *b, int n, bool some)
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
    sums->squares += (int64_t)squares;
    sums->noise += noise;
}

// The n <= RUN windows centred on b[0] to b[n-1]; a, b, c: the row above, the row, the row below.
VECTOR_CLONES static void add_windows(struct tally_row *sums, const uint16_t *a, const uint16_t *b,
                                      const uint16_t *c, int n)
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

// The windows around the pixels of row b.
static void row_windows(struct tally_row *sums, const uint16_t *a, const uint16_t *b,
                        const uint16_t *c, int w)
{
    for (int x = 1; x < w - 1; x += RUN)
        add_windows(sums, a + x, b + x, c + x, w - 1 - x < RUN ? w - 1 - x : RUN);
}

VECTOR_CLONES static uint64_t total_of(const uint16_t *row, int w)
{
    uint64_t sum = 0;
    for (int x = 0; x < w; x++)
        sum += row[x];
    return sum;
}

// Row y of the plane while rows arrive and the two before them are kept.
static const uint16_t *row_at(const struct tally *t, const uint16_t *rows, int y)
{
    int arrived = y - t->y;
    return arrived >= 0 ? rows + (size_t)arrived * (size_t)t->w : t->kept[arrived + 2];
}

// Row y, and the windows of the row above it.
static void add_row(struct tally *t, const uint16_t *rows, int y)
{
    const uint16_t *row = row_at(t, rows, y);
    struct tally_row *sums = &t->sums.rows[y];
    if (y >= 2)
        row_windows(sums - 1, row_at(t, rows, y - 2), row_at(t, rows, y - 1), row, t->w);
    kin_histogram_add(&t->values, row, (size_t)t->w);
    for (int k = 0; k < TALLY_TENTHS; k++) {
        int first = tally_tenth(t->w, k), end = tally_tenth(t->w, k + 1);
        sums->tenths[k] = total_of(row + first, end - first);
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

void cpu_tally_add(struct device *dev, struct tally *t, const uint16_t *rows, int count)
{
    int w = t->w;
    kin_histogram_expect(&t->values, (uint64_t)count * (uint64_t)w);
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int y = t->y; y < t->y + count; y++)
        add_row(t, rows, y);
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int x = 0; x < w; x += RUN)
        for (int y = 0; y < count; y += RUN)
            add_columns(t->sums.columns + x, rows + (size_t)y * (size_t)w + x, w,
                        count - y < RUN ? count - y : RUN, w - x < RUN ? w - x : RUN);
    if (t->y + count >= 2)
        memmove(t->kept[0], row_at(t, rows, t->y + count - 2), (size_t)w * sizeof *rows);
    memcpy(t->kept[1], rows + (size_t)(count - 1) * (size_t)w, (size_t)w * sizeof *rows);
    t->y += count;
}

void cpu_tally_read(struct device *dev, struct tally *t, const struct tally_sums *sums)
{
    kin_histogram_gather(&t->values);
    memcpy(sums->values, t->values.bins, TALLY_VALUES * sizeof *sums->values);
    memcpy(sums->columns, t->sums.columns, (size_t)t->w * sizeof *sums->columns);
    memcpy(sums->rows, t->sums.rows, (size_t)t->h * sizeof *sums->rows);
}
