/* scene.h: two pictures of made-up tissue and the map between them, for registration tests and
 * benchmarks; and how far a map that was found is from it (target registration error). */
#pragma once

#include "regist/regist.h"
#include "tissue.h"

#include <string.h>

#define SCENE_MARGIN 128

struct scene {
    int n;
    struct kin_image ref, mov;
    struct warp_map truth; /* ref(p) = mov(truth(p)) */
    uint8_t *mask;         /* of the reference */
};

/* p with truth(p) = q. */
static inline void scene_invert(const struct warp_map *m, const double q[2], double p[2])
{
    double det = m->a[0] * m->a[3] - m->a[1] * m->a[2];
    p[0] = q[0];
    p[1] = q[1];
    for (int i = 0; i < 8; i++) {
        double u[2];
        warp_grid_at(&m->grid, p[0], p[1], u);
        double y = q[0] - m->c[0] - m->t[0] - u[0], x = q[1] - m->c[1] - m->t[1] - u[1];
        p[0] = (m->a[3] * y - m->a[1] * x) / det + m->c[0];
        p[1] = (-m->a[2] * y + m->a[0] * x) / det + m->c[1];
        if (!m->grid.rows)
            return;
    }
}

static inline struct warp_map scene_truth(int n, double degrees, double scale, double shear,
                                          double ty, double tx, double field, uint64_t seed)
{
    struct random r = {seed + 99};
    struct warp_map m = warp_identity((n - 1) / 2.0, (n - 1) / 2.0);
    double c = scale * cos(degrees * M_PI / 180), s = scale * sin(degrees * M_PI / 180);
    double a[4] = {c, c * shear - s, s, s * shear + c};
    memcpy(m.a, a, sizeof a);
    m.t[0] = ty;
    m.t[1] = tx;
    if (field > 0) {
        /* A field as smooth as tissue is stretched: nodes every 450 pixels or so, `field` pixels
         * at */
        /* most. */
        int nodes = n / 340 + 4;
        m.grid = (struct warp_grid){nodes, nodes, 340, -340,
                                    malloc(2 * (size_t)nodes * nodes * sizeof(float))};
        for (int i = 0; i < 2 * nodes * nodes; i++)
            m.grid.u[i] = (float)(field * (2 * uniform(&r) - 1));
    }
    return m;
}

static inline struct scene scene_make(int n, uint64_t seed, struct warp_map truth, double photons,
                                      double change)
{
    struct random r = {seed};
    struct scene s = {.n = n, .truth = truth, .mask = malloc((size_t)n * n)};
    struct tissue here = tissue_make(n + 2 * SCENE_MARGIN, seed),
                  other = tissue_make(n + 2 * SCENE_MARGIN, seed + 500);
    kin_image_alloc(&s.ref, (struct kin_dims){1, n, n}, KIN_U16, NULL);
    kin_image_alloc(&s.mov, (struct kin_dims){1, n, n}, KIN_U16, NULL);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            size_t i = (size_t)y * n + x,
                   w = (size_t)(y + SCENE_MARGIN) * here.n + x + SCENE_MARGIN;
            double q[2] = {y, x}, p[2];
            scene_invert(&truth, q, p);
            double v = (1 - change) * tissue_at(&here, p[0] + SCENE_MARGIN, p[1] + SCENE_MARGIN) +
                       change * tissue_at(&other, p[0] + SCENE_MARGIN, p[1] + SCENE_MARGIN);
            kin_u16(&s.ref)[i] = camera(photons * here.value[w] + 20, &r);
            kin_u16(&s.mov)[i] = camera(0.7 * photons * v + 35, &r);
            s.mask[i] = here.mask[w];
        }
    tissue_free(&here);
    tissue_free(&other);
    return s;
}

static inline void scene_free(struct scene *s)
{
    kin_image_free(&s->ref);
    kin_image_free(&s->mov);
    free(s->truth.grid.u);
    free(s->mask);
}

struct tre {
    double mean, p95, max;
};

static inline int scene_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void scene_point(const struct warp_map *m, double y, double x, double q[2])
{
    double p[2] = {y, x}, u[2];
    warp_affine_point(m, p, q);
    warp_grid_at(&m->grid, y, x, u);
    q[0] += u[0];
    q[1] += u[1];
}

static inline struct tre scene_tre(const struct scene *s, const struct warp_map *found)
{
    static double d[40000];
    int n = 0;
    struct tre tre = {0};
    for (int y = 48; y < s->n - 48; y += 32)
        for (int x = 48; x < s->n - 48; x += 32) {
            double a[2], b[2];
            if (!s->mask[(size_t)y * s->n + x])
                continue;
            scene_point(&s->truth, y, x, a);
            scene_point(found, y, x, b);
            d[n] = hypot(a[0] - b[0], a[1] - b[1]);
            tre.mean += d[n++];
        }
    qsort(d, n, sizeof *d, scene_by_value);
    tre.mean /= n;
    tre.p95 = d[(int)(0.95 * (n - 1))];
    tre.max = d[n - 1];
    return tre;
}
