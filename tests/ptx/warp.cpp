// SPDX-License-Identifier: MIT
#include "warp.h"

#include <algorithm>
#include <cstdlib>

namespace ptx {

bool lanes_stay_apart()
{
    static const char *order = getenv("KINTSUGI_EMULATED_ORDER");
    return order && !strcmp(order, "apart");
}

tally &tally::operator+=(const tally &more)
{
    for (int k = 0; k < KINDS; k++)
        executed[k] += more.executed[k];
    lanes += more.lanes;
    return *this;
}

/* Pages of registers that nothing uses cost nothing. */
warp::warp(const program &program, memory &memory, uint32_t number)
    : code(program), mem(memory), number(number),
      bases{(char *)calloc(program.columns + 1, COLUMN), (char *)program.constants.data()},
      written((uint32_t *)calloc(program.columns + 1, sizeof *written)),
      local((char *)calloc(LANES, program.local + 1))
{
    predicate(ALWAYS) = ALL;
    for (column c = 0; c < OWN; c++)
        written[c] = ALL;
    for (uint32_t lane = 0; lane < LANES; lane++)
        words<uint32_t>(LANE)[lane] = lane;
}

warp::~warp()
{
    free(bases[0]);
    free(written);
    free(local);
}

void warp::begin(const function &kernel, uint32_t lanes)
{
    mask = alive = lanes;
    std::fill(written + kernel.first, written + kernel.columns, 0);
    groups.assign(1, {lanes, kernel.begin, false});
    copies.clear();
    for (int lane = 0; lane < LANES; lane++)
        memset(own(lane) + kernel.local, 0xff, kernel.local_end - kernel.local);
}

void warp::forget(column from, column to)
{
    for (column c = from; c < to; c++)
        written[c] &= ~mask;
}

void warp::fail(const std::string &why, int lane)
{
    auto three = [&](column c) {
        std::string text;
        for (column k = c; k < c + 3; k++)
            text += " " + std::to_string(words<uint32_t>(k)[lane]);
        return text;
    };
    throw fault(why + " at " + code.told(at) + " (" + code.owner(at).name + ", block" + three(CTAID) + ", thread" +
                three(TID) + ")");
}

/* To those that are there already, unless lanes stay apart until they wait. */
void warp::put(group g)
{
    for (group &other : groups)
        if (g.mask && other.pc == g.pc && (other.waits || g.waits || !lanes_stay_apart())) {
            other.mask |= g.mask;
            other.waits = false;
            return;
        }
    if (g.mask)
        groups.push_back(g);
}

void warp::go(uint32_t lanes, uint32_t to)
{
    if (lanes == together) {
        pc = to;
        return;
    }
    together &= ~lanes;
    put({lanes, to, false});
    stop = 0;
}

void warp::wait()
{
    pc = at;
    waits = true;
    stop = 0;
}

void warp::stop_at_barrier()
{
    at_barrier = true;
    stop = 0;
}

void warp::end(uint32_t lanes)
{
    alive &= ~lanes;
    together &= ~lanes;
    for (group &g : groups)
        g.waits = false;
    if (!together)
        stop = 0;
}

/* The one at the lowest place. */
bool warp::next_group()
{
    size_t best = groups.size();
    uint32_t other = (uint32_t)-1;
    for (size_t k = 0; k < groups.size(); k++)
        if (!groups[k].waits && (best == groups.size() || groups[k].pc < groups[best].pc))
            best = k;
    if (best == groups.size())
        return false;
    group g = groups[best];
    groups.erase(groups.begin() + (long)best);
    for (const group &o : groups)
        if (!o.waits)
            other = std::min(other, o.pc);
    together = g.mask;
    pc = g.pc;
    stop = lanes_stay_apart() ? (uint32_t)-1 : other;
    if (stop == pc) // two that met while they stood
        stop++;
    waits = false;
    return true;
}

void warp::execute(const instruction &i, tally &tally, std::vector<uint64_t> &hits)
{
    for (int k = 0; k < i.needs; k++)
        if (uint32_t lacking = mask & ~written[i.reads[k]])
            fail("a register is read that was never written", __builtin_ctz(lacking));
    uint32_t lanes = mask;
    i.run(*this, i);
    if (waits)
        return;
    tally.executed[i.kind]++;
    tally.lanes += (uint32_t)__builtin_popcount(lanes);
    hits[at]++;
}

void warp::advance(tally &tally, std::vector<uint64_t> &hits)
{
    at_barrier = false;
    while (!at_barrier && next_group()) {
        do {
            const instruction &i = code.code[at = pc++];
            mask = together;
            if (i.guard != ALWAYS) {
                if (uint32_t lacking = mask & ~written[i.guard])
                    fail("a predicate is read that was never written", __builtin_ctz(lacking));
                uint32_t so = predicate(i.guard);
                mask &= i.guard_not ? ~so : so;
            }
            if (mask)
                execute(i, tally, hits);
        } while (pc < stop);
        put({together, pc, waits});
    }
    if (!at_barrier && alive) {
        at = groups[0].pc;
        fail("lanes wait for others that do not come", __builtin_ctz(groups[0].mask));
    }
}

} // namespace ptx
