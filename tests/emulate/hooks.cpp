// SPDX-License-Identifier: MIT
// hooks.cpp: what the compiler calls where it looks for races.
#include "hooks.h"
#include "cuda_runtime.h"

#include <link.h>

extern "C" char __bss_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

static bool within(const void *at, const void *from, size_t bytes)
{
    return (uintptr_t)at - (uintptr_t)from < bytes;
}

space space_of(const void *at)
{
    if (emulated_is_memory(at))
        return GLOBAL;
    if (within(at, &threadIdx, sizeof threadIdx) || within(at, &blockIdx, sizeof blockIdx) ||
        within(at, &blockDim, sizeof blockDim) || within(at, &gridDim, sizeof gridDim))
        return NOWHERE;
    bool shared = emulated_is_shared(at) || within(at, __bss_start, (size_t)(_end - __bss_start));
    return shared ? SHARED : NOWHERE;
}

/* Constants are in the data of a library. */
bool is_of_host(const void *at)
{
    auto look = [](dl_phdr_info *library, size_t, void *address) {
        for (int i = 0; i < library->dlpi_phnum; i++) {
            const auto &part = library->dlpi_phdr[i];
            if (part.p_type == PT_LOAD &&
                within(address, (const void *)(library->dlpi_addr + part.p_vaddr), part.p_memsz))
                return 1;
        }
        return 0;
    };
    return !emulated_is_own(at) && !dl_iterate_phdr(look, (void *)at);
}

unsigned thread_number()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

[[maybe_unused]] static bool listening = [] {
    emulated_on_atomic = on_atomic;
    return true;
}();

#define HERE (uintptr_t)__builtin_return_address(0)
#define HOOKS(bytes)                                                                                                   \
    void __tsan_read##bytes(const void *at) { on_access(at, bytes, false, HERE); }                                     \
    void __tsan_write##bytes(const void *at) { on_access(at, bytes, true, HERE); }                                     \
    void __tsan_unaligned_read##bytes(const void *at) { on_access(at, bytes, false, HERE); }                           \
    void __tsan_unaligned_write##bytes(const void *at) { on_access(at, bytes, true, HERE); }

extern "C" {
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
void __tsan_read_range(const void *at, size_t bytes) { on_access(at, bytes, false, HERE); }
void __tsan_write_range(const void *at, size_t bytes) { on_access(at, bytes, true, HERE); }
void __tsan_vptr_update(void **, void *) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_init() {}
}
