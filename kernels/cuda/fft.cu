// SPDX-License-Identifier: MIT
// fft.cu: real Fourier transforms on the GPU; the only door to cuFFT.
//
// A plan of cuFFT takes long to make and little to keep: it stays until the device is closed and
// serves every caller with the same shape. All of them share one scratch area, which is safe
// because they run one after the other on the work stream.
#include "cuda/fft.h"

#include <cufft.h>

struct fft_plan {
    struct fft_shape shape;
    cufftHandle forward, inverse; /* 0: not made */
    size_t bytes;                 /* scratch that both need */
    struct fft_plan *next;
};

/* ---- plans ----------------------------------------------------------------------------------- */

/* What cuFFT could not do because the card has failed is the card's failure. */
static bool check_fft(struct device *dev, cufftResult code, const char *place)
{
    cudaError_t below = code == CUFFT_SUCCESS ? cudaSuccess
                                              : cudaStreamQuery(gpu_stream(dev, GPU_WORK));
    if (below != cudaSuccess && below != cudaErrorNotReady)
        gpu_check(dev, below, place);
    if (code == CUFFT_ALLOC_FAILED)
        device_fail(dev, KIN_MEMORY, "%s has no memory for a transform (%s)", gpu_of(dev)->name,
                    place);
    else if (code != CUFFT_SUCCESS)
        device_fail(dev, KIN_DEVICE, "%s failed: cuFFT's error %d (%s)", gpu_of(dev)->name,
                    (int)code, place);
    return code == CUFFT_SUCCESS;
}

#define CHECK_FFT(dev, call) check_fft(dev, call, GPU_PLACE(#call))

typedef long long int wide;

/* One direction of a plan, made; its scratch is the shared area. 64-bit sizes: cuFFT takes 32-bit
 * kernels where these do. */
static cufftResult plan_way(const struct fft_shape *s, cufftType type, cufftHandle plan,
                            size_t *bytes)
{
    wide z = s->dims.z, y = s->dims.y, x = s->dims.x, half = x / 2 + 1;
    wide n[3] = {z, y, x}, real[3] = {z, y, s->padded ? 2 * half : x}, freq[3] = {z, y, half};
    int first = z > 1 ? 0 : y > 1 ? 1 : 2; /* axes of length 1 in front are left out */
    wide *in = type == CUFFT_R2C ? real : freq, *out = type == CUFFT_R2C ? freq : real;
    return cufftMakePlanMany64(plan, 3 - first, n + first, in + first, 1, z * y * in[2],
                               out + first, 1, z * y * out[2], type, s->batch, bytes);
}

/* The same; buffers that are kept for later make room when cuFFT has none, which it does not always
 * call by that name. */
static bool make_way(struct device *dev, const struct fft_shape *s, cufftType type,
                     cufftHandle *plan, size_t *bytes)
{
    for (int attempt = 0;; attempt++) {
        if (!CHECK_FFT(dev, cufftCreate(plan)) || !CHECK_FFT(dev, cufftSetAutoAllocation(*plan, 0)))
            return false;
        cufftResult made = plan_way(s, type, *plan, bytes);
        if (made == CUFFT_SUCCESS || attempt)
            return check_fft(dev, made, GPU_PLACE("cufftMakePlanMany64")) &&
                   CHECK_FFT(dev, cufftSetStream(*plan, gpu_stream(dev, GPU_WORK)));
        cufftDestroy(*plan);
        *plan = 0;
        gpu_trim(dev);
    }
}

static void set_area(struct device *dev, struct fft_plan *plan)
{
    if (device_stopped(dev))
        return;
    CHECK_FFT(dev, cufftSetWorkArea(plan->forward, gpu_of(dev)->fft_area));
    CHECK_FFT(dev, cufftSetWorkArea(plan->inverse, gpu_of(dev)->fft_area));
}

/* The shared area, at least that large; all plans are told when it moves. */
static void grow_area(struct device *dev, size_t bytes)
{
    struct gpu *gpu = gpu_of(dev);
    if (bytes <= gpu->fft_bytes)
        return;
    gpu_release(dev, gpu->fft_area);
    gpu->fft_area = (float *)gpu_alloc(dev, bytes);
    gpu->fft_bytes = gpu->fft_area ? bytes : 0;
    for (struct fft_plan *p = gpu->plans; p; p = p->next)
        set_area(dev, p);
}

static bool same_shape(const struct fft_shape *a, const struct fft_shape *b)
{
    return a->dims.z == b->dims.z && a->dims.y == b->dims.y && a->dims.x == b->dims.x &&
           a->batch == b->batch && a->padded == b->padded;
}

static void drop_first_plan(struct gpu *gpu)
{
    struct fft_plan *plan = gpu->plans;
    gpu->plans = plan->next;
    if (plan->forward)
        cufftDestroy(plan->forward);
    if (plan->inverse)
        cufftDestroy(plan->inverse);
    free(plan);
}

static struct fft_plan *make_plan(struct device *dev, const struct fft_shape *shape)
{
    struct gpu *gpu = gpu_of(dev);
    size_t need[2] = {0, 0};
    bool sane = kin_count(shape->dims) && shape->batch > 0;
    struct fft_plan *plan = sane ? (struct fft_plan *)calloc(1, sizeof *plan) : NULL;
    if (!plan) {
        device_fail(dev, sane ? KIN_MEMORY : KIN_DEVICE,
                    "no plan for a transform of %d x (%d, %d, %d)", shape->batch, shape->dims.z,
                    shape->dims.y, shape->dims.x);
        return NULL;
    }
    plan->shape = *shape;
    plan->next = gpu->plans;
    gpu->plans = plan;
    if (make_way(dev, shape, CUFFT_R2C, &plan->forward, &need[0]) &&
        make_way(dev, shape, CUFFT_C2R, &plan->inverse, &need[1])) {
        plan->bytes = need[0] > need[1] ? need[0] : need[1];
        plan->bytes += !plan->bytes; /* there must be some, even if it is not used */
        return plan;
    }
    drop_first_plan(gpu);
    return NULL;
}

struct fft_plan *gpu_fft_shaped(struct device *dev, struct fft_shape shape)
{
    if (device_stopped(dev))
        return NULL;
    struct fft_plan *plan = gpu_of(dev)->plans;
    while (plan && !same_shape(&plan->shape, &shape))
        plan = plan->next;
    if (!plan)
        plan = make_plan(dev, &shape);
    if (plan) {
        grow_area(dev, plan->bytes);
        set_area(dev, plan);
    }
    return device_stopped(dev) ? NULL : plan;
}

void gpu_drop_plans(struct device *dev)
{
    while (gpu_of(dev)->plans)
        drop_first_plan(gpu_of(dev));
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* Where another share of the card has got no larger area, the old one is gone: this asks anew. */
static bool has_area(struct device *dev, const struct fft_plan *plan)
{
    if (!device_stopped(dev))
        grow_area(dev, plan->bytes);
    return !device_stopped(dev);
}

void gpu_fft_run_forward(struct device *dev, struct fft_plan *plan, float *real, float *spectrum)
{
    if (!has_area(dev, plan))
        return;
    gpu_of(dev)->calls++;
    gpu_timed timed(dev);
    CHECK_FFT(dev, cufftExecR2C(plan->forward, real, (cufftComplex *)spectrum));
}

void gpu_fft_run_inverse(struct device *dev, struct fft_plan *plan, float *spectrum, float *real)
{
    if (!has_area(dev, plan))
        return;
    gpu_of(dev)->calls++;
    gpu_timed timed(dev);
    CHECK_FFT(dev, cufftExecC2R(plan->inverse, (cufftComplex *)spectrum, real));
}

struct fft_plan *gpu_fft_plan(struct device *dev, struct kin_dims dims, int batch)
{
    return gpu_fft_shaped(dev, (struct fft_shape){dims, batch, false});
}

void gpu_fft_forward(struct device *dev, struct fft_plan *plan, const float *real, float *complex)
{
    gpu_fft_run_forward(dev, plan, (float *)real,
                        complex); /* cuFFT does not change it: it is not the output */
}

void gpu_fft_inverse(struct device *dev, struct fft_plan *plan, float *complex, float *real)
{
    if (device_stopped(dev))
        return;
    size_t one = kin_count(plan->shape.dims), n = one * (size_t)plan->shape.batch;
    gpu_fft_run_inverse(dev, plan, complex, real);
    gpu_scale(dev, real, (float)(1.0 / (double)one), n);
}

void gpu_fft_free(struct device *dev, struct fft_plan *plan)
{
    /* Plans are kept for the next caller: see above. */
}
