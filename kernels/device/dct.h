/* SPDX-License-Identifier: MIT
 *
 * dct.h: cosine transforms (DCT-II) by Fourier transforms of the same length (Makhoul, IEEE Trans.
 * ASSP 28:27, 1980). A line mirrored half a sample outside both ends is what a DCT-II takes for
 * granted: there a PSF that is even becomes a real number for each coefficient, without any
 * padding.
 *
 *     sorted      v = x0 x2 x4 ... x5 x3 x1
 *     turned      V_k e^(-i pi k / 2n) = X_k - i X_(n-k)       V = Fourier transform of v, real
 *     folded      X_k = (a + b) / 2, X_(n-k) = i (a - b) / 2                  v complex
 *                 a = V_k e^(-i pi k / 2n), b = V_(n-k) e^(i pi k / 2n)
 *
 *     X_k = sum_j x_j cos(pi k (j + 1/2) / n)
 *
 * A plane is sorted in y and x and transformed, rows (real to complex) are turned, columns folded:
 * complex sample (l, k), k <= x/2, then holds the coefficients (l, k) and -(l, x - k); for k = 0
 * the latter is 0. */
#pragma once

#include "kintsugi.h"

/* Where sample i of a line is sorted to. */
KIN_INLINE int dct_place(int i, int n)
{
    return i % 2 ? n - 1 - i / 2 : i / 2;
}

/* ---- for one thread of the CPU: dct_cpu.c ---------------------------------------------------- */

enum { DCT_LANES = 8 }; /* columns that stand side by side */

struct dct {
    int n;
    float *cosine, *sine; /* of pi k / 2n, k = 0..n/2, each twice; 64-byte aligned */
};

/* False: no memory. Freed by dct_free, which a zeroed one survives. */
bool dct_new(struct dct *dct, int n);
void dct_free(struct dct *dct);

/* dst = src sorted, and back, scaled. */
void dct_sort(float *dst, const float *src, int n);
void dct_unsort(float *dst, const float *src, int n, float scale);

/* A row's n/2+1 complex samples turned, and back; room for a multiple of DCT_LANES, 64-byte
 * aligned. */
void dct_turn(const struct dct *dct, float *row);
void dct_turn_back(const struct dct *dct, float *row);

/* Columns (n, DCT_LANES) of complex samples folded, and back; 64-byte aligned. */
void dct_fold(const struct dct *dct, float *columns);
void dct_unfold(const struct dct *dct, float *columns);
