// SPDX-License-Identifier: MIT
// runtime.cpp: memory, streams and events of the emulated card.
//
// A stream is a queue of closures. It runs only as far as the host waits: cudaEventSynchronize runs the event's stream
// up to the event, and another stream only up to what the first one waits for. Copies that nothing orders therefore
// come too late or too early, and the pixels show it.
#include "cuda_runtime.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <pthread.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

struct emulated_graph {
    std::vector<std::function<void()>> steps;
};

struct emulated_stream {
    std::deque<std::function<void()>> waiting;
    size_t queued = 0, done = 0;
    emulated_graph *capture = nullptr; // what is queued goes there
    pthread_t capturer;
    bool spoilt; // the capture, by a call that asks what the stream has done
};

struct emulated_event {
    emulated_stream *stream = nullptr; // NULL: never recorded
    size_t at = 0;
};

namespace {

// They stay until the process ends.
std::set<emulated_stream *> &streams = *new std::set<emulated_stream *>();
std::map<const void *, int> &shared_of = *new std::map<const void *, int>(); // what kernels asked for
std::map<void *, size_t> &memory = *new std::map<void *, size_t>();
std::recursive_mutex &door = *new std::recursive_mutex(); // the host may call from several threads
std::string &failing = *new std::string();
size_t launches, failing_calls;
std::atomic<int> held;
std::atomic<bool> tried; // something has come back from the card

[[noreturn]] void die(const char *call, const char *why)
{
    fprintf(stderr, "emulated card: %s %s\n", call, why);
    abort();
}

/* The stream that the calling thread captures, of which nothing has run; NULL: none. */
emulated_stream *captured()
{
    for (auto *stream : streams)
        if (stream->capture && pthread_equal(stream->capturer, pthread_self()))
            return stream;
    return nullptr;
}

/* A card refuses such a call, and the graph is lost. */
void refuse_in_capture(const char *call)
{
    if (captured())
        die(call, "while a stream is captured");
}

size_t number_from(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoul(text, nullptr, 10) : otherwise;
}

/* Bytes taken, by this process or by all that share the card. */
std::atomic<size_t> *taken()
{
    static std::atomic<size_t> own;
    static std::atomic<size_t> *shared = [] {
        const char *path = getenv("KINTSUGI_EMULATED_SHARED");
        int fd = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
        if (fd < 0 || ftruncate(fd, sizeof(size_t)))
            return &own;
        void *at = mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        return at == MAP_FAILED ? &own : (std::atomic<size_t> *)at;
    }();
    return shared;
}

size_t total_memory()
{
    return number_from("KINTSUGI_EMULATED_MEMORY", 4096) << 20;
}

bool take(size_t bytes)
{
    if (taken()->fetch_add(bytes) + bytes <= total_memory())
        return true;
    taken()->fetch_sub(bytes);
    return false;
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

bool copies_are_early()
{
    const char *when = getenv("KINTSUGI_EMULATED_COPIES");
    return when && !strcmp(when, "early");
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

cudaError_t answer(const char *kind, cudaError_t failure)
{
    return emulated_failure(kind) ? failure : answer();
}

/* At the end of the process. */
__attribute__((destructor)) void look_back()
{
    if (!held)
        return;
    fflush(nullptr);
    fprintf(stderr, "emulated card: %d buffers, streams, events, plans or graphs were not given back\n", held.load());
    abort();
}

} // namespace

typedef std::lock_guard<std::recursive_mutex> guard;

bool emulated_idle()
{
    static bool asked = getenv("KINTSUGI_EMULATED_IDLE");
    return asked && tried;
}

bool emulated_lost()
{
    return is_lost();
}

bool emulated_failure(const char *kind)
{
    guard lock(door);
    const char *text = getenv("KINTSUGI_EMULATED_FAIL");
    size_t n = strlen(kind);
    if (!text || strncmp(text, kind, n) || text[n] != ':')
        return false;
    if (failing != text) {
        failing = text;
        failing_calls = 0;
    }
    if (++failing_calls < strtoul(text + n + 1, nullptr, 10))
        return false;
    unsetenv("KINTSUGI_EMULATED_FAIL");
    failing.clear();
    return true;
}

void emulated_hold(int count)
{
    held += count;
}

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
    if (number_from("KINTSUGI_EMULATED_DRIVER", 13000) < 13000)
        return cudaErrorInsufficientDriver;
    return *count ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int)
{
    return getenv("KINTSUGI_EMULATED_BUSY") ? cudaErrorDevicesUnavailable : answer("attribute", cudaErrorInvalidValue);
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
    size_t used = *taken();
    *total = total_memory();
    *free = *total > used ? *total - used : 0;
    return getenv("KINTSUGI_EMULATED_BUSY") ? cudaErrorDevicesUnavailable : answer("attribute", cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = (int)number_from("KINTSUGI_EMULATED_DRIVER", 13000);
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
    refuse_in_capture("cudaDeviceSynchronize");
    run_all();
    return answer();
}

/* ---- memory ---- */

emulated_buffer emulated_buffer_of(const void *at)
{
    auto next = memory.upper_bound((void *)at);
    bool within = next != memory.begin() && (size_t)((const char *)at - (const char *)(--next)->first) < next->second;
    return within ? emulated_buffer{next->first, next->second} : emulated_buffer();
}

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    guard lock(door);
    refuse_in_capture("cudaMalloc");
    *at = nullptr;
    if (answer() != cudaSuccess)
        return answer();
    if (emulated_failure("memory") || !take(bytes))
        return cudaErrorMemoryAllocation;
    *at = malloc(bytes ? bytes : 1);
    if (!emulated_idle())
        memset(*at, 0xff, bytes);
    memory[*at] = bytes;
    held++;
    return cudaSuccess;
}

cudaError_t cudaFree(void *at)
{
    guard lock(door);
    refuse_in_capture("cudaFree");
    run_all();
    auto block = memory.find(at);
    if (block == memory.end())
        return cudaErrorInvalidValue;
    taken()->fetch_sub(block->second);
    memory.erase(block);
    free(at);
    held--;
    return answer("free", cudaErrorInvalidValue);
}

/* What an idle card brings back: like pixels, so that the host counts and writes what it would. */
static void fill_like_pixels(void *at, size_t bytes)
{
    uint16_t *pixels = (uint16_t *)at;
    uint32_t noise = 1;
    for (size_t i = 0; i < bytes / sizeof *pixels; i++) {
        noise = noise * 1664525u + 1013904223u;
        pixels[i] = (uint16_t)(500 + (noise >> 22));
    }
}

cudaError_t cudaMallocHost(void **at, size_t bytes)
{
    guard lock(door);
    refuse_in_capture("cudaMallocHost");
    cudaError_t code = answer("pinned", cudaErrorMemoryAllocation);
    *at = code == cudaSuccess ? malloc(bytes) : nullptr;
    held += *at != nullptr;
    if (*at && emulated_idle())
        fill_like_pixels(*at, bytes);
    return code;
}

cudaError_t cudaFreeHost(void *at)
{
    free(at);
    held--;
    return cudaSuccess;
}

bool emulated_on_card(const void *at, size_t bytes)
{
    guard lock(door);
    auto next = memory.upper_bound((void *)at);
    return next != memory.begin() && (size_t)((const char *)at - (const char *)(--next)->first) + bytes <= next->second;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    guard lock(door);
    bool early = kind != cudaMemcpyDeviceToDevice && copies_are_early();
    if (emulated_on_card(dst, bytes) != (kind != cudaMemcpyDeviceToHost) ||
        emulated_on_card(src, bytes) != (kind != cudaMemcpyHostToDevice))
        die("cudaMemcpyAsync", "of other memory than it says, or past its end");
    cudaError_t code = answer("copy", cudaErrorInvalidValue);
    if (code == cudaSuccess)
        emulated_queue(stream, [=] {
            if (!emulated_idle())
                memcpy(dst, src, bytes);
            tried = true;
        });
    if (early && code == cudaSuccess && !stream->capture)
        run_until(stream, stream->queued);
    return code;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
    if (!emulated_on_card(at, bytes))
        die("cudaMemsetAsync", "past the end of a buffer");
    cudaError_t code = answer("copy", cudaErrorInvalidValue);
    if (code == cudaSuccess)
        emulated_queue(stream, [=] {
            if (!emulated_idle())
                memset(at, value, bytes);
        });
    return code;
}

/* ---- streams and events ---- */

void emulated_queue(cudaStream_t stream, std::function<void()> work)
{
    guard lock(door);
    if (stream->capture) {
        stream->capture->steps.push_back(std::move(work));
        return;
    }
    stream->waiting.push_back(std::move(work));
    stream->queued++;
}

/* One multiprocessor, as an H100's: of its shared memory a block gets all but what is reserved for each. */
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    enum { RESERVED = 1 << 10 };
    int most = (int)number_from("KINTSUGI_EMULATED_BLOCK", 227) << 10;
    *value = attribute == cudaDevAttrMultiProcessorCount                ? 1
             : attribute == cudaDevAttrReservedSharedMemoryPerBlock     ? RESERVED
             : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? most + RESERVED
                                                                          : most;
    return answer("attribute", cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    static std::map<std::pair<const void *, int>, int> &set = *new std::map<std::pair<const void *, int>, int>();
    int most;
    guard lock(door);
    cudaError_t code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (code == cudaSuccess && value > most)
        code = cudaErrorInvalidValue;
    auto before = set.find({kernel, attribute});
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && before != set.end() && before->second == value)
        die("cudaFuncSetAttribute", "to what it is");
    if (code != cudaSuccess)
        return code;
    set[{kernel, attribute}] = value;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
        shared_of[kernel] = value;
    return code;
}

cudaError_t emulated_launch(const cudaLaunchConfig_t *c, const void *kernel)
{
    guard lock(door);
    size_t threads = (size_t)c->blockDim.x * c->blockDim.y * c->blockDim.z;
    bool fits = threads >= 1 && threads <= 1024 && c->blockDim.z <= 64 && c->gridDim.x >= 1 && c->gridDim.y >= 1 &&
                c->gridDim.z >= 1 && c->gridDim.x <= 0x7fffffff && c->gridDim.y <= 65535 && c->gridDim.z <= 65535 &&
                c->dynamicSmemBytes <= (shared_of.count(kernel) ? (size_t)shared_of[kernel] : 48 << 10);
    launches++;
    return fits ? answer("launch", cudaErrorLaunchOutOfResources) : cudaErrorInvalidConfiguration;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    guard lock(door);
    cudaError_t code = answer("stream", cudaErrorMemoryAllocation);
    *stream = code == cudaSuccess ? new emulated_stream() : nullptr;
    if (*stream)
        streams.insert(*stream);
    held += *stream != nullptr;
    return code;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    guard lock(door);
    run_until(stream, stream->queued);
    streams.erase(stream);
    delete stream;
    held--;
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    guard lock(door);
    if (stream->capture) {
        stream->spoilt = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return answer() != cudaSuccess ? answer() : stream->done < stream->queued ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    emulated_stream *other = event->stream;
    size_t at = event->at;
    cudaError_t code = answer("wait", cudaErrorInvalidValue);
    if (other && code == cudaSuccess)
        emulated_queue(stream, [=] { run_until(other, at); });
    return code;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    cudaError_t code = answer("event", cudaErrorMemoryAllocation);
    *event = code == cudaSuccess ? new emulated_event() : nullptr;
    held += *event != nullptr;
    return code;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    if (!from || !to || !from->stream || !to->stream)
        return cudaErrorInvalidValue;
    *ms = 1; // whatever was between them
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return cudaErrorInvalidValue;
    delete event;
    held--;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    guard lock(door);
    if (stream->capture)
        die("cudaEventRecord", "on a stream that is captured, which has no event that the host could wait for");
    cudaError_t code = answer("event", cudaErrorInvalidValue);
    if (code != cudaSuccess)
        return code;
    event->stream = stream;
    event->at = stream->queued;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    guard lock(door);
    refuse_in_capture("cudaEventSynchronize");
    cudaError_t code = answer("wait", cudaErrorInvalidValue);
    if (event->stream && code == cudaSuccess)
        run_until(event->stream, event->at);
    return code;
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    guard lock(door);
    cudaError_t code = answer("capture", cudaErrorStreamCaptureUnsupported);
    if (code == cudaSuccess) {
        stream->capture = new emulated_graph();
        stream->capturer = pthread_self();
        stream->spoilt = false;
    }
    return code;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    guard lock(door);
    *graph = stream->capture;
    stream->capture = nullptr;
    if (stream->spoilt) {
        delete *graph;
        *graph = nullptr;
    }
    held += *graph != nullptr;
    return *graph ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
    cudaError_t code = answer("capture", cudaErrorMemoryAllocation);
    *exec = code == cudaSuccess ? new emulated_graph(*graph) : nullptr;
    held += *exec != nullptr;
    return code;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t code = answer("launch", cudaErrorLaunchOutOfResources);
    for (size_t i = 0; code == cudaSuccess && i < exec->steps.size(); i++)
        emulated_queue(stream, exec->steps[i]);
    return code;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    held--;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    held--;
    return cudaSuccess;
}
