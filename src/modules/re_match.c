// SPDX-License-Identifier: MIT
/* re.Match: where the groups of a pattern were found. */
#include <string.h>

#include "base/utf8.h"
#include "modules/re_match.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/vm_state.h"

static int64_t position(struct vm *vm, value subject, size_t offset)
{
    return (int64_t)(is_str(subject) ? str_position(vm, subject, offset) : offset);
}
value match_new(struct vm *vm, const struct pattern *pattern, value subject, size_t from, size_t to,
                size_t (*span)[2])
{
    int n = pattern->groups + 1;
    struct match *match = object_alloc(vm, &type_match,
                                       sizeof *match + (size_t)n * sizeof *match->span);
    match->pattern = from_object(pattern);
    match->subject = subject;
    match->from = from;
    match->to = to;
    match->groups = n;
    memcpy(match->span, span, (size_t)n * sizeof *span);
    return from_object(match);
}
/* The number of a group named by an argument; -1: raised. */
static int group_of(struct vm *vm, const struct match *match, value which)
{
    const struct pattern *pattern = as_pattern(match->pattern);
    int64_t n = -1;
    if (is_str(which)) {
        n = regex_group_number(pattern->regex, str_text(which));
        n = n ? n : -1;
    } else {
        value index = attr_special(vm, which, vm->sym.__index__) ? int_index(vm, which) : NO_VALUE;
        if (vm->error)
            return -1;
        if (!index || !int_get(index, &n))
            n = -1;
    }
    if (n < 0 || n >= match->groups) {
        vm_raise(vm, "IndexError", "no such group");
        return -1;
    }
    return (int)n;
}

static value one_group(struct vm *vm, value self, value which)
{
    const struct match *match = as_match(self);
    int n = group_of(vm, match, which);
    return n < 0 ? NO_VALUE : group_value(vm, match->subject, match->span[n], VALUE_NONE);
}

static value match_group(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *which = sequence_items(args->at[1], &n);
    if (n == 0)
        return one_group(vm, args->at[0], small(0));
    if (n == 1)
        return one_group(vm, args->at[0], which[0]);
    value all = tuple_new(vm, which, n), *items = as_tuple(all)->at;
    for (size_t i = 0; i < n; i++)
        if (!(items[i] = one_group(vm, args->at[0], items[i])))
            return NO_VALUE;
    return all;
}

static value match_groups(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    value all = tuple_new(vm, NULL, (size_t)match->groups - 1), *items = as_tuple(all)->at;
    for (int i = 1; i < match->groups; i++)
        items[i - 1] = group_value(vm, match->subject, match->span[i], arg_or(args, 1, VALUE_NONE));
    return all;
}

static value match_groupdict(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    value dict = dict_new(vm);
    for (int i = 1; i < match->groups; i++) {
        const char *name = regex_group_name(as_pattern(match->pattern)->regex, i);
        if (name)
            dict_set_str(
                vm, dict, name,
                group_value(vm, match->subject, match->span[i], arg_or(args, 1, VALUE_NONE)));
    }
    return dict;
}

static bool span_of(struct vm *vm, const struct args *args, int64_t out[2])
{
    const struct match *match = as_match(args->at[0]);
    int n = group_of(vm, match, arg_or(args, 1, small(0)));
    for (int i = 0; n >= 0 && i < 2; i++)
        out[i] = match->span[n][0] == SIZE_MAX ? -1
                                               : position(vm, match->subject, match->span[n][i]);
    return n >= 0;
}

static value match_start(struct vm *vm, const struct args *args)
{
    int64_t span[2];
    return span_of(vm, args, span) ? small(span[0]) : NO_VALUE;
}

static value match_end(struct vm *vm, const struct args *args)
{
    int64_t span[2];
    return span_of(vm, args, span) ? small(span[1]) : NO_VALUE;
}

static value match_span(struct vm *vm, const struct args *args)
{
    int64_t span[2];
    return span_of(vm, args, span) ? tuple_new(vm, (value[]){small(span[0]), small(span[1])}, 2)
                                   : NO_VALUE;
}

static value match_regs(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    value regs = list_new(vm, NULL, 0);
    for (int i = 0; i < match->groups; i++) {
        struct args one = {(value[]){args->at[0], small(i)}, 2, args->def, NULL};
        list_push(vm, regs, match_span(vm, &one));
    }
    return tuple_from(vm, regs);
}

static value match_expand(struct vm *vm, const struct args *args)
{
    struct match *match = as_match(args->at[0]);
    struct template template;
    struct text subject;
    struct buf out = {0};
    if (!template_read(vm, as_pattern(match->pattern), args->at[1], &template))
        return NO_VALUE;
    text_get(match->subject, &subject);
    template_put(&template, subject, match->span, &out);
    template_free(&template);
    return take_like(vm, match->subject, &out);
}

static value match_string(struct vm *vm, const struct args *args)
{
    return as_match(args->at[0])->subject;
}

static value match_re(struct vm *vm, const struct args *args)
{
    return as_match(args->at[0])->pattern;
}

static value match_pos(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    return small(position(vm, match->subject, match->from));
}

static value match_endpos(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    return small(position(vm, match->subject, match->to));
}

static value match_lastindex(struct vm *vm, const struct args *args)
{
    const struct match *match = as_match(args->at[0]);
    int last = 0;
    for (int i = 1; i < match->groups; i++)
        if (match->span[i][0] != SIZE_MAX && (!last || match->span[i][1] > match->span[last][1]))
            last = i;
    return last ? small(last) : VALUE_NONE;
}

static value match_lastgroup(struct vm *vm, const struct args *args)
{
    value last = match_lastindex(vm, args);
    const struct match *match = as_match(args->at[0]);
    const char *name = last == VALUE_NONE ? NULL
                                          : regex_group_name(as_pattern(match->pattern)->regex,
                                                             (int)small_int(last));
    return name ? str_from(vm, name) : VALUE_NONE;
}

static value match_repr(struct vm *vm, value self)
{
    const struct match *match = as_match(self);
    value text = value_repr(vm, part_of(vm, match->subject, match->span[0][0], match->span[0][1]));
    if (!text)
        return NO_VALUE;
    int shown = (int)utf8_offset(str_text(text), as_str(text)->len, 50);
    return str_printf(vm, "<re.Match object; span=(%lld, %lld), match=%.*s>",
                      (long long)position(vm, match->subject, match->span[0][0]),
                      (long long)position(vm, match->subject, match->span[0][1]), shown,
                      str_text(text));
}

static bool match_truth(struct vm *vm, value self, bool *out)
{
    *out = true;
    return true;
}

static void match_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct match *)self)->pattern);
    heap_mark(vm, ((struct match *)self)->subject);
}

static const struct native_def match_methods[] = {
    {"group", match_group, "self *groups", "The text of a group."},
    {"groups", match_groups, "self default=None", "The texts of all groups."},
    {"groupdict", match_groupdict, "self default=None", "The texts of named groups."},
    {"start", match_start, "self group=0", "Where a group begins."},
    {"end", match_end, "self group=0", "Where a group ends."},
    {"span", match_span, "self group=0", "Both."},
    {"expand", match_expand, "self template", "A template filled in with groups."},
    {0}};

static const struct native_def match_properties[] = {
    {"string", match_string, "self", "What was searched."},
    {"re", match_re, "self", "The pattern."},
    {"pos", match_pos, "self", "Where the search began."},
    {"endpos", match_endpos, "self", "Where it ended."},
    {"lastindex", match_lastindex, "self", "The last group that took part."},
    {"lastgroup", match_lastgroup, "self", "Its name."},
    {"regs", match_regs, "self", "The spans of all groups."},
    {0}};

const struct type type_match = {
    .object = {.type = &type_type},
    .name = "re.Match",
    .base = &type_object,
    .size = sizeof(struct match),
    .methods = match_methods,
    .properties = match_properties,
    .mark = match_mark,
    .truth = match_truth,
    .repr = match_repr,
    .get_index = one_group,
};
