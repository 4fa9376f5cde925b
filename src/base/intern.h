// SPDX-License-Identifier: MIT
/* intern.h: every distinct string is stored once and named by a 32-bit id (a symbol), so that paths
 * and wildcard values are compared and hashed as integers. Symbol 0 is "none"; the empty string has
 * an id of its own. Strings may hold any byte but NUL. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint32_t sym_t;

struct intern; /* the table; owns all strings */

/* An empty table, the caller's; symbols and strings live as long as it. */
struct intern *intern_new(void);
void intern_free(struct intern *names);

/* The symbol of a string, added if new. */
sym_t intern(struct intern *names, const char *text, size_t len);
sym_t intern_str(struct intern *names, const char *text);

/* The symbol if the string is known, else 0. */
sym_t intern_find(const struct intern *names, const char *text, size_t len);

/* The text of a symbol, NUL-terminated, and its length; stays valid (and in place) until
 * intern_free. */
const char *sym_text(const struct intern *names, sym_t sym);
size_t sym_len(const struct intern *names, sym_t sym);

/* Bytes held; for tests. */
size_t intern_bytes(const struct intern *names);
