// SPDX-License-Identifier: MIT
// grid.cpp: the threads of a block as fibers. The first block of a grid says whether there are barriers: when it ends
// without one, the threads of the others are called like functions, which is a hundred times faster.
#include "cuda_runtime.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <csetjmp>
#include <pthread.h>
#include <ucontext.h>
#include <vector>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

dim3 threadIdx, blockIdx, blockDim, gridDim;
void (*emulated_on_launch)(bool begins);
void (*emulated_on_atomic)(const void *at, size_t bytes);
void (*emulated_on_shuffle)(size_t bytes);
emulated_time emulated_now;

namespace {

enum { STACK = 256 << 10, WARP = 32 };

struct fiber {
    ucontext_t start;
    jmp_buf place; // where it goes on, once started
    char *stack;
    bool started, ended;
    bool shuffles;     // waits for its warp
    unsigned turn;     // of two, in which shuffles change
    uint64_t given[2]; // to the warp, at either turn
};

std::vector<fiber *> &fibers = *new std::vector<fiber *>(); // stay until the process ends
jmp_buf outside;
fiber *inside; // the fiber that runs; NULL: none
bool met_barrier;
const std::function<void()> *body;
char *shared_bytes;
size_t shared_count;
const void *arguments;
size_t arguments_size;
const void *outer_stack; // for the sanitizer
size_t outer_size;

[[noreturn]] void die(const char *why)
{
    fprintf(stderr, "emulated card: %s (block %u %u %u, thread %u %u %u)\n", why, blockIdx.x,
            blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    abort();
}

/* A sanitizer wants to know which stack is used next, and when it is. */
void leave_stack(void **kept, const void *stack, size_t size)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(kept, stack, size);
#else
    (void)kept, (void)stack, (void)size;
#endif
}

void enter_stack(void *kept, const void **from, size_t *size)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(kept, from, size);
#else
    (void)kept, (void)from, (void)size;
#endif
}

/* From a fiber to the loop that runs them. Jumps, because swapcontext asks the kernel for signals each time. */
void leave_fiber()
{
    void *kept = nullptr;
    leave_stack(&kept, outer_stack, outer_size);
    if (!_setjmp(inside->place))
        _longjmp(outside, 1);
    enter_stack(kept, &outer_stack, &outer_size);
}

void resume(fiber *f)
{
    void *kept = nullptr;
    inside = f;
    leave_stack(&kept, f->stack, STACK);
    if (!_setjmp(outside)) {
        if (f->started)
            _longjmp(f->place, 1);
        f->started = true;
        setcontext(&f->start);
    }
    enter_stack(kept, nullptr, nullptr);
    inside = nullptr;
}

/* A fiber never returns: after its thread it waits to be the next one. */
void run_fiber()
{
    enter_stack(nullptr, &outer_stack, &outer_size);
    for (;;) {
        (*body)();
        inside->ended = true;
        leave_fiber();
    }
}

fiber *make_fiber()
{
    fiber *f = new fiber();
    f->stack = (char *)malloc(STACK);
    getcontext(&f->start);
    f->start.uc_stack.ss_sp = f->stack;
    f->start.uc_stack.ss_size = STACK;
    f->start.uc_link = nullptr;
    makecontext(&f->start, run_fiber, 0);
    return f;
}

bool downwards()
{
    static const char *order = getenv("KINTSUGI_EMULATED_ORDER");
    return order && !strcmp(order, "down");
}

void set_index(dim3 *index, dim3 of, size_t number)
{
    size_t count = (size_t)of.x * of.y * of.z, i = downwards() ? count - 1 - number : number;
    *index = dim3((unsigned)(i % of.x), (unsigned)(i / of.x % of.y), (unsigned)(i / of.x / of.y));
}

size_t thread_of_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/* That of a thread of a block of whole warps. */
fiber *fiber_of(size_t thread)
{
    size_t count = (size_t)blockDim.x * blockDim.y * blockDim.z;
    if (count % WARP)
        die("a shuffle in a block of which a warp is not whole");
    return fibers[downwards() ? count - 1 - thread : thread];
}

/* The threads of a warp from one barrier of the block to the next. Answers how many have ended. */
size_t advance_warp(size_t first, size_t end)
{
    size_t ended, shuffle;
    do {
        ended = shuffle = 0;
        for (size_t t = first; t < end; t++) {
            set_index(&threadIdx, blockDim, t);
            resume(fibers[t]);
            ended += fibers[t]->ended;
            shuffle += fibers[t]->shuffles;
        }
        if (shuffle && shuffle < end - first)
            die("some threads of a warp are at a shuffle, others are not");
    } while (shuffle);
    return ended;
}

/* All threads from one barrier to the next. */
size_t advance(size_t count)
{
    size_t ended = 0;
    emulated_now.epoch++;
    for (size_t t = 0; t < count; t += WARP)
        ended += advance_warp(t, count < t + WARP ? count : t + WARP);
    return ended;
}

void run_fibers(size_t count)
{
    while (fibers.size() < count)
        fibers.push_back(make_fiber());
    for (size_t t = 0; t < count; t++)
        fibers[t]->ended = false;
    for (size_t ended = 0; ended < count;) {
        ended = advance(count);
        if (ended && ended < count)
            die("some threads of a block ended while others wait at a barrier");
    }
}

void run_calls(size_t count)
{
    emulated_now.epoch++;
    for (size_t t = 0; t < count; t++) {
        set_index(&threadIdx, blockDim, t);
        (*body)();
    }
}

} // namespace

void __syncthreads()
{
    if (!inside)
        die("a thread meets a barrier that the first block did not meet");
    met_barrier = true;
    leave_fiber();
}

/* Gives a value to the warp, and waits until all its threads have; answers the turn. A thread that goes on may come to
 * the next shuffle before another has read what it gave: there are two turns. */
static unsigned give_warp(uint64_t value)
{
    if (!inside)
        die("a thread meets a shuffle or a vote, where the first block met no barrier");
    fiber *me = inside;
    unsigned turn = me->turn++ % 2;
    me->given[turn] = value;
    me->shuffles = met_barrier = true;
    leave_fiber();
    me->shuffles = false;
    return turn;
}

uint64_t emulated_shuffle(uint64_t value, size_t bytes, int further)
{
    if (emulated_on_shuffle)
        emulated_on_shuffle(bytes);
    size_t thread = thread_of_block();
    int other = (int)(thread % WARP) + further;
    unsigned turn = give_warp(value);
    return other >= 0 && other < WARP ? fiber_of(thread / WARP * WARP + (size_t)other)->given[turn]
                                      : value;
}

unsigned emulated_ballot(bool so)
{
    size_t first = thread_of_block() / WARP * WARP;
    unsigned turn = give_warp(so), bits = 0;
    for (unsigned lane = 0; lane < WARP; lane++)
        bits |= (unsigned)fiber_of(first + lane)->given[turn] << lane;
    return bits;
}

template <typename T> static T add_at_once(T *at, T value)
{
    if (emulated_on_atomic)
        emulated_on_atomic(at, sizeof *at);
    T before = *at;
    *at += value;
    return before;
}

unsigned atomicAdd(unsigned *at, unsigned value)
{
    return add_at_once(at, value);
}

unsigned long long atomicAdd(unsigned long long *at, unsigned long long value)
{
    return add_at_once(at, value);
}

void *emulated_shared()
{
    return shared_bytes;
}

static bool lies_in(const void *at, const void *from, size_t bytes)
{
    return (uintptr_t)at - (uintptr_t)from < bytes;
}

bool emulated_is_shared(const void *at)
{
    return lies_in(at, shared_bytes, shared_count);
}

/* Threads that are called like functions have the stack of whoever called, as all that is launched has in part. */
bool emulated_is_own(const void *at)
{
    static thread_local void *stack;
    static thread_local size_t size;
    pthread_attr_t attributes;
    if (!size && !pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstack(&attributes, &stack, &size);
        pthread_attr_destroy(&attributes);
    }
    return lies_in(at, arguments, arguments_size) || lies_in(at, stack, size) ||
           (inside && lies_in(at, inside->stack, STACK));
}

void emulated_arguments(const void *from, size_t bytes)
{
    arguments = from;
    arguments_size = bytes;
}

void emulated_grid(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread)
{
    if (emulated_idle())
        return;
    size_t blocks = (size_t)grid.x * grid.y * grid.z, count = (size_t)block.x * block.y * block.z;
    gridDim = grid;
    blockDim = block;
    body = &thread;
    met_barrier = false;
    shared_bytes = (char *)malloc(shared ? shared : 1);
    shared_count = shared;
    emulated_now.launch = emulated_now.epoch + 1;
    if (emulated_on_launch)
        emulated_on_launch(true);
    for (size_t b = 0; b < blocks; b++) {
        set_index(&blockIdx, grid, b);
        emulated_now.block = emulated_now.epoch + 1;
        memset(shared_bytes, 0xff, shared);
        if (b == 0 || met_barrier)
            run_fibers(count);
        else
            run_calls(count);
    }
    if (emulated_on_launch)
        emulated_on_launch(false);
    free(shared_bytes);
}
