// SPDX-License-Identifier: MIT
#include "device/warp.h"

#include "device/cubic.h"

#include <math.h>

struct warp_map warp_identity(double cy, double cx)
{
    return (struct warp_map){.a = {1, 0, 0, 1}, .c = {cy, cx}};
}

void warp_affine_point(const struct warp_map *map, const double p[2], double q[2])
{
    double y = p[0] - map->c[0], x = p[1] - map->c[1];
    q[0] = map->a[0] * y + map->a[1] * x + map->c[0] + map->t[0];
    q[1] = map->a[2] * y + map->a[3] * x + map->c[1] + map->t[1];
}

void warp_grid_at(const struct warp_grid *grid, double y, double x, double u[2])
{
    float at[2];
    cubic_grid_at(grid, (float)y, (float)x, at);
    u[0] = at[0];
    u[1] = at[1];
}

bool warp_grid_is_gentle(const struct warp_grid *grid)
{
    // what the slope between two nodes, and the interpolation across columns, may add to the steps
    // from node to node
    const double along = 1.5, across = 1.25;
    double most = 0;
    for (int i = 0; i < 2 * grid->rows * grid->cols; i++)
        if (i / grid->cols % grid->rows + 1 < grid->rows)
            most = fmax(most, fabs((double)grid->u[i + grid->cols] - (double)grid->u[i]));
    return along * across * most < WARP_GENTLE * (double)grid->step;
}
