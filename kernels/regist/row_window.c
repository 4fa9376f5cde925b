// SPDX-License-Identifier: MIT
// row_window.c: rows of images on a device, and which rows a map leads to.
#include "regist/row_window.h"

#include <math.h>
#include <stdlib.h>

enum { STAGING = 4 << 20 }; // bytes of the host through which rows go

// ---- what a map leads to ------------------------------------------------------------------------

// Between nodes Catmull-Rom goes beyond them by an eighth of their size on either side and axis.
double warp_reach(double most)
{
    return 1.25 * 1.25 * most;
}

static double reach_of(const struct warp_grid *grid)
{
    double most = 0;
    for (int i = 0; i < grid->rows * grid->cols; i++)
        most = fmax(most, fabs((double)grid->u[i]));
    return warp_reach(most);
}

bool warp_view_open(struct device *dev, struct warp_view *view, const struct warp_map *map)
{
    size_t bytes = 2 * (size_t)map->grid.rows * (size_t)map->grid.cols * sizeof(float);
    *view = (struct warp_view){*map, reach_of(&map->grid)};
    view->map.grid.gentle = bytes && warp_grid_is_gentle(&map->grid);
    view->map.grid.u = bytes ? dev->alloc(dev, bytes) : NULL;
    if (view->map.grid.u)
        dev->upload(dev, view->map.grid.u, map->grid.u, bytes);
    return !device_stopped(dev);
}

void warp_view_close(struct device *dev, struct warp_view *view)
{
    dev->release(dev, view->map.grid.u);
    view->map.grid.u = NULL;
}

static int within(double y, int low, int high)
{
    return !(y >= low) ? low : y > high ? high : (int)y;
}

struct row_span warp_view_rows(const struct warp_view *view, const struct pixel_box *box, int h)
{
    double low = box->y0, high = box->y1 - 1;
    if (view) {
        low = INFINITY;
        high = -INFINITY;
        for (int i = 0; i < 4; i++) {
            double p[2] = {i / 2 ? box->y1 - 1 : box->y0, i % 2 ? box->x1 - 1 : box->x0}, q[2];
            warp_affine_point(&view->map, p, q);
            low = fmin(low, q[0]);
            high = fmax(high, q[0]);
        }
        low -= view->reach + 2; // four rows are interpolated; one more for rounding
        high += view->reach + 3;
    }
    return (struct row_span){within(floor(low), 0, h - 1), within(ceil(high) + 1, 1, h)};
}

int warp_view_most_rows(const struct warp_view *view, struct kin_dims canvas, int rows, int h)
{
    int most = 0;
    for (int y = 0; y < canvas.y; y += rows) {
        struct pixel_box box = {y, canvas.y - y < rows ? canvas.y : y + rows, 0, canvas.x};
        struct row_span span = warp_view_rows(view, &box, h);
        most = span.end - span.first > most ? span.end - span.first : most;
    }
    return most;
}

// ---- windows ------------------------------------------------------------------------------------

static bool make_room(struct device *dev, struct row_window *window, struct kin_dims dims, int room)
{
    window->rows.dims = (struct kin_dims){1, dims.y, dims.x};
    window->room = room > 0 && room < dims.y ? room : dims.y;
    window->rows.pixels = dev->alloc(dev, (size_t)window->room * (size_t)dims.x * sizeof(uint16_t));
    return !device_stopped(dev);
}

bool row_window_open(struct device *dev, struct row_window *window, const struct kin_source *source,
                     int room)
{
    *window = (struct row_window){.source = *source};
    return make_room(dev, window, source->dims, room);
}

bool row_window_through(struct device *dev, struct row_window *window, struct row_window *of,
                        const struct warp_view *view, struct kin_dims dims, int room)
{
    *window = (struct row_window){.of = of, .view = view};
    return make_room(dev, window, dims, room);
}

void row_window_close(struct device *dev, struct row_window *window)
{
    dev->release(dev, (void *)(uintptr_t)window->rows.pixels);
    *window = (struct row_window){0};
}

// Device memory for row y of those that the window is to hold.
static uint16_t *place_of(const struct row_window *window, int y)
{
    return (uint16_t *)(uintptr_t)window->rows.pixels +
           (size_t)(y - window->rows.first) * (size_t)window->rows.dims.x;
}

static void read_rows(struct device *dev, struct row_window *window, struct row_span span)
{
    struct kin_error why = {0};
    size_t row = (size_t)window->rows.dims.x * sizeof(uint16_t);
    int most = row < STAGING ? (int)(STAGING / row) : 1, n;
    uint16_t *staging = malloc((size_t)most * row);
    if (!staging)
        device_fail(dev, KIN_MEMORY, "no memory for %d rows of an image", most);
    for (int y = span.first; y < span.end && !device_stopped(dev); y += n) {
        n = span.end - y < most ? span.end - y : most;
        if (window->source.rows(window->source.user, 0, y, n, staging, &why))
            dev->upload(dev, place_of(window, y), staging, (size_t)n * row);
        else
            device_fail(dev, why.code, "%s", why.text);
    }
    free(staging);
}

// As many rows at a time as the window that they are seen in has room for.
static void see_rows(struct device *dev, struct row_window *window, struct row_span span)
{
    struct row_window *of = window->of;
    int w = window->rows.dims.x, n;
    for (int y = span.first; y < span.end && !device_stopped(dev); y += n) {
        struct pixel_box box = {y, span.end, 0, w};
        struct row_span there = warp_view_rows(window->view, &box, of->rows.dims.y);
        while (box.y1 > y + 1 && !row_window_has_room(of, there)) {
            box.y1 = y + (box.y1 - y) / 2;
            there = warp_view_rows(window->view, &box, of->rows.dims.y);
        }
        n = box.y1 - y;
        if (row_window_need(dev, of, there))
            dev->warp_u16(dev, place_of(window, y), NULL, &of->rows, window->rows.dims, y, n,
                          &window->view->map);
    }
}

bool row_window_need(struct device *dev, struct row_window *window, struct row_span span)
{
    struct image_rows *rows = &window->rows;
    int last = rows->dims.y - window->room;
    if (device_stopped(dev))
        return false;
    if (span.first >= rows->first && span.end <= rows->first + rows->count)
        return true;
    if (!row_window_has_room(window, span)) {
        device_fail(dev, KIN_MEMORY,
                    "%d rows of an image are needed at a time, and there is memory for %d",
                    span.end - span.first, window->room);
        return false;
    }
    rows->first = span.first < last ? span.first : last;
    rows->count = window->room;
    struct row_span all = {rows->first, rows->first + rows->count};
    if (window->of)
        see_rows(dev, window, all);
    else
        read_rows(dev, window, all);
    if (device_stopped(dev))
        rows->count = 0;
    return !device_stopped(dev);
}
