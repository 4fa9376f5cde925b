// SPDX-License-Identifier: MIT
// control.cpp: where lanes go, and what they do together.
#include "lanes.h"

namespace ptx {

namespace {

void branch(warp &w, const instruction &i)
{
    w.go(w.mask, i.target);
}

/* from: the registers of what is called, and its arrays. */
void call(warp &w, const instruction &i)
{
    uint32_t *back = w.words<uint32_t>(i.to[0]);
    w.forget(i.from[0], i.from[1]);
    for_lanes(w.mask, [&](int lane) {
        back[lane] = w.pc;
        memset(w.own(lane) + i.from[2], 0xff, i.from[3] - i.from[2]);
    });
    w.go(w.mask, i.target);
}

void return_from_function(warp &w, const instruction &i)
{
    const uint32_t *back = w.words<uint32_t>(i.from[0]);
    for (uint32_t left = w.mask; left;) {
        uint32_t to = back[__builtin_ctz(left)], lanes = 0;
        for_lanes(left, [&](int lane) { lanes |= (uint32_t)(back[lane] == to) << lane; });
        left &= ~lanes;
        w.go(lanes, to);
    }
}

void end(warp &w, const instruction &)
{
    w.end(w.mask);
}

/* All lanes of a warp must come to the same one: what others do at it is not defined. */
void barrier(warp &w, const instruction &i)
{
    if (w.words<uint32_t>(i.from[0])[0])
        w.fail("another barrier than the first", __builtin_ctz(w.mask));
    if (w.mask != w.alive)
        w.wait();
    else
        w.stop_at_barrier();
}

/* Whether all that are to take part are here; else those that are wait. */
bool all_here(warp &w, column named)
{
    const uint32_t *members = w.words<uint32_t>(named);
    uint32_t wanted = members[__builtin_ctz(w.mask)];
    for_lanes(w.mask, [&](int lane) {
        if (members[lane] != wanted)
            w.fail("lanes name others that take part", lane);
        if (!(wanted >> lane & 1))
            w.fail("a lane takes part that is not named", lane);
    });
    bool so = w.mask == (wanted & w.alive);
    if (!so)
        w.wait();
    return so;
}

enum class way { UP, DOWN, ACROSS, FROM };

/* The lane whose value it gets; itself, and false, where there is none. */
bool source_of(way go, int lane, uint32_t by, uint32_t clamp, int *source)
{
    int segment = clamp >> 8 & 31, most = (lane & segment) | ((int)(clamp & 31) & ~segment), least = lane & segment;
    int j = go == way::UP       ? lane - (int)(by & 31)
            : go == way::DOWN   ? lane + (int)(by & 31)
            : go == way::ACROSS ? lane ^ (int)(by & 31)
                                : least | ((int)(by & 31) & ~segment);
    bool good = go == way::UP ? j >= most : j <= most;
    *source = good ? j : lane;
    return good;
}

template <way GO> void shuffle(warp &w, const instruction &i)
{
    if (!all_here(w, i.from[3]))
        return;
    const uint32_t *given = w.words<uint32_t>(i.from[0]), *by = w.words<uint32_t>(i.from[1]),
                   *clamp = w.words<uint32_t>(i.from[2]);
    uint32_t got[LANES], good = 0, *to = w.words<uint32_t>(i.to[0]);
    for_lanes(w.mask, [&](int lane) {
        int source;
        good |= (uint32_t)source_of(GO, lane, by[lane], clamp[lane], &source) << lane;
        if (!(w.mask >> source & 1))
            w.fail("a lane gets the value of one that does not take part", lane);
        got[lane] = given[source];
    });
    for_lanes(w.mask, [&](int lane) { to[lane] = got[lane]; });
    uint32_t &so = w.predicate(i.to[1]);
    so = (so & ~w.mask) | good;
    w.wrote(i.to[0]);
    w.wrote(i.to[1]);
}

enum class vote { ALL_OF, ANY };

template <vote V> void voted(warp &w, const instruction &i)
{
    if (!all_here(w, i.from[1]))
        return;
    uint32_t so = w.predicate(i.from[0]) & w.mask, &to = w.predicate(i.to[0]);
    bool answer = V == vote::ALL_OF ? so == w.mask : so != 0;
    to = answer ? to | w.mask : to & ~w.mask;
    w.wrote(i.to[0]);
}

void ballot(warp &w, const instruction &i)
{
    if (!all_here(w, i.from[1]))
        return;
    uint32_t so = w.predicate(i.from[0]) & w.mask, *to = w.words<uint32_t>(i.to[0]);
    for_lanes(w.mask, [&](int lane) { to[lane] = so; });
    w.wrote(i.to[0]);
}

void join(warp &w, const instruction &i)
{
    all_here(w, i.from[0]);
}

} // namespace

std::vector<row> controls()
{
    return {
        {"bra bra.uni", BRANCHES, branch, "=>"},
        {"call", BRANCHES, call, "="},
        {"ret.func", BRANCHES, return_from_function, "="},
        {"ret exit", BRANCHES, end, "="},
        {"bar.sync barrier.sync.aligned", OTHERS, barrier, "=w"},
        {"bar.warp.sync", OTHERS, join, "=w"},
        {"shfl.sync.up.b32", SHARED, shuffle<way::UP>, "wp=wwww"},
        {"shfl.sync.down.b32", SHARED, shuffle<way::DOWN>, "wp=wwww"},
        {"shfl.sync.bfly.b32", SHARED, shuffle<way::ACROSS>, "wp=wwww"},
        {"shfl.sync.idx.b32", SHARED, shuffle<way::FROM>, "wp=wwww"},
        {"vote.sync.all.pred", OTHERS, voted<vote::ALL_OF>, "p=pw"},
        {"vote.sync.any.pred", OTHERS, voted<vote::ANY>, "p=pw"},
        {"vote.sync.ballot.b32", OTHERS, ballot, "w=pw"},
    };
}

} // namespace ptx
