// SPDX-License-Identifier: MIT
/* rl_cpu.c: Richardson-Lucy steps on the CPU.
 *
 * The domain is periodic in y and x, or mirrored, so every plane is transformed on its own (2-D,
 * real; or into cosines, see dct.h); along z the PSF has few planes, so the convolution is done
 * directly in the mixed domain, column by column:
 *
 *     spectrum'[z] (ky, kx) = sum_d  T_d(ky, kx) spectrum[m(z - d)] (ky, kx)
 *
 * T_d is the transform of plane d of the PSF and m folds the index back into 0..nz-1, mirrored or
 * periodic. No padding in z is needed and mirroring is exact. T_d is real when each PSF plane is
 * even about its centre, and T_d = T_-d when the PSF is even in z; both hold for a Debye PSF,
 * which costs half_z + 1 products for each sample. Everything between two such passes is done
 * plane by plane, while the plane is in the cache: inverse transform, the pointwise step, forward
 * transform. */
#include "core/simd.h"
#include "device/device_cpu.h"
#include "device/fft_cpu.h"
#include "device/rl_step.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 }; /* complex samples */
typedef float vector
    __attribute__((vector_size(2 * LANES * sizeof(float)))); /* re, im, re, im, ... */

struct rl_plan {
    struct kin_dims dims;
    size_t wave; /* complex samples of a plane's spectrum, in the order of fft_cpu.h */
    struct rl_taps taps;
    enum rl_ends ends;
    /* (taps, wave), float, or complex, or of RL_MIRRORED pairs for re and im; owned */
    float *transfer;
    float *spectrum;      /* (z, wave) complex; owned */
    struct fft_plan *fft; /* of one plane; owned */
    float **plane;        /* a real plane (y, x) for each thread; owned */
    void **scratch;       /* for each thread's transforms; owned */
    int planes;
};

/* ---- transfer function ---------------------------------------------------------------------- */

/* Re and im of a sample have transfer functions of their own. */
static bool has_pairs(const struct rl_plan *plan)
{
    return plan->ends == RL_MIRRORED;
}

static size_t tap_floats(const struct rl_plan *plan)
{
    return plan->wave * (plan->taps.real && !has_pairs(plan) ? 1 : 2);
}

static void fill_periodic(struct rl_plan *plan, const struct kin_image *psf, int tap, float *to,
                          float *wave)
{
    rl_place_tap(psf, &plan->taps, tap, plan->dims, plan->plane[0]);
    fft_groups_forward(plan->fft, plan->plane[0], wave, plan->scratch[0]);
    if (!plan->taps.real)
        memcpy(to, wave, 2 * plan->wave * sizeof *to);
    for (size_t i = 0; plan->taps.real && i < plan->wave; i++)
        to[i] = wave[2 * i];
}

/* Brings coefficients (y, x) into the order of the groups. */
static void fill_pairs(const struct rl_plan *plan, const float *plane, float *to)
{
    int ny = plan->dims.y, nx = plan->dims.x;
    memset(to, 0, tap_floats(plan) * sizeof *to);
    for (int k = 0; k <= nx / 2; k++)
        for (int l = 0; l < ny; l++) {
            float *pair = to + 2 * fft_group_place(plan->fft, l, k);
            pair[0] = plane[(size_t)l * (size_t)nx + (size_t)k];
            pair[1] = k ? plane[(size_t)l * (size_t)nx + (size_t)(nx - k)] : 0;
        }
}

static bool fill_transfer(struct rl_plan *plan, const struct kin_image *psf, float *wave,
                          int threads)
{
    for (int t = 0; t < plan->taps.count; t++) {
        float *to = plan->transfer + tap_floats(plan) * (size_t)t;
        if (!has_pairs(plan))
            fill_periodic(plan, psf, t, to, wave);
        else if (rl_mirrored_tap(psf, &plan->taps, t, plan->dims, plan->plane[0], threads))
            fill_pairs(plan, plan->plane[0], to);
        else
            return false;
    }
    return true;
}

static bool alloc_planes(struct device *dev, struct rl_plan *plan)
{
    plan->planes = dev->threads < plan->dims.z ? dev->threads : plan->dims.z;
    plan->plane = calloc((size_t)plan->planes, sizeof *plan->plane);
    plan->scratch = calloc((size_t)plan->planes, sizeof *plan->scratch);
    for (int i = 0; plan->plane && plan->scratch && i < plan->planes; i++) {
        plan->plane[i] = kin_alloc((size_t)plan->dims.y * plan->dims.x * sizeof(float));
        plan->scratch[i] = kin_alloc(fft_group_scratch(plan->fft));
        if (!plan->plane[i] || !plan->scratch[i])
            return false;
    }
    return plan->plane && plan->scratch;
}

struct rl_plan *cpu_rl_plan(struct device *dev, struct kin_dims dims, const struct kin_image *psf,
                            enum rl_ends ends)
{
    struct rl_plan *plan = device_stopped(dev) ? NULL : calloc(1, sizeof *plan);
    if (!plan) {
        device_fail(dev, KIN_MEMORY, "no memory for a transfer function");
        return NULL;
    }
    struct kin_dims plane = {1, dims.y, dims.x};
    *plan = (struct rl_plan){.dims = dims, .taps = rl_taps_of(psf), .ends = ends};
    plan->fft = ends == RL_MIRRORED ? fft_mirrored_plan(dev, plane) : cpu_fft_plan(dev, plane, 1);
    if (device_stopped(dev)) /* it knows why */
        return plan;
    plan->wave = fft_group_samples(plan->fft);
    float *wave = kin_alloc(2 * plan->wave * sizeof *wave);
    plan->transfer = kin_alloc(tap_floats(plan) * (size_t)plan->taps.count * sizeof(float));
    plan->spectrum = kin_alloc(2 * plan->wave * dims.z * sizeof(float));
    if (!wave || !plan->transfer || !plan->spectrum || !alloc_planes(dev, plan) ||
        !fill_transfer(plan, psf, wave, dev->threads))
        device_fail(dev, KIN_MEMORY, "no memory for the transfer function of %d x (%d, %d)",
                    plan->taps.count, dims.y, dims.x);
    free(wave);
    return plan;
}

void cpu_rl_free(struct device *dev, struct rl_plan *plan)
{
    if (!plan)
        return;
    for (int i = 0; i < plan->planes; i++) {
        if (plan->plane)
            free(plan->plane[i]);
        if (plan->scratch)
            free(plan->scratch[i]);
    }
    free(plan->plane);
    free(plan->scratch);
    cpu_fft_free(dev, plan->fft);
    free(plan->transfer);
    free(plan->spectrum);
    free(plan);
}

/* ---- convolution along z in the mixed domain ------------------------------------------------- */

/* What one thread needs for LANES columns. */
struct columns {
    vector *in;      /* (nz): the columns */
    vector *turned;  /* (nz): the columns times i, for complex taps */
    vector *tap;     /* (taps): T_d, for re and im */
    vector *tap_im;  /* (taps): the imaginary part of T_d, doubled */
    const int *fold; /* (nz + 2 reach): m(z), starting at z = -reach */
    int reach;
};

/* A full group of columns is moved by a few instructions. */
static inline void move_columns(void *to, const void *from, int count)
{
    if (count == LANES)
        memcpy(to, from, sizeof(vector));
    else
        memcpy(to, from, 2 * (size_t)count * sizeof(float));
}

/* Loads count complex samples at offset `at` of every plane; asks for those that come next. */
static inline void load_columns(const struct rl_plan *plan, struct columns *c, size_t at, int count)
{
    for (int z = 0; z < plan->dims.z; z++) {
        const float *from = plan->spectrum + 2 * (z * plan->wave + at);
        if (count < LANES)
            c->in[z] = (vector){0};
        move_columns(&c->in[z], from, count);
        __builtin_prefetch(from + 4 * LANES, 1);
        __builtin_prefetch(from + 5 * LANES, 1);
    }
}

static inline void load_real_taps(const struct rl_plan *plan, struct columns *c, size_t at,
                                  int count)
{
    size_t stride = plan->wave;
    for (int t = 0; t < plan->taps.count; t++) {
        const float *from = plan->transfer + t * stride + at;
        float *to = (float *)&c->tap[t];
        for (int i = 0; i < count; i++)
            to[2 * i] = to[2 * i + 1] = from[i];
    }
}

static inline void load_pairs_of_taps(const struct rl_plan *plan, struct columns *c, size_t at,
                                      int count)
{
    for (int t = 0; t < plan->taps.count; t++)
        move_columns(&c->tap[t], plan->transfer + 2 * ((size_t)t * plan->wave + at), count);
}

static inline void load_complex_taps(const struct rl_plan *plan, struct columns *c, size_t at,
                                     int count, float sign)
{
    size_t stride = plan->wave;
    for (int t = 0; t < plan->taps.count; t++) {
        const float *from = plan->transfer + 2 * (t * stride + at);
        float *re = (float *)&c->tap[t], *im = (float *)&c->tap_im[t];
        for (int i = 0; i < count; i++) {
            re[2 * i] = re[2 * i + 1] = from[2 * i];
            im[2 * i] = im[2 * i + 1] = sign * from[2 * i + 1];
        }
    }
    for (int z = 0; z < plan->dims.z; z++) {
        const float *from = (const float *)&c->in[z];
        float *to = (float *)&c->turned[z];
        for (int i = 0; i < LANES; i++) {
            to[2 * i] = -from[2 * i + 1];
            to[2 * i + 1] = from[2 * i];
        }
    }
}

/* One output sample; direction is +1 for H, -1 for its transpose. */
static inline __attribute__((always_inline)) void
blur_sample(const struct rl_plan *plan, const struct columns *c, int z, int direction, vector *out)
{
    const int *fold = c->fold + c->reach + z;
    if (plan->taps.even_z) {
        vector sum = c->tap[0] * c->in[z];
        for (int d = 1; d < plan->taps.count; d++)
            sum += c->tap[d] * (c->in[fold[-d]] + c->in[fold[d]]);
        *out = sum;
        return;
    }
    vector sum = {0};
    for (int t = 0; t < plan->taps.count; t++) {
        int from = fold[direction * (plan->taps.centre - t)];
        sum += c->tap[t] * c->in[from];
        if (!plan->taps.real)
            sum += c->tap_im[t] * c->turned[from];
    }
    *out = sum;
}

/* Samples at .. at + length - 1 of all planes. */
VECTOR_CLONES static void blur_part(const struct rl_plan *plan, struct columns *c, size_t at,
                                    size_t length, int direction)
{
    for (size_t x = at; x < at + length; x += LANES) {
        int count = at + length - x < LANES ? (int)(at + length - x) : LANES;
        load_columns(plan, c, x, count);
        if (has_pairs(plan))
            load_pairs_of_taps(plan, c, x, count);
        else if (plan->taps.real)
            load_real_taps(plan, c, x, count);
        else
            load_complex_taps(plan, c, x, count, (float)direction);
        for (int z = 0; z < plan->dims.z; z++) {
            vector out;
            blur_sample(plan, c, z, direction, &out);
            move_columns(plan->spectrum + 2 * (z * plan->wave + x), &out, count);
        }
    }
}

static int *fold_table(const struct rl_plan *plan, int reach)
{
    int count = plan->dims.z + 2 * reach, *fold = malloc((size_t)count * sizeof *fold);
    for (int i = 0; fold && i < count; i++)
        fold[i] = rl_fold(i - reach, plan->dims.z, plan->ends);
    return fold;
}

/* The share of this thread; false: no memory. */
static bool blur_parts(const struct rl_plan *plan, const int *fold, int reach, int direction)
{
    enum { PART = 32 * LANES };
    size_t nz = (size_t)plan->dims.z, taps = (size_t)plan->taps.count;
    vector *memory = kin_alloc(2 * (nz + taps) * sizeof *memory);
    struct columns c = {memory, memory + nz, memory + 2 * nz, memory + 2 * nz + taps, fold, reach};
#pragma omp for schedule(static)
    for (size_t at = 0; at < plan->wave; at += PART)
        if (memory)
            blur_part(plan, &c, at, plan->wave - at < PART ? plan->wave - at : PART, direction);
    free(memory);
    return memory != NULL;
}

void cpu_rl_blur(struct device *dev, struct rl_plan *plan, bool transposed)
{
    if (device_stopped(dev))
        return;
    int reach = plan->taps.count, failed = 0;
    int *fold = fold_table(plan, reach);
#pragma omp parallel num_threads(dev->threads) reduction(+ : failed)
    failed += !fold || !blur_parts(plan, fold, reach, transposed ? -1 : 1);
    free(fold);
    if (failed)
        device_fail(dev, KIN_MEMORY, "no memory for the columns of a convolution");
}

/* ---- pointwise steps between transforms, plane by plane -------------------------------------- */

VECTOR_CLONES static void divide(float *ratio, const float *data, float floor, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ratio[i] = rl_divided(data[i], ratio[i], floor);
}

VECTOR_CLONES static void multiply(float *next, const float *point, const float *factor, size_t n)
{
    for (size_t i = 0; i < n; i++)
        next[i] = point[i] * rl_positive(factor[i]);
}

VECTOR_CLONES static void predict(float *point, const float *now, const float *before, float alpha,
                                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        point[i] = rl_ahead(now[i], before[i], alpha);
}

/* plane: the factor, then the point to go on from. */
VECTOR_CLONES static void advance(float *plane, const float *now, float *before, float alpha,
                                  float next_alpha, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float next = rl_ahead(now[i], before[i], alpha) * rl_positive(plane[i]);
        plane[i] = rl_ahead(next, now[i], next_alpha);
        before[i] = next;
    }
}

VECTOR_CLONES static void positive(float *image, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        image[i] = rl_positive(from[i]);
}

static size_t plane_samples(const struct rl_plan *plan)
{
    return (size_t)plan->dims.y * plan->dims.x;
}

/* Plane z of the spectrum = F plane. */
static void transform(const struct rl_plan *plan, const float *plane, int z)
{
    fft_groups_forward(plan->fft, plane, plan->spectrum + 2 * (size_t)z * plan->wave,
                       plan->scratch[omp_get_thread_num()]);
}

/* F^-1 of plane z of the spectrum, which is spent; it lies in this thread's memory. */
static float *transform_back(const struct rl_plan *plan, int z)
{
    int thread = omp_get_thread_num();
    fft_groups_inverse(plan->fft, plan->spectrum + 2 * (size_t)z * plan->wave, plan->plane[thread],
                       plan->scratch[thread]);
    return plan->plane[thread];
}

void cpu_rl_load(struct device *dev, struct rl_plan *plan, const float *image)
{
    if (device_stopped(dev))
        return;
    size_t n = plane_samples(plan);
#pragma omp parallel for num_threads(plan->planes) schedule(dynamic)
    for (int z = 0; z < plan->dims.z; z++)
        transform(plan, image + (size_t)z * n, z);
}

void cpu_rl_store(struct device *dev, struct rl_plan *plan, float *image)
{
    if (device_stopped(dev))
        return;
    size_t n = plane_samples(plan);
#pragma omp parallel for num_threads(plan->planes) schedule(dynamic)
    for (int z = 0; z < plan->dims.z; z++)
        positive(image + (size_t)z * n, transform_back(plan, z), n);
}

void cpu_rl_ratio(struct device *dev, struct rl_plan *plan, const float *data, float floor)
{
    if (device_stopped(dev))
        return;
    size_t n = plane_samples(plan);
#pragma omp parallel for num_threads(plan->planes) schedule(dynamic)
    for (int z = 0; z < plan->dims.z; z++) {
        float *plane = transform_back(plan, z);
        divide(plane, data + (size_t)z * n, floor, n);
        transform(plan, plane, z);
    }
}

void cpu_rl_multiply(struct device *dev, struct rl_plan *plan, float *next, const float *point)
{
    if (device_stopped(dev))
        return;
    size_t n = plane_samples(plan);
#pragma omp parallel for num_threads(plan->planes) schedule(dynamic)
    for (int z = 0; z < plan->dims.z; z++)
        multiply(next + (size_t)z * n, point + (size_t)z * n, transform_back(plan, z), n);
}

void cpu_rl_advance(struct device *dev, struct rl_plan *plan, const float *now, float *before,
                    float alpha, float next_alpha)
{
    if (device_stopped(dev))
        return;
    size_t n = plane_samples(plan);
#pragma omp parallel for num_threads(plan->planes) schedule(dynamic)
    for (int z = 0; z < plan->dims.z; z++) {
        float *plane = transform_back(plan, z);
        advance(plane, now + (size_t)z * n, before + (size_t)z * n, alpha, next_alpha, n);
        transform(plan, plane, z);
    }
}

void cpu_rl_step(struct device *dev, struct rl_plan *plan, const float *data, const float *now,
                 float *before, float floor, float alpha, float next_alpha)
{
    cpu_rl_blur(dev, plan, false);
    cpu_rl_ratio(dev, plan, data, floor);
    cpu_rl_blur(dev, plan, true);
    cpu_rl_advance(dev, plan, now, before, alpha, next_alpha);
}

void cpu_rl_predict(struct device *dev, float *point, const float *now, const float *before,
                    float alpha, size_t n)
{
    enum { CHUNK = 65536 };
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (size_t at = 0; at < n; at += CHUNK)
        predict(point + at, now + at, before + at, alpha, n - at < CHUNK ? n - at : CHUNK);
}

void cpu_subtract(struct device *dev, float *dst, const float *a, const float *b, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        dst[i] = a[i] - b[i];
}

void cpu_rl_regularise(struct device *dev, float *next, const float *point, struct kin_dims dims,
                       float tv, float damping)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for collapse(2) num_threads(dev->threads) schedule(static)
    for (int z = 0; z < dims.z; z++)
        for (int y = 0; y < dims.y; y++) {
            float *row = next + ((size_t)z * dims.y + y) * dims.x;
            for (int x = 0; x < dims.x; x++)
                row[x] = rl_regular(row[x], point, dims, z, y, x, tv, damping);
        }
}
