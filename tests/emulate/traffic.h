/* SPDX-License-Identifier: MIT
 *
 * traffic.h: what the threads of the emulated card have asked its memory for; from the library
 * kintsugi-image-counted, whose kernels are compiled so that every load and store is seen.
 * Transforms are not counted.
 *
 * A warp's threads make one request when they execute an instruction together. What it touches is
 * fetched in sectors of 32 bytes. Loads and stores of the host's compiler stand for the card's: it
 * keeps other values in registers, but no fewer, and caches are taken for as large as a block of
 * threads can use. Threads must run in rising order. */
#pragma once

#include <stdint.h>

struct traffic {
    uint64_t launches;
    /* Counted by kintsugi-image-ptx, which counts nothing else: what warps have executed, and how
     * many lanes took part. */
    uint64_t instructions, lanes;
    uint64_t asked; /* bytes that threads have asked global memory for */
    /* turns of the load and store unit: lines of 128 bytes that requests touched */
    uint64_t wide;
    /* bytes of the sectors that each block of threads touched: what the L1 caches must fetch */
    uint64_t block;
    uint64_t moved; /* bytes of the sectors that each launch touched: what the memory must move */
    /* turns of shared memory: 1 for each request or shuffle, more where its banks conflict */
    uint64_t shared;
};

/* What has been counted since the last call. Nothing may be queued. */
typedef void traffic_take(struct traffic *traffic);
