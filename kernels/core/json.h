/* SPDX-License-Identifier: MIT
 *
 * json.h: JSON documents, read and written; json.c is the only door to jansson.
 *
 *     struct js *root = js_object();
 *     js_set_number(root, "ncc", 0.93);
 *     js_set(root, "edges", list);              // takes list
 *     bool ok = js_write(root, "qc/stitch.json", &err);
 *     js_free(root);
 *
 * Readers accept NULL and answer the fallback, so that a chain of them needs one check at its end.
 * Memory that runs out while a document is built shows when it is written. */
#pragma once

#include "kintsugi.h"

#include <stdio.h>

struct js; /* one value */

/* The document in that file. NULL: err names the file, line and column, or is KIN_MEMORY. Free with
 * js_free. */
struct js *js_read(const char *path, struct kin_error *err);
/* Frees it with all that is in it. NULL does no harm. */
void js_free(struct js *node);

/* ---- building ------------------------------------------------------------------------------ */

/* An empty object or array, the caller's until it is put into another. NULL: no memory. */
struct js *js_object(void);
struct js *js_array(void);

/* Sets a key. Whole numbers are written without a point, NaN and infinity as null; text is copied;
 * js_set takes child. */
void js_set_number(struct js *object, const char *key, double value);
void js_set_text(struct js *object, const char *key, const char *value);
void js_set_bool(struct js *object, const char *key, bool value);
void js_set(struct js *object, const char *key, struct js *take_child);

/* Appends to an array. */
void js_push(struct js *array, struct js *take_child);
/* The same of a number, of a text. */
void js_push_number(struct js *array, double value);
void js_push_text(struct js *array, const char *value);

/* An array of n numbers. */
struct js *js_numbers(const double *values, int n);

/* Writes the document under a temporary name and renames it. */
bool js_write(const struct js *node, const char *path, struct kin_error *err);

/* Prints it in one line with a newline. */
void js_print(const struct js *node, FILE *to);

/* ---- reading ------------------------------------------------------------------------------- */

/* The value under a key, or of an index; NULL: none. Borrowed from the document. */
const struct js *js_get(const struct js *object, const char *key);
const struct js *js_at(const struct js *array, int index);

/* Members of an object or elements of an array; 0 for anything else. */
int js_count(const struct js *node);

/* The name of an object's member, in the order of the file; NULL: none. */
const char *js_key(const struct js *object, int index);

/* What kind of value it is. */
bool js_is_object(const struct js *node);
bool js_is_array(const struct js *node);
bool js_is_null(const struct js *node);

/* A value as it would stand in a file, cut short where text is full. Returns text. */
const char *js_brief(const struct js *node, char *text, size_t size);

/* Whether a text can stand in a document: it is UTF-8. */
bool js_can_hold(const char *text);

/* The value as a number (a text that is one number counts), as one cut to a whole one where an int
 * holds it, as text, as a truth value. */
double js_number(const struct js *node, double fallback);
int js_int(const struct js *node, int fallback);
const char *js_text(const struct js *node, const char *fallback);
bool js_bool(const struct js *node, bool fallback);

/* The members "rows" and "cols" of a map, and how many values belong to it; 0: they say nothing
 * sensible. */
int js_cells(const struct js *map, int *rows, int *cols);
