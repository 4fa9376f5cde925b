// SPDX-License-Identifier: MIT
// access.cpp: loads, stores and sums in memory. A vector must lie at a multiple of its size.
#include "lanes.h"

namespace ptx {

namespace {

/* Where the bytes of all lanes are that execute the instruction. */
template <space S> struct places {
    char *at[LANES];

    places(warp &w, const instruction &i, uint64_t size, bool write)
    {
        uint64_t addresses[LANES];
        if (i.far)
            add(addresses, w.words<uint64_t>(i.from[0]), i.offset);
        else
            add(addresses, w.words<uint32_t>(i.from[0]), i.offset);
        window seen = w.mem.seen(S, w.at, write);
        if (!all_in(seen, addresses, size, w.mask))
            for_lanes(w.mask, [&](int lane) { at[lane] = reach(w, addresses[lane], size, write, lane); });
        else
            for (int lane = 0; lane < LANES; lane++)
                at[lane] = seen.bytes + (addresses[lane] - seen.of.at);
    }

    template <class C> static void add(uint64_t *addresses, const C *from, int64_t offset)
    {
        for (int lane = 0; lane < LANES; lane++)
            addresses[lane] = from[lane] + (uint64_t)offset;
    }

    /* Nearly always they are where others were. */
    static bool all_in(const window &seen, const uint64_t *addresses, uint64_t size, uint32_t mask)
    {
        uint64_t wrong = 0, room = seen.of.bytes - size, from = seen.of.at;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint64_t so = (addresses[lane] - from > room) | (addresses[lane] & (size - 1));
            wrong |= mask >> lane & 1 ? so : 0;
        }
        return !wrong && size <= seen.of.bytes;
    }

    void note(warp &w, uint64_t size, use how)
    {
        for_lanes(w.mask, [&](int lane) {
            if (!w.mem.note((uint64_t)at[lane], size, how))
                w.fail("memory is changed that is read as if it were not", lane);
        });
    }

    static char *reach(warp &w, uint64_t address, uint64_t size, bool write, int lane)
    {
        char *at = w.mem.reach(S, address, size, write, w.own(lane));
        if (!at)
            w.fail(w.mem.refusal(S, address, size), lane);
        if (address & (size - 1))
            w.fail(std::to_string(size) + " bytes at an address that they do not divide", lane);
        return at;
    }
};

template <class T, space S, bool NC, class C> void load_into(warp &w, const instruction &i)
{
    places<S> from(w, i, sizeof(T) * i.count, false);
    if (NC)
        from.note(w, sizeof(T) * i.count, FIXED);
    for (int k = 0; k < i.count; k++) {
        C *to = w.words<C>(i.to[k]);
        for_lanes(w.mask, [&](int lane) { to[lane] = (C)((const T *)from.at[lane])[k]; });
        w.wrote(i.to[k]);
    }
}

template <class T, space S, bool NC = false> void load(warp &w, const instruction &i)
{
    if (i.wide)
        load_into<T, S, NC, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(w, i);
    else
        load_into<T, S, NC, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>(w, i);
}

template <class T, space S, class C> void store_from(warp &w, const instruction &i)
{
    places<S> to(w, i, sizeof(T) * i.count, true);
    if (S == space::GLOBAL && w.mem.watch)
        to.note(w, sizeof(T) * i.count, CHANGED);
    for (int k = 0; k < i.count; k++) {
        const C *from = w.words<C>(i.from[k + 1]);
        for_lanes(w.mask, [&](int lane) { ((T *)to.at[lane])[k] = (T)from[lane]; });
    }
}

template <class T, space S> void store(warp &w, const instruction &i)
{
    if (i.wide)
        store_from<T, S, uint64_t>(w, i);
    else
        store_from<T, S, uint32_t>(w, i);
}

/* What is asked for must be there, though a card would not mind. */
void ask(warp &w, const instruction &i)
{
    places<space::GLOBAL> from(w, i, 1, false);
}

/* Some bytes from global to shared memory: they come when they are waited for, and no sooner. */
void copy_later(warp &w, const instruction &i)
{
    instruction there = i, here = i;
    size_t bytes = *w.words<uint32_t>(i.from[2]);
    there.from[0] = i.from[1];
    here.far = false;
    here.offset = 0;
    places<space::GLOBAL> from(w, there, bytes, false);
    places<space::SHARED> to(w, here, bytes, true);
    for_lanes(w.mask, [&](int lane) { w.copies.push_back({lane, to.at[lane], from.at[lane], bytes}); });
}

void wait_for_copies(warp &w, const instruction &)
{
    std::vector<copy> others;
    for (const copy &c : w.copies)
        if (w.mask >> c.lane & 1)
            memcpy(c.to, c.from, c.bytes);
        else
            others.push_back(c);
    w.copies = others;
}

template <class T, space S> void add_to(warp &w, const instruction &i)
{
    places<S> to(w, i, sizeof(T), true);
    for_lanes(w.mask, [&](int lane) {
        T *at = (T *)to.at[lane], before = *at;
        *at += (T)w.words<cell<T>>(i.from[1])[lane];
        w.words<cell<T>>(i.to[0])[lane] = before;
    });
    w.wrote(i.to[0]);
}

/* Of all types of one size and sign, alone and as vectors. */
template <class T, space S>
void add_type(std::vector<row> &rows, const std::string &where, const std::vector<std::string> &types)
{
    const std::string several = sizeof(T) == 8 ? "R" : "r";
    kind loads = S == space::SHARED ? SHARED : S == space::PARAM ? OTHERS : LOADS;
    kind stores = S == space::SHARED ? SHARED : S == space::PARAM ? OTHERS : STORES;
    for (std::string type : types)
        for (std::string vector : {"", ".v2", ".v4"}) {
            std::string name = vector + "." + type;
            if (S == space::GLOBAL)
                rows.push_back({"ld.global.nc" + name, LOADS, load<T, S, true>, several + "=["});
            rows.push_back({"ld" + where + name, loads, load<T, S>, several + "=["});
            rows.push_back({"st" + where + name, stores, store<T, S>, "=[" + several});
        }
}

template <space S> void add_space(std::vector<row> &rows, const std::string &where)
{
    add_type<uint8_t, S>(rows, where, {"u8", "b8"});
    add_type<int8_t, S>(rows, where, {"s8"});
    add_type<uint16_t, S>(rows, where, {"u16", "b16"});
    add_type<int16_t, S>(rows, where, {"s16"});
    add_type<uint32_t, S>(rows, where, {"u32", "b32", "f32"});
    add_type<int32_t, S>(rows, where, {"s32"});
    add_type<uint64_t, S>(rows, where, {"u64", "b64", "s64", "f64"});
}

} // namespace

std::vector<row> accesses()
{
    std::vector<row> rows = {
        {"prefetch.global.L2", LOADS, ask, "=["},
        {"cp.async.ca.shared.global", LOADS, copy_later, "=[[w"},
        {"cp.async.wait_all", OTHERS, wait_for_copies, "="},
        {"atom.global.add.u32", LOADS, add_to<uint32_t, space::GLOBAL>, "w=[w"},
        {"atom.global.add.u64", LOADS, add_to<uint64_t, space::GLOBAL>, "d=[d"},
        {"atom.shared.add.u32", SHARED, add_to<uint32_t, space::SHARED>, "w=[w"},
        {"atom.shared.add.u64", SHARED, add_to<uint64_t, space::SHARED>, "d=[d"},
    };
    add_space<space::GENERIC>(rows, "");
    add_space<space::GLOBAL>(rows, ".global");
    add_space<space::SHARED>(rows, ".shared");
    add_space<space::LOCAL>(rows, ".local");
    add_space<space::PARAM>(rows, ".param");
    return rows;
}

} // namespace ptx
