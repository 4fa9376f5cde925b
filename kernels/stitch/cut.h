/* SPDX-License-Identifier: MIT
 *
 * cut.h: how the making of a plane is cut so that it fits into memory: bands of rows, which
 * go out whole, and windows of their columns.
 *
 *            |<--- width --->|<--- width --->|<- rest ->|
 *      rows  |   window 0    |   window 1    | window 2 |   band 0: one after the other,
 *      rows  |               |               |          |   band 1: and back
 *
 * Only tiles under a window are held. With one window a tile is read once; with several, once for
 * each band that it lies under: the taller the bands, the less is read. */
#pragma once

#include "stitch/stitch.h"

struct stitch_window {
    int y0, x0, y1, x1; /* on the canvas; ends excluded */
};

struct stitch_cutting { /* what is cut */
    /* its memory is the host's, and the device's when that is no card; of both there is enough for
     * all that are made beside each other */
    const struct stitch_params *params;
    const struct stitch_model *model;
    bool levels;  /* levels of tiles are made up for: a device needs room for two more */
    size_t card;  /* bytes of a card; 0: none */
    size_t looks; /* those of them for what looks at the plane */
};

struct stitch_cut {
    int rows, width;           /* of a window; the canvas' width: there is but one */
    long reads;                /* of tiles, at most */
    size_t on_device, on_host; /* bytes in use at most */
};

/* Whether tile k lies under a window. */
bool stitch_meets(const struct stitch_params *params, const struct stitch_model *model, int k,
                  const struct stitch_window *window);

/* The smallest windows that make sense. */
struct stitch_cut stitch_cut_least(const struct stitch_cutting *what);

/* The cut with the fewest reads that fits, one window before several. False: KIN_MEMORY, with the
 * least that would do. */
bool stitch_cut_choose(const struct stitch_cutting *what, struct stitch_cut *cut,
                       struct kin_error *err);

/* Whether it is the usual one: bands as high as can be, one window each. */
bool stitch_cut_is_whole(const struct stitch_cutting *what, const struct stitch_cut *cut);

/* Whether a cut needs more than half of the host's memory: more than what is freed and kept leaves
 * room for. */
bool stitch_cut_is_tight(const struct stitch_cutting *what, const struct stitch_cut *cut);
