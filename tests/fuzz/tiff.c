// SPDX-License-Identifier: MIT
/* tiff.c: any bytes read as a TIFF: refused with a sentence, or read whole, by bands as by pages;
 * two readings give the same pixels. */
#include "kintsugi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool cond)
{
    if (!cond)
        abort();
}

/* All rows, in bands of 5, against the image read at once. */
static void read_bands(struct kin_tiff *tiff, const struct kin_image *image)
{
    struct kin_dims d = image->dims;
    size_t row = (size_t)d.x * kin_type_size(image->type);
    uint8_t *band = malloc(5 * row);
    struct kin_error err = {0};
    for (int y = 0; band && y < d.z * d.y; y += 5) {
        int z = y / d.y, y0 = y % d.y, rows = d.y - y0 < 5 ? d.y - y0 : 5;
        require(kin_tiff_rows(tiff, z, y0, rows, band, &err));
        require(!memcmp(band, (uint8_t *)image->data + (size_t)(z * d.y + y0) * row,
                        (size_t)rows * row));
    }
    free(band);
}

static void read_file(const char *path)
{
    struct kin_error err = {0};
    struct kin_tiff_info info;
    struct kin_image image;
    struct kin_tiff *tiff = kin_tiff_open(path, &info, &err);
    require(tiff ? kin_count(info.dims) > 0 : err.code != KIN_OK && err.text[0]);
    if (tiff && kin_count(info.dims) <= 1 << 20) {
        bool good = kin_tiff_read(path, &image, &err);
        require(good || err.text[0]);
        if (good)
            read_bands(tiff, &image);
        if (good)
            kin_image_free(&image);
    }
    kin_tiff_close(tiff);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char path[64];
    int fd = memfd_create("tiff", 0);
    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(path);
    close(fd);
    return 0;
}
