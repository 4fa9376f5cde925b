// SPDX-License-Identifier: MIT
/* memory.c: see memory.h. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

static void *made(void *memory)
{
    if (!memory)
        out_of_memory();
    return memory;
}

void *memory_zeroed(size_t n, size_t size)
{
    return made(calloc(n ? n : 1, size ? size : 1));
}

uint32_t *memory_numbers(uint32_t n)
{
    return memory_zeroed((size_t)n + 1, sizeof(uint32_t));
}

void *memory_resized(void *at, size_t n, size_t size)
{
    size = size ? size : 1;
    return made(n <= SIZE_MAX / size ? realloc(at, (n ? n : 1) * size) : NULL);
}

void *memory_repeat(void *at, const void *unit, size_t size, size_t n)
{
    char *start = at;
    size_t done = size, all = n * size;
    if (!all)
        return at;
    if (size == 1)
        memset(at, *(const unsigned char *)unit, all);
    else
        memcpy(at, unit, size);
    for (; size > 1 && done < all; done *= 2)
        memcpy(start + done, start, all - done < done ? all - done : done);
    return start + all;
}

char *memory_text(const char *text)
{
    return made(strdup(text));
}

char *memory_text_part(const char *text, size_t len)
{
    return made(strndup(text, len));
}
