// SPDX-License-Identifier: MIT
/* validate.c: a checker walks value and schema together; each keyword of the schema is a row of the
 * table at the end. Keywords are taken in the order in which the schema has them, so that defaults
 * of `properties` are there for a `required` behind it. Unknown keywords say nothing. */
#include "flow/validate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "flow/config.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "python/types.h"
#include "python/vm.h"

struct checker {
    struct workflow *w;
    struct vm *vm;
    value root;      /* the schema file at hand */
    const char *dir; /* where it lies */
    bool defaults;
    struct buf at; /* where in the value: "samples.a[0]" */
    int depth;
};

static bool check(struct checker *c, value v, value schema);

__attribute__((format(printf, 2, 3))) static bool wrong(struct checker *c, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    flow_raise(c->w, "ValidationError", "%s (at %s)", buf_text(&text),
               c->at.len ? buf_text(&c->at) : "top level");
    buf_free(&text);
    return false;
}

/* The nearest of several texts, a list's items or a dict's keys, as a hint of what is wrong. Always
 * false. */
static bool meant(struct checker *c, value v, value known)
{
    value error = vm_take_error(c->vm), name;
    struct nearest near = nearest_to(is_str(v) ? str_text(v) : "");
    struct iter it;
    bool many = is_str(v) && known && iter_open(c->vm, known, &it);
    while (many && (name = iter_next(c->vm, &it)))
        if (is_str(name))
            nearest_offer(&near, str_text(name));
    vm_take_error(c->vm);
    vm_raise_value(c->vm, error);
    raise_hint(c->vm, near.best);
    return false;
}

static const char *shown(struct checker *c, value v)
{
    value text = value_repr(c->vm, v);
    return text ? str_text(text) : "?";
}

static bool check_at_key(struct checker *c, value v, value schema, const char *key)
{
    size_t before = c->at.len;
    buf_printf(&c->at, "%s%s", before ? "." : "", key);
    bool fine = check(c, v, schema);
    c->at.len = before;
    if (c->at.at)
        c->at.at[before] = 0;
    return fine;
}

static bool check_at_index(struct checker *c, value v, value schema, size_t i)
{
    size_t before = c->at.len;
    buf_printf(&c->at, "[%zu]", i);
    bool fine = check(c, v, schema);
    c->at.len = before;
    c->at.at[before] = 0;
    return fine;
}

/* Whether v fits, with nothing raised. */
static bool fits(struct checker *c, value v, value schema)
{
    bool fine = check(c, v, schema);
    if (!fine)
        vm_take_error(c->vm);
    return fine;
}

static bool is_array(value v)
{
    return is_list(v) || is_tuple(v);
}

static bool is_number(value v)
{
    return (is_int(v) || is_float(v)) && v != VALUE_TRUE && v != VALUE_FALSE;
}

/* ---- any value ---- */

static bool is_of_type(value v, const char *type)
{
    double d;
    if (!strcmp(type, "object"))
        return is_dict(v);
    if (!strcmp(type, "array"))
        return is_array(v);
    if (!strcmp(type, "string"))
        return is_str(v);
    if (!strcmp(type, "boolean"))
        return v == VALUE_TRUE || v == VALUE_FALSE;
    if (!strcmp(type, "null"))
        return v == VALUE_NONE;
    if (!strcmp(type, "number"))
        return is_number(v);
    if (!strcmp(type, "integer"))
        return is_number(v) && (is_int(v) || (float_get(v, &d) && d == floor(d)));
    return false;
}

static bool check_type(struct checker *c, value v, value arg, value schema)
{
    size_t n = 1;
    const value *at = is_list(arg) ? sequence_items(arg, &n) : &arg;
    for (size_t i = 0; i < n; i++)
        if (is_str(at[i]) && is_of_type(v, str_text(at[i])))
            return true;
    return wrong(c, "%s is not of type %s", shown(c, v), shown(c, arg));
}

static bool equal(struct checker *c, value a, value b)
{
    bool same = false;
    bool bools = (a == VALUE_TRUE || a == VALUE_FALSE) != (b == VALUE_TRUE || b == VALUE_FALSE);
    return !bools && value_equal(c->vm, a, b, &same) && same;
}

static bool check_enum(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = sequence_items(arg, &n);
    for (size_t i = 0; i < n; i++)
        if (equal(c, v, at[i]))
            return true;
    wrong(c, "%s is not one of %s", shown(c, v), shown(c, arg));
    return meant(c, v, arg);
}

static bool check_const(struct checker *c, value v, value arg, value schema)
{
    return equal(c, v, arg) || wrong(c, "%s was expected", shown(c, arg));
}

/* ---- objects ---- */

static bool insert_default(struct checker *c, value v, value key, value schema)
{
    value preset = c->defaults && is_dict(schema) ? dict_get_str(c->vm, schema, "default")
                                                  : NO_VALUE;
    if (preset && !dict_get(c->vm, v, key))
        return dict_set(c->vm, v, key, config_copy(c->vm, preset));
    return true;
}

static bool check_properties(struct checker *c, value v, value arg, value schema)
{
    value key, sub;
    if (!is_dict(v) || !is_dict(arg))
        return true;
    for (size_t pos = 0; dict_next(arg, &pos, &key, &sub);)
        if (!insert_default(c, v, key, sub))
            return false;
    for (size_t pos = 0; dict_next(arg, &pos, &key, &sub);) {
        value item = dict_get(c->vm, v, key);
        if (item && !check_at_key(c, item, sub, str_text(key)))
            return false;
    }
    return true;
}

static bool check_required(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = sequence_items(arg, &n);
    for (size_t i = 0; is_dict(v) && i < n; i++)
        if (!dict_get(c->vm, v, at[i]))
            return wrong(c, "%s is a required property", shown(c, at[i]));
    return true;
}

static bool search(struct checker *c, value pattern, value text)
{
    char message[128];
    size_t at, group[1][2];
    struct regex *regex = regex_new(str_text(pattern), as_str(pattern)->len, 0, message,
                                    sizeof message, &at);
    bool found = regex && regex_exec(regex, str_text(text), as_str(text)->len, 0, REGEX_SEARCH,
                                     group, 1) > 0;
    regex_free(regex);
    return found;
}

static bool check_pattern_properties(struct checker *c, value v, value arg, value schema)
{
    value pattern, sub, key, item;
    for (size_t p = 0; is_dict(v) && dict_next(arg, &p, &pattern, &sub);)
        for (size_t pos = 0; dict_next(v, &pos, &key, &item);)
            if (is_str(key) && search(c, pattern, key) &&
                !check_at_key(c, item, sub, str_text(key)))
                return false;
    return true;
}

static bool is_declared(struct checker *c, value key, value schema)
{
    value properties = dict_get_str(c->vm, schema, "properties"), pattern, sub;
    value patterns = dict_get_str(c->vm, schema, "patternProperties");
    if (properties && dict_get(c->vm, properties, key))
        return true;
    for (size_t p = 0; patterns && is_str(key) && dict_next(patterns, &p, &pattern, &sub);)
        if (search(c, pattern, key))
            return true;
    return false;
}

static bool check_additional(struct checker *c, value v, value arg, value schema)
{
    value key, item;
    for (size_t pos = 0; is_dict(v) && dict_next(v, &pos, &key, &item);) {
        if (is_declared(c, key, schema))
            continue;
        if (arg == VALUE_FALSE) {
            wrong(c, "Additional properties are not allowed (%s was unexpected)", shown(c, key));
            return meant(c, key, dict_get_str(c->vm, schema, "properties"));
        }
        if (!check_at_key(c, item, arg, is_str(key) ? str_text(key) : "?"))
            return false;
    }
    return true;
}

static bool check_property_names(struct checker *c, value v, value arg, value schema)
{
    value key, item;
    for (size_t pos = 0; is_dict(v) && dict_next(v, &pos, &key, &item);)
        if (!check(c, key, arg))
            return false;
    return true;
}

static bool check_dependent_required(struct checker *c, value v, value arg, value schema)
{
    value key, needs;
    for (size_t pos = 0; is_dict(v) && dict_next(arg, &pos, &key, &needs);)
        if (dict_get(c->vm, v, key) && !check_required(c, v, needs, schema))
            return false;
    return true;
}

/* ---- arrays ---- */

static bool check_items(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0, skip = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL;
    value prefix = dict_get_str(c->vm, schema, "prefixItems");
    if (prefix)
        sequence_items(prefix, &skip);
    for (size_t i = skip; at && i < n; i++)
        if (!check_at_index(c, at[i], arg, i))
            return false;
    return true;
}

static bool check_prefix_items(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0, m = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL, *sub = sequence_items(arg, &m);
    for (size_t i = 0; at && i < n && i < m; i++)
        if (!check_at_index(c, at[i], sub[i], i))
            return false;
    return true;
}

static bool check_contains(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL;
    for (size_t i = 0; at && i < n; i++)
        if (fits(c, at[i], arg))
            return true;
    return !at || wrong(c, "%s does not contain items matching the given schema", shown(c, v));
}

static bool check_unique(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = arg == VALUE_TRUE && is_array(v) ? sequence_items(v, &n) : NULL;
    for (size_t i = 0; at && i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (equal(c, at[i], at[k]))
                return wrong(c, "%s has non-unique elements", shown(c, v));
    return true;
}

/* ---- limits ---- */

static bool limit_of(value v, value arg, double *number, double *limit)
{
    return is_number(v) && float_get(v, number) && float_get(arg, limit);
}

#define NUMBER_LIMIT(fn, bad, text)                                                                \
    static bool fn(struct checker *c, value v, value arg, value schema)                            \
    {                                                                                              \
        double a, b;                                                                               \
        if (!limit_of(v, arg, &a, &b) || !(bad))                                                   \
            return true;                                                                           \
        return wrong(c, "%s " text " %s", shown(c, v), shown(c, arg));                             \
    }
NUMBER_LIMIT(check_minimum, a < b, "is less than the minimum of")
NUMBER_LIMIT(check_maximum, a > b, "is greater than the maximum of")
NUMBER_LIMIT(check_over, a <= b, "is less than or equal to the minimum of")
NUMBER_LIMIT(check_under, a >= b, "is greater than or equal to the maximum of")
NUMBER_LIMIT(check_multiple, fabs(a / b - nearbyint(a / b)) > 1e-9, "is not a multiple of")

/* The length that a limit is about: code points, items or properties; -1: the limit does not
 * concern v. */
static int64_t length_of(value v, char kind)
{
    size_t n = 0;
    if (kind == 'L' && is_str(v))
        return as_str(v)->count;
    if (kind == 'P' && is_dict(v))
        return (int64_t)dict_len(v);
    if (kind != 'I' || !is_array(v))
        return -1;
    sequence_items(v, &n);
    return (int64_t)n;
}

static bool check_length(struct checker *c, value v, value arg, char kind, bool least)
{
    int64_t len = length_of(v, kind), limit;
    if (len < 0 || !int_get(arg, &limit) || (least ? len >= limit : len <= limit))
        return true;
    return wrong(c, "%s is too %s", shown(c, v), least ? "short" : "long");
}

#define LENGTH_LIMIT(fn, kind, least)                                                              \
    static bool fn(struct checker *c, value v, value arg, value schema)                            \
    {                                                                                              \
        return check_length(c, v, arg, kind, least);                                               \
    }
LENGTH_LIMIT(check_min_length, 'L', true)
LENGTH_LIMIT(check_max_length, 'L', false)
LENGTH_LIMIT(check_min_items, 'I', true)
LENGTH_LIMIT(check_max_items, 'I', false)
LENGTH_LIMIT(check_min_properties, 'P', true)
LENGTH_LIMIT(check_max_properties, 'P', false)

static bool check_pattern(struct checker *c, value v, value arg, value schema)
{
    if (!is_str(v) || search(c, arg, v))
        return true;
    return wrong(c, "%s does not match %s", shown(c, v), shown(c, arg));
}

/* ---- combinations ---- */

static size_t count_fits(struct checker *c, value v, value arg)
{
    size_t n = 0, fitting = 0;
    const value *at = sequence_items(arg, &n);
    for (size_t i = 0; i < n; i++)
        fitting += fits(c, v, at[i]);
    return fitting;
}

static bool check_any(struct checker *c, value v, value arg, value schema)
{
    return count_fits(c, v, arg) ||
           wrong(c, "%s is not valid under any of the given schemas", shown(c, v));
}

static bool check_one(struct checker *c, value v, value arg, value schema)
{
    size_t fitting = count_fits(c, v, arg);
    if (!fitting)
        return wrong(c, "%s is not valid under any of the given schemas", shown(c, v));
    return fitting == 1 ||
           wrong(c, "%s is valid under more than one of the given schemas", shown(c, v));
}

static bool check_all(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = sequence_items(arg, &n);
    for (size_t i = 0; i < n; i++)
        if (!check(c, v, at[i]))
            return false;
    return true;
}

static bool check_not(struct checker *c, value v, value arg, value schema)
{
    return !fits(c, v, arg) ||
           wrong(c, "%s should not be valid under %s", shown(c, v), shown(c, arg));
}

static bool check_if(struct checker *c, value v, value arg, value schema)
{
    value sub = dict_get_str(c->vm, schema, fits(c, v, arg) ? "then" : "else");
    return !sub || check(c, v, sub);
}

/* ---- references ---- */

/* What a JSON pointer ("/$defs/sample") leads to, or NO_VALUE. */
static value follow_pointer(struct checker *c, value root, const char *pointer)
{
    while (root && *pointer == '/') {
        size_t len = strcspn(++pointer, "/");
        int64_t i = strtoll(pointer, NULL, 10);
        size_t n = 0;
        const value *at = sequence_items(root, &n);
        if (at)
            root = i >= 0 && (size_t)i < n ? at[i] : NO_VALUE;
        else
            root = is_dict(root) ? dict_get(c->vm, root, str_new(c->vm, pointer, len)) : NO_VALUE;
        pointer += len;
    }
    return root;
}

static bool check_ref(struct checker *c, value v, value arg, value schema)
{
    const char *ref = str_text(arg), *hash = strchr(ref, '#');
    value root = c->root;
    const char *dir = c->dir;
    size_t file = hash ? (size_t)(hash - ref) : strlen(ref);
    if (file) {
        char *name = arena_copy(&c->w->arena, ref, file);
        const char *origin = origin_join(&c->w->arena, c->dir, name),
                   *path = origin_local(c->w, origin);
        if (!path || !(root = config_load(c->w, path)))
            return false;
        dir = origin_dirname(&c->w->arena, origin);
    }
    value target = follow_pointer(c, root, hash ? hash + 1 : "");
    if (!target)
        return wrong(c, "the schema refers to %s, which does not exist", ref);
    struct checker inner = *c;
    inner.root = root;
    inner.dir = dir;
    bool fine = check(&inner, v, target);
    c->at = inner.at;
    return fine;
}

/* ---- the table ---- */

static const struct keyword {
    const char *name;
    bool (*check)(struct checker *c, value v, value arg, value schema);
} keywords[] = {
    {"$ref", check_ref},
    {"type", check_type},
    {"enum", check_enum},
    {"const", check_const},
    {"properties", check_properties},
    {"required", check_required},
    {"patternProperties", check_pattern_properties},
    {"additionalProperties", check_additional},
    {"propertyNames", check_property_names},
    {"dependentRequired", check_dependent_required},
    {"items", check_items},
    {"prefixItems", check_prefix_items},
    {"contains", check_contains},
    {"uniqueItems", check_unique},
    {"minimum", check_minimum},
    {"maximum", check_maximum},
    {"exclusiveMinimum", check_over},
    {"exclusiveMaximum", check_under},
    {"multipleOf", check_multiple},
    {"minLength", check_min_length},
    {"maxLength", check_max_length},
    {"minItems", check_min_items},
    {"maxItems", check_max_items},
    {"minProperties", check_min_properties},
    {"maxProperties", check_max_properties},
    {"pattern", check_pattern},
    {"anyOf", check_any},
    {"oneOf", check_one},
    {"allOf", check_all},
    {"not", check_not},
    {"if", check_if},
};

static bool check_keyword(struct checker *c, value v, const char *name, value arg, value schema)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(keywords[i].name, name))
            return keywords[i].check(c, v, arg, schema);
    return true;
}

static bool check(struct checker *c, value v, value schema)
{
    value key, arg;
    if (schema == VALUE_TRUE || !is_dict(schema))
        return schema != VALUE_FALSE || wrong(c, "False schema does not allow %s", shown(c, v));
    if (c->depth > 200)
        return wrong(c, "the schema refers to itself without end");
    c->depth++;
    bool fine = true;
    for (size_t pos = 0; fine && dict_next(schema, &pos, &key, &arg);)
        fine = !is_str(key) || check_keyword(c, v, str_text(key), arg, schema);
    c->depth--;
    return fine;
}

bool validate_value(struct workflow *w, value v, value schema, const char *dir, bool defaults)
{
    struct checker c = {.w = w, .vm = w->vm, .root = schema, .dir = dir, .defaults = defaults};
    bool fine = check(&c, v, schema);
    buf_free(&c.at);
    return fine;
}
