// SPDX-License-Identifier: MIT
// stitch.c: where tiles lie in the grid and in the mosaic. The fit of their positions is in fit.c.
#include "stitch/stitch.h"

#include <math.h>
#include <stdlib.h>

void stitch_place(const struct stitch_scan *scan, int k, int *row, int *col)
{
    int length = scan->column_major ? scan->rows : scan->cols, line = k / length, at = k % length;
    if (!scan->raster && line % 2)
        at = length - 1 - at;
    *row = scan->column_major ? at : line;
    *col = scan->column_major ? line : at;
    if (scan->start_bottom)
        *row = scan->rows - 1 - *row;
    if (scan->start_right)
        *col = scan->cols - 1 - *col;
}

int stitch_tile_at(const struct stitch_scan *scan, int row, int col)
{
    if (row < 0 || col < 0 || row >= scan->rows || col >= scan->cols)
        return -1;
    row = scan->start_bottom ? scan->rows - 1 - row : row;
    col = scan->start_right ? scan->cols - 1 - col : col;
    int length = scan->column_major ? scan->rows : scan->cols,
        line = scan->column_major ? col : row, at = scan->column_major ? row : col;
    return line * length + (!scan->raster && line % 2 ? length - 1 - at : at);
}

void stitch_canvas(const struct stitch_params *params, struct stitch_model *m)
{
    double low[2] = {INFINITY, INFINITY};
    m->canvas_h = m->canvas_w = 0;
    for (int k = 0; k < m->tiles; k++) {
        low[0] = fmin(low[0], m->places[k].y);
        low[1] = fmin(low[1], m->places[k].x);
    }
    for (int k = 0; k < m->tiles; k++) {
        m->places[k].y -= low[0];
        m->places[k].x -= low[1];
        float fraction;
        int h = stitch_pixel(m->places[k].y, params->whole_pixels, &fraction) + params->tile_h,
            w = stitch_pixel(m->places[k].x, params->whole_pixels, &fraction) + params->tile_w;
        m->canvas_h = h > m->canvas_h ? h : m->canvas_h;
        m->canvas_w = w > m->canvas_w ? w : m->canvas_w;
    }
}

static bool memory_has(void *user, int tile)
{
    return ((const uint16_t *const *)user)[tile] != NULL;
}

static const uint16_t *memory_get(void *user, int tile, struct kin_error *err)
{
    return ((const uint16_t *const *)user)[tile];
}

struct stitch_tiles stitch_tiles_in_memory(const uint16_t *const *tiles)
{
    return (struct stitch_tiles){(void *)(uintptr_t)tiles, memory_has, memory_get, true};
}

void stitch_model_free(struct stitch_model *m)
{
    if (!m)
        return;
    free(m->places);
    free(m->edges);
    *m = (struct stitch_model){.seam_median = NAN};
}

int stitch_pixel(double place, bool whole_pixels, float *fraction)
{
    double pixel = floor(place), rest = place - pixel;
    *fraction = 0;
    if (whole_pixels || rest < 0.02 || rest > 0.98)
        return (int)rint(place);
    *fraction = (float)rest;
    return (int)pixel;
}

void stitch_ramp(float *weights, int n, double overlap)
{
    double length = fmax(1, rint(overlap * n));
    for (int i = 0; i < n; i++) {
        int distance = (i < n - 1 - i ? i : n - 1 - i) + 1;
        weights[i] = (float)fmin(1, distance / length);
    }
}
