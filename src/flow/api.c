// SPDX-License-Identifier: MIT
/* api.c: the names of this layer that Snakefiles know without an import: its functions, and the
 * objects of proxies.c. */
#include "flow/api.h"
#include "flow/exceptions.h"

#include <string.h>

#include "flow/expand.h"
#include "flow/flags.h"
#include "flow/helpers.h"
#include "flow/module_snakemake.h"
#include "flow/origin.h"
#include "flow/prelude.h"
#include "flow/proxies.h"
#include "flow/shellfn.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "flow/wildtext.h"

/* An object whose attributes are functions: `access`. */
struct group {
    struct object object;
};

static value access_attr(struct vm *vm, value self, sym_t name)
{
    const char *text = sym_text(vm_names(vm), name);
    for (const struct native_def *def = access_functions; def->name; def++)
        if (!strcmp(def->name, text))
            return native_new(vm, def, NULL);
    return NO_VALUE;
}

static const struct type type_access = {.object = {.type = &type_type},
                                        .name = "snakemake.ioflags.access",
                                        .size = sizeof(struct group),
                                        .get_attr = access_attr};

static bool add_objects(struct workflow *w, value into)
{
    struct vm *vm = w->vm;
    return dict_set_str(vm, into, "workflow", proxies_workflow(w)) &&
           dict_set_str(vm, into, "__workflow__", proxies_workflow(w)) &&
           dict_set_str(vm, into, "shell", shellfn_new(w)) &&
           dict_set_str(vm, into, "access", from_object(object_new(vm, &type_access))) &&
           proxies_items(w, into);
}

static bool add_classes(struct workflow *w, value into)
{
    static const char *const names[] = {"WorkflowError", "WildcardError", "RuleException",
                                        "InputFunctionException", "IncompleteCheckpointException"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!dict_set_str(w->vm, into, names[i], flow_class(w, names[i])))
            return false;
    return true;
}

struct workflow *workflow_of(struct vm *vm)
{
    return proxies_unwrap(dict_get_str(vm, vm_builtins(vm), "__workflow__"));
}

bool api_fill(struct workflow *w)
{
    struct vm *vm = w->vm;
    value into = vm_builtins(vm);
    if (!add_objects(w, into) || !add_classes(w, into))
        return false;
    module_snakemake_add(w);
    value logger = module_snakemake_logger(w), storage = storage_object(w);
    return natives_fill(vm, into, expand_functions) && natives_fill(vm, into, flag_functions) &&
           natives_fill(vm, into, origin_functions) && natives_fill(vm, into, helper_functions) &&
           natives_fill(vm, into, wildtext_functions) && prelude_fill(w, into) && logger &&
           storage && dict_set_str(vm, into, "storage", storage) &&
           dict_set_str(vm, into, "logger", logger);
}
