// SPDX-License-Identifier: MIT
// traffic.cpp: counts what kernels ask memory for.
#include "cuda_runtime.h"
#include "hooks.h"
#include "traffic.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

enum { WARP = 32, SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4, WIDEST = 16 };

/* An instruction that the threads of a warp execute for the n-th time. */
struct request {
    space where;
    bool write;
    std::vector<uintptr_t> units; // sectors or words that it touches, some of them twice
};

struct counter {
    traffic sum = {};
    bool on = false; // a kernel runs
    dim3 block;
    unsigned thread = 0;
    std::unordered_map<uintptr_t, unsigned> times;          // of each instruction of the running thread
    std::map<std::pair<uintptr_t, unsigned>, request> warp; // requests of the running warp
    request *last = nullptr;                                // of the running thread
    uintptr_t last_begin = 0, last_end = 0;
    std::unordered_set<uintptr_t> block_sectors, launch_sectors; // twice their number, 1 more when they are written
};

counter &now = *new counter();

size_t distinct(std::vector<uintptr_t> &v)
{
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    return v.size();
}

/* Turns of the fullest bank. */
unsigned turns(const std::vector<uintptr_t> &words)
{
    unsigned in[BANKS] = {}, most = 0;
    for (uintptr_t word : words)
        most = std::max(most, ++in[word % BANKS]);
    return most;
}

void end_warp()
{
    for (auto &entry : now.warp) {
        request &r = entry.second;
        distinct(r.units);
        if (r.where == SHARED) {
            now.sum.shared += turns(r.units);
            continue;
        }
        for (uintptr_t &sector : r.units) {
            now.block_sectors.insert(2 * sector + r.write);
            sector /= LINE / SECTOR;
        }
        now.sum.wide += distinct(r.units);
    }
    now.warp.clear();
    now.times.clear();
    now.last = nullptr;
}

void end_block()
{
    end_warp();
    now.sum.block += now.block_sectors.size() * SECTOR;
    now.launch_sectors.insert(now.block_sectors.begin(), now.block_sectors.end());
    now.block_sectors.clear();
}

void on_launch(bool begins)
{
    if (!begins) {
        end_block();
        now.sum.moved += now.launch_sectors.size() * SECTOR;
        now.launch_sectors.clear();
    }
    now.sum.launches += begins;
    now.on = begins;
    now.thread = 0;
    now.block = dim3(0, 0, 0);
}

/* Another thread, maybe of another warp or block: a barrier begins again with the first one. */
void follow_thread()
{
    unsigned thread = thread_number();
    if (blockIdx.x != now.block.x || blockIdx.y != now.block.y || blockIdx.z != now.block.z)
        end_block();
    else if (thread / WARP != now.thread / WARP || thread < now.thread)
        end_warp();
    if (thread != now.thread) {
        now.times.clear();
        now.last = nullptr;
    }
    now.thread = thread;
    now.block = blockIdx;
}

/* The members of a float2, or of two that lie side by side, are one access of 8 or 16 bytes. */
bool goes_on(uintptr_t at, size_t bytes, space where, bool write)
{
    size_t both = at + bytes - now.last_begin;
    return now.last && at == now.last_end && now.last->where == where && now.last->write == write && both <= WIDEST &&
           now.last_begin % (both <= WIDEST / 2 ? WIDEST / 2 : WIDEST) == 0;
}

/* A warp's shuffle goes the way of shared memory. */
void on_shuffle(size_t bytes)
{
    now.sum.shared += thread_number() % WARP == 0 ? (bytes + WORD - 1) / WORD : 0;
}

[[maybe_unused]] bool listening = [] {
    emulated_on_launch = on_launch;
    emulated_on_shuffle = on_shuffle;
    return true;
}();

} // namespace

void on_access(const void *pointer, size_t bytes, bool write, uintptr_t instruction)
{
    space where = now.on ? space_of(pointer) : NOWHERE;
    if (where == NOWHERE)
        return;
    follow_thread();
    uintptr_t unit = where == GLOBAL ? SECTOR : WORD, at = (uintptr_t)pointer;
    if (!goes_on(at, bytes, where, write)) {
        now.last = &now.warp[{instruction, now.times[instruction]++}];
        now.last->where = where;
        now.last->write = write;
        now.last_begin = at;
    }
    now.last_end = at + bytes;
    now.sum.asked += where == GLOBAL ? bytes : 0;
    for (uintptr_t u = at / unit; u <= (at + bytes - 1) / unit; u++)
        now.last->units.push_back(u);
}

void on_atomic(const void *at, size_t bytes)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    on_access(at, bytes, false, here);
    on_access(at, bytes, true, here + 1);
}

extern "C" __attribute__((visibility("default"))) void emulated_traffic(struct traffic *traffic)
{
    *traffic = now.sum;
    now.sum = {};
}
