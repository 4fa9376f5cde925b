// SPDX-License-Identifier: MIT
/* helpers.c: evaluate, exists, wildcard texts; and the prelude, whose functions are stood in for by
 * natives until the first of them is called, so that a Snakefile that uses none does not pay for
 * it. */
#include "flow/helpers.h"

#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/utf8.h"
#include "flow/api.h"
#include "flow/deferred.h"
#include "flow/exceptions.h"
#include "flow/flags.h"
#include "flow/iofile.h"
#include "flow/namedlist.h"
#include "flow/proxies.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "flow/texts.h"
#include "syntax/parse.h"

/* ---- wildcard texts ---- */

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

/* ---- evaluate ---- */

/* held[0]: the expression; the wildcards' values stand in it as reprs. */
static value evaluate_now(struct vm *vm, const value *held, value wildcards, const value *at)
{
    struct workflow *w = workflow_of(vm);
    value reprs = dict_new(vm);
    sym_t name;
    uint32_t first, len;
    bool many;
    size_t n;
    const value *item = sequence_items(wildcards, &n);
    for (size_t i = 0;
         is_namedlist(wildcards) && namedlist_range(wildcards, i, &name, &first, &len, &many);
         i++) {
        value repr = value_repr(vm, item[first]);
        dict_set(vm, reprs, str_from_sym(vm, name), repr ? repr : VALUE_NONE);
    }
    value text = vm_call(vm, value_attr(vm, held[0], intern_str(w->names, "format")), NULL, 0,
                         reprs);
    if (!text)
        return NO_VALUE;
    int source = source_add(w->sources, "evaluate()", str_text(text), as_str(text)->len);
    struct node *tree = parse_expression(&w->arena, w->names, w->diags, source);
    value result = tree ? vm_eval(vm, tree, w->flow->main->globals.v, NO_VALUE) : NO_VALUE;
    if (result)
        return result;
    value error = vm_take_error(vm);
    return flow_raise(w, "WorkflowError",
                      "Failed to evaluate expression %s. Formatted expression: %s. %s",
                      str_text(held[0]), str_text(text), error ? exception_text(vm, error) : "");
}

static value evaluate(struct vm *vm, const struct args *args)
{
    value text = args->at[0];
    return arg_text(vm, args, 0, NULL) ? deferred_new(vm, evaluate_now, &text, 1, 0) : NO_VALUE;
}

static value path_exists(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    if (!flag_find(vm, args->at[0], "local") && !flag_find(vm, args->at[0], "storage_object"))
        path = storage_default(w, path);
    return path ? iofile_is_there(vm, path) : NO_VALUE;
}

/* held: a function and what is to be done with its result. */
static value then_apply(struct vm *vm, const value *held, value wildcards, const value *at)
{
    value result = aux_call(vm, held[0], wildcards, at);
    return result ? vm_call1(vm, held[1], result) : NO_VALUE;
}

/* A function that asks for what another asks for, and hands its result on. */
static value like(struct vm *vm, const struct args *args)
{
    return deferred_new(vm, then_apply, args->at, 2, wanted_by(vm, args->at[0]));
}

const struct native_def helper_functions[] = {
    {"evaluate", evaluate, "expr",
     "A Python expression in which wildcards stand for their values."},
    {"exists", path_exists, "path", "Whether a file or directory exists."},
    {"strip_wildcard_constraints", strip_constraints, "pattern",
     "The pattern without constraints."},
    {"get_wildcard_names", names_in, "pattern", "The wildcards of a pattern."},
    {0},
};

/* ---- the prelude ---- */

static value is_bare(struct vm *vm, const struct args *args)
{
    return value_bool(proxies_whole(vm, args->at[0], false) != NO_VALUE);
}

static value whole_of(struct vm *vm, const struct args *args)
{
    return proxies_whole(vm, args->at[0], true);
}

static const struct native_def prelude_natives[] = {
    {"_names", names_in, "text", "The wildcards of a text."},
    {"_wildcards", wildcards_in, "text", "Where the wildcards of a text stand, and what they say."},
    {"_fill", fill_wildcards, "text values", "The text with the wildcards' values."},
    {"_is_bare", is_bare, "item", "Whether it is a bare input, output, params or resources."},
    {"_whole", whole_of, "item", "The function that gives all of it."},
    {"_like", like, "function then", "A function of the wildcards, followed by another."},
    {0},
};

/* Runs a text in a namespace that holds some natives. */
static bool run_text(struct workflow *w, struct root *globals, const char *text)
{
    struct vm *vm = w->vm;
    int source = source_add(w->sources, "<snakemake>", text, strlen(text));
    struct node *tree = parse_source(&w->arena, w->names, w->diags, source,
                                     &(struct parse_options){.python = true});
    globals->v = vm_globals_new(vm, "snakemake.helpers");
    for (const struct native_def *def = prelude_natives; def->name; def++)
        dict_set_str(vm, globals->v, def->name, native_new(vm, def, NULL));
    dict_set_str(vm, globals->v, "LookupError", flow_class(w, "LookupError"));
    if (text != text_settings) /* which defines some of those names */
        api_names_used(w, tree);
    return tree && vm_run(vm, tree, globals->v);
}

/* A name of a text's namespace; the text is run when the first is asked for. */
static value text_get(struct workflow *w, struct root *globals, const char *text, const char *name)
{
    if (globals->v == VALUE_NONE && !run_text(w, globals, text)) {
        globals->v = VALUE_NONE;
        return NO_VALUE;
    }
    return dict_get_str(w->vm, globals->v, name);
}

value caption_get(struct workflow *w, const char *name)
{
    return text_get(w, &w->flow->caption, text_caption, name);
}

value notebook_get(struct workflow *w, const char *name)
{
    return text_get(w, &w->flow->notebook, text_notebook, name);
}

value settings_get(struct workflow *w, const char *name)
{
    return text_get(w, &w->flow->settings, text_settings, name);
}

value prelude_get(struct workflow *w, const char *name)
{
    value found = text_get(w, &w->flow->prelude, text_prelude, name);
    if (!found && vm_failed(w->vm))
        return NO_VALUE;
    return found ? found : vm_raise(w->vm, "NameError", "name '%s' is not defined", name);
}

static value call_helper(struct vm *vm, const struct args *args)
{
    value helper = prelude_get(workflow_of(vm), args->def->name);
    size_t n;
    const value *at = sequence_items(args->at[0], &n);
    return helper ? vm_call(vm, helper, at, n, args->at[1]) : NO_VALUE;
}

static const struct native_def prelude_functions[] = {
#define HELPER(name)                                                                               \
    {                                                                                              \
        name, call_helper, "*args **kwargs", "See Snakemake's documentation."                      \
    }
    HELPER("branch"),        HELPER("subpath"),
    HELPER("lookup"),        HELPER("parse_input"),
    HELPER("flatten"),       HELPER("extract_checksum"),
    HELPER("limit"),         HELPER("prepend_param"),
    HELPER("as_py_module"),  HELPER("apply_wildcards"),
    HELPER("update_config"), HELPER("choose_file"),
    HELPER("choose_folder"), HELPER("choose_tmp"),
    HELPER("from_queue"),    {0},
};

bool prelude_fill(struct workflow *w, value into)
{
    for (const struct native_def *def = prelude_functions; def->name; def++)
        if (!dict_set_str(w->vm, into, def->name, native_new(w->vm, def, NULL)))
            return false;
    return true;
}
