// SPDX-License-Identifier: MIT
/* helpers.c: see helpers.h. */
#include "flow/helpers.h"

#include <string.h>

#include "flow/deferred.h"
#include "flow/exceptions.h"
#include "flow/flags.h"
#include "flow/iofile.h"
#include "flow/namedlist.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "python/types.h"
#include "syntax/parse.h"

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
        dict_set(vm, reprs, str_from_sym(vm, name), value_or_none(repr));
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
    flow_raise(w, "WorkflowError", "Failed to evaluate expression %s. Formatted expression: %s. %s",
               str_text(held[0]), str_text(text), error ? exception_text(vm, error) : "");
    if (!tree)
        raise_help(vm, "wildcards stand there with quotes around them: {sample}, not '{sample}'");
    return NO_VALUE;
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

const struct native_def helper_functions[] = {
    {"evaluate", evaluate, "expr",
     "A Python expression in which wildcards stand for their values."},
    {"exists", path_exists, "path", "Whether a file or directory exists."},
    {0},
};
