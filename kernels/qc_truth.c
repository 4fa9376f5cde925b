// SPDX-License-Identifier: MIT
// Each stage is one function that returns its numbers averaged over what there is to compare.
// Thresholds are those of the kernels' gates, for a whole chain on a stitched mosaic: errors of the
// stages before are in them.
#include "qc_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "qc.h"
#include "qc_gather.h"
#include "rank.h"
#include "transforms.h"

enum { PATH = 4300 };

struct comparing {
    const char *project;
    const struct experiment *exp;
    struct kin_error *err;
};

// What a stage's comparison yields; NaN: nothing to compare.
struct pair {
    double first, second;
};

static void processed(const struct comparing *c, char *path, const char *format, int cycle,
                      int channel)
{
    char name[300];
    snprintf(name, sizeof name, format, cycle, channel);
    snprintf(path, PATH, "%s/data/processed/%s", c->project, name);
}

static void truth(const struct comparing *c, char *path, const char *format, int cycle, int channel)
{
    char name[300];
    snprintf(name, sizeof name, format, cycle, channel);
    snprintf(path, PATH, "%s/truth/%s", c->project, name);
}

// An image as float32. False: it is not there, or it cannot be read, which is an error.
static bool load(const struct comparing *c, const char *path, struct kin_image *image)
{
    struct kin_image any;
    if (access(path, F_OK) || !kin_tiff_read(path, &any, c->err))
        return false;
    bool fine = kin_to_f32(&any, image, c->err);
    kin_image_free(&any);
    return fine;
}

static double mean_of(double sum, int n)
{
    return n ? sum / n : NAN;
}

// ---- illumination ----------------------------------------------------------------------------

// Mean relative difference of two fields, each scaled to mean 1.
static double relative_error(const struct kin_image *a, const struct kin_image *b)
{
    size_t n = kin_count(a->dims);
    double ma = 0, mb = 0, sum = 0;
    if (n != kin_count(b->dims))
        return NAN;
    for (size_t i = 0; i < n; i++) {
        ma += kin_f32(a)[i] / (double)n;
        mb += kin_f32(b)[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        sum += fabs(kin_f32(a)[i] / ma / (kin_f32(b)[i] / mb) - 1) / (double)n;
    return sum;
}

static struct pair compare_flat(const struct comparing *c)
{
    char path[PATH];
    struct kin_image found, wanted;
    double sum = 0, worst = 0;
    int n = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++)
        for (int k = 1; k <= c->exp->channels; k++) {
            processed(c, path, "stitched/cyc%02d/CH%d/flat.tif", cycle, k);
            if (!load(c, path, &found))
                continue;
            truth(c, path, "flat_ch%2$d.tif", cycle, k);
            if (load(c, path, &wanted)) {
                double e = relative_error(&found, &wanted);
                kin_image_free(&wanted);
                sum += e;
                worst = fmax(worst, e);
                n++;
            }
            kin_image_free(&found);
        }
    return (struct pair){mean_of(sum, n), n ? worst : NAN};
}

// ---- tile positions --------------------------------------------------------------------------

struct place {
    int row, col;
    double y, x;
    bool held; // by a measured overlap at least; else it stands where the stage may have been
};

// Column of a name in a CSV header; -1: not there.
static int column_of(const char *header, const char *name)
{
    char line[1000], *save = NULL;
    int i = 0;
    snprintf(line, sizeof line, "%s", header);
    for (char *t = strtok_r(line, ",\r\n", &save); t; t = strtok_r(NULL, ",\r\n", &save), i++)
        if (!strcmp(t, name))
            return i;
    return -1;
}

static double cell(const char *line, int column)
{
    for (; column > 0 && line; column--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    return line ? strtod(line, NULL) : NAN;
}

// The row, col, y, x columns of a CSV, in any order; the caller's. *n 0: none.
static struct place *read_places(const char *path, int most, int *n)
{
    char line[1000];
    FILE *file = fopen(path, "r");
    struct place *places = calloc(most, sizeof *places);
    *n = 0;
    if (file && places && fgets(line, sizeof line, file)) {
        int row = column_of(line, "row"), col = column_of(line, "col"), y = column_of(line, "y"),
            x = column_of(line, "x");
        y = y < 0 ? column_of(line, "y_pos") : y;
        x = x < 0 ? column_of(line, "x_pos") : x;
        int held = column_of(line, "overlaps");
        while (row >= 0 && col >= 0 && y >= 0 && x >= 0 && *n < most &&
               fgets(line, sizeof line, file))
            places[(*n)++] = (struct place){(int)cell(line, row), (int)cell(line, col),
                                            cell(line, y), cell(line, x),
                                            held < 0 || cell(line, held) > 0};
    }
    if (file)
        fclose(file);
    bool any = false;
    for (int k = 0; k < *n; k++)
        any = any || places[k].held;
    for (int k = 0; !any && k < *n; k++)
        places[k].held = true; // positions were given
    return places;
}

// Root mean square and largest distance after the mean offset is taken away, of the tiles that are
// held: where nothing is to be seen in any overlap, there is nothing to be right about either.
static struct pair place_errors(const struct place *a, int na, const struct place *b, int nb)
{
    double my = 0, mx = 0, sum = 0, worst = 0;
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < na; i++)
            for (int k = 0; k < nb; k++) {
                if (a[i].row != b[k].row || a[i].col != b[k].col || !a[i].held)
                    continue;
                double dy = a[i].y - b[k].y, dx = a[i].x - b[k].x;
                if (pass == 0) {
                    my += dy;
                    mx += dx;
                    n++;
                } else {
                    double d = hypot(dy - my / n, dx - mx / n);
                    sum += d * d;
                    worst = fmax(worst, d);
                }
            }
    }
    return n ? (struct pair){sqrt(sum / n), worst} : (struct pair){NAN, NAN};
}

// Places of a cycle's tiles as stitched and as they truly are, by tile; the caller frees both.
static void cycle_places(const struct comparing *c, int cycle, struct place **found, int *nf,
                         struct place **wanted, int *nw)
{
    char path[PATH];
    int most = c->exp->rows * c->exp->cols;
    processed(c, path, "stitched/cyc%02d/CH1/positions.csv", cycle, 0);
    *found = read_places(path, most, nf);
    truth(c, path, "positions_c%02d.csv", cycle, 0);
    *wanted = read_places(path, most, nw);
}

// Error of the positions, rms and worst; free_share: tiles that no overlap holds.
static struct pair compare_positions(const struct comparing *c, double *free_share)
{
    int n = 0, tiles = 0, held = 0;
    double sum = 0, worst = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        struct place *found, *wanted;
        int na, nb;
        cycle_places(c, cycle, &found, &na, &wanted, &nb);
        struct pair e = place_errors(found, na, wanted, nb);
        for (int k = 0; k < na; k++)
            held += found[k].held;
        tiles += na;
        if (!isnan(e.first)) {
            sum += e.first * e.first;
            worst = fmax(worst, e.second);
            n++;
        }
        free(found);
        free(wanted);
    }
    *free_share = tiles ? 1 - (double)held / tiles : NAN;
    return n ? (struct pair){sqrt(sum / n), worst} : (struct pair){NAN, NAN};
}

// ---- images ----------------------------------------------------------------------------------

// The common part of two images, packed; both lose what the other does not have.
static void trim(struct kin_image *a, struct kin_image *b)
{
    struct kin_dims d = {1, a->dims.y < b->dims.y ? a->dims.y : b->dims.y,
                         a->dims.x < b->dims.x ? a->dims.x : b->dims.x};
    struct kin_image *both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        float *p = kin_f32(both[k]);
        for (int y = 0; y < d.y; y++)
            memmove(p + (size_t)y * d.x, p + (size_t)y * both[k]->dims.x, (size_t)d.x * sizeof *p);
        both[k]->dims = d;
    }
}

static float quantile(const struct kin_image *image, double q)
{
    size_t n = kin_count(image->dims), step = n / 200000 + 1, m = 0;
    float *v = malloc((n / step + 1) * sizeof *v), result = NAN;
    for (size_t i = 0; v && i < n; i += step)
        v[m++] = kin_f32(image)[i];
    if (m)
        result = kin_rank_f32(v, m, (size_t)(q * (double)(m - 1)));
    free(v);
    return result;
}

// Both images of a comparison, trimmed to each other. False: one is missing.
static bool load_pair(const struct comparing *c, const char *found, const char *wanted,
                      struct kin_image *a, struct kin_image *b)
{
    if (!load(c, found, a))
        return false;
    if (!load(c, wanted, b)) {
        kin_image_free(a);
        return false;
    }
    trim(a, b);
    return true;
}

// Correlation where the found image has pixels.
static double image_ncc(const struct kin_image *found, const struct kin_image *wanted)
{
    size_t n = kin_count(found->dims);
    uint8_t *mask = malloc(n);
    for (size_t i = 0; mask && i < n; i++)
        mask[i] = kin_f32(found)[i] > 0;
    double ncc = qc_ncc(kin_f32(found), kin_f32(wanted), mask, n);
    free(mask);
    return ncc;
}

static double files_ncc(const struct comparing *c, const char *found, const char *wanted)
{
    struct kin_image a, b;
    if (!load_pair(c, found, wanted, &a, &b))
        return NAN;
    double ncc = image_ncc(&a, &b);
    kin_image_free(&a);
    kin_image_free(&b);
    return ncc;
}

// ---- deconvolution ---------------------------------------------------------------------------

// The stack of a stage read at the true surface, between the two nearest planes. False: a plane is
// missing.
static bool at_surface(const struct comparing *c, enum qc_stage stage, int cycle, int channel,
                       const struct kin_image *surface, struct kin_image *out)
{
    char path[PATH];
    if (!kin_image_alloc(out, surface->dims, KIN_F32, c->err))
        return false;
    for (int z = 1; z <= c->exp->planes; z++) {
        struct kin_image plane;
        qc_image_path(c->project, c->exp, stage, cycle, channel, z, path, sizeof path);
        if (!load(c, path, &plane)) {
            kin_image_free(out);
            return false;
        }
        int h = out->dims.y < plane.dims.y ? out->dims.y : plane.dims.y,
            w = out->dims.x < plane.dims.x ? out->dims.x : plane.dims.x;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                size_t i = (size_t)y * out->dims.x + x;
                float near = 1 - fabsf(kin_f32(surface)[i] - (float)z);
                if (near > 0)
                    kin_f32(out)[i] += near * kin_f32(&plane)[(size_t)y * plane.dims.x + x];
            }
        kin_image_free(&plane);
    }
    return true;
}

// Mean of the brightest tenth of the true pixels over that of the darkest three tenths (stitching
// has taken the camera's offset away).
static double contrast(const struct kin_image *image, const struct kin_image *wanted)
{
    float low = quantile(wanted, 0.3), high = quantile(wanted, 0.9);
    double light = 0, dark = 0, n = 0, m = 0;
    for (size_t i = 0; i < kin_count(image->dims); i++) {
        float v = kin_f32(image)[i], t = kin_f32(wanted)[i];
        if (v <= 0)
            continue;
        light += t >= high ? v : 0;
        n += t >= high;
        dark += t <= low ? v : 0;
        m += t <= low;
    }
    return n > 0 && m > 0 && dark > 0 ? light / n / (dark / m) : NAN;
}

static double stage_contrast(const struct comparing *c, enum qc_stage stage, int cycle,
                             const struct kin_image *surface, const struct kin_image *focus)
{
    struct kin_image image;
    if (!at_surface(c, stage, cycle, c->exp->nuclear_channel, surface, &image))
        return NAN;
    double value = contrast(&image, focus);
    kin_image_free(&image);
    return value;
}

// How much contrast of the nuclear stain deconvolution adds at the true surface.
static double contrast_gain(const struct comparing *c, int cycle)
{
    char zmap[PATH], focus_path[PATH];
    struct kin_image surface, focus;
    truth(c, zmap, "zmap_c%02d.tif", cycle, 0);
    truth(c, focus_path, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
    if (!load_pair(c, zmap, focus_path, &surface, &focus))
        return NAN;
    double after = stage_contrast(c, QC_DECON, cycle, &surface, &focus);
    double before = isnan(after) ? NAN : stage_contrast(c, QC_STITCH, cycle, &surface, &focus);
    kin_image_free(&surface);
    kin_image_free(&focus);
    return after / before;
}

static double worst_flux(const struct comparing *c, int cycle)
{
    char path[PATH];
    double worst = NAN;
    processed(c, path, "qc/decon_cyc%02d.json", cycle, 0);
    struct js *root = js_read(path, NULL);
    const struct js *channels = js_get(root, "channels");
    for (int i = 0; i < js_count(channels); i++) {
        double e = fabs(js_number(js_get(js_at(channels, i), "flux_ratio"), NAN) - 1);
        worst = isnan(worst) || e > worst ? e : worst;
    }
    js_free(root);
    return worst;
}

static struct pair compare_decon(const struct comparing *c)
{
    double gain = 0, worst = NAN;
    int n = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        double g = contrast_gain(c, cycle), flux = worst_flux(c, cycle);
        if (!isnan(g)) {
            gain += g;
            n++;
        }
        worst = isnan(worst) || flux > worst ? flux : worst;
    }
    return (struct pair){mean_of(gain, n), worst};
}

// ---- extended depth of field -----------------------------------------------------------------

// Mean distance in planes where the nuclear stain has something to focus on.
static double surface_error(const struct comparing *c, int cycle)
{
    char found[PATH], wanted[PATH], name[100];
    struct kin_image a, b, focus;
    double sum = 0, n = 0;
    experiment_file_name(c->exp, cycle, c->exp->nuclear_channel, name, sizeof name);
    snprintf(found, sizeof found, "%s/data/processed/edf/cyc%02d/zmap_%s.tif", c->project, cycle,
             name);
    truth(c, wanted, "zmap_c%02d.tif", cycle, 0);
    if (!load_pair(c, found, wanted, &a, &b))
        return NAN;
    truth(c, wanted, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
    bool fine = load(c, wanted, &focus);
    float tissue = fine ? quantile(&focus, 0.5) : 0;
    for (int y = 0; fine && y < a.dims.y && y < focus.dims.y; y++)
        for (int x = 0; x < a.dims.x && x < focus.dims.x; x++) {
            size_t i = (size_t)y * a.dims.x + x;
            if (kin_f32(&focus)[(size_t)y * focus.dims.x + x] >= tissue && kin_f32(&a)[i] > 0) {
                sum += fabsf(kin_f32(&a)[i] - kin_f32(&b)[i]);
                n++;
            }
        }
    kin_image_free(&a);
    kin_image_free(&b);
    if (fine)
        kin_image_free(&focus);
    return n > 0 ? sum / n : NAN;
}

static struct pair compare_edf(const struct comparing *c)
{
    char found[PATH], wanted[PATH];
    double error = 0, ncc = 0;
    int n = 0, m = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        double e = surface_error(c, cycle);
        qc_image_path(c->project, c->exp, QC_EDF, cycle, c->exp->nuclear_channel, 0, found,
                      sizeof found);
        truth(c, wanted, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
        double k = files_ncc(c, found, wanted);
        error += isnan(e) ? 0 : e;
        n += !isnan(e);
        ncc += isnan(k) ? 0 : k;
        m += !isnan(k);
    }
    return (struct pair){mean_of(error, n), mean_of(ncc, m)};
}

// ---- registration ----------------------------------------------------------------------------

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
    char path[PATH], text[200];
    if (!read_map(root, cycle, map))
        return false;
    if (!transforms_map_problem(map, canvas, text, sizeof text))
        return true;
    free(map->grid.u);
    truth(c, path, "transforms.json", 0, 0);
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
    struct place *found, *wanted;
    int nf, nw;
    int tile_h, tile_w;
    bool whole; // tiles are drawn at whole pixels
};

static struct frame frame_of(const struct comparing *c, int cycle)
{
    char path[PATH];
    struct frame f = {0};
    struct kin_tiff_info info;
    cycle_places(c, cycle, &f.found, &f.nf, &f.wanted, &f.nw);
    processed(c, path, "qc/stitch_cyc%02d.json", cycle, 0);
    struct js *report = js_read(path, NULL);
    const char *placement = js_text(js_get(report, "placement"), "whole");
    f.whole = !strcmp(placement, "whole");
    js_free(report);
    truth(c, path, "flat_ch%2$d.tif", 0, 1);
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
    float tissue = quantile(focus, 0.5);
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
static struct pair summary(struct targets *t)
{
    double sum = 0;
    for (int i = 0; i < t->n; i++)
        sum += t->d[i];
    if (!t->n)
        return (struct pair){NAN, NAN};
    return (struct pair){sum / t->n, kin_rank_f64(t->d, (size_t)t->n, (size_t)(0.95 * (t->n - 1)))};
}

static struct pair compare_registration(const struct comparing *c)
{
    enum { MOST = 1 << 20 };
    char path[PATH];
    struct transforms maps;
    struct kin_image focus;
    struct pair result = {NAN, NAN};
    processed(c, path, "registered/transforms.json", 0, 0);
    if (access(path, F_OK) || !transforms_read(path, &maps, c->err))
        return result;
    bool sound = transforms_check(&maps, path, c->err);
    truth(c, path, "transforms.json", 0, 0);
    struct js *root = js_read(path, NULL);
    struct targets t = {.focus = &focus, .d = malloc(MOST * sizeof(double)), .most = MOST};
    truth(c, path, "infocus_c%02d_ch%d.tif", maps.reference, c->exp->nuclear_channel);
    // The truth is told from one cycle; with another reference there is nothing to compare with.
    bool comparable = sound && t.d && root &&
                      maps.reference == js_int(js_get(root, "reference_cycle"), 1);
    if (comparable && load(c, path, &focus)) {
        all_target_errors(c, &maps, root, &t);
        kin_image_free(&focus);
        result = summary(&t);
    }
    free(t.d);
    js_free(root);
    transforms_free(&maps);
    return result;
}

// ---- isolation -------------------------------------------------------------------------------

// Mean of an image where the true stain is absent (at most 1 % of its 99th percentile).
static double background(const struct comparing *c, const char *path, const char *wanted)
{
    struct kin_image a, b;
    double sum = 0, n = 0;
    if (!load_pair(c, path, wanted, &a, &b))
        return NAN;
    float absent = 0.01f * quantile(&b, 0.99);
    for (size_t i = 0; i < kin_count(a.dims); i++)
        if (kin_f32(&b)[i] <= absent) {
            sum += kin_f32(&a)[i];
            n++;
        }
    kin_image_free(&a);
    kin_image_free(&b);
    return n > 0 ? sum / n : NAN;
}

// Correlation with the true stain after isolation, and the share of the light that is left where
// there is none.
static struct pair compare_isolation(const struct comparing *c)
{
    char found[PATH], wanted[PATH], before[PATH];
    double ncc = 0, left = 0;
    int n = 0, m = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++)
        for (int k = 1; k <= c->exp->channels; k++) {
            if (k == c->exp->nuclear_channel ||
                !qc_image_path(c->project, c->exp, QC_ISOLATE, cycle, k, 0, found, sizeof found))
                continue;
            truth(c, wanted, "signal_c%02d_ch%d.tif", cycle, k);
            qc_image_path(c->project, c->exp, QC_REGISTRATION, cycle, k, 0, before, sizeof before);
            double a = files_ncc(c, found, wanted);
            double share = background(c, found, wanted) / background(c, before, wanted);
            ncc += isnan(a) ? 0 : a;
            n += !isnan(a);
            left += isnan(share) ? 0 : share;
            m += !isnan(share);
        }
    return (struct pair){mean_of(ncc, n), mean_of(left, m)};
}

// ---- all -------------------------------------------------------------------------------------

static void add(struct qc_truth *rows, int *n, struct qc_truth row)
{
    row.there = !isnan(row.value);
    row.pass = row.there && (row.higher ? row.value <= row.threshold : row.value >= row.threshold);
    rows[(*n)++] = row;
}

// A flat field needs many different tiles; the gates are for 63 of them.
static double flat_threshold(const struct experiment *exp)
{
    int tiles = exp->rows * exp->cols;
    return tiles >= 50 ? 0.02 : tiles >= 9 ? 0.05 : 0.10;
}

bool qc_truth_measure(const char *project, const struct experiment *exp, struct qc_truth *rows,
                      int *count, struct kin_error *err)
{
    struct comparing c = {project, exp, err};
    char path[PATH];
    truth(&c, path, "transforms.json", 0, 0);
    struct js *root = js_read(path, err);
    *count = 0;
    if (!root)
        return false;
    js_free(root);
    double unheld;
    struct pair flat = compare_flat(&c), places = compare_positions(&c, &unheld),
                decon = compare_decon(&c), edf = compare_edf(&c);
    struct pair target = compare_registration(&c), isolated = compare_isolation(&c);
    add(rows, count,
        (struct qc_truth){"illum", "flat_field_error", "", "mean relative error of the flat fields",
                          flat.first, flat_threshold(exp), true});
    add(rows, count,
        (struct qc_truth){"stitch", "position_rms", "px", "tile positions", places.first, 0.30,
                          true});
    add(rows, count,
        (struct qc_truth){"stitch", "position_max", "px", "the worst tile", places.second, 1.0,
                          true});
    add(rows, count,
        (struct qc_truth){"stitch", "tiles_not_held", "",
                          "share of tiles whose place no overlap shows", unheld, 0.05, true});
    add(rows, count,
        (struct qc_truth){"decon", "contrast_gain", "", "nuclei over background, after / before",
                          decon.first, 1.0, false});
    add(rows, count,
        (struct qc_truth){"decon", "flux_error", "", "light lost or made", decon.second, 0.001,
                          true});
    add(rows, count,
        (struct qc_truth){"edf", "surface_error", "planes",
                          "mean distance from the true surface, in tissue", edf.first, 0.45, true});
    add(rows, count,
        (struct qc_truth){"edf", "ncc", "", "correlation with the true in-focus nuclei", edf.second,
                          0.90, false});
    add(rows, count,
        (struct qc_truth){"registration", "tre_mean", "px", "target registration error in tissue",
                          target.first, 0.50, true});
    add(rows, count,
        (struct qc_truth){"registration", "tre_p95", "px", "its 95th percentile", target.second,
                          1.0, true});
    add(rows, count,
        (struct qc_truth){"isolate", "ncc", "", "correlation with the stain alone", isolated.first,
                          0.80, false});
    add(rows, count,
        (struct qc_truth){"isolate", "background_left", "", "light left where the stain is absent",
                          isolated.second, 0.25, true});
    return !err || err->code == KIN_OK;
}
