// SPDX-License-Identifier: MIT
/* rl.cu: Richardson-Lucy steps on the GPU.
 *
 * As in rl_cpu.c every plane is transformed on its own and the convolution along z is done in the
 * mixed domain (cuda/rl_blur.cu). On a domain whose lines a block of threads can hold, transforms
 * and the work between them are ours (cuda/rl_lines.cu); else transforms are cuFFT's
 * (cuda/rl_planes.cu).
 *
 * A step is some ten kernels. From the second one on the same volumes it is a CUDA graph: one
 * launch. There are two graphs, as two volumes change places from step to step; what else changes,
 * alpha, lies in the card's memory. Where the driver makes no graph the kernels are launched one by
 * one. */
#include "cuda/fft.h"
#include "cuda/rl_sample.h"
#include "cuda/sample.h"

namespace {

/* ---- work on single samples ------------------------------------------------------------------ */

static __global__ void put(struct rl_alphas *there, struct rl_alphas value)
{
    *there = value;
}

struct predict {
    float *point;
    const float *now, *before;
    float alpha;
    __device__ float2 read(size_t i) const { return float2{now[i], before[i]}; }
    __device__ void write(size_t i, float2 v) const { point[i] = rl_ahead(v.x, v.y, alpha); }
};

struct difference {
    float *dst;
    const float *a, *b;
    __device__ float2 read(size_t i) const { return float2{a[i], b[i]}; }
    __device__ void write(size_t i, float2 v) const { dst[i] = v.x - v.y; }
};

/* ---- the transfer function ------------------------------------------------------------------- */

static __global__ void keep_real(float *dst, const float2 *src, size_t n)
{
    size_t i = gpu_index();
    if (i < n)
        dst[i] = src[i].x;
}

/* Coefficients (h, w) as pairs (h, half): k and w - k. */
static __global__ void pair_up(float2 *dst, const float *coefficient, int h, int w)
{
    int half = w / 2 + 1;
    GPU_PIXELS(l, k, h, half)
    {
        const float *row = coefficient + (size_t)l * w;
        dst[(size_t)l * half + k] = float2{row[k], k ? row[w - k] : 0};
    }
}

/* The same as cuda/rl_lines.cu has those of its spectrum. */
static __global__ void pack_cosines(float2 *dst, const float *coefficient, struct rl_panels panels)
{
    int h = 2 * panels.high, half = panels.wide, w = 2 * half;
    GPU_PIXELS(l, k, h, half)
    {
        const float *row = coefficient + (size_t)l * w;
        dst[panels.wave(l, k)] = float2{row[k], row[k ? w - k : half]};
    }
}

/* Fourier coefficients (h, w/2 + 1) as cuda/rl_lines.cu has those of its spectrum; real: a tap is
 * the same real number for both floats, but where they are two coefficients. */
static __global__ void pack(float2 *dst, const float2 *src, struct rl_panels panels, bool real)
{
    int h = 2 * panels.high, half = panels.wide;
    GPU_PIXELS(l, k, h, half)
    {
        bool two = k == 0 && (l == 0 || l == h / 2), last = k == 0 && l > h / 2;
        float2 v = src[(size_t)(last ? h - l : l) * (half + 1) + (last ? half : k)];
        if (two)
            v.y = src[(size_t)l * (half + 1) + half].x;
        else if (real)
            v.y = v.x;
        dst[panels.wave(l, k)] = v;
    }
}

} // namespace

/* ---- plans ----------------------------------------------------------------------------------- */

/* Tap t of a mirrored domain from its coefficients. */
static void fill_cosines(struct device *dev, struct rl_plan *plan, int t, const float *plane)
{
    size_t count = (size_t)plan->dims.y * (size_t)plan->half;
    float2 *to = (float2 *)plan->transfer + count * t;
    dim3 pixels = gpu_pixels(plan->dims.y, plan->half);
    if (plan->lines)
        LAUNCH(dev, pack_cosines, pixels, GPU_TILE, 0)(to, plane, rl_panels_of(plan));
    else
        LAUNCH(dev, pair_up, pixels, GPU_TILE, 0)(to, plane, plan->dims.y, plan->dims.x);
}

/* Of another one from its Fourier coefficients. */
static void fill_waves(struct device *dev, struct rl_plan *plan, int t, const float *wave)
{
    int h = plan->dims.y;
    size_t count = (size_t)h * (size_t)plan->half;
    if (plan->lines)
        LAUNCH(dev, pack, gpu_pixels(h, plan->half), GPU_TILE, 0)
    ((float2 *)plan->transfer + count * t, (const float2 *)wave, rl_panels_of(plan),
     plan->taps.real);
    else if (plan->taps.real) LAUNCH(dev, keep_real, gpu_each(count), GPU_THREADS,
                                     0)(plan->transfer + count * t, (const float2 *)wave, count);
    else gpu_copy(dev, plan->transfer + 2 * count * t, wave, 2 * count * sizeof *wave);
}

static void fill_transfer(struct device *dev, struct rl_plan *plan, const struct kin_image *psf)
{
    struct kin_dims d = {1, plan->dims.y, plan->dims.x};
    size_t n = kin_count(d);
    bool mirrored = plan->ends == RL_MIRRORED;
    float *host = (float *)malloc(n * sizeof *host), *plane = gpu_array<float>(dev, n),
          *wave = mirrored ? NULL : gpu_array<float>(dev, 2 * (size_t)d.y * ((size_t)d.x / 2 + 1));
    struct fft_plan *fft = mirrored ? NULL : gpu_fft_shaped(dev, (struct fft_shape){d, 1, false});
    bool good = host;
    for (int t = 0; good && t < plan->taps.count && !device_stopped(dev); t++) {
        if (mirrored)
            good = rl_mirrored_tap(psf, &plan->taps, t, d, host, dev->threads);
        else
            rl_place_tap(psf, &plan->taps, t, d, host);
        gpu_upload(dev, plane, host, n * sizeof *host);
        if (mirrored) {
            fill_cosines(dev, plan, t, plane);
        } else {
            gpu_fft_run_forward(dev, fft, plane, wave);
            fill_waves(dev, plan, t, wave);
        }
    }
    if (!good)
        device_fail(dev, KIN_MEMORY, "no memory for a plane of the PSF");
    gpu_release(dev, wave);
    gpu_release(dev, plane);
    free(host);
}

/* KINTSUGI_GPU_TRANSFORMS=cufft: never, for comparison. */
static bool wants_lines()
{
    const char *whose = getenv("KINTSUGI_GPU_TRANSFORMS");
    return !whose || strcmp(whose, "cufft") != 0;
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
    plan->taps = rl_taps_of(psf);
    plan->ends = ends;
    plan->lines = wants_lines() && gpu_line_suits(dev, dims.y) && gpu_line_suits(dev, dims.x);
    plan->half = dims.x / 2 + !plan->lines;
    size_t count = (size_t)dims.y * (size_t)plan->half;
    int floats = plan->taps.real && ends != RL_MIRRORED && !plan->lines ? 1 : 2;
    plan->transfer = gpu_array<float>(dev, count * (size_t)plan->taps.count * (size_t)floats);
    plan->spectrum = gpu_array<float>(dev, 2 * count * (size_t)dims.z);
    plan->alphas = gpu_array<struct rl_alphas>(dev, 1);
    if (plan->lines) {
        /* of twos of rows and panels, 128 bytes are neighbours: eight pairs (rl_panels) */
        plan->along = gpu_line_plan(dev, dims.y, 4);
        plan->across = gpu_line_plan(dev, dims.x, 8 >> plan->along.shift);
        plan->across.beside = plan->along.shift < 3 ? plan->along.shift : 4;
    } else {
        plan->fft = gpu_fft_shaped(dev, (struct fft_shape){plane, dims.z, true});
    }
    fill_transfer(dev, plan, psf);
    return plan;
}

static void drop_graph(struct rl_graph *kept)
{
    if (kept->graph)
        cudaGraphExecDestroy(kept->graph); /* once it has run */
    kept->graph = NULL;
}

void gpu_rl_free(struct device *dev, struct rl_plan *plan)
{
    if (!plan)
        return;
    drop_graph(&plan->graphs[0]);
    drop_graph(&plan->graphs[1]);
    gpu_release(dev, plan->transfer);
    gpu_release(dev, plan->spectrum);
    gpu_release(dev, plan->alphas);
    gpu_line_free(dev, &plan->along);
    gpu_line_free(dev, &plan->across);
    free(plan);
}

/* ---- launchers ------------------------------------------------------------------------------- */

/* What a transform and its inverse multiply samples by, undone. */
static float scale_of(const struct rl_plan *plan)
{
    int doubled = !plan->lines ? 1 : plan->ends == RL_MIRRORED ? 4 : 2; /* cuda/line_block.h */
    return (float)(1 / ((double)plan->dims.y * plan->dims.x * doubled));
}

template <typename Work> static void work_on(struct device *dev, struct rl_plan *plan, Work work)
{
    if (plan->lines)
        rl_on_lines(dev, plan, work);
    else
        rl_on_planes(dev, plan, work);
}

void gpu_rl_load(struct device *dev, struct rl_plan *plan, const float *image)
{
    work_on(dev, plan, rl_load{image});
}

void gpu_rl_store(struct device *dev, struct rl_plan *plan, float *image)
{
    work_on(dev, plan, rl_store{image, scale_of(plan)});
}

void gpu_rl_ratio(struct device *dev, struct rl_plan *plan, const float *data, float floor)
{
    work_on(dev, plan, rl_divide{data, floor, scale_of(plan)});
}

void gpu_rl_multiply(struct device *dev, struct rl_plan *plan, float *next, const float *point)
{
    work_on(dev, plan, rl_multiply{next, point, scale_of(plan)});
}

static void put_alphas(struct device *dev, struct rl_plan *plan, float here, float next)
{
    LAUNCH(dev, put, dim3(1), dim3(1), 0)(plan->alphas, rl_alphas{here, next});
}

/* rl_advance by the alphas that are there. */
static void go_on(struct device *dev, struct rl_plan *plan, const float *now, float *before)
{
    work_on(dev, plan, rl_go_on{now, before, plan->alphas, scale_of(plan)});
}

void gpu_rl_advance(struct device *dev, struct rl_plan *plan, const float *now, float *before,
                    float alpha, float next_alpha)
{
    put_alphas(dev, plan, alpha, next_alpha);
    go_on(dev, plan, now, before);
}

/* ---- a whole step ---------------------------------------------------------------------------- */

static void launch_step(struct device *dev, struct rl_plan *plan, const float *data,
                        const float *now, float *before, float floor)
{
    gpu_rl_blur(dev, plan, false);
    gpu_rl_ratio(dev, plan, data, floor);
    gpu_rl_blur(dev, plan, true);
    go_on(dev, plan, now, before);
}

/* Makes a graph of what launch_step launches. Nothing runs, so that what goes wrong here may be
 * forgotten; the launches one by one will meet it again. */
static cudaGraphExec_t make_graph(struct device *dev, struct rl_plan *plan, const float *data,
                                  const float *now, float *before, float floor)
{
    cudaStream_t work = gpu_stream(dev, GPU_WORK);
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    struct kin_error none = {};
    struct gpu_clock *clock = gpu_of(dev)->clock;
    gpu_of(dev)->clock = NULL; /* its events are the host's */
    if (cudaStreamBeginCapture(work, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
        launch_step(dev, plan, data, now, before, floor);
        bool good = cudaStreamEndCapture(work, &graph) == cudaSuccess && device_ok(dev, &none);
        if (!good || cudaGraphInstantiate(&made, graph, 0) != cudaSuccess)
            made = NULL;
        dev->error = kin_error{};
    }
    gpu_of(dev)->clock = clock;
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError();
    return made;
}

/* Notes that a step of these volumes is made; answers whether the last one was of the same. */
static bool note_recipe(struct device *dev, struct rl_graph *kept, const float *data,
                        const float *now, const float *before, float floor)
{
    const float *area = gpu_of(dev)->fft_area;
    auto &r = kept->recipe;
    bool again = r.data == data && r.now == now && r.before == before && r.area == area &&
                 r.floor == floor;
    r = {data, now, before, area, floor};
    return again;
}

void gpu_rl_step(struct device *dev, struct rl_plan *plan, const float *data, const float *now,
                 float *before, float floor, float alpha, float next_alpha)
{
    if (device_stopped(dev))
        return;
    struct rl_graph *kept = &plan->graphs[(uintptr_t)now < (uintptr_t)before];
    if (!note_recipe(dev, kept, data, now, before, floor)) {
        drop_graph(kept);
    } else if (!kept->graph && !plan->no_graph) {
        kept->graph = make_graph(dev, plan, data, now, before, floor);
        plan->no_graph = !kept->graph;
    }
    put_alphas(dev, plan, alpha, next_alpha);
    if (kept->graph && !device_stopped(dev)) {
        gpu_timed timed(dev);
        GPU_CHECK(dev, cudaGraphLaunch(kept->graph, gpu_stream(dev, GPU_WORK)));
    } else {
        launch_step(dev, plan, data, now, before, floor);
    }
    gpu_of(dev)->calls++;
}

void gpu_rl_predict(struct device *dev, float *point, const float *now, const float *before,
                    float alpha, size_t n)
{
    ON_SAMPLES(dev, n, predict, point, now, before, alpha);
}

void gpu_subtract(struct device *dev, float *dst, const float *a, const float *b, size_t n)
{
    ON_SAMPLES(dev, n, difference, dst, a, b);
}
