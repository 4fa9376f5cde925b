// SPDX-License-Identifier: MIT
// image.c: errors and images in host memory.
#include "kintsugi.h"

#include <ctype.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool kin_fail(struct kin_error *err, enum kin_code code, const char *format, ...)
{
    if (!err || err->code != KIN_OK)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    for (char *c = err->text; *c; c++) /* of a file's name, or of damaged text that is quoted */
        if (iscntrl((unsigned char)*c))
            *c = '?';
    err->code = code;
    return false;
}

size_t kin_type_size(enum kin_type type)
{
    switch (type) {
    case KIN_U8: return 1;
    case KIN_U16: return 2;
    case KIN_F32: return 4;
    }
    return 0;
}

size_t kin_count(struct kin_dims dims)
{
    if (dims.z <= 0 || dims.y <= 0 || dims.x <= 0)
        return 0;
    return (size_t)dims.z * (size_t)dims.y * (size_t)dims.x;
}

/* Large buffers lie on large pages where the system has them: fewer faults, fewer misses of the
 * table of pages when columns are read. */
void *kin_reserve(size_t bytes)
{
    enum { LINE = 64, PAGE = 2 << 20, LARGE = 2 * PAGE };
    void *data = NULL;
    size_t rounded = bytes ? (bytes + LINE - 1) & ~(size_t)(LINE - 1) : LINE;
    if (rounded < bytes || posix_memalign(&data, rounded < LARGE ? LINE : PAGE, rounded))
        return NULL;
    if (rounded >= LARGE)
        madvise(data, rounded, MADV_HUGEPAGE); /* a wish: nothing is lost where it is not heard */
    return data;
}

void kin_return_blocks(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    malloc_trim(0); /* and what is kept so far */
#endif
}

void *kin_alloc(size_t bytes)
{
    void *data = kin_reserve(bytes);
    return data ? memset(data, 0, bytes) : NULL;
}

static bool make_image(struct kin_image *image, struct kin_dims dims, enum kin_type type,
                       void *(*take)(size_t bytes), struct kin_error *err)
{
    *image = (struct kin_image){0};
    if (!kin_count(dims))
        return kin_fail(err, KIN_INPUT,
                        "an image of %d x %d x %d (planes x rows x columns) is empty", dims.z,
                        dims.y, dims.x);
    unsigned __int128 bytes = (unsigned __int128)dims.z * (unsigned)dims.y * (unsigned)dims.x *
                              kin_type_size(type);
    void *data = bytes < (size_t)1 << 46 ? take((size_t)bytes) : NULL;
    if (!data)
        return kin_fail(err, KIN_MEMORY, "no memory for an image of %d x %d x %d, %.1f GB", dims.z,
                        dims.y, dims.x, (double)bytes / 1e9);
    *image = (struct kin_image){.dims = dims, .type = type, .data = data};
    return true;
}

bool kin_image_alloc(struct kin_image *image, struct kin_dims dims, enum kin_type type,
                     struct kin_error *err)
{
    return make_image(image, dims, type, kin_alloc, err);
}

bool kin_image_reserve(struct kin_image *image, struct kin_dims dims, enum kin_type type,
                       struct kin_error *err)
{
    return make_image(image, dims, type, kin_reserve, err);
}

void kin_image_free(struct kin_image *image)
{
    if (!image)
        return;
    free(image->data);
    *image = (struct kin_image){0};
}

void kin_convert_f32(float *dst, const void *src, enum kin_type type, size_t n)
{
    switch (type) {
    case KIN_U8:
        for (size_t i = 0; i < n; i++)
            dst[i] = ((const uint8_t *)src)[i];
        break;
    case KIN_U16:
        for (size_t i = 0; i < n; i++)
            dst[i] = ((const uint16_t *)src)[i];
        break;
    case KIN_F32: memcpy(dst, src, n * sizeof *dst); break;
    }
}

double kin_mean_f32(const float *samples, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i];
    return sum / (double)n;
}

bool kin_to_f32(const struct kin_image *src, struct kin_image *dst, struct kin_error *err)
{
    if (!kin_image_reserve(dst, src->dims, KIN_F32, err))
        return false;
    kin_convert_f32(kin_f32(dst), src->data, src->type, kin_count(src->dims));
    return true;
}
