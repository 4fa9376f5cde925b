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
 * transpose. */
#pragma once

#include <math.h>

#include "core/fold.h"
#include "device/device.h"

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

/* The same for a domain that is mirrored in y and x: coefficient (l, k), 0 <= k < dims.x, is what
 * the cosine transform's is multiplied by. False: no memory. */
bool rl_mirrored_tap(const struct kin_image *psf, const struct rl_taps *taps, int tap,
                     struct kin_dims dims, float *plane, int threads);

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

/* ---- regularisation -------------------------------------------------------------------------- */

/* A sample and the 26 around it, number 9 dz + 3 dy + dx from the middle one, RL_HERE; indices are
 * folded back into the volume. */
struct rl_cube {
    float v[27];
};

enum { RL_HERE = 13 };

#define RL_LEAST_SLOPE     1e-6f /* added to a gradient's square, which may be 0 */
#define RL_LEAST_VARIATION 0.1f

KIN_INLINE struct rl_cube rl_cube_at(const float *v, struct kin_dims d, int z, int y, int x)
{
    struct rl_cube cube;
    int column[3];
    KIN_UNROLL
    for (int i = 0; i < 3; i++)
        column[i] = kin_mirror(x + i - 1, d.x);
    KIN_UNROLL
    for (int k = 0; k < 3; k++) {
        KIN_UNROLL
        for (int j = 0; j < 3; j++) {
            size_t line = (size_t)kin_mirror(z + k - 1, d.z) * d.y + kin_mirror(y + j - 1, d.y);
            KIN_UNROLL
            for (int i = 0; i < 3; i++)
                cube.v[9 * k + 3 * j + i] = v[line * d.x + column[i]];
        }
    }
    return cube;
}

/* The forward difference from `at` to the next one, `step` on, over the length of the gradient
 * there. */
KIN_INLINE float rl_slope(const float *at, int step)
{
    float dz = at[9] - at[0], dy = at[3] - at[0], dx = at[1] - at[0];
    return (at[step] - at[0]) / sqrtf(dz * dz + dy * dy + dx * dx + RL_LEAST_SLOPE);
}

/* What total variation divides a sample by: 1 - tv div(grad v / |grad v|), kept above
 * RL_LEAST_VARIATION. */
KIN_INLINE float rl_variation(const struct rl_cube *cube, float tv)
{
    const float *here = cube->v + RL_HERE;
    float div = 0;
    KIN_UNROLL
    for (int step = 9; step; step /= 3) /* z, y, x */
        div += rl_slope(here, step) - rl_slope(here - step, step);
    float by = 1 - tv * div;
    return by > RL_LEAST_VARIATION ? by : RL_LEAST_VARIATION;
}

KIN_INLINE float rl_neighbours(const struct rl_cube *cube)
{
    float sum = -cube->v[RL_HERE];
    KIN_UNROLL
    for (int i = 0; i < 27; i++)
        sum += cube->v[i];
    return sum / 26;
}

KIN_INLINE float rl_regular(float next, const float *point, struct kin_dims d, int z, int y, int x,
                            float tv, float damping)
{
    struct rl_cube cube = rl_cube_at(point, d, z, y, x);
    float v = tv > 0 ? next / rl_variation(&cube, tv) : next;
    return damping > 0 ? (1 - damping) * v + damping * rl_neighbours(&cube) : v;
}
