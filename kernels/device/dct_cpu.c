// SPDX-License-Identifier: MIT
// dct_cpu.c: what makes cosine transforms of Fourier transforms, on the CPU; see dct.h.
#include "core/simd.h"
#include "device/dct.h"

#include <math.h>
#include <stdlib.h>

typedef float vector
    __attribute__((vector_size(2 * DCT_LANES * sizeof(float)))); /* re, im, re, im, ... */
typedef int32_t vector_mask __attribute__((vector_size(sizeof(vector))));

static int padded(int n)
{
    return (n / 2 / DCT_LANES + 1) * DCT_LANES;
}

bool dct_new(struct dct *dct, int n)
{
    size_t count = 2 * (size_t)padded(n);
    *dct = (struct dct){.n = n, .cosine = kin_alloc(2 * count * sizeof(float))};
    if (!dct->cosine)
        return false;
    dct->sine = dct->cosine + count;
    for (size_t k = 0; k < count / 2; k++) {
        double angle = M_PI * (double)k / (2.0 * n);
        dct->cosine[2 * k] = dct->cosine[2 * k + 1] = (float)cos(angle);
        dct->sine[2 * k] = dct->sine[2 * k + 1] = (float)sin(angle);
    }
    return true;
}

void dct_free(struct dct *dct)
{
    free(dct->cosine);
    *dct = (struct dct){0};
}

VECTOR_CLONES void dct_sort(float *restrict dst, const float *restrict src, int n)
{
    for (int i = 0; i < (n + 1) / 2; i++)
        dst[i] = src[2 * i];
    for (int i = 0; i < n / 2; i++)
        dst[n - 1 - i] = src[2 * i + 1];
}

VECTOR_CLONES void dct_unsort(float *restrict dst, const float *restrict src, int n, float scale)
{
    for (int i = 0; i < n / 2; i++) {
        dst[2 * i] = scale * src[i];
        dst[2 * i + 1] = scale * src[n - 1 - i];
    }
    if (n % 2)
        dst[n - 1] = scale * src[n / 2];
}

/* Vectors are handed over by address: by value they would need the same instruction set
 * everywhere. */
#define INLINE static inline __attribute__((always_inline))

static const vector SIGNS = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};

/* to = -i v */
INLINE void quarter(vector *to, const vector *v)
{
    *to = VECTOR_SHUFFLE(vector_mask, *v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14) *
          SIGNS;
}

/* v *= cosine - i sine */
INLINE void turn(vector *v, const vector *cosine, const vector *sine)
{
    vector aside;
    quarter(&aside, v);
    *v = *v * *cosine + aside * *sine;
}

VECTOR_CLONES void dct_turn(const struct dct *dct, float *row)
{
    vector *v = (vector *)row, *c = (vector *)dct->cosine, *s = (vector *)dct->sine;
    for (int i = 0; i < padded(dct->n) / DCT_LANES; i++)
        turn(v + i, c + i, s + i);
}

VECTOR_CLONES void dct_turn_back(const struct dct *dct, float *row)
{
    vector *v = (vector *)row, *c = (vector *)dct->cosine, *s = (vector *)dct->sine;
    for (int i = 0; i < padded(dct->n) / DCT_LANES; i++) {
        vector back = -s[i];
        turn(v + i, c + i, &back);
    }
}

VECTOR_CLONES void dct_fold(const struct dct *dct, float *columns)
{
    vector *v = (vector *)columns;
    for (int k = 1; k <= dct->n / 2; k++) {
        vector c = (vector){0} + 0.5f * dct->cosine[2 * k],
               s = (vector){0} + 0.5f * dct->sine[2 * k], back = -s, a = v[k], b = v[dct->n - k],
               rest;
        turn(&a, &c, &s);
        turn(&b, &c, &back);
        rest = b - a;
        v[k] = a + b;
        quarter(v + dct->n - k, &rest);
    }
}

VECTOR_CLONES void dct_unfold(const struct dct *dct, float *columns)
{
    vector *v = (vector *)columns;
    for (int k = 1; k <= dct->n / 2; k++) {
        vector c = (vector){0} + dct->cosine[2 * k], s = (vector){0} + dct->sine[2 * k], back = -s,
               far;
        quarter(&far, v + dct->n - k);
        vector a = v[k] + far, b = v[k] - far;
        turn(&a, &c, &back);
        turn(&b, &c, &s);
        v[k] = a;
        v[dct->n - k] = b;
    }
}
