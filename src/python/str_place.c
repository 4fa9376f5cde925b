// SPDX-License-Identifier: MIT
/* Where a code point of a str stands in its UTF-8, and back. Short texts are counted through. Of
 * the long ones that were asked last it is known where the search ended, since the next one is
 * often near; and, from the second far jump on, where every STRIDE-th code point stands. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "python/str.h"
#include "python/vm_state.h"

enum {
    LONG_STR = 256, /* bytes */
    STRIDE = 64,
    FAR = 4 * STRIDE, /* steps */
};

void str_places_forget(struct vm *vm)
{
    for (int i = 0; i < STR_PLACES; i++)
        free(vm->places[i].marks);
    for (int i = 0; i < STR_PLACES; i++)
        vm->places[i] = (struct str_place){0};
}

static struct str_place *place_of(struct vm *vm, const struct str *s)
{
    for (int i = 0; i < STR_PLACES; i++)
        if (vm->places[i].str == s)
            return &vm->places[i];
    struct str_place *place = &vm->places[vm->next_place++ % STR_PLACES];
    free(place->marks);
    *place = (struct str_place){.str = s};
    return place;
}

static void make_marks(struct str_place *place)
{
    const struct str *s = place->str;
    uint32_t n = s->count / STRIDE + 1;
    place->marks = memory_numbers(n);
    for (uint32_t i = 1; i < n; i++) {
        uint32_t from = place->marks[i - 1];
        place->marks[i] = from + (uint32_t)utf8_offset(s->text + from, s->len - from, STRIDE);
    }
}

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* Whether the marks are to be used for a jump so far. */
static bool marked(struct str_place *place, size_t steps)
{
    if (steps > FAR && !place->marks && place->jumped++)
        make_marks(place);
    return steps > FAR && place->marks;
}

/* Moves the place to the known one that is nearest to `at`, in the same measure as own, the place's
 * own position, and size, the text's; returns how far that is. */
static size_t begin(struct str_place *place, size_t at, size_t own, size_t size)
{
    size_t steps = distance(at, own);
    if (at < steps) {
        place->index = place->offset = 0;
        steps = at;
    }
    if (size - at < steps) {
        place->index = place->str->count;
        place->offset = place->str->len;
        steps = size - at;
    }
    return steps;
}

size_t str_offset(struct vm *vm, value str, size_t index)
{
    const struct str *s = as_str(str);
    if (s->len == s->count)
        return index;
    if (index >= s->count)
        return s->len;
    if (s->len < LONG_STR)
        return utf8_offset(s->text, s->len, index);
    struct str_place *place = place_of(vm, s);
    if (marked(place, begin(place, index, place->index, s->count))) {
        place->index = index / STRIDE * STRIDE;
        place->offset = place->marks[index / STRIDE];
    }
    if (index < place->index)
        place->offset = utf8_back(s->text, place->offset, place->index - index);
    else
        place->offset += utf8_offset(s->text + place->offset, s->len - place->offset,
                                     index - place->index);
    place->index = index;
    return place->offset;
}

/* The last mark at or before an offset. */
static uint32_t mark_before(const struct str_place *place, size_t offset)
{
    uint32_t low = 0, high = place->str->count / STRIDE + 1;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (place->marks[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    return low;
}

size_t str_position(struct vm *vm, value str, size_t offset)
{
    const struct str *s = as_str(str);
    if (s->len == s->count)
        return offset;
    if (offset >= s->len)
        return s->count;
    if (s->len < LONG_STR)
        return utf8_count(s->text, offset);
    struct str_place *place = place_of(vm, s);
    if (marked(place, begin(place, offset, place->offset, s->len))) {
        uint32_t mark = mark_before(place, offset);
        place->index = (size_t)mark * STRIDE;
        place->offset = place->marks[mark];
    }
    if (offset < place->offset)
        place->index -= utf8_count(s->text + offset, place->offset - offset);
    else
        place->index += utf8_count(s->text + place->offset, offset - place->offset);
    place->offset = offset;
    return place->index;
}
