/* SPDX-License-Identifier: MIT
 *
 * sample.h: work on every sample of an array, or every pixel of a volume, on its own.
 *
 * Such work waits for memory: a thread takes SAMPLE_READS of them and reads them all before it
 * writes the first, so that a card has several times as many reads under way as it has threads.
 * What is done is a struct that is passed to the kernel:
 *
 *     struct widen {
 *         float *dst;
 *         const uint16_t *src;
 *         __device__ float read(size_t i) const { return src[i]; }
 *         __device__ void write(size_t i, float v) const { dst[i] = v; }
 *     };
 *     ON_SAMPLES(dev, n, widen, dst, src);
 *
 * For ON_PIXELS read and write take (z, y, x). What write changes no other sample may read. */
#pragma once

#include "cuda/device.h"

enum { SAMPLE_READS = 4, PIXELS_WIDE = 64, PIXELS_HIGH = GPU_THREADS / PIXELS_WIDE };

/* write(i, read(i)) of the first READS of i = first, first + step, ... below end. Where all are
 * there nothing is asked in between, or the card would wait for one before it reads the next,
 * unless read does no more than to read. */
template <int READS = SAMPLE_READS, typename Index, typename Read, typename Write>
static __device__ void read_some(Index first, Index end, int step, Read read, Write write)
{
    decltype(read(first)) v[READS] = {};
    bool all = first + (READS - 1) * step < end;
    if (all)
        for (int k = 0; k < READS; k++)
            v[k] = read(first + k * step);
    for (int k = 0; k < READS && !all; k++)
        if (first + k * step < end)
            v[k] = read(first + k * step);
    for (int k = 0; k < READS; k++)
        if (first + k * step < end)
            write(first + k * step, v[k]);
}

/* The same of all of them. */
template <int READS = SAMPLE_READS, typename Read, typename Write>
static __device__ void read_ahead(int first, int end, int step, Read read, Write write)
{
    for (; first < end; first += READS * step)
        read_some<READS>(first, end, step, read, write);
}

template <typename Work>
static __global__ void samples_of(const __grid_constant__ Work work, size_t n)
{
    read_some((size_t)blockIdx.x * (GPU_THREADS * SAMPLE_READS) + threadIdx.x, n, GPU_THREADS,
              [&](size_t i) { return work.read(i); }, [&](size_t i, auto v) { work.write(i, v); });
}

/* Plane blockIdx.z. A block takes PIXELS_HIGH SAMPLE_READS rows at a time; a grid is no higher than
 * 65535 blocks, and goes on below. */
template <typename Work>
static __global__ void pixels_of(const __grid_constant__ Work work, int rows, int cols)
{
    int z = (int)blockIdx.z, x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x);
    int high = PIXELS_HIGH * SAMPLE_READS;
    for (int top = (int)blockIdx.y * high; top < rows && x < cols; top += (int)gridDim.y * high)
        read_some(
            top + (int)threadIdx.y, rows, PIXELS_HIGH, [&](int y) { return work.read(z, y, x); },
            [&](int y, auto v) { work.write(z, y, x, v); });
}

template <typename Work>
static inline void on_samples(struct device *dev, const char *place, size_t n, Work work)
{
    gpu_launching(dev, place, samples_of<Work>, dim3(gpu_pieces(n, GPU_THREADS * SAMPLE_READS)),
                  GPU_THREADS, 0)(work, n);
}

template <typename Work>
static inline void on_pixels(struct device *dev, const char *place, struct kin_dims d, Work work)
{
    unsigned high = gpu_pieces((size_t)d.y, PIXELS_HIGH * SAMPLE_READS);
    dim3 grid(gpu_pieces((size_t)d.x, PIXELS_WIDE), high < 65535 ? high : 65535, (unsigned)d.z);
    gpu_launching(dev, place, pixels_of<Work>, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(work, d.y,
                                                                                        d.x);
}

/* Queues it: the number of samples, or the dims of the volume; the struct and its members. */
#define ON_SAMPLES(dev, n, work, ...)                                                              \
    on_samples(dev, GPU_PLACE("kernel " #work), n, (struct work){__VA_ARGS__})
#define ON_PIXELS(dev, dims, work, ...)                                                            \
    on_pixels(dev, GPU_PLACE("kernel " #work), dims, (struct work){__VA_ARGS__})
