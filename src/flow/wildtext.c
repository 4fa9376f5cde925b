// SPDX-License-Identifier: MIT
/* wildtext.c: see wildtext.h. */
#include "flow/wildtext.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "flow/pattern.h"

value wildcard_names_in(struct vm *vm, value text)
{
    struct wildcard_at hit;
    value set = set_new(vm);
    for (size_t from = 0; wildcard_next(str_text(text), as_str(text)->len, from, &hit);
         from = hit.end)
        set_add(vm, set, str_new(vm, hit.name, hit.name_len));
    return set;
}

static value names_in(struct vm *vm, const struct args *args)
{
    return arg_text(vm, args, 0, NULL) ? wildcard_names_in(vm, args->at[0]) : NO_VALUE;
}

static value wildcards_in(struct vm *vm, const struct args *args)
{
    size_t len;
    const char *text = arg_text(vm, args, 0, &len);
    struct wildcard_at hit;
    if (!text)
        return NO_VALUE;
    value list = list_new(vm, NULL, 0);
    for (size_t from = 0; wildcard_next(text, len, from, &hit); from = hit.end) {
        value constraint = hit.constraint ? str_new(vm, hit.constraint, hit.constraint_len)
                                          : VALUE_NONE;
        value fields[] = {small((int64_t)utf8_count(text, hit.at)),
                          small((int64_t)utf8_count(text, hit.end)),
                          str_new(vm, hit.name, hit.name_len), constraint};
        list_push(vm, list, tuple_new(vm, fields, 4));
    }
    return list;
}

/* The text with what is in the dict for each wildcard (NO_VALUE: the wildcard without its
 * constraint). */
static value replace_wildcards(struct vm *vm, const char *text, size_t len, value values)
{
    struct buf out = {0};
    struct wildcard_at hit;
    size_t from = 0;
    for (; wildcard_next(text, len, from, &hit); from = hit.end) {
        value v = values ? dict_get(vm, values, str_new(vm, hit.name, hit.name_len)) : NO_VALUE;
        value shown = v ? value_str(vm, v) : NO_VALUE;
        buf_add(&out, text + from, hit.at - from);
        if (shown)
            buf_add(&out, as_str(shown)->text, as_str(shown)->len);
        else
            buf_printf(&out, "{%.*s}", (int)hit.name_len, hit.name);
    }
    buf_add(&out, text + from, len - from);
    value filled = str_new(vm, buf_text(&out), out.len);
    buf_free(&out);
    return filled;
}

static value strip_constraints(struct vm *vm, const struct args *args)
{
    size_t len;
    const char *text = arg_text(vm, args, 0, &len);
    return text ? replace_wildcards(vm, text, len, NO_VALUE) : NO_VALUE;
}

static value fill_wildcards(struct vm *vm, const struct args *args)
{
    size_t len;
    const char *text = arg_text(vm, args, 0, &len);
    value values = arg_dict(vm, args, 1);
    return text && values ? replace_wildcards(vm, text, len, values) : NO_VALUE;
}

const struct native_def wildtext_functions[] = {
    {"strip_wildcard_constraints", strip_constraints, "pattern",
     "The pattern without constraints."},
    {"get_wildcard_names", names_in, "pattern", "The wildcards of a pattern."},
    {0},
};

const struct native_def wildtext_natives[] = {
    {"_names", names_in, "text", "The wildcards of a text."},
    {"_wildcards", wildcards_in, "text", "Where the wildcards of a text stand, and what they say."},
    {"_fill", fill_wildcards, "text values", "The text with the wildcards' values."},
    {0},
};
