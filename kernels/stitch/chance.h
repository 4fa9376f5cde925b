/* SPDX-License-Identifier: MIT
 *
 * chance.h: how likely two tiles that have nothing in common correlate as well as an overlap
 * does.
 *
 * Neighbouring pixels are not independent: a few hundred of them may say as much as ten. Of two
 * images without relation, the correlation r of n pixels has the variance 1 / m (Clifford,
 * Richardson and Hemon, Biometrics 45:123, 1989), where
 *
 *     m = n / (area * k)        how many samples are independent
 *     area = sum of R_a(d) R_b(d) over all displacements d, R: autocorrelation, 1 at d = 0
 *     k = n sum E_a E_b / (sum E_a sum E_b), E: local energy; above 1 where a few spots that happen
 *         to lie on each other make up all of r; at least 1
 *
 * and as m normal samples have it, P(r) = G((m-1)/2) / (sqrt(pi) G((m-2)/2)) times the integral of
 * (1 - u^2)^((m-4)/2) from r to 1 (Fisher, Biometrika 10:507, 1915; G: the gamma function). Of
 * several places that were looked at the best is taken: of `searched` displacements searched / area
 * are independent, so that
 *
 *     chance = min(1, max(1, searched / area) P(r)).
 *
 * All of it is told from band-passed images: shading and large structures would correlate
 * anywhere. */
#pragma once

#include "kintsugi.h"

/* The pixels of an overlap in both band-passed images, which stay borrowed; rows stand stride
 * pixels apart. */
struct chance_overlap {
    const float *a, *b;
    int stride_a, stride_b, h, w;
};

/* The correlation area of two real images, px, from their half spectra (y, x/2+1); NAN when one is
 * 0. */
double chance_area(const float *a, const float *b, struct kin_dims domain);

/* P(r) of an overlap, from above. 1 when there is nothing to tell from. */
double chance_of(const struct chance_overlap *overlap, double area);

/* That of the best of so many displacements. */
double chance_of_best(double chance, double area, double searched);
