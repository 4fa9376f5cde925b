// SPDX-License-Identifier: MIT
// device_cpu.c: the CPU as a device: its memory and its table.
#include "device/device_cpu.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void *cpu_alloc(struct device *dev, size_t bytes)
{
    void *buffer = kin_reserve(bytes); /* not zeroed: that would touch all of it twice */
    if (!buffer)
        device_fail(dev, KIN_MEMORY, "no memory for %.1f MB", (double)bytes / 1e6);
    return buffer;
}

void cpu_release(struct device *dev, void *buffer)
{
    free(buffer);
}

void *cpu_host_alloc(struct device *dev, size_t bytes)
{
    return kin_reserve(bytes);
}

void cpu_host_release(struct device *dev, void *memory)
{
    free(memory);
}

static void move_bytes(struct device *dev, void *dst, const void *src, size_t bytes)
{
    if (dev->error.code == KIN_OK)
        memcpy(dst, src, bytes);
}

void cpu_upload(struct device *dev, void *buffer, const void *host, size_t bytes)
{
    move_bytes(dev, buffer, host, bytes);
}

void cpu_download(struct device *dev, void *host, const void *buffer, size_t bytes)
{
    move_bytes(dev, host, buffer, bytes);
}

void cpu_copy(struct device *dev, void *dst, const void *src, size_t bytes)
{
    move_bytes(dev, dst, src, bytes);
}

void cpu_zero(struct device *dev, void *buffer, size_t bytes)
{
    if (dev->error.code == KIN_OK)
        memset(buffer, 0, bytes);
}

void cpu_settle(struct device *dev, const void *buffer)
{
    /* What was called has been done. */
}

int device_threads(int asked)
{
    int threads = asked > 0 ? asked : omp_get_num_procs();
    omp_set_num_threads(threads);
    return threads;
}

void device_fill_cpu(struct device *dev, int threads)
{
    dev->name = "cpu";
    dev->kind = DEVICE_CPU;
    dev->threads = device_threads(threads);
#define X(type, primitive, ...) dev->primitive = cpu_##primitive;
    DEVICE_PRIMITIVES(X)
#undef X
}
