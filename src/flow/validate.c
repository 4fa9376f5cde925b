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
#include "flow/config.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "modules/modules.h"
#include "python/types.h"
#include "python/vm.h"

enum { DEEPEST = 200 }; /* schemas in schemas */

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

/* "'integer', 'null'" */
static const char *listed(struct checker *c, const value *at, size_t n)
{
    struct buf text = {0};
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", shown(c, at[i]));
    value made = str_new(c->vm, buf_text(&text), text.len);
    buf_free(&text);
    return str_text(made);
}

/* What a schema has under that name, if it is an object. */
static value object_in(struct checker *c, value schema, const char *name)
{
    value found = dict_get_str(c->vm, schema, name);
    return found && is_dict(found) ? found : NO_VALUE;
}

/* The items of an array that it has there; none if it has none. */
static const value *array_in(struct checker *c, value schema, const char *name, size_t *n)
{
    value found = dict_get_str(c->vm, schema, name);
    *n = 0;
    return found ? sequence_items(found, n) : NULL;
}

static bool check_at_key(struct checker *c, value v, value schema, value key)
{
    size_t before = c->at.len;
    buf_printf(&c->at, "%s%s", before ? "." : "", is_str(key) ? str_text(key) : shown(c, key));
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
    return wrong(c, "%s is not of type %s", shown(c, v), listed(c, at, n));
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
    if (!preset || dict_get(c->vm, v, key))
        return true;
    value copy = config_copy(c->vm, preset);
    return copy && dict_set(c->vm, v, key, copy);
}

static bool check_properties(struct checker *c, value v, value arg, value schema)
{
    value key, sub;
    if (!is_dict(v))
        return true;
    for (size_t pos = 0; dict_next(arg, &pos, &key, &sub);)
        if (!insert_default(c, v, key, sub))
            return false;
    for (size_t pos = 0; dict_next(arg, &pos, &key, &sub);) {
        value item = dict_get(c->vm, v, key);
        if (item && !check_at_key(c, item, sub, key))
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

/* What Python's re.search() says of a keyword's pattern; false: raised, as it is none. */
static bool search(struct checker *c, const char *name, value pattern, value text, bool *found)
{
    value match = is_str(pattern) && is_str(text) ? re_found(c->vm, pattern, text) : VALUE_NONE;
    *found = match && match != VALUE_NONE;
    if (match)
        return true;
    value why = value_str(c->vm, vm_take_error(c->vm));
    return wrong(c, "the schema says '%s: %s', which is no regular expression: %s", name,
                 shown(c, pattern), why ? str_text(why) : "?");
}

static bool check_pattern_properties(struct checker *c, value v, value arg, value schema)
{
    value pattern, sub, key, item;
    bool found;
    for (size_t p = 0; is_dict(v) && dict_next(arg, &p, &pattern, &sub);)
        for (size_t pos = 0; dict_next(v, &pos, &key, &item);)
            if (!search(c, "patternProperties", pattern, key, &found) ||
                (found && !check_at_key(c, item, sub, key)))
                return false;
    return true;
}

/* A pattern that is none declares nothing: patternProperties says so itself. */
static bool is_named_by(struct checker *c, value pattern, value key)
{
    bool found;
    if (!search(c, "patternProperties", pattern, key, &found))
        vm_take_error(c->vm);
    return found;
}

static bool is_declared(struct checker *c, value key, value schema)
{
    value properties = object_in(c, schema, "properties"), pattern, sub;
    value patterns = object_in(c, schema, "patternProperties");
    if (properties && dict_get(c->vm, properties, key))
        return true;
    for (size_t p = 0; patterns && dict_next(patterns, &p, &pattern, &sub);)
        if (is_named_by(c, pattern, key))
            return true;
    return false;
}

static const char *keys_of(struct checker *c, value dict)
{
    size_t n = 0;
    const value *at = sequence_items(list_from(c->vm, dict), &n);
    return listed(c, at, n);
}

static bool check_additional(struct checker *c, value v, value arg, value schema)
{
    value key, item;
    for (size_t pos = 0; is_dict(v) && dict_next(v, &pos, &key, &item);) {
        if (is_declared(c, key, schema))
            continue;
        if (arg == VALUE_FALSE) {
            value patterns = object_in(c, schema, "patternProperties");
            if (patterns)
                wrong(c, "%s does not match any of the regexes: %s", shown(c, key),
                      keys_of(c, patterns));
            else
                wrong(c, "Additional properties are not allowed (%s was unexpected)",
                      shown(c, key));
            return meant(c, key, object_in(c, schema, "properties"));
        }
        if (!check_at_key(c, item, arg, key))
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
    for (size_t pos = 0; is_dict(v) && dict_next(arg, &pos, &key, &needs);) {
        size_t n = 0;
        const value *at = dict_get(c->vm, v, key) ? sequence_items(needs, &n) : NULL;
        for (size_t i = 0; i < n; i++)
            if (!dict_get(c->vm, v, at[i]))
                return wrong(c, "%s is a dependency of %s", shown(c, at[i]), shown(c, key));
    }
    return true;
}

static bool check_dependent_schemas(struct checker *c, value v, value arg, value schema)
{
    value key, sub;
    for (size_t pos = 0; is_dict(v) && dict_next(arg, &pos, &key, &sub);)
        if (dict_get(c->vm, v, key) && !check(c, v, sub))
            return false;
    return true;
}

/* ---- arrays ---- */

static bool check_items(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0, skip = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL;
    array_in(c, schema, "prefixItems", &skip);
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

/* A bound beside `contains`. */
static int64_t bound_of(struct checker *c, value schema, const char *name, int64_t otherwise)
{
    value bound = dict_get_str(c->vm, schema, name);
    int64_t n;
    return bound && int_get(bound, &n) ? n : otherwise;
}

static bool check_contains(struct checker *c, value v, value arg, value schema)
{
    size_t n = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL;
    int64_t found = 0, least = bound_of(c, schema, "minContains", 1),
            most = bound_of(c, schema, "maxContains", INT64_MAX);
    for (size_t i = 0; at && i < n; i++)
        found += fits(c, at[i], arg);
    if (at && !found && least > 0)
        return wrong(c, "%s does not contain items matching the given schema", shown(c, v));
    if (at && found < least)
        return wrong(c,
                     "Too few items match the given schema (expected at least %lld but only %lld "
                     "matched)",
                     (long long)least, (long long)found);
    return found <= most ||
           wrong(c, "Too many items match the given schema (expected at most %lld)",
                 (long long)most);
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
    static const char *const properties[] = {"has too many properties",
                                             "does not have enough properties"};
    int64_t len = length_of(v, kind), limit;
    if (len < 0 || !int_get(arg, &limit) || (least ? len >= limit : len <= limit))
        return true;
    const char *what = least && limit == 1 ? "should be non-empty"
                       : !least && !limit  ? "is expected to be empty"
                       : kind == 'P'       ? properties[least]
                       : least             ? "is too short"
                                           : "is too long";
    return wrong(c, "%s %s", shown(c, v), what);
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
    bool found = true;
    if (is_str(v) && !search(c, "pattern", arg, v, &found))
        return false;
    return found || wrong(c, "%s does not match %s", shown(c, v), shown(c, arg));
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

/* What a reference leads to, and the checker for it; NO_VALUE: raised. */
static value follow(struct checker *c, value ref_value, struct checker *inner)
{
    const char *ref = str_text(ref_value), *hash = strchr(ref, '#');
    size_t file = hash ? (size_t)(hash - ref) : strlen(ref);
    *inner = *c;
    if (file) {
        char *name = arena_copy(&c->w->arena, ref, file);
        const char *origin = origin_join(&c->w->arena, c->dir, name),
                   *path = origin_local(c->w, origin);
        if (!path || !(inner->root = config_load(c->w, path)))
            return NO_VALUE;
        inner->dir = origin_dirname(&c->w->arena, origin);
    }
    value target = follow_pointer(c, inner->root, hash ? hash + 1 : "");
    if (!target)
        wrong(c, "the schema refers to %s, which does not exist", ref);
    return target;
}

static bool check_ref(struct checker *c, value v, value arg, value schema)
{
    struct checker inner;
    value target = follow(c, arg, &inner);
    bool fine = target && check(&inner, v, target);
    c->at = inner.at;
    return fine;
}

/* ---- what no other keyword has looked at ---- */

struct part {
    value key; /* NO_VALUE: an item of an array */
    value item;
    bool covered; /* some keyword has looked at it */
};

/* The properties or the items of a value. */
struct parts {
    VEC(struct part) all;
    bool named;
};

static void cover(struct checker *c, value v, value schema, struct parts *parts);

/* By the keywords that are about properties or items themselves. */
static bool covers_itself(struct checker *c, value schema, const struct part *part, size_t index)
{
    value contains = dict_get_str(c->vm, schema, "contains");
    size_t n;
    if (part->key)
        return is_declared(c, part->key, schema) ||
               dict_get_str(c->vm, schema, "additionalProperties");
    array_in(c, schema, "prefixItems", &n);
    return index < n || dict_get_str(c->vm, schema, "items") ||
           (contains && fits(c, part->item, contains));
}

/* By a schema that is about v, too, if v fits it. */
static void cover_beside(struct checker *c, value v, value schema, struct parts *parts)
{
    const char *rest = parts->named ? "unevaluatedProperties" : "unevaluatedItems";
    if (!schema || !is_dict(schema) || !fits(c, v, schema))
        return;
    cover(c, v, schema, parts);
    if (dict_get_str(c->vm, schema, rest))
        for (uint32_t i = 0; i < parts->all.len; i++)
            parts->all.at[i].covered = true;
}

static void cover_by_ref(struct checker *c, value v, value ref, struct parts *parts)
{
    struct checker inner;
    value target = ref && is_str(ref) ? follow(c, ref, &inner) : NO_VALUE;
    if (!target) {
        vm_take_error(c->vm);
        return;
    }
    cover_beside(&inner, v, target, parts);
    c->at = inner.at;
}

static void cover_by_several(struct checker *c, value v, value schema, struct parts *parts)
{
    static const char *const names[] = {"allOf", "anyOf", "oneOf"};
    value dependent = object_in(c, schema, "dependentSchemas"), key, sub;
    for (size_t pos = 0; dependent && is_dict(v) && dict_next(dependent, &pos, &key, &sub);)
        if (dict_get(c->vm, v, key))
            cover_beside(c, v, sub, parts);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n;
        const value *at = array_in(c, schema, names[i], &n);
        for (size_t k = 0; k < n; k++)
            cover_beside(c, v, at[k], parts);
    }
}

/* Marks the parts that the schema looks at, or one in it that is about v, too. */
static void cover(struct checker *c, value v, value schema, struct parts *parts)
{
    if (c->depth > DEEPEST)
        return;
    c->depth++;
    for (uint32_t i = 0; i < parts->all.len; i++) {
        struct part *part = &parts->all.at[i];
        part->covered = part->covered || covers_itself(c, schema, part, i);
    }
    cover_by_several(c, v, schema, parts);
    cover_by_ref(c, v, dict_get_str(c->vm, schema, "$ref"), parts);
    value condition = dict_get_str(c->vm, schema, "if");
    bool holds = condition && fits(c, v, condition);
    if (condition)
        cover_beside(c, v, dict_get_str(c->vm, schema, holds ? "then" : "else"), parts);
    if (holds)
        cover_beside(c, v, condition, parts);
    c->depth--;
}

static void list_parts(value v, struct parts *parts)
{
    struct part part = {0};
    size_t n = 0;
    const value *at = is_array(v) ? sequence_items(v, &n) : NULL;
    parts->named = is_dict(v);
    for (size_t pos = 0; parts->named && dict_next(v, &pos, &part.key, &part.item);)
        vec_push(&parts->all, part);
    for (size_t i = 0; at && i < n; i++)
        vec_push(&parts->all, ((struct part){.item = at[i]}));
}

static bool check_uncovered(struct checker *c, value arg, const struct part *part, size_t index)
{
    if (arg == VALUE_FALSE)
        return wrong(c, "Unevaluated %s are not allowed (%s was unexpected)",
                     part->key ? "properties" : "items",
                     shown(c, part->key ? part->key : part->item));
    return part->key ? check_at_key(c, part->item, arg, part->key)
                     : check_at_index(c, part->item, arg, index);
}

static bool check_unevaluated(struct checker *c, value v, value arg, value schema)
{
    struct parts parts = {0};
    bool fine = true;
    list_parts(v, &parts);
    cover(c, v, schema, &parts);
    for (uint32_t i = 0; i < parts.all.len && fine; i++)
        fine = parts.all.at[i].covered || check_uncovered(c, arg, &parts.all.at[i], i);
    vec_free(&parts.all);
    return fine;
}

static bool check_unevaluated_properties(struct checker *c, value v, value arg, value schema)
{
    return !is_dict(v) || check_unevaluated(c, v, arg, schema);
}

static bool check_unevaluated_items(struct checker *c, value v, value arg, value schema)
{
    return !is_array(v) || check_unevaluated(c, v, arg, schema);
}

/* ---- the table ---- */

enum kind { ANY, SCHEMA, OBJECT, ARRAY, TEXT, NUMBER };

static const struct keyword {
    const char *name;
    enum kind kind; /* of what it says */
    bool (*check)(struct checker *c, value v, value arg, value schema);
} keywords[] = {
    {"$ref", TEXT, check_ref},
    {"type", ANY, check_type},
    {"enum", ARRAY, check_enum},
    {"const", ANY, check_const},
    {"properties", OBJECT, check_properties},
    {"required", ARRAY, check_required},
    {"patternProperties", OBJECT, check_pattern_properties},
    {"additionalProperties", SCHEMA, check_additional},
    {"propertyNames", SCHEMA, check_property_names},
    {"dependentRequired", OBJECT, check_dependent_required},
    {"dependentSchemas", OBJECT, check_dependent_schemas},
    {"unevaluatedProperties", SCHEMA, check_unevaluated_properties},
    {"items", ANY, check_items},
    {"prefixItems", ARRAY, check_prefix_items},
    {"contains", SCHEMA, check_contains},
    {"unevaluatedItems", SCHEMA, check_unevaluated_items},
    {"uniqueItems", ANY, check_unique},
    {"minimum", NUMBER, check_minimum},
    {"maximum", NUMBER, check_maximum},
    {"exclusiveMinimum", NUMBER, check_over},
    {"exclusiveMaximum", NUMBER, check_under},
    {"multipleOf", NUMBER, check_multiple},
    {"minLength", NUMBER, check_min_length},
    {"maxLength", NUMBER, check_max_length},
    {"minItems", NUMBER, check_min_items},
    {"maxItems", NUMBER, check_max_items},
    {"minProperties", NUMBER, check_min_properties},
    {"maxProperties", NUMBER, check_max_properties},
    {"pattern", TEXT, check_pattern},
    {"anyOf", ARRAY, check_any},
    {"oneOf", ARRAY, check_one},
    {"allOf", ARRAY, check_all},
    {"not", SCHEMA, check_not},
    {"if", SCHEMA, check_if},
};

/* `exclusiveMinimum: true` of draft 4 counts as 1, as in Snakemake. */
static bool is_of_kind(value arg, enum kind kind)
{
    return kind == ANY || (kind == SCHEMA && (is_dict(arg) || is_of_type(arg, "boolean"))) ||
           (kind == OBJECT && is_dict(arg)) || (kind == ARRAY && is_array(arg)) ||
           (kind == TEXT && is_str(arg)) ||
           (kind == NUMBER && (is_number(arg) || is_of_type(arg, "boolean")));
}

static bool check_keyword(struct checker *c, value v, const char *name, value arg, value schema)
{
    static const char *const kinds[] = {[SCHEMA] = "a schema",
                                        [OBJECT] = "an object",
                                        [ARRAY] = "an array",
                                        [TEXT] = "a text",
                                        [NUMBER] = "a number"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strcmp(keywords[i].name, name))
            continue;
        return is_of_kind(arg, keywords[i].kind)
                   ? keywords[i].check(c, v, arg, schema)
                   : wrong(c, "the schema says '%s: %s', which is not %s", name, shown(c, arg),
                           kinds[keywords[i].kind]);
    }
    return true;
}

static bool check(struct checker *c, value v, value schema)
{
    value key, arg;
    if (schema == VALUE_TRUE || !is_dict(schema))
        return schema != VALUE_FALSE || wrong(c, "False schema does not allow %s", shown(c, v));
    if (c->depth > DEEPEST)
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
