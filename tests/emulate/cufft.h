/* cufft.h: the part of cuFFT that kernels/cuda/fft.cu uses, by FFTW; see cuda_runtime.h beside
 * it. */
#pragma once

#include "cuda_runtime.h"

enum cufftResult {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_EXEC_FAILED = 6,
};
enum cufftType { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c };
typedef int cufftHandle; /* from 1 on */
typedef struct {
    float x, y;
} cufftComplex;
typedef float cufftReal;

extern "C" {
cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int yes);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t *bytes);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftSetWorkArea(cufftHandle plan, void *area);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out);
}
