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

char *memory_text(const char *text)
{
    return made(strdup(text));
}

char *memory_text_part(const char *text, size_t len)
{
    return made(strndup(text, len));
}
