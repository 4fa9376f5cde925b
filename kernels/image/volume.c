// SPDX-License-Identifier: MIT
// volume.c: sources and sinks of volumes: images in memory, stacks of plane files.
#include "image/volume.h"

#include <stdlib.h>
#include <string.h>

bool kin_pass_plane(const struct kin_source *source, const struct kin_sink *sink,
                    struct kin_error *err)
{
    enum { BAND = 256 };
    struct kin_dims d = source->dims;
    void *band = malloc((size_t)BAND * (size_t)d.x * kin_type_size(source->type));
    bool good = band || kin_fail(err, KIN_MEMORY, "no memory for a band of %d pixels", d.x);
    for (int y = 0, n; good && y < d.y; y += n) {
        n = d.y - y < BAND ? d.y - y : BAND;
        good = source->rows(source->user, 0, y, n, band, err) &&
               sink->rows(sink->user, 0, n, band, err);
    }
    free(band);
    return good;
}

/* ---- images in memory ------------------------------------------------------------------------ */

static bool image_rows(void *user, int z, int y0, int count, void *dst, struct kin_error *err)
{
    const struct kin_image *image = user;
    size_t row = (size_t)image->dims.x * kin_type_size(image->type);
    const char *from = (const char *)image->data + ((size_t)z * image->dims.y + y0) * row;
    memcpy(dst, from, row * (size_t)count);
    return true;
}

struct kin_source kin_source_image(const struct kin_image *image)
{
    return (struct kin_source){image->dims, image->type, image_rows, (void *)image};
}

static bool keep_rows(void *user, int z, int count, const void *src, struct kin_error *err)
{
    struct kin_image_sink *place = user;
    struct kin_image *image = place->image;
    size_t row = (size_t)image->dims.x * kin_type_size(image->type);
    memcpy((char *)image->data + ((size_t)z * image->dims.y + place->next[z]) * row, src,
           row * (size_t)count);
    place->next[z] += count;
    return true;
}

struct kin_sink kin_sink_image(struct kin_image_sink *place)
{
    return (struct kin_sink){place->image->type, keep_rows, place};
}

/* ---- stacks of plane files ------------------------------------------------------------------- */

struct kin_stack {
    int count;
    struct kin_tiff **plane; /* owned */
};

static bool stack_rows(void *user, int z, int y0, int count, void *dst, struct kin_error *err)
{
    struct kin_stack *stack = user;
    return kin_tiff_rows(stack->plane[z], 0, y0, count, dst, err);
}

/* Opens plane z; the first one decides the shape. */
static bool open_plane(struct kin_stack *stack, int z, const char *path, struct kin_source *source,
                       struct kin_error *err)
{
    struct kin_tiff_info info;
    stack->plane[z] = kin_tiff_open(path, &info, err);
    if (!stack->plane[z])
        return false;
    if (info.dims.z != 1)
        return kin_fail(err, KIN_INPUT, "%s: has %d pages; a plane file has one", path,
                        info.dims.z);
    if (!z) {
        source->dims = (struct kin_dims){stack->count, info.dims.y, info.dims.x};
        source->type = info.type;
    }
    if (info.dims.y != source->dims.y || info.dims.x != source->dims.x || info.type != source->type)
        return kin_fail(err, KIN_INPUT,
                        "%s: is %d x %d pixels of %zu bytes, the first plane %d x %d of %zu", path,
                        info.dims.x, info.dims.y, kin_type_size(info.type), source->dims.x,
                        source->dims.y, kin_type_size(source->type));
    return true;
}

struct kin_stack *kin_stack_open(char *const *paths, int count, struct kin_source *source,
                                 struct kin_error *err)
{
    struct kin_stack *stack = calloc(1, sizeof *stack);
    if (stack)
        stack->plane = calloc((size_t)count + 1, sizeof *stack->plane);
    if (!stack || !stack->plane) {
        kin_fail(err, KIN_MEMORY, "no memory for a stack of %d planes", count);
        free(stack);
        return NULL;
    }
    stack->count = count;
    *source = (struct kin_source){.rows = stack_rows, .user = stack};
    for (int z = 0; z < count; z++)
        if (!open_plane(stack, z, paths[z], source, err)) {
            kin_stack_close(stack);
            return NULL;
        }
    return stack;
}

void kin_stack_close(struct kin_stack *stack)
{
    for (int z = 0; stack && z < stack->count; z++)
        kin_tiff_close(stack->plane[z]);
    if (stack)
        free(stack->plane);
    free(stack);
}
