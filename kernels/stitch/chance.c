// SPDX-License-Identifier: MIT
// chance.c: energies of spectra and of squares of overlaps, and the tail of a correlation.
#include "stitch/chance.h"
#include "core/simd.h"

#include <math.h>

enum {
    SQUARE = 8, /* px: local energies are those of squares of that side */
    PARTS = 64  /* of an overlap, which threads sum up */
};

struct energies {
    double aa, bb, ab;
};

static void add(struct energies *to, const struct energies *e)
{
    to->aa += e->aa;
    to->bb += e->bb;
    to->ab += e->ab;
}

/* ---- correlation area ------------------------------------------------------------------------ */

/* Of n complex numbers: sums of |a|^2, of |b|^2 and of their products. */
VECTOR_CLONES static struct energies power_energies(const float *a, const float *b, int n)
{
    double aa = 0, bb = 0, ab = 0;
#pragma omp simd reduction(+ : aa, bb, ab)
    for (int x = 0; x < n; x++) {
        double p = (double)(a[2 * x] * a[2 * x] + a[2 * x + 1] * a[2 * x + 1]),
               q = (double)(b[2 * x] * b[2 * x] + b[2 * x + 1] * b[2 * x + 1]);
        aa += p;
        bb += q;
        ab += p * q;
    }
    return (struct energies){aa, bb, ab};
}

/* Parseval: the sum over displacements is one over frequencies. Inner columns stand for two. */
double chance_area(const float *a, const float *b, struct kin_dims domain)
{
    int half = domain.x / 2 + 1;
    struct energies sum = {0};
    for (int y = 0; y < domain.y; y++) {
        size_t at = (size_t)y * (size_t)half * 2, last = domain.x % 2 ? 0 : 2 * (size_t)(half - 1);
        struct energies row = power_energies(a + at, b + at, half),
                        first = power_energies(a + at, b + at, 1), end = {0};
        if (last)
            end = power_energies(a + at + last, b + at + last, 1);
        add(&sum, &(struct energies){2 * row.aa - first.aa - end.aa, 2 * row.bb - first.bb - end.bb,
                                     2 * row.ab - first.ab - end.ab});
    }
    return (double)domain.y * domain.x * sum.ab / (sum.aa * sum.bb);
}

/* ---- the chance ------------------------------------------------------------------------------ */

VECTOR_CLONES static struct energies square_energies(const struct chance_overlap *o, int y, int x,
                                                     int h, int w)
{
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < h; i++) {
        const float *a = o->a + (size_t)(y + i) * (size_t)o->stride_a + x,
                    *b = o->b + (size_t)(y + i) * (size_t)o->stride_b + x;
#pragma omp simd reduction(+ : aa, bb, ab)
        for (int j = 0; j < w; j++) {
            aa += (double)(a[j] * a[j]);
            bb += (double)(b[j] * b[j]);
            ab += (double)(a[j] * b[j]);
        }
    }
    return (struct energies){aa, bb, ab};
}

struct part { /* of an overlap */
    struct energies sum;
    double together; /* products of the energies of squares, for each pixel */
};

/* Lines of squares, from one to another. */
static struct part part_of(const struct chance_overlap *o, int from, int to)
{
    struct part part = {0};
    for (int y = from * SQUARE; y < o->h && y < to * SQUARE; y += SQUARE) {
        for (int x = 0; x < o->w; x += SQUARE) {
            int h = o->h - y < SQUARE ? o->h - y : SQUARE,
                w = o->w - x < SQUARE ? o->w - x : SQUARE;
            struct energies e = square_energies(o, y, x, h, w);
            part.together += e.aa * e.bb / (h * w);
            add(&part.sum, &e);
        }
    }
    return part;
}

/* The logarithm of the probability that m independent pairs of normal samples correlate by r or
 * more, from above: in the integral, u / r >= 1 is put to (1 - u^2)^((m-4)/2), which gives it a
 * primitive function. */
static double log_tail(double r, double m)
{
    if (!(r > 0) || !(m > 4))
        return 0;
    double left = fmax(1e-12, (1 - r) * (1 + r));
    return fmin(0, lgamma((m - 1) / 2) - lgamma((m - 2) / 2) - 0.5 * log(M_PI) +
                       (m - 2) / 2 * log(left) - log((m - 2) * r));
}

double chance_of(const struct chance_overlap *o, double area)
{
    struct part parts[PARTS];
    struct energies sum = {0};
    double together = 0, n = (double)o->h * o->w;
    int lines = (o->h + SQUARE - 1) / SQUARE;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < PARTS; i++)
        parts[i] = part_of(o, lines * i / PARTS, lines * (i + 1) / PARTS);
    for (int i = 0; i < PARTS; i++) {
        together += parts[i].together;
        add(&sum, &parts[i].sum);
    }
    if (!(sum.aa > 0) || !(sum.bb > 0) || !(area > 0))
        return 1;
    double gathered = fmax(1, n * together / (sum.aa * sum.bb));
    return exp(log_tail(sum.ab / sqrt(sum.aa * sum.bb), n / (fmax(1, area) * gathered)));
}

double chance_of_best(double chance, double area, double searched)
{
    return fmin(1, chance * fmax(1, searched / fmax(1, area)));
}
