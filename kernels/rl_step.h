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

KIN_INLINE int rl_fold(int z, int nz, bool periodic)
{
    return periodic ? kin_wrap(z, nz) : kin_mirror(z, nz);
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
