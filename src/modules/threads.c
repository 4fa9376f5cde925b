// SPDX-License-Identifier: MIT
/* _threads: what threading and queue are made of. */
#include "modules/modules.h"
#include "python/threads.h"

static value spawn(struct vm *vm, const struct args *args)
{
    return threads_spawn(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

static value pause_thread(struct vm *vm, const struct args *args)
{
    double seconds;
    if (!arg_float(vm, args, 0, 0, &seconds))
        return NO_VALUE;
    threads_pause(vm, seconds);
    return VALUE_NONE;
}

static value current(struct vm *vm, const struct args *args)
{
    return value_or_none(threads_current(vm));
}

static value alive(struct vm *vm, const struct args *args)
{
    return small((int64_t)threads_alive(vm));
}

static const struct native_def functions[] = {
    {"spawn", spawn, "function thread /", "Calls the function in a thread of its own."},
    {"pause", pause_thread, "secs /", "Lets other threads run."},
    {"current", current, "", "The thread that runs; None: the main one."},
    {"alive", alive, "", "How many threads run beside the main one."},
    {0}};

const struct native_module module_threads = {"_threads", functions, NULL};
