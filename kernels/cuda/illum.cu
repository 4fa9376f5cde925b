// SPDX-License-Identifier: MIT
// illum.cu: the sweeps of the shading model on the GPU. Means over images are taken by one
// thread for each pixel, sums over pixels by one block of threads for each image.
#include "cuda/sample.h"
#include "device/alm.h"

enum { NARROW = 64 }; /* threads of a block where there are few pixels for a large card */

/* ---- kernels: b and keep have one number for each image -------------------------------------- */

static __global__ void mean_rest(float *mean, struct alm s, const float *b, const double *share,
                                 float scale)
{
    int x = gpu_x();
    double sum = 0;
    for (int i = 0; x < s.m && i < s.n; i++)
        sum += (share ? share[i] : 1) * alm_pull(&s, (size_t)i * s.m, x, b[i], scale);
    if (x < s.m)
        mean[x] = (float)(share ? sum : sum / s.n);
}

static __global__ void project_images(struct alm s, const float *b, float scale, double *sums)
{
    size_t at = (size_t)blockIdx.x * s.m;
    double sum = 0;
    for (int x = (int)threadIdx.x; x < s.m; x += GPU_THREADS)
        sum += (double)s.flat[x] * alm_pull(&s, at, x, b[blockIdx.x], scale);
    sum = gpu_block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

static __global__ void mean_kept(float *mean, struct alm s, const float *keep, int count)
{
    int x = gpu_x();
    double sum = 0;
    for (int i = 0; x < s.m && i < s.n; i++)
        if (keep[i] > 0)
            sum += s.images[(size_t)i * s.m + x] - s.sparse[(size_t)i * s.m + x];
    if (x < s.m)
        mean[x] = count ? (float)(sum / count) : 0;
}

/* Of image - sparse + scale multiplier. */
static __global__ void mean_held(float *mean, struct alm s, float scale)
{
    int x = gpu_x();
    double sum = 0;
    for (int i = 0; x < s.m && i < s.n; i++) {
        size_t at = (size_t)i * s.m + x;
        sum += (double)(s.images[at] - s.sparse[at]) + (double)(scale * s.multiplier[at]);
    }
    if (x < s.m)
        mean[x] = (float)(sum / s.n);
}

static __global__ void step_images(struct alm s, const float *b, double (*sums)[2])
{
    int i = (int)blockIdx.x;
    double sum[2] = {0, 0};
    for (int x = (int)threadIdx.x; x < s.m; x += GPU_THREADS) {
        struct alm_sums here = alm_pixel(&s, (size_t)i * s.m, x, b[i]);
        s.sparse[(size_t)i * s.m + x] = here.sparse;
        sum[0] += (double)here.kept;
        sum[1] += (double)here.misfit;
    }
    gpu_block_sums(sum);
    if (threadIdx.x == 0) {
        sums[i][0] = sum[0];
        sums[i][1] = sum[1];
    }
}

static __global__ void sparse_images(struct alm s, const float *b)
{
    size_t at = (size_t)blockIdx.x * s.m;
    for (int x = (int)threadIdx.x; x < s.m; x += GPU_THREADS)
        s.sparse[at + x] = alm_sparse_of(&s, at, x, alm_rest(&s, at, x, b[blockIdx.x]));
}

static __global__ void split_images(struct alm s, float level, double (*sums)[2])
{
    size_t at = (size_t)blockIdx.x * s.m;
    double sum[2] = {0, 0}; /* low, high */
    for (int x = (int)threadIdx.x; x < s.m; x += GPU_THREADS) {
        double kept = (double)(s.images[at + x] - s.sparse[at + x]);
        (s.flat[x] > level ? sum[1] : sum[0]) += kept;
    }
    gpu_block_sums(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x][0] = sum[0];
        sums[blockIdx.x][1] = sum[1];
    }
}

static __global__ void weigh_images(float *weights, struct alm s, const float *scale, float epsilon,
                                    double *sums)
{
    size_t at = (size_t)blockIdx.x * s.m;
    double sum = 0;
    for (int x = (int)threadIdx.x; x < s.m; x += GPU_THREADS) {
        weights[at + x] = alm_weight(s.sparse[at + x], scale[blockIdx.x], epsilon);
        sum += (double)weights[at + x];
    }
    sum = gpu_block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

namespace {

struct scale {
    float *a, factor;
    __device__ float read(size_t i) const { return a[i]; }
    __device__ void write(size_t i, float v) const { a[i] = v * factor; }
};

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

/* n numbers as floats on the card, each the value of `of` or one of the choices below. */
enum sent { AS_IT_IS, INVERTED, BELOW };

static float *send(struct device *dev, const double *of, int n, enum sent how, double limit)
{
    float *host = (float *)malloc((size_t)n * sizeof *host),
          *there = gpu_array<float>(dev, (size_t)n);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for %d numbers", n);
    for (int i = 0; host && i < n; i++)
        host[i] = how == AS_IT_IS   ? (float)of[i]
                  : how == INVERTED ? (float)(1 / of[i])
                                    : of[i] < limit;
    gpu_upload(dev, there, host, (size_t)n * sizeof *host);
    free(host);
    return there;
}

static dim3 narrow_grid(const struct alm *s)
{
    return dim3(gpu_pieces((size_t)s->m, NARROW));
}

void gpu_alm_mean(struct device *dev, float *mean, const struct alm *s, const double *share)
{
    size_t n = (size_t)s->n;
    float *b = send(dev, s->b, s->n, AS_IT_IS, 0);
    double *there = share ? gpu_array<double>(dev, n) : NULL;
    if (share)
        gpu_upload(dev, there, share, n * sizeof *there);
    LAUNCH(dev, mean_rest, narrow_grid(s), NARROW, 0)(mean, *s, b, there, (float)(1 / s->mu));
    gpu_release(dev, there);
    gpu_release(dev, b);
}

void gpu_alm_project(struct device *dev, const struct alm *s, double *sums)
{
    size_t n = (size_t)s->n;
    float *b = send(dev, s->b, s->n, AS_IT_IS, 0);
    double *there = gpu_array<double>(dev, n);
    memset(sums, 0, n * sizeof *sums);
    LAUNCH(dev, project_images, dim3((unsigned)n), GPU_THREADS, 0)
    (*s, b, (float)(1 / s->mu), there);
    gpu_download(dev, sums, there, n * sizeof *sums);
    gpu_release(dev, there);
    gpu_release(dev, b);
}

void gpu_alm_mean_below(struct device *dev, float *mean, const struct alm *s, double limit)
{
    int count = 0;
    for (int i = 0; i < s->n; i++)
        count += s->b[i] < limit;
    float *keep = send(dev, s->b, s->n, BELOW, limit);
    LAUNCH(dev, mean_kept, narrow_grid(s), NARROW, 0)(mean, *s, keep, count);
    gpu_release(dev, keep);
}

typedef double pair_of_sums[2];

void gpu_alm_step(struct device *dev, const struct alm *s, double (*sums)[2])
{
    size_t n = (size_t)s->n;
    float *b = send(dev, s->b, s->n, AS_IT_IS, 0);
    pair_of_sums *there = gpu_array<pair_of_sums>(dev, n);
    memset(sums, 0, n * sizeof *sums);
    LAUNCH(dev, step_images, dim3((unsigned)n), GPU_THREADS, 0)(*s, b, there);
    gpu_download(dev, sums, there, n * sizeof *sums);
    gpu_release(dev, there);
    gpu_release(dev, b);
}

void gpu_alm_step_on(struct device *dev, const struct alm *s, double (*sums)[2], float *mean,
                     double next_mu)
{
    gpu_alm_step(dev, s, sums);
    LAUNCH(dev, mean_held, narrow_grid(s), NARROW, 0)(mean, *s, (float)(1 / next_mu));
}

void gpu_alm_sparse(struct device *dev, const struct alm *s)
{
    float *b = send(dev, s->b, s->n, AS_IT_IS, 0);
    LAUNCH(dev, sparse_images, dim3((unsigned)s->n), GPU_THREADS, 0)(*s, b);
    gpu_release(dev, b);
}

void gpu_alm_split(struct device *dev, const struct alm *s, float level, double (*sums)[2])
{
    size_t n = (size_t)s->n;
    pair_of_sums *there = gpu_array<pair_of_sums>(dev, n);
    memset(sums, 0, n * sizeof *sums);
    LAUNCH(dev, split_images, dim3((unsigned)n), GPU_THREADS, 0)(*s, level, there);
    gpu_download(dev, sums, there, n * sizeof *sums);
    gpu_release(dev, there);
}

void gpu_alm_reweigh(struct device *dev, float *weights, const struct alm *s, const double *height,
                     float epsilon, double *sums)
{
    size_t n = (size_t)s->n;
    float *scale = send(dev, height, s->n, INVERTED, 0);
    double *there = gpu_array<double>(dev, n);
    memset(sums, 0, n * sizeof *sums);
    LAUNCH(dev, weigh_images, dim3((unsigned)n), GPU_THREADS, 0)
    (weights, *s, scale, epsilon, there);
    gpu_download(dev, sums, there, n * sizeof *sums);
    gpu_release(dev, there);
    gpu_release(dev, scale);
}

void gpu_scale(struct device *dev, float *a, float factor, size_t n)
{
    ON_SAMPLES(dev, n, scale, a, factor);
}
