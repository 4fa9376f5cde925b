// SPDX-License-Identifier: MIT
// PNG through libpng's simplified API (png_image_*): no setjmp in our own code, errors come as
// text.
#include "core/part.h"
#include "image/picture.h"

#include <png.h>
#include <stdlib.h>

bool picture_alloc(struct picture *picture, int h, int w, int channels, struct kin_error *err)
{
    *picture = (struct picture){0};
    if (h < 1 || w < 1 || h > 100000 || w > 100000 || (channels != 1 && channels != 3))
        return kin_fail(err, KIN_INPUT,
                        "a picture of %d x %d pixels with %d channels cannot be made", h, w,
                        channels);
    picture->data = calloc((size_t)h * w, channels);
    if (!picture->data)
        return kin_fail(err, KIN_MEMORY, "no memory for a picture of %d x %d pixels", h, w);
    picture->h = h;
    picture->w = w;
    picture->channels = channels;
    return true;
}

void picture_free(struct picture *picture)
{
    free(picture->data);
    *picture = (struct picture){0};
}

static png_image image_of(const struct picture *picture)
{
    return (png_image){.version = PNG_IMAGE_VERSION,
                       .width = picture->w,
                       .height = picture->h,
                       .format = picture->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
}

bool picture_encode(const struct picture *picture, uint8_t **bytes, size_t *size,
                    struct kin_error *err)
{
    png_image image = image_of(picture);
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    *bytes = malloc(room);
    if (!*bytes)
        return kin_fail(err, KIN_MEMORY, "no memory to encode a picture");
    if (!png_image_write_to_memory(&image, *bytes, &room, 0, picture->data, 0, NULL)) {
        free(*bytes);
        *bytes = NULL;
        return kin_fail(err, KIN_INPUT, "cannot encode a picture: %s", image.message);
    }
    *size = room;
    return true;
}

bool picture_write(const char *path, const struct picture *picture, struct kin_error *err)
{
    uint8_t *bytes;
    size_t size;
    struct kin_part part;
    if (!picture_encode(picture, &bytes, &size, err))
        return false;
    bool fine = kin_part_open(&part, path, err) &&
                kin_part_close(&part, fwrite(bytes, 1, size, part.file) == size, err);
    free(bytes);
    return fine;
}
