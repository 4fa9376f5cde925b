/* SPDX-License-Identifier: MIT
 *
 * rl_step.h: what both back ends know of a PSF along z, and the arithmetic of a Richardson-Lucy
 * step for one sample.
 *
 * The convolution along z is a sum over the planes of the PSF, the "taps":
 *
 *     out[z] = sum_t T_t in[m(z + direction (centre - t))]
 *
 * m folds an index back into the volume, mirrored or periodic; direction is 1 for H and -1 for its
 * transpose.
 */
#pragma once

#include <math.h>

#include "device.h"
#include "fold.h"

struct rl_taps {
    int count, centre; /* planes of the PSF that are kept; which of them is offset 0 */
    int first;         /* plane of the PSF that is tap 0 */
    bool real;         /* T_t is real */
    bool even_z;       /* T_t = T_-t: only t >= 0 is kept, the centre is 0 */
};

/* Defined in psf_shape.c. */
struct rl_taps rl_taps_of(const struct kin_image *psf);

/* Plane `tap` of the PSF on the periodic domain (dims.y, dims.x), its centre at (0, 0). */
void rl_place_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap,
                  struct kin_dims dims, float *plane);

/* The same for a domain that is mirrored in y and x: coefficient (l, k), 0 <= k < dims.x, is what the cosine
 * transform's is multiplied by. False: no memory. */
bool rl_mirrored_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap, struct kin_dims dims,
                     float *plane);

KIN_INLINE int rl_fold(int z, int nz, enum rl_ends ends)
{
    return ends == RL_PERIODIC ? kin_wrap(z, nz) : kin_mirror(z, nz);
}

KIN_INLINE float rl_divided(float data, float model, float floor)
{
    return data / (model > floor ? model : floor);
}

KIN_INLINE float rl_positive(float v)
{
    return v > 0 ? v : 0;
}

/* The point to go on from, when the last two were `before` and `now`. */
KIN_INLINE float rl_ahead(float now, float before, float alpha)
{
    return rl_positive(now + alpha * (now - before));
}

/* ---- regularisation ---------------------------------------------------------------------------
 */

/* A sample of a volume, its indices folded back into it. */
KIN_INLINE float rl_sample(const float *v, struct kin_dims d, int z, int y, int x)
{
    z = kin_mirror(z, d.z);
    y = kin_mirror(y, d.y);
    x = kin_mirror(x, d.x);
    return v[((size_t)z * d.y + y) * d.x + x];
}

/* The forward difference along axis 0, 1 or 2 (z, y, x) over the length of the gradient there. */
KIN_INLINE float rl_slope(const float *v, struct kin_dims d, int z, int y, int x, int axis)
{
    float here = rl_sample(v, d, z, y, x);
    float dz = rl_sample(v, d, z + 1, y, x) - here, dy = rl_sample(v, d, z, y + 1, x) - here,
          dx = rl_sample(v, d, z, y, x + 1) - here;
    float slope = axis == 0 ? dz : axis == 1 ? dy : dx;
    return slope / sqrtf(dz * dz + dy * dy + dx * dx + 1e-6f);
}

/* What total variation divides a sample by: 1 - tv div(grad v / |grad v|), kept above a tenth. */
KIN_INLINE float rl_variation(const float *v, struct kin_dims d, int z, int y, int x, float tv)
{
    float div = 0;
    for (int axis = 0; axis < 3; axis++)
        div += rl_slope(v, d, z, y, x, axis) -
               rl_slope(v, d, z - (axis == 0), y - (axis == 1), x - (axis == 2), axis);
    float by = 1 - tv * div;
    return by > 0.1f ? by : 0.1f;
}

KIN_INLINE float rl_neighbours(const float *v, struct kin_dims d, int z, int y, int x)
{
    float sum = -rl_sample(v, d, z, y, x);
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                sum += rl_sample(v, d, z + k, y + j, x + i);
    return sum / 26;
}

KIN_INLINE float rl_regular(float next, const float *point, struct kin_dims d, int z, int y, int x,
                            float tv, float damping)
{
    float v = tv > 0 ? next / rl_variation(point, d, z, y, x, tv) : next;
    return damping > 0 ? (1 - damping) * v + damping * rl_neighbours(point, d, z, y, x) : v;
}
