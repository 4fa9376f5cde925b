// SPDX-License-Identifier: MIT
// launch.cpp: blocks run one after the other, their warps from barrier to barrier.
#include "launch.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace ptx {

namespace {

bool downwards()
{
    static const char *order = getenv("KINTSUGI_EMULATED_ORDER");
    return order && !strcmp(order, "down");
}

struct grid {
    const program &code;
    const function &kernel;
    extent blocks, threads;
    memory mem;
    std::vector<std::unique_ptr<warp>> warps;
    uint32_t count; // of a block's threads
    tally sum;
};

void fill(warp &w, column c, uint32_t value)
{
    std::fill_n(w.words<uint32_t>(c), (int)LANES, value);
}

void fill_three(warp &w, column c, extent value)
{
    fill(w, c, value.x);
    fill(w, c + 1, value.y);
    fill(w, c + 2, value.z);
}

extent index(extent of, uint64_t number)
{
    return {(uint32_t)(number % of.x), (uint32_t)(number / of.x % of.y), (uint32_t)(number / of.x / of.y)};
}

void make_warp(grid &g, uint32_t number)
{
    g.warps.emplace_back(new warp(g.code, g.mem, number));
    warp &w = *g.warps.back();
    fill_three(w, NTID, g.threads);
    fill_three(w, NCTAID, g.blocks);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        extent at = index(g.threads, number * LANES + lane);
        w.words<uint32_t>(TID)[lane] = at.x;
        w.words<uint32_t>(TID + 1)[lane] = at.y;
        w.words<uint32_t>(TID + 2)[lane] = at.z;
    }
}

void run_block(grid &g, extent block, std::vector<uint64_t> &hits)
{
    g.mem.fill_shared();
    for (auto &w : g.warps) {
        uint32_t left = g.count - w->number * LANES;
        fill_three(*w, CTAID, block);
        w->begin(g.kernel, left < LANES ? (1u << left) - 1 : ALL);
    }
    for (bool more = true; more;) {
        warp *waiting = nullptr;
        bool ended = false;
        for (auto &w : g.warps) {
            if (w->alive)
                w->advance(g.sum, hits);
            if (w->at_barrier)
                waiting = w.get();
            ended |= !w->alive;
        }
        if (waiting && ended)
            waiting->fail("threads of a block wait for others that have ended", __builtin_ctz(waiting->alive));
        more = waiting;
    }
}

} // namespace

tally execute(const program &program, const function &kernel, extent blocks, extent threads, size_t shared,
              std::vector<char> params, find_buffer *find, std::vector<uint64_t> &hits)
{
    uint64_t count = (uint64_t)blocks.x * blocks.y * blocks.z;
    uint32_t of_block = threads.x * threads.y * threads.z;
    grid g = {program, kernel, blocks, threads, memory(program, find, shared), {}, of_block, {}};
    if (g.count > kernel.most_threads)
        throw fault(kernel.name + " is made for " + std::to_string(kernel.most_threads) + " threads a block, not " +
                    std::to_string(g.count));
    g.mem.params = std::move(params);
    g.mem.watch = kernel.fixed;
    for (uint32_t k = 0; k < (g.count + LANES - 1) / LANES; k++)
        make_warp(g, k);
    if (downwards())
        std::reverse(g.warps.begin(), g.warps.end());
    hits.resize(program.code.size());
    for (uint64_t b = 0; b < count; b++)
        run_block(g, index(blocks, downwards() ? count - 1 - b : b), hits);
    return g.sum;
}

} // namespace ptx
