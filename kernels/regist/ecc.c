// SPDX-License-Identifier: MIT
// ecc.c: with r the reference and m the moving image, both less their mean, and G the
// derivatives of m by the six numbers of an affine map (about the middle of the image):
//
//     step = (G'G)^-1 G' (l r - m),   l = (m'm - m'Pm) / (r'm - r'Pm),   P = G (G'G)^-1 G'
//
// Sums run over rows in order, so that threads change nothing.
#include "regist/ecc.h"
#include "core/cholesky.h"
#include "core/rank.h"

#include <math.h>
#include <stdlib.h>

enum { N = 6, LEAST = 1000 }; // LEAST pixels measured in both images

struct moments { // of pixels of both images
    double n, r, m, rr, mm, rm;
};

struct sums { // of one row, or of all
    struct moments of;
    double g[N], gr[N], gm[N], gg[N][N];
};

static void add_pixel(struct moments *s, double r, double m)
{
    s->n++;
    s->r += r;
    s->m += m;
    s->rr += r * r;
    s->mm += m * m;
    s->rm += r * m;
}

// The same, squares and products less their means'.
static struct moments centred(const struct moments *s)
{
    double n = s->n;
    return (struct moments){
        n, s->r, s->m, s->rr - s->r * s->r / n, s->mm - s->m * s->m / n, s->rm - s->r * s->m / n};
}

// Of those; flat: where one of the images is the same everywhere.
static double correlation(const struct moments *c, double flat)
{
    return c->rr > 0 && c->mm > 0 ? c->rm / sqrt(c->rr * c->mm) : flat;
}

// Derivatives of the moving image at (y, x): by a (yy, yx, xy, xx), then by the shift.
static bool derivatives(const float *moving, int h, int w, int y, int x, double g[N])
{
    const float *p = moving + (size_t)y * w + x;
    if (p[0] <= 0 || p[-1] <= 0 || p[1] <= 0 || p[-w] <= 0 || p[w] <= 0)
        return false;
    double gy = (p[w] - p[-w]) / 2, gx = (p[1] - p[-1]) / 2, dy = y - (h - 1) / 2.0,
           dx = x - (w - 1) / 2.0;
    double all[N] = {gy * dy, gy * dx, gx * dy, gx * dx, gy, gx};
    for (int i = 0; i < N; i++)
        g[i] = all[i];
    return true;
}

static void sum_row(const float *reference, const float *moving, int h, int w, int y,
                    struct sums *s)
{
    *s = (struct sums){0};
    for (int x = 1; x < w - 1; x++) {
        double g[N], r = reference[(size_t)y * w + x], m = moving[(size_t)y * w + x];
        if (r <= 0 || !derivatives(moving, h, w, y, x, g))
            continue;
        add_pixel(&s->of, r, m);
        for (int i = 0; i < N; i++) {
            s->g[i] += g[i];
            s->gr[i] += g[i] * r;
            s->gm[i] += g[i] * m;
            for (int j = 0; j <= i; j++)
                s->gg[i][j] += g[i] * g[j];
        }
    }
}

// All numbers of struct sums are doubles: added one by one.
static void add(struct sums *to, const struct sums *s)
{
    double *a = (double *)to;
    const double *b = (const double *)s;
    for (size_t i = 0; i < sizeof *s / sizeof *a; i++)
        a[i] += b[i];
}

static double dot(const double a[N], const double b[N])
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

// How far the step moves a corner of the image.
static double corner_move(const double step[N], int h, int w)
{
    double most = 0;
    for (int k = 0; k < 4; k++) {
        double dy = (k & 1 ? 1 : -1) * h / 2.0, dx = (k & 2 ? 1 : -1) * w / 2.0;
        double my = step[0] * dy + step[1] * dx + step[4],
               mx = step[2] * dy + step[3] * dx + step[5];
        most = fmax(most, hypot(my, mx));
    }
    return most;
}

static void finish(const struct sums *s, int h, int w, struct regist_ecc *ecc)
{
    struct moments c = centred(&s->of);
    double a[N][N], b[N][N], gr[N], gm[N], pr[N], pm[N], step[N];
    *ecc = (struct regist_ecc){correlation(&c, 0), NAN};
    for (int i = 0; i < N; i++) {
        pr[i] = gr[i] = s->gr[i] - s->g[i] * c.r / c.n; // G' r, r less its mean
        pm[i] = gm[i] = s->gm[i] - s->g[i] * c.m / c.n;
        for (int j = 0; j <= i; j++)
            a[i][j] = b[i][j] = s->gg[i][j];
    }
    if (!cholesky_solve(a[0], pr, N) || !cholesky_solve(b[0], pm, N))
        return;
    double below = c.rm - dot(gm, pr), l = (c.mm - dot(gm, pm)) / below;
    if (!(below > 0) || !isfinite(l))
        return;
    for (int i = 0; i < N; i++)
        step[i] = l * pr[i] - pm[i];
    ecc->corner = corner_move(step, h, w);
}

bool regist_ecc_step(const float *reference, const float *moving, int h, int w, int threads,
                     struct regist_ecc *ecc)
{
    struct sums *rows = calloc((size_t)h, sizeof *rows), all = {0};
    *ecc = (struct regist_ecc){0, NAN};
    if (!rows)
        return false;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int y = 1; y < h - 1; y++)
        sum_row(reference, moving, h, w, y, &rows[y]);
    for (int y = 0; y < h; y++)
        add(&all, &rows[y]);
    free(rows);
    if (all.of.n >= LEAST)
        finish(&all, h, w, ecc);
    return true;
}

// ---- chance ----------------------------------------------------------------------------------

enum { DIRECTIONS = 12, RINGS = 3, BESIDE = DIRECTIONS * RINGS };

double regist_ecc_beside(const float *reference, const float *moving, int h, int w, int dy, int dx)
{
    struct moments sum = {0};
    for (int y = dy > 0 ? dy : 0; y < h && y < h + dy; y++) {
        const float *a = reference + (size_t)y * w, *b = moving + (size_t)(y - dy) * w - dx;
        for (int x = dx > 0 ? dx : 0; x < w && x < w + dx; x++) {
            if (a[x] > 0 && b[x] > 0)
                add_pixel(&sum, a[x], b[x]);
        }
    }
    struct moments c = centred(&sum);
    return sum.n >= LEAST ? correlation(&c, NAN) : NAN;
}

// Directions in which a fibrous image is like itself are few: the median does not see them.
double regist_ecc_chance(const float *reference, const float *moving, int h, int w, int threads)
{
    double size[BESIDE];
    int told = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int i = 0; i < BESIDE; i++) {
        double far = 16 + 8 * (i / DIRECTIONS),
               turn = 2 * M_PI * (i / (double)DIRECTIONS + i * 0.03);
        size[i] = fabs(regist_ecc_beside(reference, moving, h, w, (int)lround(far * sin(turn)),
                                         (int)lround(far * cos(turn))));
    }
    for (int i = 0; i < BESIDE; i++)
        if (!isnan(size[i]))
            size[told++] = size[i];
    return told < BESIDE / 2 ? NAN : 1.4826 * kin_median_f64(size, (size_t)told);
}
