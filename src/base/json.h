// SPDX-License-Identifier: MIT
/* json.h: reads JSON text (RFC 8259) into a tree.
 *
 *     const struct json *top = json_parse(&arena, text, len, &error);
 *     const char *rule = json_text(json_get(top, "rule"), "unknown");
 *     const struct json *input = json_get(top, "input");
 *     for (const struct json *item = json_first(input); item; item = item->next) ... */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json {
    enum json_kind kind;
    uint32_t len;     /* bytes of text; elements of an array, members of an object */
    const char *key;  /* of a member of an object, else NULL */
    const char *text; /* STRING: UTF-8, NUL-terminated (a lone surrogate in three bytes); NUMBER: as
                         written */
    struct json *first; /* ARRAY, OBJECT: the first element, in the order of the text */
    struct json *next;  /* in the array or object */
};

struct json_error {
    const char *message; /* a constant */
    size_t at;           /* byte offset in the text */
};

/* The tree, in the arena; NULL with *error (may be NULL) if the text is not one JSON value, or
 * nested deeper than 500. */
struct json *json_parse(struct arena *in, const char *text, size_t len, struct json_error *error);

/* All of these take NULL for "not there". The member of an object (the last of that key), or
 * NULL. */
const struct json *json_get(const struct json *object, const char *key);
/* The first element of an array or object, or NULL. */
const struct json *json_first(const struct json *value);
/* The text of a string; otherwise for anything else. */
const char *json_text(const struct json *value, const char *otherwise);
/* The value of a number; otherwise for anything else. */
double json_number(const struct json *value, double otherwise);
int64_t json_int(const struct json *value, int64_t otherwise);
