// SPDX-License-Identifier: MIT
// psf_shape.c: the symmetries of a PSF, its planes on a periodic domain and their cosine transforms
// on a mirrored one.
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
 * / n). */
static float *cosines(int half, int n)
{
    float *cosine = malloc(((size_t)half + 1) * (size_t)n * sizeof *cosine), *at = cosine;
    for (int i = 0; cosine && i <= half; i++)
        for (int k = 0; k < n; k++)
            *at++ = (float)((i ? 2 : 1) * cos(M_PI * (double)((int64_t)k * i % (2 * n)) / n));
    return cosine;
}

/* out (to) += weight in (to) */
static void add_weighted(float *restrict out, const float *restrict in, float weight, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += weight * in[i];
}

bool rl_mirrored_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap,
                     struct kin_dims dims, float *plane)
{
    int hy = psf->dims.y / 2, hx = psf->dims.x / 2;
    size_t wide = (size_t)dims.x, z = (size_t)(taps->first + tap);
    const float *from = kin_f32(psf) + z * (size_t)psf->dims.y * (size_t)psf->dims.x;
    float *across = cosines(hx, dims.x), *along = cosines(hy, dims.y),
          *rows = calloc((size_t)hy + 1, wide * sizeof *rows);
    bool good = across && along && rows;
    for (int j = 0; good && j <= hy; j++)
        for (int i = 0; i <= hx; i++)
            add_weighted(rows + (size_t)j * wide, across + (size_t)i * wide,
                         from[(size_t)(hy + j) * (size_t)psf->dims.x + (size_t)(hx + i)], dims.x);
    for (int k = 0; good && k < dims.y; k++) {
        float *to = memset(plane + (size_t)k * wide, 0, wide * sizeof *plane);
        for (int j = 0; j <= hy; j++)
            add_weighted(to, rows + (size_t)j * wide, along[(size_t)j * (size_t)dims.y + (size_t)k],
                         dims.x);
    }
    free(across);
    free(along);
    free(rows);
    return good;
}
