// SPDX-License-Identifier: MIT
/* iofile.c: see iofile.h. */
#include "flow/iofile.h"

#include "flow/state.h"
#include "flow/storage.h"
#include "python/vm.h"

/* path.open(mode): Python's open of that path, which is fetched first if it lives in a storage. */
static value iofile_open(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    struct storage_place place;
    const char *path = arg_text(vm, args, 0, NULL), *why;
    if (path && storage_find(w, &w->arena, path, &place) && place.copied &&
        !storage_fetch(&w->arena, &place, path, false, &why))
        return flow_raise(w, "WorkflowError", "Failed to open input file: %s", why);
    value open = dict_get_str(vm, vm_builtins(vm), "open");
    return vm_call(vm, open, args->at, arg_given(args, 1) ? 2 : 1, NO_VALUE);
}

static const struct native_def iofile_methods[] = {
    {"open", iofile_open, "self mode='r'", "Opens the file."},
    {0},
};
static const struct type type_iofile = {
    .object = {.type = &type_type},
    .name = "_IOFile", .base = &type_annotated, .size = sizeof(struct str), .methods = iofile_methods};

value iofile_new(struct vm *vm, sym_t path, value flags)
{
    value text = str_flagged(vm, str_from_sym(vm, path), flags);
    as_object(text)->type = &type_iofile;
    return text;
}
