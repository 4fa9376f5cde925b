// SPDX-License-Identifier: MIT
// clock.cu: for how long the card computes, where KINTSUGI_GPU_CLOCK asks for it.
//
// An event before and one after all that is queued on WORK, in pairs that are read when there is no
// other left. That costs a launch some microseconds: nobody pays who does not ask.
#include "cuda/device.h"

enum { PAIRS = 1024 };

struct gpu_clock {
    cudaEvent_t from[PAIRS], to[PAIRS];
    int used;
    double seconds;
};

/* Adds up the pairs that are used, when what they enclose has ended. */
static void read_pairs(struct device *dev)
{
    struct gpu_clock *clock = gpu_of(dev)->clock;
    for (int i = 0; i < clock->used; i++) {
        float ms = 0;
        if (GPU_CHECK(dev, cudaEventSynchronize(clock->to[i])) &&
            GPU_CHECK(dev, cudaEventElapsedTime(&ms, clock->from[i], clock->to[i])))
            clock->seconds += 1e-3 * (double)ms;
    }
    clock->used = 0;
}

void gpu_clock_open(struct device *dev)
{
    const char *asked = getenv("KINTSUGI_GPU_CLOCK");
    struct gpu *gpu = gpu_of(dev);
    if (!asked || strcmp(asked, "yes") != 0)
        return;
    gpu->clock = (struct gpu_clock *)calloc(1, sizeof *gpu->clock);
    if (!gpu->clock)
        device_fail(dev, KIN_MEMORY, "no memory for a clock of %s", gpu->name);
    for (int i = 0; i < PAIRS && !device_stopped(dev); i++)
        (void)(GPU_CHECK(dev, cudaEventCreateWithFlags(&gpu->clock->from[i], cudaEventDefault)) &&
               GPU_CHECK(dev, cudaEventCreateWithFlags(&gpu->clock->to[i], cudaEventDefault)));
}

void gpu_clock_close(struct device *dev)
{
    struct gpu_clock *clock = gpu_of(dev)->clock;
    for (int i = 0; clock && i < PAIRS; i++) {
        if (clock->from[i])
            cudaEventDestroy(clock->from[i]);
        if (clock->to[i])
            cudaEventDestroy(clock->to[i]);
    }
    free(clock);
    gpu_of(dev)->clock = NULL;
}

void gpu_clock_start(struct device *dev)
{
    struct gpu_clock *clock = gpu_of(dev)->clock;
    if (clock->used == PAIRS)
        read_pairs(dev);
    GPU_CHECK(dev, cudaEventRecord(clock->from[clock->used], gpu_stream(dev, GPU_WORK)));
}

void gpu_clock_stop(struct device *dev)
{
    struct gpu_clock *clock = gpu_of(dev)->clock;
    if (GPU_CHECK(dev, cudaEventRecord(clock->to[clock->used], gpu_stream(dev, GPU_WORK))))
        clock->used++;
}

double gpu_clock_read(struct device *dev)
{
    struct gpu_clock *clock = gpu_of(dev)->clock;
    if (!clock)
        return NAN;
    if (!device_stopped(dev))
        read_pairs(dev);
    return clock->seconds;
}
