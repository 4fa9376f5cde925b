// SPDX-License-Identifier: MIT
/* rl_planes.cu: Richardson-Lucy's work on single samples between transforms of planes by
 * cuFFT.
 *
 * The rows of the real volume have room for the complex ones, and both live in the same memory. On
 * a mirrored domain planes are sorted there (dct.h): work on single samples looks for them where
 * they were sorted to. */
#include "cuda/fft.h"
#include "cuda/rl_sample.h"
#include "cuda/sample.h"

extern "C" {
#include "device/dct.h"
}

namespace {

template <typename Work> struct in_planes {
    float *real; /* in rows of `pitch` floats; volumes have rows of w */
    Work work;
    int h, w, pitch;
    bool sorted; /* its planes are (dct.h) */

    struct sample {
        decltype(Work().template read<float>(0)) v;
        float model;
    };
    __device__ Work at(int z, int y, int x) const { return work.from(((size_t)z * h + y) * w + x); }
    __device__ size_t wide_at(int z, int y, int x) const
    {
        if (sorted) {
            y = dct_place(y, h);
            x = dct_place(x, w);
        }
        return ((size_t)z * h + y) * pitch + x;
    }
    __device__ sample read(int z, int y, int x) const
    {
        return sample{at(z, y, x).template read<float>(0), Work::BACK ? real[wide_at(z, y, x)] : 0};
    }
    __device__ void write(int z, int y, int x, sample s) const
    {
        float made = at(z, y, x).make(0, s.v, s.model);
        if (Work::ON)
            real[wide_at(z, y, x)] = made;
    }
};

} // namespace

template <typename Work> void rl_on_planes(struct device *dev, struct rl_plan *plan, Work work)
{
    if (Work::BACK)
        gpu_fft_run_inverse(dev, plan->fft, plan->spectrum, plan->spectrum);
    on_pixels(dev, GPU_PLACE("kernel in_planes"), plan->dims,
              in_planes<Work>{plan->spectrum, work, plan->dims.y, plan->dims.x, 2 * plan->half,
                              plan->ends == RL_MIRRORED});
    if (Work::ON)
        gpu_fft_run_forward(dev, plan->fft, plan->spectrum, plan->spectrum);
}

#define X(work) template void rl_on_planes(struct device *, struct rl_plan *, work);
RL_WORK(X)
