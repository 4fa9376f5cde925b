// SPDX-License-Identifier: MIT
/* _imp: importing by name, for the modules of lib/. */
#include "modules/modules.h"
#include "python/builtins.h"
#include "python/foreign.h"
#include "python/vm_state.h"

// _imp.load(name): the module of that dotted name, wherever it is found
static value imp_load(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    return name ? module_import(vm, name) : NO_VALUE;
}

// _imp.elsewhere(name): python3's own module of a name that is known here, too
static value imp_elsewhere(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    return name ? foreign_import(vm, name) : NO_VALUE;
}

// _imp.instance_here(x, class): isinstance(), but no object of python3 is of a class here, whatever
// it is derived from
static value imp_instance_here(struct vm *vm, const struct args *args)
{
    bool yes = false;
    return is_foreign(args->at[0]) || value_isinstance(vm, args->at[0], args->at[1], &yes)
               ? value_bool(yes)
               : NO_VALUE;
}

static const struct native_def functions[] = {
    {"load", imp_load, "name /", "Imports a module."},
    {"elsewhere", imp_elsewhere, "name /", "The module that python3 has under a name."},
    {"instance_here", imp_instance_here, "x class /", "isinstance() for what lives here."},
    {0}};

const struct native_module module_imp = {"_imp", functions, NULL};
