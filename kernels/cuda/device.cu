// SPDX-License-Identifier: MIT
// device.cu: the first card as a device: opening it, its table, its errors.
//
// Which card is the first one says CUDA_VISIBLE_DEVICES, which schedulers set.
#include "cuda/device.h"

/* ---- errors ---------------------------------------------------------------------------------- */

/* Whether the card itself is gone or unusable, rather than what was asked of it. */
static bool lost(cudaError_t code)
{
    switch (code) {
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorSystemNotReady:
    case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading:
    case cudaErrorUnknown: return true;
    default: return false;
    }
}

bool gpu_check(struct device *dev, cudaError_t code, const char *place)
{
    if (code == cudaSuccess)
        return true;
    cudaGetLastError(); /* so that the next call does not report it again */
    if (code == cudaErrorMemoryAllocation)
        device_fail(dev, KIN_MEMORY, "%s has no memory left (%s)", gpu_of(dev)->name, place);
    else
        device_fail(dev, KIN_DEVICE, "%s %s: %s (%s, noticed in %s)", gpu_of(dev)->name,
                    !dev->name   ? "cannot be used"
                    : lost(code) ? "was lost"
                                 : "failed",
                    cudaGetErrorString(code), cudaGetErrorName(code), place);
    return false;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A driver may wait for all copies that are under way before it changes what a kernel may have: it
 * is asked once. The context that keeps it lasts as long as the process. */
bool gpu_widen(struct device *dev, const void *kernel, size_t bytes, const char *place)
{
    enum { KERNELS = 64 }; /* more than need so much */
    static struct {
        const void *kernel;
        size_t bytes;
    } wide[KERNELS];
    int k = 0;
    while (k < KERNELS - 1 && wide[k].kernel && wide[k].kernel != kernel)
        k++;
    if (wide[k].kernel == kernel && wide[k].bytes >= bytes)
        return true;
    /* several such blocks are to fit on a multiprocessor, rather than that its cache is large */
    cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize,
                      share = cudaFuncAttributePreferredSharedMemoryCarveout;
    int all = cudaSharedmemCarveoutMaxShared;
    if (!gpu_check(dev, cudaFuncSetAttribute(kernel, share, all), place) ||
        !gpu_check(dev, cudaFuncSetAttribute(kernel, most, (int)bytes), place))
        return false;
    wide[k].kernel = kernel;
    wide[k].bytes = bytes;
    return true;
}

int gpu_processors(struct device *dev)
{
    int processors = 1;
    GPU_CHECK(dev, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    return processors;
}

int gpu_rows_each(struct device *dev, size_t threads, int least, int most)
{
    enum { BUSY = 1 << 11 }; /* threads of a multiprocessor, some blocks one after the other */
    int rows = most, processors = gpu_processors(dev);
    while (rows > least && threads / (size_t)rows < BUSY * (size_t)processors)
        rows /= 2;
    return rows;
}

/* ---- finding cards --------------------------------------------------------------------------- */

/* A machine without a card or a driver is nothing to warn of; a driver that is too old is. */
static bool no_card(cudaError_t code, struct kin_error *err)
{
    int driver = 0, runtime = 0;
    cudaGetLastError();
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (code == cudaErrorInsufficientDriver && driver)
        return kin_fail(err, KIN_DEVICE,
                        "no GPU can be used: the driver is too old, for CUDA %d.%d and not %d.%d",
                        driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    enum kin_code kind = code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver
                             ? KIN_INPUT
                             : KIN_DEVICE;
    return kin_fail(err, kind, "no GPU can be used: %s", cudaGetErrorString(code));
}

static bool count_cards(int *count, struct kin_error *err)
{
    cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaSuccess && *count == 0)
        code = cudaErrorNoDevice;
    return code == cudaSuccess || no_card(code, err);
}

static void look_at_card(int number, struct gpu_card *card)
{
    cudaDeviceProp properties;
    *card = (struct gpu_card){};
    if (cudaGetDeviceProperties(&properties, number) == cudaSuccess) {
        snprintf(card->name, sizeof card->name, "%.127s", properties.name);
        card->major = properties.major;
        card->minor = properties.minor;
    }
    if (cudaSetDevice(number) != cudaSuccess ||
        cudaMemGetInfo(&card->free, &card->total) != cudaSuccess)
        card->free = card->total = 0;
    cudaGetLastError();
}

static bool look(struct gpu_report *report, struct kin_error *err)
{
    int count;
    if (!count_cards(&count, err))
        return false;
    cudaDriverGetVersion(&report->driver);
    cudaRuntimeGetVersion(&report->runtime);
    report->count = count < GPU_CARDS ? count : GPU_CARDS;
    for (int i = report->count - 1; i >= 0; i--) /* the first card stays the current one */
        look_at_card(i, &report->cards[i]);
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

static __global__ void count_up(int *numbers)
{
    numbers[threadIdx.x] = (int)threadIdx.x;
}

/* Whether the card runs a kernel of this library and hands back what it wrote. */
static void try_card(struct device *dev)
{
    int numbers[GPU_THREADS] = {}, *there = gpu_array<int>(dev, GPU_THREADS);
    LAUNCH(dev, count_up, 1, GPU_THREADS, 0)(there);
    gpu_download(dev, numbers, there, sizeof numbers);
    gpu_release(dev, there);
    for (int i = 0; i < GPU_THREADS; i++)
        if (numbers[i] != i)
            device_fail(dev, KIN_DEVICE, "%s gives wrong results", gpu_of(dev)->name);
}

/* Bytes of shared memory; at least what every card has. */
static bool ask(struct device *dev, cudaDeviceAttr attribute, int least, size_t *bytes)
{
    int value = 0;
    bool good = GPU_CHECK(dev, cudaDeviceGetAttribute(&value, attribute, 0));
    *bytes = (size_t)(value > least ? value : least);
    return good;
}

static void open_card(struct device *dev, size_t memory)
{
    struct gpu *gpu = gpu_of(dev);
    struct gpu_card card;
    look_at_card(0, &card);
    size_t free = 0, total = 0;
    snprintf(gpu->name, sizeof gpu->name, "%.100s", card.name[0] ? card.name : "the GPU");
    bool opened = GPU_CHECK(dev, cudaSetDevice(0)) && GPU_CHECK(dev, cudaMemGetInfo(&free, &total));
    opened = opened &&
             ask(dev, cudaDevAttrMaxSharedMemoryPerBlockOptin, GPU_SHARED, &gpu->shared) &&
             ask(dev, cudaDevAttrMaxSharedMemoryPerMultiprocessor, GPU_SHARED, &gpu->shared_all) &&
             ask(dev, cudaDevAttrReservedSharedMemoryPerBlock, 0, &gpu->shared_reserved);
    dev->memory = memory ? memory : free / 10 * 9;
    for (int i = 0; i < GPU_STREAMS && opened; i++)
        opened = GPU_CHECK(dev, cudaStreamCreateWithFlags(&gpu->streams[i], cudaStreamNonBlocking));
    if (opened && GPU_CHECK(dev, cudaEventCreateWithFlags(&gpu->busy, cudaEventDisableTiming)))
        gpu_clock_open(dev);
    if (opened && !device_stopped(dev))
        try_card(dev);
}

static void drop(struct device *dev)
{
    struct gpu *gpu = gpu_of(dev);
    if (!gpu)
        return;
    cudaDeviceSynchronize();
    gpu_drop_plans(dev);
    gpu_drop_memory(dev);
    gpu_clock_close(dev);
    if (gpu->busy)
        cudaEventDestroy(gpu->busy);
    for (int i = 0; i < GPU_STREAMS; i++)
        if (gpu->streams[i])
            cudaStreamDestroy(gpu->streams[i]);
    pthread_mutex_destroy(&gpu->door);
    free(gpu);
    dev->back_end = NULL;
}

/* A primitive, for one thread at a time: others, of other shares of the device, wait. */
template <auto primitive, typename Result, typename... Wanted>
static Result alone(struct device *dev, Wanted... given)
{
    gpu_turn turn(dev);
    return primitive(dev, given...);
}

template <auto primitive, typename Result, typename... Wanted>
static void take_turns(Result (*&entry)(struct device *, Wanted...))
{
    entry = alone<primitive, Result, Wanted...>;
}

static bool fill(struct device *dev, size_t memory, struct kin_error *err)
{
    int count;
    if (!count_cards(&count, err))
        return false;
    struct gpu *gpu = (struct gpu *)calloc(1, sizeof *gpu);
    if (!gpu)
        return kin_fail(err, KIN_MEMORY, "no memory for a GPU's state");
    pthread_mutex_init(&gpu->door, NULL);
    dev->back_end = gpu;
    open_card(dev, memory);
    if (!device_ok(dev, err)) {
        drop(dev);
        dev->error = (struct kin_error){};
        dev->memory = 0; /* it may go on as the CPU */
        return false;
    }
    dev->name = gpu->name;
    dev->computed = gpu_clock_read;
#define X(type, primitive, ...) take_turns<gpu_##primitive>(dev->primitive);
    DEVICE_PRIMITIVES(X)
#undef X
    dev->host_alloc = gpu_host_alloc; /* these need not wait for the card */
    dev->host_release = gpu_host_release;
    return true;
}

extern "C" {
extern const struct gpu_plugin kintsugi_gpu __attribute__((visibility("default")));
const struct gpu_plugin kintsugi_gpu = {KF_VERSION, sizeof(struct device), look, fill, drop};
}
