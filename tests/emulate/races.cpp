// SPDX-License-Identifier: MIT
// races.cpp: looks for races between the threads of a kernel, as compute-sanitizer's racecheck does on a card, in global
// memory too. Whether threads happen to run in an order that is harmless plays no part:
//
//     threads of one block    are in order when a barrier lies between them
//     threads of two blocks   never are; only global memory is common to them
//
// Of every byte the last write is kept and what has read it since. Two accesses that are not in order, one of them a
// write, are a race; also when both write the same. Atomic operations are in order among themselves.
//
// A thread that uses memory of the host is told, too: few cards can.
#include "races.h"
#include "cuda_runtime.h"
#include "hooks.h"

#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <pthread.h>
#include <set>
#include <string>
#include <unordered_map>

namespace {

enum { PAGE = 4096, TOLD = 20 };

struct access {
    unsigned epoch = 0; // 0: none
    unsigned thread = 0;
};

struct cell { // a byte
    access write, read;
    bool atomic = false;      // the write
    bool several = false;     // other threads have read it in the same epoch
    bool other_block = false; // so has another block, in the same launch
};

typedef std::array<cell, PAGE> page;
typedef std::unordered_map<uintptr_t, std::unique_ptr<page>> page_table;

// They stay until the process ends.
page_table &pages = *new page_table();
std::set<std::string> &told = *new std::set<std::string>();
size_t races;
bool running;     // a kernel
pthread_t runner; // in which thread of the host

cell &cell_at(uintptr_t at)
{
    static uintptr_t last = (uintptr_t)-1;
    static page *bytes;
    if (at / PAGE != last) {
        auto &found = pages[at / PAGE];
        if (!found)
            found.reset(new page());
        bytes = found.get();
        last = at / PAGE;
    }
    return (*bytes)[at % PAGE];
}

/* Whether something that was done at that epoch is not in order with what the running thread does now. */
bool unordered(const access &before, space where)
{
    const emulated_time &t = emulated_now;
    if (before.epoch < (where == SHARED ? t.block : t.launch))
        return false;
    return before.epoch < t.block || (before.epoch == t.epoch && before.thread != thread_number());
}

void tell(const char *what, space where, uintptr_t at, uintptr_t instruction)
{
    Dl_info from = {};
    char text[400];
    races++;
    if (told.size() >= TOLD || !dladdr((void *)instruction, &from))
        return;
    const char *of[] = {[NOWHERE] = "", [GLOBAL] = " in global memory", [SHARED] = " in shared memory"};
    snprintf(text, sizeof text, "%s%s; addr2line -Cfie %s 0x%zx", what, of[where], from.dli_fname, (size_t)(instruction - 1 - (uintptr_t)from.dli_fbase));
    if (told.insert(text).second)
        fprintf(stderr, "emulated card: %s (block %u %u %u, thread %u %u %u, byte %zx)\n", text, blockIdx.x, blockIdx.y,
                blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, (size_t)at);
}

void note_read(cell &c)
{
    const emulated_time &t = emulated_now;
    access now = {t.epoch, thread_number()};
    if (c.read.epoch < t.launch)
        c.other_block = c.several = false;
    else if (c.read.epoch < t.block)
        c.other_block = true, c.several = false;
    else
        c.several = c.read.epoch == t.epoch && (c.several || c.read.thread != now.thread);
    c.read = now;
}

void note_write(cell &c, bool atomic)
{
    c.write = {emulated_now.epoch, thread_number()};
    c.atomic = atomic;
}

void look(uintptr_t at, bool write, bool atomic, space where, uintptr_t instruction)
{
    cell &c = cell_at(at);
    const emulated_time &t = emulated_now;
    if (unordered(c.write, where) && !(atomic && c.atomic))
        tell(write ? "two threads write" : "one thread writes, another reads", where, at, instruction);
    if (!write) {
        note_read(c);
        return;
    }
    bool here = c.read.epoch == t.epoch && c.several,
         there = where == GLOBAL && c.read.epoch >= t.launch && c.other_block;
    if (unordered(c.read, where) || here || there)
        tell("one thread reads, another writes", where, at, instruction);
    note_write(c, atomic);
}

void look_at_all(const void *pointer, size_t bytes, bool write, bool atomic, uintptr_t instruction)
{
    if (!running || !pthread_equal(runner, pthread_self()))
        return;
    space where = space_of(pointer);
    if (where == NOWHERE && is_of_host(pointer))
        tell("a thread uses the host's memory", where, (uintptr_t)pointer, instruction);
    for (size_t i = 0; where != NOWHERE && i < bytes; i++)
        look((uintptr_t)pointer + i, write, atomic, where, instruction);
}

[[maybe_unused]] bool listening = [] {
    emulated_on_launch = [](bool begins) {
        runner = pthread_self();
        running = begins;
    };
    return true;
}();

/* At the end of the process. */
__attribute__((destructor)) void look_back()
{
    if (!races)
        return;
    fflush(nullptr);
    fprintf(stderr, "emulated card: %zu bytes were raced for, or are the host's\n", races);
    abort();
}

} // namespace

void on_access(const void *at, size_t bytes, bool write, uintptr_t instruction)
{
    look_at_all(at, bytes, write, false, instruction);
}

void on_atomic(const void *at, size_t bytes)
{
    look_at_all(at, bytes, true, true, (uintptr_t)__builtin_return_address(0));
}

size_t races_take()
{
    size_t found = races;
    races = 0;
    told.clear();
    return found;
}
