// SPDX-License-Identifier: MIT
// psf_shape.c: the symmetries of a PSF, its planes on a periodic domain and their cosine transforms
// on a mirrored one.
#include "core/simd.h"
#include "device/rl_step.h"
#include "image/psf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest difference between the volume and itself mirrored along the axes with -1. */
static bool mirrored(const struct kin_image *psf, int mz, int my, int mx)
{
    struct kin_dims d = psf->dims;
    const float *v = kin_f32(psf);
    float worst = 0, peak = 0;
    for (int z = 0; z < d.z; z++)
        for (int y = 0; y < d.y; y++)
            for (int x = 0; x < d.x; x++) {
                int z2 = mz ? d.z - 1 - z : z, y2 = my ? d.y - 1 - y : y, x2 = mx ? d.x - 1 - x : x;
                float a = v[((size_t)z * d.y + y) * d.x + x],
                      b = v[((size_t)z2 * d.y + y2) * d.x + x2];
                worst = fmaxf(worst, fabsf(a - b));
                peak = fmaxf(peak, a);
            }
    return worst <= 1e-6f * peak;
}

void kin_psf_shift(const struct kin_image *psf, double shift[3])
{
    struct kin_dims d = psf->dims;
    const float *v = kin_f32(psf);
    size_t n = kin_count(d), row = (size_t)d.x, plane = row * (size_t)d.y;
    double light = 0, sum[3] = {0, 0, 0};
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, v[i]);
    for (size_t i = 0; i < n; i++) {
        double share = 2 * v[i] > peak ? v[i] : 0;
        light += share;
        sum[0] += share * (double)(i / plane);
        sum[1] += share * (double)(i % plane / row);
        sum[2] += share * (double)(i % row);
    }
    const int centre[3] = {d.z / 2, d.y / 2, d.x / 2};
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = light > 0 ? sum[axis] / light - centre[axis] : 0;
}

bool kin_psf_even_xy(const struct kin_image *psf)
{
    return psf->dims.y % 2 && psf->dims.x % 2 && mirrored(psf, 0, 1, 1);
}

bool kin_psf_even_each(const struct kin_image *psf)
{
    return kin_psf_even_xy(psf) && mirrored(psf, 0, 1, 0);
}

bool kin_psf_even_z(const struct kin_image *psf)
{
    return psf->dims.z % 2 && mirrored(psf, 1, 0, 0);
}

struct rl_taps rl_taps_of(const struct kin_image *psf)
{
    bool real = kin_psf_even_xy(psf), even = real && kin_psf_even_z(psf);
    int half = psf->dims.z / 2;
    return (struct rl_taps){.count = even ? half + 1 : psf->dims.z,
                            .centre = even ? 0 : half,
                            .first = even ? half : 0,
                            .real = real,
                            .even_z = even};
}

void rl_place_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap,
                  struct kin_dims dims, float *plane)
{
    size_t z = (size_t)(taps->first + tap);
    const float *from = kin_f32(psf) + z * (size_t)psf->dims.y * (size_t)psf->dims.x;
    memset(plane, 0, (size_t)dims.y * (size_t)dims.x * sizeof *plane);
    for (int y = 0; y < psf->dims.y; y++)
        for (int x = 0; x < psf->dims.x; x++) {
            int ty = kin_wrap(y - psf->dims.y / 2, dims.y),
                tx = kin_wrap(x - psf->dims.x / 2, dims.x);
            plane[(size_t)ty * (size_t)dims.x + (size_t)tx] += *from++;
        }
}

/* cosine (half + 1, n) = the weight of a sample i away from the centre on both sides: 2 cos(pi k i
 * / n). All are among the values that a whole turn of 2 n steps has. */
static float *cosines(int half, int n)
{
    int turn = 2 * n;
    float *values = malloc((size_t)turn * sizeof *values),
          *cosine = malloc(((size_t)half + 1) * (size_t)n * sizeof *cosine), *at = cosine;
    for (int i = 0; values && i < turn; i++)
        values[i] = (float)cos(M_PI * (double)i / n);
    for (int i = 0; values && cosine && i <= half; i++)
        for (int k = 0, step = 0; k < n; k++, step = (step + i) % turn)
            *at++ = (float)(i ? 2 : 1) * values[step];
    if (!values) {
        free(cosine);
        cosine = NULL;
    }
    free(values);
    return cosine;
}

/* out (n) = the sum of `count` rows of as many, one below the other, each times its weight; the
 * weights lie `apart` floats from each other. */
VECTOR_CLONES static void weighted_sum(float *restrict out, const float *restrict rows, int count,
                                       const float *weight, size_t apart, int n)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int j = 0; j < count; j++, rows += n, weight += apart)
        for (int i = 0; i < n; i++)
            out[i] += *weight * rows[i];
}

bool rl_mirrored_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap,
                     struct kin_dims dims, float *plane, int threads)
{
    int hy = psf->dims.y / 2, hx = psf->dims.x / 2;
    size_t wide = (size_t)dims.x, width = (size_t)psf->dims.x, z = (size_t)(taps->first + tap);
    const float *centre = kin_f32(psf) + (z * (size_t)psf->dims.y + (size_t)hy) * width + hx;
    float *across = cosines(hx, dims.x), *along = cosines(hy, dims.y),
          *rows = malloc(((size_t)hy + 1) * wide * sizeof *rows);
    bool good = across && along && rows;
    int high = good ? dims.y : 0;
    for (int j = 0; good && j <= hy; j++)
        weighted_sum(rows + (size_t)j * wide, across, hx + 1, centre + (size_t)j * width, 1,
                     dims.x);
#pragma omp parallel for num_threads(threads)
    for (int k = 0; k < high; k++)
        weighted_sum(plane + (size_t)k * wide, rows, hy + 1, along + k, (size_t)dims.y, dims.x);
    free(across);
    free(along);
    free(rows);
    return good;
}
