// SPDX-License-Identifier: MIT
#include "regist/transforms.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"

// The numbers of a result that are kept as they are.
static const struct {
    const char *key;
    size_t offset;
} numbers[] = {
    {"coarse_ncc", offsetof(struct regist_result, coarse_ncc)},
    {"ncc_median", offsetof(struct regist_result, ncc_median)},
    {"agreeing", offsetof(struct regist_result, agreeing)},
    {"residual_median_px", offsetof(struct regist_result, residual_median)},
    {"residual_p95_px", offsetof(struct regist_result, residual_p95)},
    {"residual_max_px", offsetof(struct regist_result, residual_max)},
    {"field_median_px", offsetof(struct regist_result, u_median)},
    {"field_p95_px", offsetof(struct regist_result, u_p95)},
    {"field_max_px", offsetof(struct regist_result, u_max)},
    {"min_det", offsetof(struct regist_result, min_det)},
    {"ecc_correlation", offsetof(struct regist_result, ecc_correlation)},
    {"ecc_chance", offsetof(struct regist_result, ecc_chance)},
    {"ecc_corner", offsetof(struct regist_result, ecc_corner)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static const char *const models[] = {"identity", "translation", "similarity", "affine"};

bool transforms_alloc(struct transforms *t, int count, struct kin_error *err)
{
    *t = (struct transforms){.count = count,
                             .cycle = calloc(count, sizeof(int)),
                             .result = calloc(count, sizeof(struct regist_result))};
    if (t->cycle && t->result)
        return true;
    transforms_free(t);
    return kin_fail(err, KIN_MEMORY, "no memory for the transforms of %d cycles", count);
}

void transforms_free(struct transforms *t)
{
    for (int i = 0; i < t->count && t->result; i++)
        regist_result_free(&t->result[i]);
    free(t->cycle);
    free(t->result);
    *t = (struct transforms){0};
}

struct regist_result *transforms_find(const struct transforms *t, int cycle)
{
    for (int i = 0; i < t->count; i++)
        if (t->cycle[i] == cycle)
            return &t->result[i];
    return NULL;
}

// ---- writing ---------------------------------------------------------------------------------

static struct js *pair(const double v[2])
{
    return js_numbers(v, 2);
}

static struct js *floats(const float *v, int n)
{
    struct js *list = js_array();
    for (int i = 0; i < n; i++)
        js_push_number(list, round(1e4 * (double)v[i]) / 1e4);
    return list;
}

static struct js *field_json(const struct warp_grid *grid)
{
    struct js *field = js_object();
    int n = grid->rows * grid->cols;
    js_set_number(field, "rows", grid->rows);
    js_set_number(field, "cols", grid->cols);
    js_set_number(field, "step", grid->step);
    js_set_number(field, "origin", grid->origin);
    js_set(field, "y", floats(grid->u, n));
    js_set(field, "x", floats(grid->u + n, n));
    return field;
}

static struct js *result_json(int cycle, const struct regist_result *r)
{
    struct js *o = js_object(), *a = js_array();
    js_set_number(o, "cycle", cycle);
    js_set_text(o, "model", r->model);
    js_push(a, pair(r->map.a));
    js_push(a, pair(r->map.a + 2));
    js_set(o, "A", a);
    js_set(o, "t", pair(r->map.t));
    js_set(o, "centre", pair(r->map.c));
    if (r->map.grid.rows)
        js_set(o, "field", field_json(&r->map.grid));
    js_set_bool(o, "rotation_from_spectrum", r->mellin);
    js_set_number(o, "blocks", r->blocks);
    js_set_number(o, "accepted", r->accepted);
    js_set_number(o, "folds", r->folds);
    for (int i = 0; i < NUMBERS; i++)
        js_set_number(o, numbers[i].key, *(const double *)((const char *)r + numbers[i].offset));
    js_set_bool(o, "refused", r->refused);
    if (r->refused)
        js_set_text(o, "why", r->why);
    if (r->note[0])
        js_set_text(o, "note", r->note);
    return o;
}

bool transforms_write(const struct transforms *t, const char *path, struct kin_error *err)
{
    struct js *root = js_object(), *cycles = js_array();
    double canvas[2] = {t->canvas.y, t->canvas.x};
    js_set_text(root, "meaning",
                "pixel p = (y, x) of the reference canvas is read in the cycle's image at "
                "A (p - centre) + centre + t + u(p); u on nodes `step` pixels apart, node (0, 0) "
                "at `origin`");
    js_set_number(root, "reference_cycle", t->reference);
    js_set(root, "canvas", pair(canvas));
    for (int i = 0; i < t->count; i++)
        js_push(cycles, result_json(t->cycle[i], &t->result[i]));
    js_set(root, "cycles", cycles);
    bool fine = js_write(root, path, err);
    js_free(root);
    return fine;
}

// ---- reading ---------------------------------------------------------------------------------

static void read_pair(const struct js *list, double v[2])
{
    v[0] = js_number(js_at(list, 0), NAN);
    v[1] = js_number(js_at(list, 1), NAN);
}

static bool read_field(const struct js *field, struct warp_grid *grid)
{
    int rows, cols, cells = js_cells(field, &rows, &cols);
    const struct js *y = js_get(field, "y"), *x = js_get(field, "x");
    double step = js_number(js_get(field, "step"), 0);
    if (!cells || !(step > 0) || js_count(y) != cells || js_count(x) != cells)
        return false;
    size_t n = (size_t)cells;
    *grid = (struct warp_grid){rows, cols, (float)step,
                               (float)js_number(js_get(field, "origin"), 0),
                               malloc(2 * n * sizeof(float))};
    for (size_t i = 0; grid->u && i < n; i++) {
        grid->u[i] = (float)js_number(js_at(y, (int)i), NAN);
        grid->u[n + i] = (float)js_number(js_at(x, (int)i), NAN);
    }
    return grid->u != NULL;
}

static bool read_result(const struct js *o, struct regist_result *r)
{
    const char *model = js_text(js_get(o, "model"), "");
    *r = (struct regist_result){.model = models[0]};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!strcmp(model, models[i]))
            r->model = models[i];
    read_pair(js_at(js_get(o, "A"), 0), r->map.a);
    read_pair(js_at(js_get(o, "A"), 1), r->map.a + 2);
    read_pair(js_get(o, "t"), r->map.t);
    read_pair(js_get(o, "centre"), r->map.c);
    for (int i = 0; i < NUMBERS; i++)
        *(double *)((char *)r + numbers[i].offset) = js_number(js_get(o, numbers[i].key), NAN);
    r->blocks = js_int(js_get(o, "blocks"), 0);
    r->accepted = js_int(js_get(o, "accepted"), 0);
    r->folds = js_int(js_get(o, "folds"), 0);
    r->mellin = js_bool(js_get(o, "rotation_from_spectrum"), false);
    r->refused = js_bool(js_get(o, "refused"), false);
    snprintf(r->why, sizeof r->why, "%s", js_text(js_get(o, "why"), ""));
    snprintf(r->note, sizeof r->note, "%s", js_text(js_get(o, "note"), ""));
    const struct js *field = js_get(o, "field");
    r->field = field != NULL;
    bool finite = isfinite(r->map.a[0] + r->map.a[1] + r->map.a[2] + r->map.a[3] + r->map.t[0] +
                           r->map.t[1] + r->map.c[0] + r->map.c[1]);
    return finite && (!field || read_field(field, &r->map.grid));
}

bool transforms_read(const char *path, struct transforms *t, struct kin_error *err)
{
    *t = (struct transforms){0};
    struct js *root = js_read(path, err);
    if (!root)
        return false;
    const struct js *cycles = js_get(root, "cycles"), *canvas = js_get(root, "canvas");
    bool fine = js_count(cycles) > 0 ? transforms_alloc(t, js_count(cycles), err)
                                     : kin_fail(err, KIN_INPUT, "%s: no cycles in it", path);
    t->reference = js_int(js_get(root, "reference_cycle"), 0);
    t->canvas = (struct kin_dims){1, js_int(js_at(canvas, 0), 0), js_int(js_at(canvas, 1), 0)};
    for (int i = 0; i < t->count && fine; i++) {
        t->cycle[i] = js_int(js_get(js_at(cycles, i), "cycle"), 0);
        if (!read_result(js_at(cycles, i), &t->result[i]))
            fine = kin_fail(err, KIN_INPUT, "%s: cycle %d: not a complete transform", path,
                            t->cycle[i]);
    }
    js_free(root);
    if (!fine)
        transforms_free(t);
    return fine;
}

// ---- what can be -----------------------------------------------------------------------------

// The least and the largest scale of a matrix (yy, yx, xy, xx); the least is negative where it
// mirrors.
static void scales(const double a[4], double *least, double *most)
{
    double turn = hypot(a[0] + a[3], a[1] - a[2]), rest = hypot(a[0] - a[3], a[1] + a[2]);
    *least = (turn - rest) / 2;
    *most = (turn + rest) / 2;
}

static bool within(const double v[2], double most)
{
    return fabs(v[0]) <= most && fabs(v[1]) <= most;
}

// Few nodes may surround a small canvas.
static bool field_problem(const struct warp_grid *grid, double side, char *text, size_t size)
{
    int folds, n = 2 * grid->rows * grid->cols;
    double most = fmax(side, 256);
    if (!(grid->step >= 1 && grid->step <= most && fabsf(grid->origin) <= most))
        snprintf(text, size, "the nodes of its field begin at %g px and lie %g px apart",
                 (double)grid->origin, (double)grid->step);
    for (int i = 0; i < n && !text[0]; i++)
        if (!(fabsf(grid->u[i]) <= WARP_FIELD_MOST))
            snprintf(text, size, "its field moves by %g px: must be at most %d", (double)grid->u[i],
                     WARP_FIELD_MOST);
    if (!text[0] && n && regist_min_det(grid, &folds) <= 0)
        snprintf(text, size, "its field folds");
    return text[0];
}

bool transforms_map_problem(const struct warp_map *map, struct kin_dims canvas, char *text,
                            size_t size)
{
    const double LEAST = 0.25, MOST = 4;
    double least, most, side = fmax(canvas.y, canvas.x);
    scales(map->a, &least, &most);
    text[0] = 0;
    if (!(least >= LEAST && most <= MOST))
        snprintf(text, size, "\"A\" scales by %g to %g: must be between %g and %g", least, most,
                 LEAST, MOST);
    else if (!within(map->t, 2 * side))
        snprintf(text, size, "\"t\" is (%g, %g) px, on a canvas of %d x %d", map->t[0], map->t[1],
                 canvas.y, canvas.x);
    else if (!within(map->c, 2 * side))
        snprintf(text, size, "\"centre\" is (%g, %g) px, on a canvas of %d x %d", map->c[0],
                 map->c[1], canvas.y, canvas.x);
    return text[0] || (map->grid.rows && field_problem(&map->grid, side, text, size));
}

bool transforms_check(const struct transforms *t, const char *path, struct kin_error *err)
{
    static const char hint[] = "without the file the cycles are measured again";
    char text[200];
    if (t->canvas.y < 1 || t->canvas.x < 1)
        return kin_fail(err, KIN_INPUT, "%s: a canvas of %d x %d pixels (%s)", path, t->canvas.y,
                        t->canvas.x, hint);
    for (int i = 0; i < t->count; i++) {
        if (transforms_find(t, t->cycle[i]) != &t->result[i])
            return kin_fail(err, KIN_INPUT, "%s: cycle %d stands there twice (%s)", path,
                            t->cycle[i], hint);
        if (!t->result[i].refused &&
            transforms_map_problem(&t->result[i].map, t->canvas, text, sizeof text))
            return kin_fail(err, KIN_INPUT, "%s: cycle %d: %s (%s)", path, t->cycle[i], text, hint);
    }
    return true;
}
