// SPDX-License-Identifier: MIT
// json.c: JSON documents by jansson. A struct js is a json_t under another name.
#include "core/json.h"
#include "core/part.h"
#include "core/text.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static json_t *in(const struct js *node)
{
    return (json_t *)(uintptr_t)node;
}

static struct js *out(json_t *node)
{
    return (struct js *)node;
}

static _Thread_local bool refused; /* memory, since a reading began */

static void *allocate(size_t n)
{
    void *at = malloc(n);
    refused |= !at;
    return at;
}

/* Where memory is refused, jansson tells nothing or an error of syntax, or drops a letter of a text
 * and goes on. */
__attribute__((constructor)) static void watch_memory(void)
{
    json_set_alloc_funcs(allocate, free);
}

struct js *js_read(const char *path, struct kin_error *err)
{
    json_error_t why;
    FILE *file = text_open(path);
    if (!file) {
        kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    refused = false;
    json_t *root = json_loadf(file, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &why);
    fclose(file);
    if (refused) {
        json_decref(root);
        kin_fail(err, KIN_MEMORY, "%s: no memory to read it", path);
        return NULL;
    }
    if (!root && why.line > 0)
        kin_fail(err, KIN_INPUT, "%s:%d:%d: %s", path, why.line, why.column, why.text);
    else if (!root)
        kin_fail(err, KIN_IO, "%s: %s", path, why.text);
    return out(root);
}

void js_free(struct js *node)
{
    json_decref(in(node));
}

/* ---- building ------------------------------------------------------------------------------ */

static atomic_bool incomplete; /* memory has run out: a document lacks something */

static void set(struct js *object, const char *key, json_t *value)
{
    if (json_object_set_new(in(object), key, value))
        incomplete = true;
}

static void append(struct js *array, json_t *value)
{
    if (json_array_append_new(in(array), value))
        incomplete = true;
}

/* What is no UTF-8 (names of files may be anything) has question marks instead. */
static json_t *text(const char *value)
{
    json_t *whole = value ? json_string(value) : json_null();
    char *plain = whole ? NULL : strdup(value);
    for (char *at = plain; at && *at; at++)
        *at = *at & 0x80 ? '?' : *at;
    whole = plain ? json_string(plain) : whole;
    free(plain);
    return whole;
}

static json_t *number(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value == rint(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    return json_real(value);
}

struct js *js_object(void)
{
    return out(json_object());
}

struct js *js_array(void)
{
    return out(json_array());
}

void js_set_number(struct js *object, const char *key, double value)
{
    set(object, key, number(value));
}

void js_set_text(struct js *object, const char *key, const char *value)
{
    set(object, key, text(value));
}

void js_set_bool(struct js *object, const char *key, bool value)
{
    set(object, key, json_boolean(value));
}

void js_set(struct js *object, const char *key, struct js *take_child)
{
    set(object, key, in(take_child));
}

void js_push(struct js *array, struct js *take_child)
{
    append(array, in(take_child));
}

void js_push_number(struct js *array, double value)
{
    append(array, number(value));
}

void js_push_text(struct js *array, const char *value)
{
    append(array, text(value));
}

struct js *js_numbers(const double *values, int n)
{
    struct js *array = js_array();
    for (int i = 0; i < n; i++)
        js_push_number(array, values[i]);
    return array;
}

bool js_write(const struct js *node, const char *path, struct kin_error *err)
{
    struct kin_part part;
    if (!node || incomplete)
        return kin_fail(err, KIN_MEMORY, "%s: no memory to write it", path);
    if (!kin_part_open(&part, path, err))
        return false;
    bool good = !json_dumpf(in(node), part.file,
                            JSON_INDENT(2) | JSON_REAL_PRECISION(10) | JSON_ENCODE_ANY);
    return kin_part_close(&part, fputc('\n', part.file) != EOF && good, err);
}

void js_print(const struct js *node, FILE *to)
{
    json_dumpf(in(node), to, JSON_COMPACT | JSON_REAL_PRECISION(10) | JSON_ENCODE_ANY);
    fputc('\n', to);
}

/* ---- reading ------------------------------------------------------------------------------- */

const struct js *js_get(const struct js *object, const char *key)
{
    return out(json_object_get(in(object), key));
}

const struct js *js_at(const struct js *array, int index)
{
    return index < 0 ? NULL : out(json_array_get(in(array), (size_t)index));
}

int js_count(const struct js *node)
{
    if (json_is_object(in(node)))
        return (int)json_object_size(in(node));
    return json_is_array(in(node)) ? (int)json_array_size(in(node)) : 0;
}

const char *js_key(const struct js *object, int index)
{
    void *at = json_object_iter(in(object));
    for (; at && index > 0; index--)
        at = json_object_iter_next(in(object), at);
    return at ? json_object_iter_key(at) : NULL;
}

bool js_is_object(const struct js *node)
{
    return json_is_object(in(node));
}

bool js_is_array(const struct js *node)
{
    return json_is_array(in(node));
}

bool js_is_null(const struct js *node)
{
    return json_is_null(in(node));
}

const char *js_brief(const struct js *node, char *text, size_t size)
{
    char *whole = json_dumps(in(node), JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII |
                                           JSON_REAL_PRECISION(6));
    const char *said = whole ? whole : "nothing";
    if (strlen(said) < size)
        snprintf(text, size, "%s", said);
    else
        snprintf(text, size, "%.*s...", (int)size - 4, said);
    free(whole);
    return text;
}

bool js_can_hold(const char *text)
{
    json_t *node = json_string(text);
    json_decref(node);
    return node != NULL;
}

double js_number(const struct js *node, double fallback)
{
    if (json_is_number(in(node)))
        return json_number_value(in(node));
    const char *text = json_string_value(in(node));
    char *end;
    double value = text ? strtod(text, &end) : 0;
    return text && end != text && !*end ? value : fallback;
}

int js_int(const struct js *node, int fallback)
{
    double value = js_number(node, NAN);
    return value >= INT_MIN && value <= INT_MAX ? (int)value : fallback;
}

int js_cells(const struct js *map, int *rows, int *cols)
{
    *rows = js_int(js_get(map, "rows"), 0);
    *cols = js_int(js_get(map, "cols"), 0);
    bool good = *rows > 0 && *cols > 0 && (int64_t)*rows * *cols <= INT_MAX;
    return good ? *rows * *cols : 0;
}

const char *js_text(const struct js *node, const char *fallback)
{
    const char *text = json_string_value(in(node));
    return text ? text : fallback;
}

bool js_bool(const struct js *node, bool fallback)
{
    return json_is_boolean(in(node)) ? json_boolean_value(in(node)) : fallback;
}
