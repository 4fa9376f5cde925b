/* SPDX-License-Identifier: MIT
 *
 * ecc.h: a second opinion on an alignment, by another method than the one that found it: one
 * Gauss-Newton step of the enhanced correlation coefficient (Evangelidis & Psarakis, IEEE PAMI
 * 30:1858, 2008) over all pixels. */
#pragma once

#include "kintsugi.h"

struct regist_ecc {
    double correlation; /* of the two images as they are */
    /* pixels that the step would move the corner it moves most; NAN: cannot be told */
    double corner;
};

/* Two float images (h, w) that lie on each other; pixels of `moving` at or below 0 were not
 * measured. False: no memory. */
bool regist_ecc_step(const float *reference, const float *moving, int h, int w, int threads,
                     struct regist_ecc *ecc);

/* Their correlation with the moving one dy, dx pixels on. NAN: too few pixels to be told. */
double regist_ecc_beside(const float *reference, const float *moving, int h, int w, int dy, int dx);

/* How well they correlate by chance: the typical size of their correlation where one lies 16 to 32
 * pixels beside its place. NAN: too small to be told. */
double regist_ecc_chance(const float *reference, const float *moving, int h, int w, int threads);
