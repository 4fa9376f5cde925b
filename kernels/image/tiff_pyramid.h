/* SPDX-License-Identifier: MIT
 *
 * tiff_pyramid.h: a TIFF of uint16 pages in tiles, each with smaller copies of itself as SubIFDs
 * (level k is level k-1 averaged 2 x 2), written from rows as they come.
 *
 *     struct tiff_pyramid *p = tiff_pyramid_create(path, dims, text, &options, &err);
 *     tiff_pyramid_rows(p, rows, count, &err);   // page after page, top to bottom
 *     tiff_pyramid_commit(p, &err);
 *
 * Held in memory: one row of tiles and the smaller levels of one page, a third of its size. */
#pragma once

#include "kintsugi.h"

enum { TIFF_PYRAMID_TILE = 512 };

struct tiff_pyramid;

/* Starts a file of dims.z pages under a temporary name. text becomes the first page's
 * ImageDescription (borrowed during the call). Of options, rows_per_strip and unsynced mean nothing
 * here. BigTIFF when the samples alone come near 4 GB. NULL: err. */
struct tiff_pyramid *tiff_pyramid_create(const char *path, struct kin_dims dims, const char *text,
                                         const struct kin_tiff_options *options,
                                         struct kin_error *err);

/* The next count rows; they may run over from one page into the next only at a call's end. */
bool tiff_pyramid_rows(struct tiff_pyramid *p, const uint16_t *rows, int count,
                       struct kin_error *err);

/* Flushes, renames to the final name, frees. False: a page is missing or the disk refused; nothing
 * stays. */
bool tiff_pyramid_commit(struct tiff_pyramid *p, struct kin_error *err);

/* Removes the unfinished file, frees. */
void tiff_pyramid_abandon(struct tiff_pyramid *p);

/* Smaller copies of an image of that size: halved until both sides fit one tile. */
int tiff_pyramid_levels(struct kin_dims dims);
