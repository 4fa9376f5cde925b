// SPDX-License-Identifier: MIT
// cut.c: how the making of a plane is cut so that it fits into memory.
//
// Rows and widths are powers of two (but for the one window that is as wide as the canvas), so that
// small windows lie in large ones: what a smaller cut needs is never more.
#include "stitch/cut.h"

#include <string.h>

enum {
    BAND = 256,
    LEAST = 16,
    WINDOWS = 1024
}; /* rows; rows or columns; windows of a band, at most */

/* The first pixel of tile k. */
static void corner(const struct stitch_params *params, const struct stitch_model *model, int k,
                   int *y, int *x)
{
    float fraction;
    *y = stitch_pixel(model->places[k].y, params->whole_pixels, &fraction);
    *x = stitch_pixel(model->places[k].x, params->whole_pixels, &fraction);
}

bool stitch_meets(const struct stitch_params *params, const struct stitch_model *model, int k,
                  const struct stitch_window *window)
{
    int y, x;
    corner(params, model, k, &y, &x);
    return y < window->y1 && y + params->tile_h > window->y0 && x < window->x1 &&
           x + params->tile_w > window->x0;
}

/* Adds the tiles under the band at y to the reads; answers how many the fullest of its windows
 * has. */
static int count_band(const struct stitch_cutting *what, struct stitch_cut *cut, int y)
{
    int change[WINDOWS + 1] = {0}, under = 0, most = 0, top, left;
    int windows = (what->model->canvas_w + cut->width - 1) / cut->width;
    for (int k = 0; k < what->model->tiles; k++) {
        corner(what->params, what->model, k, &top, &left);
        if (top >= y + cut->rows || top + what->params->tile_h <= y)
            continue;
        change[left / cut->width]++;
        change[(left + what->params->tile_w - 1) / cut->width + 1]--;
        cut->reads++;
    }
    for (int i = 0; i < windows; i++) {
        under += change[i];
        most = under > most ? under : most;
    }
    return most;
}

/* On the device: the tiles of a window, with a low band if there are two, and room for smoothing
 * one; a raw tile, the shading, levels; the window with its coverage; lists; what looks at the
 * plane. On the host: tiles as they were read and files that are, two bands, the writers' strips,
 * and a window on its way into a band. */
static void count_bytes(const struct stitch_cutting *what, struct stitch_cut *cut, int held)
{
    const struct stitch_params *p = what->params;
    size_t n = (size_t)p->tile_h * (size_t)p->tile_w, canvas = (size_t)what->model->canvas_w;
    size_t rows = (size_t)(cut->rows < what->model->canvas_h ? cut->rows : what->model->canvas_h);
    size_t window = rows * (size_t)cut->width, many = (size_t)held;
    size_t floats = many * (p->two_bands ? 2 : 1) + (p->two_bands ? 1 : 0) + (what->levels ? 4 : 2);
    cut->on_device = floats * n * sizeof(float) + n * sizeof(uint16_t) + 3 * window +
                     (many + 1) * sizeof(struct mosaic_tile) + 1024 + what->looks;
    cut->on_host = (many + 3) * n * sizeof(uint16_t) + 6 * rows * canvas + 192 * canvas +
                   (window < rows * canvas ? window * sizeof(uint16_t) : 0);
}

static struct stitch_cut cut_into(const struct stitch_cutting *what, int rows, int width)
{
    struct stitch_cut cut = {.rows = rows, .width = width};
    int most = 0;
    for (int y = 0; y < what->model->canvas_h; y += rows) {
        int held = count_band(what, &cut, y);
        most = held > most ? held : most;
    }
    if (width == what->model->canvas_w)
        cut.reads = what->model->tiles;
    count_bytes(what, &cut, most);
    return cut;
}

/* Bytes of the host. */
static size_t host_need(const struct stitch_cutting *what, const struct stitch_cut *cut)
{
    return what->params->held +
           (size_t)stitch_beside(what->params) * (cut->on_host + (what->card ? 0 : cut->on_device));
}

static bool fits(const struct stitch_cutting *what, const struct stitch_cut *cut)
{
    size_t host = what->params->memory;
    return (!what->card || (size_t)stitch_beside(what->params) * cut->on_device <= what->card) &&
           (!host || host_need(what, cut) <= host);
}

bool stitch_cut_is_whole(const struct stitch_cutting *what, const struct stitch_cut *cut)
{
    return cut->rows == BAND && cut->width == what->model->canvas_w;
}

bool stitch_cut_is_tight(const struct stitch_cutting *what, const struct stitch_cut *cut)
{
    return what->params->memory && host_need(what, cut) > what->params->memory / 2;
}

/* An eighth of a tile: narrower windows lie under as many tiles. */
static int narrowest(const struct stitch_cutting *what)
{
    int width = LEAST, canvas = what->model->canvas_w;
    while (2 * width <= what->params->tile_w / 8 || canvas / width >= WINDOWS)
        width *= 2;
    return width < canvas ? width : canvas;
}

struct stitch_cut stitch_cut_least(const struct stitch_cutting *what)
{
    return cut_into(what, LEAST, narrowest(what));
}

static bool too_little(const struct stitch_cutting *what, struct kin_error *err)
{
    struct stitch_cut least = stitch_cut_least(what);
    int h = what->model->canvas_h, w = what->model->canvas_w;
    bool on_card = what->card && least.on_device > what->card;
    size_t has = on_card ? what->card : what->params->memory,
           needs = on_card ? least.on_device : host_need(what, &least);
    return kin_fail(err, KIN_MEMORY,
                    "%zu MB%s are too little memory for a mosaic of %d x %d: at least %zu MB (%s)",
                    has >> 20, on_card ? " of the card" : "", h, w, (needs >> 20) + 1,
                    on_card ? "--gpu-memory" : "--memory");
}

bool stitch_cut_choose(const struct stitch_cutting *what, struct stitch_cut *cut,
                       struct kin_error *err)
{
    int h = what->model->canvas_h, w = what->model->canvas_w;
    bool found = false;
    for (int rows = BAND; rows >= LEAST; rows /= 2) {
        *cut = cut_into(what, rows, w);
        if (fits(what, cut))
            return true;
    }
    for (int rows = LEAST; rows < 2 * h; rows *= 2) {
        for (int width = narrowest(what); width < w; width *= 2) {
            struct stitch_cut c = cut_into(what, rows, width);
            bool better = !found || c.reads < cut->reads ||
                          (c.reads == cut->reads && width > cut->width);
            if (!fits(what, &c))
                break;
            *cut = better ? c : *cut;
            found = true;
        }
    }
    return found || too_little(what, err);
}
