/* SPDX-License-Identifier: MIT
 *
 * stage_ome.h: the images of a stage as one OME-TIFF, named as people know the channels. */
#pragma once

#include "tool/stage.h"

#define STAGE_COMPRESSIONS "none|deflate|lzw|zstd" /* as in enum kin_compression */

struct stage_image {
    int cycle, channel;
    char path[STAGE_PATH]; /* a plane of uint16; all are of one size */
};

/* Writes NAME into the stage's directory, unless it is there and newer than the images and than
 * what meta/ says of them. compression: a word of STAGE_COMPRESSIONS. */
bool stage_ome(struct stage *stage, const char *project, const struct experiment *exp,
               const char *name, const struct stage_image *images, int n, const char *compression,
               struct kin_error *err);
