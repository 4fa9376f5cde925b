// SPDX-License-Identifier: MIT
// fft_cpu.c: real Fourier transforms on the CPU; the only door to FFTW.
//
// A transform is done axis by axis: every row along x (real to complex), then along y, then along
// z, LANES columns at a time, gathered into a small buffer of the thread:
//
//     (z, y, x) real -> rows -> (z, y, x/2+1) complex -> columns y -> columns z
//
// FFTW only ever sees one-dimensional transforms of one thread, so that the thread count cannot
// change a single bit of the result. Their plans are measured once for each length; FFTW's wisdom
// keeps what was measured in $XDG_CACHE_HOME/kintsugi-flow/fftwf-wisdom (or ~/.cache/...), under a
// lock, so that processes of one machine agree on the plans. Without a writable cache plans are
// estimated, which does not depend on the clock either.
#include "device_cpu.h"

#include <fcntl.h>
#include <fftw3.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LANES = 8 }; /* columns that are transformed together: one cache line of complex floats */
enum axis_kind { ROW_FORWARD, ROW_INVERSE, COLUMN_FORWARD, COLUMN_INVERSE, AXIS_KINDS };

struct axis_plan { /* a measured transform of one length; lives until the process ends */
    enum axis_kind kind;
    int length;
    fftwf_plan plan;
    struct axis_plan *next;
};

struct fft_plan {
    struct kin_dims dims;
    int batch;
    int half; /* complex samples of a row: x/2+1 */
    fftwf_plan x[2], y[2],
        z[2];       /* forward, inverse; borrowed from the cache; NULL for a length of 1 */
    size_t scratch; /* bytes one thread needs */
};

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static struct axis_plan *plans; /* all that this process has made, guarded by planner */

int kin_good_size(int n, bool even)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int good = n > 1 ? n : 1;; good++) {
        int rest = good;
        for (int i = 0; i < 4; i++) {
            while (rest % primes[i] == 0)
                rest /= primes[i];
        }
        if (rest == 1 && !(even && good % 2))
            return good;
    }
}

/* ---- plans and their cache ------------------------------------------------------------------ */

/* Makes the cache directory; false if there is no place for it. */
static bool wisdom_path(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char dir[3000];
    if (cache && cache[0] == '/')
        snprintf(dir, sizeof dir, "%s", cache);
    else if (home && home[0] == '/')
        snprintf(dir, sizeof dir, "%s/.cache", home);
    else
        return false;
    mkdir(dir, 0777);
    size_t at = strlen(dir);
    snprintf(dir + at, sizeof dir - at, "/kintsugi-flow");
    mkdir(dir, 0777);
    return snprintf(path, size, "%s/fftwf-wisdom", dir) < (int)size;
}

/* Opens the cache, waits for other processes and learns what they know; -1: no cache. */
static int wisdom_lock(char *path, size_t size)
{
    char lock[4200];
    if (!wisdom_path(path, size))
        return -1;
    snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX)) {
        close(fd);
        return -1;
    }
    fftwf_import_wisdom_from_filename(path);
    return fd;
}

static void wisdom_unlock(int fd, const char *path)
{
    char part[4200];
    if (fd < 0)
        return;
    snprintf(part, sizeof part, "%s.part", path);
    if (!fftwf_export_wisdom_to_filename(part) || rename(part, path))
        unlink(part);
    close(fd);
}

static fftwf_plan make_plan(enum axis_kind kind, int n, unsigned flags)
{
    size_t bytes = (size_t)(n + 2) * LANES * sizeof(fftwf_complex);
    fftwf_complex *buffer = kin_alloc(bytes), *other = kin_alloc(bytes);
    fftwf_plan plan = NULL;
    if (!buffer || !other)
        goto out;
    int sign = kind == COLUMN_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD;
    if (kind == ROW_FORWARD)
        plan = fftwf_plan_dft_r2c_1d(n, (float *)buffer, other, flags);
    else if (kind == ROW_INVERSE)
        plan = fftwf_plan_dft_c2r_1d(n, other, (float *)buffer, flags);
    else
        plan = fftwf_plan_many_dft(1, &n, LANES, buffer, NULL, LANES, 1, buffer, NULL, LANES, 1,
                                   sign, flags);
out:
    free(buffer);
    free(other);
    return plan;
}

static fftwf_plan measure_plan(enum axis_kind kind, int n)
{
    char path[4096] = "";
    fftwf_plan plan = make_plan(kind, n, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    if (plan)
        return plan;
    int lock = wisdom_lock(path, sizeof path);
    plan = make_plan(kind, n, lock < 0 ? FFTW_ESTIMATE : FFTW_MEASURE);
    wisdom_unlock(lock, path);
    return plan;
}

static fftwf_plan axis_plan(enum axis_kind kind, int n)
{
    for (struct axis_plan *p = plans; p; p = p->next) {
        if (p->kind == kind && p->length == n)
            return p->plan;
    }
    struct axis_plan *p = calloc(1, sizeof *p);
    fftwf_plan plan = p ? measure_plan(kind, n) : NULL;
    if (!plan) {
        free(p);
        return NULL;
    }
    *p = (struct axis_plan){kind, n, plan, plans};
    plans = p;
    return plan;
}

static bool plan_axes(struct fft_plan *plan)
{
    pthread_mutex_lock(&planner);
    bool ok = true;
    for (int way = 0; way < 2; way++) {
        plan->x[way] = axis_plan(ROW_FORWARD + way, plan->dims.x);
        plan->y[way] = plan->dims.y > 1 ? axis_plan(COLUMN_FORWARD + way, plan->dims.y) : NULL;
        plan->z[way] = plan->dims.z > 1 ? axis_plan(COLUMN_FORWARD + way, plan->dims.z) : NULL;
        ok = ok && plan->x[way] && (plan->dims.y == 1 || plan->y[way]) &&
             (plan->dims.z == 1 || plan->z[way]);
    }
    pthread_mutex_unlock(&planner);
    return ok;
}

struct fft_plan *cpu_fft_plan(struct device *dev, struct kin_dims dims, int batch)
{
    if (device_stopped(dev))
        return NULL;
    struct fft_plan *plan = calloc(1, sizeof *plan);
    if (!plan || !kin_count(dims) || batch < 1) {
        device_fail(dev, KIN_DEVICE, "no plan for a transform of %d x (%d, %d, %d)", batch, dims.z,
                    dims.y, dims.x);
        free(plan);
        return NULL;
    }
    *plan = (struct fft_plan){.dims = dims, .batch = batch, .half = dims.x / 2 + 1};
    size_t longest = (size_t)(dims.z > dims.y ? dims.z : dims.y) * LANES;
    size_t row = (size_t)dims.x + 2;
    plan->scratch = (longest > row ? longest : row) * sizeof(fftwf_complex);
    if (!plan_axes(plan)) {
        device_fail(dev, KIN_DEVICE, "no plan for a transform of (%d, %d, %d)", dims.z, dims.y,
                    dims.x);
        free(plan);
        return NULL;
    }
    return plan;
}

void cpu_fft_free(struct device *dev, struct fft_plan *plan)
{
    free(plan);
}

/* ---- one axis ------------------------------------------------------------------------------- */

/* One buffer of a thread: 2 * plan->scratch bytes (a row in, a row out). */
static void *scratch_of_thread(struct device *dev, const struct fft_plan *plan, bool *failed)
{
    void *scratch = kin_alloc(2 * plan->scratch);
    if (!scratch) {
#pragma omp critical(kin_fft_failed)
        *failed = true;
    }
    return scratch;
}

static void rows_forward(struct device *dev, const struct fft_plan *plan, const float *real,
                         fftwf_complex *out, bool *failed)
{
    int64_t rows = (int64_t)plan->batch * plan->dims.z * plan->dims.y;
    int nx = plan->dims.x, half = plan->half;
#pragma omp parallel num_threads(dev->threads)
    {
        char *scratch = scratch_of_thread(dev, plan, failed);
        fftwf_complex *line = (fftwf_complex *)(scratch + plan->scratch);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            if (!scratch)
                continue;
            memcpy(scratch, real + r * nx, (size_t)nx * sizeof *real);
            fftwf_execute_dft_r2c(plan->x[0], (float *)scratch, line);
            memcpy(out + r * half, line, (size_t)half * sizeof *line);
        }
        free(scratch);
    }
}

static void scaled_copy(float *dst, const float *src, int n, float scale)
{
#pragma omp simd
    for (int i = 0; i < n; i++)
        dst[i] = src[i] * scale;
}

static void rows_inverse(struct device *dev, const struct fft_plan *plan, const fftwf_complex *in,
                         float *real, bool *failed)
{
    int64_t rows = (int64_t)plan->batch * plan->dims.z * plan->dims.y;
    int nx = plan->dims.x, half = plan->half;
    float scale = (float)(1.0 / (double)kin_count(plan->dims));
#pragma omp parallel num_threads(dev->threads)
    {
        char *scratch = scratch_of_thread(dev, plan, failed);
        fftwf_complex *line = (fftwf_complex *)(scratch + plan->scratch);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            if (!scratch)
                continue;
            memcpy(line, in + r * half, (size_t)half * sizeof *line);
            fftwf_execute_dft_c2r(plan->x[1], line, (float *)scratch);
            scaled_copy(real + r * nx, (float *)scratch, nx, scale);
        }
        free(scratch);
    }
}

/* Columns of `length` samples that stand `stride` apart, lanes of them side by side, in place. */
static void column_block(fftwf_plan plan, fftwf_complex *at, int length, size_t stride, int lanes,
                         fftwf_complex *scratch)
{
    for (int i = 0; i < length; i++)
        memcpy(scratch + (size_t)i * LANES, at + (size_t)i * stride, (size_t)lanes * sizeof *at);
    fftwf_execute_dft(plan, scratch, scratch);
    for (int i = 0; i < length; i++)
        memcpy(at + (size_t)i * stride, scratch + (size_t)i * LANES, (size_t)lanes * sizeof *at);
}

/* All columns of `length` in `groups` groups; a group holds `width` columns side by side, its
 * samples stand `stride` apart and groups start `group_stride` apart within one of `volumes`
 * volumes. */
struct columns {
    fftwf_plan plan;
    int length, width, groups, volumes;
    size_t stride, group_stride, volume_stride;
};

static void run_columns(struct device *dev, const struct fft_plan *plan, const struct columns *c,
                        fftwf_complex *data, bool *failed)
{
    int64_t blocks = (c->width + LANES - 1) / LANES, total = blocks * c->groups * c->volumes;
#pragma omp parallel num_threads(dev->threads)
    {
        fftwf_complex *scratch = scratch_of_thread(dev, plan, failed);
#pragma omp for schedule(static)
        for (int64_t k = 0; k < total; k++) {
            int64_t x = k % blocks * LANES, group = k / blocks % c->groups,
                    v = k / blocks / c->groups;
            int lanes = c->width - x < LANES ? (int)(c->width - x) : LANES;
            fftwf_complex *at = data + (size_t)v * c->volume_stride +
                                (size_t)group * c->group_stride + x;
            if (scratch)
                column_block(c->plan, at, c->length, c->stride, lanes, scratch);
        }
        free(scratch);
    }
}

static void columns_y(struct device *dev, const struct fft_plan *plan, int way, fftwf_complex *data,
                      bool *failed)
{
    size_t half = (size_t)plan->half, page = half * (size_t)plan->dims.y;
    struct columns c = {
        plan->y[way], plan->dims.y, plan->half, 1, plan->dims.z * plan->batch, half, 0, page};
    if (c.plan)
        run_columns(dev, plan, &c, data, failed);
}

static void columns_z(struct device *dev, const struct fft_plan *plan, int way, fftwf_complex *data,
                      bool *failed)
{
    size_t half = (size_t)plan->half, page = half * (size_t)plan->dims.y;
    struct columns c = {plan->z[way], plan->dims.z, plan->half, plan->dims.y,
                        plan->batch,  page,         half,       page * (size_t)plan->dims.z};
    if (c.plan)
        run_columns(dev, plan, &c, data, failed);
}

/* ---- the primitives ------------------------------------------------------------------------- */

static void report(struct device *dev, bool failed)
{
    if (failed)
        device_fail(dev, KIN_MEMORY, "no memory for a Fourier transform");
}

void cpu_fft_forward(struct device *dev, struct fft_plan *plan, const float *real, float *complex)
{
    bool failed = false;
    if (device_stopped(dev))
        return;
    fftwf_complex *data = (fftwf_complex *)complex;
    rows_forward(dev, plan, real, data, &failed);
    columns_y(dev, plan, 0, data, &failed);
    columns_z(dev, plan, 0, data, &failed);
    report(dev, failed);
}

void cpu_fft_inverse(struct device *dev, struct fft_plan *plan, float *complex, float *real)
{
    bool failed = false;
    if (device_stopped(dev))
        return;
    fftwf_complex *data = (fftwf_complex *)complex;
    columns_z(dev, plan, 1, data, &failed);
    columns_y(dev, plan, 1, data, &failed);
    rows_inverse(dev, plan, data, real, &failed);
    report(dev, failed);
}
