// SPDX-License-Identifier: MIT
// What measured blocks say together: an affine map, or a smooth field.
#include "core/rank.h"
#include "regist/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10, MAX_TERMS = 6 };

static bool usable(const struct probe_point *p, double min_quality)
{
    return p->quality >= min_quality && p->fill >= 0.7f;
}

// Solves the symmetric system m x = b of n unknowns in place by Gaussian elimination with pivoting.
static bool solve(double m[MAX_TERMS][MAX_TERMS], double b[MAX_TERMS], int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;
        if (fabs(m[pivot][k]) < 1e-12)
            return false;
        for (int j = 0; j < n; j++) {
            double keep = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = keep;
        }
        double keep = b[k];
        b[k] = b[pivot];
        b[pivot] = keep;
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j < n; j++)
                m[i][j] -= f * m[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= m[k][k];
    return true;
}

// The rows of the design matrix for the y and the x displacement at (y, x), in units of `scale`
// pixels: translation (m_y, m_x), similarity (+ scale, rotation), affine (+ the other two).
static void design(int terms, double y, double x, double ry[MAX_TERMS], double rx[MAX_TERMS])
{
    memset(ry, 0, MAX_TERMS * sizeof *ry);
    memset(rx, 0, MAX_TERMS * sizeof *rx);
    ry[0] = 1;
    rx[1] = 1;
    if (terms == 4) {
        ry[2] = y;
        ry[3] = -x;
        rx[2] = x;
        rx[3] = y;
    } else if (terms == 6) {
        ry[2] = y;
        ry[3] = x;
        rx[4] = y;
        rx[5] = x;
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

struct system {
    double m[MAX_TERMS][MAX_TERMS], b[MAX_TERMS], weight, error;
};

static void add_point(struct system *s, int terms, const struct probe_point *p, const double c[2],
                      double scale, const double *solution)
{
    double ry[MAX_TERMS], rx[MAX_TERMS], w = (double)p->quality * p->quality;
    design(terms, (p->y - c[0]) / scale, (p->x - c[1]) / scale, ry, rx);
    if (solution) {
        double ey = p->dy - dot(ry, solution, terms), ex = p->dx - dot(rx, solution, terms);
        w /= 1 + ey * ey + ex * ex;
        s->error += w * (ey * ey + ex * ex);
    }
    s->weight += w;
    for (int i = 0; i < terms; i++) {
        for (int j = 0; j < terms; j++)
            s->m[i][j] += w * (ry[i] * ry[j] + rx[i] * rx[j]);
        s->b[i] += w * (ry[i] * p->dy + rx[i] * p->dx);
    }
}

static void unpack(struct probe_fit *fit, int terms, const double *s, double scale)
{
    fit->m[0] = s[0];
    fit->m[1] = s[1];
    if (terms == 4) {
        fit->l[0] = fit->l[3] = s[2] / scale;
        fit->l[1] = -s[3] / scale;
        fit->l[2] = s[3] / scale;
    } else if (terms == 6) {
        for (int i = 0; i < 4; i++)
            fit->l[i] = s[2 + i] / scale;
    }
}

static int terms_for(int used, double independent)
{
    double n = used * independent;
    return n >= 24 ? 6 : n >= 12 ? 4 : 2;
}

// The fit of a model. False: the points do not determine it.
static bool fit_model(struct probe_fit *fit, const struct probe_point *points, int n,
                      const double c[2], double min_quality, double scale, int terms)
{
    double solution[MAX_TERMS];
    for (int round = 0; round < ROUNDS; round++) {
        struct system s = {0};
        for (int i = 0; i < n; i++)
            if (usable(&points[i], min_quality))
                add_point(&s, terms, &points[i], c, scale, round ? solution : NULL);
        fit->rms = sqrt(s.error / s.weight);
        if (!solve(s.m, s.b, terms))
            return false;
        memcpy(solution, s.b, sizeof solution);
    }
    unpack(fit, terms, solution, scale);
    fit->model = terms == 6 ? "affine" : terms == 4 ? "similarity" : "translation";
    return true;
}

// Few blocks tell that their tissue is turned when it is turned far: what a translation leaves must
// then be many times what a similarity leaves, by the F test of its two terms more.
static bool clearly_turned(const struct probe_fit *moved, const struct probe_fit *turned,
                           double independent)
{
    enum { CLEARLY = 20 };
    double free = 2 * moved->used * independent - 4, left = turned->rms * turned->rms;
    return free > 0 && (moved->rms * moved->rms - left) / 2 * free > CLEARLY * left;
}

struct probe_fit probe_fit_affine(const struct probe_point *points, int n, const double c[2],
                                  double min_quality, double independent)
{
    struct probe_fit fit = {.model = "identity"};
    double scale = 1;
    for (int i = 0; i < n; i++)
        if (usable(&points[i], min_quality)) {
            fit.used++;
            scale = fmax(scale, fmax(fabs(points[i].y - c[0]), fabs(points[i].x - c[1])));
        }
    if (!fit.used)
        return fit;
    int terms = terms_for(fit.used, independent);
    struct probe_fit turned = fit;
    fit_model(&fit, points, n, c, min_quality, scale, terms);
    if (terms == 2 && fit_model(&turned, points, n, c, min_quality, scale, 4) &&
        clearly_turned(&fit, &turned, independent))
        return turned;
    return fit;
}

// ---- the smooth field ------------------------------------------------------------------------

static float middle(float *v, int n)
{
    return kin_rank_f32(v, (size_t)n, (size_t)n / 2);
}

// A point that is more than 2 pixels from the median of its usable neighbours is not believed.
static bool lonely(const struct probe_lattice *g, const struct probe_point *points, int i,
                   double min_quality)
{
    float dy[9], dx[9];
    int n = 0, r = i / g->cols, c = i % g->cols;
    for (int y = r - 1; y <= r + 1; y++)
        for (int x = c - 1; x <= c + 1; x++) {
            if (y < 0 || x < 0 || y >= g->rows || x >= g->cols)
                continue;
            const struct probe_point *p = &points[y * g->cols + x];
            if (usable(p, min_quality)) {
                dy[n] = p->dy;
                dx[n++] = p->dx;
            }
        }
    return n >= 3 && hypotf(points[i].dy - middle(dy, n), points[i].dx - middle(dx, n)) > 2;
}

// Gaussian along one axis of a (rows, cols) array; samples outside do not count.
static void smooth_axis(float *a, int n, size_t stride, double sigma, float *line)
{
    int radius = (int)ceil(4 * sigma);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = -radius; k <= radius; k++)
            if (i + k >= 0 && i + k < n)
                sum += exp(-0.5 * k * k / (sigma * sigma)) * a[(size_t)(i + k) * stride];
        line[i] = (float)sum;
    }
    for (int i = 0; i < n; i++)
        a[(size_t)i * stride] = line[i];
}

static void smooth_plane(float *a, int rows, int cols, double sigma, float *line)
{
    for (int y = 0; y < rows; y++)
        smooth_axis(a + (size_t)y * cols, cols, 1, sigma, line);
    for (int x = 0; x < cols; x++)
        smooth_axis(a + x, rows, cols, sigma, line);
}

// num (3, rows, cols): weighted dy, dx and the weight, unsmoothed. d so far is what is believed
// where the weight at this sigma is small.
static bool refine(const struct probe_lattice *g, const float *num, double sigma, float *d)
{
    size_t n = (size_t)g->rows * g->cols;
    float *sum = malloc((3 * n + g->rows + g->cols) * sizeof *sum), most = 0;
    if (!sum)
        return false;
    memcpy(sum, num, 3 * n * sizeof *sum);
    for (int k = 0; k < 3; k++)
        smooth_plane(sum + k * n, g->rows, g->cols, sigma, sum + 3 * n);
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, sum[2 * n + i]);
    float prior = 0.02f * most;
    for (size_t i = 0; i < n && most > 0; i++)
        for (int k = 0; k < 2; k++)
            d[k * n + i] = (sum[k * n + i] + prior * d[k * n + i]) / (sum[2 * n + i] + prior);
    free(sum);
    return true;
}

bool probe_smooth(const struct probe_lattice *lattice, const struct probe_point *points,
                  double min_quality, double sigma, float *d)
{
    size_t n = (size_t)lattice->rows * lattice->cols;
    float *num = calloc(3 * n, sizeof *num);
    memset(d, 0, 2 * n * sizeof *d);
    if (!num)
        return false;
    for (size_t i = 0; i < n; i++)
        if (usable(&points[i], min_quality) && !lonely(lattice, points, (int)i, min_quality)) {
            float w = points[i].quality * points[i].quality;
            num[i] = w * points[i].dy;
            num[n + i] = w * points[i].dx;
            num[2 * n + i] = w;
        }
    bool fine = true;
    for (double s = 16 * sigma; s >= sigma && fine; s /= 4)
        fine = refine(lattice, num, s, d);
    free(num);
    return fine;
}
