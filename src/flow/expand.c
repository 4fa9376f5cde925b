// SPDX-License-Identifier: MIT
/* expand.c: expand() and multiext(). A pattern is cut once into literal text and fields; each field
 * depends on one wildcard only, so its text is made once per value, and a combination is put
 * together by copying:
 *
 *     "{s}/{u.unit:02d}.bam"   ->   field s | "/" | field u | ".bam" */
#include "flow/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/pool.h"
#include "flow/deferred.h"
#include "flow/flags.h"
#include "flow/globwild.h"
#include "flow/state.h"
#include "python/format.h"
#include "python/types.h"

/* A wildcard that a pattern uses, and its values. */
struct choice {
    value name;      /* str */
    const value *at; /* borrowed */
    size_t n;
};
/* Literal text, or the field of a choice with one text per value. */
struct piece {
    const char *text; /* borrowed: literal text, or the field with its braces */
    size_t len;
    int choice;       /* -1: literal */
    struct buf *made; /* owned: one text per value of the choice */
};
struct expansion {
    struct workflow *w;
    struct vm *vm;
    value values;     /* dict */
    value combinator; /* NO_VALUE: product */
    bool allow_missing;
    struct arena arena;
    VEC(struct piece) pieces;
    VEC(struct choice) choices;
    struct buf line;
    value out; /* list */
};

/* ---- cutting a pattern ---- */

/* Length of the field at text ("{...}", nested braces in the spec included), 0 if it does not
 * end. */
static size_t field_len(const char *text, size_t len)
{
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        depth += text[i] == '{';
        depth -= text[i] == '}';
        if (!depth)
            return i + 1;
    }
    return 0;
}

static size_t name_len(const char *field, size_t len)
{
    size_t n = 0;
    while (n < len && !strchr(".[!:}", field[n]))
        n++;
    return n;
}

static value iterable_values(struct expansion *e, value v)
{
    struct vm *vm = e->vm;
    bool named_tuple = is_tuple(v) &&
                       value_attr_find(vm, v, intern_str(vm_names(vm), "_fields")) != NO_VALUE;
    struct iter it;
    if (!is_str(v) && !named_tuple && is_object(v)) {
        if (is_list(v) || is_tuple(v))
            return v;
        if (iter_open(vm, v, &it))
            return list_from(vm, v);
        vm_take_error(vm);
    }
    return tuple_new(vm, &v, 1);
}

/* The choice of a wildcard of this pattern; -1: it has no values; -2: raised. */
static int find_choice(struct expansion *e, const char *name, size_t len)
{
    value key = str_new(e->vm, name, len);
    for (uint32_t i = 0; i < e->choices.len; i++)
        if (str_equal(e->choices.at[i].name, key))
            return (int)i;
    return dict_get(e->vm, e->values, key) ? -2 : -1;
}

static void add_piece(struct expansion *e, const char *text, size_t len, int choice)
{
    struct piece piece = {text, len, choice, NULL};
    vec_push(&e->pieces, piece);
}

static bool add_field(struct expansion *e, const char *field, size_t len)
{
    size_t name = name_len(field + 1, len - 1);
    int choice = find_choice(e, field + 1, name);
    if (choice >= 0) {
        add_piece(e, field, len, choice);
        return true;
    }
    if (e->allow_missing) {
        char *kept = arena_printf(&e->arena, "{%.*s}", (int)name, field + 1);
        add_piece(e, kept, name + 2, -1);
        return true;
    }
    struct nearest near = nearest_to(arena_copy(&e->arena, field + 1, name));
    value key, item;
    for (size_t pos = 0; dict_next(e->values, &pos, &key, &item);)
        nearest_offer(&near, str_text(key));
    flow_raise(e->w, "WildcardError", "No values given for wildcard '%s'.", near.wanted);
    raise_hint(e->vm, near.best);
    return false;
}

static bool cut(struct expansion *e, const char *text, size_t len)
{
    size_t from = 0, i = 0;
    while (i < len) {
        if (text[i] != '{' && text[i] != '}') {
            i++;
            continue;
        }
        if (i + 1 < len && text[i + 1] == text[i]) {
            add_piece(e, text + from, i + 1 - from, -1);
            from = i += 2;
            continue;
        }
        size_t field = text[i] == '{' ? field_len(text + i, len - i) : 0;
        if (!field) {
            vm_raise(e->vm, "ValueError",
                     text[i] == '{' ? "Single '{' encountered in format string"
                                    : "Single '}' encountered in format string");
            return false;
        }
        if (i > from)
            add_piece(e, text + from, i - from, -1);
        if (!add_field(e, text + i, field))
            return false;
        from = i += field;
    }
    if (len > from)
        add_piece(e, text + from, len - from, -1);
    return true;
}

/* Whether the pattern names the wildcard: an open brace, the name, then one of }.[!: */
static bool uses(const char *text, const char *name, size_t len)
{
    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{'))
        if (!strncmp(at + 1, name, len) && at[len + 1] && strchr("}.[!:", at[len + 1]))
            return true;
    return false;
}

/* The wildcards of a pattern that have values, in the order of the keywords. */
static bool choose(struct expansion *e, const char *text)
{
    value key, v;
    for (size_t pos = 0; dict_next(e->values, &pos, &key, &v);) {
        if (!uses(text, str_text(key), as_str(key)->len))
            continue;
        value items = iterable_values(e, v);
        if (!items)
            return false;
        struct choice choice = {.name = key};
        choice.at = sequence_items(items, &choice.n);
        vec_push(&e->choices, choice);
    }
    return true;
}

/* ---- texts of fields ---- */

static bool is_plain_field(const struct piece *piece)
{
    return name_len(piece->text + 1, piece->len - 1) == piece->len - 2;
}

static bool make_text(struct expansion *e, const struct piece *piece, const struct choice *choice,
                      value v, struct buf *out)
{
    if (is_plain_field(piece))
        return format_value(e->vm, v, "", 0, out);
    value kwargs = dict_new(e->vm);
    dict_set(e->vm, kwargs, choice->name, v);
    struct format_rules rules = {.kwargs = kwargs};
    return format_expand(e->vm, piece->text, piece->len, &rules, out);
}

static bool make_texts(struct expansion *e, struct piece *piece)
{
    const struct choice *choice = &e->choices.at[piece->choice];
    piece->made = memory_zeroed(choice->n + 1, sizeof *piece->made);
    for (size_t i = 0; i < choice->n; i++)
        if (!make_text(e, piece, choice, choice->at[i], &piece->made[i]))
            return false;
    return true;
}

static void clear_pattern(struct expansion *e)
{
    for (uint32_t p = 0; p < e->pieces.len; p++) {
        struct piece *piece = &e->pieces.at[p];
        for (size_t i = 0; piece->made && i < e->choices.at[piece->choice].n; i++)
            buf_free(&piece->made[i]);
        free(piece->made);
    }
    e->pieces.len = 0;
    e->choices.len = 0;
}

/* ---- combinations ---- */

static void put_together(struct expansion *e, const size_t *index)
{
    buf_reset(&e->line);
    for (uint32_t p = 0; p < e->pieces.len; p++) {
        const struct piece *piece = &e->pieces.at[p];
        const struct buf *made = piece->choice < 0 ? NULL : &piece->made[index[piece->choice]];
        if (made)
            buf_add(&e->line, made->at ? made->at : "", made->len);
        else
            buf_add(&e->line, piece->text, piece->len);
    }
    list_push(e->vm, e->out, str_new(e->vm, buf_text(&e->line), e->line.len));
}

/* The next combination, the last wildcard fastest; false after the last. */
static bool advance(const struct expansion *e, size_t *index)
{
    for (uint32_t i = e->choices.len; i-- > 0;) {
        if (++index[i] < e->choices.at[i].n)
            return true;
        index[i] = 0;
    }
    return false;
}

static void run_product(struct expansion *e)
{
    size_t *index = arena_array(&e->arena, size_t, e->choices.len + 1);
    for (uint32_t i = 0; i < e->choices.len; i++)
        if (!e->choices.at[i].n)
            return;
    do
        put_together(e, index);
    while (advance(e, index));
}

static void run_zip(struct expansion *e)
{
    size_t *index = arena_array(&e->arena, size_t, e->choices.len + 1);
    size_t n = e->choices.len ? SIZE_MAX : 0;
    for (uint32_t i = 0; i < e->choices.len; i++)
        n = e->choices.at[i].n < n ? e->choices.at[i].n : n;
    for (size_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < e->choices.len; i++)
            index[i] = k;
        put_together(e, index);
    }
}

static value pairs_of(struct expansion *e, const struct choice *choice)
{
    value list = list_new(e->vm, NULL, 0);
    for (size_t i = 0; i < choice->n; i++) {
        value pair[2] = {choice->name, choice->at[i]};
        list_push(e->vm, list, tuple_new(e->vm, pair, 2));
    }
    return list;
}

static bool run_combination(struct expansion *e, const char *text, size_t len, value pairs)
{
    value kwargs = vm_call1(e->vm, dict_get_str(e->vm, vm_builtins(e->vm), "dict"), pairs);
    if (!kwargs)
        return false;
    struct format_rules rules = {.kwargs = kwargs};
    buf_reset(&e->line);
    if (!format_expand(e->vm, text, len, &rules, &e->line))
        return false;
    list_push(e->vm, e->out, str_new(e->vm, buf_text(&e->line), e->line.len));
    return true;
}

/* Any other combinator: called as Snakemake calls it, with a list of (name, value) pairs per
 * wildcard. */
static bool run_combinator(struct expansion *e, const char *text, size_t len)
{
    value *lists = arena_array(&e->arena, value, e->choices.len + 1);
    for (uint32_t i = 0; i < e->choices.len; i++)
        lists[i] = pairs_of(e, &e->choices.at[i]);
    value all = vm_call(e->vm, e->combinator, lists, e->choices.len, NO_VALUE);
    struct iter it;
    if (!all || !iter_open(e->vm, all, &it))
        return false;
    for (value pairs; (pairs = iter_next(e->vm, &it));)
        if (!run_combination(e, text, len, pairs))
            return false;
    return !vm_failed(e->vm);
}

static bool prepare_pieces(struct expansion *e, const char *text, size_t len)
{
    if (!cut(e, text, len))
        return false;
    for (uint32_t p = 0; p < e->pieces.len; p++)
        if (e->pieces.at[p].choice >= 0 && !make_texts(e, &e->pieces.at[p]))
            return false;
    return true;
}

static bool is_builtin(struct expansion *e, const char *name)
{
    return e->combinator == dict_get_str(e->vm, vm_builtins(e->vm), name);
}

static bool expand_one(struct expansion *e, const char *text, size_t len)
{
    bool zip = e->combinator && is_builtin(e, "zip"), fine = choose(e, text);
    if (fine && e->combinator && !zip) {
        fine = run_combinator(e, text, len);
    } else if (fine && (fine = prepare_pieces(e, text, len))) {
        if (zip)
            run_zip(e);
        else
            run_product(e);
    }
    clear_pattern(e);
    return fine;
}

/* ---- arguments ---- */

static bool check_flags(struct expansion *e, value pattern)
{
    value flags = str_flags(e->vm, pattern), key, setting;
    for (size_t pos = 0; flags && dict_next(flags, &pos, &key, &setting);) {
        if (!strcmp(str_text(key), "from_rule"))
            continue;
        flow_raise(
            e->w, "WorkflowError",
            "Flags (%s) in file pattern '%s' given to expand() are invalid. Flags (e.g. temp(), "
            "directory()) have to be applied outside of expand (e.g. "
            "'temp(expand(\"plots/{sample}.pdf\", sample=SAMPLES))').",
            str_text(key), str_text(pattern));
        return false;
    }
    return true;
}

/* Paths made from a rule's path are where they belong already: modules do not move them again. */
static void keep_place(struct expansion *e, size_t from)
{
    struct list *out = as_list(e->out);
    value flags = dict_new(e->vm);
    dict_set_str(e->vm, flags, "from_rule", small(0));
    for (size_t i = from; i < out->len; i++)
        out->at[i] = str_flagged(e->vm, out->at[i], flags);
}

static bool expand_pattern(struct expansion *e, value pattern)
{
    value text = path_value(e->vm, pattern);
    if (!text) {
        if (!vm_failed(e->vm))
            vm_raise(e->vm, "TypeError", "expand() needs texts as patterns, not %s",
                     type_of(pattern)->name);
        return false;
    }
    size_t before = as_list(e->out)->len;
    if (!check_flags(e, text) || !expand_one(e, str_text(text), as_str(text)->len))
        return false;
    if (flag_find(e->vm, text, "from_rule"))
        keep_place(e, before);
    return true;
}

static bool expand_all(struct expansion *e, value patterns)
{
    struct iter it;
    if (is_str(patterns) || path_value(e->vm, patterns))
        return expand_pattern(e, patterns);
    if (!iter_open(e->vm, patterns, &it))
        return false;
    for (value pattern; (pattern = iter_next(e->vm, &it));)
        if (!expand_pattern(e, pattern))
            return false;
    return !vm_failed(e->vm);
}

/* ---- values that are functions ---- */

/* The bits of enum aux that the callables among the values want; *any: there are some. */
static uint32_t callables_want(struct vm *vm, value values, bool *any)
{
    uint32_t wants = 0;
    value key, v;
    *any = false;
    for (size_t pos = 0; dict_next(values, &pos, &key, &v);) {
        size_t n = 1;
        const value *at = is_list(v) ? sequence_items(v, &n) : &v;
        for (size_t i = 0; i < n; i++) {
            if (!value_callable(at[i]))
                continue;
            wants |= wanted_by(vm, at[i]);
            *any = true;
        }
    }
    return wants;
}

static value called(struct vm *vm, value v, value wildcards, const value *at)
{
    return value_callable(v) ? aux_call(vm, v, wildcards, at) : v;
}

static value call_value(struct vm *vm, value v, value wildcards, const value *at)
{
    if (!is_list(v))
        return called(vm, v, wildcards, at);
    size_t n;
    const value *item = sequence_items(v, &n);
    value list = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value result = called(vm, item[i], wildcards, at);
        if (!result)
            return NO_VALUE;
        list_push(vm, list, result);
    }
    return list;
}

/* held: patterns, combinator (None: product), values. */
static value expand_later(struct vm *vm, const value *held, value wildcards, const value *at)
{
    value values = dict_new(vm), key, v;
    for (size_t pos = 0; dict_next(held[2], &pos, &key, &v);) {
        value result = call_value(vm, v, wildcards, at);
        if (!result)
            return NO_VALUE;
        dict_set(vm, values, key, result);
    }
    return expand_patterns(workflow_of(vm), held[0], held[1] == VALUE_NONE ? NO_VALUE : held[1],
                           values);
}

value expand_patterns(struct workflow *w, value patterns, value combinator, value values)
{
    bool any;
    uint32_t wants = callables_want(w->vm, values, &any);
    if (any) {
        value held[3] = {patterns, value_or_none(combinator), values};
        return deferred_new(w->vm, expand_later, held, 3, wants);
    }
    struct expansion e = {.w = w, .vm = w->vm, .values = values, .combinator = combinator};
    e.allow_missing = dict_get_str(w->vm, values, "allow_missing") == VALUE_TRUE;
    e.out = list_new(w->vm, NULL, 0);
    bool fine = expand_all(&e, patterns);
    vec_free(&e.pieces);
    vec_free(&e.choices);
    buf_free(&e.line);
    arena_free(&e.arena);
    return fine ? e.out : NO_VALUE;
}

static value expand_native(struct vm *vm, const struct args *args)
{
    return expand_patterns(workflow_of(vm), args->at[0], arg_or(args, 1, NO_VALUE), args->at[2]);
}

/* ---- multiext ---- */

static value multiext_one(struct vm *vm, value prefix, value extension, value name)
{
    if (!is_str(extension))
        return vm_raise(vm, "TypeError", "multiext() needs texts as extensions, not %s",
                        type_of(extension)->name);
    if (strchr(str_text(extension), '/') || strstr(str_text(extension), "\\\\"))
        return flow_raise(workflow_of(vm), "WorkflowError",
                          "Extensions for multiext may not contain path delimiters (/,\\).");
    value path = str_printf(vm, "%s%s", str_text(prefix), str_text(extension));
    path = flag_value(vm, path, "multiext_extension", extension);
    return path ? flag_value(vm, path, "multiext", name) : NO_VALUE;
}

static value multiext_native(struct vm *vm, const struct args *args)
{
    value prefix = path_value(vm, args->at[0]), list = list_new(vm, NULL, 0), key, v;
    size_t n, pos = 0;
    const value *at = sequence_items(args->at[1], &n);
    if (!prefix)
        return vm_raise(vm, "TypeError", "multiext() needs a text as prefix");
    if ((n > 0) == (dict_len(args->at[2]) > 0))
        return flow_raise(
            workflow_of(vm), "WorkflowError",
            "multiext should be given with all named extensions or all not-named extensions, not a "
            "mix.");
    for (size_t i = 0; i < n; i++) {
        if (!(v = multiext_one(vm, prefix, at[i], VALUE_NONE)))
            return NO_VALUE;
        list_push(vm, list, v);
    }
    while (dict_next(args->at[2], &pos, &key, &v)) {
        if (!(v = multiext_one(vm, prefix, v, key)))
            return NO_VALUE;
        list_push(vm, list, v);
    }
    return list;
}

const struct native_def expand_functions[] = {
    {"expand", expand_native, "patterns combinator=None / **wildcards",
     "The patterns with every combination of values filled in."},
    {"collect", expand_native, "patterns combinator=None / **wildcards", "The same as expand."},
    {"multiext", multiext_native, "prefix / *extensions **named",
     "The prefix with each extension."},
    {"glob_wildcards", globwild_native, "pattern files=None followlinks=False",
     "The values of the wildcards in the names of existing files."},
    {0},
};
