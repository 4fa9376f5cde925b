// SPDX-License-Identifier: MIT
// cells.c: what is drawn from the counter (stream, square, number).
#include "phantom/cells.h"

#include <math.h>

#include "phantom/philox.h"

static const double DENSITY_UM2 = 9e-3; /* nuclei in dense tissue */

int cells_in_square(const struct world *world, int gy, int gx)
{
    double lambda = DENSITY_UM2 * CELL_UM * CELL_UM, p = exp(-lambda), sum = p;
    double u = philox_unit(
        philox(world->params.seed, STREAM_COUNT, (uint32_t)gy, (uint32_t)gx, 0).v[0]);
    int n = 0;
    while (u > sum && n < 30)
        sum += p *= lambda / ++n;
    return n;
}

void cell_draw(const struct world *world, int cycle, int gy, int gx, int number, struct cell *c)
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
                       .r = philox_range(a.v[2], 2.4, CELL_RADIUS_UM) / world->px_um,
                       .flat = philox_range(a.v[3], 0.6, 1),
                       .turn = philox_range(b.v[0], 0, M_PI),
                       .rz = philox_range(b.v[1], 1500, 2500) / world->params.z_nm,
                       .lobe = philox_range(b.v[2], 0, 2 * M_PI),
                       .amplitude = exp(0.35 * height[0]),
                       .id = {y, x, n + (changed ? 64 * (uint32_t)cycle : 0)},
                       .glows = philox_unit(b.v[3]) < 0.04};
}

double cell_expression(const struct world *world, const struct cell *cell, int marker)
{
    uint64_t seed = world->params.seed;
    struct philox m = philox(seed, STREAM_EXPRESSION, 0xffffffffu, 0, (uint32_t)marker);
    double share = philox_range(m.v[0], 0.1, 0.5);
    struct philox e = philox(seed, STREAM_EXPRESSION + 16 * (uint32_t)marker, cell->id[0],
                             cell->id[1], cell->id[2]);
    return philox_unit(e.v[0]) < share ? philox_range(e.v[1], 0.5, 1.3) : 0;
}

bool marker_is_nuclear(const struct world *world, int marker)
{
    return philox_unit(
               philox(world->params.seed, STREAM_EXPRESSION, 0xffffffffu, 1, (uint32_t)marker)
                   .v[0]) < 0.2;
}
