// SPDX-License-Identifier: MIT
/* threads.c: see threads.h. A thread is a context (ucontext) and a copy of the evaluator's
 * registers. The one that pauses picks who goes on: the one whose time comes first, itself
 * included. */
#include "python/threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "base/clock.h"
#include "base/ensure.h"
#include "base/memory.h"
#include "python/vm_state.h"

enum { C_STACK = 1 << 20, C_SPARE = 64 << 10, VALUES = 64 << 10, FRAMES = 250 };

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *size);
#endif

/* What of the evaluator belongs to a thread. */
struct registers {
    value *stack, *stack_end, *sp;
    struct frame *frames, *frame, *frames_end;
    int entries, natives;
    char *c_limit;
    value error;
};

struct thread {
    struct registers registers;
    ucontext_t context;
    void *c_stack; /* owned; NULL: the main thread's */
    size_t c_size;
    void *fake; /* the address sanitizer's */
    value function, object;
    int64_t wake_ns;
    bool done, pinned; /* pinned: natives below its evaluator hold values that no root knows */
};

static void save(struct registers *r, const struct vm *vm)
{
    *r = (struct registers){vm->stack,      vm->stack_end, vm->sp,      vm->frames,  vm->frame,
                            vm->frames_end, vm->entries,   vm->natives, vm->c_limit, vm->error};
}

static void load(struct vm *vm, const struct registers *r)
{
    vm->stack = r->stack;
    vm->stack_end = r->stack_end;
    vm->sp = r->sp;
    vm->frames = r->frames;
    vm->frame = r->frame;
    vm->frames_end = r->frames_end;
    vm->entries = r->entries;
    vm->natives = r->natives;
    vm->c_limit = r->c_limit;
    vm->error = r->error;
}

/* ---- switching ---- */

static void leave(struct thread *from, const struct thread *to)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(from->done ? NULL : &from->fake, to->c_stack, to->c_size);
#else
    (void)from;
    (void)to;
#endif
}

static void arrive(struct vm *vm, struct thread *here)
{
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(here->fake, &bottom, &size);
    struct thread *main = vm->threads.at[0];
    if (!main->c_size) { /* known since the first switch away from it */
        main->c_stack = (void *)bottom;
        main->c_size = size;
    }
#endif
    vm->thread = here;
}

static void switch_to(struct vm *vm, struct thread *to)
{
    struct thread *from = vm->thread;
    if (from == to)
        return;
    save(&from->registers, vm);
    from->pinned = !from->done && vm->entries > (from == vm->threads.at[0] ? 1 : 2);
    vm->heap.pinned += from->pinned;
    vm->heap.pinned -= to->pinned;
    to->pinned = false;
    load(vm, &to->registers);
    leave(from, to);
    swapcontext(&from->context, &to->context);
    arrive(vm, from);
}

static struct thread *first_to_wake(const struct vm *vm)
{
    struct thread *first = NULL;
    for (uint32_t i = 0; i < vm->threads.len; i++) {
        struct thread *t = vm->threads.at[i];
        if (!t->done && (!first || t->wake_ns < first->wake_ns))
            first = t;
    }
    return first;
}

static void sleep_until(int64_t ns)
{
    int64_t left = ns - clock_ns();
    struct timespec wait = {left / 1000000000, left % 1000000000};
    if (left > 0)
        nanosleep(&wait, NULL);
}

/* Gives way to whoever wakes first. */
static void give_way(struct vm *vm)
{
    struct thread *next = first_to_wake(vm);
    sleep_until(next->wake_ns);
    switch_to(vm, next);
}

/* ---- a thread's life ---- */

static struct vm *starting; /* makecontext passes ints only */

static void thread_main(void)
{
    struct vm *vm = starting;
    struct thread *self = vm->threads.at[vm->threads.len - 1];
    arrive(vm, self);
    vm_call0(vm, self->function);
    vm_take_error(vm);
    self->done = true;
    self->function = self->object = NO_VALUE;
    vm->sp = vm->stack;
    vm->frame = vm->frames;
    give_way(vm); /* and never comes back */
}

static void *map_memory(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        out_of_memory();
    return at;
}

static struct thread *thread_new(struct vm *vm)
{
    struct thread *t = memory_zeroed(1, sizeof *t);
    vec_push(&vm->threads, t);
    return t;
}

static void fill_registers(struct thread *t)
{
    struct registers *r = &t->registers;
    r->stack = r->sp = map_memory(VALUES * sizeof(value));
    r->stack_end = r->stack + VALUES - 64;
    r->frames = r->frame = memory_zeroed(FRAMES + 2, sizeof *r->frames);
    r->frames_end = r->frames + FRAMES + 1;
    r->entries = 1; /* never the outermost: sweeps are the main thread's */
    t->c_size = C_STACK;
    t->c_stack = map_memory(t->c_size);
    r->c_limit = (char *)t->c_stack + C_SPARE;
}

static void thread_free(struct thread *t, bool main)
{
    if (!main) {
        munmap(t->registers.stack, VALUES * sizeof(value));
        free(t->registers.frames);
        munmap(t->c_stack, t->c_size);
    }
    free(t);
}

static void reap(struct vm *vm)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < vm->threads.len; i++) {
        struct thread *t = vm->threads.at[i];
        if (t->done && t != vm->thread)
            thread_free(t, false);
        else
            vm->threads.at[kept++] = t;
    }
    vm->threads.len = kept;
}

bool threads_spawn(struct vm *vm, value function, value object)
{
    if (!vm->threads.len)
        vm->thread = thread_new(vm);
    reap(vm);
    struct thread *t = thread_new(vm);
    fill_registers(t);
    t->function = function;
    t->object = object;
    getcontext(&t->context);
    t->context.uc_stack.ss_sp = t->c_stack;
    t->context.uc_stack.ss_size = t->c_size;
    makecontext(&t->context, thread_main, 0);
    starting = vm;
    vm->thread->wake_ns = 0;
    switch_to(vm, t);
    return true;
}

void threads_pause(struct vm *vm, double seconds)
{
    int64_t until = clock_ns() + (int64_t)(seconds * 1e9);
    if (!threads_alive(vm)) {
        sleep_until(until);
        return;
    }
    vm->thread->wake_ns = until;
    give_way(vm);
}

void threads_run(struct vm *vm)
{
    if (!threads_alive(vm))
        return;
    reap(vm);
    vm->thread->wake_ns = clock_ns();
    give_way(vm);
}

/* ---- questions ---- */

value threads_current(const struct vm *vm)
{
    return vm->thread ? vm->thread->object : NO_VALUE;
}

uint32_t threads_alive(const struct vm *vm)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < vm->threads.len; i++)
        n += !vm->threads.at[i]->done;
    return n;
}

int threads_next(const struct vm *vm)
{
    int64_t least = INT64_MAX, now = clock_ns();
    for (uint32_t i = 1; i < vm->threads.len; i++)
        if (!vm->threads.at[i]->done && vm->threads.at[i]->wake_ns < least)
            least = vm->threads.at[i]->wake_ns;
    return least == INT64_MAX ? -1 : least <= now ? 0 : (int)((least - now + 999999) / 1000000);
}

/* ---- memory ---- */

void threads_mark(struct vm *vm)
{
    for (uint32_t i = 0; i < vm->threads.len; i++) {
        struct thread *t = vm->threads.at[i];
        heap_mark(vm, t->function);
        heap_mark(vm, t->object);
        if (t == vm->thread || t->done)
            continue;
        heap_mark(vm, t->registers.error);
        vm_mark_stack(vm, t->registers.stack, t->registers.sp, t->registers.frames,
                      t->registers.frame);
    }
}

void threads_end(struct vm *vm)
{
    for (uint32_t i = 0; i < vm->threads.len; i++)
        thread_free(vm->threads.at[i], !i);
    vec_free(&vm->threads);
}
