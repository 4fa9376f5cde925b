/* SPDX-License-Identifier: MIT
 *
 * lanes.h: a function of single values, executed by the lanes of a warp.
 *
 *     static float plus(float a, float b) { return a + b; }
 *     row r = each<plus>("add.f32", FLOATS);                its operands are "w=ww" */
#pragma once

#include "warp.h"

#include <tuple>
#include <type_traits>

namespace ptx {

/* What is in a column for a value of a type. */
template <class T> using cell = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T> inline T from_cell(const cell<T> *c, int lane)
{
    if constexpr (std::is_same_v<T, bool>) {
        return c[0] >> lane & 1;
    } else if constexpr (std::is_floating_point_v<T>) {
        T value;
        memcpy(&value, c + lane, sizeof value);
        return value;
    } else {
        return (T)c[lane];
    }
}

template <class T> inline cell<T> to_cell(T value)
{
    if constexpr (std::is_floating_point_v<T>) {
        cell<T> bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    } else {
        return (std::make_unsigned_t<T>)value;
    }
}

template <class T> constexpr char operand_of()
{
    return std::is_same_v<T, bool> ? 'p' : sizeof(T) == 8 ? 'd' : 'w';
}

/* work(lane), for one lane after the other. */
template <class W> inline void for_lanes(uint32_t mask, const W &work)
{
    if (mask == ALL)
        for (int lane = 0; lane < LANES; lane++)
            work(lane);
    else
        for (uint32_t left = mask; left; left &= left - 1)
            work(__builtin_ctz(left));
}

template <auto F> struct lanes_of;

template <class R, class... A, R (*F)(A...)> struct lanes_of<F> {
    static std::string operands() { return {operand_of<R>(), '=', operand_of<A>()...}; }

    template <size_t... K> static void run(warp &w, const instruction &i, std::index_sequence<K...>)
    {
        const std::tuple<cell<A> *...> from = {w.words<cell<A>>(i.from[K])...};
        if constexpr (std::is_same_v<R, bool>) {
            uint32_t so = 0;
            for (int lane = 0; lane < LANES; lane++)
                so |= (uint32_t)F(from_cell<A>(std::get<K>(from), lane)...) << lane;
            uint32_t &to = w.predicate(i.to[0]);
            to = (to & ~w.mask) | (so & w.mask);
        } else {
            cell<R> *to = w.words<cell<R>>(i.to[0]);
            const uint32_t mask = w.mask;
            if (mask == ALL) {
#pragma GCC ivdep
                for (int lane = 0; lane < LANES; lane++)
                    to[lane] = to_cell<R>(F(from_cell<A>(std::get<K>(from), lane)...));
            } else {
#pragma GCC ivdep
                for (int lane = 0; lane < LANES; lane++) {
                    cell<R> value = to_cell<R>(F(from_cell<A>(std::get<K>(from), lane)...));
                    to[lane] = mask >> lane & 1 ? value : to[lane];
                }
            }
        }
        w.wrote(i.to[0]);
    }

    static void run(warp &w, const instruction &i)
    {
        run(w, i, std::index_sequence_for<A...>());
    }

    /* Only where lanes are, one after the other: of what may fail. */
    template <size_t... K>
    static void run_some(warp &w, const instruction &i, std::index_sequence<K...>)
    {
        cell<R> *to = w.words<cell<R>>(i.to[0]);
        for_lanes(w.mask, [&](int lane) {
            try {
                to[lane] = to_cell<R>(F(from_cell<A>(w.words<cell<A>>(i.from[K]), lane)...));
            } catch (const fault &why) {
                w.fail(why.what(), lane);
            }
        });
        w.wrote(i.to[0]);
    }

    static void run_some(warp &w, const instruction &i)
    {
        run_some(w, i, std::index_sequence_for<A...>());
    }
};

template <auto F> row each(const std::string &names, kind counts_as)
{
    return {names, counts_as, lanes_of<F>::run, lanes_of<F>::operands()};
}

template <auto F> row each_apart(const std::string &names, kind counts_as)
{
    return {names, counts_as, lanes_of<F>::run_some, lanes_of<F>::operands()};
}

} // namespace ptx
