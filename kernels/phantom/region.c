// SPDX-License-Identifier: MIT
// region.c: fields evaluated at nodes and joined by straight lines.
#include "phantom/region.h"

#include <math.h>
#include <stdlib.h>

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

void region_place(const struct region *region, const struct world *world, const double p[2],
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

void region_box(const struct region *r, double box[4])
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

float world_surface(const struct world *world, int cycle, float f2, double x)
{
    int nz = world->params.planes;
    float low = nz >= 5 ? 2 : (float)(nz - 1) / 2, high = nz >= 5 ? (float)nz - 3 : low;
    double room = fmin(1, fmax(0, (nz - 4) / 8.0));
    double z = (nz - 1) / 2.0 + world->z_offset[cycle - 1] +
               room * (world->d.surface * f2 / 3 + world->d.tilt * (2 * x / world->canvas_w - 1));
    return kin_clamp((float)z, low, high);
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
        r->tissue[i] = kin_clamp(6 * (f1 - (float)world->mask_level) + 0.5f, 0, 1);
        r->glow[i] = r->tissue[i] * kin_clamp(0.6f + 0.35f * f1, 0.1f, 3);
        r->z0[i] = world_surface(world, r->cycle, r->z0[i], r->px[i]);
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
    region_box(r, box);
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
