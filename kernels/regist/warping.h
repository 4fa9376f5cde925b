/* SPDX-License-Identifier: MIT
 *
 * warping.h: an image brought onto a canvas, band by band from top to bottom. Neither needs to fit
 * into memory: where it is short, bands are lower and the device holds only the rows of the image
 * that a band reads. No bit of the result changes.
 *
 *     struct warping *w = warping_open(dev, &source, &map, canvas, memory);
 *     for (int y = 0, rows = 0; y < canvas.y &&
 *         (rows = warping_next(w, &pixels, &cover)); y += rows)
 *         ...
 *     warping_close(w);
 *     bool good = device_ok(dev, &err); */
#pragma once

#include "regist/row_window.h"

struct warping;

/* The source, a plane of uint16, must outlive what is returned; map: host memory, copied. memory:
 * bytes that may be used on the CPU (a card knows its own); 0: no limit. NULL: see the device. */
struct warping *warping_open(struct device *dev, const struct kin_source *source,
                             const struct warp_map *map, struct kin_dims canvas, size_t memory);
void warping_close(struct warping *warping);

/* The next rows of the canvas: pixels (rows, canvas.x), 0 outside the image, and cover, 255 inside
 * it; both host memory that the next call overwrites. Answers how many; 0 at the end, and on
 * failure (see the device). */
int warping_next(struct warping *warping, const uint16_t **pixels, const uint8_t **cover);
