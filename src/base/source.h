// SPDX-License-Identifier: MIT
/* source.h: all source texts of a session in one position space. Each file gets a base, so that a
 * position is one 32-bit number and a span is eight bytes; file, line and column are worked out
 * only when something is printed. Position 0 is "nowhere". */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct span {
    uint32_t at, end; /* positions; at == 0: no place */
};

struct sources; /* owns the texts */

/* An empty collection, the caller's. Freeing it ends every text and name that was borrowed from
 * it. */
struct sources *sources_new(void);
void sources_free(struct sources *sources);

/* Adds a text (copied, NUL-terminated) under the name shown in messages; its id (>= 1), or 0 when
 * all sources together would be larger than the position space, 4 GiB. */
int source_add(struct sources *sources, const char *name, const char *text, size_t len);
/* The text of a source and its length in bytes; borrowed. The id must be one that
 * source_add gave. */
const char *source_text(const struct sources *sources, int id);
size_t source_len(const struct sources *sources, int id);
/* Position of the text's first byte. */
uint32_t source_base(const struct sources *sources, int id);

/* Where a position is; line and column count from 1, the column in code points. */
struct place {
    const char *name;      /* borrowed from sources */
    const char *line_text; /* the line, not terminated: line_len bytes */
    size_t line_len;
    int source, line, column;
};
/* False for position 0 or one outside every source. */
int source_place(const struct sources *sources, uint32_t at, struct place *place);
/* The bytes a span covers (borrowed), and their number. */
const char *span_text(const struct sources *sources, struct span span, size_t *len);
