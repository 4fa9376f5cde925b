// SPDX-License-Identifier: MIT
// card_test.cpp: what a real card refuses ends a process on the emulated one, and what it takes does not.
#include "cuda_runtime.h"

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
    static auto change = [](int bytes) { cudaFuncSetAttribute(host, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes); };
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
    test_spoilt_capture();
    printf("1..%d\n", number);
    cudaEventDestroy(event);
    cudaFree(card);
    cudaStreamDestroy(stream);
    return failed > 0;
}
