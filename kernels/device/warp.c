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

// Whether u changes by little from one node to another.
static bool is_little(const struct warp_grid *grid, int node, int other)
{
    // what slopes between nodes, and interpolation across, may add to the steps from node to node
    const float along = 1.5f, across = 1.25f;
    return fabsf(grid->u[other] - grid->u[node]) * along * across < (float)WARP_GENTLE * grid->step;
}

bool warp_grid_is_gentle(const struct warp_grid *grid)
{
    for (int i = 0; i < 2 * grid->rows * grid->cols; i++) {
        int right = (i + 1) % grid->cols ? i + 1 : i,
            below = i / grid->cols % grid->rows + 1 < grid->rows ? i + grid->cols : i;
        if (!(fabsf(grid->u[i]) <= WARP_FIELD_MOST) || !is_little(grid, i, right) ||
            !is_little(grid, i, below))
            return false;
    }
    return true;
}
