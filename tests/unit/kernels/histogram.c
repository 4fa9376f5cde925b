// SPDX-License-Identifier: MIT
// histogram.h beside counting one by one: on several threads, in pieces of any length, with more
// samples than a thread's table has room for.
#include "core/histogram.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5003, THREADS = 3 };

int main(void)
{
    static uint16_t samples[SAMPLES];
    static uint64_t expected[KIN_BINS];
    struct kin_histogram h;
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (uint16_t)(i % 5 ? rand() : i % 10 ? 65535 : 0);
        expected[samples[i]]++;
    }

    ok(kin_histogram_new(&h, THREADS), "an empty one");
    kin_histogram_expect(&h, SAMPLES);
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 1)
    for (int i = 0; i < SAMPLES; i += 7)
        kin_histogram_add(&h, samples + i, SAMPLES - i < 7 ? SAMPLES - i : 7);
    ok(h.bins[0] == 0, "what is added is not in the bins yet");
    kin_histogram_gather(&h);
    ok(!memcmp(h.bins, expected, sizeof expected), "then every sample is there once");

    kin_histogram_expect(&h, UINT32_MAX);
    kin_histogram_add(&h, samples, SAMPLES);
    kin_histogram_expect(&h, 1);
    for (int v = 0; v < KIN_BINS; v++)
        expected[v] *= 2;
    ok(!memcmp(h.bins, expected, sizeof expected),
       "before a table could exceed 32 bits, it is gathered");
    kin_histogram_add(&h, samples, 1);
    kin_histogram_gather(&h);
    ok(h.bins[samples[0]] == expected[samples[0]] + 1, "and goes on from nothing");

    static uint64_t before[KIN_BINS];
    static const uint16_t least[] = {0, 1, 30000, 65535};
    for (int i = 0; i < 4; i++) {
        memcpy(before, h.bins, sizeof before);
        kin_histogram_expect(&h, SAMPLES);
        kin_histogram_add_from(&h, least[i], samples, SAMPLES);
        kin_histogram_gather(&h);
        bool good = true;
        for (int v = 0; v < KIN_BINS; v++)
            good &= h.bins[v] - before[v] == (v >= least[i] ? expected[v] / 2 : 0);
        ok(good, "from %d on", least[i]);
    }

    static uint64_t some[KIN_BINS];
    ok(kin_quantile_u16(some, 0.5) == 0, "of nothing every quantile is 0");
    some[7] = 3;
    some[65535] = 1;
    ok(kin_quantile_u16(some, 0) == 7 && kin_quantile_u16(some, 0.75) == 7 &&
           kin_quantile_u16(some, 0.76) == 65535 && kin_quantile_u16(some, 1) == 65535,
       "of four samples, three alike");

    kin_histogram_free(&h);
    kin_histogram_free(&h);
    return done();
}
