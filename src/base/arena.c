// SPDX-License-Identifier: MIT
/* arena.c: a chain of blocks, each at least twice as large as the one before (up to a limit); only
 * the newest is filled. Text is packed without alignment, everything else starts at a multiple
 * of 16. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 20 };

struct arena_block {
    struct arena_block *older; /* owned */
    size_t cap, used;          /* bytes behind this head */
};
#define HEAD ((sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN)

static char *bytes_of(struct arena_block *block)
{
    return (char *)block + HEAD;
}

static void add_block(struct arena *in, size_t size)
{
    size_t cap = in->last ? in->last->cap * 2 : FIRST_BLOCK;
    if (cap > LARGEST_STEP)
        cap = LARGEST_STEP;
    if (cap < size)
        cap = size;
    struct arena_block *block = cap < SIZE_MAX - HEAD ? malloc(HEAD + cap) : NULL;
    if (!block)
        out_of_memory();
    *block = (struct arena_block){.older = in->last, .cap = cap};
    in->last = block;
}

/* size bytes, not zeroed, at a multiple of align. */
static char *take(struct arena *in, size_t size, size_t align)
{
    struct arena_block *block = in->last;
    size_t at = block ? (block->used + align - 1) & ~(align - 1) : 0;
    if (!block || at > block->cap || size > block->cap - at) {
        add_block(in, size);
        block = in->last;
        at = 0;
    }
    block->used = at + size;
    return bytes_of(block) + at;
}

void *arena_alloc(struct arena *in, size_t size)
{
    return memset(take(in, size, ALIGN), 0, size);
}

char *arena_room(struct arena *in, size_t size)
{
    return take(in, size, 1);
}

char *arena_copy(struct arena *in, const char *text, size_t len)
{
    char *copy = take(in, len + 1, 1);
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *arena_str(struct arena *in, const char *text)
{
    return arena_copy(in, text, strlen(text));
}

char *arena_printf(struct arena *in, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    ensure(len >= 0);
    char *text = take(in, (size_t)len + 1, 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

static void free_chain(struct arena_block *block)
{
    while (block) {
        struct arena_block *older = block->older;
        free(block);
        block = older;
    }
}

void arena_reset(struct arena *in)
{
    if (!in->last)
        return;
    free_chain(in->last->older);
    in->last->older = NULL;
    in->last->used = 0;
}

void arena_free(struct arena *in)
{
    free_chain(in->last);
    in->last = NULL;
}

size_t arena_used(const struct arena *in)
{
    size_t used = 0;
    for (const struct arena_block *block = in->last; block; block = block->older)
        used += block->used;
    return used;
}
