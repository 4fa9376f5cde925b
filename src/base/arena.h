// SPDX-License-Identifier: MIT
/* arena.h: memory that is given back all at once. A function whose first parameter is `struct arena
 * *in` returns memory that lives as long as that arena. Session data (sources, syntax trees, rules)
 * have one arena; the work on one job has another, reset after it.
 *
 *     struct arena scratch = {0};
 *     char *name = arena_printf(&scratch, "%s.%d", stem, n);
 *     arena_reset(&scratch);     // name is gone, the memory is kept for the next round
 *     arena_free(&scratch); */
#pragma once

#include <stddef.h>

struct arena {
    struct arena_block *last; /* owned; the block being filled, older ones behind it */
};

/* size bytes, zeroed, aligned for any type; never NULL (running out of memory ends the program). */
void *arena_alloc(struct arena *in, size_t size);

/* size bytes for text: neither zeroed nor aligned. */
char *arena_room(struct arena *in, size_t size);

/* Copies of bytes, of a text (not NULL), of what a format makes; they live in the arena and are
 * NUL-terminated. */
char *arena_copy(struct arena *in, const char *text, size_t len);
char *arena_str(struct arena *in, const char *text);
char *arena_printf(struct arena *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forgets everything but keeps one block for reuse. */
void arena_reset(struct arena *in);
/* Gives all memory back; the arena may be used again. */
void arena_free(struct arena *in);
/* Bytes handed out since the last reset. */
size_t arena_used(const struct arena *in);

#define arena_new(in, type)      ((type *)arena_alloc((in), sizeof(type)))
#define arena_array(in, type, n) ((type *)arena_alloc((in), (size_t)(n) * sizeof(type)))
