// SPDX-License-Identifier: MIT
// cufft.cpp: cuFFT's plans by FFTW. Scratch areas are used for nothing but to show who else uses them.
#include "cufft.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fftw3.h>
#include <map>
#include <vector>

namespace {

struct plan {
    int rank, batch, in_step, out_step;
    std::vector<int> n, in, out;
    cufftType type;
    size_t bytes;
    cudaStream_t stream;
    void *area;
};

std::map<int, plan> &plans = *new std::map<int, plan>(); // stays until the process ends
int last;

plan *find(cufftHandle handle)
{
    auto at = plans.find(handle);
    return at == plans.end() ? nullptr : &at->second;
}

void run(const plan &p, float *real, fftwf_complex *freq)
{
    if (emulated_idle())
        return;
    unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    fftwf_plan made = p.type == CUFFT_R2C
                          ? fftwf_plan_many_dft_r2c(p.rank, p.n.data(), p.batch, real, p.in.data(), 1, p.in_step, freq,
                                                    p.out.data(), 1, p.out_step, flags)
                          : fftwf_plan_many_dft_c2r(p.rank, p.n.data(), p.batch, freq, p.in.data(), 1, p.in_step, real,
                                                    p.out.data(), 1, p.out_step, flags);
    memset(p.area, 0xff, p.bytes);
    fftwf_execute(made);
    fftwf_destroy_plan(made);
}

/* What cuFFT does not look at: it would read and write past a buffer's end, and fail at complex numbers whose size does
 * not divide their address. */
void check_memory(const plan &p, const void *at, int step, size_t size)
{
    const char *why = !emulated_on_card(at, (size_t)p.batch * (size_t)step * size) ? "past the end of a buffer"
                      : (uintptr_t)at % sizeof(cufftComplex)                       ? "of numbers that 8 does not divide"
                      : !emulated_on_card(p.area, p.bytes)                         ? "without the room that it needs"
                                                                                   : nullptr;
    if (!why)
        return;
    fprintf(stderr, "emulated card: a transform %s\n", why);
    abort();
}

cufftResult queue(cufftHandle handle, cufftType type, float *real, cufftComplex *freq)
{
    plan *p = find(handle);
    if (!p || p->type != type || !p->stream || !p->area || emulated_failure("transform") || emulated_lost())
        return CUFFT_EXEC_FAILED;
    bool there = type == CUFFT_R2C;
    plan copy = *p;
    check_memory(copy, real, there ? copy.in_step : copy.out_step, sizeof *real);
    check_memory(copy, freq, there ? copy.out_step : copy.in_step, sizeof *freq);
    emulated_queue(p->stream, [=] { run(copy, real, (fftwf_complex *)freq); });
    return CUFFT_SUCCESS;
}

} // namespace

cufftResult cufftCreate(cufftHandle *handle)
{
    plans[*handle = ++last] = plan();
    emulated_hold(1);
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    if (!plans.erase(handle))
        return CUFFT_INVALID_PLAN;
    emulated_hold(-1);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int yes)
{
    return find(handle) && !yes ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, long long *onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t *bytes)
{
    if (emulated_failure("plan"))
        return CUFFT_ALLOC_FAILED;
    plan *p = find(handle);
    if (!p || istride != 1 || ostride != 1)
        return CUFFT_INVALID_PLAN;
    *p = plan{rank,
              (int)batch,
              (int)idist,
              (int)odist,
              std::vector<int>(n, n + rank),
              std::vector<int>(inembed, inembed + rank),
              std::vector<int>(onembed, onembed + rank),
              type,
              (size_t)batch * (size_t)(type == CUFFT_R2C ? odist : idist) * sizeof(cufftComplex),
              nullptr,
              nullptr};
    *bytes = p->bytes;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plan *p = find(handle);
    if (p)
        p->stream = stream;
    return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    plan *p = find(handle);
    if (p)
        p->area = area;
    return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftExecR2C(cufftHandle handle, cufftReal *in, cufftComplex *out)
{
    return queue(handle, CUFFT_R2C, in, out);
}

cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *in, cufftReal *out)
{
    return queue(handle, CUFFT_C2R, out, in);
}
