// SPDX-License-Identifier: MIT
// memory.cu: buffers on the card, and the way to and from them.
//
// A released buffer is kept for the next one of about its size, because asking the driver stops the
// card; what is kept goes back when memory runs short. Copies go through GPU_SLOTS pinned buffers
// in turn, so that the host fills one while the card takes another; or straight from and to memory
// that gpu_host_alloc has given out, which is pinned too, and kept as well when it is released.
//
// One thread at a time calls what is here, but for gpu_host_alloc and gpu_host_release.
#include "cuda/device.h"

static const size_t SLOT_BYTES = 8 << 20, MANY = 1 << 20;

struct gpu_block {
    char *at;
    size_t bytes;
    bool taken;
    uint64_t born;    /* gpu->calls when it was taken */
    cudaEvent_t idle; /* when what used it before it was released, or settled, has ended */
    bool waits;       /* idle has been recorded */
    bool settled;
    struct gpu_block *next;
};

struct gpu_host {
    char *at;
    size_t bytes;
    bool pinned; /* else the system gave none: ordinary memory, not kept */
    bool taken;
    struct gpu_host *next;
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static void give_back(struct device *dev, struct gpu_block *block)
{
    GPU_CHECK(dev, cudaEventDestroy(block->idle));
    GPU_CHECK(dev, cudaFree(block->at)); /* waits for all that is queued */
    gpu_of(dev)->used -= block->bytes;
    free(block);
}

/* Gives back all blocks that are not taken, or all there are. */
static void trim(struct device *dev, bool all)
{
    struct gpu_block **link = &gpu_of(dev)->blocks;
    while (*link) {
        struct gpu_block *block = *link;
        if (block->taken && !all) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        give_back(dev, block);
    }
}

/* The smallest free one that holds that many bytes and not many more. */
template <typename T> static T *find_free(T *blocks, size_t bytes)
{
    T *best = NULL;
    for (T *b = blocks; b; b = b->next)
        if (!b->taken && b->bytes >= bytes && b->bytes - bytes <= bytes / 8 &&
            (!best || b->bytes < best->bytes))
            best = b;
    return best;
}

/* The block that an address lies in. */
static struct gpu_block *block_of(struct gpu *gpu, const void *address)
{
    const char *at = (const char *)address;
    for (struct gpu_block *b = gpu->blocks; b; b = b->next)
        if (b->taken && at >= b->at && at < b->at + b->bytes)
            return b;
    return NULL;
}

void gpu_trim(struct device *dev)
{
    trim(dev, false);
}

/* NULL: there is no room (the device has not failed yet), or the card fails. */
static void *ask_driver(struct device *dev, size_t bytes)
{
    for (int attempt = 0; attempt < 2 && !device_stopped(dev); attempt++) {
        void *at = NULL;
        if (attempt)
            trim(dev, false);
        if (bytes > dev->memory || gpu_of(dev)->used > dev->memory - bytes)
            continue;
        cudaError_t code = cudaMalloc(&at, bytes);
        if (code == cudaSuccess)
            return at;
        cudaGetLastError();
        if (code != cudaErrorMemoryAllocation) /* an earlier kernel failed, the card is lost, ... */
            gpu_check(dev, code, GPU_PLACE("cudaMalloc"));
    }
    return NULL;
}

static struct gpu_block *new_block(struct device *dev, size_t bytes)
{
    struct gpu *gpu = gpu_of(dev);
    struct gpu_block *block = (struct gpu_block *)calloc(1, sizeof *block);
    bool good = block &&
                GPU_CHECK(dev, cudaEventCreateWithFlags(&block->idle, cudaEventDisableTiming)) &&
                (block->at = (char *)ask_driver(dev, bytes)) != NULL;
    if (good) {
        block->bytes = bytes;
        block->next = gpu->blocks;
        gpu->blocks = block;
        gpu->used += bytes;
        return block;
    }
    device_fail(dev, KIN_MEMORY,
                "%s has no memory for %.1f MB: %.1f MB of the %.1f MB it may use are taken",
                gpu->name, (double)bytes / 1e6, (double)gpu->used / 1e6, (double)dev->memory / 1e6);
    if (block && block->idle)
        cudaEventDestroy(block->idle);
    free(block);
    return NULL;
}

void *gpu_alloc(struct device *dev, size_t bytes)
{
    if (device_stopped(dev))
        return NULL;
    bytes = bytes ? bytes : 1;
    struct gpu_block *block = find_free(gpu_of(dev)->blocks, bytes);
    if (!block)
        block = new_block(dev, bytes);
    if (!block)
        return NULL;
    block->taken = true;
    block->settled = false;
    block->born = gpu_of(dev)->calls;
    return block->at;
}

void gpu_release(struct device *dev, void *buffer)
{
    struct gpu_block *block = buffer ? block_of(gpu_of(dev), buffer) : NULL;
    if (!block)
        return;
    block->taken = false;
    block->waits = GPU_CHECK(dev, cudaEventRecord(block->idle, gpu_stream(dev, GPU_WORK)));
}

void gpu_settle(struct device *dev, const void *buffer)
{
    struct gpu_block *block = device_stopped(dev) ? NULL : block_of(gpu_of(dev), buffer);
    if (block)
        block->settled = GPU_CHECK(dev, cudaEventRecord(block->idle, gpu_stream(dev, GPU_WORK)));
}

/* ---- memory of the host ---------------------------------------------------------------------- */

/* Pinned memory, or ordinary memory, which the driver copies once more, where it gives none; NULL:
 * neither. code: what the driver said. */
static void *take_host(size_t bytes, bool *pinned, cudaError_t *code)
{
    void *at = NULL;
    *code = cudaMallocHost(&at, bytes);
    *pinned = *code == cudaSuccess;
    if (*pinned)
        return at;
    cudaGetLastError();
    return malloc(bytes);
}

static void drop_host(void *at, bool pinned)
{
    if (pinned)
        cudaFreeHost(at);
    else
        free(at);
}

static struct gpu_host *new_host(size_t bytes)
{
    struct gpu_host *host = (struct gpu_host *)calloc(1, sizeof *host);
    cudaError_t code;
    if (!host)
        return NULL;
    host->at = (char *)take_host(bytes, &host->pinned, &code);
    host->bytes = bytes;
    if (host->at)
        return host;
    free(host);
    return NULL;
}

static void free_host(struct gpu_host *host)
{
    drop_host(host->at, host->pinned);
    free(host);
}

void *gpu_host_alloc(struct device *dev, size_t bytes)
{
    struct gpu *gpu = gpu_of(dev);
    struct gpu_host *host;
    bytes = bytes ? bytes : 1;
#pragma omp critical(gpu_host)
    {
        host = find_free(gpu->hosts, bytes);
        struct gpu_host *made = host ? NULL : new_host(bytes);
        if (made) {
            made->next = gpu->hosts;
            gpu->hosts = host = made;
        }
        if (host)
            host->taken = true;
    }
    return host ? host->at : NULL;
}

void gpu_host_release(struct device *dev, void *memory)
{
#pragma omp critical(gpu_host)
    for (struct gpu_host **link = &gpu_of(dev)->hosts; *link; link = &(*link)->next) {
        struct gpu_host *host = *link;
        if (host->at != memory)
            continue;
        host->taken = false;
        if (!host->pinned) {
            *link = host->next;
            free_host(host);
        }
        break;
    }
}

/* Whether those bytes lie in pinned memory that was given out. */
static bool is_pinned(struct gpu *gpu, const void *memory, size_t bytes)
{
    const char *at = (const char *)memory;
    bool found = false;
#pragma omp critical(gpu_host)
    for (struct gpu_host *host = gpu->hosts; host && !found; host = host->next)
        found = host->pinned && host->taken && at >= host->at &&
                at + bytes <= host->at + host->bytes;
    return found;
}

void gpu_drop_memory(struct device *dev)
{
    struct gpu *gpu = gpu_of(dev);
    trim(dev, true);
    while (gpu->hosts) {
        struct gpu_host *host = gpu->hosts;
        gpu->hosts = host->next;
        free_host(host);
    }
    for (int i = 0; i < GPU_SLOTS; i++) {
        struct gpu_slot *slot = &gpu->slots[i];
        if (slot->done)
            cudaEventDestroy(slot->done);
        drop_host(slot->bytes, slot->pinned);
    }
}

/* ---- the way to the card and back ------------------------------------------------------------ */

static bool make_slot(struct device *dev, struct gpu_slot *slot)
{
    cudaError_t code;
    if (!slot->done &&
        !GPU_CHECK(dev, cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming)))
        return false;
    slot->bytes = take_host(SLOT_BYTES, &slot->pinned, &code);
    if (!slot->bytes)
        device_fail(dev, KIN_MEMORY, "no memory for copies to and from %s", gpu_of(dev)->name);
    return slot->bytes &&
           (code == cudaErrorMemoryAllocation || gpu_check(dev, code, GPU_PLACE("cudaMallocHost")));
}

/* The next slot, when the copy that last used it has ended; NULL: failed. */
static struct gpu_slot *next_slot(struct device *dev)
{
    struct gpu *gpu = gpu_of(dev);
    struct gpu_slot *slot = &gpu->slots[gpu->slot];
    gpu->slot = (gpu->slot + 1) % GPU_SLOTS;
    bool ready = slot->bytes ? GPU_CHECK(dev, cudaEventSynchronize(slot->done))
                             : make_slot(dev, slot);
    return ready ? slot : NULL;
}

/* Host to host; large pieces by several threads, as one cannot keep up with the bus. */
static void move(void *dst, const void *src, size_t bytes)
{
    char *to = (char *)dst;
    const char *from = (const char *)src;
#pragma omp parallel for if (bytes > MANY) schedule(static)
    for (size_t at = 0; at < bytes; at += MANY)
        memcpy(to + at, from + at, bytes - at < MANY ? bytes - at : MANY);
}

/* A stream goes on when all that is queued for kernels has ended. */
static bool wait_for_work(struct device *dev, cudaStream_t stream)
{
    struct gpu *gpu = gpu_of(dev);
    return GPU_CHECK(dev, cudaEventRecord(gpu->busy, gpu->streams[GPU_WORK])) &&
           GPU_CHECK(dev, cudaStreamWaitEvent(stream, gpu->busy, 0));
}

/* The lane must not write to a buffer before everything that may still use it has ended. */
static bool lane_waits(struct device *dev, const void *buffer)
{
    struct gpu *gpu = gpu_of(dev);
    struct gpu_block *block = block_of(gpu, buffer);
    cudaStream_t lane = gpu->streams[GPU_LANE];
    if (block && block->born == gpu->calls) /* nothing was queued since it was taken */
        return !block->waits || GPU_CHECK(dev, cudaStreamWaitEvent(lane, block->idle, 0));
    return wait_for_work(dev, lane);
}

/* What is brought back must have been written. */
static bool back_waits(struct device *dev, const void *buffer)
{
    struct gpu_block *block = block_of(gpu_of(dev), buffer);
    cudaStream_t back = gpu_stream(dev, GPU_BACK);
    if (block && block->settled)
        return GPU_CHECK(dev, cudaStreamWaitEvent(back, block->idle, 0));
    return wait_for_work(dev, back);
}

/* A copy between the card and pinned memory, on a stream that waits for what it must; waits for
 * it. */
static bool copy_straight(struct device *dev, void *to, const void *from, size_t bytes,
                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaEvent_t ended = gpu_of(dev)->busy;
    return GPU_CHECK(dev, cudaMemcpyAsync(to, from, bytes, kind, stream)) &&
           GPU_CHECK(dev, cudaEventRecord(ended, stream)) &&
           GPU_CHECK(dev, cudaEventSynchronize(ended));
}

void gpu_upload(struct device *dev, void *buffer, const void *host, size_t bytes)
{
    if (device_stopped(dev) || !bytes || !lane_waits(dev, buffer))
        return;
    if (is_pinned(gpu_of(dev), host,
                  bytes)) { /* it has ended when kernels are queued that need it */
        copy_straight(dev, buffer, host, bytes, cudaMemcpyHostToDevice, gpu_stream(dev, GPU_LANE));
        return;
    }
    cudaStream_t lane = gpu_stream(dev, GPU_LANE);
    struct gpu_slot *slot = NULL;
    for (size_t at = 0; at < bytes; at += SLOT_BYTES) {
        size_t count = bytes - at < SLOT_BYTES ? bytes - at : SLOT_BYTES;
        slot = next_slot(dev);
        if (!slot)
            return;
        move(slot->bytes, (const char *)host + at, count);
        if (!GPU_CHECK(dev, cudaMemcpyAsync((char *)buffer + at, slot->bytes, count,
                                            cudaMemcpyHostToDevice, lane)) ||
            !GPU_CHECK(dev, cudaEventRecord(slot->done, lane)))
            return;
    }
    GPU_CHECK(dev, cudaStreamWaitEvent(gpu_stream(dev, GPU_WORK), slot->done, 0));
}

/* Queues one piece of a download. */
static struct gpu_slot *fetch(struct device *dev, const void *from, size_t bytes)
{
    cudaStream_t back = gpu_stream(dev, GPU_BACK);
    struct gpu_slot *slot = next_slot(dev);
    bool queued = slot &&
                  GPU_CHECK(dev, cudaMemcpyAsync(slot->bytes, from, bytes, cudaMemcpyDeviceToHost,
                                                 back)) &&
                  GPU_CHECK(dev, cudaEventRecord(slot->done, back));
    return queued ? slot : NULL;
}

/* While one piece is moved to its place the next one is on its way. */
void gpu_download(struct device *dev, void *host, const void *buffer, size_t bytes)
{
    if (device_stopped(dev) || !bytes || !back_waits(dev, buffer))
        return;
    if (is_pinned(gpu_of(dev), host, bytes)) {
        copy_straight(dev, host, buffer, bytes, cudaMemcpyDeviceToHost, gpu_stream(dev, GPU_BACK));
        return;
    }
    struct gpu_slot *slot = fetch(dev, buffer, bytes < SLOT_BYTES ? bytes : SLOT_BYTES);
    for (size_t at = 0; slot && at < bytes; at += SLOT_BYTES) {
        size_t left = bytes - at, after = left > SLOT_BYTES ? left - SLOT_BYTES : 0;
        struct gpu_slot *next = NULL;
        if (after)
            next = fetch(dev, (const char *)buffer + at + SLOT_BYTES,
                         after < SLOT_BYTES ? after : SLOT_BYTES);
        if (!GPU_CHECK(dev, cudaEventSynchronize(slot->done)))
            return;
        move((char *)host + at, slot->bytes, left < SLOT_BYTES ? left : SLOT_BYTES);
        slot = next;
    }
}

void gpu_copy(struct device *dev, void *dst, const void *src, size_t bytes)
{
    if (device_stopped(dev))
        return;
    gpu_of(dev)->calls++;
    gpu_timed timed(dev);
    GPU_CHECK(
        dev, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, gpu_stream(dev, GPU_WORK)));
}

void gpu_zero(struct device *dev, void *buffer, size_t bytes)
{
    if (device_stopped(dev))
        return;
    gpu_of(dev)->calls++;
    gpu_timed timed(dev);
    GPU_CHECK(dev, cudaMemsetAsync(buffer, 0, bytes, gpu_stream(dev, GPU_WORK)));
}
