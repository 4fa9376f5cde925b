/* SPDX-License-Identifier: MIT
 *
 * simd.h: vector code that picks its instruction set when the program starts.
 *
 *     VECTOR_CLONES static void add(float *a, const float *b, size_t n) { plain loop }
 *
 * compiles the loop once for the machine's base, once for AVX2 with FMA and once for AVX-512.
 * Where products and sums are fused the last bit can differ between such machines, never between
 * threads. */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTOR_CLONES
#endif
