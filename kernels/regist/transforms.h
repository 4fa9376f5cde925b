/* SPDX-License-Identifier: MIT
 *
 * transforms.h: the maps of all cycles as a file, data/processed/registered/transforms.json. Its
 * meaning is that of warp.h: pixel p of the reference canvas is read in a cycle's image at A (p -
 * c) + c + t + u(p), y first. */
#pragma once

#include "regist/regist.h"

struct transforms {
    int reference, count;         /* reference cycle; cycles */
    struct kin_dims canvas;       /* of the reference */
    int *cycle;                   /* owned; count cycle numbers */
    struct regist_result *result; /* owned; count results */
};

/* Room for count cycles, all zero. False: KIN_MEMORY. */
bool transforms_alloc(struct transforms *t, int count, struct kin_error *err);
void transforms_free(struct transforms *t);

/* The result of that cycle; NULL: it is not there. */
struct regist_result *transforms_find(const struct transforms *t, int cycle);

/* Writes them as JSON, in place at once. False: err names the file. */
bool transforms_write(const struct transforms *t, const char *path, struct kin_error *err);

/* Reads what transforms_write wrote (maps and numbers, not the single blocks). */
bool transforms_read(const char *path, struct transforms *t, struct kin_error *err);

/* Whether the maps can be those of cycles onto that canvas: each cycle once, scales of 1/4 to 4,
 * nothing mirrored, shifts within two canvases, fields of at most WARP_FIELD_MOST that do not fold.
 * What register has refused may be anything. False: KIN_INPUT names file, cycle and value. */
bool transforms_check(const struct transforms *t, const char *path, struct kin_error *err);

/* Whether that is not so of one map; text says why. */
bool transforms_map_problem(const struct warp_map *map, struct kin_dims canvas, char *text,
                            size_t size);
