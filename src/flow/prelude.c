// SPDX-License-Identifier: MIT
/* prelude.c: see prelude.h. The functions of the prelude are stood in for by natives until the
 * first of them is called, so that a Snakefile that uses none does not pay for it. */
#include "flow/prelude.h"

#include <string.h>

#include "flow/deferred.h"
#include "flow/exceptions.h"
#include "flow/implicit.h"
#include "flow/proxies.h"
#include "flow/state.h"
#include "flow/texts.h"
#include "flow/wildtext.h"
#include "syntax/parse.h"

/* ---- what the texts ask of C ---- */

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

static value is_bare(struct vm *vm, const struct args *args)
{
    return value_bool(proxies_whole(vm, args->at[0], false) != NO_VALUE);
}

static value whole_of(struct vm *vm, const struct args *args)
{
    return proxies_whole(vm, args->at[0], true);
}

static const struct native_def prelude_natives[] = {
    {"_is_bare", is_bare, "item", "Whether it is a bare input, output, params or resources."},
    {"_whole", whole_of, "item", "The function that gives all of it."},
    {"_like", like, "function then", "A function of the wildcards, followed by another."},
    {0},
};

/* ---- the texts ---- */

/* Runs a text in a namespace that holds some natives. */
static bool run_text(struct workflow *w, struct root *globals, const char *text)
{
    struct vm *vm = w->vm;
    int source = source_add(w->sources, "<snakemake>", text, strlen(text));
    struct node *tree = parse_source(&w->arena, w->names, w->diags, source,
                                     &(struct parse_options){.python = true});
    globals->v = vm_globals_new(vm, "snakemake.helpers");
    natives_fill(vm, globals->v, wildtext_natives);
    natives_fill(vm, globals->v, prelude_natives);
    dict_set_str(vm, globals->v, "LookupError", flow_class(w, "LookupError"));
    if (text != text_settings) /* which defines some of those names */
        implicit_names_used(w, tree);
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

value scriptparts_get(struct workflow *w, const char *name)
{
    return text_get(w, &w->flow->parts, text_parts, name);
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
    return natives_fill(w->vm, into, prelude_functions);
}
