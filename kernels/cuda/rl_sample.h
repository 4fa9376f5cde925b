/* SPDX-License-Identifier: MIT
 *
 * rl_sample.h: what Richardson-Lucy steps on the GPU do with single samples between an inverse
 * transform and the next one. Each kind of work is a struct:
 *
 *     BACK, ON          whether there is a transform before it, and after it
 *     from(first)       the same, its volumes beginning at sample `first`
 *     ask(n)            asks the memory for what is read of n samples, if there is time until then
 *     read<V>(at)       what it needs of volumes at sample `at`, V: float; or float2, then of at
 *                       + 1 (even), too
 *     make(at, v, model)  changes volumes; v: what was read, model: the inverse transform, not
 *                       scaled; answers what is to be transformed */
#pragma once

#include "cuda/rl.h"

/* A sample of a volume, or two. */
template <typename V> static __device__ inline V &rl_at(float *volume, int at)
{
    return *(V *)(volume + at);
}

template <typename V> static __device__ inline V rl_at(const float *volume, int at)
{
    return *(const V *)(volume + at);
}

/* f of a sample and another, or of two and two. */
template <typename Do> static __device__ inline float rl_each(Do f, float a, float b)
{
    return f(a, b);
}

template <typename Do> static __device__ inline float2 rl_each(Do f, float2 a, float2 b)
{
    return float2{f(a.x, b.x), f(a.y, b.y)};
}

struct rl_load {
    enum { BACK = false, ON = true };
    const float *image;
    __device__ struct rl_load from(size_t first) const { return {gpu_plain(image + first)}; }
    __device__ void ask(int) const {}
    template <typename V> __device__ V read(int at) const { return rl_at<V>(image, at); }
    template <typename V> __device__ V make(int, V v, V) const { return v; }
};

struct rl_store {
    enum { BACK = true, ON = false };
    float *image;
    float scale;
    __device__ struct rl_store from(size_t first) const
    {
        return {gpu_plain(image + first), scale};
    }
    __device__ void ask(int) const {}
    template <typename V> __device__ V read(int) const { return V{}; }
    template <typename V> __device__ V make(int at, V none, V model) const
    {
        return rl_at<V>(image, at) = rl_each([&](float, float m) { return rl_positive(m * scale); },
                                             none, model);
    }
};

struct rl_divide {
    enum { BACK = true, ON = true };
    const float *data;
    float floor, scale;
    __device__ struct rl_divide from(size_t first) const
    {
        return {gpu_plain(data + first), floor, scale};
    }
    __device__ void ask(int n) const { gpu_ask(data, n); }
    template <typename V> __device__ V read(int at) const { return rl_at<V>(data, at); }
    template <typename V> __device__ V make(int, V v, V model) const
    {
        return rl_each([&](float d, float m) { return gpu_ratio(d, fmaxf(m * scale, floor)); }, v,
                       model);
    }
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
    __device__ void ask(int) const {}
    template <typename V> __device__ V read(int at) const { return rl_at<V>(point, at); }
    template <typename V> __device__ V make(int at, V v, V model) const
    {
        return rl_at<V>(next, at) = rl_each(
                   [&](float p, float m) { return p * rl_positive(m * scale); }, v, model);
    }
};

struct rl_go_on {
    enum { BACK = true, ON = true };
    const float *now;
    float *before;
    const struct rl_alphas *alphas;
    float scale;
    __device__ struct rl_go_on from(size_t first) const
    {
        return {gpu_plain(now + first), gpu_plain(before + first), alphas, scale};
    }
    __device__ void ask(int) const {}
    template <typename V> struct last {
        V now, before;
    };
    template <typename V> __device__ last<V> read(int at) const
    {
        return {rl_at<V>(now, at), rl_at<V>((const float *)before, at)};
    }
    template <typename V> __device__ V make(int at, last<V> v, V model) const
    {
        struct rl_alphas alpha = {gpu_fixed(alphas->here), gpu_fixed(alphas->next)};
        V point = rl_each([&](float n, float b) { return rl_ahead(n, b, alpha.here); }, v.now,
                          v.before);
        V next = rl_each([&](float p, float m) { return p * rl_positive(m * scale); }, point,
                         model);
        rl_at<V>(before, at) = next;
        return rl_each([&](float n, float b) { return rl_ahead(n, b, alpha.next); }, next, v.now);
    }
};

/* X(work): all of them. */
#define RL_WORK(X) X(rl_load) X(rl_store) X(rl_divide) X(rl_multiply) X(rl_go_on)

/* Does it in all samples: with transforms of the plan's planes by cuFFT, or of its lines in shared
 * memory. */
template <typename Work> void rl_on_planes(struct device *dev, struct rl_plan *plan, Work work);
template <typename Work> void rl_on_lines(struct device *dev, struct rl_plan *plan, Work work);
