// SPDX-License-Identifier: MIT
/* rl_cuda.cu: Richardson-Lucy steps on the GPU.
 *
 * As in rl_cpu.c every plane is transformed on its own and the convolution along z is done in the
 * mixed domain: a block of threads takes a few columns (ky, kx) of all planes into shared memory
 * and writes them back convolved, so that the spectrum is read once and written once. Between
 * transforms the rows of the real volume have room for the complex ones, and both live in the same
 * memory. On a mirrored domain planes are sorted there (dct.h): pointwise steps look for their sample
 * where it was sorted to, and columns are taken in pairs, turned and folded on the way into shared memory
 * and back again on the way out, so that cosine transforms take no pass more than Fourier transforms.
 *
 * A step is some twenty kernels, most of them cuFFT's. From the second one on the same volumes it is
 * a CUDA graph: one launch. What changes from step to step, alpha, lies in the card's memory. Where
 * the driver makes no graph of it the kernels are launched one by one.
 */
#include "fft_cuda.h"

extern "C" {
#include "dct.h"
#include "rl_step.h"
}

enum { COLUMNS = 32 };

struct recipe { /* what a graph of a step holds */
    const float *data, *point, *before, *area;
    float floor;
};

struct rl_plan {
    struct kin_dims dims;
    int half; /* complex samples of a row: x/2+1 */
    struct rl_taps taps;
    enum rl_ends ends;
    float *transfer;       /* (taps, y, half), float, or complex, or of RL_MIRRORED pairs for re and im */
    float *spectrum;       /* (z, y, half) complex, or (z, y, 2 half) real */
    float *alpha;          /* of the step that is being made */
    struct fft_plan *fft;  /* in place */
    struct recipe recipe;  /* of the last step */
    cudaGraphExec_t graph; /* a step by that recipe; NULL: none yet */
    bool no_graph;         /* it could not be made */
};

/* ---- kernels: convolution along z ---------------------------------------------------------------
 */

struct blur {
    struct rl_taps taps;
    int nz, columns; /* of a block */
    enum rl_ends ends;
    int direction; /* 1 for H, -1 for its transpose */
    int h, w;      /* of a plane */
    int half;      /* complex samples of a row */
    size_t count;  /* columns of all: h half */
};

/* Shared memory of a block. */
struct columns {
    float2 *in;   /* (nz, columns) */
    float2 *taps; /* (taps, columns); the imaginary part is 0 for real ones */
    int *fold;    /* (nz + 2 taps): m(z) from z = -taps on */
};

static __host__ __device__ size_t shared_bytes(const struct blur *b, int columns)
{
    size_t sample = b->ends == RL_MIRRORED ? 2 * sizeof(float2) : sizeof(float2);
    return ((size_t)b->nz + b->taps.count) * columns * sample +
           ((size_t)b->nz + 2 * b->taps.count) * sizeof(int);
}

static __device__ struct columns load_columns(const struct blur *b, const float2 *spectrum,
                                              const float *transfer, size_t at, int column,
                                              int lane, int lanes)
{
    struct columns c;
    c.in = gpu_shared<float2>();
    c.taps = c.in + b->nz * b->columns;
    c.fold = (int *)(c.taps + b->taps.count * b->columns);
    bool there = at < b->count;
    for (int z = lane; z < b->nz; z += lanes)
        c.in[z * b->columns + column] = there ? spectrum[z * b->count + at] : float2{0, 0};
    for (int t = lane; t < b->taps.count; t += lanes) {
        size_t i = t * b->count + at;
        float2 tap = {0, 0};
        if (there && b->taps.real)
            tap.x = transfer[i];
        else if (there)
            tap = float2{transfer[2 * i], (float)b->direction * transfer[2 * i + 1]};
        c.taps[t * b->columns + column] = tap;
    }
    for (int i = (int)threadIdx.x; i < b->nz + 2 * b->taps.count; i += GPU_THREADS)
        c.fold[i] = rl_fold(i - b->taps.count, b->nz, b->ends);
    return c;
}

static __device__ float2 blur_even(const struct blur *b, const struct columns *c, int z, int column)
{
    const int *fold = c->fold + b->taps.count + z;
    float2 v = c->in[z * b->columns + column];
    float tap = c->taps[column].x;
    float2 sum = {tap * v.x, tap * v.y};
    for (int d = 1; d < b->taps.count; d++) {
        float2 before = c->in[fold[-d] * b->columns + column],
               after = c->in[fold[d] * b->columns + column];
        tap = c->taps[d * b->columns + column].x;
        sum.x += tap * (before.x + after.x);
        sum.y += tap * (before.y + after.y);
    }
    return sum;
}

static __device__ float2 blur_any(const struct blur *b, const struct columns *c, int z, int column)
{
    const int *fold = c->fold + b->taps.count + z;
    float2 sum = {0, 0};
    for (int t = 0; t < b->taps.count; t++) {
        float2 v = c->in[fold[b->direction * (b->taps.centre - t)] * b->columns + column];
        float2 tap = c->taps[t * b->columns + column];
        sum.x += tap.x * v.x - tap.y * v.y;
        sum.y += tap.x * v.y + tap.y * v.x;
    }
    return sum;
}

static __global__ void blur_columns(float2 *spectrum, const float *transfer, struct blur b)
{
    int column = (int)threadIdx.x % b.columns, lane = (int)threadIdx.x / b.columns,
        lanes = GPU_THREADS / b.columns;
    size_t at = (size_t)blockIdx.x * b.columns + column;
    struct columns c = load_columns(&b, spectrum, transfer, at, column, lane, lanes);
    __syncthreads();
    for (int z = lane; z < b.nz && at < b.count; z += lanes)
        spectrum[z * b.count + at] = b.taps.even_z ? blur_even(&b, &c, z, column)
                                                   : blur_any(&b, &c, z, column);
}

static __global__ void keep_real(float *dst, const float2 *src, size_t n)
{
    size_t i = gpu_index();
    if (i < n)
        dst[i] = src[i].x;
}

/* ---- kernels: the same on a mirrored domain -----------------------------------------------------
 */

struct pair { /* samples (l, k) and (h - l, k) of a plane */
    float2 near, far;
};

/* Shared memory of a block. */
struct pair_columns {
    struct pair *in;   /* (nz, columns) */
    struct pair *taps; /* (taps, columns) */
    int *fold;         /* as above */
};

/* e^(-i pi k / 2n) */
static __device__ float2 turning(int k, int n)
{
    float2 t;
    sincospif((float)k / (float)(2 * n), &t.y, &t.x);
    t.y = -t.y;
    return t;
}

static __device__ float2 times(float2 a, float2 b)
{
    return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static __device__ float2 conjugate(float2 a)
{
    return float2{a.x, -a.y};
}

/* A pair's coefficients from its samples, and back; a row 0 is a pair with nothing (dct.h). */
static __device__ struct pair folded(struct pair v, float2 turn_k, float2 turn_l, bool alone)
{
    float2 a = times(times(v.near, turn_k), turn_l);
    float2 b = times(times(v.far, turn_k), conjugate(turn_l));
    if (alone)
        return pair{a, {0, 0}};
    return pair{{(a.x + b.x) / 2, (a.y + b.y) / 2}, {(b.y - a.y) / 2, (a.x - b.x) / 2}};
}

static __device__ struct pair unfolded(struct pair v, float2 turn_k, float2 turn_l, bool alone)
{
    if (alone)
        return pair{times(v.near, conjugate(turn_k)), {0, 0}};
    float2 a = {v.near.x + v.far.y, v.near.y - v.far.x}, b = {v.near.x - v.far.y, v.near.y + v.far.x};
    return pair{times(times(a, conjugate(turn_l)), conjugate(turn_k)), times(times(b, turn_l), conjugate(turn_k))};
}

/* += of both parts of both samples, each by its own tap. */
static __device__ void add_tapped(struct pair *sum, struct pair tap, struct pair v)
{
    sum->near.x += tap.near.x * v.near.x;
    sum->near.y += tap.near.y * v.near.y;
    sum->far.x += tap.far.x * v.far.x;
    sum->far.y += tap.far.y * v.far.y;
}

static __device__ struct pair both(struct pair a, struct pair b)
{
    return pair{{a.near.x + b.near.x, a.near.y + b.near.y}, {a.far.x + b.far.x, a.far.y + b.far.y}};
}

static __device__ struct pair blur_pair(const struct blur *b, const struct pair_columns *c, int z, int column)
{
    const int *fold = c->fold + b->taps.count + z;
    struct pair sum = {{0, 0}, {0, 0}};
    for (int t = 0; t < b->taps.count; t++) {
        int off = b->direction * (b->taps.centre - t);
        struct pair v = c->in[fold[off] * b->columns + column];
        if (b->taps.even_z && t)
            v = both(v, c->in[fold[-off] * b->columns + column]);
        add_tapped(&sum, c->taps[t * b->columns + column], v);
    }
    return sum;
}

static __global__ void blur_pairs(float2 *spectrum, const float2 *transfer, struct blur b)
{
    int column = (int)threadIdx.x % b.columns, lane = (int)threadIdx.x / b.columns,
        lanes = GPU_THREADS / b.columns;
    size_t i = (size_t)blockIdx.x * b.columns + column, half = (size_t)b.half;
    int l = (int)(i / half), k = (int)(i % half);
    bool there = l <= b.h / 2, alone = l == 0;
    size_t near = l * half + k, far = alone ? near : (b.h - l) * half + k;
    float2 turn_k = turning(k, b.w), turn_l = turning(l, b.h);
    struct pair_columns c;
    c.in = gpu_shared<struct pair>();
    c.taps = c.in + b.nz * b.columns;
    c.fold = (int *)(c.taps + b.taps.count * b.columns);
    for (int z = lane; z < b.nz && there; z += lanes) {
        struct pair v = {spectrum[z * b.count + near], spectrum[z * b.count + far]};
        c.in[z * b.columns + column] = folded(v, turn_k, turn_l, alone);
    }
    for (int t = lane; t < b.taps.count && there; t += lanes)
        c.taps[t * b.columns + column] = pair{transfer[t * b.count + near], transfer[t * b.count + far]};
    for (int j = (int)threadIdx.x; j < b.nz + 2 * b.taps.count; j += GPU_THREADS)
        c.fold[j] = rl_fold(j - b.taps.count, b.nz, b.ends);
    __syncthreads();
    for (int z = lane; z < b.nz && there; z += lanes) {
        struct pair v = unfolded(blur_pair(&b, &c, z, column), turn_k, turn_l, alone);
        spectrum[z * b.count + near] = v.near;
        if (near != far)
            spectrum[z * b.count + far] = v.far;
    }
}

/* Coefficients (h, w) as pairs (h, half): k and w - k. */
static __global__ void pair_up(float2 *dst, const float *coefficient, struct blur b)
{
    size_t i = gpu_index(), l = i / (size_t)b.half, k = i % (size_t)b.half;
    const float *row = coefficient + l * b.w;
    if (i < b.count)
        dst[i] = float2{row[k], k ? row[b.w - k] : 0};
}

/* ---- kernels: pointwise steps -------------------------------------------------------------------
 * real is the inverse transform, not scaled, in rows of `pitch` floats; volumes have rows of w. */

struct room {
    int rows, h, w, pitch; /* rows: of all planes */
    bool sorted;           /* its planes are (dct.h) */
    float scale;
};

/* The place of the running thread's sample in a volume; false: it has none. */
static __device__ bool sample_of(const struct room *r, size_t *at, size_t *wide)
{
    size_t i = gpu_index(), row = i / r->w;
    int x = (int)(i - row * r->w), y = (int)(row % r->h);
    *at = i;
    *wide = r->sorted ? (row - y + dct_place(y, r->h)) * r->pitch + dct_place(x, r->w) : row * r->pitch + x;
    return i < (size_t)r->rows * r->w;
}

static __global__ void load(float *real, const float *image, struct room r)
{
    size_t at, wide;
    if (sample_of(&r, &at, &wide))
        real[wide] = image[at];
}

static __global__ void store(float *image, const float *real, struct room r)
{
    size_t at, wide;
    if (sample_of(&r, &at, &wide))
        image[at] = rl_positive(real[wide] * r.scale);
}

static __global__ void divide(float *real, const float *data, float floor, struct room r)
{
    size_t at, wide;
    if (sample_of(&r, &at, &wide))
        real[wide] = rl_divided(data[at], real[wide] * r.scale, floor);
}

static __global__ void multiply(float *next, const float *point, const float *real, struct room r)
{
    size_t at, wide;
    if (sample_of(&r, &at, &wide))
        next[at] = point[at] * rl_positive(real[wide] * r.scale);
}

static __global__ void put(float *there, float value)
{
    *there = value;
}

static __global__ void advance(float *point, float *before, float *real, const float *alpha,
                               struct room r)
{
    size_t at, wide;
    if (!sample_of(&r, &at, &wide))
        return;
    float now = point[at] * rl_positive(real[wide] * r.scale);
    real[wide] = point[at] = rl_ahead(now, before[at], *alpha);
    before[at] = now;
}

static __global__ void predict(float *point, float *before, const float *now, float alpha, size_t n)
{
    size_t i = gpu_index();
    if (i >= n)
        return;
    point[i] = rl_ahead(now[i], before[i], alpha);
    before[i] = now[i];
}

static __global__ void regularise(float *next, const float *point, struct kin_dims d, float tv,
                                  float damping)
{
    int z = (int)blockIdx.z;
    GPU_PIXELS(y, x, d.y, d.x) {
        float *at = next + ((size_t)z * d.y + y) * d.x + x;
        *at = rl_regular(*at, point, d, z, y, x, tv, damping);
    }
}

static __global__ void difference(float *dst, const float *a, const float *b, size_t n)
{
    size_t i = gpu_index();
    if (i < n)
        dst[i] = a[i] - b[i];
}

/* ---- plans ------------------------------------------------------------------------------------
 */

static struct blur blur_of(const struct rl_plan *plan, bool transposed)
{
    return {plan->taps, plan->dims.z, COLUMNS, plan->ends, transposed ? -1 : 1, plan->dims.y, plan->dims.x,
            plan->half, (size_t)plan->dims.y * (size_t)plan->half};
}

static void fill_transfer(struct device *dev, struct rl_plan *plan, const struct kin_image *psf)
{
    struct kin_dims d = {1, plan->dims.y, plan->dims.x};
    struct blur b = blur_of(plan, false);
    size_t n = kin_count(d), count = b.count;
    bool mirrored = plan->ends == RL_MIRRORED;
    struct fft_plan *fft = mirrored ? NULL : gpu_fft_shaped(dev, (struct fft_shape){d, 1, false});
    float *host = (float *)malloc(n * sizeof *host), *plane = gpu_array<float>(dev, n),
          *wave = mirrored ? NULL : gpu_array<float>(dev, 2 * count);
    bool good = host;
    for (int t = 0; good && t < plan->taps.count && !device_stopped(dev); t++) {
        if (mirrored)
            good = rl_mirrored_tap(psf, &plan->taps, t, d, host);
        else
            rl_place_tap(psf, &plan->taps, t, d, host);
        gpu_upload(dev, plane, host, n * sizeof *host);
        if (!mirrored)
            gpu_fft_run_forward(dev, fft, plane, wave);
        if (mirrored)
            LAUNCH(dev, pair_up, gpu_each(count), GPU_THREADS, 0)
        ((float2 *)plan->transfer + count * t, plane, b);
        else if (plan->taps.real) LAUNCH(dev, keep_real, gpu_each(count), GPU_THREADS, 0)
        (plan->transfer + count * t, (float2 *)wave, count);
        else gpu_copy(dev, plan->transfer + 2 * count * t, wave, 2 * count * sizeof *wave);
    }
    if (!good)
        device_fail(dev, KIN_MEMORY, "no memory for a plane of the PSF");
    gpu_release(dev, wave);
    gpu_release(dev, plane);
    free(host);
}

struct rl_plan *gpu_rl_plan(struct device *dev, struct kin_dims dims, const struct kin_image *psf,
                            enum rl_ends ends)
{
    struct rl_plan *plan = device_stopped(dev) ? NULL : (struct rl_plan *)calloc(1, sizeof *plan);
    if (!plan) {
        device_fail(dev, KIN_MEMORY, "no memory for a transfer function");
        return NULL;
    }
    struct kin_dims plane = {1, dims.y, dims.x};
    plan->dims = dims;
    plan->half = dims.x / 2 + 1;
    plan->taps = rl_taps_of(psf);
    plan->ends = ends;
    size_t count = (size_t)dims.y * (size_t)plan->half;
    int floats = plan->taps.real && ends != RL_MIRRORED ? 1 : 2;
    plan->transfer = gpu_array<float>(dev, count * (size_t)plan->taps.count * (size_t)floats);
    plan->spectrum = gpu_array<float>(dev, 2 * count * (size_t)dims.z);
    plan->alpha = gpu_array<float>(dev, 1);
    plan->fft = gpu_fft_shaped(dev, (struct fft_shape){plane, dims.z, true});
    fill_transfer(dev, plan, psf);
    return plan;
}

static void drop_graph(struct rl_plan *plan)
{
    if (plan->graph)
        cudaGraphExecDestroy(plan->graph); /* once it has run */
    plan->graph = NULL;
}

void gpu_rl_free(struct device *dev, struct rl_plan *plan)
{
    if (!plan)
        return;
    drop_graph(plan);
    gpu_release(dev, plan->transfer);
    gpu_release(dev, plan->spectrum);
    gpu_release(dev, plan->alpha);
    free(plan);
}

/* ---- launchers --------------------------------------------------------------------------------
 */

static struct room room_of(const struct rl_plan *plan)
{
    double n = (double)plan->dims.y * plan->dims.x;
    return {plan->dims.z * plan->dims.y, plan->dims.y,              plan->dims.x,
            2 * plan->half,              plan->ends == RL_MIRRORED, (float)(1 / n)};
}

static dim3 each_sample(const struct rl_plan *plan)
{
    return gpu_each(kin_count(plan->dims));
}

static void inverse(struct device *dev, struct rl_plan *plan)
{
    gpu_fft_run_inverse(dev, plan->fft, plan->spectrum, plan->spectrum);
}

static void forward(struct device *dev, struct rl_plan *plan)
{
    gpu_fft_run_forward(dev, plan->fft, plan->spectrum, plan->spectrum);
}

void gpu_rl_load(struct device *dev, struct rl_plan *plan, const float *image)
{
    LAUNCH(dev, load, each_sample(plan), GPU_THREADS, 0)(plan->spectrum, image, room_of(plan));
    forward(dev, plan);
}

void gpu_rl_store(struct device *dev, struct rl_plan *plan, float *image)
{
    inverse(dev, plan);
    LAUNCH(dev, store, each_sample(plan), GPU_THREADS, 0)(image, plan->spectrum, room_of(plan));
}

void gpu_rl_blur(struct device *dev, struct rl_plan *plan, bool transposed)
{
    struct blur b = blur_of(plan, transposed);
    bool mirrored = plan->ends == RL_MIRRORED;
    while (b.columns > 1 && shared_bytes(&b, b.columns) > GPU_SHARED)
        b.columns /= 2;
    size_t shared = shared_bytes(&b, b.columns), pairs = (size_t)(b.h / 2 + 1) * (size_t)b.half;
    if (shared > GPU_SHARED)
        device_fail(dev, KIN_INPUT, "%d planes are too many to be deconvolved on a GPU", b.nz);
    if (mirrored)
        LAUNCH(dev, blur_pairs, dim3(gpu_pieces(pairs, (size_t)b.columns)), GPU_THREADS, shared)
    ((float2 *)plan->spectrum, (float2 *)plan->transfer, b);
    else LAUNCH(dev, blur_columns, dim3(gpu_pieces(b.count, (size_t)b.columns)), GPU_THREADS, shared)
    ((float2 *)plan->spectrum, plan->transfer, b);
}

void gpu_rl_ratio(struct device *dev, struct rl_plan *plan, const float *data, float floor)
{
    inverse(dev, plan);
    LAUNCH(dev, divide, each_sample(plan), GPU_THREADS, 0)
    (plan->spectrum, data, floor, room_of(plan));
    forward(dev, plan);
}

void gpu_rl_multiply(struct device *dev, struct rl_plan *plan, float *next, const float *point)
{
    inverse(dev, plan);
    LAUNCH(dev, multiply, each_sample(plan), GPU_THREADS, 0)
    (next, point, plan->spectrum, room_of(plan));
}

/* rl_advance by the alpha that is there. */
static void go_on(struct device *dev, struct rl_plan *plan, float *point, float *before)
{
    inverse(dev, plan);
    LAUNCH(dev, advance, each_sample(plan), GPU_THREADS, 0)
    (point, before, plan->spectrum, plan->alpha, room_of(plan));
    forward(dev, plan);
}

void gpu_rl_advance(struct device *dev, struct rl_plan *plan, float *point, float *before,
                    float alpha)
{
    LAUNCH(dev, put, dim3(1), dim3(1), 0)(plan->alpha, alpha);
    go_on(dev, plan, point, before);
}

/* ---- a whole step -------------------------------------------------------------------------------
 */

static void launch_step(struct device *dev, struct rl_plan *plan, const float *data, float *point,
                        float *before, float floor)
{
    gpu_rl_blur(dev, plan, false);
    gpu_rl_ratio(dev, plan, data, floor);
    gpu_rl_blur(dev, plan, true);
    go_on(dev, plan, point, before);
}

static bool same_recipe(const struct recipe *a, const struct recipe *b)
{
    return a->data == b->data && a->point == b->point && a->before == b->before &&
           a->area == b->area && a->floor == b->floor;
}

/* Makes a graph of what launch_step launches. Nothing runs, so that what goes wrong here may be
 * forgotten; the launches one by one will meet it again. */
static void make_graph(struct device *dev, struct rl_plan *plan, const float *data, float *point,
                       float *before, float floor)
{
    cudaStream_t work = gpu_stream(dev, GPU_WORK);
    cudaGraph_t graph = NULL;
    struct kin_error none = {};
    if (cudaStreamBeginCapture(work, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
        launch_step(dev, plan, data, point, before, floor);
        bool good = cudaStreamEndCapture(work, &graph) == cudaSuccess && device_ok(dev, &none);
        if (!good || cudaGraphInstantiate(&plan->graph, graph, 0) != cudaSuccess)
            plan->graph = NULL;
        dev->error = kin_error{};
    }
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError();
    plan->no_graph = !plan->graph;
}

void gpu_rl_step(struct device *dev, struct rl_plan *plan, const float *data, float *point,
                 float *before, float floor, float alpha)
{
    if (device_stopped(dev))
        return;
    struct recipe recipe = {data, point, before, gpu_of(dev)->fft_area, floor};
    bool again = same_recipe(&recipe, &plan->recipe);
    plan->recipe = recipe;
    if (!again)
        drop_graph(plan);
    else if (!plan->graph && !plan->no_graph)
        make_graph(dev, plan, data, point, before, floor);
    LAUNCH(dev, put, dim3(1), dim3(1), 0)(plan->alpha, alpha);
    if (plan->graph && !device_stopped(dev))
        GPU_CHECK(dev, cudaGraphLaunch(plan->graph, gpu_stream(dev, GPU_WORK)));
    else
        launch_step(dev, plan, data, point, before, floor);
    gpu_of(dev)->calls++;
}

void gpu_rl_predict(struct device *dev, float *point, float *before, const float *now, float alpha,
                    size_t n)
{
    LAUNCH(dev, predict, gpu_each(n), GPU_THREADS, 0)(point, before, now, alpha, n);
}

void gpu_subtract(struct device *dev, float *dst, const float *a, const float *b, size_t n)
{
    LAUNCH(dev, difference, gpu_each(n), GPU_THREADS, 0)(dst, a, b, n);
}

void gpu_rl_regularise(struct device *dev, float *next, const float *point, struct kin_dims dims,
                       float tv, float damping)
{
    LAUNCH(dev, regularise, gpu_pixels(dims.y, dims.x, dims.z), GPU_TILE, 0)
    (next, point, dims, tv, damping);
}
