/* cuda_runtime.h: a card made of loops, so that the kernels' own source is compiled by the host's
 * C++ compiler and run on machines without a GPU. Stands in for CUDA's header of the same name in
 * the plug-in that tests build.
 *
 * Blocks run one after the other, the threads of a block as fibers that change at barriers and
 * shuffles. Streams are queues: nothing in them runs before the host waits for it, and then nothing
 * else than what it waits for, so that whatever lacks an event, a barrier or its own buffer gives
 * wrong pixels. Fresh memory holds NaN. Vectors have the card's alignment: with the sanitizers, an
 * address that a card would refuse is found. What a card refuses while a stream is captured, copies
 * of other memory than they say, transforms of memory that is not there, and setting a kernel's
 * attribute to what it is, for which a card may wait, end the process.
 *
 * The environment of the process that opens it:
 *     KINTSUGI_EMULATED_ORDER=down   blocks and threads run from the last to the first; apart: see
 *                                    tests/ptx/warp.h
 *     KINTSUGI_EMULATED_COPIES=early a copy to or from the host is made at once, and before it no
 *                                    more than what its stream waits for; else when the host waits
 *     KINTSUGI_EMULATED_COUNTS=FILE  where the card of tests/ptx writes what kernels have executed
 *     KINTSUGI_EMULATED_MEMORY=MB    memory of the card (4096)
 *     KINTSUGI_EMULATED_BLOCK=KB     shared memory that a block can have (227)
 *     KINTSUGI_EMULATED_SHARED=FILE  where processes that share the card count what they have taken
 *     KINTSUGI_EMULATED_LOST=N       the card is lost at its N-th kernel
 *     KINTSUGI_EMULATED_BUSY=yes     another process has the card for itself
 *     KINTSUGI_EMULATED_DRIVER=N     the driver's version (13000); too old when it is below 13000
 *     KINTSUGI_EMULATED_FAIL=WHAT:N  the N-th call of a kind fails, after which the variable is
 *                                    gone. WHAT: memory, pinned, launch, copy, event, wait,
 *                                    stream, plan, transform, capture
 *     KINTSUGI_EMULATED_CARDS=N      how many there are (1)
 *     KINTSUGI_EMULATED_IDLE=yes     after the kernel that tries the card nothing is computed or
 *                                    copied any more, so that only the host takes time; what comes
 *                                    back means nothing
 * What is still held when the process ends is an error of the plug-in: it aborts. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads();

/* The value of the thread of the same warp that is `further` on; of the running one where there is
 * none. */
uint64_t emulated_shuffle(uint64_t value, size_t bytes, int further);

template <typename T> T emulated_shuffled(T value, int further)
{
    uint64_t bits = 0;
    static_assert(std::is_trivially_copyable_v<T> && sizeof value <= sizeof bits);
    memcpy(&bits, &value, sizeof value);
    bits = emulated_shuffle(bits, sizeof value, further);
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T> T __shfl_up_sync(unsigned, T value, unsigned threads)
{
    return emulated_shuffled(value, -(int)threads);
}

template <typename T> T __shfl_down_sync(unsigned, T value, unsigned threads)
{
    return emulated_shuffled(value, (int)threads);
}

/* For which threads of the warp it is so: a bit of each. */
unsigned emulated_ballot(bool so);

inline unsigned __ballot_sync(unsigned, int so)
{
    return emulated_ballot(so);
}

inline int __all_sync(unsigned, int so)
{
    return emulated_ballot(so) == ~0u;
}

inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

/* The lesser of both halves. */
inline unsigned __vminu2(unsigned a, unsigned b)
{
    return std::min(a & 0xffff, b & 0xffff) | std::min(a >> 16, b >> 16) << 16;
}

/* Dynamic shared memory of the running block. */
void *emulated_shared();
template <typename T> T *gpu_shared()
{
    return (T *)emulated_shared();
}

struct alignas(8) float2 {
    float x, y;
};

struct alignas(4) ushort2 {
    unsigned short x, y;
};

inline void sincospif(float x, float *sine, float *cosine)
{
    *sine = (float)std::sin(M_PI * x);
    *cosine = (float)std::cos(M_PI * x);
}

unsigned atomicAdd(unsigned *at, unsigned value);
unsigned long long atomicAdd(unsigned long long *at, unsigned long long value);

/* ---- the runtime: by CUDA's own names and values ---- */

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorCudartUnloading = 4,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorNoDevice = 100,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorECCUncorrectable = 214,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorNotReady = 600,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorHardwareStackError = 714,
    cudaErrorLaunchFailure = 719,
    cudaErrorSystemNotReady = 802,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorUnknown = 999,
};

struct emulated_stream;
struct emulated_event;
struct emulated_graph;
typedef emulated_stream *cudaStream_t;
typedef emulated_event *cudaEvent_t;
typedef emulated_graph *cudaGraph_t;
typedef emulated_graph *cudaGraphExec_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
};
enum { cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };

/* The first members of CUDA's, where it has them: what nvcc compiles uses them, too. */
struct cudaDeviceProp {
    char name[256];
    char others[104];
    int major, minor;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
};

extern "C" {

const char *cudaGetErrorString(cudaError_t code);
const char *cudaGetErrorName(cudaError_t code);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int number);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int number);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSynchronize();

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrReservedSharedMemoryPerBlock = 111
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaSharedCarveout { cudaSharedmemCarveoutMaxShared = 100 };
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int number);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);

cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaFree(void *at);
cudaError_t cudaMallocHost(void **at, size_t bytes);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);

/* What is queued on a stream while it is captured becomes a graph. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
}

/* Whether this is the call that KINTSUGI_EMULATED_FAIL asks to fail. */
bool emulated_failure(const char *kind);

/* Whether the card is gone. */
bool emulated_lost();

/* Whether kernels, transforms and copies are left out. */
bool emulated_idle();

/* Counts what is held, so that nothing is forgotten: things made less things given back. */
void emulated_hold(int count);

/* Queues work on a stream. */
void emulated_queue(cudaStream_t stream, std::function<void()> work);

/* Runs `thread` once for every thread of a grid. */
void emulated_grid(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread);

/* Called before and after a grid has run, before an atomic operation and for each thread that
 * shuffles; NULL: nobody wants to know. */
extern void (*emulated_on_launch)(bool begins);
extern void (*emulated_on_atomic)(const void *at, size_t bytes);
extern void (*emulated_on_shuffle)(size_t bytes);

/* What the threads of a block do between two barriers is of one epoch. Epochs are numbered from 1
 * on, and are never numbered again; block and launch: the first one of what runs. */
extern struct emulated_time {
    unsigned epoch, block, launch;
} emulated_now;

/* The buffer of the card's memory that an address is of; bytes is 0: none. */
struct emulated_buffer {
    const void *at;
    size_t bytes;
};
emulated_buffer emulated_buffer_of(const void *at);

/* Whether all these bytes are of one buffer. */
bool emulated_on_card(const void *at, size_t bytes);

/* Whether an address is of the card's memory, or of the running block's dynamic shared memory. */
inline bool emulated_is_memory(const void *at)
{
    return emulated_buffer_of(at).bytes > 0;
}
bool emulated_is_shared(const void *at);

/* Whether an address is of the running thread's own stack, or of what the kernel was launched with:
 * from `arguments` on, which whoever runs a grid may state. */
bool emulated_is_own(const void *at);
void emulated_arguments(const void *arguments, size_t bytes);

/* Whether such a grid may be launched, by the limits of real cards. */
cudaError_t emulated_launch(const cudaLaunchConfig_t *config, const void *kernel);

template <typename... Wanted, typename... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Wanted...),
                               Given... given)
{
    cudaError_t code = emulated_launch(config, (const void *)kernel);
    if (code != cudaSuccess)
        return code;
    struct launch {
        void (*kernel)(Wanted...);
        std::tuple<Wanted...> arguments;
    } it = {kernel, {given...}};
    cudaLaunchConfig_t c = *config;
    emulated_queue(c.stream, [=] {
        emulated_arguments(&it, sizeof it);
        emulated_grid(c.gridDim, c.blockDim, c.dynamicSmemBytes,
                      [&] { std::apply(it.kernel, it.arguments); });
    });
    return cudaSuccess;
}
