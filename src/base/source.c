// SPDX-License-Identifier: MIT
/* source.c: source i covers the positions base .. base + len (its end included, so that "at the end
 * of the file" is a place). Line starts are found when a place in the file is first asked for. */
#include "base/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/utf8.h"

struct source {
    char *name, *text; /* owned */
    size_t len;
    uint32_t base;
    VEC(uint32_t) lines; /* offset of each line's first byte; empty until needed */
};

struct sources {
    VEC(struct source) all; /* number 0 is not used */
    uint32_t next;          /* base of the next source */
};

struct sources *sources_new(void)
{
    struct sources *sources = memory_zeroed(1, sizeof *sources);
    vec_push(&sources->all, (struct source){0});
    sources->next = 1;
    return sources;
}

void sources_free(struct sources *sources)
{
    if (!sources)
        return;
    for (uint32_t i = 1; i < sources->all.len; i++) {
        free(sources->all.at[i].name);
        free(sources->all.at[i].text);
        vec_free(&sources->all.at[i].lines);
    }
    vec_free(&sources->all);
    free(sources);
}

static char *copy_text(const char *text, size_t len)
{
    char *copy = memory_resized(NULL, len + 1, 1);
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

int source_add(struct sources *sources, const char *name, const char *text, size_t len)
{
    if (len >= UINT32_MAX - sources->next)
        return 0;
    struct source source = {.name = copy_text(name, strlen(name)),
                            .text = copy_text(text, len),
                            .len = len,
                            .base = sources->next};
    vec_push(&sources->all, source);
    sources->next += (uint32_t)len + 1;
    return (int)sources->all.len - 1;
}

static struct source *get(const struct sources *sources, int id)
{
    ensure(id > 0 && (uint32_t)id < sources->all.len);
    return &sources->all.at[id];
}

const char *source_text(const struct sources *sources, int id)
{
    return get(sources, id)->text;
}

size_t source_len(const struct sources *sources, int id)
{
    return get(sources, id)->len;
}

uint32_t source_base(const struct sources *sources, int id)
{
    return get(sources, id)->base;
}

/* The source that holds a position, or 0. */
static int source_at(const struct sources *sources, uint32_t at)
{
    uint32_t low = 1, high = sources->all.len;
    if (!at || at >= sources->next)
        return 0;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (sources->all.at[mid].base <= at)
            low = mid;
        else
            high = mid;
    }
    return (int)low;
}

static void find_lines(struct source *source)
{
    const char *at = source->text, *end = source->text + source->len;
    while (at) {
        vec_push(&source->lines, (uint32_t)(at - source->text));
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
}

/* The line of a byte offset, counted from 0. */
static uint32_t line_of(struct source *source, uint32_t offset)
{
    if (!source->lines.len)
        find_lines(source);
    uint32_t low = 0, high = source->lines.len;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (source->lines.at[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    return low;
}

int source_place(const struct sources *sources, uint32_t at, struct place *place)
{
    int id = source_at(sources, at);
    if (!id)
        return 0;
    struct source *source = get(sources, id);
    uint32_t offset = at - source->base, line = line_of(source, offset);
    uint32_t from = source->lines.at[line];
    size_t end = line + 1 < source->lines.len ? source->lines.at[line + 1] - 1 : source->len;
    if (end > from && source->text[end - 1] == '\r')
        end--;
    *place = (struct place){.name = source->name,
                            .line_text = source->text + from,
                            .line_len = end - from,
                            .source = id,
                            .line = (int)line + 1,
                            .column = (int)utf8_count(source->text + from, offset - from) + 1};
    return 1;
}

const char *span_text(const struct sources *sources, struct span span, size_t *len)
{
    int id = source_at(sources, span.at);
    *len = 0;
    if (!id || span.end < span.at)
        return "";
    struct source *source = get(sources, id);
    size_t from = span.at - source->base, to = span.end - source->base;
    *len = (to < source->len ? to : source->len) - from;
    return source->text + from;
}
