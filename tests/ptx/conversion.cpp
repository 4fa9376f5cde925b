// SPDX-License-Identifier: MIT
// conversion.cpp: numbers of one kind as another. Of floats that no integer of the kind holds, the nearest; of NaN, 0.
#include "lanes.h"

#include <cmath>
#include <limits>

namespace ptx {

namespace {

template <class T> T towards_zero(T a) { return std::trunc(a); }
template <class T> T nearest(T a) { return std::nearbyint(a); } // of two the even one
template <class T> T downwards(T a) { return std::floor(a); }
template <class T> T upwards(T a) { return std::ceil(a); }

/* Rounded already. */
template <class R, class T> R held(T a)
{
    const T above = (T)(std::numeric_limits<R>::max() / 2 + 1) * 2;
    if (a != a)
        return 0;
    if (a >= above)
        return std::numeric_limits<R>::max();
    return a <= (T)std::numeric_limits<R>::min() ? std::numeric_limits<R>::min() : (R)a;
}

template <class R, class T, T (*ROUND)(T)> R whole(T a) { return held<R>(ROUND(a)); }
template <class R, class T> R as(T a) { return (R)a; }

/* From all roundings of a float to an integer. */
template <class R, class T> void add_whole(std::vector<row> &rows, const std::string &to, const std::string &from)
{
    std::string types = "." + to + "." + from;
    rows.push_back(each<whole<R, T, towards_zero<T>>>("cvt.rzi" + types, INTEGERS));
    rows.push_back(each<whole<R, T, nearest<T>>>("cvt.rni" + types, INTEGERS));
    rows.push_back(each<whole<R, T, downwards<T>>>("cvt.rmi" + types, INTEGERS));
    rows.push_back(each<whole<R, T, upwards<T>>>("cvt.rpi" + types, INTEGERS));
}

template <class T> void add_float(std::vector<row> &rows, const std::string &type)
{
    std::string same = "." + type + "." + type;
    rows.push_back(each<towards_zero<T>>("cvt.rzi" + same, FLOATS));
    rows.push_back(each<nearest<T>>("cvt.rni" + same, FLOATS));
    rows.push_back(each<downwards<T>>("cvt.rmi" + same, FLOATS));
    rows.push_back(each<upwards<T>>("cvt.rpi" + same, FLOATS));
    add_whole<int16_t, T>(rows, "s16", type);
    add_whole<uint16_t, T>(rows, "u16", type);
    add_whole<int32_t, T>(rows, "s32", type);
    add_whole<uint32_t, T>(rows, "u32", type);
    add_whole<int64_t, T>(rows, "s64", type);
    add_whole<uint64_t, T>(rows, "u64", type);
    rows.push_back(each<as<T, int16_t>>("cvt.rn." + type + ".s16", FLOATS));
    rows.push_back(each<as<T, uint16_t>>("cvt.rn." + type + ".u16", FLOATS));
    rows.push_back(each<as<T, uint8_t>>("cvt.rn." + type + ".u8", FLOATS));
    rows.push_back(each<as<T, int32_t>>("cvt.rn." + type + ".s32", FLOATS));
    rows.push_back(each<as<T, uint32_t>>("cvt.rn." + type + ".u32", FLOATS));
    rows.push_back(each<as<T, int64_t>>("cvt.rn." + type + ".s64", FLOATS));
    rows.push_back(each<as<T, uint64_t>>("cvt.rn." + type + ".u64", FLOATS));
}

/* Of a register that is wider than what is converted. */
template <class R, class T> R low_as(uint64_t a) { return (R)(T)a; }

template <class T> void add_low(std::vector<row> &rows, const std::string &from)
{
    rows.push_back(each<low_as<uint32_t, T>>("cvt.u32." + from + ".wide", INTEGERS));
    rows.push_back(each<low_as<int32_t, T>>("cvt.s32." + from + ".wide", INTEGERS));
    rows.push_back(each<low_as<uint64_t, T>>("cvt.u64." + from + ".wide", INTEGERS));
    rows.push_back(each<low_as<int64_t, T>>("cvt.s64." + from + ".wide", INTEGERS));
    rows.push_back(each<low_as<float, T>>("cvt.rn.f32." + from + ".wide", FLOATS));
    rows.push_back(each<low_as<double, T>>("cvt.rn.f64." + from + ".wide", FLOATS));
}

/* From one integer to all others. */
template <class T> void add_from(std::vector<row> &rows, const std::string &from)
{
    rows.push_back(each<as<uint8_t, T>>("cvt.u8." + from, INTEGERS));
    rows.push_back(each<as<int8_t, T>>("cvt.s8." + from, INTEGERS));
    rows.push_back(each<as<uint16_t, T>>("cvt.u16." + from, INTEGERS));
    rows.push_back(each<as<int16_t, T>>("cvt.s16." + from, INTEGERS));
    rows.push_back(each<as<uint32_t, T>>("cvt.u32." + from, INTEGERS));
    rows.push_back(each<as<int32_t, T>>("cvt.s32." + from, INTEGERS));
    rows.push_back(each<as<uint64_t, T>>("cvt.u64." + from, INTEGERS));
    rows.push_back(each<as<int64_t, T>>("cvt.s64." + from, INTEGERS));
}

/* ---- halves of what is twice as wide ---- */

uint64_t joined_words(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }
uint32_t joined_halves(uint16_t low, uint16_t high) { return (uint32_t)high << 16 | low; }

template <class T> void split(warp &w, const instruction &i)
{
    constexpr int half = 4 * sizeof(T);
    const cell<T> *from = w.words<cell<T>>(i.from[0]);
    uint32_t *low = w.words<uint32_t>(i.to[0]), *high = w.words<uint32_t>(i.to[1]);
    for_lanes(w.mask, [&](int lane) {
        T value = from[lane];
        low[lane] = (uint32_t)(value & (((T)1 << half) - 1));
        high[lane] = (uint32_t)(value >> half);
    });
    w.wrote(i.to[0]);
    w.wrote(i.to[1]);
}

/* An address is of the same number whatever it is taken for. */
uint64_t same_address(uint64_t a) { return a; }

} // namespace

std::vector<row> conversions()
{
    std::vector<row> rows = {
        each<as<double, float>>("cvt.f64.f32", FLOATS),
        each<as<float, double>>("cvt.rn.f32.f64", FLOATS),
        each<joined_words>("pack.b64", OTHERS),
        each<joined_halves>("pack.b32", OTHERS),
        {"unpack.b64", OTHERS, split<uint64_t>, "ww=d"},
        {"unpack.b32", OTHERS, split<uint32_t>, "ww=w"},
    };
    for (std::string space : {"global", "shared", "local", "param", "const"})
        rows.push_back(each<same_address>("cvta." + space + ".u64 cvta.to." + space + ".u64", OTHERS));
    add_float<float>(rows, "f32");
    add_float<double>(rows, "f64");
    add_low<uint8_t>(rows, "u8");
    add_low<int8_t>(rows, "s8");
    add_low<uint16_t>(rows, "u16");
    add_low<int16_t>(rows, "s16");
    add_low<uint32_t>(rows, "u32");
    add_low<int32_t>(rows, "s32");
    add_from<uint8_t>(rows, "u8");
    add_from<int8_t>(rows, "s8");
    add_from<uint16_t>(rows, "u16");
    add_from<int16_t>(rows, "s16");
    add_from<uint32_t>(rows, "u32");
    add_from<int32_t>(rows, "s32");
    add_from<uint64_t>(rows, "u64");
    add_from<int64_t>(rows, "s64");
    return rows;
}

} // namespace ptx
