// SPDX-License-Identifier: MIT
// regist.c: the chain of regist.h. Two pyramid levels are used: the canvas binned k times (k 4,
// less for a small canvas, more for a very large one), where noise is low and a block reaches far,
// and the pixels themselves, of which the device may hold only some rows at a time.
#include "regist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mellin.h"
#include "rank.h"
#include "regist_band.h"
#include "regist_ecc.h"
#include "regist_repeat.h"

enum { SMALL_PIXELS = 1 << 23, LEAST_ROWS = 512 };
enum { LEAST_CANVAS = 64, ENOUGH_BLOCKS = 25, MANY_BLOCKS = 2500, REACH = 24, FIELD_REACH = 10 };
static const double AFFINE_QUALITY = 8, FIELD_QUALITY = 6, LEAST_AGREEING = 0.25;
// Maps of images that have nothing in common, and whose blocks seemed to agree, were found to
// correlate by less than 4.3 times what chance does, true ones by 3.9 times and more.
static const double BEYOND_CHANCE = 5, SURELY = 0.5;
// Regular cells that lie or shine a few percent differently correlate by 0.96 and less one period
// on, and are found where they are.
static const double AS_WELL = 0.97;
static const double STILL =
    0.05; // pixels of the level: a round that moves a corner less leaves a tenth of that

struct regist {
    struct device *dev;
    struct regist_params params;
    struct kin_source source; // the reference
    struct kin_dims dims;
    int k;                          // binning of the small level
    int room;                       // rows of an image that the device holds at a time
    int few;                        // with fewer it does not work
    size_t memory;                  // bytes that may be used; 0: no limit
    struct probe_image full, small; // the reference
};

// The moving image at both levels and what is known so far.
struct task {
    struct regist *r;
    struct probe_image full, small;
    struct warp_map map; // of the full level, without a field
    struct regist_result *result;
};

struct regist_params regist_defaults(void)
{
    return (struct regist_params){.field = REGIST_FIELD_AUTO,
                                  .field_threshold = 0.15,
                                  .field_limit = 10,
                                  .min_ncc = 0.2,
                                  .max_shift = 0.25,
                                  .mellin_below = 0.3};
}

static int binning(struct kin_dims dims)
{
    int least = dims.y < dims.x ? dims.y : dims.x, k = least >= 1024 ? 4 : least >= 512 ? 2 : 1;
    while (kin_count(dims) / (size_t)k / (size_t)k > SMALL_PIXELS)
        k *= 2;
    return k;
}

static int block_size(struct kin_dims d)
{
    int least = d.y < d.x ? d.y : d.x;
    return least >= 768 ? 128 : least >= 256 ? 96 : least >= 128 ? 64 : least;
}

// ---- what the device holds -------------------------------------------------------------------

// Bytes of all but the windows of full images: both small images, and the larger of what looking at
// them as a whole and what measuring blocks take.
static size_t fixed_bytes(const struct regist *r, struct kin_dims moving)
{
    enum { SMALL = 4, WHOLE = 48 }; // bytes a pixel
    int k = r->k, size = block_size(r->dims);
    size_t small = kin_count(r->dims), other = kin_count(moving);
    small = (small > other ? small : other) / (size_t)k / (size_t)k;
    size_t whole = small * WHOLE + mellin_bytes(),
           blocks = probe_bytes(r->dev, size, size, MANY_BLOCKS);
    return small * SMALL + (whole > blocks ? whole : blocks);
}

// Rows of each of three images (the reference, the moving one, the moving one seen through the map)
// that fit into memory (0: no limit); 0: too few. *least: bytes that would do.
static int rows_within(const struct regist *r, struct kin_dims moving, size_t memory, size_t *least)
{
    int most = moving.y > r->dims.y ? moving.y : r->dims.y, few = most < r->few ? most : r->few;
    size_t row = ((size_t)r->dims.x * 2 + (size_t)moving.x) * sizeof(uint16_t);
    size_t fixed = fixed_bytes(r, moving), left = memory > fixed ? (memory - fixed) / row : 0;
    int rows = !memory || left > (size_t)most ? most : (int)left;
    *least = fixed + row * (size_t)few;
    if (r->params.rows && r->params.rows < rows)
        return r->params.rows;
    return rows >= few ? rows : 0;
}

static bool too_little(const struct regist *r, struct kin_dims moving)
{
    size_t least;
    rows_within(r, moving, r->memory, &least);
    device_fail(r->dev, KIN_MEMORY,
                "%zu MB%s are too little memory to register %s of %d x %d pixels: at least %zu MB",
                r->memory >> 20, r->dev->memory ? " of the card" : "",
                r->few > LEAST_ROWS ? "an image turned so far on a canvas" : "a canvas", r->dims.y,
                r->dims.x, (least >> 20) + 1);
    return false;
}

static bool choose_room(struct regist *r, struct kin_dims moving)
{
    size_t least;
    r->room = rows_within(r, moving, r->memory, &least);
    return r->room || too_little(r, moving);
}

// A row of the canvas leads to many of a turned image's. The map is nearly known; a field may come.
// Where the device holds too few rows this says so before much is computed, and less memory is not
// tried.
static bool check_room(struct task *t)
{
    struct regist *r = t->r;
    const struct row_window *moving = &t->full.window;
    double limit = r->params.field == REGIST_FIELD_OFF ? 0 : r->params.field_limit;
    struct warp_view view = {t->map, warp_reach(limit)};
    int rows = warp_view_most_rows(&view, r->dims, 1, moving->rows.dims.y);
    if (device_stopped(r->dev) || rows <= moving->room)
        return !device_stopped(r->dev);
    r->few = rows;
    return too_little(r, moving->rows.dims);
}

static bool refused_plane(const struct kin_source *source, struct kin_error *err)
{
    if (source->type == KIN_U16 && source->dims.z == 1)
        return false;
    kin_fail(err, KIN_INPUT, "registration needs a plane of uint16 pixels");
    return true;
}

struct regist *regist_open(struct device *dev, const struct kin_source *reference,
                           const struct regist_params *params, struct kin_error *err)
{
    struct kin_dims d = reference->dims;
    if (refused_plane(reference, err))
        return NULL;
    if (d.y < LEAST_CANVAS || d.x < LEAST_CANVAS) {
        kin_fail(err, KIN_INPUT, "registration needs at least %d x %d pixels, not %d x %d",
                 LEAST_CANVAS, LEAST_CANVAS, d.y, d.x);
        return NULL;
    }
    struct regist *r = calloc(1, sizeof *r);
    if (!r) {
        kin_fail(err, KIN_MEMORY, "no memory for registration");
        return NULL;
    }
    *r = (struct regist){
        .dev = dev, .params = *params, .source = *reference, .dims = d, .k = binning(d)};
    r->few = LEAST_ROWS;
    r->memory = dev->memory ? dev->memory : params->memory;
    return r;
}

void regist_close(struct regist *r)
{
    if (!r)
        return;
    probe_image_free(r->dev, &r->full);
    probe_image_free(r->dev, &r->small);
    free(r);
}

void regist_result_free(struct regist_result *result)
{
    free(result->map.grid.u);
    free(result->points);
    *result = (struct regist_result){0};
}

struct regist_result regist_identity(struct kin_dims dims)
{
    return (struct regist_result){.map = warp_identity((dims.y - 1) / 2.0, (dims.x - 1) / 2.0),
                                  .model = "identity",
                                  .coarse_ncc = 1,
                                  .ncc_median = 1,
                                  .agreeing = 1,
                                  .ecc_correlation = 1,
                                  .ecc_chance = NAN,
                                  .ecc_elsewhere = NAN,
                                  .min_det = 1};
}

// ---- coarse ----------------------------------------------------------------------------------

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

// Moves map by the whole-image translation and returns the NCC it then has. The first look finds
// the peak, the second measures at it (and refines it).
static double coarse_shift(struct task *t, struct probe *probe, struct warp_map *map)
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

static void coarse(struct task *t)
{
    struct regist *r = t->r;
    struct kin_dims d = r->small.window.rows.dims;
    struct probe *probe = probe_new(r->dev, kin_good_size(d.y, true), kin_good_size(d.x, true),
                                    d.y / 3, d.x / 3, 1);
    if (!probe)
        return;
    struct warp_map start = t->map;
    t->result->coarse_ncc = coarse_shift(t, probe, &t->map);
    if (t->result->coarse_ncc < r->params.mellin_below) {
        double angle, scale;
        if (mellin_measure(r->dev, &r->small, &t->small, &angle, &scale)) {
            struct warp_map map = turned(&start, angle, scale);
            double ncc = coarse_shift(t, probe, &map);
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

// A lattice of at most about MANY_BLOCKS blocks.
static struct probe_lattice sparse_lattice(struct kin_dims d, int size)
{
    int step = size >= 128 ? size / 2 : size / 3;
    struct probe_lattice lattice = probe_lattice_over(d, size, step);
    while ((int64_t)lattice.rows * lattice.cols > MANY_BLOCKS)
        lattice = probe_lattice_over(d, size, step += size / 4);
    return lattice;
}

// How many independent blocks one block of an overlapping lattice stands for.
static double independent(const struct probe_lattice *lattice)
{
    double share = 2.0 * lattice->step / lattice->size;
    return share < 1 ? share * share : 1;
}

// Measures the points of a lattice. Where its blocks overlap much the moving image is seen through
// the map once, not once in every block.
static void measure_lattice(struct device *dev, struct probe *probe, struct probe_image *ref,
                            struct probe_image *mov, const struct warp_map *map,
                            const struct probe_lattice *lattice, struct probe_point *points)
{
    int n = lattice->rows * lattice->cols;
    bool apart = 2 * lattice->step > lattice->size + lattice->size / 2;
    struct probe_image seen = {.low = mov->low, .high = mov->high};
    struct warp_view view;
    if (warp_view_open(dev, &view, map)) {
        if (apart)
            probe_run(probe, ref, mov, &view, points, n);
        else if (row_window_through(dev, &seen.window, &mov->window, &view, ref->window.rows.dims,
                                    ref->window.room))
            probe_run(probe, ref, &seen, NULL, points, n);
    }
    probe_image_free(dev, &seen);
    warp_view_close(dev, &view);
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
    measure_lattice(r->dev, probe, ref, mov, &map, lattice, points);
    struct probe_fit fit = probe_fit_affine(points, n, map.c, AFFINE_QUALITY, independent(lattice));
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
static void affine_level(struct task *t, int k, int rounds)
{
    struct kin_dims d = (k > 1 ? &t->r->small : &t->r->full)->window.rows.dims;
    int size = block_size(d);
    struct probe_lattice lattice = sparse_lattice(d, size), few = probe_lattice_over(d, size, size);
    if (lattice.step < size && few.rows * few.cols >= ENOUGH_BLOCKS) {
        affine_rounds(t, &few, k, 1);
        rounds--;
    }
    affine_rounds(t, &lattice, k, rounds);
}

// ---- field -----------------------------------------------------------------------------------

double regist_min_det(const struct warp_grid *grid, int *folds)
{
    size_t n = (size_t)grid->rows * grid->cols;
    const float *uy = grid->u, *ux = grid->u + n;
    double least = 1;
    *folds = 0;
    for (int y = 0; y + 1 < grid->rows; y++)
        for (int x = 0; x + 1 < grid->cols; x++) {
            size_t i = (size_t)y * grid->cols + x, right = i + 1, down = i + grid->cols;
            double yy = 1 + (uy[down] - uy[i]) / grid->step, yx = (uy[right] - uy[i]) / grid->step;
            double xy = (ux[down] - ux[i]) / grid->step, xx = 1 + (ux[right] - ux[i]) / grid->step;
            double det = yy * xx - yx * xy;
            least = fmin(least, det);
            *folds += det <= 0.3;
        }
    return least;
}

// u (host, on the new lattice) += A d, where the old field is read at the new nodes; clipped.
static void add_to_field(struct warp_grid *to, const struct warp_grid *old, const float *d,
                         const double *a, double limit)
{
    size_t n = (size_t)to->rows * to->cols;
    for (size_t i = 0; i < n; i++) {
        double u[2] = {0}, y = to->origin + (double)(i / to->cols) * to->step;
        double x = to->origin + (double)(i % to->cols) * to->step;
        warp_grid_at(old, y, x, u);
        double uy = u[0] + a[0] * d[i] + a[1] * d[n + i], ux = u[1] + a[2] * d[i] + a[3] * d[n + i];
        double size = hypot(uy, ux), keep = size > limit ? limit / size : 1;
        to->u[i] = (float)(uy * keep);
        to->u[n + i] = (float)(ux * keep);
    }
}

// Root mean square of the smoothed displacement where blocks are trusted: what a field would move.
static double left_to_move(const struct probe_point *points, const float *d, size_t n)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (points[i].quality >= AFFINE_QUALITY && points[i].fill >= 0.7f) {
            sum += (double)d[i] * d[i] + (double)d[n + i] * d[n + i];
            count++;
        }
    return count > 0 ? sqrt(sum / count) : 0;
}

// Measures on a lattice with the map and field as they stand. NULL: see the device.
static struct probe_point *measure(struct task *t, const struct probe_lattice *lattice, int reach,
                                   const struct warp_grid *field)
{
    struct device *dev = t->r->dev;
    struct probe *probe = probe_new(dev, lattice->size, lattice->size, reach, reach,
                                    lattice->rows * lattice->cols);
    struct probe_point *points = probe_lattice_points(lattice);
    if (probe && points) {
        struct warp_map map = t->map;
        map.grid = *field;
        measure_lattice(dev, probe, &t->r->full, &t->full, &map, lattice, points);
    }
    probe_free(probe);
    if (!points)
        device_fail(dev, KIN_MEMORY, "no memory for the blocks of a field");
    if (!device_stopped(dev))
        return points;
    free(points);
    return NULL;
}

// One pass: measure, smooth, add. False: no field is to be used (or the device failed).
static bool field_pass(struct task *t, int size, int step, double sigma, struct warp_grid *field)
{
    struct probe_lattice lattice = probe_lattice_over(t->r->dims, size, step);
    size_t n = (size_t)lattice.rows * lattice.cols;
    struct probe_point *points = measure(t, &lattice, FIELD_REACH, field);
    struct warp_grid next = {lattice.rows, lattice.cols, (float)step, lattice.origin,
                             malloc(2 * n * sizeof(float))};
    float *d = malloc(2 * n * sizeof *d);
    bool use = points && d && next.u && probe_smooth(&lattice, points, FIELD_QUALITY, sigma, d);
    bool first = field->rows == 0;
    if (use && first && t->r->params.field == REGIST_FIELD_AUTO)
        use = left_to_move(points, d, n) > t->r->params.field_threshold;
    if (use) {
        add_to_field(&next, field, d, t->map.a, t->r->params.field_limit);
        free(field->u);
        *field = next;
    } else {
        free(next.u);
    }
    free(d);
    free(points);
    return use;
}

static void field_statistics(struct regist_result *result, const struct warp_grid *field);

static void find_field(struct task *t)
{
    struct regist_result *result = t->result;
    int size = block_size(t->r->dims);
    struct warp_grid field = {0};
    result->min_det = 1;
    if (t->r->params.field == REGIST_FIELD_OFF || size < 64)
        return;
    if (field_pass(t, size, size / 2, 1.3, &field))
        field_pass(t, size >= 96 ? 96 : 64, 32, 1.6, &field);
    if (field.rows) {
        int folds;
        double least = regist_min_det(&field, &folds);
        if (folds) {
            snprintf(
                result->note, sizeof result->note,
                "the displacement field folds at %d of %d nodes (least det %.2f) and was dropped",
                folds, field.rows * field.cols, least);
            free(field.u);
            return;
        }
        result->min_det = least;
        result->field = true;
        result->map.grid = field;
        field_statistics(result, &field);
    }
}

// ---- what it is worth ------------------------------------------------------------------------

static double quantile(double *v, int n, double q)
{
    return n < 1 ? NAN : kin_rank_f64(v, (size_t)n, (size_t)lround(q * (n - 1)));
}

static void field_statistics(struct regist_result *result, const struct warp_grid *field)
{
    int n = field->rows * field->cols;
    double *size = malloc(n * sizeof *size);
    for (int i = 0; size && i < n; i++)
        size[i] = hypot(field->u[i], field->u[n + i]);
    if (size) {
        result->u_median = quantile(size, n, 0.5);
        result->u_p95 = quantile(size, n, 0.95);
        result->u_max = quantile(size, n, 1);
    }
    free(size);
}

// The power from which on a block is taken to hold tissue: that of the 40 % with most structure, or
// of fewer, where these stand out from the emptiest ones: a small piece on a large canvas.
static double tissue_power(double *power, int n)
{
    double floor = quantile(power, n, 0.6), clear = 4 * quantile(power, n, 0.2);
    int above = 0;
    for (int i = 0; i < n; i++)
        above += power[i] >= clear;
    return clear > floor && above >= 4 && 20 * above >= n ? clear : floor;
}

// The NCC of the blocks with tissue, and what is left to move.
static void judge_points(struct regist_result *result)
{
    int n = result->points_n, tissue = 0, trusted = 0, agreeing = 0;
    double *power = malloc(3 * (size_t)n * sizeof *power), *ncc = power + n, *left = power + 2 * n;
    if (!power)
        return;
    for (int i = 0; i < n; i++)
        power[i] = result->points[i].power;
    double floor = tissue_power(power, n);
    for (int i = 0; i < n; i++) {
        const struct probe_point *p = &result->points[i];
        if (p->fill >= 0.7f && p->power >= floor) {
            ncc[tissue++] = p->ncc;
            agreeing += p->quality >= FIELD_QUALITY && hypotf(p->dy, p->dx) < 2;
        }
        if (p->fill >= 0.7f && p->quality >= AFFINE_QUALITY)
            left[trusted++] = hypot(p->dy, p->dx);
    }
    result->ncc_median = tissue ? quantile(ncc, tissue, 0.5) : 0;
    result->agreeing = tissue ? (double)agreeing / tissue : 0;
    result->residual_median = quantile(left, trusted, 0.5);
    result->residual_p95 = quantile(left, trusted, 0.95);
    result->residual_max = quantile(left, trusted, 1);
    free(power);
}

// Blocks that a field may have moved to where they fit agree by accident now and then, and with few
// blocks that is enough. The images as a whole do not.
static bool is_chance(const struct regist_result *result)
{
    return result->ecc_correlation < SURELY &&
           result->ecc_correlation < BEYOND_CHANCE * result->ecc_chance;
}

static bool is_too_far(const struct regist *r, const double t[2])
{
    return fabs(t[0]) > r->params.max_shift * r->dims.y ||
           fabs(t[1]) > r->params.max_shift * r->dims.x;
}

static bool fits_elsewhere(const struct regist_result *result)
{
    return result->ecc_elsewhere >= AS_WELL * result->ecc_correlation;
}

static void refuse_or_accept(const struct regist *r, struct regist_result *result)
{
    const double *t = result->map.t;
    if (!(result->ncc_median >= r->params.min_ncc)) {
        result->refused = true;
        snprintf(result->why, sizeof result->why,
                 "median block correlation %.2f with the reference is below %.2f",
                 result->ncc_median, r->params.min_ncc);
    } else if (result->agreeing < LEAST_AGREEING) {
        result->refused = true;
        snprintf(result->why, sizeof result->why,
                 "only %.0f %% of the blocks with tissue agree with the map found (%.0f %% needed)",
                 100 * result->agreeing, 100 * LEAST_AGREEING);
    } else if (is_chance(result)) {
        result->refused = true;
        snprintf(result->why, sizeof result->why,
                 "with the map found the whole images correlate by %.2f, displaced ones by %.2f: "
                 "that is chance",
                 result->ecc_correlation, result->ecc_chance);
    } else if (fits_elsewhere(result)) {
        result->refused = true;
        snprintf(result->why, sizeof result->why,
                 "the image repeats itself: a further shift of (%d, %d) px would fit as well "
                 "(correlation %.2f, with the map found %.2f); a lower --max-shift may exclude one",
                 result->elsewhere[0], result->elsewhere[1], result->ecc_elsewhere,
                 result->ecc_correlation);
    } else if (is_too_far(r, t)) {
        result->refused = true;
        snprintf(result->why, sizeof result->why,
                 "found shift (%.0f, %.0f) px is more than %.3g %% of the canvas", t[0], t[1],
                 100 * r->params.max_shift);
    }
}

static void judge(struct task *t)
{
    struct regist_result *result = t->result;
    struct kin_dims d = t->r->dims;
    int size = block_size(d), step = size;
    struct probe_lattice lattice = probe_lattice_over(d, size, step);
    while ((int64_t)lattice.rows * lattice.cols > MANY_BLOCKS)
        lattice = probe_lattice_over(d, size, step += size / 2);
    result->points = measure(t, &lattice, FIELD_REACH, &result->map.grid);
    if (!result->points)
        return;
    result->points_n = lattice.rows * lattice.cols;
    judge_points(result);
}

// What the map shows of the moving image, binned: small (h, w), device memory.
static void bin_seen(struct task *t, uint16_t *small)
{
    struct device *dev = t->r->dev;
    struct kin_dims d = t->r->dims;
    int k = t->r->k, small_w = t->r->small.window.rows.dims.x, n;
    struct row_window seen = {0};
    struct warp_view view;
    bool good = warp_view_open(dev, &view, &t->result->map) &&
                row_window_through(dev, &seen, &t->full.window, &view, d, t->r->room);
    for (int y = 0; good && y < d.y; y += n) {
        n = seen.room < d.y - y ? seen.room / k * k : d.y - y;
        good = row_window_need(dev, &seen, (struct row_span){y, y + n});
        if (good)
            dev->bin_u16(dev, small + (size_t)(y / k) * (size_t)small_w,
                         seen.rows.pixels + (size_t)(y - seen.rows.first) * (size_t)d.x,
                         (struct kin_dims){1, n, d.x}, k);
    }
    row_window_close(dev, &seen);
    warp_view_close(dev, &view);
}

// The bands (regist_band.h) of the reference and of what the map shows of the moving image, binned;
// host memory (2, h, w), the caller's. NULL: see the device.
static float *shown_small(struct task *t)
{
    struct device *dev = t->r->dev;
    const struct image_rows *reference = &t->r->small.window.rows;
    struct kin_dims d = reference->dims;
    size_t n = kin_count(d);
    bool binned = t->r->k > 1;
    uint16_t *small = dev->alloc(dev, n * sizeof *small);
    float *host = malloc(2 * n * sizeof *host);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for %zu pixels", 2 * n);
    if (!device_stopped(dev))
        bin_seen(t, small);
    if (!device_stopped(dev) && regist_band(dev, reference->pixels, d, binned, host))
        regist_band(dev, small, d, binned, host + n);
    if (small)
        dev->release(dev, small);
    if (!device_stopped(dev))
        return host;
    free(host);
    return NULL;
}

// Another place counts only where the map that leads there would not be refused: as far as
// max_shift allows.
static struct regist_reach reach_of(const struct regist *r, const struct warp_map *map)
{
    struct regist_reach reach = {
        .most = {r->params.max_shift * r->dims.y / r->k, r->params.max_shift * r->dims.x / r->k},
        .t = {map->t[0] / r->k, map->t[1] / r->k}};
    memcpy(reach.a, map->a, sizeof reach.a);
    return reach;
}

// What another method makes of the map.
static void check(struct task *t)
{
    struct kin_dims d = t->r->small.window.rows.dims;
    struct regist_ecc ecc;
    struct regist_reach reach = reach_of(t->r, &t->result->map);
    int threads = t->r->dev->threads, dy, dx;
    float *images = shown_small(t);
    if (images && regist_ecc_step(images, images + kin_count(d), d.y, d.x, threads, &ecc)) {
        t->result->ecc_correlation = ecc.correlation;
        t->result->ecc_corner = ecc.corner * t->r->k;
        t->result->ecc_chance = regist_ecc_chance(images, images + kin_count(d), d.y, d.x, threads);
    }
    if (images &&
        regist_repeat(t->r->dev, images, images + kin_count(d), d.y, d.x, &reach, &dy, &dx)) {
        t->result->ecc_elsewhere = regist_ecc_beside(images, images + kin_count(d), d.y, d.x, dy,
                                                     dx);
        t->result->elsewhere[0] = -dy * t->r->k;
        t->result->elsewhere[1] = -dx * t->r->k;
    }
    free(images);
}

// Both images as far as the device has room for them; the reference stays there for the next one if
// it can.
static bool load_images(struct task *t, const struct kin_source *moving)
{
    struct regist *r = t->r;
    int before = r->room;
    if (!choose_room(r, moving->dims))
        return false;
    if (r->room != before) {
        probe_image_free(r->dev, &r->full);
        probe_image_free(r->dev, &r->small);
        if (!probe_image_load(r->dev, &r->full, &r->small, r->k, &r->source, r->room))
            return false;
    }
    return probe_image_load(r->dev, &t->full, &t->small, r->k, moving, r->room);
}

// From the task's map on. False: there is no room for its rows, or see the device.
static bool measure_map(struct task *t)
{
    struct regist *r = t->r;
    if (r->k > 1)
        affine_level(t, r->k, 4);
    if (!check_room(t))
        return false;
    affine_level(t, 1, r->k > 1 ? 3 : 4);
    t->result->map = t->map;
    find_field(t);
    judge(t);
    check(t);
    return !device_stopped(r->dev);
}

// Of the places of an image that repeats itself, the one found may lie farther than cycles move:
// then the task goes on from the best one that does not.
static bool is_elsewhere(struct task *t)
{
    struct regist_result *result = t->result, found = *result;
    if (!is_too_far(t->r, found.map.t) || !fits_elsewhere(&found))
        return false;
    regist_result_free(result);
    *result = regist_identity(t->r->dims);
    result->coarse_ncc = found.coarse_ncc;
    result->mellin = found.mellin;
    t->map = found.map;
    t->map.grid = (struct warp_grid){0};
    for (int i = 0; i < 2; i++)
        t->map.t[i] += found.map.a[2 * i] * found.elsewhere[0] +
                       found.map.a[2 * i + 1] * found.elsewhere[1];
    return true;
}

static bool align_once(struct regist *r, const struct kin_source *moving,
                       struct regist_result *result, struct kin_error *err)
{
    struct device *dev = r->dev;
    *result = regist_identity(r->dims);
    struct task t = {.r = r, .map = result->map, .result = result};
    if (load_images(&t, moving)) {
        coarse(&t);
        if (measure_map(&t) && is_elsewhere(&t))
            measure_map(&t);
        refuse_or_accept(r, result);
    }
    probe_image_free(dev, &t.full);
    probe_image_free(dev, &t.small);
    if (device_ok(dev, err))
        return true;
    regist_result_free(result);
    return false;
}

bool regist_align(struct regist *r, const struct kin_source *moving, struct regist_result *result,
                  struct kin_error *err)
{
    if (refused_plane(moving, err))
        return false;
    for (;;) {
        struct kin_error why = {0};
        size_t half = r->memory / 2, least;
        if (align_once(r, moving, result, &why))
            return true;
        if (!half || !rows_within(r, moving->dims, half, &least) || !device_forgive(r->dev))
            return kin_fail(err, why.code, "%s", why.text);
        r->memory = half; // others have taken some of the card's
        r->room = 0;      // all is loaded anew
    }
}
