// SPDX-License-Identifier: MIT
// room.c: sums of bytes, and the images in what they leave.
#include "regist/room.h"

#include "regist/blocks.h"
#include "regist/mellin.h"

// Bytes of all but the windows of full images: both small images, and the larger of what looking at
// them as a whole and what measuring blocks take.
static size_t fixed_bytes(const struct regist *r, struct kin_dims moving)
{
    enum { SMALL = 4, WHOLE = 48 }; // bytes a pixel
    int k = r->k, size = regist_block_size(r->dims);
    size_t small = kin_count(r->dims), other = kin_count(moving);
    small = (small > other ? small : other) / (size_t)k / (size_t)k;
    size_t whole = small * WHOLE + mellin_bytes(),
           blocks = probe_bytes(r->dev, size, size, REGIST_MANY_BLOCKS);
    return small * SMALL + (whole > blocks ? whole : blocks);
}

int regist_rows_within(const struct regist *r, struct kin_dims moving, size_t memory, size_t *least)
{
    int most = moving.y > r->dims.y ? moving.y : r->dims.y, few = most < r->few ? most : r->few;
    size_t row = ((size_t)r->dims.x * 2 + (size_t)moving.x) * sizeof(uint16_t);
    size_t fixed = fixed_bytes(r, moving), left = memory > fixed ? (memory - fixed) / row : 0;
    int rows = !memory || left > (size_t)most ? most : (int)left;
    *least = fixed + row * (size_t)few;
    if (r->params.rows && r->params.rows < rows)
        return r->params.rows;
    return rows >= few ? rows : 0;
}

static bool too_little(const struct regist *r, struct kin_dims moving)
{
    size_t least;
    regist_rows_within(r, moving, r->memory, &least);
    device_fail(
        r->dev, KIN_MEMORY,
        "%zu MB%s are too little memory to register %s of %d x %d pixels: at least %zu MB (%s)",
        r->memory >> 20, r->dev->memory ? " of the card" : "",
        r->few > REGIST_LEAST_ROWS ? "an image turned so far on a canvas" : "a canvas", r->dims.y,
        r->dims.x, (least >> 20) + 1, r->dev->memory ? "--gpu-memory" : "--memory");
    return false;
}

static bool choose_room(struct regist *r, struct kin_dims moving)
{
    size_t least;
    r->room = regist_rows_within(r, moving, r->memory, &least);
    return r->room || too_little(r, moving);
}

bool regist_load(struct task *t, const struct kin_source *moving)
{
    struct regist *r = t->r;
    int before = r->room;
    if (!choose_room(r, moving->dims))
        return false;
    if (r->room != before) {
        probe_image_free(r->dev, &r->full);
        probe_image_free(r->dev, &r->small);
        if (!probe_image_load(r->dev, &r->full, &r->small, r->k, &r->source, r->room))
            return false;
    }
    return probe_image_load(r->dev, &t->full, &t->small, r->k, moving, r->room);
}

bool regist_check_room(struct task *t)
{
    struct regist *r = t->r;
    const struct row_window *moving = &t->full.window;
    double limit = r->params.field == REGIST_FIELD_OFF ? 0 : r->params.field_limit;
    struct warp_view view = {t->map, warp_reach(limit)};
    int rows = warp_view_most_rows(&view, r->dims, 1, moving->rows.dims.y);
    if (device_stopped(r->dev) || rows <= moving->room)
        return !device_stopped(r->dev);
    r->few = rows;
    return too_little(r, moving->rows.dims);
}
