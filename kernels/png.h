/* SPDX-License-Identifier: MIT
 *
 * png.h: small pictures for people: 8-bit grey or RGB, as a file or as bytes for a data: URI. The only
 * door to libpng. Scientific pixels never go through here.
 */
#pragma once

#include "kintsugi.h"

/* A picture of h rows of w pixels, channels 1 (grey) or 3 (RGB), interleaved, no padding. */
struct png_picture {
    int h, w, channels;
    uint8_t *data; /* owned; h * w * channels bytes */
};

/* A black picture of that size. False: KIN_MEMORY, or KIN_INPUT for a size that makes no picture. */
bool png_alloc(struct png_picture *picture, int h, int w, int channels, struct kin_error *err);
void png_free(struct png_picture *picture);

/* The picture as PNG bytes in *bytes (malloc'ed, the caller frees), *size of them. */
bool png_encode(const struct png_picture *picture, uint8_t **bytes, size_t *size,
                struct kin_error *err);

/* Writes the picture under a temporary name and renames it to path. */
bool png_write(const char *path, const struct png_picture *picture, struct kin_error *err);

/* Reads a PNG back as 8-bit grey or RGB (16-bit and palette are converted, alpha is dropped). */
bool png_read(const char *path, struct png_picture *picture, struct kin_error *err);
