// SPDX-License-Identifier: MIT
// affine.c: whole images, then blocks; each round measures, fits and composes.
#include "regist/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regist/blocks.h"
#include "regist/mellin.h"

enum { ENOUGH_BLOCKS = 25, REACH = 24 };
static const double STILL =
    0.05; // pixels of the level: a round that moves a corner less leaves a tenth of that

// The map as the binned level sees it (binned pixel i covers pixels ki .. ki + k-1).
static struct warp_map map_binned(const struct warp_map *map, int k)
{
    struct warp_map small = *map;
    for (int i = 0; i < 2; i++) {
        small.t[i] /= k;
        small.c[i] = (map->c[i] - (k - 1) / 2.0) / k;
    }
    small.grid = (struct warp_grid){0};
    return small;
}

// map'(p) = map(p + l (p - c) + m), m in pixels of the full level.
static void compose(struct warp_map *map, const double l[4], const double m[2])
{
    double a[4], *o = map->a;
    map->t[0] += o[0] * m[0] + o[1] * m[1];
    map->t[1] += o[2] * m[0] + o[3] * m[1];
    a[0] = o[0] * (1 + l[0]) + o[1] * l[2];
    a[1] = o[0] * l[1] + o[1] * (1 + l[3]);
    a[2] = o[2] * (1 + l[0]) + o[3] * l[2];
    a[3] = o[2] * l[1] + o[3] * (1 + l[3]);
    memcpy(o, a, sizeof a);
}

// ---- coarse ----------------------------------------------------------------------------------

struct probe *regist_whole_probe(const struct regist *r)
{
    struct kin_dims d = r->small.window.rows.dims;
    return probe_new(r->dev, kin_good_size(d.y, true), kin_good_size(d.x, true), d.y / 3, d.x / 3,
                     1);
}

// The first look finds the peak, the second measures at it (and refines it).
double regist_shift(struct task *t, struct probe *probe, struct warp_map *map)
{
    struct kin_dims d = t->r->small.window.rows.dims;
    struct probe_point point = {.y = (float)(d.y - 1) / 2, .x = (float)(d.x - 1) / 2};
    for (int look = 0; look < 2; look++) {
        struct warp_map small = map_binned(map, t->r->k);
        struct warp_view view = {.map = small}; // without a field
        probe_run(probe, &t->r->small, &t->small, &view, &point, 1);
        if (look == 1 || point.quality <= 0)
            return point.ncc;
        double m[2] = {point.dy * t->r->k, point.dx * t->r->k};
        compose(map, (double[4]){0}, m);
    }
    return 0;
}

static struct warp_map turned(const struct warp_map *map, double angle, double scale)
{
    struct warp_map m = *map;
    m.a[0] = m.a[3] = scale * cos(angle);
    m.a[1] = -scale * sin(angle);
    m.a[2] = scale * sin(angle);
    return m;
}

void regist_coarse(struct task *t)
{
    struct regist *r = t->r;
    struct probe *probe = regist_whole_probe(r);
    if (!probe)
        return;
    struct warp_map start = t->map;
    t->result->coarse_ncc = regist_shift(t, probe, &t->map);
    if (t->result->coarse_ncc < r->params.mellin_below) {
        double angle, scale;
        if (mellin_measure(r->dev, &r->small, &t->small, &angle, &scale)) {
            struct warp_map map = turned(&start, angle, scale);
            double ncc = regist_shift(t, probe, &map);
            if (ncc > t->result->coarse_ncc) {
                t->map = map;
                t->result->coarse_ncc = ncc;
                t->result->mellin = true;
            }
        }
    }
    probe_free(probe);
}

// ---- affine ----------------------------------------------------------------------------------

// How many independent blocks one block of an overlapping lattice stands for.
static double independent(const struct probe_lattice *lattice)
{
    double share = 2.0 * lattice->step / lattice->size;
    return share < 1 ? share * share : 1;
}

// One round at a level: measure, fit, compose. Returns how far the fit moved a corner, in full
// pixels.
static double affine_round(struct task *t, struct probe *probe, const struct probe_lattice *lattice,
                           int k)
{
    struct regist *r = t->r;
    struct probe_image *ref = k > 1 ? &r->small : &r->full, *mov = k > 1 ? &t->small : &t->full;
    struct warp_map map = map_binned(&t->map, k);
    struct probe_point *points = probe_lattice_points(lattice);
    int n = lattice->rows * lattice->cols;
    if (!points) {
        device_fail(r->dev, KIN_MEMORY, "no memory for %d blocks", n);
        return 0;
    }
    regist_measure_lattice(r->dev, probe, ref, mov, &map, lattice, points);
    struct probe_fit fit = probe_fit_affine(points, n, map.c, REGIST_AFFINE_QUALITY,
                                            independent(lattice));
    free(points);
    t->result->blocks = n;
    t->result->accepted = fit.used;
    if (!fit.used)
        return 0;
    t->result->model = fit.model;
    double m[2] = {fit.m[0] * k, fit.m[1] * k};
    compose(&t->map, fit.l, m);
    return hypot(m[0], m[1]) + hypot(hypot(fit.l[0], fit.l[1]), hypot(fit.l[2], fit.l[3])) *
                                   hypot(t->map.c[0], t->map.c[1]);
}

static void affine_rounds(struct task *t, const struct probe_lattice *lattice, int k, int rounds)
{
    int size = lattice->size, reach = REACH < size / 3 ? REACH : size / 3;
    struct probe *probe = probe_new(t->r->dev, size, size, reach, reach,
                                    lattice->rows * lattice->cols);
    for (int i = 0; probe && i < rounds; i++)
        if (affine_round(t, probe, lattice, k) < STILL * k)
            break;
    probe_free(probe);
}

// The first round is to bring the map near, which blocks that do not overlap do as well.
void regist_affine(struct task *t, int k, int rounds)
{
    struct kin_dims d = (k > 1 ? &t->r->small : &t->r->full)->window.rows.dims;
    int size = regist_block_size(d), step = size >= 128 ? size / 2 : size / 3;
    struct probe_lattice lattice = regist_lattice(d, size, step, size / 4),
                         few = probe_lattice_over(d, size, size);
    if (lattice.step < size && few.rows * few.cols >= ENOUGH_BLOCKS) {
        affine_rounds(t, &few, k, 1);
        rounds--;
    }
    affine_rounds(t, &lattice, k, rounds);
}
