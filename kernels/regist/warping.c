// SPDX-License-Identifier: MIT
// warping.c: bands of a canvas from windows of an image.
#include "regist/warping.h"

#include <stdlib.h>

enum { BAND = 256, LEAST_BAND = 16 };

struct warping {
    struct device *dev;
    struct kin_source source;
    struct row_window window; // of the source
    struct warp_view view;
    struct kin_dims to;
    int y, band;   // the next row; rows that are made at a time
    uint16_t *dst; // (band, to.x), device memory
    uint8_t *cover;
    uint16_t *host; // the same, host memory
    uint8_t *host_cover;
};

// All of the source where there is memory for it, else bands as high as fit. On the CPU a band is
// there twice. Answers the window's rows; 0: not even the lowest band fits.
static int choose_bands(struct warping *w, size_t memory)
{
    size_t line = (size_t)w->source.dims.x * sizeof *w->dst;
    size_t made = (size_t)w->to.x * (sizeof *w->dst + sizeof *w->cover) * (w->dev->memory ? 1 : 2);
    for (w->band = BAND; w->band >= LEAST_BAND; w->band /= 2) {
        size_t bands = made * (size_t)w->band, left = memory > bands ? (memory - bands) / line : 0;
        if (!memory || left >= (size_t)w->source.dims.y)
            return w->source.dims.y;
        if (left >= (size_t)warp_view_most_rows(&w->view, w->to, w->band, w->source.dims.y))
            return (int)left;
    }
    return 0;
}

static void release_buffers(struct warping *w)
{
    struct device *dev = w->dev;
    row_window_close(dev, &w->window);
    dev->release(dev, w->dst);
    dev->release(dev, w->cover);
    free(w->host);
    free(w->host_cover);
    w->dst = w->host = NULL;
    w->cover = w->host_cover = NULL;
}

static bool take_buffers(struct warping *w, size_t memory)
{
    struct device *dev = w->dev;
    int room = choose_bands(w, memory);
    size_t n = (size_t)w->band * (size_t)w->to.x;
    if (room) {
        w->host = malloc(n * sizeof *w->host);
        w->host_cover = malloc(n);
    }
    if (!w->host || !w->host_cover) {
        device_fail(dev, KIN_MEMORY,
                    "%zu MB%s are too little memory for a band of an image of %d x %d pixels (%s)",
                    memory >> 20, dev->memory ? " of the card" : "", w->source.dims.y,
                    w->source.dims.x, dev->memory ? "--gpu-memory" : "--memory");
        return false;
    }
    w->dst = dev->alloc(dev, n * sizeof *w->dst);
    w->cover = dev->alloc(dev, n);
    return row_window_open(dev, &w->window, &w->source, room);
}

struct warping *warping_open(struct device *dev, const struct kin_source *source,
                             const struct warp_map *map, struct kin_dims canvas, size_t memory)
{
    struct warping *w = calloc(1, sizeof *w);
    if (!w) {
        device_fail(dev, KIN_MEMORY, "no memory for a warp");
        return NULL;
    }
    *w = (struct warping){.dev = dev, .source = *source, .to = canvas};
    bool good = warp_view_open(dev, &w->view, map);
    memory = dev->memory ? dev->memory : memory;
    while (good && !take_buffers(w, memory)) {
        release_buffers(w);
        memory /= 2; // others have taken some of the card's
        good = memory && choose_bands(w, memory) && device_forgive(dev);
    }
    if (good)
        return w;
    warping_close(w);
    return NULL;
}

void warping_close(struct warping *warping)
{
    if (!warping)
        return;
    release_buffers(warping);
    warp_view_close(warping->dev, &warping->view);
    free(warping);
}

int warping_next(struct warping *w, const uint16_t **pixels, const uint8_t **cover)
{
    struct device *dev = w->dev;
    int rows = w->to.y - w->y < w->band ? w->to.y - w->y : w->band;
    size_t n = (size_t)rows * (size_t)w->to.x;
    struct pixel_box box = {w->y, w->y + rows, 0, w->to.x};
    if (rows <= 0 ||
        !row_window_need(dev, &w->window, warp_view_rows(&w->view, &box, w->source.dims.y)))
        return 0;
    dev->warp_u16(dev, w->dst, w->cover, &w->window.rows, w->to, w->y, rows, &w->view.map);
    dev->download(dev, w->host, w->dst, n * sizeof *w->host);
    dev->download(dev, w->host_cover, w->cover, n);
    *pixels = w->host;
    *cover = w->host_cover;
    w->y += rows;
    return device_stopped(dev) ? 0 : rows;
}
