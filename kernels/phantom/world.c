// SPDX-License-Identifier: MIT
// world.c: the way each cycle finds the tissue, drawn from the seed by difficulty.
#include "phantom/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rank.h"
#include "phantom/philox.h"

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

int world_marker_number(const struct world *world, int cycle, int channel)
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
