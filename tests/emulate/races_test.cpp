// SPDX-License-Identifier: MIT
// races.cpp on kernels that race and kernels that do not. They are compiled as the real ones are.
#include "cuda_runtime.h"
#include "races.h"

#include <cstdio>
#include <vector>

namespace {

enum { THREADS = 64, BLOCKS = 3 };

__global__ void neighbours(int *out, bool barrier)
{
    int *shared = gpu_shared<int>(), t = (int)threadIdx.x;
    shared[t] = t;
    if (barrier)
        __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = shared[(t + 1) % THREADS];
}

/* The second round writes what the first one reads. */
__global__ void rounds(int *out, bool barrier)
{
    int *shared = gpu_shared<int>(), t = (int)threadIdx.x, sum = 0;
    for (int round = 0; round < 2; round++) {
        shared[t] = t + round;
        __syncthreads();
        sum += shared[THREADS - 1 - t];
        if (barrier)
            __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void fixed_array(int *out, bool barrier)
{
    __shared__ int last;
    if (threadIdx.x == THREADS - 1)
        last = 1;
    if (barrier)
        __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = last;
}

__global__ void same_place(int *out, unsigned blocks, unsigned threads)
{
    if (blockIdx.x < blocks && threadIdx.x < threads)
        out[0] = 1;
}

/* Each block reads what the next one writes. */
__global__ void other_block(int *out, bool apart)
{
    unsigned from = (blockIdx.x + (apart ? 0 : 1)) % BLOCKS;
    out[blockIdx.x * THREADS + threadIdx.x] += out[from * THREADS + threadIdx.x];
}

/* All read the first one; then one of them writes it. */
__global__ void read_by_all(int *out, bool writes)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i > 0)
        out[i] = out[0];
    if (writes && i == BLOCKS * THREADS - 1)
        out[0] = 1;
}

__global__ void bytes_side_by_side(int *out)
{
    ((char *)out)[blockIdx.x * THREADS + threadIdx.x] = 1;
}

__global__ void count(int *out, bool reads)
{
    unsigned long long *sum = (unsigned long long *)out;
    atomicAdd(sum, 1);
    if (reads && threadIdx.x == 5)
        ((int *)out)[4] = (int)*sum;
}

/* As a table of the host that was not copied to the card. */
__global__ void look_up(int *out, const int *table)
{
    out[blockIdx.x * THREADS + threadIdx.x] = table[threadIdx.x];
}

const int constants[THREADS] = {1};
int number, failed, *out;
cudaStream_t stream;

void expect(bool race, const char *what, const std::function<void()> &thread)
{
    cudaLaunchConfig_t shape = {BLOCKS, THREADS, THREADS * sizeof(int), stream};
    emulated_grid(shape.gridDim, shape.blockDim, shape.dynamicSmemBytes, thread);
    bool found = races_take() > 0;
    failed += found != race;
    printf("%sok %d - %s%s\n", found == race ? "" : "not ", ++number, race ? "a fault: " : "none: ", what);
}

void test_blocks_of_threads()
{
    expect(false, "neighbours in shared memory, a barrier between", [] { neighbours(out, true); });
    expect(true, "without it", [] { neighbours(out, false); });
    expect(false, "two rounds, barriers before and after reading", [] { rounds(out, true); });
    expect(true, "none after reading", [] { rounds(out, false); });
    expect(false, "an array of fixed size", [] { fixed_array(out, true); });
    expect(true, "the same without a barrier", [] { fixed_array(out, false); });
}

void test_global_memory()
{
    expect(false, "one thread writes", [] { same_place(out, 1, 1); });
    expect(true, "two threads of a block write the same", [] { same_place(out, 1, 2); });
    expect(true, "two blocks write the same", [] { same_place(out, 2, 1); });
    expect(false, "each block has its own", [] { other_block(out, true); });
    expect(true, "each block reads what another writes", [] { other_block(out, false); });
    expect(false, "all read", [] { read_by_all(out, false); });
    expect(true, "all read, and one writes then", [] { read_by_all(out, true); });
    expect(false, "bytes side by side", [] { bytes_side_by_side(out); });
    expect(false, "atomic sums", [] { count(out, false); });
    expect(true, "atomic sums, and one reads them", [] { count(out, true); });
}

void test_memory_of_the_host()
{
    std::vector<int> table(THREADS);
    int *there = table.data();
    expect(true, "a table of the host", [=] { look_up(out, there); });
    expect(false, "constants", [] { look_up(out, constants); });
    expect(false, "a table on the card", [] { look_up(out, out + BLOCKS * THREADS); });
}

} // namespace

int main()
{
    size_t bytes = (BLOCKS + 1) * THREADS * sizeof(int);
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) || cudaMalloc((void **)&out, bytes))
        return 1;
    test_blocks_of_threads();
    test_global_memory();
    test_memory_of_the_host();
    printf("1..%d\n", number);
    cudaFree(out);
    cudaStreamDestroy(stream);
    return failed > 0;
}
