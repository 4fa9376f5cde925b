// SPDX-License-Identifier: MIT
// paint.c: cells as strokes, a layer of glow, specks of dirt.
#include "phantom/paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/simd.h"
#include "phantom/cells.h"
#include "phantom/philox.h"

static const double REACH = 1.9; /* a cell's membrane ends there, in radii */

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
        return kin_clamp(4 * (1 - d) + 0.5f, 0, 1) * (1 - 0.35f * d * d) *
               fmaxf(0, 1 + 0.35f * texture);
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
    int y = (int)kin_clamp((float)s->y, 0, (float)r->h - 1),
        x = (int)kin_clamp((float)s->x, 0, (float)r->w - 1);
    return r->z0[(size_t)y * r->w + x];
}

/* Visits each square of the lattice that can reach into the region. */
static void square_range(const struct world *world, const struct region *r, int range[4])
{
    double box[4], side = CELL_UM / world->px_um, reach = CELL_RADIUS_UM * REACH / world->px_um + 2;
    region_box(r, box);
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
    case STAIN_MARKER: return coat->height * cell_expression(world, cell, coat->marker);
    case STAIN_BLANK: return cell->glows ? coat->height * cell->amplitude : 0;
    }
    return 0;
}

static bool gather_strokes(const struct world *world, const struct region *r,
                           const struct coat *coat, struct strokes *list)
{
    int range[4];
    square_range(world, r, range);
    bool ring = coat->stain == STAIN_MARKER && !marker_is_nuclear(world, coat->marker);
    for (int gy = range[0]; gy <= range[2]; gy++) {
        for (int gx = range[1]; gx <= range[3]; gx++) {
            for (int k = 0; k < cells_in_square(world, gy, gx); k++) {
                struct stroke s = {.look = ring ? LOOK_MEMBRANE : LOOK_BODY};
                cell_draw(world, r->cycle, gy, gx, k, &s.cell);
                s.height = (float)coat_height(world, coat, &s.cell);
                double p[2] = {s.cell.y, s.cell.x}, q[2];
                if (s.height <= 0)
                    continue;
                region_place(r, world, p, q);
                s.y = q[0] - r->y0;
                s.x = q[1] - r->x0;
                s.tissue_z = surface_at(r, &s);
                if (!add_stroke(list, &s))
                    return false;
            }
        }
    }
    return true;
}

static bool paint_coat(const struct world *world, const struct region *r, const struct coat *coat,
                       float *volume)
{
    struct strokes list = {0};
    size_t plane = (size_t)r->h * (size_t)r->w;
    bool good = gather_strokes(world, r, coat, &list);
#pragma omp parallel for schedule(dynamic, 1)
    for (int z = 0; z < world->params.planes; z++) {
        for (int i = 0; i < list.count; i++)
            paint_plane(r, &list.at[i], z, volume + (size_t)z * plane);
    }
    free(list.at);
    return good;
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

static void paint_speck(const struct region *r, const double speck[4], float *volume)
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
                paint_speck(r, speck, volume);
        }
    }
}

static bool paint_stain(const struct world *world, const struct region *r, int cycle, int channel,
                        double height, float *volume)
{
    struct coat coat = {world_stain(world, cycle, channel),
                        world_marker_number(world, cycle, channel), height};
    return coat.stain == STAIN_BLANK || paint_coat(world, r, &coat, volume);
}

bool region_object(const struct world *world, const struct region *r, int channel, enum parts parts,
                   float *volume)
{
    static const double spectrum[] = {1, 0.7, 0.4, 0.2};
    double glow = world->d.autofluorescence * spectrum[channel < 4 ? channel - 1 : 3] *
                  exp(-0.03 * (r->cycle - 1));
    bool nuclei = world_stain(world, r->cycle, channel) == STAIN_NUCLEI;
    memset(volume, 0, (size_t)r->h * (size_t)r->w * (size_t)world->params.planes * sizeof *volume);
    bool good = paint_stain(world, r, r->cycle, channel, nuclei ? exp(-0.08 * (r->cycle - 1)) : 1,
                            volume);
    if (nuclei)
        saturate(world, r, volume);
    if (parts == PARTS_SIGNAL)
        return good;
    if (r->cycle > 1 && !nuclei)
        good = paint_stain(world, r, r->cycle - 1, channel, 0.03, volume) && good;
    add_glow(world, r, glow, volume);
    struct coat cells = {STAIN_BLANK, 0, 2.5 * glow};
    good = paint_coat(world, r, &cells, volume) && good;
    if (world->d.debris > 0 && !r->registered)
        add_debris(world, r, volume);
    return good;
}

bool world_each_nucleus(const struct world *world,
                        void (*found)(void *user, double y, double x, double z, double radius_um),
                        void *user)
{
    double side = CELL_UM / world->px_um;
    struct noise_patch mask, surface;
    if (!noise_open(&mask, &world->mask, 0, 0, world->canvas_h, world->canvas_w))
        return false;
    if (!noise_open(&surface, &world->surface, 0, 0, world->canvas_h, world->canvas_w)) {
        noise_close(&mask);
        return false;
    }
    for (int gy = 0; gy <= (int)(world->canvas_h / side); gy++) {
        for (int gx = 0; gx <= (int)(world->canvas_w / side); gx++) {
            for (int k = 0; k < cells_in_square(world, gy, gx); k++) {
                struct cell c;
                cell_draw(world, 1, gy, gx, k, &c);
                bool inside = c.y < world->canvas_h && c.x < world->canvas_w;
                if (inside && noise_at(&mask, c.y, c.x) > world->mask_level)
                    found(user, c.y, c.x,
                          world_surface(world, 1, noise_at(&surface, c.y, c.x), c.x) + c.z,
                          c.r * world->px_um);
            }
        }
    }
    noise_close(&mask);
    noise_close(&surface);
    return true;
}
