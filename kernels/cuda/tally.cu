// SPDX-License-Identifier: MIT
// tally.cu: what the quality of a plane is found from, on the GPU.
//
// A warp takes a tenth of some rows, each thread their pixels below each other. How often values
// occur a block of threads counts in shared memory as far as they are common ones; others are
// counted in the card's memory. Sums are integers: in what order they are added does not matter.
#include "cuda/device.h"
#include "device/tally.h"

struct tally {
    int h, w, y;
    unsigned long long *values, *columns;
    struct tally_row *rows;
    uint16_t *kept; /* rows y-2 and y-1 */
};

namespace {

enum {
    THREADS = GPU_LANES * TALLY_TENTHS,
    COMMON = 8192, /* values below this are counted in shared memory */
    ROWS = 4,      /* that a block of threads takes */
    SEEN = ROWS + 2,
};

/* Rows of a plane, from row y on. */
struct arriving {
    const uint16_t *rows, *kept;
    int y, count, w;
};

/* The i-th of them; -2 and -1: those that are kept; the last one stands for those behind it. */
static __device__ const uint16_t *row_at(const struct arriving *a, int i)
{
    int row = i < a->count ? i : a->count - 1;
    return row < 0 ? a->kept + (size_t)(row + 2) * (unsigned)a->w
                   : a->rows + (size_t)(unsigned)row * (unsigned)a->w;
}

static __device__ void add_to(int64_t *sum, long long value)
{
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
}

/* Sums over windows. */
struct windows {
    int count;
    long long laplace, squares, noise;
};

/* The window of which these are the rows. */
static __device__ void add_window(struct windows *sums, const int a[3], const int b[3],
                                  const int c[3])
{
    bool whole = true;
    KIN_UNROLL
    for (int i = 0; i < 3; i++)
        whole &= a[i] && b[i] && c[i];
    int edge = a[1] + c[1] + b[0] + b[2], corner = a[0] + a[2] + c[0] + c[2],
        laplace = edge - 4 * b[1];
    if (whole) {
        sums->count++;
        sums->laplace += laplace;
        sums->squares += (long long)laplace * laplace;
        sums->noise += abs(corner - edge - laplace);
    }
}

/* Adds what a warp has of a row's windows. */
static __device__ void give_windows(struct tally_row *row, const struct windows *mine)
{
    int count = gpu_warp_sum(mine->count);
    long long laplace = gpu_warp_sum(mine->laplace), squares = gpu_warp_sum(mine->squares),
              noise = gpu_warp_sum(mine->noise);
    if (threadIdx.x == 0) {
        add_to(&row->windows, count);
        add_to(&row->laplace, laplace);
        add_to(&row->squares, squares);
        add_to(&row->noise, noise);
    }
}

/* How often values occur: of common ones a block's own counts. */
struct counts {
    unsigned *common;
    unsigned long long *values;
};

static __device__ void count(const struct counts *counts, unsigned value)
{
    if (value < COMMON)
        atomicAdd(counts->common + value, 1u);
    else
        atomicAdd(counts->values + value, 1ull);
}

/* What a thread has of the rows that its block takes. */
struct taken {
    unsigned long long sum[ROWS];
    struct windows windows[ROWS]; /* around the row above each */
};

/* Column x of the first `there` rows, which begin at row[2]; answers its sum. */
static __device__ unsigned take_column(struct taken *taken, const struct counts *counts,
                                       const uint16_t *const row[SEEN], int there, int x, int w)
{
    int v[SEEN][3];
    bool inside = x > 0 && x < w - 1;
    unsigned sum = 0;
    KIN_UNROLL
    for (int r = 0; r < SEEN; r++)
        for (int i = 0; i < 3; i++)
            v[r][i] = row[r][inside ? x + i - 1 : x];
    KIN_UNROLL
    for (int r = 0; r < ROWS; r++) {
        if (r >= there)
            break;
        unsigned value = (unsigned)v[r + 2][1];
        taken->sum[r] += value;
        sum += value;
        count(counts, value);
        if (inside)
            add_window(&taken->windows[r], v[r], v[r + 1], v[r + 2]);
    }
    return sum;
}

/* rows: of the first row that arrives. */
static __global__ void __launch_bounds__(THREADS)
    tally_rows(struct tally_row *rows, unsigned long long *columns, unsigned long long *values,
               const __grid_constant__ struct arriving a)
{
    __shared__ unsigned common[COMMON];
    int me = (int)(threadIdx.y * GPU_LANES + threadIdx.x), tenth = (int)threadIdx.y,
        top = (int)blockIdx.x * ROWS, there = a.count - top < ROWS ? a.count - top : (int)ROWS,
        end = tally_tenth(a.w, tenth + 1);
    const uint16_t *row[SEEN];
    struct counts counts = {common, values};
    struct taken taken = {};
    for (int v = me; v < COMMON; v += THREADS)
        common[v] = 0;
    KIN_UNROLL
    for (int r = 0; r < SEEN; r++)
        row[r] = row_at(&a, top + r - 2);
    __syncthreads();
    for (int x = tally_tenth(a.w, tenth) + (int)threadIdx.x; x < end; x += GPU_LANES)
        atomicAdd(columns + x,
                  (unsigned long long)take_column(&taken, &counts, row, there, x, a.w));
    KIN_UNROLL
    for (int r = 0; r < ROWS; r++) {
        unsigned long long sum = gpu_warp_sum(taken.sum[r]);
        if (r < there && threadIdx.x == 0)
            rows[top + r].tenths[tenth] = sum;
        if (r < there && a.y + top + r >= 2)
            give_windows(&rows[top + r - 1], &taken.windows[r]);
    }
    __syncthreads();
    for (int v = me; v < COMMON; v += THREADS)
        if (common[v])
            atomicAdd(values + v, (unsigned long long)common[v]);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

template <typename T> static T *zeros(struct device *dev, size_t n)
{
    T *there = gpu_array<T>(dev, n);
    gpu_zero(dev, there, n * sizeof *there);
    return there;
}

struct tally *gpu_tally_new(struct device *dev, struct kin_dims plane)
{
    struct tally *t = device_stopped(dev) ? NULL : (struct tally *)calloc(1, sizeof *t);
    if (!t) {
        device_fail(dev, KIN_MEMORY, "no memory for the sums of a plane");
        return NULL;
    }
    *t = {plane.y, plane.x};
    t->values = zeros<unsigned long long>(dev, TALLY_VALUES);
    t->columns = zeros<unsigned long long>(dev, (size_t)plane.x);
    t->rows = zeros<struct tally_row>(dev, (size_t)plane.y);
    t->kept = zeros<uint16_t>(dev, 2 * (size_t)plane.x);
    return t;
}

/* The last two rows are kept. */
static void keep_rows(struct device *dev, struct tally *t, const uint16_t *rows, int count)
{
    size_t w = (size_t)t->w, row = w * sizeof *rows;
    if (count == 1)
        gpu_copy(dev, t->kept, t->kept + w, row);
    else
        gpu_copy(dev, t->kept, rows + w * (size_t)(count - 2), row);
    gpu_copy(dev, t->kept + w, rows + w * (size_t)(count - 1), row);
}

void gpu_tally_add(struct device *dev, struct tally *t, const uint16_t *rows, int count)
{
    if (device_stopped(dev))
        return;
    struct arriving a = {rows, t->kept, t->y, count, t->w};
    LAUNCH(dev, tally_rows, gpu_pieces((size_t)count, ROWS), dim3(GPU_LANES, TALLY_TENTHS), 0)
    (t->rows + t->y, t->columns, t->values, a);
    keep_rows(dev, t, rows, count);
    t->y += count;
}

void gpu_tally_read(struct device *dev, struct tally *t, const struct tally_sums *sums)
{
    if (device_stopped(dev))
        return;
    gpu_download(dev, sums->values, t->values, TALLY_VALUES * sizeof *sums->values);
    gpu_download(dev, sums->columns, t->columns, (size_t)t->w * sizeof *sums->columns);
    gpu_download(dev, sums->rows, t->rows, (size_t)t->h * sizeof *sums->rows);
}

void gpu_tally_free(struct device *dev, struct tally *t)
{
    if (!t)
        return;
    gpu_release(dev, t->values);
    gpu_release(dev, t->columns);
    gpu_release(dev, t->rows);
    gpu_release(dev, t->kept);
    free(t);
}
