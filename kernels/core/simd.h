/* SPDX-License-Identifier: MIT
 *
 * simd.h: vector code that picks its instruction set when the program starts.
 *
 *     VECTOR_CLONES static void add(float *a, const float *b, size_t n) { plain loop }
 *
 * compiles the loop once for the machine's base, once for AVX2 with FMA and once for AVX-512
 * (GCC and glibc).
 * Where products and sums are fused the last bit can differ between such machines, never between
 * threads. */
#pragma once

#include <stdlib.h> /* tells which C library this is */

/* Picked by the loader, which musl's cannot. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#if __GNUC__ >= 12
#define VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else /* an older GCC takes arch= for one model of processor */
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define VECTOR_CLONES
#endif

/* VECTOR_SHUFFLE(mask, v, lanes...): the lanes of v in this order; mask is the type of a vector of
 * integers as wide as those of v. */
#ifdef __clang__
#define VECTOR_SHUFFLE(mask, v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define VECTOR_SHUFFLE(mask, v, ...) __builtin_shuffle(v, (mask){__VA_ARGS__})
#endif
