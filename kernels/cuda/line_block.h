/* SPDX-License-Identifier: MIT
 *
 * line_block.h: Fourier and cosine transforms of lines that a block of threads holds in shared
 * memory, so that what is done before and after costs no pass over the card's memory.
 *
 * A sample is a complex number; real lines are transformed two at once, as real and imaginary part.
 * All is done in place, radix by radix (cuda/dft.h). Forward: a butterfly is followed by its
 * twiddles, and coefficient l ends where its digits, reversed, are. Back is the same the other way
 * round, on samples whose parts are swapped: what a Fourier transform does to these, its inverse
 * does to samples. What is not Fourier's, such as cosines, is made of its coefficients l and n - l
 * ("folds").
 *
 * The first stage and the last one work on what is read, made or written, while it is in registers.
 * So that a thread has coefficients l and n - l there, or samples that become neighbours when they
 * are no longer sorted (dct.h), it takes butterflies in twos: l and n/R - l of the last stage's, j
 * and n/R - 1 - j of the first's. */
#pragma once

#include "cuda/dft.h"
#include "cuda/line.h"

static __device__ inline int quotient(int x, struct gpu_divisor d)
{
    return d.by == 1 ? x : (int)((uint64_t)(unsigned)x * d.times >> 32);
}

/* ---- the lines of a block -------------------------------------------------------------------- */

/* What threads that are neighbours have of lines: what is next in one, or the same of the next
 * line, or a few of each: so that 16 threads meet 16 banks, or as the plan has them beside each
 * other in memory. */
enum line_order { LINE_ALONG, LINE_ABREAST, LINE_MIXED, LINE_BESIDE };

/* Where two butterflies lie in shared memory. */
struct places {
    int near, far;
};

/* When tables are read: at the turn before the one that needs them, or after it, which takes fewer
 * registers; before the threads wait for each other at any rate. */
enum line_tables { TABLES_AHEAD, TABLES_LATE };

/* Waits for the block's other threads, if WAIT; f(line, i, tables(i)) for i < count.by of the
 * block's lines. */
template <enum line_order ORDER, enum line_tables WHEN, bool WAIT, typename Tables, typename Do>
static __device__ inline void each_of_lines(const struct line_plan &c, int lines,
                                            struct gpu_divisor count, Tables tables, Do f)
{
    int n = (int)count.by, most = 1 << c.shift;
    int few = ORDER == LINE_BESIDE                 ? c.beside
              : ORDER == LINE_MIXED && c.shift < 4 ? 4 - c.shift
                                                   : 0;
    int all = ORDER == LINE_ALONG ? lines * n : (((n - 1) >> few) + 1) << (few + c.shift);
    auto find = [&](int k, int *line) {
        if (ORDER == LINE_ALONG) {
            *line = quotient(k, count);
            return k - *line * n;
        }
        *line = (k >> few) & (most - 1);
        return (k >> (few + c.shift) << few) | (k & ((1 << few) - 1));
    };
    auto read = [&](int k, int i) { return tables(k < all && i < n ? i : 0); };
    int line, k = (int)threadIdx.x, i = find(k, &line);
    auto table = read(k, i);
    if (WAIT)
        __syncthreads();
    while (k < all) {
        int next_line, next = find(k + GPU_THREADS, &next_line);
        auto mine = table;
        if (WHEN == TABLES_AHEAD)
            table = read(k + GPU_THREADS, next);
        if (ORDER == LINE_ALONG || (line < lines && i < n))
            f(line, i, mine);
        if (WHEN == TABLES_LATE)
            table = read(k + GPU_THREADS, next);
        k += GPU_THREADS;
        line = next_line;
        i = next;
    }
}

static __device__ inline float2 *line_at(const struct line_plan &c, int line)
{
    return gpu_shared<float2>() + line * c.stride;
}

/* A butterfly's samples, `apart` from each other. */
template <int R> static __device__ inline void take(float2 (&v)[R], const float2 *at, int apart)
{
    KIN_UNROLL
    for (int q = 0; q < R; q++)
        v[q] = at[q * apart];
}

template <int R> static __device__ inline void put(float2 *at, int apart, const float2 (&v)[R])
{
    KIN_UNROLL
    for (int q = 0; q < R; q++)
        at[q * apart] = v[q];
}

/* ---- radices --------------------------------------------------------------------------------- */

/* v_q *= w^q */
template <int R> static __device__ inline void twiddle(float2 (&v)[R], float2 w)
{
    float2 power[R];
    power[1] = w;
    KIN_UNROLL
    for (int q = 2; q < R; q++)
        power[q] = times(power[q / 2], power[q - q / 2]);
    KIN_UNROLL
    for (int q = 1; q < R; q++)
        v[q] = times(v[q], power[q]);
}

/* A butterfly of samples that its stage takes apart from others; turn: e^(-2 pi i j / (R step)) of
 * sample j, the first. */
template <int R, bool FORWARD>
static __device__ inline void butterfly(float2 (&v)[R], const struct line_stage &s, float2 turn)
{
    if (!FORWARD && s.step > 1)
        twiddle(v, turn);
    dft(v);
    if (FORWARD && s.step > 1)
        twiddle(v, turn);
}

/* A stage of all lines, once all threads are here. */
template <int R, bool FORWARD>
static __device__ __attribute__((noinline)) void line_radix(const struct line_plan &c,
                                                            const struct line_stage &s, int lines)
{
    const struct gpu_divisor steps = s.steps;
    const uint16_t *place = c.place;
    int step = s.step, apart = s.apart;
    struct table {
        int place;
        float2 turn;
    };
    auto tables = [&](int j) {
        int block = quotient(j, steps), offset = j - block * step;
        return table{gpu_fixed(place[block * step * R + offset]),
                     gpu_fixed(c.twiddle[s.twiddle + offset])};
    };
    auto make = [&](int line, int, struct table t) {
        float2 *at = line_at(c, line) + t.place, v[R];
        take(v, at, apart);
        butterfly<R, FORWARD>(v, s, t.turn);
        put(at, apart, v);
    };
    each_of_lines<LINE_MIXED, TABLES_AHEAD, true>(c, lines, s.butterflies, tables, make);
}

template <bool FORWARD>
static __device__ inline void line_stage_of(const struct line_plan &c, const struct line_stage &s,
                                            int lines)
{
    switch (s.radix) {
    case 16: line_radix<16, FORWARD>(c, s, lines); break;
    case 12: line_radix<12, FORWARD>(c, s, lines); break;
    case 10: line_radix<10, FORWARD>(c, s, lines); break;
    case 9: line_radix<9, FORWARD>(c, s, lines); break;
    case 8: line_radix<8, FORWARD>(c, s, lines); break;
    case 7: line_radix<7, FORWARD>(c, s, lines); break;
    case 6: line_radix<6, FORWARD>(c, s, lines); break;
    case 5: line_radix<5, FORWARD>(c, s, lines); break;
    case 4: line_radix<4, FORWARD>(c, s, lines); break;
    case 3: line_radix<3, FORWARD>(c, s, lines); break;
    default: line_radix<2, FORWARD>(c, s, lines);
    }
}

/* All stages but the first and the last one. */
template <bool FORWARD>
static __device__ inline void middle_stages(const struct line_plan &c, int lines)
{
    for (int i = 1; i < c.stages - 1; i++)
        line_stage_of<FORWARD>(c, c.stage[FORWARD ? i : c.stages - 1 - i], lines);
}

/* ---- folds --------------------------------------------------------------------------------------
 * What is made of Fourier coefficients l and n - l, 0 < l < n/2, and of 0 and n/2, the "first"
 * pair; and back. turn is e^(-i pi l / 2n). A transform and its inverse multiply by n, or by 2 n
 * with a fold that doubles. */

/* Two lines that are mirrored: their cosine transforms (dct.h), doubled. */
struct cosine_fold {
    enum { COSINES = true }; /* coefficients are real; samples are sorted */
    __device__ struct pair on(struct pair v, float2 turn) const { return folded(v, turn); }
    __device__ struct pair on_first(struct pair v) const
    {
        return {scaled(v.near, 2), scaled(v.far, 1.41421356237309504880f)};
    }
    __device__ struct pair back(struct pair v, float2 turn) const { return unfolded(v, turn); }
    __device__ struct pair back_first(struct pair v) const
    {
        return {v.near, scaled(v.far, 1.41421356237309504880f)};
    }
};

/* Two real lines: their Fourier coefficients l, doubled, the first line's and the second's. Of each
 * the first pair, which is real, becomes one number. */
struct real_fold {
    enum { COSINES = false };
    __device__ struct pair on(struct pair v, float2) const
    {
        return {{v.near.x + v.far.x, v.near.y - v.far.y}, {v.near.y + v.far.y, v.far.x - v.near.x}};
    }
    __device__ struct pair on_first(struct pair v) const
    {
        return {{2 * v.near.x, 2 * v.far.x}, {2 * v.near.y, 2 * v.far.y}};
    }
    __device__ struct pair back(struct pair v, float2) const
    {
        return {{v.near.x - v.far.y, v.near.y + v.far.x}, {v.near.x + v.far.y, v.far.x - v.near.y}};
    }
    __device__ struct pair back_first(struct pair v) const
    {
        return {{v.near.x, v.far.x}, {v.near.y, v.far.y}};
    }
};

/* A complex line; or, if it is `both`, two real ones as real_fold has them, but for the first pair,
 * which stays and has one coefficient of each in each of its numbers. */
struct complex_fold {
    enum { COSINES = false };
    bool both;
    __device__ struct pair on(struct pair v, float2 turn) const
    {
        struct pair real = real_fold{}.on(v, turn);
        return both ? pair{scaled(real.near, 0.5f), scaled(real.far, 0.5f)} : v;
    }
    __device__ struct pair on_first(struct pair v) const { return v; }
    __device__ struct pair back(struct pair v, float2 turn) const
    {
        return both ? real_fold{}.back(v, turn) : v;
    }
    __device__ struct pair back_first(struct pair v) const { return v; }
};

/* ---- the last stage -----------------------------------------------------------------------------
 * A thread has butterflies l and other = m - l, m = n/R, 0 < l < m/2: with coefficient l + i m,
 * i < R/2, there is n - l - i m, and so with other + i m. Butterflies 0 and m/2, each full of
 * pairs, are taken together; where m is odd there is no m/2. Coefficients are the caller's:
 * from(line, l, m) finds
 *
 *     get(i), set(i, pair)    those of l + i m and n - l - i m; of 0 and n/2, the first pair */

template <int R> struct line_waves {
    enum { HALF = R / 2 };
    int l, m, other;
    bool first;                   /* l is 0 */
    bool two;                     /* there is another one; else b is of no use */
    struct pair a[HALF], b[HALF]; /* of l + i m, of other + i m */

    __device__ line_waves(const struct line_plan &c, int number)
        : l(number), m(c.n / R), first(l == 0)
    {
        two = !first || m % 2 == 0;
        other = first ? m / 2 : m - l;
    }
    __device__ void from(const float2 (&v)[R], const float2 (&w)[R])
    {
        KIN_UNROLL
        for (int i = 0; i < HALF; i++) {
            a[i] = pair{v[i], !first ? w[R - 1 - i] : v[i ? R - i : HALF]};
            b[i] = pair{w[i], !first ? v[R - 1 - i] : w[R - 1 - i]};
        }
    }
    __device__ void to(float2 (&v)[R], float2 (&w)[R]) const
    {
        KIN_UNROLL
        for (int i = 0; i < HALF; i++) {
            v[i] = a[i].near;
            w[i] = b[i].near;
            v[R - 1 - i] = !first ? b[i].far : a[(i + 1) % HALF].far;
            w[R - 1 - i] = !first ? a[i].far : b[i].far;
        }
    }
    template <typename Waves> __device__ void get(int line, Waves waves)
    {
        auto near = waves.from(line, l, m), far = waves.from(line, other, m);
        KIN_UNROLL
        for (int i = 0; i < HALF; i++)
            a[i] = near.get(i);
        KIN_UNROLL
        for (int i = 0; i < HALF; i++)
            b[i] = far.get(i);
    }
    template <typename Waves> __device__ void set(int line, Waves waves) const
    {
        auto near = waves.from(line, l, m), far = waves.from(line, other, m);
        KIN_UNROLL
        for (int i = 0; i < HALF; i++)
            near.set(i, a[i]);
        if (two) {
            KIN_UNROLL
            for (int i = 0; i < HALF; i++)
                far.set(i, b[i]);
        }
    }
    /* g(pair) for the first pair, f(pair, turn) for all others. */
    template <typename Do, typename First>
    __device__ void fold(const struct line_plan &c, Do f, First g)
    {
        float2 turn_a = gpu_fixed(c.turn[l]), turn_b = gpu_fixed(c.turn[other]);
        KIN_UNROLL
        for (int i = 0; i < HALF; i++) {
            a[i] = first && !i ? g(a[i]) : f(a[i], turned<4 * R>(turn_a, i));
            b[i] = f(b[i], turned<4 * R>(turn_b, i));
        }
    }
};

/* Where the butterflies of waves `number` lie. */
template <int R>
static __device__ inline struct places places_of_waves(const struct line_plan &c, int number)
{
    line_waves<R> here(c, number);
    return {gpu_fixed(c.wave[here.l]), gpu_fixed(c.wave[here.other])};
}

/* From coefficients to shared memory. fold_of(line): its fold. */
template <int R, enum line_order ORDER, enum line_tables WHEN, typename Fold, typename Waves>
static __device__ inline void waves_in(const struct line_plan &c, int lines, Fold fold_of,
                                       Waves waves)
{
    int apart = c.stage[c.stages - 1].apart;
    auto tables = [&](int number) { return places_of_waves<R>(c, number); };
    auto make = [&](int line, int number, struct places place) {
        line_waves<R> here(c, number);
        float2 v[R], w[R], *at = line_at(c, line);
        auto fold = fold_of(line);
        here.get(line, waves);
        here.fold(
            c, [&](struct pair p, float2 turn) { return swapped(fold.back(p, turn)); },
            [&](struct pair p) { return swapped(fold.back_first(p)); });
        here.to(v, w);
        dft(v);
        dft(w);
        put(at + place.near, apart, v);
        if (here.two)
            put(at + place.far, apart, w);
    };
    each_of_lines<ORDER, WHEN, false>(c, lines, c.waves, tables, make);
}

/* And back, once all threads are here. */
template <int R, enum line_order ORDER, enum line_tables WHEN, typename Fold, typename Waves>
static __device__ inline void waves_out(const struct line_plan &c, int lines, Fold fold_of,
                                        Waves waves)
{
    int apart = c.stage[c.stages - 1].apart;
    auto tables = [&](int number) { return places_of_waves<R>(c, number); };
    auto make = [&](int line, int number, struct places place) {
        line_waves<R> here(c, number);
        float2 v[R], w[R], *at = line_at(c, line);
        auto fold = fold_of(line);
        take(v, at + place.near, apart);
        take(w, at + place.far, apart);
        dft(v);
        dft(w);
        here.from(v, w);
        here.fold(
            c, [&](struct pair p, float2 turn) { return fold.on(p, turn); },
            [&](struct pair p) { return fold.on_first(p); });
        here.set(line, waves);
    };
    each_of_lines<ORDER, WHEN, true>(c, lines, c.waves, tables, make);
}

/* ---- the first stage ----------------------------------------------------------------------------
 * A thread has butterflies j and step - 1 - j, j < step/2; step is even, as the last radix is.
 * Samples are the caller's:
 *
 *     BACK, ON              whether they are in shared memory before, whether they go there after
 *     TOGETHER              2: x and x + 1 at a time, which are far apart where they are sorted
 *                           (dct.h)
 *     READS, FEW_READS      how many reads there are registers for, and with radix 3 or 4; if for
 *                           all, these come before the samples
 *     TABLES                when there are registers for what is read of tables
 *     ask(lines)            asks the memory for what these need, once what comes back is read
 *     from(line, x, step)   finds those of x + i step:
 *     read(i)               what is needed of them
 *     make(i, data, v)      v: they, with parts swapped when they have come back; what goes on */

template <int R, enum line_order ORDER, typename Samples>
static __device__ inline void samples_of(const struct line_plan &c, int lines, Samples samples)
{
    constexpr int TOGETHER = Samples::TOGETHER,
                  READS = R <= 4 ? Samples::FEW_READS : Samples::READS;
    constexpr int A = TOGETHER == 2 ? (R + 1) / 2 : R, ALL = TOGETHER == 2 ? R : 2 * R;
    const struct line_stage &s = c.stage[0];
    auto tables = [&](int j) {
        return places{gpu_fixed(c.place[j]), gpu_fixed(c.place[s.step - 1 - j])};
    };
    auto make_all = [&](int line, int j, struct places place) {
        int other = s.step - 1 - j;
        float2 *near = line_at(c, line) + place.near, *far = line_at(c, line) + place.far;
        float2 turn = gpu_fixed(c.twiddle[s.twiddle + j]),
               back = gpu_fixed(c.twiddle[s.twiddle + other]);
        float2 v[R] = {}, w[R] = {};
        auto mine = samples.from(line, TOGETHER * j, TOGETHER * s.step);
        auto others = samples.from(line, TOGETHER * other, TOGETHER * s.step);
        decltype(mine.read(0)) d[ALL];
        auto read = [&](int k) { d[k] = k < A ? mine.read(k) : others.read(k - A); };
        auto make = [&](auto from, int i, auto data, float2(&x)[R], float2(&y)[R]) {
            float2 of[2] = {x[i], y[R - 1 - i]};
            from.make(i, data, of);
            x[i] = of[0];
            if (TOGETHER == 2)
                y[R - 1 - i] = of[1];
        };
        KIN_UNROLL
        for (int k = 0; k < ALL && ALL <= READS; k++)
            read(k);
        if (Samples::BACK) {
            take(v, near, s.apart);
            take(w, far, s.apart);
            butterfly<R, false>(v, s, turn);
            butterfly<R, false>(w, s, back);
        }
        KIN_UNROLL
        for (int k = 0; k < ALL; k++) {
            KIN_UNROLL
            for (int i = k; ALL > READS && k % READS == 0 && i < k + READS && i < ALL; i++)
                read(i);
            if (k < A)
                make(mine, k, d[k], v, w);
            else
                make(others, k - A, d[k], w, v);
        }
        if (Samples::ON) {
            butterfly<R, true>(v, s, turn);
            butterfly<R, true>(w, s, back);
            put(near, s.apart, v);
            put(far, s.apart, w);
        }
    };
    each_of_lines<ORDER, Samples::TABLES, Samples::BACK>(c, lines, c.samples, tables, make_all);
}

/* ---- whole lines: every thread of a block calls it ------------------------------------------- */

template <int R> struct radix_of {
    enum { RADIX = R };
};

/* f of the last stage's radix, of the first one's: LAST and FIRST in cuda/line.cu. */
template <typename Do> static __device__ inline void with_last(const struct line_plan &c, Do f)
{
    switch (c.stage[c.stages - 1].radix) {
    case 8: f(radix_of<8>()); break;
    case 4: f(radix_of<4>()); break;
    default: f(radix_of<2>());
    }
}

template <typename Do> static __device__ inline void with_first(const struct line_plan &c, Do f)
{
    switch (c.stage[0].radix) {
    case 8: f(radix_of<8>()); break;
    case 7: f(radix_of<7>()); break;
    case 5: f(radix_of<5>()); break;
    case 4: f(radix_of<4>()); break;
    default: f(radix_of<3>());
    }
}

/* From coefficients by way of samples to coefficients; only from samples, or to them, as these want
 * it. */
template <enum line_order WAVES, enum line_order SAMPLES, typename Fold, typename Waves,
          typename Samples>
static __device__ inline void transform_lines(const struct line_plan &c, int lines, Fold fold_of,
                                              Waves waves, Samples samples)
{
    constexpr enum line_tables WHEN = Samples::TABLES;
    if (Samples::BACK) {
        with_last(c, [&](auto r) {
            waves_in<decltype(r)::RADIX, WAVES, WHEN>(c, lines, fold_of, waves);
        });
        samples.ask(lines);
        middle_stages<false>(c, lines);
    }
    with_first(c, [&](auto r) { samples_of<decltype(r)::RADIX, SAMPLES>(c, lines, samples); });
    if (Samples::ON) {
        middle_stages<true>(c, lines);
        with_last(c, [&](auto r) {
            waves_out<decltype(r)::RADIX, WAVES, WHEN>(c, lines, fold_of, waves);
        });
    }
}
