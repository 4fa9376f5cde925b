// SPDX-License-Identifier: MIT
// phantom.c: taking the pictures of a phantom, and writing down the truth.
#include "phantom/phantom.h"
#include "core/json.h"
#include "core/part.h"
#include "core/text.h"
#include "phantom/optics.h"
#include "phantom/paint.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double GAIN = 2; /* ADU for an electron */

enum { MOST_CYCLES = 100 };

struct phantom { /* one run */
    const char *dir;
    const struct phantom_params *p;
    struct device *dev;
    const struct kin_progress *progress;
    int64_t done, total;
    struct experiment exp;
    struct world world;
    struct optics optics;
    double (**positions)[2];       /* owned, [cycle][tile] */
    struct kin_dims *canvas;       /* owned, [cycle] */
    struct kin_image *flat, *dark; /* owned, [channel] */
    float *object;                 /* owned, (planes, region) */
    uint16_t *tile;                /* owned, (tile_h, tile_w) */
};

static const struct kin_tiff_options quick = {.unsynced = true};
static const struct kin_tiff_options packed = {.compression = KIN_DEFLATE, .unsynced = true};

static void step(struct phantom *ph, const char *what)
{
    ph->done++;
    kin_tell(ph->progress, ph->done, ph->total, what);
}

__attribute__((format(printf, 4, 5))) static void name_file(const struct phantom *ph, char *path,
                                                            size_t size, const char *format, ...)
{
    va_list args;
    int n = snprintf(path, size, "%s/", ph->dir);
    va_start(args, format);
    if (n > 0 && (size_t)n < size)
        vsnprintf(path + n, size - (size_t)n, format, args);
    va_end(args);
}

/* ---- the experiment -------------------------------------------------------------------------- */

static bool describe(struct phantom *ph, struct kin_error *err)
{
    const struct phantom_params *p = ph->p;
    struct experiment *e = &ph->exp;
    *e = (struct experiment){.cycles = p->cycles,
                             .channels = p->channels,
                             .planes = p->planes,
                             .rows = p->rows,
                             .cols = p->cols,
                             .overlap = p->overlap,
                             .xy_nm = p->xy_nm,
                             .z_nm = p->z_nm,
                             .na = 0.75,
                             .tissue_ri = 1.44,
                             .immersion_ri = 1,
                             .camera_offset = camera_level,
                             .gain = GAIN,
                             .reference_cycle = 1,
                             .nuclear_channel = 1};
    for (int c = 0; c < EXPERIMENT_CHANNELS; c++) {
        e->excitation[c] = experiment_usual_nm(c + 1)[0];
        e->emission[c] = experiment_usual_nm(c + 1)[1];
    }
    e->markers = calloc((size_t)p->cycles * (size_t)p->channels, sizeof *e->markers);
    if (!e->markers)
        return kin_fail(err, KIN_MEMORY, "no memory for the marker names");
    for (int i = 0; i < p->cycles * p->channels; i++)
        world_marker_name(&ph->world, i / p->channels + 1, i % p->channels + 1, e->markers[i],
                          sizeof *e->markers);
    return true;
}

bool kin_phantom_check(const struct phantom_params *p, struct kin_error *err)
{
    struct {
        bool good;
        const char *what;
    } checks[] = {
        {p->cycles >= 1 && p->cycles <= MOST_CYCLES, "--cycles must be 1 to 100"},
        {p->channels >= 1 && p->channels <= EXPERIMENT_CHANNELS, "--channels must be 1 to 16"},
        {p->planes >= 1 && p->planes <= 200, "--planes must be 1 to 200"},
        {p->rows >= 1 && p->cols >= 1 && p->rows <= 100 && p->cols <= 100,
         "--grid must be 1x1 to 100x100"},
        {p->tile_h >= 32 && p->tile_w >= 32 && p->tile_h <= 8192 && p->tile_w <= 8192,
         "--tile must be 32x32 to 8192x8192"},
        {p->overlap >= 0 && p->overlap <= 0.6, "--overlap must be 0 to 0.6"},
        {p->difficulty >= 1 && p->difficulty <= 3, "--difficulty must be 1, 2 or 3"},
        {p->xy_nm >= 50 && p->xy_nm <= 5000, "--pixel must be 50 to 5000 nm"},
        {p->z_nm >= 100 && p->z_nm <= 10000, "--plane-distance must be 100 to 10000 nm"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].good)
            return kin_fail(err, KIN_INPUT, "%s", checks[i].what);
    }
    return true;
}

static bool make_dir(const struct phantom *ph, const char *name, struct kin_error *err)
{
    char path[4200];
    name_file(ph, path, sizeof path, "%s", name);
    return !mkdir(path, 0777) || errno == EEXIST ||
           kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
}

static bool make_tree(const struct phantom *ph, struct kin_error *err)
{
    static const char *const names[] = {"", "data", "data/raw", "meta", "truth"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!make_dir(ph, names[i], err))
            return false;
    }
    return true;
}

static void cycle_dir(char *name, size_t size, int cycle)
{
    snprintf(name, size, "data/raw/cyc%03d_reg001_phantom", cycle);
}

/* Removes the images and tables of a folder that only phantoms write, and what a killed run left
 * half-written. */
static void clear_dir(const struct phantom *ph, const char *name)
{
    static const char *const kinds[] = {".tif", ".csv"};
    char path[4200], file[4500];
    name_file(ph, path, sizeof path, "%s", name);
    kin_part_sweep(path);
    DIR *open = opendir(path);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        for (int i = 0; i < 2; i++)
            if (text_ends_in(entry->d_name, kinds[i]))
                unlink(file);
    }
    if (open)
        closedir(open);
}

/* A phantom of more tiles, planes, channels or cycles may be there: what this one does not write
 * again would pass for its own. */
static void clear_tree(const struct phantom *ph)
{
    char name[64], path[4200];
    clear_dir(ph, "truth");
    for (int cycle = 1; cycle <= MOST_CYCLES; cycle++) {
        cycle_dir(name, sizeof name, cycle);
        clear_dir(ph, name);
        name_file(ph, path, sizeof path, "%s", name);
        rmdir(path);
    }
    for (int channel = 1; channel <= EXPERIMENT_CHANNELS; channel++) {
        name_file(ph, path, sizeof path, "meta/dark_CH%d.tif", channel);
        unlink(path);
    }
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Draws what a region's pixels would show without camera: ph->object, sharp only inside the
 * halo. */
static bool draw(struct phantom *ph, const struct region *region, int channel, enum parts parts,
                 struct kin_error *err)
{
    if (!region_object(&ph->world, region, channel, parts, ph->object))
        return kin_fail(err, KIN_MEMORY, "no memory for the phantom's cells");
    optics_blur(&ph->optics, channel, ph->object);
    return device_ok(ph->dev, err);
}

/* The region whose inside starts at (y, x). */
static struct region region_around(const struct phantom *ph, int cycle, double y, double x)
{
    return (struct region){.cycle = cycle,
                           .y0 = y - ph->optics.halo,
                           .x0 = x - ph->optics.halo,
                           .h = ph->optics.region.y,
                           .w = ph->optics.region.x};
}

static bool take_stack(struct phantom *ph, int cycle, int tile, int channel, struct kin_error *err)
{
    char path[4200], dir[64];
    const struct phantom_params *p = ph->p;
    cycle_dir(dir, sizeof dir, cycle);
    size_t plane = (size_t)ph->optics.region.y * (size_t)ph->optics.region.x;
    size_t inside = (size_t)ph->optics.halo * (size_t)ph->optics.region.x + (size_t)ph->optics.halo;
    struct kin_image image = {{1, p->tile_h, p->tile_w}, KIN_U16, ph->tile};
    for (int z = 0; z < p->planes; z++) {
        uint32_t id = (uint32_t)((tile * p->channels + channel - 1) * p->planes + z);
        struct exposure e = {kin_f32(&ph->flat[channel - 1]), kin_f32(&ph->dark[channel - 1]), GAIN,
                             (uint32_t)cycle, id};
        camera_expose(&ph->world, &e, ph->object + (size_t)z * plane + inside, ph->optics.region.x,
                      ph->tile);
        name_file(ph, path, sizeof path, "%s/1_%05d_Z%03d_CH%d.tif", dir, tile + 1, z + 1, channel);
        if (!kin_tiff_write(path, &image, &quick, err))
            return false;
    }
    return true;
}

static bool take_tile(struct phantom *ph, int cycle, int tile, struct kin_error *err)
{
    const double *at = ph->positions[cycle - 1][tile];
    struct region region = region_around(ph, cycle, at[0], at[1]);
    bool good = region_open(&region, &ph->world, err);
    for (int c = 1; good && c <= ph->p->channels; c++) {
        good = draw(ph, &region, c, PARTS_ALL, err) && take_stack(ph, cycle, tile, c, err);
        step(ph, "tile stacks");
    }
    region_close(&region);
    return good;
}

static bool take_cycle(struct phantom *ph, int cycle, struct kin_error *err)
{
    char dir[64];
    cycle_dir(dir, sizeof dir, cycle);
    if (!make_dir(ph, dir, err))
        return false;
    for (int k = 0; k < ph->p->rows * ph->p->cols; k++) {
        if (!take_tile(ph, cycle, k, err))
            return false;
    }
    return true;
}

/* ---- true images ----------------------------------------------------------------------------- */

/* Brightness at the surface, between the two nearest planes. */
static float in_focus(const struct phantom *ph, const struct region *r, int y, int x)
{
    size_t plane = (size_t)r->h * (size_t)r->w, i = (size_t)y * (size_t)r->w + (size_t)x;
    int nz = ph->p->planes, z = (int)r->z0[i];
    z = z > nz - 2 ? nz - 2 : z;
    if (z < 0)
        return ph->object[i];
    float t = r->z0[i] - (float)z;
    return (1 - t) * ph->object[(size_t)z * plane + i] +
           t * ph->object[((size_t)z + 1) * plane + i];
}

/* The true images of a cycle's channels on one canvas, drawn block by block. */
struct picture {
    int cycle;
    enum parts parts;
    bool registered;         /* in the frame of cycle 1 */
    struct kin_image *image; /* owned, [channel] */
    struct kin_image zmap;   /* owned; only when it was allocated */
};

static void paste(const struct phantom *ph, const struct region *r, int y0, int x0,
                  struct kin_image *image, float empty)
{
    struct kin_dims d = image->dims;
    float light = (float)(GAIN * ph->world.d.photons);
    int halo = ph->optics.halo;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < (ph->p->tile_h < d.y - y0 ? ph->p->tile_h : d.y - y0); y++) {
        uint16_t *row = kin_u16(image) + (size_t)(y0 + y) * (size_t)d.x + (size_t)x0;
        for (int x = 0; x < ph->p->tile_w && x0 + x < d.x; x++)
            row[x] = kin_round_u16(empty + light * in_focus(ph, r, y + halo, x + halo));
    }
}

static void paste_surface(const struct phantom *ph, const struct region *r, int y0, int x0,
                          struct kin_image *zmap)
{
    struct kin_dims d = zmap->dims;
    int halo = ph->optics.halo;
    for (int y = 0; y < ph->p->tile_h && y0 + y < d.y; y++) {
        for (int x = 0; x < ph->p->tile_w && x0 + x < d.x; x++)
            kin_f32(zmap)[(size_t)(y0 + y) * (size_t)d.x + (size_t)(x0 + x)] =
                r->z0[(size_t)(y + halo) * (size_t)r->w + (size_t)(x + halo)] + 1;
    }
}

/* A blank channel's stain is nothing: its image stays 0. */
static bool is_nothing(const struct phantom *ph, const struct picture *pic, int channel)
{
    return pic->parts == PARTS_SIGNAL &&
           world_stain(&ph->world, pic->cycle, channel) == STAIN_BLANK;
}

static bool draw_block(struct phantom *ph, struct picture *pic, int y, int x, struct kin_error *err)
{
    struct region region = region_around(ph, pic->cycle, y, x);
    float empty = pic->parts == PARTS_ALL ? (float)(GAIN * ph->world.d.background) : 0;
    region.registered = pic->registered;
    bool good = region_open(&region, &ph->world, err);
    for (int c = 1; good && c <= ph->p->channels; c++) {
        if (is_nothing(ph, pic, c))
            continue;
        good = draw(ph, &region, c, pic->parts, err);
        if (good)
            paste(ph, &region, y, x, &pic->image[c - 1], empty);
    }
    if (good && pic->zmap.data)
        paste_surface(ph, &region, y, x, &pic->zmap);
    region_close(&region);
    return good;
}

static bool draw_picture(struct phantom *ph, struct picture *pic, struct kin_error *err)
{
    struct kin_dims d = pic->image[0].dims;
    for (int y = 0; y < d.y; y += ph->p->tile_h) {
        for (int x = 0; x < d.x; x += ph->p->tile_w) {
            if (!draw_block(ph, pic, y, x, err))
                return false;
        }
    }
    return true;
}

static bool write_picture(struct phantom *ph, struct picture *pic, const char *name,
                          struct kin_error *err)
{
    char path[4200];
    bool good = draw_picture(ph, pic, err);
    for (int c = 1; good && c <= ph->p->channels; c++) {
        name_file(ph, path, sizeof path, "truth/%s_c%02d_ch%d.tif", name, pic->cycle, c);
        good = kin_tiff_write(path, &pic->image[c - 1], &packed, err);
        step(ph, "true images");
    }
    if (good && pic->zmap.data) {
        name_file(ph, path, sizeof path, "truth/zmap_c%02d.tif", pic->cycle);
        good = kin_tiff_write(path, &pic->zmap, &packed, err);
    }
    return good;
}

static bool make_picture(struct phantom *ph, struct picture *pic, const char *name,
                         struct kin_error *err)
{
    struct kin_dims canvas = ph->canvas[pic->registered ? 0 : pic->cycle - 1];
    int n = ph->p->channels;
    bool good = true;
    pic->image = calloc((size_t)n, sizeof *pic->image);
    if (!pic->image)
        return kin_fail(err, KIN_MEMORY, "no memory for the true images");
    for (int c = 0; good && c < n; c++)
        good = kin_image_alloc(&pic->image[c], canvas, KIN_U16, err);
    if (good && !pic->registered)
        good = kin_image_alloc(&pic->zmap, canvas, KIN_F32, err);
    good = good && write_picture(ph, pic, name, err);
    for (int c = 0; c < n; c++)
        kin_image_free(&pic->image[c]);
    free(pic->image);
    kin_image_free(&pic->zmap);
    return good;
}

static bool write_pictures(struct phantom *ph, int cycle, struct kin_error *err)
{
    struct picture sharp = {.cycle = cycle};
    struct picture signal = {.cycle = cycle, .parts = PARTS_SIGNAL, .registered = true};
    return make_picture(ph, &sharp, "infocus", err) && make_picture(ph, &signal, "signal", err);
}

/* ---- true numbers ---------------------------------------------------------------------------- */

static bool open_text(const struct phantom *ph, const char *name, struct kin_part *part,
                      struct kin_error *err)
{
    char path[4200];
    name_file(ph, path, sizeof path, "truth/%s", name);
    return kin_part_open(part, path, err);
}

static bool write_positions(struct phantom *ph, int cycle, struct kin_error *err)
{
    char name[40];
    snprintf(name, sizeof name, "positions_c%02d.csv", cycle);
    struct kin_part part;
    if (!open_text(ph, name, &part, err))
        return false;
    fprintf(part.file, "tile,row,col,y,x\n");
    for (int k = 0; k < ph->p->rows * ph->p->cols; k++) {
        int row, col;
        snake_place(&ph->world, k, &row, &col);
        fprintf(part.file, "%d,%d,%d,%.6f,%.6f\n", k + 1, row, col, ph->positions[cycle - 1][k][0],
                ph->positions[cycle - 1][k][1]);
    }
    return kin_part_close(&part, true, err);
}

static struct js *grid_json(const struct warp_grid *grid)
{
    struct js *node = js_object(), *axis[] = {js_array(), js_array()};
    js_set_number(node, "rows", grid->rows);
    js_set_number(node, "cols", grid->cols);
    js_set_number(node, "step", grid->step);
    js_set_number(node, "origin", grid->origin);
    for (int i = 0; i < 2 * grid->rows * grid->cols; i++)
        js_push_number(axis[i / (grid->rows * grid->cols)], grid->u[i]);
    js_set(node, "u_y", axis[0]);
    js_set(node, "u_x", axis[1]);
    return node;
}

static struct js *cycle_json(const struct phantom *ph, int cycle)
{
    const struct warp_map *map = &ph->world.maps[cycle - 1];
    struct js *node = js_object();
    js_set_number(node, "cycle", cycle);
    js_set(node, "A", js_numbers(map->a, 4));
    js_set(node, "t", js_numbers(map->t, 2));
    js_set(node, "centre", js_numbers(map->c, 2));
    js_set_number(node, "z_offset", ph->world.z_offset[cycle - 1]);
    js_set_number(node, "height", ph->canvas[cycle - 1].y);
    js_set_number(node, "width", ph->canvas[cycle - 1].x);
    if (map->grid.rows)
        js_set(node, "grid", grid_json(&map->grid));
    return node;
}

static bool write_transforms(const struct phantom *ph, struct kin_error *err)
{
    char path[4200];
    struct js *root = js_object(), *cycles = js_array();
    js_set_number(root, "reference_cycle", 1);
    for (int c = 1; c <= ph->p->cycles; c++)
        js_push(cycles, cycle_json(ph, c));
    js_set(root, "cycles", cycles);
    name_file(ph, path, sizeof path, "truth/transforms.json");
    bool good = js_write(root, path, err);
    js_free(root);
    return good;
}

static bool write_params(const struct phantom *ph, struct kin_error *err)
{
    char path[4200];
    const struct phantom_params *p = ph->p;
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"seed", (double)p->seed},
        {"cycles", p->cycles},
        {"channels", p->channels},
        {"planes", p->planes},
        {"rows", p->rows},
        {"cols", p->cols},
        {"tile_height", p->tile_h},
        {"tile_width", p->tile_w},
        {"overlap", p->overlap},
        {"difficulty", p->difficulty},
        {"xy_nm", p->xy_nm},
        {"z_nm", p->z_nm},
        {"gain", GAIN},
        {"camera_offset", camera_level},
        {"photons", ph->world.d.photons},
        {"background", ph->world.d.background},
        {"read_noise", ph->world.d.read},
        {"vignette", ph->world.d.vignette},
        {"autofluorescence", ph->world.d.autofluorescence},
        {"changed_cells", ph->world.d.changed},
        {"field_amplitude", ph->world.d.field},
    };
    struct js *root = js_object();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        js_set_number(root, rows[i].name, rows[i].value);
    name_file(ph, path, sizeof path, "truth/phantom.json");
    bool good = js_write(root, path, err);
    js_free(root);
    return good;
}

static void print_nucleus(void *user, double y, double x, double z, double radius_um)
{
    fprintf(user, "%.3f,%.3f,%.3f,%.3f\n", y, x, z + 1, radius_um);
}

static bool write_nuclei(const struct phantom *ph, struct kin_error *err)
{
    struct kin_part part;
    if (!open_text(ph, "nuclei.csv", &part, err))
        return false;
    fprintf(part.file, "y,x,plane,radius_um\n");
    bool good = world_each_nucleus(&ph->world, print_nucleus, part.file) ||
                kin_fail(err, KIN_MEMORY, "no memory for the phantom's nuclei");
    return kin_part_close(&part, good, err);
}

static bool write_fields(const struct phantom *ph, struct kin_error *err)
{
    char path[4200];
    for (int c = 1; c <= ph->p->channels; c++) {
        name_file(ph, path, sizeof path, "truth/flat_ch%d.tif", c);
        if (!kin_tiff_write(path, &ph->flat[c - 1], &packed, err))
            return false;
        name_file(ph, path, sizeof path, "truth/dark_ch%d.tif", c);
        if (!kin_tiff_write(path, &ph->dark[c - 1], &packed, err))
            return false;
    }
    return true;
}

/* The mean of 64 exposures without light, as a laboratory would record it. */
static bool write_dark_frames(struct phantom *ph, struct kin_error *err)
{
    char path[4200];
    for (int c = 1; c <= ph->p->channels; c++) {
        struct kin_image frame;
        if (!kin_image_alloc(&frame, ph->dark[c - 1].dims, KIN_F32, err))
            return false;
        camera_dark_frame(&ph->world, c, kin_f32(&ph->dark[c - 1]), GAIN, kin_f32(&frame));
        name_file(ph, path, sizeof path, "meta/dark_CH%d.tif", c);
        bool good = kin_tiff_write(path, &frame, &quick, err);
        kin_image_free(&frame);
        if (!good)
            return false;
    }
    return true;
}

static const char readme[] =
    "# What is true of this phantom\n\n"
    "Pixels are (y, x), the centre of the first pixel is (0, 0), y grows downwards. The mosaic "
    "frame of a\n"
    "cycle has its origin at the smallest y and the smallest x of that cycle's true tile "
    "positions; a stitched\n"
    "mosaic has the same frame up to the error of its positions. The canvas is "
    "max(round(position)) + tile.\n\n"
    "- `positions_cNN.csv`: tile (number in the file name), row, col, and the tile's first pixel "
    "y, x in the\n"
    "  mosaic frame of cycle NN.\n"
    "- `flat_chN.tif` (float32, mean 1), `dark_chN.tif` (float32, ADU): a raw pixel is\n"
    "  gain * (Poisson(flat * electrons) + read noise) + dark. Same for all cycles. "
    "`meta/dark_CHn.tif` is what a\n"
    "  laboratory would have measured of it: the mean of 64 exposures without light.\n"
    "- `infocus_cNN_chN.tif` (uint16): the mosaic in the frame of cycle NN without noise, without "
    "shading,\n"
    "  without dark, seen through the objective, in focus everywhere: gain * (background + photons "
    "* b), where b\n"
    "  is the blurred object interpolated at the surface between the two nearest planes.\n"
    "- `zmap_cNN.tif` (float32): the surface, in planes counted from 1, in the frame of cycle NN.\n"
    "- `signal_cNN_chN.tif` (uint16): gain * photons * b of the stain alone, in the frame of CYCLE "
    "1: no\n"
    "  background, no autofluorescence, no debris, no residue of the cycle before. What "
    "registration followed\n"
    "  by signal isolation should give. All zero for a blank channel.\n"
    "- `transforms.json`: for each cycle the map from a point p of cycle 1's frame to the same "
    "tissue in the\n"
    "  frame of that cycle: q = A (p - centre) + centre + t + u(p), A = [yy, yx, xy, xx]. u is "
    "given on nodes,\n"
    "  node (i, j) at origin + step * (i, j), joined by Catmull-Rom interpolation; no `grid`: u = "
    "0.\n"
    "- `nuclei.csv`: nuclei of cycle 1 in its frame: centre y, x, plane (from 1), longer semi-axis "
    "in um.\n"
    "- `phantom.json`: every parameter.\n\n"
    "A share of the cells (`changed_cells`) stands elsewhere in every cycle but the first; "
    "registration\n"
    "cannot bring them together. Channel 1 shows nuclei in every cycle; blank channels show "
    "autofluorescence only.\n";

static bool write_readme(const struct phantom *ph, struct kin_error *err)
{
    char path[4200];
    name_file(ph, path, sizeof path, "truth/README.md");
    return kin_write_text(path, readme, err);
}

/* ---- one run --------------------------------------------------------------------------------- */

static bool place_tiles(struct phantom *ph, int cycle)
{
    int n = ph->p->rows * ph->p->cols;
    double far[2] = {0, 0};
    ph->positions[cycle - 1] = malloc((size_t)n * sizeof **ph->positions);
    if (!ph->positions[cycle - 1])
        return false;
    stage_positions(&ph->world, cycle, ph->positions[cycle - 1]);
    for (int k = 0; k < n; k++) {
        far[0] = fmax(far[0], rint(ph->positions[cycle - 1][k][0]));
        far[1] = fmax(far[1], rint(ph->positions[cycle - 1][k][1]));
    }
    ph->canvas[cycle - 1] = (struct kin_dims){1, (int)far[0] + ph->p->tile_h,
                                              (int)far[1] + ph->p->tile_w};
    return true;
}

static bool prepare(struct phantom *ph, struct kin_error *err)
{
    const struct phantom_params *p = ph->p;
    int h = (int)((p->rows - 1) * p->tile_h * (1 - p->overlap)) + p->tile_h;
    int w = (int)((p->cols - 1) * p->tile_w * (1 - p->overlap)) + p->tile_w;
    ph->positions = calloc((size_t)p->cycles, sizeof *ph->positions);
    ph->canvas = calloc((size_t)p->cycles, sizeof *ph->canvas);
    ph->flat = calloc((size_t)p->channels, sizeof *ph->flat);
    ph->dark = calloc((size_t)p->channels, sizeof *ph->dark);
    if (!ph->positions || !ph->canvas || !ph->flat || !ph->dark)
        return kin_fail(err, KIN_MEMORY, "no memory for the phantom");
    if (!world_open(&ph->world, p, h, w, err) || !describe(ph, err) ||
        !optics_open(&ph->optics, &ph->exp, ph->dev, p->tile_h, p->tile_w, err))
        return false;
    bool good = true;
    for (int c = 1; good && c <= p->cycles; c++)
        good = place_tiles(ph, c);
    ph->object = malloc(kin_count(ph->optics.region) * sizeof *ph->object);
    ph->tile = malloc((size_t)p->tile_h * (size_t)p->tile_w * sizeof *ph->tile);
    if (!good || !ph->object || !ph->tile)
        return kin_fail(err, KIN_MEMORY, "no memory for the phantom");
    for (int c = 1; good && c <= p->channels; c++)
        good = flat_field(&ph->world, c, &ph->flat[c - 1], err) &&
               dark_field(&ph->world, c, &ph->dark[c - 1], err);
    int images = p->skip_truth_images ? 0 : 2;
    ph->total = (int64_t)p->cycles * p->channels * (p->rows * p->cols + images);
    return good;
}

static bool write_all(struct phantom *ph, struct kin_error *err)
{
    clear_tree(ph);
    bool good = make_tree(ph, err) && experiment_write(ph->dir, &ph->exp, err) &&
                write_params(ph, err) && write_readme(ph, err) && write_transforms(ph, err) &&
                write_nuclei(ph, err) && write_fields(ph, err) && write_dark_frames(ph, err);
    for (int c = 1; good && c <= ph->p->cycles; c++) {
        good = write_positions(ph, c, err) && take_cycle(ph, c, err) &&
               (ph->p->skip_truth_images || write_pictures(ph, c, err));
    }
    return good;
}

static void release(struct phantom *ph)
{
    for (int c = 0; c < ph->p->cycles && ph->positions; c++)
        free(ph->positions[c]);
    for (int c = 0; c < ph->p->channels; c++) {
        if (ph->flat)
            kin_image_free(&ph->flat[c]);
        if (ph->dark)
            kin_image_free(&ph->dark[c]);
    }
    free(ph->positions);
    free(ph->canvas);
    free(ph->flat);
    free(ph->dark);
    free(ph->object);
    free(ph->tile);
    optics_close(&ph->optics);
    world_close(&ph->world);
    experiment_free(&ph->exp);
}

bool kin_phantom(const char *dir, const struct phantom_params *params, struct device *dev,
                 const struct kin_progress *progress, struct kin_error *err)
{
    struct phantom ph = {.dir = dir, .p = params, .dev = dev, .progress = progress};
    if (!kin_phantom_check(params, err))
        return false;
    bool good = prepare(&ph, err) && write_all(&ph, err);
    release(&ph);
    return good;
}
