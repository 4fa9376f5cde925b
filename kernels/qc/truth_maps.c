// SPDX-License-Identifier: MIT
// truth_maps.c: where points of the tissue come to lie, by both maps.
#include "qc/truth_maps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/part.h"
#include "core/rank.h"
#include "qc/truth_places.h"
#include "regist/transforms.h"

static void read_numbers(const struct js *list, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = js_number(js_at(list, i), NAN);
}

// The true map of a cycle; grid.u is the caller's to free. False: there is none.
static bool read_map(const struct js *root, int cycle, struct warp_map *map)
{
    const struct js *cycles = js_get(root, "cycles"), *one = NULL;
    for (int i = 0; i < js_count(cycles); i++)
        if (js_int(js_get(js_at(cycles, i), "cycle"), 0) == cycle)
            one = js_at(cycles, i);
    *map = (struct warp_map){0};
    read_numbers(js_get(one, "A"), map->a, 4);
    read_numbers(js_get(one, "t"), map->t, 2);
    read_numbers(js_get(one, "centre"), map->c, 2);
    const struct js *grid = js_get(one, "grid"), *uy = js_get(grid, "u_y"),
                    *ux = js_get(grid, "u_x");
    int rows, cols, n = js_cells(grid, &rows, &cols);
    if (n && js_count(uy) == n && js_count(ux) == n) {
        map->grid = (struct warp_grid){rows, cols, (float)js_number(js_get(grid, "step"), 1),
                                       (float)js_number(js_get(grid, "origin"), 0),
                                       malloc(2 * (size_t)n * sizeof(float))};
        for (int i = 0; map->grid.u && i < n; i++) {
            map->grid.u[i] = (float)js_number(js_at(uy, i), NAN);
            map->grid.u[n + i] = (float)js_number(js_at(ux, i), NAN);
        }
        if (!map->grid.u)
            map->grid.rows = map->grid.cols = 0;
    }
    return one;
}

static bool true_map(const struct comparing *c, const struct js *root, int cycle,
                     struct kin_dims canvas, struct warp_map *map)
{
    char path[TRUTH_PATH], text[200];
    if (!read_map(root, cycle, map))
        return false;
    if (!transforms_map_problem(map, canvas, text, sizeof text))
        return true;
    free(map->grid.u);
    truth_path(c, path, "transforms.json", 0, 0);
    return kin_fail(c->err, KIN_INPUT, "%s: cycle %d: %s", path, cycle, text);
}

static void map_point(const struct warp_map *map, double y, double x, double q[2])
{
    double p[2] = {y, x}, u[2];
    warp_affine_point(map, p, q);
    warp_grid_at(&map->grid, y, x, u);
    q[0] += u[0];
    q[1] += u[1];
}

// What stitching did to a cycle's frame: tiles lie where their position was measured (or at whole
// pixels) and not where they truly are. Registration can only follow the images it is given, so its
// error is told between the tissue that these images show.
struct frame {
    struct truth_place *found, *wanted;
    int nf, nw;
    int tile_h, tile_w;
    bool whole; // tiles are drawn at whole pixels
};

static struct frame frame_of(const struct comparing *c, int cycle)
{
    char path[TRUTH_PATH];
    struct frame f = {0};
    struct kin_tiff_info info;
    truth_places(c, cycle, &f.found, &f.nf, &f.wanted, &f.nw);
    truth_processed(c, path, "qc/stitch_cyc%02d.json", cycle, 0);
    struct js *report = js_read(path, NULL);
    const char *placement = js_text(js_get(report, "placement"), "whole");
    f.whole = !strcmp(placement, "whole");
    js_free(report);
    truth_path(c, path, "flat_ch%2$d.tif", 0, 1);
    if (kin_tiff_info(path, &info, NULL)) {
        f.tile_h = info.dims.y;
        f.tile_w = info.dims.x;
    }
    return f;
}

static void frame_free(struct frame *f)
{
    free(f->found);
    free(f->wanted);
}

// True place less canvas place of what the canvas shows at p: of the tile whose middle is nearest.
static void frame_error(const struct frame *f, const double p[2], double e[2])
{
    double nearest = INFINITY;
    e[0] = e[1] = 0;
    for (int i = 0; i < f->nf; i++) {
        double y = f->whole ? nearbyint(f->found[i].y) : f->found[i].y;
        double x = f->whole ? nearbyint(f->found[i].x) : f->found[i].x;
        double away = fmax(fabs(p[0] - y - f->tile_h / 2.0) / f->tile_h,
                           fabs(p[1] - x - f->tile_w / 2.0) / f->tile_w);
        if (away >= nearest)
            continue;
        for (int k = 0; k < f->nw; k++)
            if (f->wanted[k].row == f->found[i].row && f->wanted[k].col == f->found[i].col) {
                nearest = away;
                e[0] = f->wanted[k].y - y;
                e[1] = f->wanted[k].x - x;
            }
    }
}

// Where the moving canvas shows what the reference canvas shows at (y, x).
static void shown_at(const struct warp_map *wanted, const struct frame *ref,
                     const struct frame *mov, double y, double x, double q[2])
{
    double p[2] = {y, x}, e[2];
    frame_error(ref, p, e);
    map_point(wanted, y + e[0], x + e[1], q);
    frame_error(mov, q, e);
    q[0] -= e[0];
    q[1] -= e[1];
}

struct targets {
    const struct kin_image *focus; // true nuclei of the reference cycle
    double *d;                     // distances; room for most
    int n, most;
};

// Distances every 16 px of tissue are appended.
static void target_errors(struct targets *t, const struct warp_map *found,
                          const struct warp_map *wanted, const struct frame *ref,
                          const struct frame *mov)
{
    const struct kin_image *focus = t->focus;
    float tissue = truth_quantile(focus, 0.5);
    int step = focus->dims.y * (double)focus->dims.x > 4e6 ? 64 : 16;
    for (int y = 24; y < focus->dims.y - 24; y += step)
        for (int x = 24; x < focus->dims.x - 24 && t->n < t->most; x += step) {
            double a[2], b[2];
            if (kin_f32(focus)[(size_t)y * focus->dims.x + x] < tissue)
                continue;
            map_point(found, y, x, a);
            shown_at(wanted, ref, mov, y, x, b);
            t->d[t->n++] = hypot(a[0] - b[0], a[1] - b[1]);
        }
}

static void all_target_errors(const struct comparing *c, const struct transforms *maps,
                              const struct js *root, struct targets *t)
{
    struct frame ref = frame_of(c, maps->reference);
    for (int i = 0; i < maps->count; i++) {
        struct warp_map wanted;
        if (maps->cycle[i] != maps->reference &&
            true_map(c, root, maps->cycle[i], maps->canvas, &wanted)) {
            struct frame mov = frame_of(c, maps->cycle[i]);
            target_errors(t, &maps->result[i].map, &wanted, &ref, &mov);
            frame_free(&mov);
            free(wanted.grid.u);
        }
    }
    frame_free(&ref);
}

// Mean and 95th percentile.
static struct truth_pair summary(struct targets *t)
{
    double sum = 0;
    for (int i = 0; i < t->n; i++)
        sum += t->d[i];
    if (!t->n)
        return (struct truth_pair){NAN, NAN};
    return (struct truth_pair){sum / t->n,
                               kin_rank_f64(t->d, (size_t)t->n, (size_t)(0.95 * (t->n - 1)))};
}

struct truth_pair truth_compare_maps(const struct comparing *c)
{
    enum { MOST = 1 << 20 };
    char path[TRUTH_PATH];
    struct transforms maps;
    struct kin_image focus;
    struct truth_pair result = {NAN, NAN};
    truth_processed(c, path, "registered/transforms.json", 0, 0);
    if (!kin_is_taken(path) || !transforms_read(path, &maps, c->err))
        return result;
    bool sound = transforms_check(&maps, path, c->err);
    truth_path(c, path, "transforms.json", 0, 0);
    struct js *root = js_read(path, NULL);
    struct targets t = {.focus = &focus, .d = malloc(MOST * sizeof(double)), .most = MOST};
    truth_path(c, path, "infocus_c%02d_ch%d.tif", maps.reference, c->exp->nuclear_channel);
    // The truth is told from one cycle; with another reference there is nothing to compare with.
    bool comparable = sound && t.d && root &&
                      maps.reference == js_int(js_get(root, "reference_cycle"), 1);
    if (comparable && truth_load(c, path, &focus)) {
        all_target_errors(c, &maps, root, &t);
        kin_image_free(&focus);
        result = summary(&t);
    }
    free(t.d);
    js_free(root);
    transforms_free(&maps);
    return result;
}
