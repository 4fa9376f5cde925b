// SPDX-License-Identifier: MIT
// runtime.cpp: memory, streams and events of the emulated card.
//
// A stream is a queue of closures. It runs only as far as the host waits: cudaEventSynchronize runs the event's stream
// up to the event, and another stream only up to what the first one waits for. Copies that nothing orders therefore
// come too late or too early, and the pixels show it.
#include "cuda_runtime.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>

struct emulated_stream {
    std::deque<std::function<void()>> waiting;
    size_t queued = 0, done = 0;
};

struct emulated_event {
    emulated_stream *stream = nullptr; // NULL: never recorded
    size_t at = 0;
};

namespace {

std::set<emulated_stream *> streams;
std::map<void *, size_t> memory;
size_t taken, launches;
std::recursive_mutex door; // the host may call from several threads

size_t number_from(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoul(text, nullptr, 10) : otherwise;
}

void run_until(emulated_stream *stream, size_t at)
{
    while (stream->done < at) {
        auto work = std::move(stream->waiting.front());
        stream->waiting.pop_front();
        work();
        stream->done++;
    }
}

void run_all()
{
    for (auto *stream : streams)
        run_until(stream, stream->queued);
}

bool is_lost()
{
    size_t limit = number_from("KINTSUGI_EMULATED_LOST", 0);
    return limit && launches >= limit;
}

cudaError_t answer()
{
    return is_lost() ? cudaErrorDevicesUnavailable : cudaSuccess;
}

} // namespace

typedef std::lock_guard<std::recursive_mutex> guard;

const char *cudaGetErrorString(cudaError_t code)
{
    switch (code) {
    case cudaSuccess: return "no error";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorDevicesUnavailable: return "CUDA-capable device(s) is/are busy or unavailable";
    default: return "an error of the emulated card";
    }
}

const char *cudaGetErrorName(cudaError_t code)
{
    return code == cudaErrorDevicesUnavailable ? "cudaErrorDevicesUnavailable" : "cudaError";
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)number_from("KINTSUGI_EMULATED_CARDS", 1);
    return *count ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int)
{
    return answer();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int number)
{
    *properties = cudaDeviceProp();
    snprintf(properties->name, sizeof properties->name, "emulated card %d", number);
    properties->major = 9;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    guard lock(door);
    *total = number_from("KINTSUGI_EMULATED_MEMORY", 4096) << 20;
    *free = *total > taken ? *total - taken : 0;
    return answer();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    guard lock(door);
    run_all();
    return answer();
}

/* ---- memory ---- */

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    guard lock(door);
    size_t free, total;
    cudaMemGetInfo(&free, &total);
    *at = bytes <= free ? malloc(bytes ? bytes : 1) : nullptr;
    if (!*at)
        return cudaErrorMemoryAllocation;
    memset(*at, 0xff, bytes);
    memory[*at] = bytes;
    taken += bytes;
    return answer();
}

cudaError_t cudaFree(void *at)
{
    guard lock(door);
    run_all();
    auto block = memory.find(at);
    if (block == memory.end())
        return cudaErrorInvalidValue;
    taken -= block->second;
    memory.erase(block);
    free(at);
    return answer();
}

cudaError_t cudaMallocHost(void **at, size_t bytes)
{
    *at = malloc(bytes);
    return *at ? answer() : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *at)
{
    free(at);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, cudaMemcpyKind, cudaStream_t stream)
{
    emulated_queue(stream, [=] { memcpy(dst, src, bytes); });
    return answer();
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
    emulated_queue(stream, [=] { memset(at, value, bytes); });
    return answer();
}

/* ---- streams and events ---- */

void emulated_queue(cudaStream_t stream, std::function<void()> work)
{
    guard lock(door);
    stream->waiting.push_back(std::move(work));
    stream->queued++;
}

cudaError_t emulated_launch(const cudaLaunchConfig_t *c)
{
    guard lock(door);
    size_t threads = (size_t)c->blockDim.x * c->blockDim.y * c->blockDim.z;
    bool fits = threads >= 1 && threads <= 1024 && c->blockDim.z <= 64 && c->gridDim.x >= 1 && c->gridDim.y >= 1 &&
                c->gridDim.z >= 1 && c->gridDim.x <= 0x7fffffff && c->gridDim.y <= 65535 && c->gridDim.z <= 65535 &&
                c->dynamicSmemBytes <= 48 << 10;
    launches++;
    return fits ? answer() : cudaErrorInvalidConfiguration;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    guard lock(door);
    streams.insert(*stream = new emulated_stream());
    return answer();
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    guard lock(door);
    run_until(stream, stream->queued);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    emulated_stream *other = event->stream;
    size_t at = event->at;
    if (other)
        emulated_queue(stream, [=] { run_until(other, at); });
    return answer();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new emulated_event();
    return answer();
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    guard lock(door);
    event->stream = stream;
    event->at = stream->queued;
    return answer();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    guard lock(door);
    if (event->stream)
        run_until(event->stream, event->at);
    return answer();
}
