// SPDX-License-Identifier: MIT
// stitch_tiles.c: reading the tile files of a cycle.
#include "stitch_tiles.h"

#include <string.h>

static bool widen(const struct kin_image *image, uint16_t *dst, const char *path,
                  struct kin_error *err)
{
    size_t n = kin_count(image->dims);
    if (image->type == KIN_F32)
        return kin_fail(err, KIN_INPUT, "%s: float samples; raw tiles are 8 or 16 bits", path);
    if (image->type == KIN_U16)
        memcpy(dst, image->data, n * sizeof *dst);
    for (size_t i = 0; image->type == KIN_U8 && i < n; i++)
        dst[i] = kin_u8(image)[i];
    return true;
}

bool stitch_read_tile(const struct stitch_source *source, int tile, int plane, int channel,
                      uint16_t *dst, struct kin_error *err)
{
    char path[4300];
    struct kin_image image;
    if (!raw_path(source->raw, tile, plane, channel, path, sizeof path))
        return kin_fail(err, KIN_INPUT, "%s: the tile is missing", path);
    if (!kin_tiff_read(path, &image, err))
        return false;
    bool good = image.dims.z == 1 && image.dims.y == source->tile_h &&
                image.dims.x == source->tile_w;
    if (!good)
        kin_fail(err, KIN_INPUT,
                 "%s: %d x %d pixels and %d pages; the other tiles have %d x %d and one", path,
                 image.dims.y, image.dims.x, image.dims.z, source->tile_h, source->tile_w);
    if (good && image.type != source->type)
        good = kin_fail(err, KIN_INPUT, "%s: %zu-bit samples; the other tiles have %zu bits", path,
                        8 * kin_type_size(image.type), 8 * kin_type_size(source->type));
    good = good && widen(&image, dst, path, err);
    kin_image_free(&image);
    return good;
}
