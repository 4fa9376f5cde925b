// SPDX-License-Identifier: MIT
// blocks.c: the probe (probe.h) on lattices.
#include "regist/blocks.h"

#include <stdlib.h>

enum { FIELD_REACH = 10 };

int regist_block_size(struct kin_dims d)
{
    int least = d.y < d.x ? d.y : d.x;
    return least >= 768 ? 128 : least >= 256 ? 96 : least >= 128 ? 64 : least;
}

struct probe_lattice regist_lattice(struct kin_dims d, int size, int step, int more)
{
    struct probe_lattice lattice = probe_lattice_over(d, size, step);
    while ((int64_t)lattice.rows * lattice.cols > REGIST_MANY_BLOCKS)
        lattice = probe_lattice_over(d, size, step += more);
    return lattice;
}

void regist_measure_lattice(struct device *dev, struct probe *probe, struct probe_image *ref,
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

struct probe_point *regist_measure(struct task *t, const struct probe_lattice *lattice,
                                   const struct warp_grid *field)
{
    struct device *dev = t->r->dev;
    struct probe *probe = probe_new(dev, lattice->size, lattice->size, FIELD_REACH, FIELD_REACH,
                                    lattice->rows * lattice->cols);
    struct probe_point *points = probe_lattice_points(lattice);
    if (probe && points) {
        struct warp_map map = t->map;
        map.grid = *field;
        regist_measure_lattice(dev, probe, &t->r->full, &t->full, &map, lattice, points);
    }
    probe_free(probe);
    if (!points)
        device_fail(dev, KIN_MEMORY, "no memory for the blocks of a field");
    if (!device_stopped(dev))
        return points;
    free(points);
    return NULL;
}
