// SPDX-License-Identifier: MIT
// phantom_world.c: the tissue as a function of a point, and the way each cycle finds it.
//
// Cells stand on a lattice of CELL_UM squares, each with a Poisson number of them; everything about
// a cell is drawn from the counter (stream, square, number), so that any region finds the same
// cells. A share of them is drawn anew in each cycle but the first: tissue that was lost or moved.
#include "phantom_world.h"
#include "philox.h"
#include "rank.h"
#include "simd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stream { /* of the random numbers; the noise fields come first */
              STREAM_MASK,
              STREAM_SURFACE,
              STREAM_TEXTURE,
              STREAM_FIELD_Y,
              STREAM_FIELD_X = STREAM_FIELD_Y + 1000,
              STREAM_CYCLE = 5000,
              STREAM_COUNT,
              STREAM_CELL,
              STREAM_CHANGE,
              STREAM_EXPRESSION,
              STREAM_DEBRIS,
};

static const double CELL_UM = 20;        /* side of a square of the cell lattice */
static const double DENSITY_UM2 = 9e-3;  /* nuclei in dense tissue */
static const double RADIUS_MAX_UM = 4.2; /* semi-axis of a nucleus */
static const double REACH = 1.9;         /* a cell's membrane ends there, in radii */

static const struct difficulty levels[] = {
    {.jitter = 1,
     .backlash = 2,
     .drift = 0.05,
     .theta = 0.003,
     .vignette = 0.25,
     .photons = 600,
     .background = 20,
     .read = 2,
     .dark_slope = 8,
     .rotation = 0.05,
     .scale = 2e-4,
     .shift = 15,
     .field = 0,
     .changed = 0.05,
     .autofluorescence = 0.12,
     .surface = 1.0,
     .tilt = 0.5,
     .z_shift = 0.5},
    {.jitter = 2.5,
     .backlash = 4,
     .drift = 0.15,
     .theta = 0.008,
     .vignette = 0.4,
     .photons = 300,
     .background = 30,
     .read = 3,
     .dark_slope = 16,
     .rotation = 0.15,
     .scale = 5e-4,
     .shift = 35,
     .field = 1.5,
     .changed = 0.10,
     .autofluorescence = 0.25,
     .surface = 2.5,
     .tilt = 1.5,
     .z_shift = 1.0,
     .hot = 1e-5,
     .debris = 0.3},
    {.jitter = 4,
     .backlash = 8,
     .drift = 0.25,
     .theta = 0.015,
     .vignette = 0.55,
     .photons = 80,
     .background = 40,
     .read = 4,
     .dark_slope = 25,
     .rotation = 0.3,
     .scale = 5e-4,
     .shift = 60,
     .field = 3,
     .changed = 0.15,
     .autofluorescence = 0.4,
     .surface = 4,
     .tilt = 3,
     .z_shift = 1.5,
     .hot = 2e-5,
     .debris = 0.6},
};

/* ---- what stands in which channel ------------------------------------------------------------ */

enum stain world_stain(const struct world *world, int cycle, int channel)
{
    const struct phantom_params *p = &world->params;
    if (channel == 1)
        return STAIN_NUCLEI;
    if (p->cycles > 1 ? cycle == 1 : p->channels > 2 && channel == p->channels)
        return STAIN_BLANK;
    return STAIN_MARKER;
}

static int marker_number(const struct world *world, int cycle, int channel)
{
    return (cycle - 1) * world->params.channels + channel;
}

const char *world_marker_name(const struct world *world, int cycle, int channel, char *text,
                              size_t size)
{
    static const char *const names[] = {"CD3e",   "CD8",   "CD20",     "CD31",  "CD4",
                                        "CD45",   "PanCK", "Vimentin", "CD68",  "CD11c",
                                        "HLA-DR", "CD34",  "SMA",      "CD163", "Podoplanin",
                                        "CD56",   "CD7",   "CD38",     "CD21",  "CD138"};
    int count = (int)(sizeof names / sizeof *names), per = world->params.channels - 1;
    int at = (cycle - (world->params.cycles > 1 ? 2 : 1)) * per + channel - 2;
    switch (world_stain(world, cycle, channel)) {
    case STAIN_NUCLEI: snprintf(text, size, "DAPI-%02d", cycle); break;
    case STAIN_BLANK: snprintf(text, size, "Blank-%d", channel); break;
    case STAIN_MARKER:
        if (at < count)
            snprintf(text, size, "%s", names[at]);
        else
            snprintf(text, size, "Marker-%d", at + 1);
        break;
    }
    return text;
}

/* ---- the world and its cycles ---------------------------------------------------------------- */

static bool open_grid(struct world *world, int cycle, struct warp_grid *grid)
{
    double step = 64, margin = 128, amplitude = world->d.field;
    double extent = fmax(world->canvas_h, world->canvas_w),
           cell = fmin(400 / world->px_um, extent / 2);
    struct noise_patch patch;
    if (cycle == 0 || amplitude <= 0)
        return true;
    *grid = (struct warp_grid){.rows = (int)((world->canvas_h + 2 * margin) / step) + 2,
                               .cols = (int)((world->canvas_w + 2 * margin) / step) + 2,
                               .step = (float)step,
                               .origin = (float)-margin};
    int n = grid->rows * grid->cols;
    grid->u = malloc((size_t)n * 2 * sizeof *grid->u);
    for (int axis = 0; grid->u && axis < 2; axis++) {
        struct noise field = {world->params.seed,
                              (axis ? STREAM_FIELD_X : STREAM_FIELD_Y) + (uint32_t)cycle, cell, 1,
                              0.5};
        if (!noise_open(&patch, &field, -margin, -margin, extent + 3 * margin, extent + 3 * margin))
            return false;
        for (int i = 0; i < n; i++)
            grid->u[axis * n + i] = (float)(0.6 * amplitude) *
                                    noise_at(&patch, i / grid->cols * step - margin,
                                             i % grid->cols * step - margin);
        noise_close(&patch);
    }
    return grid->u != NULL;
}

static bool draw_cycle(struct world *world, int cycle)
{
    double n[4], most = 0.06 * fmin(world->canvas_h, world->canvas_w);
    double shift = fmin(world->d.shift, most);
    struct philox r = philox(world->params.seed, STREAM_CYCLE, (uint32_t)cycle, 0, 0);
    struct philox s = philox(world->params.seed, STREAM_CYCLE, (uint32_t)cycle, 1, 0);
    struct warp_map *map = &world->maps[cycle];
    *map = warp_identity((world->canvas_h - 1) / 2.0, (world->canvas_w - 1) / 2.0);
    philox_normals(r.v[0], r.v[1], n);
    philox_normals(r.v[2], r.v[3], n + 2);
    if (cycle > 0) {
        double turn = n[0] * world->d.rotation * M_PI / 180, scale = 1 + n[1] * world->d.scale;
        double shear = n[2] * world->d.scale;
        map->a[0] = scale * cos(turn);
        map->a[1] = scale * (-sin(turn) + shear);
        map->a[2] = scale * sin(turn);
        map->a[3] = scale * cos(turn);
        map->t[0] = philox_range(s.v[0], -shift, shift);
        map->t[1] = philox_range(s.v[1], -shift, shift);
        double room = fmin(1, fmax(0, (world->params.planes - 5) / 8.0));
        world->z_offset[cycle] = philox_range(s.v[2], -1, 1) * world->d.z_shift * room;
    }
    return open_grid(world, cycle, &map->grid);
}

/* The level of the mask noise that leaves that share of the canvas as tissue. */
static bool choose_mask_level(struct world *world, double coverage)
{
    enum { SIDE = 64 };
    float *v = malloc(SIDE * SIDE * sizeof *v);
    struct noise_patch patch;
    if (!v || !noise_open(&patch, &world->mask, 0, 0, world->canvas_h, world->canvas_w)) {
        free(v);
        return false;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        v[i] = noise_at(&patch, (double)(i / SIDE) / SIDE * world->canvas_h,
                        (double)(i % SIDE) / SIDE * world->canvas_w);
    noise_close(&patch);
    world->mask_level = kin_rank_f32(v, SIDE * SIDE, (size_t)((1 - coverage) * (SIDE * SIDE - 1)));
    free(v);
    return true;
}

bool world_open(struct world *world, const struct phantom_params *params, int canvas_h,
                int canvas_w, struct kin_error *err)
{
    uint64_t seed = params->seed;
    double size = fmax(canvas_h, canvas_w);
    *world = (struct world){.params = *params,
                            .d = levels[params->difficulty - 1],
                            .px_um = params->xy_nm / 1000,
                            .canvas_h = canvas_h,
                            .canvas_w = canvas_w};
    double small = fmin(1, fmin(params->tile_h, params->tile_w) / 720.0);
    world->d.jitter *= small;
    world->d.backlash *= small;
    world->mask = (struct noise){seed, STREAM_MASK, size / 3, 5, 0.5};
    world->surface = (struct noise){seed, STREAM_SURFACE, size / 2, 3, 0.5};
    world->texture = (struct noise){seed, STREAM_TEXTURE, fmax(2, 1.2 / world->px_um), 1, 0.5};
    world->maps = calloc((size_t)params->cycles, sizeof *world->maps);
    world->z_offset = calloc((size_t)params->cycles, sizeof *world->z_offset);
    bool good = world->maps && world->z_offset;
    for (int c = 0; good && c < params->cycles; c++)
        good = draw_cycle(world, c);
    good = good && choose_mask_level(world, 0.85);
    if (!good)
        world_close(world);
    return good || kin_fail(err, KIN_MEMORY, "no memory for the phantom's tissue");
}

void world_close(struct world *world)
{
    for (int c = 0; world->maps && c < world->params.cycles; c++)
        free(world->maps[c].grid.u);
    free(world->maps);
    free(world->z_offset);
    *world = (struct world){0};
}

/* ---- the tissue under a grid ----------------------------------------------------------------- */

/* The tissue point that the map brings to q: the affine part inverted, the field by iteration. */
static void unmap_point(const struct warp_map *map, const double q[2], double p[2])
{
    const double *a = map->a;
    double det = a[0] * a[3] - a[1] * a[2], u[2] = {0, 0};
    for (int i = 0; i < (map->grid.rows ? 5 : 1); i++) {
        double y = q[0] - map->c[0] - map->t[0] - u[0], x = q[1] - map->c[1] - map->t[1] - u[1];
        p[0] = map->c[0] + (a[3] * y - a[1] * x) / det;
        p[1] = map->c[1] + (a[0] * x - a[2] * y) / det;
        warp_grid_at(&map->grid, p[0], p[1], u);
    }
}

static void map_point(const struct region *region, const struct world *world, const double p[2],
                      double q[2])
{
    const struct warp_map *map = &world->maps[region->cycle - 1];
    double u[2];
    q[0] = p[0];
    q[1] = p[1];
    if (region->registered)
        return;
    warp_affine_point(map, p, q);
    warp_grid_at(&map->grid, p[0], p[1], u);
    q[0] += u[0];
    q[1] += u[1];
}

static void fill_points(struct region *r, const struct world *world)
{
    const struct warp_map *map = &world->maps[r->cycle - 1];
#pragma omp parallel for schedule(static)
    for (int y = 0; y < r->h; y++) {
        for (int x = 0; x < r->w; x++) {
            double q[2] = {r->y0 + y, r->x0 + x}, p[2] = {q[0], q[1]};
            if (!r->registered)
                unmap_point(map, q, p);
            r->py[(size_t)y * r->w + x] = (float)p[0];
            r->px[(size_t)y * r->w + x] = (float)p[1];
        }
    }
}

/* The rectangle of tissue points, {y0, x0, y1, x1}. */
static void bounds(const struct region *r, double box[4])
{
    float low[2] = {r->py[0], r->px[0]}, high[2] = {r->py[0], r->px[0]};
    for (int i = 0; i < r->h * r->w; i++) {
        low[0] = r->py[i] < low[0] ? r->py[i] : low[0];
        low[1] = r->px[i] < low[1] ? r->px[i] : low[1];
        high[0] = r->py[i] > high[0] ? r->py[i] : high[0];
        high[1] = r->px[i] > high[1] ? r->px[i] : high[1];
    }
    for (int k = 0; k < 2; k++) {
        box[k] = low[k];
        box[2 + k] = high[k];
    }
}

static float clip(float v, float low, float high)
{
    return v < low ? low : v > high ? high : v;
}

/* Where in-focus tissue lies at a tissue point with surface noise f2, planes from 0. */
static float surface_height(const struct world *world, int cycle, float f2, double x)
{
    int nz = world->params.planes;
    float low = nz >= 5 ? 2 : (float)(nz - 1) / 2, high = nz >= 5 ? (float)nz - 3 : low;
    double room = fmin(1, fmax(0, (nz - 4) / 8.0));
    double z = (nz - 1) / 2.0 + world->z_offset[cycle - 1] +
               room * (world->d.surface * f2 / 3 + world->d.tilt * (2 * x / world->canvas_w - 1));
    return clip((float)z, low, high);
}

/* Distance of the nodes at which a field is evaluated, pixels: a sixth of its smallest cell, so
 * that straight lines between nodes miss it by less than a hundredth of that octave's height. */
static int node_step(const struct noise *field)
{
    int step = (int)(field->cell / (double)(1 << (field->octaves - 1)) / 6);
    return step < 1 ? 1 : step > 8 ? 8 : step;
}

/* One row of a field on nodes: value at tissue points of pixels (y, 0), (y, step), ... */
static void field_row(const struct region *r, const struct noise_patch *patch, int y, int step,
                      float *row)
{
    const float *py = r->py + (size_t)y * r->w, *px = r->px + (size_t)y * r->w;
    for (int x = 0;; x += step) {
        int at = x < r->w ? x : r->w - 1;
        row[at] = noise_at(patch, py[at], px[at]);
        for (int k = x - step + 1; x && k < at; k++)
            row[k] = row[x - step] +
                     (row[at] - row[x - step]) * (float)(k - x + step) / (float)(at - x + step);
        if (at == r->w - 1)
            break;
    }
}

/* A field at every pixel: rows of nodes, joined by straight lines. */
static void fill_field(const struct region *r, const struct noise_patch *patch, float *field)
{
    int step = node_step(patch->field), last = (r->h - 1 + step - 1) / step;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= last; k++) {
        int y = k * step < r->h ? k * step : r->h - 1;
        field_row(r, patch, y, step, field + (size_t)y * r->w);
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < last; k++) {
        int y0 = k * step, y1 = y0 + step < r->h ? y0 + step : r->h - 1;
        const float *a = field + (size_t)y0 * r->w, *b = field + (size_t)y1 * r->w;
        for (int y = y0 + 1; y < y1; y++) {
            float t = (float)(y - y0) / (float)(y1 - y0);
            for (int x = 0; x < r->w; x++)
                field[(size_t)y * r->w + x] = a[x] + t * (b[x] - a[x]);
        }
    }
}

static void fill_fields(struct region *r, const struct world *world,
                        const struct noise_patch *patch)
{
    fill_field(r, &patch[0], r->tissue);
    fill_field(r, &patch[1], r->z0);
    fill_field(r, &patch[2], r->texture);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < r->h * r->w; i++) {
        float f1 = r->tissue[i];
        r->tissue[i] = clip(6 * (f1 - (float)world->mask_level) + 0.5f, 0, 1);
        r->glow[i] = r->tissue[i] * clip(0.6f + 0.35f * f1, 0.1f, 3);
        r->z0[i] = surface_height(world, r->cycle, r->z0[i], r->px[i]);
    }
}

bool region_open(struct region *r, const struct world *world, struct kin_error *err)
{
    const struct noise *fields[] = {&world->mask, &world->surface, &world->texture};
    struct noise_patch patch[3] = {{0}};
    double box[4];
    size_t n = (size_t)r->h * (size_t)r->w;
    r->py = malloc(6 * n * sizeof *r->py);
    if (!r->py)
        return kin_fail(err, KIN_MEMORY, "no memory for the phantom's tissue");
    r->px = r->py + n;
    r->tissue = r->py + 2 * n;
    r->glow = r->py + 3 * n;
    r->texture = r->py + 4 * n;
    r->z0 = r->py + 5 * n;
    fill_points(r, world);
    bounds(r, box);
    bool good = true;
    for (int i = 0; i < 3; i++)
        good = good && noise_open(&patch[i], fields[i], box[0], box[1], box[2], box[3]);
    if (good)
        fill_fields(r, world, patch);
    for (int i = 0; i < 3; i++)
        noise_close(&patch[i]);
    return good || kin_fail(err, KIN_MEMORY, "no memory for the phantom's tissue");
}

void region_close(struct region *region)
{
    free(region->py);
    region->py = NULL;
}

/* ---- cells ----------------------------------------------------------------------------------- */

struct cell {
    double y, x;          /* tissue frame, px */
    double z;             /* above the surface, planes */
    double r, flat, turn; /* semi-axis px, second to first, angle */
    double rz;            /* axial semi-axis, planes */
    double lobe;          /* phase of the edge's three lobes */
    double amplitude;
    uint32_t id[3]; /* square y, x, number: what its expression is drawn from */
    bool glows;     /* strongly autofluorescent */
};

/* How many cells a square has (Poisson by inversion). */
static int cells_in_square(const struct world *world, int gy, int gx)
{
    double lambda = DENSITY_UM2 * CELL_UM * CELL_UM, p = exp(-lambda), sum = p;
    double u = philox_unit(
        philox(world->params.seed, STREAM_COUNT, (uint32_t)gy, (uint32_t)gx, 0).v[0]);
    int n = 0;
    while (u > sum && n < 30)
        sum += p *= lambda / ++n;
    return n;
}

static void draw_cell(const struct world *world, int cycle, int gy, int gx, int number,
                      struct cell *c)
{
    uint64_t seed = world->params.seed;
    uint32_t y = (uint32_t)gy, x = (uint32_t)gx, n = (uint32_t)number;
    double side = CELL_UM / world->px_um, normal[2], height[2];
    bool changed = cycle > 1 &&
                   philox_unit(philox(seed, STREAM_CHANGE + 16 * (uint32_t)cycle, y, x, n).v[0]) <
                       world->d.changed;
    uint32_t stream = STREAM_CELL + (changed ? 100 * (uint32_t)cycle : 0);
    struct philox a = philox(seed, stream, y, x, 4 * n), b = philox(seed, stream, y, x, 4 * n + 1);
    struct philox d = philox(seed, stream, y, x, 4 * n + 2);
    philox_normals(d.v[0], d.v[1], normal);
    philox_normals(d.v[2], d.v[3], height);
    *c = (struct cell){.y = (gy + philox_unit(a.v[0])) * side,
                       .x = (gx + philox_unit(a.v[1])) * side,
                       .z = 0.35 * normal[0],
                       .r = philox_range(a.v[2], 2.4, RADIUS_MAX_UM) / world->px_um,
                       .flat = philox_range(a.v[3], 0.6, 1),
                       .turn = philox_range(b.v[0], 0, M_PI),
                       .rz = philox_range(b.v[1], 1500, 2500) / world->params.z_nm,
                       .lobe = philox_range(b.v[2], 0, 2 * M_PI),
                       .amplitude = exp(0.35 * height[0]),
                       .id = {y, x, n + (changed ? 64 * (uint32_t)cycle : 0)},
                       .glows = philox_unit(b.v[3]) < 0.04};
}

/* How strongly a cell shows a marker; 0 for most. */
static double expression(const struct world *world, const struct cell *cell, int marker)
{
    uint64_t seed = world->params.seed;
    struct philox m = philox(seed, STREAM_EXPRESSION, 0xffffffffu, 0, (uint32_t)marker);
    double share = philox_range(m.v[0], 0.1, 0.5);
    struct philox e = philox(seed, STREAM_EXPRESSION + 16 * (uint32_t)marker, cell->id[0],
                             cell->id[1], cell->id[2]);
    return philox_unit(e.v[0]) < share ? philox_range(e.v[1], 0.5, 1.3) : 0;
}

static bool marker_is_nuclear(const struct world *world, int marker)
{
    return philox_unit(
               philox(world->params.seed, STREAM_EXPRESSION, 0xffffffffu, 1, (uint32_t)marker)
                   .v[0]) < 0.2;
}

/* ---- painting -------------------------------------------------------------------------------- */

enum look { LOOK_BODY, LOOK_MEMBRANE };

struct stroke { /* a cell as it will stand in a region */
    struct cell cell;
    double y, x; /* region pixels */
    float height, tissue_z;
    enum look look;
};

struct strokes {
    struct stroke *at;
    int count, room;
};

static bool add_stroke(struct strokes *list, const struct stroke *stroke)
{
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 512;
        struct stroke *at = realloc(list->at, (size_t)room * sizeof *at);
        if (!at)
            return false;
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = *stroke;
    return true;
}

/* exp(-q / 2) for q >= 0 as a power of two and a short series; relative error 1e-5. */
static inline float bell(float q)
{
    float t = q * 0.72134752f; /* 1 / (2 ln 2) */
    t = t < 60 ? t : 60;
    int whole = (int)t;
    float f = (t - (float)whole) * -0.69314718f;
    float power = 1 +
                  f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * 0.0083333333f))));
    union {
        uint32_t bits;
        float value;
    } scale = {.bits = (uint32_t)(127 - whole) << 23};
    return power * scale.value;
}

/* The brightness of a look at distance d (1: the nucleus' edge) with chromatin texture. */
static float shade(enum look look, float d, float texture)
{
    if (look == LOOK_BODY)
        return clip(4 * (1 - d) + 0.5f, 0, 1) * (1 - 0.35f * d * d) * fmaxf(0, 1 + 0.35f * texture);
    float e = (d - 1.35f) / 0.22f;
    return bell(2 * e * e);
}

static void paint_plane(const struct region *r, const struct stroke *s, int z, float *plane)
{
    const struct cell *c = &s->cell;
    double reach = c->r * (s->look == LOOK_BODY ? 1.25 : REACH) + 2;
    int y0 = (int)fmax(0, ceil(s->y - reach)), y1 = (int)fmin(r->h - 1, floor(s->y + reach));
    int x0 = (int)fmax(0, ceil(s->x - reach)), x1 = (int)fmin(r->w - 1, floor(s->x + reach));
    float wz = ((float)z - s->tissue_z - (float)c->z) / (float)c->rz, co = (float)cos(c->turn),
          si = (float)sin(c->turn);
    float limit = s->look == LOOK_BODY ? 1.3f : 1.9f;
    float lobe_c = (float)cos(c->lobe), lobe_s = (float)sin(c->lobe);
    if (fabsf(wz) > limit)
        return;
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            size_t i = (size_t)y * r->w + x;
            float dy = r->py[i] - (float)c->y, dx = r->px[i] - (float)c->x;
            float u = (dx * co + dy * si) / (float)c->r,
                  v = (dy * co - dx * si) / (float)(c->r * c->flat);
            float flat = u * u + v * v, d = sqrtf(flat + wz * wz);
            if (d > limit)
                continue;
            if (flat > 1e-4f) { /* the cosine of three times the angle, plus the phase */
                float uu = u * u, vv = v * v, norm = 0.12f / (flat * sqrtf(flat));
                d *= 1 + norm * (u * (uu - 3 * vv) * lobe_c - v * (3 * uu - vv) * lobe_s);
            }
            plane[i] += s->height * r->tissue[i] * shade(s->look, d, r->texture[i]);
        }
    }
}

static float surface_at(const struct region *r, const struct stroke *s)
{
    int y = (int)clip((float)s->y, 0, (float)r->h - 1),
        x = (int)clip((float)s->x, 0, (float)r->w - 1);
    return r->z0[(size_t)y * r->w + x];
}

/* Visits each square of the lattice that can reach into the region. */
static void square_range(const struct world *world, const struct region *r, int range[4])
{
    double box[4], side = CELL_UM / world->px_um, reach = RADIUS_MAX_UM * REACH / world->px_um + 2;
    bounds(r, box);
    range[0] = (int)floor((box[0] - reach) / side);
    range[1] = (int)floor((box[1] - reach) / side);
    range[2] = (int)floor((box[2] + reach) / side);
    range[3] = (int)floor((box[3] + reach) / side);
}

/* How high a cell stands in one coat of paint; 0: not at all. */
struct coat {
    enum stain stain;
    int marker; /* of STAIN_MARKER */
    double height;
};

static double coat_height(const struct world *world, const struct coat *coat,
                          const struct cell *cell)
{
    switch (coat->stain) {
    case STAIN_NUCLEI: return coat->height * cell->amplitude;
    case STAIN_MARKER: return coat->height * expression(world, cell, coat->marker);
    case STAIN_BLANK: return cell->glows ? coat->height * cell->amplitude : 0;
    }
    return 0;
}

static void gather_strokes(const struct world *world, const struct region *r,
                           const struct coat *coat, struct strokes *list)
{
    int range[4];
    square_range(world, r, range);
    bool ring = coat->stain == STAIN_MARKER && !marker_is_nuclear(world, coat->marker);
    for (int gy = range[0]; gy <= range[2]; gy++) {
        for (int gx = range[1]; gx <= range[3]; gx++) {
            for (int k = 0; k < cells_in_square(world, gy, gx); k++) {
                struct stroke s = {.look = ring ? LOOK_MEMBRANE : LOOK_BODY};
                draw_cell(world, r->cycle, gy, gx, k, &s.cell);
                s.height = (float)coat_height(world, coat, &s.cell);
                double p[2] = {s.cell.y, s.cell.x}, q[2];
                if (s.height <= 0)
                    continue;
                map_point(r, world, p, q);
                s.y = q[0] - r->y0;
                s.x = q[1] - r->x0;
                s.tissue_z = surface_at(r, &s);
                if (!add_stroke(list, &s))
                    return;
            }
        }
    }
}

static void paint_coat(const struct world *world, const struct region *r, const struct coat *coat,
                       float *volume)
{
    struct strokes list = {0};
    size_t plane = (size_t)r->h * (size_t)r->w;
    gather_strokes(world, r, coat, &list);
#pragma omp parallel for schedule(dynamic, 1)
    for (int z = 0; z < world->params.planes; z++) {
        for (int i = 0; i < list.count; i++)
            paint_plane(r, &list.at[i], z, volume + (size_t)z * plane);
    }
    free(list.at);
}

/* Nuclei that overlap do not add up without end. */
static void saturate(const struct world *world, const struct region *r, float *volume)
{
    size_t n = (size_t)r->h * (size_t)r->w * (size_t)world->params.planes;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        volume[i] /= 1 + 0.25f * volume[i];
}

/* n pixels of plane z: a layer 1.2 planes thick around the surface. */
VECTOR_CLONES static void glow_row(float *plane, const float *glow, const float *z0, float z,
                                   float height, int n)
{
    for (int i = 0; i < n; i++) {
        float e = (z - z0[i]) / 1.2f;
        plane[i] += height * glow[i] * bell(e * e);
    }
}

static void add_glow(const struct world *world, const struct region *r, double height,
                     float *volume)
{
    size_t plane = (size_t)r->h * (size_t)r->w;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < world->params.planes * r->h; i++) {
        int z = i / r->h;
        size_t row = (size_t)(i % r->h) * (size_t)r->w;
        glow_row(volume + (size_t)z * plane + row, r->glow + row, r->z0 + row, (float)z,
                 (float)height, r->w);
    }
}

static void paint_speck(const struct world *world, const struct region *r, const double speck[4],
                        float *volume)
{
    int z = (int)speck[2], reach = (int)ceil(3 * speck[3]);
    int cy = (int)lrint(speck[0] - r->y0), cx = (int)lrint(speck[1] - r->x0);
    float *plane = volume + (size_t)z * (size_t)r->h * (size_t)r->w;
    for (int y = cy - reach < 0 ? 0 : cy - reach; y <= cy + reach && y < r->h; y++) {
        for (int x = cx - reach < 0 ? 0 : cx - reach; x <= cx + reach && x < r->w; x++) {
            double dy = r->y0 + y - speck[0], dx = r->x0 + x - speck[1];
            plane[(size_t)y * r->w + x] +=
                (float)(8 * exp(-0.5 * (dy * dy + dx * dx) / (speck[3] * speck[3])));
        }
    }
}

/* Specks of dirt lie in the cycle's frame: they move between cycles. */
static void add_debris(const struct world *world, const struct region *r, float *volume)
{
    double side = 1000, reach = 20 / world->px_um;
    int y1 = (int)floor((r->y0 + r->h + reach) / side),
        x1 = (int)floor((r->x0 + r->w + reach) / side);
    for (int gy = (int)floor((r->y0 - reach) / side); gy <= y1; gy++) {
        for (int gx = (int)floor((r->x0 - reach) / side); gx <= x1; gx++) {
            struct philox a = philox(world->params.seed, STREAM_DEBRIS, (uint32_t)r->cycle,
                                     (uint32_t)gy, (uint32_t)gx);
            struct philox b = philox(world->params.seed, STREAM_DEBRIS + 1, (uint32_t)r->cycle,
                                     (uint32_t)gy, (uint32_t)gx);
            double speck[] = {(gy + philox_unit(a.v[1])) * side, (gx + philox_unit(a.v[2])) * side,
                              philox_range(a.v[3], 0, world->params.planes - 1),
                              philox_range(b.v[0], 1.5, 5) / world->px_um};
            if (philox_unit(a.v[0]) < world->d.debris)
                paint_speck(world, r, speck, volume);
        }
    }
}

static void paint_stain(const struct world *world, const struct region *r, int cycle, int channel,
                        double height, float *volume)
{
    struct coat coat = {world_stain(world, cycle, channel), marker_number(world, cycle, channel),
                        height};
    if (coat.stain != STAIN_BLANK)
        paint_coat(world, r, &coat, volume);
}

void region_object(const struct world *world, const struct region *r, int channel, enum parts parts,
                   float *volume)
{
    static const double spectrum[] = {1, 0.7, 0.4, 0.2};
    double glow = world->d.autofluorescence * spectrum[channel < 4 ? channel - 1 : 3] *
                  exp(-0.03 * (r->cycle - 1));
    bool nuclei = world_stain(world, r->cycle, channel) == STAIN_NUCLEI;
    memset(volume, 0, (size_t)r->h * (size_t)r->w * (size_t)world->params.planes * sizeof *volume);
    paint_stain(world, r, r->cycle, channel, nuclei ? exp(-0.08 * (r->cycle - 1)) : 1, volume);
    if (nuclei)
        saturate(world, r, volume);
    if (parts == PARTS_SIGNAL)
        return;
    if (r->cycle > 1 && !nuclei)
        paint_stain(world, r, r->cycle - 1, channel, 0.03, volume);
    add_glow(world, r, glow, volume);
    struct coat cells = {STAIN_BLANK, 0, 2.5 * glow};
    paint_coat(world, r, &cells, volume);
    if (world->d.debris > 0 && !r->registered)
        add_debris(world, r, volume);
}

void world_each_nucleus(const struct world *world,
                        void (*found)(void *user, double y, double x, double z, double radius_um),
                        void *user)
{
    double side = CELL_UM / world->px_um;
    struct noise_patch mask, surface;
    if (!noise_open(&mask, &world->mask, 0, 0, world->canvas_h, world->canvas_w))
        return;
    if (!noise_open(&surface, &world->surface, 0, 0, world->canvas_h, world->canvas_w)) {
        noise_close(&mask);
        return;
    }
    for (int gy = 0; gy <= (int)(world->canvas_h / side); gy++) {
        for (int gx = 0; gx <= (int)(world->canvas_w / side); gx++) {
            for (int k = 0; k < cells_in_square(world, gy, gx); k++) {
                struct cell c;
                draw_cell(world, 1, gy, gx, k, &c);
                bool inside = c.y < world->canvas_h && c.x < world->canvas_w;
                if (inside && noise_at(&mask, c.y, c.x) > world->mask_level)
                    found(user, c.y, c.x,
                          surface_height(world, 1, noise_at(&surface, c.y, c.x), c.x) + c.z,
                          c.r * world->px_um);
            }
        }
    }
    noise_close(&mask);
    noise_close(&surface);
}
