/* SPDX-License-Identifier: MIT
 *
 * philox.h: random numbers by counter (Philox 4x32-10; Salmon et al., SC 2011): a number is a
 * function of a key and a place, not of what was drawn before, so that pictures do not depend on
 * the order or the number of threads that make them. */
#pragma once

#include <math.h>
#include <stdint.h>

struct philox {
    uint32_t v[4];
};

/* The four words at counter (a, b, c, d) of a key. */
static inline struct philox philox(uint64_t key, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    struct philox x = {{a, b, c, d}};
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53u * x.v[0], q = (uint64_t)0xCD9E8D57u * x.v[2];
        x = (struct philox){{(uint32_t)(q >> 32) ^ x.v[1] ^ k0, (uint32_t)q,
                             (uint32_t)(p >> 32) ^ x.v[3] ^ k1, (uint32_t)p}};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return x;
}

/* A word as a number in (0, 1). */
static inline double philox_unit(uint32_t word)
{
    return ((double)word + 0.5) * (1.0 / 4294967296.0);
}

static inline double philox_range(uint32_t word, double low, double high)
{
    return low + (high - low) * philox_unit(word);
}

/* Two independent standard normal numbers from two words (Box and Muller 1958). */
static inline void philox_normals(uint32_t u, uint32_t v, double normal[2])
{
    double r = sqrt(-2 * log(philox_unit(u))), turn = 2 * M_PI * philox_unit(v);
    normal[0] = r * cos(turn);
    normal[1] = r * sin(turn);
}
