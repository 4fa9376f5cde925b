/* SPDX-License-Identifier: MIT
 *
 * device.h: the GPU's side of the table in device/device.h. Every primitive NAME is a function
 * gpu_NAME, declared here by the table itself and defined in the *.cu of the name that the *_cpu.c
 * has which specifies it, or in one beside that; first its kernels, then what launches them.
 *
 * Work is queued and answers later: only what brings numbers to the host (download, sum, ...)
 * waits. The primitives of the table take turns, so that one thread at a time is in here; but
 * host_alloc and host_release have a lock of their own. All kernels run on one stream, WORK, one
 * after the other. Uploads go through pinned memory on a second stream, LANE: into a buffer that
 * nothing has used since it was allocated they wait for what was queued when its memory was last
 * released, into any other for all that is queued. Kernels always wait for uploads made before
 * them. Downloads go on a third stream, BACK: of a buffer that was settled they wait for what was
 * queued before that, of any other for all that is queued.
 *
 * All threads of a block reach every __syncthreads; a kernel that calls gpu_block_sums or
 * gpu_block_best has blocks of GPU_THREADS. Sums are taken in double over fixed pieces in a fixed
 * order; no float is ever added by an atomic, so that results do not change from run to run. */
#pragma once

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

extern "C" {
#include "device/gpu_plugin.h"

#define X(type, primitive, ...) type gpu_##primitive(struct device *dev, __VA_ARGS__);
DEVICE_PRIMITIVES(X)
#undef X
}

enum { GPU_THREADS = 256, GPU_SLOTS = 4 };
enum { GPU_SHARED = 48 << 10 }; /* bytes of shared memory that every card has for a block */
enum { GPU_WORK, GPU_LANE, GPU_BACK, GPU_STREAMS };

struct gpu_block; /* cuda/memory.cu */
struct gpu_host;
struct gpu_clock; /* cuda/clock.cu */
struct fft_plan;  /* cuda/fft.cu */

struct gpu_slot {     /* a buffer of the host through which copies go */
    void *bytes;      /* NULL: not made yet */
    bool pinned;      /* else it is ordinary memory: slower, and copies do not overlap */
    cudaEvent_t done; /* what last used it */
};

struct gpu {
    char name[128];
    pthread_mutex_t door; /* of a primitive, and of all below while it runs */
    /* bytes of shared memory that a block can have at most, if it asks for them */
    size_t shared;
    size_t shared_all;      /* that blocks share on a multiprocessor */
    size_t shared_reserved; /* of it that the driver takes for each block besides */
    cudaStream_t streams[GPU_STREAMS];
    cudaEvent_t busy; /* scratch: what another stream, or the host, is to wait for */
    struct gpu_block *blocks;
    size_t used;    /* bytes of all blocks */
    uint64_t calls; /* kernels and copies queued so far: whether a buffer is untouched */
    struct gpu_slot slots[GPU_SLOTS];
    int slot; /* the next one */
    struct gpu_host *hosts;
    struct fft_plan *plans;
    float *fft_area; /* scratch of the transforms, as large as the largest needs */
    size_t fft_bytes;
    struct gpu_clock *clock; /* NULL: nobody asks, or a graph is being made */
};

static inline struct gpu *gpu_of(const struct device *dev)
{
    return (struct gpu *)dev->back_end;
}

static inline cudaStream_t gpu_stream(const struct device *dev, int which)
{
    return gpu_of(dev)->streams[which];
}

/* True if nothing went wrong; otherwise the first failure is kept, with its place. */
bool gpu_check(struct device *dev, cudaError_t code, const char *place);

/* Lets blocks of a kernel have that many bytes of shared memory, more than GPU_SHARED. False: the
 * card refuses, and the device has failed. */
bool gpu_widen(struct device *dev, const void *kernel, size_t bytes, const char *place);

/* Gives the buffers back that are kept for later. */
void gpu_trim(struct device *dev);

/* Gives everything back that cuda/memory.cu or cuda/fft.cu holds. */
void gpu_drop_memory(struct device *dev);
void gpu_drop_plans(struct device *dev);

/* The clock of all that is queued on WORK (cuda/clock.cu). */
void gpu_clock_open(struct device *dev);
void gpu_clock_close(struct device *dev);
void gpu_clock_start(struct device *dev);
void gpu_clock_stop(struct device *dev);

/* Seconds; NAN: nobody asked for them. */
double gpu_clock_read(struct device *dev);

/* While it lives, what is queued on WORK is timed. */
struct gpu_timed {
    struct device *dev;
    explicit gpu_timed(struct device *device)
        : dev(device_stopped(device) || !gpu_of(device)->clock ? NULL : device)
    {
        if (dev)
            gpu_clock_start(dev);
    }
    ~gpu_timed()
    {
        if (dev)
            gpu_clock_stop(dev);
    }
};

/* While it lives, other threads wait that call a primitive. */
struct gpu_turn {
    struct gpu *gpu;
    explicit gpu_turn(struct device *dev) : gpu(gpu_of(dev)) { pthread_mutex_lock(&gpu->door); }
    ~gpu_turn() { pthread_mutex_unlock(&gpu->door); }
};

/* gpu_alloc for n values of type T. */
template <typename T> T *gpu_array(struct device *dev, size_t n)
{
    return (T *)gpu_alloc(dev, n * sizeof(T));
}

#define GPU_TEXT(x)          #x
#define GPU_LINE(x)          GPU_TEXT(x)
#define GPU_PLACE(what)      (what " at " __FILE__ ":" GPU_LINE(__LINE__))
#define GPU_CHECK(dev, call) gpu_check(dev, call, GPU_PLACE(#call))

/* Queues a kernel: LAUNCH(dev, kernel, grid, threads, bytes of shared memory)(arguments...). A grid
 * with nothing in it is no error. */
template <typename... Wanted> struct gpu_launch {
    struct device *dev;
    const char *place;
    void (*kernel)(Wanted...);
    dim3 grid, threads;
    size_t shared;

    template <typename... Given> void operator()(Given... given) const
    {
        if (device_stopped(dev) || !grid.x || !grid.y || !grid.z)
            return;
        cudaLaunchConfig_t config = {};
        config.gridDim = grid;
        config.blockDim = threads;
        config.dynamicSmemBytes = shared;
        config.stream = gpu_stream(dev, GPU_WORK);
        gpu_of(dev)->calls++;
        if (shared > GPU_SHARED && !gpu_widen(dev, (const void *)kernel, shared, place))
            return;
        gpu_timed timed(dev);
        gpu_check(dev, cudaLaunchKernelEx(&config, kernel, static_cast<Wanted>(given)...), place);
    }
};

template <typename... Wanted>
gpu_launch<Wanted...> gpu_launching(struct device *dev, const char *place,
                                    void (*kernel)(Wanted...), dim3 grid, dim3 threads,
                                    size_t shared)
{
    return {dev, place, kernel, grid, threads, shared};
}

#define LAUNCH(dev, kernel, grid, threads, shared)                                                 \
    gpu_launching(dev, GPU_PLACE("kernel " #kernel), kernel, grid, threads, shared)

/* ---- shapes of grids ------------------------------------------------------------------------- */

static inline unsigned gpu_pieces(size_t n, size_t piece)
{
    return (unsigned)((n + piece - 1) / piece);
}

/* One thread for each of n elements: LAUNCH(dev, kernel, gpu_each(n), GPU_THREADS, 0). */
static inline dim3 gpu_each(size_t n)
{
    return dim3(gpu_pieces(n, GPU_THREADS));
}

/* Multiprocessors of the card. */
int gpu_processors(struct device *dev);

/* Rows that a thread makes where each takes some to begin: `most` of them, half as many until there
 * are threads that keep the card busy, but `least`. threads: if each made one. */
int gpu_rows_each(struct device *dev, size_t threads, int least, int most);

/* For __launch_bounds__: so many blocks of GPU_THREADS on a multiprocessor, or as many as there is
 * room for: eight on data centre cards from compute capability 8.0 on, six on others, four on
 * 7.5. */
static constexpr int gpu_blocks(int n)
{
#ifdef __CUDA_ARCH__
    constexpr bool centre = __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200);
    constexpr int room = __CUDA_ARCH__ < 800 ? 4 : centre ? 8 : 6;
    return n < room ? n : room;
#else
    return n;
#endif
}

static __device__ inline size_t gpu_index()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* A thread for each pixel of `planes` planes of rows x cols: GPU_TILE threads, 64 wide and 4 high.
 * Grids are no higher than 65535: a thread of a very tall image takes several rows. */
#define GPU_TILE dim3(64, 4)

static inline dim3 gpu_pixels(int rows, int cols, int planes = 1)
{
    unsigned high = gpu_pieces((size_t)rows, 4);
    return dim3(gpu_pieces((size_t)cols, 64), high < 65535 ? high : 65535, (unsigned)planes);
}

static __device__ inline int gpu_x()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static __device__ inline int gpu_y()
{
    return (int)(blockIdx.y * blockDim.y + threadIdx.y);
}

static __device__ inline int gpu_y_step()
{
    return (int)(gridDim.y * blockDim.y);
}

/* The loop over the pixels of a thread of such a grid. */
#define GPU_PIXELS(y, x, rows, cols)                                                               \
    for (int y = gpu_y(), x = gpu_x(); y < (rows) && x < (cols); y += gpu_y_step())

/* Before a loop: how many of its turns become one. */
#ifdef __CUDA_ARCH__
#define GPU_PRAGMA(words)   _Pragma(#words)
#define GPU_UNROLLED(turns) GPU_PRAGMA(unroll turns)
#else
#define GPU_UNROLLED(turns)
#endif

/* A number of which the compiler knows no more than its value, a pointer of which it knows that it
 * is to the card's memory: what is added to it in a loop takes one instruction, and not what it
 * takes to add it to what they were made of. */
static __device__ inline unsigned gpu_plain(unsigned value)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(value));
#endif
    return value;
}

static __device__ inline float gpu_plain(float value)
{
#ifdef __CUDA_ARCH__
    asm("" : "+f"(value));
#endif
    return value;
}

template <typename T> static __device__ inline T *gpu_plain(T *pointer)
{
#ifdef __CUDA_ARCH__
    asm("" : "+l"(pointer));
    __builtin_assume(__isGlobal(pointer));
#endif
    return pointer;
}

/* `k` times `bytes` past it: one multiplication and sum of PTX, of which ptxas makes one to three
 * instructions. */
template <typename T> static __device__ inline T *gpu_past(T *pointer, unsigned bytes, int k)
{
#ifdef __CUDA_ARCH__
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(pointer) : "r"(bytes), "r"(k), "l"(pointer));
    __builtin_assume(__isGlobal(pointer));
    return pointer;
#else
    return (T *)((uintptr_t)pointer + (uintptr_t)bytes * (unsigned)k);
#endif
}

/* What no kernel changes that is running: reading it need not wait for what is written before. */
template <typename T> static __device__ inline T gpu_fixed(const T &value)
{
#ifdef __CUDA_ARCH__
    return __ldg(&value);
#else
    return value;
#endif
}

/* Asks for the 128 bytes in which a value lies that is read later, from the card's memory: by then
 * its last cache has them. Before compute capability 9.0 that may be too small for it. */
template <typename T> static __device__ inline void gpu_ask(const T *value)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    asm volatile("prefetch.global.L2 [%0];" : : "l"(value));
#endif
}

/* The same of n values, shared out among the threads of a block. */
template <typename T> static __device__ inline void gpu_ask(const T *values, int n)
{
    constexpr int LINE = 128 / sizeof(T);
    GPU_UNROLLED(1)
    for (int i = (int)threadIdx.x * LINE; i < n; i += GPU_THREADS * LINE)
        gpu_ask(values + i);
}

/* A copy to shared memory, of 4, 8 or 16 bytes, that may be made until gpu_copies_wait. */
template <typename T> static __device__ inline void gpu_copy_later(T *to, const T *from)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"(at), "l"(from), "n"(sizeof *to)
                 : "memory");
#else
    *to = *from;
#endif
}

static __device__ inline void gpu_copies_wait()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/* `at`, which is not known before `seen` is: what is loaded from there is asked for later than
 * that, and whoever waits for `seen` does not wait for it, too. Blocks are one thread deep, which
 * the compiler does not know. */
template <typename T> static __device__ inline T *gpu_after(T *at, unsigned seen)
{
    return at + (seen & (blockDim.z - 1));
}

/* a / b to two units in the last place; 0 for |b| >= 2^126. An exact division takes twice the
 * instructions. */
static __device__ inline float gpu_ratio(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

/* 1 / sqrt(v) to two units in the last place, and 1 / v to one, in one instruction: only for what
 * is no less than 2^-126, and does not make less. */
static __device__ inline float gpu_inverse_root(float v)
{
#ifdef __CUDA_ARCH__
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(v));
    return v;
#else
    return 1 / sqrtf(v);
#endif
}

static __device__ inline float gpu_inverse(float v)
{
#ifdef __CUDA_ARCH__
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(v));
    return v;
#else
    return 1 / v;
#endif
}

/* As gpu_ratio, but rarely another number than a / b, for |b| from 2^-126 to 2^126; else any. */
static __device__ inline float gpu_quotient(float a, float b)
{
#ifdef __CUDA_ARCH__
    float inverse = gpu_inverse(b);
    return fmaf(fmaf(-a * inverse, b, a), inverse, a * inverse);
#else
    return a / b;
#endif
}

/* The number with these bits, and the bits of a number. */
static __device__ inline float gpu_float_of(unsigned bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static __device__ inline unsigned gpu_bits_of(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The whole number next to it towards 0; of what no int holds, any. */
static __device__ inline int gpu_whole(float value)
{
#ifdef __CUDA_ARCH__
    return __float2int_rz(value);
#else
    return fabsf(value) < 0x1p31f ? (int)value : 0;
#endif
}

/* kin_round_u16 in one instruction. */
static __device__ inline uint16_t gpu_round_u16(float v)
{
#ifdef __CUDA_ARCH__
    uint16_t rounded;
    asm("cvt.rni.u16.f32 %0, %1;" : "=h"(rounded) : "f"(v));
    return rounded;
#else
    return kin_round_u16(v);
#endif
}

#ifdef __CUDACC__
/* The shared memory whose bytes the launch states. */
template <typename T> __device__ T *gpu_shared()
{
    extern __shared__ __align__(16) double raw[];
    return (T *)raw;
}
#endif

/* ---- sums ------------------------------------------------------------------------------------ */

enum { GPU_LANES = 32 };

/* What the threads of a warp have, added in a fixed order; for its first one. */
template <typename T> static __device__ inline T gpu_warp_sum(T value)
{
    KIN_UNROLL
    for (int half = GPU_LANES / 2; half; half /= 2)
        value += __shfl_down_sync(~0u, value, half);
    return value;
}

/* The sums of K values of each of the GPU_THREADS threads of a block, in a fixed order; thread 0
 * gets them. Only the first warp adds: had all to, they would do more than now wait. */
template <int K, typename T> __device__ void gpu_block_sums(T (&values)[K])
{
    __shared__ T part[K][GPU_THREADS];
    int me = (int)threadIdx.x;
    KIN_UNROLL
    for (int k = 0; k < K; k++)
        part[k][me] = values[k];
    __syncthreads();
    if (me < GPU_LANES) {
        KIN_UNROLL
        for (int k = 0; k < K; k++) {
            KIN_UNROLL
            for (int i = GPU_LANES; i < GPU_THREADS; i += GPU_LANES)
                values[k] += part[k][me + i];
            values[k] = gpu_warp_sum(values[k]);
        }
    }
    __syncthreads(); /* the next call writes to part */
}

/* Of one value; any other thread gets something else. */
template <typename T> __device__ T gpu_block_sum(T value)
{
    T sum[1] = {value};
    gpu_block_sums(sum);
    return sum[0];
}

/* ---- the highest value ----------------------------------------------------------------------- */

struct gpu_best {
    float value;
    int index; /* -1: there is none */
};

/* The higher of two; of equals the one with the lower index. */
static __device__ inline gpu_best gpu_better(gpu_best a, gpu_best b)
{
    bool second = b.index >= 0 &&
                  (a.index < 0 || b.value > a.value || (b.value == a.value && b.index < a.index));
    return second ? b : a;
}

/* The best of what the GPU_THREADS threads of a block have; every thread gets it. */
static __device__ inline gpu_best gpu_block_best(gpu_best mine)
{
    __shared__ gpu_best part[GPU_THREADS];
    int me = (int)threadIdx.x;
    part[me] = mine;
    __syncthreads();
    for (int half = GPU_THREADS / 2; half; half /= 2) {
        if (me < half)
            part[me] = gpu_better(part[me], part[me + half]);
        __syncthreads();
    }
    gpu_best best = part[0];
    __syncthreads(); /* the next call writes to part */
    return best;
}
