// SPDX-License-Identifier: MIT
/* iofile.c: see iofile.h. */
#include "flow/iofile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "flow/state.h"
#include "flow/storage.h"
#include "flow/wildtext.h"
#include "python/vm.h"

value iofile_is_there(struct vm *vm, const char *path)
{
    struct arena in = {0};
    struct storage_place place;
    struct fs_info info;
    if (!storage_find(workflow_of(vm), &in, path, &place))
        return value_bool(fs_exists(path));
    storage_stat(&place, &info);
    value there = value_bool(info.mtime >= 0);
    if (info.error) {
        const char *hint, *told = storage_unknown_text(&in, &place, info.error, &hint);
        there = hint ? vm_raise(vm, "OSError", "%s (%s)", told, hint)
                     : vm_raise_errno(vm, info.error, path);
    }
    arena_free(&in);
    return there;
}

bool iofile_bytes(struct vm *vm, const char *path, int64_t *out)
{
    struct arena in = {0};
    struct storage_place place;
    struct stat st;
    const char *why = NULL;
    bool stored = storage_find(workflow_of(vm), &in, path, &place);
    bool good = stored ? storage_size(&in, &place, out, &why) : !stat(path, &st);
    if (!stored && good)
        *out = st.st_size;
    if (!good && why)
        vm_raise(vm, "OSError", "%s", why);
    else if (!good)
        vm_raise_errno(vm, errno, stored ? place.shown : path);
    arena_free(&in);
    return good;
}

/* path.open(mode): Python's open of that path, which is fetched first if it lives in a storage. */
static value iofile_open(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    struct storage_place place;
    const char *path = arg_text(vm, args, 0, NULL), *why;
    if (path && storage_find(w, &w->arena, path, &place) && place.copied &&
        !storage_fetch(&w->arena, &(struct storage_copy){.place = place, .path = path}, 1, &why))
        return flow_raise(w, "WorkflowError", "Failed to open input file: %s", why);
    value open = dict_get_str(vm, vm_builtins(vm), "open");
    return vm_call(vm, open, args->at, arg_given(args, 1) ? 2 : 1, NO_VALUE);
}

/* path.apply_wildcards(values): the path with their values, flagged the same. */
static value iofile_fill(struct vm *vm, const struct args *args)
{
    value fill = dict_get_str(vm, vm_builtins(vm), "apply_wildcards");
    value path = fill ? vm_call(vm, fill, args->at, 2, NO_VALUE) : NO_VALUE;
    return path ? iofile_new(vm, str_sym(vm, path), str_flags(vm, args->at[0])) : NO_VALUE;
}

static value iofile_wildcards(struct vm *vm, const struct args *args)
{
    return wildcard_names_in(vm, args->at[0]);
}

static value iofile_has_wildcard(struct vm *vm, const struct args *args)
{
    struct wildcard_at hit;
    return value_bool(wildcard_next(str_text(args->at[0]), as_str(args->at[0])->len, 0, &hit));
}

/* Coroutines in Snakemake, values here: async_run() gives back what it is given. */
static value iofile_size(struct vm *vm, const struct args *args)
{
    int64_t size;
    return iofile_bytes(vm, str_text(args->at[0]), &size) ? int_from(vm, size) : NO_VALUE;
}

static value iofile_exists(struct vm *vm, const struct args *args)
{
    return iofile_is_there(vm, str_text(args->at[0]));
}

/* Snakemake's own flags: which rule makes the path is ours. */
static value iofile_flags(struct vm *vm, const struct args *args)
{
    value flags = dict_new(vm), key, setting;
    for (size_t at = 0; dict_next(str_flags(vm, args->at[0]), &at, &key, &setting);)
        if (strcmp(str_text(key), "from_rule"))
            dict_set(vm, flags, key, setting);
    return flags;
}

static value iofile_is_storage(struct vm *vm, const struct args *args)
{
    struct arena in = {0};
    struct storage_place place;
    bool stored = storage_find(workflow_of(vm), &in, str_text(args->at[0]), &place);
    arena_free(&in);
    return value_bool(stored);
}

static const struct native_def iofile_methods[] = {
    {"open", iofile_open, "self mode='r'", "Opens the file."},
    {"apply_wildcards", iofile_fill, "self wildcards", "The path with the wildcards' values."},
    {"get_wildcard_names", iofile_wildcards, "self", "The wildcards of the path."},
    {"size", iofile_size, "self", "Its bytes."},
    {"exists", iofile_exists, "self", "Whether it is there."},
    {"contains_wildcard", iofile_has_wildcard, "self", "Whether it has any."},
    {0},
};
static const struct native_def iofile_properties[] = {
    {"flags", iofile_flags, "self", "What it is flagged with, a copy."},
    {"is_storage", iofile_is_storage, "self", "Whether it lives in a storage."},
    {0},
};
const struct type type_iofile = {.object = {.type = &type_type},
                                 .name = "_IOFile",
                                 .base = &type_annotated,
                                 .size = sizeof(struct str),
                                 .methods = iofile_methods,
                                 .properties = iofile_properties};

value iofile_new(struct vm *vm, sym_t path, value flags)
{
    value text = str_flagged(vm, str_from_sym(vm, path), flags);
    as_object(text)->type = &type_iofile;
    return text;
}
