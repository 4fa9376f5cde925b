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
// keeps what was measured in $XDG_CACHE_HOME/kintsugi-flow/fftwf-wisdom-KIND (or ~/.cache/...),
// under a lock, so that processes of one machine agree on the plans. Without a writable cache, or
// while one that holds the lock stands still, plans are estimated, which does not depend on the
// clock either.
#include "core/part.h"
#include "device/dct.h"
#include "device/device_cpu.h"
#include "device/fft_cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <fftw3.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNED = 64 }; /* bytes: what the plans were measured with */
/* columns that are transformed together: one cache line of complex floats */
enum { LANES = DCT_LANES };
enum { LONGEST_MEASURE_S = 10, POLLS_PER_S = 50 };
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
    struct dct sines_x, sines_y; /* of a mirrored plane; else all 0 */
};

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static struct axis_plan *plans; /* all that this process has made, guarded by planner */

enum { SAMPLE_COST = 64, ODD_HALF_COST = 5 }; /* see sample_cost */

/* What a sample costs on an axis of that length: what it costs whatever the length (the other axis
 * and all that is no transform), and a pass for each factor. A real row of 2 (2k+1) samples leaves
 * an odd complex one, which the vector units do badly. 0: not a length for transforms. Fitted to
 * FFTW's times for lengths of 500 to 1300 (AVX-512). */
static int sample_cost(int length)
{
    static const struct {
        int prime, cost;
    } pass[] = {{2, 1}, {3, 4}, {5, 5}, {7, 9}};
    int rest = length, cost = SAMPLE_COST + (length % 4 ? ODD_HALF_COST : 0);
    for (int i = 0; i < 4; i++)
        for (; rest % pass[i].prime == 0; rest /= pass[i].prime)
            cost += pass[i].cost;
    return rest == 1 ? cost : 0;
}

bool kin_is_good_size(int n)
{
    return n > 0 && n % 2 == 0 && sample_cost(n);
}

int kin_good_size(int n, bool even)
{
    int64_t best = 0, least = INT64_MAX;
    for (int64_t good = n > 1 ? n : 1; good * SAMPLE_COST < least; good++) {
        int64_t cost = even && good % 2 ? 0 : good * sample_cost((int)good);
        if (cost && cost < least) {
            least = cost;
            best = good;
        }
    }
    return (int)best;
}

/* ---- plans and their cache ------------------------------------------------------------------ */

/* The version and the solvers that FFTW has on this processor, as the head of its wisdom names
 * them: it takes none of others. Machines that share a home would overwrite each other's. */
static bool wisdom_kind(char kind[64])
{
    char version[40];
    unsigned solvers;
    char *known = fftwf_export_wisdom_to_string();
    bool told = known && sscanf(known, "(fftw-%39s fftwf_wisdom #x%x", version, &solvers) == 2;
    free(known);
    return told && snprintf(kind, 64, "%s-%08x", version, solvers) > 0;
}

/* Makes the cache directory; false if there is no place for it. */
static bool wisdom_path(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char dir[3000], kind[64];
    if (cache && cache[0] == '/')
        snprintf(dir, sizeof dir, "%s", cache);
    else if (home && home[0] == '/')
        snprintf(dir, sizeof dir, "%s/.cache", home);
    else
        return false;
    if (!wisdom_kind(kind))
        return false;
    mkdir(dir, 0777);
    size_t at = strlen(dir);
    snprintf(dir + at, sizeof dir - at, "/kintsugi-flow");
    mkdir(dir, 0777);
    return snprintf(path, size, "%s/fftwf-wisdom-%s", dir, kind) < (int)size;
}

/* Waits for the others that measure, each of which writes what it has found: one that has been
 * suspended never does. */
static bool wait_for_lock(int fd, const char *path)
{
    struct timespec written = {0};
    for (int polls = 0; flock(fd, LOCK_EX | LOCK_NB); polls++) {
        struct stat st;
        if (errno != EWOULDBLOCK || polls > LONGEST_MEASURE_S * POLLS_PER_S)
            return false;
        if (!stat(path, &st) && memcmp(&st.st_mtim, &written, sizeof written)) {
            written = st.st_mtim;
            polls = 0;
        }
        nanosleep(&(struct timespec){0, 1000000000 / POLLS_PER_S}, NULL);
    }
    return true;
}

/* Opens the cache, waits for other processes and learns what they know; -1: no cache. */
static int wisdom_lock(const char *path)
{
    static bool stuck;
    char lock[4200];
    snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = stuck ? -1 : open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    stuck = !wait_for_lock(fd, path);
    if (stuck) {
        close(fd);
        return -1;
    }
    fftwf_import_wisdom_from_filename(path);
    return fd;
}

static void wisdom_unlock(int fd, const char *path)
{
    if (fd < 0)
        return;
    char *part = kin_part_name(path); /* not all file systems lock between machines */
    if (part && (!fftwf_export_wisdom_to_filename(part) || rename(part, path)))
        unlink(part);
    free(part);
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
    bool cache = wisdom_path(path, sizeof path);
    if (cache && fftwf_import_wisdom_from_filename(path) &&
        (plan = make_plan(kind, n, FFTW_MEASURE | FFTW_WISDOM_ONLY)))
        return plan;
    int lock = cache ? wisdom_lock(path) : -1;
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
    bool sane = kin_count(dims) && batch > 0;
    struct fft_plan *plan = sane ? calloc(1, sizeof *plan) : NULL;
    if (!plan) {
        device_fail(dev, sane ? KIN_MEMORY : KIN_DEVICE,
                    "no plan for a transform of %d x (%d, %d, %d)", batch, dims.z, dims.y, dims.x);
        return NULL;
    }
    *plan = (struct fft_plan){.dims = dims, .batch = batch, .half = dims.x / 2 + 1};
    size_t longest = (size_t)(dims.z > dims.y ? dims.z : dims.y) * LANES;
    size_t row = ((size_t)dims.x + 2 + LANES) / LANES * LANES;
    plan->scratch = (longest > row ? longest : row) * sizeof(fftwf_complex);
    if (!plan_axes(plan)) {
        device_fail(dev, KIN_MEMORY, "no plan for a transform of (%d, %d, %d)", dims.z, dims.y,
                    dims.x);
        free(plan);
        return NULL;
    }
    return plan;
}

struct fft_plan *fft_mirrored_plan(struct device *dev, struct kin_dims dims)
{
    struct fft_plan *plan = cpu_fft_plan(dev, dims, 1);
    if (plan && (!dct_new(&plan->sines_x, dims.x) || !dct_new(&plan->sines_y, dims.y)))
        device_fail(dev, KIN_MEMORY, "no memory for the sines of a transform of %d x %d", dims.y,
                    dims.x);
    return plan;
}

void cpu_fft_free(struct device *dev, struct fft_plan *plan)
{
    if (!plan)
        return;
    dct_free(&plan->sines_x);
    dct_free(&plan->sines_y);
    free(plan);
}

/* ---- one axis ------------------------------------------------------------------------------- */

/* One buffer of a thread: 2 * plan->scratch bytes (a row in, a row out). */
static void *scratch_of_thread(const struct fft_plan *plan, bool *failed)
{
    void *scratch = kin_reserve(2 * plan->scratch);
    if (!scratch) {
#pragma omp critical(kin_fft_failed)
        *failed = true;
    }
    return scratch;
}

static void row_forward(const struct fft_plan *plan, const float *real, fftwf_complex *out,
                        char *scratch)
{
    fftwf_complex *line = (fftwf_complex *)(scratch + plan->scratch);
    memcpy(scratch, real, (size_t)plan->dims.x * sizeof *real);
    fftwf_execute_dft_r2c(plan->x[0], (float *)scratch, line);
    memcpy(out, line, (size_t)plan->half * sizeof *line);
}

static void scaled_copy(float *dst, const float *src, int n, float scale)
{
#pragma omp simd
    for (int i = 0; i < n; i++)
        dst[i] = src[i] * scale;
}

static void row_inverse(const struct fft_plan *plan, const fftwf_complex *in, float *real,
                        char *scratch)
{
    fftwf_complex *line = (fftwf_complex *)(scratch + plan->scratch);
    memcpy(line, in, (size_t)plan->half * sizeof *line);
    fftwf_execute_dft_c2r(plan->x[1], line, (float *)scratch);
    scaled_copy(real, (float *)scratch, plan->dims.x, (float)(1.0 / (double)kin_count(plan->dims)));
}

static void all_rows(struct device *dev, const struct fft_plan *plan, int way, float *real,
                     fftwf_complex *complex, bool *failed)
{
    int64_t rows = (int64_t)plan->batch * plan->dims.z * plan->dims.y;
    int nx = plan->dims.x, half = plan->half;
#pragma omp parallel num_threads(dev->threads)
    {
        char *scratch = scratch_of_thread(plan, failed);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            if (scratch && way == 0)
                row_forward(plan, real + r * nx, complex + r * half, scratch);
            else if (scratch)
                row_inverse(plan, complex + r * half, real + r * nx, scratch);
        }
        free(scratch);
    }
}

/* dst = `length` groups of `lanes` neighbours; a full group is moved by a few instructions. */
static void copy_lanes(fftwf_complex *dst, size_t dst_stride, const fftwf_complex *src,
                       size_t src_stride, int length, int lanes)
{
    if (lanes == LANES)
        for (int i = 0; i < length; i++)
            memcpy(dst + (size_t)i * dst_stride, src + (size_t)i * src_stride, LANES * sizeof *src);
    else
        for (int i = 0; i < length; i++)
            memcpy(dst + (size_t)i * dst_stride, src + (size_t)i * src_stride,
                   (size_t)lanes * sizeof *src);
}

/* Columns of `length` samples that stand `stride` apart, lanes of them side by side, in place. */
static void column_block(fftwf_plan plan, fftwf_complex *at, int length, size_t stride, int lanes,
                         fftwf_complex *scratch)
{
    copy_lanes(scratch, LANES, at, stride, length, lanes);
    fftwf_execute_dft(plan, scratch, scratch);
    copy_lanes(at, stride, scratch, LANES, length, lanes);
}

/* All columns of `length` in `groups` groups; a group holds `width` columns side by side, its
 * samples stand `stride` apart and groups start `group_stride` apart within one of `volumes`
 * volumes. */
struct columns {
    fftwf_plan plan;
    int length, width, groups, volumes;
    size_t stride, group_stride, volume_stride;
};

/* Block k of the columns, LANES of them. */
static void run_block(const struct columns *c, int64_t k, fftwf_complex *data,
                      fftwf_complex *scratch)
{
    int64_t blocks = (c->width + LANES - 1) / LANES, x = k % blocks * LANES,
            group = k / blocks % c->groups, v = k / blocks / c->groups;
    int lanes = c->width - x < LANES ? (int)(c->width - x) : LANES;
    fftwf_complex *at = data + (size_t)v * c->volume_stride + (size_t)group * c->group_stride + x;
    column_block(c->plan, at, c->length, c->stride, lanes, scratch);
}

static void run_columns(struct device *dev, const struct fft_plan *plan, const struct columns *c,
                        fftwf_complex *data, bool *failed)
{
    int64_t total = (int64_t)((c->width + LANES - 1) / LANES) * c->groups * c->volumes;
#pragma omp parallel num_threads(dev->threads)
    {
        fftwf_complex *scratch = scratch_of_thread(plan, failed);
#pragma omp for schedule(static)
        for (int64_t k = 0; k < total; k++)
            if (scratch)
                run_block(c, k, data, scratch);
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

/* ---- plane by plane -------------------------------------------------------------------------- */

/* One plane by one thread, rows and columns while it is in the cache. */
static void plane_forward(const struct fft_plan *plan, const float *real, fftwf_complex *complex,
                          char *scratch)
{
    size_t half = (size_t)plan->half;
    struct columns c = {plan->y[0], plan->dims.y, plan->half, 1, 1, half, 0, 0};
    for (int y = 0; y < plan->dims.y; y++)
        row_forward(plan, real + (size_t)y * (size_t)plan->dims.x, complex + y * half, scratch);
    for (int64_t k = 0; c.plan && k < (plan->half + LANES - 1) / LANES; k++)
        run_block(&c, k, complex, (fftwf_complex *)scratch);
}

static void plane_inverse(const struct fft_plan *plan, fftwf_complex *complex, float *real,
                          char *scratch)
{
    size_t half = (size_t)plan->half;
    struct columns c = {plan->y[1], plan->dims.y, plan->half, 1, 1, half, 0, 0};
    for (int64_t k = 0; c.plan && k < (plan->half + LANES - 1) / LANES; k++)
        run_block(&c, k, complex, (fftwf_complex *)scratch);
    for (int y = 0; y < plan->dims.y; y++)
        row_inverse(plan, complex + y * half, real + (size_t)y * (size_t)plan->dims.x, scratch);
}

static bool is_plane_by_plane(const struct device *dev, const struct fft_plan *plan)
{
    return plan->dims.z == 1 && (plan->batch >= dev->threads || omp_in_parallel());
}

static void all_planes(struct device *dev, const struct fft_plan *plan, int way, float *real,
                       fftwf_complex *complex, bool *failed)
{
    size_t plane = (size_t)plan->dims.y * (size_t)plan->dims.x,
           wave = (size_t)plan->dims.y * (size_t)plan->half;
#pragma omp parallel num_threads(dev->threads) if (!omp_in_parallel())
    {
        char *scratch = scratch_of_thread(plan, failed);
#pragma omp for schedule(static)
        for (int b = 0; b < plan->batch; b++) {
            if (scratch && way == 0)
                plane_forward(plan, real + b * plane, complex + b * wave, scratch);
            else if (scratch)
                plane_inverse(plan, complex + b * wave, real + b * plane, scratch);
        }
        free(scratch);
    }
}

/* ---- groups of columns ----------------------------------------------------------------------- */

static size_t group_count(const struct fft_plan *plan)
{
    return ((size_t)plan->half + LANES - 1) / LANES;
}

size_t fft_group_samples(const struct fft_plan *plan)
{
    return group_count(plan) * LANES * (size_t)plan->dims.y;
}

size_t fft_group_place(const struct fft_plan *plan, int y, int x)
{
    return ((size_t)(x / LANES) * (size_t)plan->dims.y + (size_t)y) * LANES + (size_t)(x % LANES);
}

size_t fft_group_scratch(const struct fft_plan *plan)
{
    return 2 * plan->scratch;
}

/* The row as FFTW can read it: sorted, or aligned. */
static float *row_for_fftw(const struct fft_plan *plan, const float *row, void *scratch)
{
    if (plan->sines_x.n)
        dct_sort(scratch, row, plan->dims.x);
    else if ((uintptr_t)row % ALIGNED)
        memcpy(scratch, row, (size_t)plan->dims.x * sizeof *row);
    else
        return (float *)row; /* is only read */
    return scratch;
}

/* Which row of the groups is row y of the plane. */
static size_t row_place(const struct fft_plan *plan, int y)
{
    return (size_t)(plan->sines_y.n ? dct_place(y, plan->dims.y) : y);
}

void fft_groups_forward(const struct fft_plan *plan, const float *real, float *groups,
                        void *scratch)
{
    fftwf_complex *line = (fftwf_complex *)((char *)scratch + plan->scratch);
    fftwf_complex *out = (fftwf_complex *)groups;
    size_t count = group_count(plan), rows = (size_t)plan->dims.y;
    memset(line + plan->half, 0, (count * LANES - (size_t)plan->half) * sizeof *line);
    for (int y = 0; y < plan->dims.y; y++) {
        float *row = row_for_fftw(plan, real + (size_t)y * (size_t)plan->dims.x, scratch);
        fftwf_execute_dft_r2c(plan->x[0], row, line);
        if (plan->sines_x.n)
            dct_turn(&plan->sines_x, (float *)line);
        fftwf_complex *to = out + row_place(plan, y) * LANES;
        for (size_t g = 0; g < count; g++)
            memcpy(to + g * rows * LANES, line + g * LANES, LANES * sizeof *line);
    }
    for (size_t g = 0; plan->y[0] && g < count; g++) {
        fftwf_complex *group = out + g * rows * LANES;
        fftwf_execute_dft(plan->y[0], group, group);
        if (plan->sines_y.n)
            dct_fold(&plan->sines_y, (float *)group);
    }
}

void fft_groups_inverse(const struct fft_plan *plan, float *groups, float *real, void *scratch)
{
    fftwf_complex *line = (fftwf_complex *)((char *)scratch + plan->scratch);
    fftwf_complex *in = (fftwf_complex *)groups;
    size_t count = group_count(plan), rows = (size_t)plan->dims.y;
    float scale = (float)(1.0 / (double)kin_count(plan->dims));
    for (size_t g = 0; plan->y[1] && g < count; g++) {
        fftwf_complex *group = in + g * rows * LANES;
        if (plan->sines_y.n)
            dct_unfold(&plan->sines_y, (float *)group);
        fftwf_execute_dft(plan->y[1], group, group);
    }
    for (int y = 0; y < plan->dims.y; y++) {
        const fftwf_complex *from = in + row_place(plan, y) * LANES;
        float *row = real + (size_t)y * (size_t)plan->dims.x;
        for (size_t g = 0; g < count; g++)
            memcpy(line + g * LANES, from + g * rows * LANES, LANES * sizeof *line);
        if (plan->sines_x.n)
            dct_turn_back(&plan->sines_x, (float *)line);
        fftwf_execute_dft_c2r(plan->x[1], line, scratch);
        if (plan->sines_x.n)
            dct_unsort(row, scratch, plan->dims.x, scale);
        else
            scaled_copy(row, scratch, plan->dims.x, scale);
    }
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
    if (is_plane_by_plane(dev, plan)) {
        all_planes(dev, plan, 0, (float *)real, data, &failed);
    } else {
        all_rows(dev, plan, 0, (float *)real, data, &failed);
        columns_y(dev, plan, 0, data, &failed);
        columns_z(dev, plan, 0, data, &failed);
    }
    report(dev, failed);
}

void cpu_fft_inverse(struct device *dev, struct fft_plan *plan, float *complex, float *real)
{
    bool failed = false;
    if (device_stopped(dev))
        return;
    fftwf_complex *data = (fftwf_complex *)complex;
    if (is_plane_by_plane(dev, plan)) {
        all_planes(dev, plan, 1, real, data, &failed);
    } else {
        columns_z(dev, plan, 1, data, &failed);
        columns_y(dev, plan, 1, data, &failed);
        all_rows(dev, plan, 1, real, data, &failed);
    }
    report(dev, failed);
}
