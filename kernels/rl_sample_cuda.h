/* SPDX-License-Identifier: MIT
 *
 * rl_sample_cuda.h: what Richardson-Lucy steps on the GPU do with single samples between an inverse
 * transform and the next one. Each kind of work is a struct:
 *
 *     BACK, ON          whether there is a transform before it, and after it
 *     from(first)       the same, its volumes beginning at sample `first`
 *     read(at)          what it needs of volumes at sample `at`
 *     make(at, v, model)  changes volumes; v: what was read, model: the inverse transform, not scaled;
 *                       answers what is to be transformed
 */
#pragma once

#include "rl_cuda.h"

struct rl_load {
    enum { BACK = false, ON = true };
    const float *image;
    __device__ struct rl_load from(size_t first) const { return {gpu_plain(image + first)}; }
    __device__ float read(unsigned at) const { return image[at]; }
    __device__ float make(unsigned, float v, float) const { return v; }
};

struct rl_store {
    enum { BACK = true, ON = false };
    float *image;
    float scale;
    __device__ struct rl_store from(size_t first) const { return {gpu_plain(image + first), scale}; }
    __device__ float read(unsigned) const { return 0; }
    __device__ float make(unsigned at, float, float model) const
    {
        return image[at] = rl_positive(model * scale);
    }
};

struct rl_divide {
    enum { BACK = true, ON = true };
    const float *data;
    float floor, scale;
    __device__ struct rl_divide from(size_t first) const { return {gpu_plain(data + first), floor, scale}; }
    __device__ float read(unsigned at) const { return data[at]; }
    __device__ float make(unsigned, float v, float model) const { return rl_divided(v, model * scale, floor); }
};

struct rl_multiply {
    enum { BACK = true, ON = false };
    float *next;
    const float *point;
    float scale;
    __device__ struct rl_multiply from(size_t first) const
    {
        return {gpu_plain(next + first), gpu_plain(point + first), scale};
    }
    __device__ float read(unsigned at) const { return point[at]; }
    __device__ float make(unsigned at, float v, float model) const
    {
        return next[at] = v * rl_positive(model * scale);
    }
};

struct rl_go_on {
    enum { BACK = true, ON = true };
    float *point, *before;
    const float *alpha;
    float scale;
    __device__ struct rl_go_on from(size_t first) const
    {
        return {gpu_plain(point + first), gpu_plain(before + first), alpha, scale};
    }
    struct sample {
        float point, before;
    };
    __device__ sample read(unsigned at) const { return sample{point[at], before[at]}; }
    __device__ float make(unsigned at, sample v, float model) const
    {
        float now = v.point * rl_positive(model * scale);
        before[at] = now;
        return point[at] = rl_ahead(now, v.before, *alpha);
    }
};

/* X(work): all of them. */
#define RL_WORK(X) X(rl_load) X(rl_store) X(rl_divide) X(rl_multiply) X(rl_go_on)

/* Does it in all samples: with transforms of the plan's planes by cuFFT, or of its lines in shared memory. */
template <typename Work> void rl_on_planes(struct device *dev, struct rl_plan *plan, Work work);
template <typename Work> void rl_on_lines(struct device *dev, struct rl_plan *plan, Work work);
