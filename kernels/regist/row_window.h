/* SPDX-License-Identifier: MIT
 *
 * row_window.h: images of 16-bit samples that may be larger than a device's memory. A window holds
 * as many of an image's rows as it has room for; those that are asked for are brought there.
 *
 *     struct row_window window;
 *     row_window_open(dev, &window, &source, room);
 *     if (row_window_need(dev, &window, (struct row_span){y0, y1}))
 *         ... window.rows in warp_u16 or block_gather ...
 *     row_window_close(dev, &window);
 *
 * Failures stay in the device, those of reading a file too. */
#pragma once

#include "device/device.h"
#include "device/warp.h"
#include "image/volume.h"

/* Rows first .. end-1. */
struct row_span {
    int first, end;
};

/* ---- what a map leads to --------------------------------------------------------------------- */

/* A map as primitives take it, and how far its field moves anything. */
struct warp_view {
    struct warp_map map; /* grid.u: device memory, owned */
    double reach;        /* px: |u_y| is no larger */
};

/* map: host memory, not needed any more afterwards. False: see the device; closing does no harm. */
bool warp_view_open(struct device *dev, struct warp_view *view, const struct warp_map *map);
void warp_view_close(struct device *dev, struct warp_view *view);

/* How far a field moves anything whose nodes lie no further than that from where they were. */
double warp_reach(double most);

struct pixel_box { /* pixels y0 .. y1-1, x0 .. x1-1 */
    int y0, y1, x0, x1;
};

/* The rows of an image of h rows that are read for the pixels of a box seen through a view (NULL:
 * where they lie); at least one. */
struct row_span warp_view_rows(const struct warp_view *view, const struct pixel_box *box, int h);

/* How many of them are read at most for so many rows of a canvas. */
int warp_view_most_rows(const struct warp_view *view, struct kin_dims canvas, int rows, int h);

/* ---- windows --------------------------------------------------------------------------------- */

struct row_window {
    struct image_rows rows; /* what is there; pixels: owned */
    int room;               /* rows that fit */
    struct kin_source source;
    struct row_window *of;        /* borrowed; not NULL: what the view shows of that instead */
    const struct warp_view *view; /* borrowed */
};

/* A window with room for so many rows (0: for all) of one plane of KIN_U16; the source must outlive
 * it. Nothing is read yet. False: see the device; closing does no harm. */
bool row_window_open(struct device *dev, struct row_window *window, const struct kin_source *source,
                     int room);

/* A window of what a view shows of another on a canvas of dims: what many overlapping blocks would
 * else interpolate several times. */
bool row_window_through(struct device *dev, struct row_window *window, struct row_window *of,
                        const struct warp_view *view, struct kin_dims dims, int room);
void row_window_close(struct device *dev, struct row_window *window);

/* Brings rows to window->rows if they are not there. False: see the device, which says so too when
 * there is not the room. */
bool row_window_need(struct device *dev, struct row_window *window, struct row_span span);

static inline bool row_window_has_room(const struct row_window *window, struct row_span span)
{
    return span.end - span.first <= window->room;
}
