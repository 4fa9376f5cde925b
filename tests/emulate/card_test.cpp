// SPDX-License-Identifier: MIT
// card_test.cpp: what a real card refuses ends a process on the emulated one, and what it takes does not.
#include "cufft.h"

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum { BYTES = 1000 };

char host[BYTES], *card;
cudaStream_t stream;
cudaEvent_t event;
int number, failed;

bool ends(void (*use)())
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        use();
        _exit(0); // what is still held is the parent's
    }
    return child < 0 || waitpid(child, &status, 0) < 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

void expect(bool refused, const char *what, void (*use)())
{
    bool good = ends(use) == refused;
    failed += !good;
    printf("%sok %d - %s: %s\n", good ? "" : "not ", ++number, refused ? "refused" : "taken", what);
}

void captured(void (*call)())
{
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    call();
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
}

void test_copies()
{
    expect(false, "a copy to the card", [] { cudaMemcpyAsync(card, host, BYTES, cudaMemcpyHostToDevice, stream); });
    expect(true, "one past a buffer's end",
           [] { cudaMemcpyAsync(card + 1, host, BYTES, cudaMemcpyHostToDevice, stream); });
    expect(true, "one that goes the other way",
           [] { cudaMemcpyAsync(host, card, BYTES, cudaMemcpyHostToDevice, stream); });
    expect(true, "one from the host as from the card",
           [] { cudaMemcpyAsync(card, host, BYTES, cudaMemcpyDeviceToDevice, stream); });
    expect(false, "zeros", [] { cudaMemsetAsync(card, 0, BYTES, stream); });
    expect(true, "zeros past a buffer's end", [] { cudaMemsetAsync(card, 0, BYTES + 1, stream); });
}

void test_attributes()
{
    static auto change = [](int bytes) {
        cudaFuncSetAttribute(host, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    };
    expect(false, "a kernel's blocks get more memory, then yet more", [] { change(50000), change(60000); });
    expect(true, "the same once more", [] { change(50000), change(50000); });
}

void test_captures()
{
    expect(false, "a copy that is captured", [] {
        captured([] { cudaMemcpyAsync(card, card + BYTES / 2, BYTES / 2, cudaMemcpyDeviceToDevice, stream); });
    });
    expect(true, "memory is asked for during a capture", [] {
        captured([] {
            void *more;
            cudaMalloc(&more, BYTES);
        });
    });
    expect(true, "memory is given back", [] { captured([] { cudaFree(card); }); });
    expect(true, "an event is recorded", [] { captured([] { cudaEventRecord(event, stream); }); });
    expect(true, "an event is waited for", [] { captured([] { cudaEventSynchronize(event); }); });
    expect(true, "all is waited for", [] { captured([] { cudaDeviceSynchronize(); }); });
}

/* Of a line of BYTES / 4 numbers, from and to memory of the card. */
void transform(size_t bytes, size_t of_area, size_t first)
{
    long long n = BYTES / sizeof(float), half = n / 2 + 1;
    char *real, *freq, *area;
    cufftHandle plan;
    size_t room;
    cudaMalloc((void **)&real, bytes);
    cudaMalloc((void **)&freq, (size_t)half * sizeof(cufftComplex));
    cufftCreate(&plan);
    cufftMakePlanMany64(plan, 1, &n, &n, 1, n, &half, 1, half, CUFFT_R2C, 1, &room);
    cudaMalloc((void **)&area, of_area ? of_area : room);
    cufftSetStream(plan, stream);
    cufftSetWorkArea(plan, area);
    cufftExecR2C(plan, (float *)(real + first), (cufftComplex *)freq);
}

void test_transforms()
{
    expect(false, "a transform", [] { transform(BYTES + 8, 0, 8); });
    expect(true, "one of samples past a buffer's end", [] { transform(BYTES, 0, 8); });
    expect(true, "one of samples that 8 does not divide", [] { transform(BYTES + 8, 0, 4); });
    expect(true, "one with too little room", [] { transform(BYTES, BYTES, 0); });
}

/* Ends the process if a copy that waits for nothing comes before a kernel that was queued before it. */
void overtake()
{
    static char seen;
    cudaStream_t lane;
    cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking);
    *host = 1;
    cudaMemsetAsync(card, 0, 1, stream);
    cudaDeviceSynchronize();
    emulated_queue(stream, [] { seen = *card; });
    cudaMemcpyAsync(card, host, 1, cudaMemcpyHostToDevice, lane);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    if (seen)
        abort();
}

void test_early_copies()
{
    expect(false, "a copy that a kernel does not wait for, and that comes late", overtake);
    expect(true, "the same where copies come early", [] {
        setenv("KINTSUGI_EMULATED_COPIES", "early", 1);
        overtake();
    });
}

void test_spoilt_capture()
{
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    bool good = cudaStreamQuery(stream) != cudaSuccess && cudaStreamEndCapture(stream, &graph) != cudaSuccess && !graph;
    failed += !good;
    printf("%sok %d - a capture is lost when its stream is asked how far it is\n", good ? "" : "not ", ++number);
}

} // namespace

int main()
{
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) || cudaMalloc((void **)&card, BYTES) ||
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming))
        return 1;
    test_copies();
    test_attributes();
    test_captures();
    test_transforms();
    test_early_copies();
    test_spoilt_capture();
    printf("1..%d\n", number);
    cudaEventDestroy(event);
    cudaFree(card);
    cudaStreamDestroy(stream);
    return failed > 0;
}
