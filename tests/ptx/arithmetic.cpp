// SPDX-License-Identifier: MIT
// arithmetic.cpp: sums, products, quotients, comparisons and bits. All floats are rounded as IEEE 754 says, to the
// nearest unless their name says otherwise; a fused product and sum once. Subnormal numbers are kept.
//
// Of approximations (div.approx, rcp.approx, rsqrt.approx) the manual states only how far they may be off. Here they are
// off by a unit in the last place up or down or not at all, as the bits of their operands decide, where the manual
// allows it: code must do with that. rcp.approx.ftz.f64 is the exact quotient of the first half of the bits, cut off
// there.
#include "lanes.h"

#include <cfenv>
#include <climits>
#include <cmath>

namespace ptx {

namespace {

template <class T> T plus(T a, T b) { return (T)(a + b); }
template <class T> T minus(T a, T b) { return (T)(a - b); }
template <class T> T times(T a, T b) { return a * b; }
template <class T> T over(T a, T b) { return a / b; }
template <class T> T one_over(T a) { return 1 / a; }
template <class T> T root(T a) { return std::sqrt(a); }
template <class T> T fused(T a, T b, T c) { return std::fma(a, b, c); }

/* ---- bits of floats ---- */

template <class T> constexpr cell<T> SIGN = (cell<T>)1 << (8 * sizeof(T) - 1);

template <class T> cell<T> bits_of(T v) { return to_cell(v); }

template <class T> T float_of(cell<T> bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T> T magnitude(T a) { return float_of<T>(bits_of(a) & ~SIGN<T>); }
template <class T> T opposite(T a) { return float_of<T>(bits_of(a) ^ SIGN<T>); }
template <class T> T with_sign(T sign, T a)
{
    return float_of<T>((bits_of(a) & ~SIGN<T>) | (bits_of(sign) & SIGN<T>));
}

/* The one that is a number; of zeros, -0 is the lesser. */
template <class T> T lesser(T a, T b)
{
    T least = a < b ? a : b;
    least = a == b ? float_of<T>(bits_of(a) | bits_of(b)) : least;
    return b != b ? a : least;
}

template <class T> T greater(T a, T b)
{
    T most = a > b ? a : b;
    most = a == b ? float_of<T>(bits_of(a) & bits_of(b)) : most;
    return b != b ? a : most;
}

float plus_to_zero(float a, float b)
{
    volatile float x = a, y = b, sum;
    int before = fegetround();
    fesetround(FE_TOWARDZERO);
    sum = x + y;
    fesetround(before);
    return sum;
}

/* ---- approximations ---- */

/* Next to the exact value, no further from it than `most` of it. */
float blurred(double exact, double most, uint32_t bits)
{
    float value = (float)exact;
    uint32_t hash = (bits ^ bits >> 15) * 2246822519u;
    hash ^= hash >> 13;
    float moved = hash % 3 == 0   ? value
                  : hash % 3 == 1 ? std::nextafter(value, INFINITY)
                                  : std::nextafter(value, -INFINITY);
    bool normal = std::isnormal(value) && std::isnormal(moved);
    return normal && std::fabs((double)moved - exact) <= most * std::fabs(exact) ? moved : value;
}

/* Two units in the last place. */
float about_over(float a, float b)
{
    const float far = 0x1p126f;
    if (std::fabs(b) > far && std::isfinite(b))
        return std::isinf(a) || std::isnan(a) ? NAN : with_sign(with_sign(1.0f, a) * b, 0.0f);
    return blurred((double)a / (double)b, 0x1p-23, bits_of(a) * 31 + bits_of(b));
}

float about_one_over_root(float a)
{
    return blurred(1 / std::sqrt((double)a), 0x1p-22 * 0.5358867, bits_of(a)); // 2^-22.9
}

/* What is too small for a normal number is 0. */
float flushed(float a)
{
    return std::fabs(a) < 0x1p-126f ? with_sign(a, 0.0f) : a;
}

float about_one_over_root_flushed(float a)
{
    return about_one_over_root(flushed(a));
}

/* A unit in the last place. */
float about_one_over_flushed(float a)
{
    return flushed(blurred(1 / (double)flushed(a), 0x1p-23, bits_of(a)));
}

/* Of the first half of the bits. */
double about_one_over(double a)
{
    double first = float_of<double>(bits_of(a) & 0xffffffff00000000u);
    if (std::fabs(first) < 0x1p-1022)
        return with_sign(first, (double)INFINITY);
    double exact = 1 / first, value = float_of<double>(bits_of(exact) & 0xffffffff00000000u);
    return std::fabs(value) < 0x1p-1022 ? with_sign(first, 0.0) : value;
}

/* ---- whole numbers ---- */

template <class T> T least(T a, T b) { return a < b ? a : b; }
template <class T> T most(T a, T b) { return a > b ? a : b; }
template <class T> T negative(T a) { return (T)(0 - a); }
template <class T> T product(T a, T b) { return (T)((cell<T>)a * b); }
int32_t whole_magnitude(int32_t a) { return a < 0 ? (int32_t)(0u - (uint32_t)a) : a; }
template <class T> T product_plus(T a, T b, T c) { return (T)((cell<T>)a * b + c); }
template <class T, class W> W wide_times(T a, T b) { return (W)a * (W)b; }
template <class T, class W> W wide_times_plus(T a, T b, W c) { return (W)a * (W)b + c; }
template <class T, class W> T high_times(T a, T b) { return (T)((W)a * (W)b >> 8 * sizeof(T)); }

/* A shift by more bits than there are leaves none, or the sign. */
template <class T> T left(T a, uint32_t by) { return by < 8 * sizeof(T) ? (T)((cell<T>)a << by) : 0; }
template <class T> T right(T a, uint32_t by)
{
    constexpr uint32_t bits = 8 * sizeof(T);
    return by < bits ? (T)(a >> by) : std::is_signed_v<T> ? (T)(a >> (bits - 1)) : 0;
}

uint32_t funnel_left(uint32_t low, uint32_t high, uint32_t by)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << (by & 31) >> 32);
}

uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t by)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (by & 31));
}

template <class T> T both(T a, T b) { return a & b; }
template <class T> T either(T a, T b) { return a | b; }
template <class T> T one_of(T a, T b) { return a ^ b; }
template <class T> T flipped(T a) { return (T)~a; }
uint32_t leading_zeros(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32; }
uint32_t leading_zeros_wide(uint64_t a) { return a ? (uint32_t)__builtin_clzll(a) : 64; }
uint32_t ones(uint32_t a) { return (uint32_t)__builtin_popcount(a); }

/* Bits of a, put into b. */
template <class T> T inserted(T a, T b, uint32_t at, uint32_t count)
{
    at &= 255, count &= 255;
    if (at >= 8 * sizeof(T) || !count)
        return b;
    T ones = count < 8 * sizeof(T) ? ((T)1 << count) - 1 : ~(T)0;
    return (b & ~(T)(ones << at)) | (T)((a & ones) << at);
}

/* Of the bytes of two words, those that four digits name; with 8 more, the sign of one everywhere. */
uint32_t some_bytes(uint32_t low, uint32_t high, uint32_t digits)
{
    uint64_t all = (uint64_t)high << 32 | low;
    uint32_t some = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = digits >> 4 * i & 15, byte = (uint32_t)(all >> 8 * (digit & 7)) & 0xff;
        some |= (digit < 8 ? byte : byte >> 7 ? 0xffu : 0) << 8 * i;
    }
    return some;
}

/* The lesser of both halves. */
uint32_t least_halves(uint32_t a, uint32_t b)
{
    return least(a & 0xffff, b & 0xffff) | least(a >> 16, b >> 16) << 16;
}

/* A card leaves open what a division by 0 gives: nobody may use it. */
template <class T> T checked(T b)
{
    if (!b)
        throw fault("a division by 0");
    return b;
}

template <class T> T whole_over(T a, T b)
{
    return std::is_signed_v<T> && b == (T)-1 ? (T)(0 - (cell<T>)a) : (T)(a / checked(b));
}

template <class T> T rest(T a, T b)
{
    return std::is_signed_v<T> && b == (T)-1 ? 0 : (T)(a % checked(b));
}

/* ---- sums of several words ---- */

/* a + b, or a - b, and what is carried over from one or to the next. */
template <class T, bool MINUS, bool FROM, bool TO> void carried(warp &w, const instruction &i)
{
    const T *a = w.words<T>(i.from[0]), *b = w.words<T>(i.from[1]);
    T *to = w.words<T>(i.to[0]);
    for_lanes(w.mask, [&](int lane) {
        unsigned __int128 more = (unsigned __int128)b[lane] + (FROM ? w.carry >> lane & 1 : 0),
                          sum = MINUS ? a[lane] - more : a[lane] + more;
        to[lane] = (T)sum;
        if (TO)
            w.carry = (w.carry & ~(1u << lane)) | (uint32_t)(sum >> 8 * sizeof(T) & 1) << lane;
    });
    w.wrote(i.to[0]);
}

/* One half of a product, and a sum. */
template <bool HIGH, bool FROM, bool TO> void product_carried(warp &w, const instruction &i)
{
    const uint32_t *a = w.words<uint32_t>(i.from[0]), *b = w.words<uint32_t>(i.from[1]),
                   *c = w.words<uint32_t>(i.from[2]);
    uint32_t *to = w.words<uint32_t>(i.to[0]);
    for_lanes(w.mask, [&](int lane) {
        uint64_t product = (uint64_t)a[lane] * b[lane];
        uint64_t sum = (HIGH ? product >> 32 : (uint32_t)product) + c[lane] + (FROM ? w.carry >> lane & 1 : 0);
        to[lane] = (uint32_t)sum;
        if (TO)
            w.carry = (w.carry & ~(1u << lane)) | (uint32_t)(sum >> 32 & 1) << lane;
    });
    w.wrote(i.to[0]);
}

/* ---- comparisons ---- */

template <class T> bool equal(T a, T b) { return a == b; }
template <class T> bool unequal(T a, T b) { return a != b; }
template <class T> bool below(T a, T b) { return a < b; }
template <class T> bool at_most(T a, T b) { return a <= b; }
template <class T> bool above(T a, T b) { return a > b; }
template <class T> bool at_least(T a, T b) { return a >= b; }

/* Of floats: a NaN is not unequal to anything, unless the name ends in u. */
template <class T> bool numbers(T a, T b) { return a == a && b == b; }
template <class T> bool no_numbers(T a, T b) { return !numbers(a, b); }
template <class T> bool known_unequal(T a, T b) { return numbers(a, b) && a != b; }
template <class T> bool maybe_equal(T a, T b) { return !known_unequal(a, b); }
template <class T> bool maybe_below(T a, T b) { return !(a >= b); }
template <class T> bool maybe_at_most(T a, T b) { return !(a > b); }
template <class T> bool maybe_above(T a, T b) { return !(a <= b); }
template <class T> bool maybe_at_least(T a, T b) { return !(a < b); }

template <class T> T chosen(T a, T b, bool first) { return first ? a : b; }
template <class T> T same(T a) { return a; }

/* ---- predicates: all lanes at once ---- */

template <uint32_t (*F)(uint32_t, uint32_t)> void joined(warp &w, const instruction &i)
{
    uint32_t so = F(w.predicate(i.from[0]), w.predicate(i.from[1])), &to = w.predicate(i.to[0]);
    to = (to & ~w.mask) | (so & w.mask);
    w.wrote(i.to[0]);
}

template <bool NOT> void moved(warp &w, const instruction &i)
{
    uint32_t so = w.predicate(i.from[0]) ^ (NOT ? ALL : 0), &to = w.predicate(i.to[0]);
    to = (to & ~w.mask) | (so & w.mask);
    w.wrote(i.to[0]);
}

/* ---- rows ---- */

void add(std::vector<row> &rows, std::vector<row> more)
{
    rows.insert(rows.end(), more.begin(), more.end());
}

template <class T> std::vector<row> of_floats(const std::string &type)
{
    auto names = [&](std::string text) {
        for (size_t at; (at = text.find('*')) != std::string::npos;)
            text.replace(at, 1, type);
        return text;
    };
    return {
        each<plus<T>>(names("add.* add.rn.*"), FLOATS),
        each<minus<T>>(names("sub.* sub.rn.*"), FLOATS),
        each<times<T>>(names("mul.* mul.rn.*"), FLOATS),
        each<fused<T>>(names("fma.rn.*"), FLOATS),
        each<over<T>>(names("div.rn.*"), FLOATS),
        each<one_over<T>>(names("rcp.rn.*"), FLOATS),
        each<root<T>>(names("sqrt.rn.*"), FLOATS),
        each<magnitude<T>>(names("abs.*"), FLOATS),
        each<opposite<T>>(names("neg.*"), FLOATS),
        each<with_sign<T>>(names("copysign.*"), FLOATS),
        each<lesser<T>>(names("min.*"), FLOATS),
        each<greater<T>>(names("max.*"), FLOATS),
        each<equal<T>>(names("setp.eq.*"), FLOATS),
        each<known_unequal<T>>(names("setp.ne.*"), FLOATS),
        each<below<T>>(names("setp.lt.*"), FLOATS),
        each<at_most<T>>(names("setp.le.*"), FLOATS),
        each<above<T>>(names("setp.gt.*"), FLOATS),
        each<at_least<T>>(names("setp.ge.*"), FLOATS),
        each<maybe_equal<T>>(names("setp.equ.*"), FLOATS),
        each<unequal<T>>(names("setp.neu.*"), FLOATS),
        each<maybe_below<T>>(names("setp.ltu.*"), FLOATS),
        each<maybe_at_most<T>>(names("setp.leu.*"), FLOATS),
        each<maybe_above<T>>(names("setp.gtu.*"), FLOATS),
        each<maybe_at_least<T>>(names("setp.geu.*"), FLOATS),
        each<numbers<T>>(names("setp.num.*"), FLOATS),
        each<no_numbers<T>>(names("setp.nan.*"), FLOATS),
    };
}

/* S and U: signed and unsigned, of 16, 32 or 64 bits. */
template <class S, class U> std::vector<row> of_integers(const std::string &size)
{
    auto names = [&](std::string text) {
        for (size_t at; (at = text.find('*')) != std::string::npos;)
            text.replace(at, 1, size);
        return text;
    };
    return {
        each<plus<U>>(names("add.s* add.u*"), INTEGERS),
        each<minus<U>>(names("sub.s* sub.u*"), INTEGERS),
        each<product<U>>(names("mul.lo.s* mul.lo.u*"), INTEGERS),
        each<product_plus<U>>(names("mad.lo.s* mad.lo.u*"), INTEGERS),
        each<negative<U>>(names("neg.s*"), INTEGERS),
        each<least<S>>(names("min.s*"), INTEGERS),
        each<least<U>>(names("min.u*"), INTEGERS),
        each<most<S>>(names("max.s*"), INTEGERS),
        each<most<U>>(names("max.u*"), INTEGERS),
        each_apart<whole_over<S>>(names("div.s*"), INTEGERS),
        each_apart<whole_over<U>>(names("div.u*"), INTEGERS),
        each_apart<rest<S>>(names("rem.s*"), INTEGERS),
        each_apart<rest<U>>(names("rem.u*"), INTEGERS),
        each<left<U>>(names("shl.b*"), INTEGERS),
        each<right<S>>(names("shr.s*"), INTEGERS),
        each<right<U>>(names("shr.u* shr.b*"), INTEGERS),
        each<both<U>>(names("and.b*"), INTEGERS),
        each<either<U>>(names("or.b*"), INTEGERS),
        each<one_of<U>>(names("xor.b*"), INTEGERS),
        each<flipped<U>>(names("not.b*"), INTEGERS),
        each<equal<U>>(names("setp.eq.s* setp.eq.u* setp.eq.b*"), INTEGERS),
        each<unequal<U>>(names("setp.ne.s* setp.ne.u* setp.ne.b*"), INTEGERS),
        each<below<S>>(names("setp.lt.s*"), INTEGERS),
        each<at_most<S>>(names("setp.le.s*"), INTEGERS),
        each<above<S>>(names("setp.gt.s*"), INTEGERS),
        each<at_least<S>>(names("setp.ge.s*"), INTEGERS),
        each<below<U>>(names("setp.lt.u*"), INTEGERS),
        each<at_most<U>>(names("setp.le.u*"), INTEGERS),
        each<above<U>>(names("setp.gt.u*"), INTEGERS),
        each<at_least<U>>(names("setp.ge.u*"), INTEGERS),
        each<chosen<U>>(names("selp.b* selp.u* selp.s* selp.f*"), OTHERS),
        each<same<U>>(names("mov.b* mov.u* mov.s* mov.f*"), OTHERS),
    };
}

template <class T> std::vector<row> of_carries(const std::string &type)
{
    char kind = operand_of<T>();
    std::string operands = {kind, '=', kind, kind};
    return {
        {"add.cc." + type, INTEGERS, carried<T, false, false, true>, operands},
        {"addc.cc." + type, INTEGERS, carried<T, false, true, true>, operands},
        {"addc." + type, INTEGERS, carried<T, false, true, false>, operands},
        {"sub.cc." + type, INTEGERS, carried<T, true, false, true>, operands},
        {"subc.cc." + type, INTEGERS, carried<T, true, true, true>, operands},
        {"subc." + type, INTEGERS, carried<T, true, true, false>, operands},
    };
}

} // namespace

std::vector<row> arithmetic()
{
    std::vector<row> rows = {
        each<plus_to_zero>("add.rz.f32", FLOATS),
        each_apart<about_over>("div.approx.f32", FLOATS),
        each_apart<about_one_over_root>("rsqrt.approx.f32", FLOATS),
        each_apart<about_one_over_root_flushed>("rsqrt.approx.ftz.f32", FLOATS),
        each_apart<about_one_over_flushed>("rcp.approx.ftz.f32", FLOATS),
        each<about_one_over>("rcp.approx.ftz.f64", FLOATS),
        each<whole_magnitude>("abs.s32", INTEGERS),
        each<wide_times<int32_t, int64_t>>("mul.wide.s32", INTEGERS),
        each<wide_times<uint32_t, uint64_t>>("mul.wide.u32", INTEGERS),
        each<wide_times<int16_t, int32_t>>("mul.wide.s16", INTEGERS),
        each<wide_times<uint16_t, uint32_t>>("mul.wide.u16", INTEGERS),
        each<wide_times_plus<int32_t, int64_t>>("mad.wide.s32", INTEGERS),
        each<wide_times_plus<uint32_t, uint64_t>>("mad.wide.u32", INTEGERS),
        each<high_times<int32_t, int64_t>>("mul.hi.s32", INTEGERS),
        each<high_times<uint32_t, uint64_t>>("mul.hi.u32", INTEGERS),
        each<high_times<int64_t, __int128>>("mul.hi.s64", INTEGERS),
        each<high_times<uint64_t, unsigned __int128>>("mul.hi.u64", INTEGERS),
        each<leading_zeros>("clz.b32", INTEGERS),
        each<leading_zeros_wide>("clz.b64", INTEGERS),
        each<ones>("popc.b32", INTEGERS),
        each<inserted<uint32_t>>("bfi.b32", INTEGERS),
        each<inserted<uint64_t>>("bfi.b64", INTEGERS),
        each<funnel_left>("shf.l.wrap.b32", INTEGERS),
        each<funnel_right>("shf.r.wrap.b32", INTEGERS),
        each<least_halves>("min.u16x2", INTEGERS),
        each<some_bytes>("prmt.b32", INTEGERS),
        {"mad.lo.cc.u32", INTEGERS, product_carried<false, false, true>, "w=www"},
        {"madc.lo.cc.u32", INTEGERS, product_carried<false, true, true>, "w=www"},
        {"mad.hi.cc.u32", INTEGERS, product_carried<true, false, true>, "w=www"},
        {"madc.hi.cc.u32", INTEGERS, product_carried<true, true, true>, "w=www"},
        {"madc.lo.u32", INTEGERS, product_carried<false, true, false>, "w=www"},
        {"madc.hi.u32", INTEGERS, product_carried<true, true, false>, "w=www"},
        {"and.pred", INTEGERS, joined<both<uint32_t>>, "p=pp"},
        {"or.pred", INTEGERS, joined<either<uint32_t>>, "p=pp"},
        {"xor.pred", INTEGERS, joined<one_of<uint32_t>>, "p=pp"},
        {"not.pred", INTEGERS, moved<true>, "p=p"},
        {"mov.pred", OTHERS, moved<false>, "p=p"},
    };
    add(rows, of_floats<float>("f32"));
    add(rows, of_floats<double>("f64"));
    add(rows, of_integers<int16_t, uint16_t>("16"));
    add(rows, of_integers<int32_t, uint32_t>("32"));
    add(rows, of_integers<int64_t, uint64_t>("64"));
    for (std::string type : {"s32", "u32"})
        add(rows, of_carries<uint32_t>(type));
    for (std::string type : {"s64", "u64"})
        add(rows, of_carries<uint64_t>(type));
    return rows;
}

} // namespace ptx
