/* SPDX-License-Identifier: MIT
 *
 * picture.h: small pictures for people: 8-bit grey or RGB, as a file or as bytes for a data: URI.
 * Scientific pixels never go through here. png.c is the only door to libpng. */
#pragma once

#include "kintsugi.h"

/* A picture of h rows of w pixels, channels 1 (grey) or 3 (RGB), interleaved, no padding. */
struct picture {
    int h, w, channels;
    uint8_t *data; /* owned; h * w * channels bytes */
};

/* A black picture of that size. False: KIN_MEMORY, or KIN_INPUT for a size that makes no
 * picture. */
bool picture_alloc(struct picture *picture, int h, int w, int channels, struct kin_error *err);
void picture_free(struct picture *picture);

/* The picture as PNG bytes in *bytes (malloc'ed, the caller frees), *size of them. */
bool picture_encode(const struct picture *picture, uint8_t **bytes, size_t *size,
                    struct kin_error *err);

/* Writes the picture under a temporary name and renames it to path. */
bool picture_write(const char *path, const struct picture *picture, struct kin_error *err);
