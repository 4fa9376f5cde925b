// SPDX-License-Identifier: MIT
/* scriptvalue.c: see scriptvalue.h. */
#include "flow/scriptvalue.h"

#include <math.h>
#include <string.h>

#include "flow/namedlist.h"
#include "flow/prelude.h"
#include "flow/state.h"
#include "python/bytes.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/vm.h"

static bool is_set(value v)
{
    return is_object(v) && (is_instance(v, &type_set) || is_instance(v, &type_frozenset));
}

static bool is_many(value v)
{
    return is_list(v) || is_tuple(v) || is_set(v);
}

static bool add_str(struct vm *vm, value v, struct buf *out)
{
    value text = value_str(vm, v);
    if (text)
        buf_add(out, as_str(text)->text, as_str(text)->len);
    return text;
}

/* ---- objects, for languages that know none ---- */

static value method_of(struct vm *vm, value v, const char *name)
{
    value found = value_attr_find(vm, v, intern_str(vm_names(vm), name));
    if (!found && vm_failed(vm) && vm_failed_with(vm, "AttributeError"))
        vm_take_error(vm);
    return found;
}

/* Numbers, arrays and columns of numpy, pandas and the like say what they hold by tolist(). */
static value plain_foreign(struct vm *vm, value v)
{
    if (is_foreign_class(v))
        return v;
    value tolist = method_of(vm, v, "tolist");
    if (tolist || vm_failed(vm))
        return tolist ? vm_call0(vm, tolist) : NO_VALUE;
    value held = foreign_plain(vm, v);
    if (!held || !is_foreign(held))
        return held;
    value iter = method_of(vm, v, "__iter__");
    return iter ? list_from(vm, v) : vm_failed(vm) ? NO_VALUE : v;
}

/* An iterator stays what it is, as it can be read only once. */
value scriptvalue_plain(struct vm *vm, value v)
{
    if (!is_object(v) || is_str(v) || is_many(v) || is_dict(v))
        return v;
    if (is_foreign(v))
        return plain_foreign(vm, v);
    if (is_exact(v, &type_bytes) || type_of(v)->info || !value_iterable(v))
        return v;
    value iterator = value_iter(vm, v);
    return !iterator ? NO_VALUE : iterator == v ? v : list_from(vm, v);
}

/* ---- JSON ---- */

static bool json_text(struct vm *vm, value v, struct buf *out)
{
    value text = value_str(vm, v);
    if (!text)
        return false;
    buf_char(out, '"');
    buf_json(out, as_str(text)->text, as_str(text)->len);
    buf_char(out, '"');
    return true;
}

static bool json_float(value v, struct buf *out)
{
    double d;
    float_get(v, &d);
    if (isnan(d) || isinf(d))
        buf_str(out, isnan(d) ? "NaN" : d > 0 ? "Infinity" : "-Infinity");
    else
        format_double(d, out);
    return true;
}

static bool json_any(struct vm *vm, value v, bool python, struct buf *out);

static bool json_many(struct vm *vm, value v, bool python, struct buf *out)
{
    struct iter it;
    bool first = true;
    if (!iter_open(vm, v, &it))
        return false;
    buf_char(out, '[');
    for (value item; (item = iter_next(vm, &it)); first = false) {
        if (!first)
            buf_char(out, ',');
        if (!json_any(vm, item, python, out))
            return false;
    }
    buf_char(out, ']');
    return !vm_failed(vm);
}

static bool json_dict(struct vm *vm, value v, bool python, struct buf *out)
{
    value key, item;
    size_t pos = 0;
    buf_char(out, '{');
    for (bool first = true; dict_next(v, &pos, &key, &item); first = false) {
        if (!first)
            buf_char(out, ',');
        if (!json_text(vm, key, out))
            return false;
        buf_char(out, ':');
        if (!json_any(vm, item, python, out))
            return false;
    }
    buf_char(out, '}');
    return true;
}

/* An object of python3, in hexadecimal digits. */
static bool json_pickle(struct vm *vm, value v, struct buf *out)
{
    size_t len;
    value pickle = foreign_pickle(vm, v);
    const char *bytes = pickle ? bytes_get(pickle, &len) : NULL;
    buf_str(out, "{\"__pickle__\":[\"");
    for (size_t i = 0; bytes && i < len; i++)
        buf_printf(out, "%02x", (unsigned char)bytes[i]);
    buf_str(out, "\"]}");
    return bytes;
}

/* ---- what JSON cannot say, for texts/preamble.py: {"__WAY__":[ARGUMENTS]} ---- */

/* Keys of objects in JSON are texts; one that looks like those above would be built. */
static bool is_plain_dict(value v)
{
    value key, item;
    for (size_t pos = 0; dict_next(v, &pos, &key, &item);)
        if (!is_str(key) || type_of(key)->info || !strncmp(str_text(key), "__", 2))
            return false;
    return true;
}

static bool build_dict(struct vm *vm, value v, struct buf *out)
{
    value key, item;
    size_t pos = 0;
    bool fine = true;
    buf_str(out, "{\"__dict__\":[[");
    for (bool first = true; fine && dict_next(v, &pos, &key, &item); first = false) {
        buf_str(out, first ? "[" : ",[");
        fine = json_any(vm, key, true, out);
        buf_char(out, ',');
        fine = fine && json_any(vm, item, true, out);
        buf_char(out, ']');
    }
    buf_str(out, "]]}");
    return fine;
}

/* A class that is made from one list. */
static bool build_many(struct vm *vm, const char *class_name, value v, struct buf *out)
{
    buf_printf(out, "{\"__%s__\":[", class_name);
    bool fine = json_many(vm, v, true, out);
    buf_str(out, "]}");
    return fine;
}

void scriptvalue_names(struct vm *vm, value list, struct buf *out)
{
    sym_t name;
    uint32_t at, len;
    bool is_list;
    buf_char(out, '[');
    for (size_t i = 0; namedlist_range(list, i, &name, &at, &len, &is_list); i++) {
        const char *text = sym_text(vm_names(vm), name);
        buf_str(out, i ? ",[" : "[");
        buf_json_text(out, text);
        buf_printf(out, ",%u,", at);
        buf_printf(out, is_list ? "%u]" : "null]", at + len);
    }
    buf_char(out, ']');
}

/* What a function was given and has returned. */
static bool build_named(struct vm *vm, value v, struct buf *out)
{
    buf_printf(out, "{\"__named__\":[\"%s\",", type_name(v));
    bool fine = json_many(vm, v, true, out);
    buf_char(out, ',');
    scriptvalue_names(vm, v, out);
    buf_str(out, "]}");
    return fine;
}

static bool build_range(struct vm *vm, value v, struct buf *out)
{
    static const char *const field[] = {"start", "stop", "step"};
    bool fine = true;
    buf_str(out, "{\"__range__\":[");
    for (int i = 0; fine && i < 3; i++) {
        value item = value_attr(vm, v, intern_str(vm_names(vm), field[i]));
        buf_str(out, i ? "," : "");
        fine = item && json_any(vm, item, true, out);
    }
    buf_str(out, "]}");
    return fine;
}

/* What texts/parts.py knows how to make again; it raises for what it does not. */
static bool build_parts(struct vm *vm, value v, struct buf *out)
{
    value parts = scriptparts_get(workflow_of(vm), "parts");
    value made = parts ? vm_call1(vm, parts, v) : NO_VALUE;
    size_t n;
    const value *at = made ? sequence_items(made, &n) : NULL;
    if (!at)
        return false;
    buf_printf(out, "{\"__%s__\":", str_text(at[0]));
    bool fine = json_many(vm, at[1], true, out);
    buf_char(out, '}');
    return fine;
}

static bool json_python(struct vm *vm, value v, struct buf *out)
{
    if (is_foreign(v))
        return json_pickle(vm, v, out);
    if (is_str(v))
        return json_text(vm, v, out);
    if (is_exact(v, &type_dict))
        return is_plain_dict(v) ? json_dict(vm, v, true, out) : build_dict(vm, v, out);
    if (is_namedlist(v))
        return build_named(vm, v, out);
    if (is_list(v))
        return json_many(vm, v, true, out);
    if (is_tuple(v))
        return build_many(vm, "tuple", v, out);
    if (is_set(v))
        return build_many(vm, is_instance(v, &type_set) ? "set" : "frozenset", v, out);
    if (is_exact(v, &type_bytes))
        return build_many(vm, "bytes", v, out);
    return is_exact(v, &type_range) ? build_range(vm, v, out) : build_parts(vm, v, out);
}

static bool json_any(struct vm *vm, value v, bool python, struct buf *out)
{
    if (vm_too_deep(vm))
        return false;
    if (v == VALUE_NONE || v == VALUE_TRUE || v == VALUE_FALSE) {
        buf_str(out, v == VALUE_NONE ? "null" : v == VALUE_TRUE ? "true" : "false");
        return true;
    }
    /* a class that was made by code may be derived from any of the others */
    if (python && is_object(v) && !is_foreign(v) && type_of(v)->info)
        return build_parts(vm, v, out);
    if (is_int(v))
        return add_str(vm, v, out);
    if (is_float(v))
        return json_float(v, out);
    if (python)
        return json_python(vm, v, out);
    value shown = scriptvalue_plain(vm, v);
    if (shown != v)
        return shown && json_any(vm, shown, false, out);
    if (is_dict(v))
        return json_dict(vm, v, python, out);
    return is_many(v) ? json_many(vm, v, python, out) : json_text(vm, v, out);
}

bool scriptvalue_json(struct vm *vm, value v, struct buf *out)
{
    return json_any(vm, v, false, out);
}

bool scriptvalue_python(struct vm *vm, value v, struct buf *out)
{
    return json_any(vm, v, true, out);
}

/* ---- bash ---- */

static bool bash_value(struct vm *vm, value v, struct buf *out)
{
    struct buf text = {0};
    struct iter it;
    bool fine = (v = scriptvalue_plain(vm, v));
    if (fine && !is_many(v) && !is_dict(v)) {
        fine = add_str(vm, v, &text);
    } else if (fine && (fine = iter_open(vm, v, &it))) {
        for (value item; fine && (item = iter_next(vm, &it));) {
            if (text.len)
                buf_char(&text, ' ');
            fine = add_str(vm, item, &text);
        }
    }
    buf_shell_quote(out, buf_text(&text), text.len);
    buf_free(&text);
    return fine && !vm_failed(vm);
}

static bool bash_entry(struct vm *vm, const char *key, value v, struct buf *out)
{
    buf_char(out, '[');
    buf_shell_word(out, key);
    buf_str(out, "]=");
    bool fine = bash_value(vm, v, out);
    buf_char(out, ' ');
    return fine;
}

/* Items by name and by position, where a named run counts as one item. */
static bool bash_named(struct vm *vm, value v, struct buf *out)
{
    size_t n, done = 0;
    const value *item = sequence_items(v, &n);
    uint32_t position = 0;
    char number[16];
    while (done < n) {
        sym_t name, found = 0;
        uint32_t at, len, run = 1;
        bool is_list;
        value shown = item[done];
        for (size_t i = 0; !found && namedlist_range(v, i, &name, &at, &len, &is_list); i++)
            if (at == done && len) {
                found = name;
                run = len;
                shown = namedlist_find(vm, v, name);
            }
        snprintf(number, sizeof number, "%u", position++);
        if (found && !bash_entry(vm, sym_text(vm_names(vm), found), shown, out))
            return false;
        if (!bash_entry(vm, number, shown, out))
            return false;
        done += run;
    }
    return true;
}

bool scriptvalue_bash(struct vm *vm, const char *name, value v, struct buf *out)
{
    value key, item;
    size_t pos = 0;
    buf_printf(out, "declare -A snakemake_%s=( ", name);
    if (is_namedlist(v) && !bash_named(vm, v, out))
        return false;
    while (is_dict(v) && dict_next(v, &pos, &key, &item)) {
        value text = value_str(vm, key);
        if (!text || !bash_entry(vm, str_text(text), item, out))
            return false;
    }
    buf_str(out, ")\n");
    return true;
}

/* ---- R ---- */

static bool r_text(struct vm *vm, value v, struct buf *out)
{
    value text = value_str(vm, v);
    if (!text)
        return false;
    buf_char(out, '"');
    for (const char *c = str_text(text); *c; c++) {
        if (*c == '"' || *c == '\\')
            buf_char(out, '\\');
        if (*c == '\n')
            buf_str(out, "\\n");
        else
            buf_char(out, *c);
    }
    buf_char(out, '"');
    return true;
}

static bool r_float(value v, struct buf *out)
{
    double d;
    float_get(v, &d);
    if (isnan(d) || isinf(d))
        buf_str(out, isnan(d) ? "NaN" : d > 0 ? "Inf" : "-Inf");
    else
        format_double(d, out);
    return true;
}

/* t text, n number or bool, which R has in one vector as Snakemake has, x anything else. */
static char r_kind(value v)
{
    if (is_str(v))
        return 't';
    bool is_bool = v == VALUE_TRUE || v == VALUE_FALSE;
    return is_bool || is_int(v) || is_float(v) ? 'n' : 'x';
}

static bool r_many(struct vm *vm, value v, struct buf *out)
{
    struct iter it;
    value list = list_new(vm, NULL, 0);
    size_t n;
    if (!iter_open(vm, v, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));) {
        value shown = scriptvalue_plain(vm, item);
        if (!shown)
            return false;
        list_push(vm, list, shown);
    }
    const value *at = sequence_items(list, &n);
    bool same = !vm_failed(vm);
    for (size_t i = 0; i < n; i++)
        same = same && r_kind(at[i]) != 'x' && r_kind(at[i]) == r_kind(at[0]);
    buf_str(out, same ? "c(" : "list(");
    for (size_t i = 0; i < n; i++) {
        buf_str(out, i ? ", " : "");
        if (!scriptvalue_r(vm, at[i], out))
            return false;
    }
    buf_char(out, ')');
    return !vm_failed(vm);
}

static bool r_entry(struct vm *vm, value key, value v, bool *first, struct buf *out)
{
    buf_str(out, *first ? "" : ", ");
    *first = false;
    if (key && !r_text(vm, key, out))
        return false;
    buf_str(out, key ? " = " : "");
    return scriptvalue_r(vm, v, out);
}

/* Every item by position, then every name. Cores and nodes of resources are Snakemake's own
 * affair. */
static bool r_named(struct vm *vm, value v, struct buf *out)
{
    size_t n;
    const value *item = sequence_items(v, &n);
    bool first = true, is_list, resources = is_exact(v, &type_resources);
    sym_t name;
    uint32_t at, len;
    buf_str(out, "list(");
    for (size_t i = 0; !resources && i < n; i++)
        if (!r_entry(vm, NO_VALUE, item[i], &first, out))
            return false;
    for (size_t i = 0; namedlist_range(v, i, &name, &at, &len, &is_list); i++) {
        if (resources && sym_text(vm_names(vm), name)[0] == '_')
            continue;
        if (!r_entry(vm, str_from_sym(vm, name), namedlist_find(vm, v, name), &first, out))
            return false;
    }
    buf_char(out, ')');
    return true;
}

static bool r_dict(struct vm *vm, value v, struct buf *out)
{
    value key, item;
    size_t pos = 0;
    bool first = true;
    buf_str(out, "list(");
    while (dict_next(v, &pos, &key, &item))
        if (!r_entry(vm, key, item, &first, out))
            return false;
    buf_char(out, ')');
    return true;
}

bool scriptvalue_r(struct vm *vm, value v, struct buf *out)
{
    if (vm_too_deep(vm))
        return false;
    if (v == VALUE_NONE || v == VALUE_TRUE || v == VALUE_FALSE) {
        buf_str(out, v == VALUE_NONE ? "NULL" : v == VALUE_TRUE ? "TRUE" : "FALSE");
        return true;
    }
    if (is_int(v)) {
        bool fine = add_str(vm, v, out);
        buf_char(out, 'L');
        return fine;
    }
    if (is_float(v))
        return r_float(v, out);
    value shown = scriptvalue_plain(vm, v);
    if (shown != v)
        return shown && scriptvalue_r(vm, shown, out);
    if (is_namedlist(v) && type_of(v) != &type_namedlist)
        return r_named(vm, v, out);
    if (is_dict(v))
        return r_dict(vm, v, out);
    return is_many(v) ? r_many(vm, v, out) : r_text(vm, v, out);
}

/* ---- Julia ---- */

/* JSON's quotes are Julia's, but for $, which would fill something in. */
static bool julia_text(struct vm *vm, value v, struct buf *out)
{
    value text = value_str(vm, v);
    struct buf json = {0};
    if (!text)
        return false;
    buf_json(&json, str_text(text), as_str(text)->len);
    buf_char(out, '"');
    for (size_t i = 0; i < json.len; i++) {
        if (json.at[i] == '$')
            buf_char(out, '\\');
        buf_char(out, json.at[i]);
    }
    buf_char(out, '"');
    buf_free(&json);
    return true;
}

static bool julia_pair(struct vm *vm, value key, value v, bool *first, struct buf *out)
{
    buf_str(out, *first ? "" : ", ");
    *first = false;
    if (!scriptvalue_julia(vm, key, out))
        return false;
    buf_str(out, " => ");
    return scriptvalue_julia(vm, v, out);
}

static bool julia_named(struct vm *vm, value v, struct buf *out)
{
    size_t n;
    const value *item = sequence_items(v, &n);
    bool first = true, is_list, resources = is_exact(v, &type_resources);
    sym_t name;
    uint32_t at, len;
    buf_str(out, "Dict(");
    for (size_t i = 0; !resources && i < n; i++)
        if (!julia_pair(vm, int_from(vm, (int64_t)i + 1), item[i], &first, out))
            return false;
    for (size_t i = 0; namedlist_range(v, i, &name, &at, &len, &is_list); i++) {
        if (resources && sym_text(vm_names(vm), name)[0] == '_')
            continue;
        if (!julia_pair(vm, str_from_sym(vm, name), namedlist_find(vm, v, name), &first, out))
            return false;
    }
    buf_char(out, ')');
    return true;
}

static bool julia_dict(struct vm *vm, value v, struct buf *out)
{
    size_t pos = 0;
    value key, item;
    bool first = true;
    buf_str(out, "Dict(");
    while (dict_next(v, &pos, &key, &item))
        if (!julia_pair(vm, key, item, &first, out))
            return false;
    buf_char(out, ')');
    return true;
}

static bool julia_many(struct vm *vm, value v, struct buf *out)
{
    value list = list_from(vm, v);
    size_t n = 0;
    const value *at = list ? sequence_items(list, &n) : NULL;
    buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        buf_str(out, i ? ", " : "");
        if (!scriptvalue_julia(vm, at[i], out))
            return false;
    }
    buf_char(out, ']');
    return list;
}

bool scriptvalue_julia(struct vm *vm, value v, struct buf *out)
{
    double d;
    if (vm_too_deep(vm))
        return false;
    if (v == VALUE_NONE || v == VALUE_TRUE || v == VALUE_FALSE) {
        buf_str(out, v == VALUE_NONE ? "nothing" : v == VALUE_TRUE ? "true" : "false");
        return true;
    }
    if (is_float(v) && float_get(v, &d) && (isnan(d) || isinf(d))) {
        buf_str(out, isnan(d) ? "NaN" : d > 0 ? "Inf" : "-Inf");
        return true;
    }
    if (is_int(v) || is_float(v)) {
        value text = value_str(vm, v);
        buf_str(out, text ? str_text(text) : "");
        return text;
    }
    value shown = scriptvalue_plain(vm, v);
    if (shown != v)
        return shown && scriptvalue_julia(vm, shown, out);
    if (is_dict(v))
        return julia_dict(vm, v, out);
    if (is_namedlist(v) && type_of(v) != &type_namedlist)
        return julia_named(vm, v, out);
    bool many = is_list(v) || is_tuple(v) || is_exact(v, &type_set) || is_exact(v, &type_frozenset);
    return many ? julia_many(vm, v, out) : julia_text(vm, v, out);
}
