// SPDX-License-Identifier: MIT
/* api.c: every name that Snakefiles know without an import: this floor's functions, the objects of
 * proxies.c, and what Snakemake's own namespace happens to hold (os, sys, re, Path, ...). */
#include "flow/api.h"
#include "flow/exceptions.h"

#include <string.h>

#include "flow/expand.h"
#include "flow/flags.h"
#include "flow/helpers.h"
#include "flow/module_snakemake.h"
#include "flow/origin.h"
#include "flow/proxies.h"
#include "flow/shellfn.h"
#include "flow/state.h"
#include "flow/storage.h"

static bool add_functions(struct vm *vm, value into, const struct native_def *def)
{
    for (; def->name; def++)
        if (!dict_set_str(vm, into, def->name, native_new(vm, def, NULL)))
            return false;
    return true;
}

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

/* ---- names from modules of Python ---- */

/* Imported when a Snakefile first uses them, so that nobody pays for the others. */
static const struct import_row {
    const char *name, *module, *attribute; /* attribute NULL: the module itself */
} imports[] = {
    {"os", "os", NULL},
    {"sys", "sys", NULL},
    {"re", "re", NULL},
    {"copy", "copy", NULL},
    {"snakemake", "snakemake", NULL},
    {"hashlib", "hashlib", NULL},
    {"platform", "platform", NULL},
    {"subprocess", "subprocess", NULL},
    {"tempfile", "tempfile", NULL},
    {"threading", "threading", NULL},
    {"tarfile", "tarfile", NULL},
    {"linecache", "linecache", NULL},
    {"dis", "dis", NULL},
    {"Path", "pathlib", "Path"},
    {"partial", "functools", "partial"},
    {"chain", "itertools", "chain"},
    {"filterfalse", "itertools", "filterfalse"},
    {"OrderedDict", "collections", "OrderedDict"},
    {"namedtuple", "collections", "namedtuple"},
    {"dataclass", "dataclasses", "dataclass"},
    {"field", "dataclasses", "field"},
    {"Callable", "typing", "Callable"},
    {"Dict", "typing", "Dict"},
    {"Iterable", "typing", "Iterable"},
    {"Iterator", "typing", "Iterator"},
    {"List", "typing", "List"},
    {"Mapping", "typing", "Mapping"},
    {"Optional", "typing", "Optional"},
    {"Set", "typing", "Set"},
    {"Union", "typing", "Union"},
    {"StorageSettings", "snakemake.settings.types", "StorageSettings"},
    {"DeploymentSettings", "snakemake.settings.types", "DeploymentSettings"},
    {"DeploymentMethod", "snakemake.settings.types", "DeploymentMethod"},
    {"ExecMode", "snakemake_interface_executor_plugins.settings", "ExecMode"},
};

static const struct import_row *find_import(const char *name)
{
    for (size_t i = 0; i < sizeof imports / sizeof *imports; i++)
        if (!strcmp(imports[i].name, name))
            return &imports[i];
    return NULL;
}

value api_name(struct workflow *w, const char *name)
{
    struct vm *vm = w->vm;
    const struct import_row *row = find_import(name);
    value found = row ? dict_get_str(vm, vm_builtins(vm), name) : NO_VALUE;
    if (!row || found)
        return found;
    value module = module_import(vm, row->module);
    found = module && row->attribute ? value_attr(vm, module, intern_str(w->names, row->attribute))
                                     : module;
    vm_take_error(vm);
    if (found)
        dict_set_str(vm, vm_builtins(vm), name, found);
    return found;
}

/* A module is meant only where something of it is used (os.path): many variables are called
 * `copy`. */
void api_names_used(struct workflow *w, const struct node *tree)
{
    if (!tree)
        return;
    bool of_module = tree->kind == NODE_ATTR && tree->kid[0]->kind == NODE_NAME;
    sym_t name = of_module ? tree->kid[0]->name : tree->kind == NODE_NAME ? tree->name : 0;
    const struct import_row *row = name ? find_import(sym_text(w->names, name)) : NULL;
    if (row && (of_module || row->attribute))
        api_name(w, row->name);
    for (uint32_t i = 0; i < tree->n; i++)
        api_names_used(w, tree->kid[i]);
}

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
    return add_functions(vm, into, expand_functions) && add_functions(vm, into, flag_functions) &&
           add_functions(vm, into, origin_functions) && add_functions(vm, into, helper_functions) &&
           prelude_fill(w, into) && logger && storage &&
           dict_set_str(vm, into, "storage", storage) && dict_set_str(vm, into, "logger", logger);
}
