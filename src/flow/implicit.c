// SPDX-License-Identifier: MIT
/* implicit.c: see implicit.h. Modules are imported when a Snakefile first uses a name of them, so
 * that nobody pays for the others. */
#include "flow/implicit.h"

#include <string.h>

#include "flow/workflow.h"
#include "syntax/ast.h"

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

value implicit_name(struct workflow *w, const char *name)
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
void implicit_names_used(struct workflow *w, const struct node *tree)
{
    if (!tree)
        return;
    bool of_module = tree->kind == NODE_ATTR && tree->kid[0]->kind == NODE_NAME;
    sym_t name = of_module ? tree->kid[0]->name : tree->kind == NODE_NAME ? tree->name : 0;
    const struct import_row *row = name ? find_import(sym_text(w->names, name)) : NULL;
    if (row && (of_module || row->attribute))
        implicit_name(w, row->name);
    for (uint32_t i = 0; i < tree->n; i++)
        implicit_names_used(w, tree->kid[i]);
}
