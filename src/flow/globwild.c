// SPDX-License-Identifier: MIT
/* globwild.c: see globwild.h. The walk starts at the constant directory in front of the first
 * wildcard; each level gives its files first, then its directories, then what is below these, as
 * Python's os.walk does. */
#include "flow/globwild.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/pool.h"
#include "flow/flags.h"
#include "flow/pattern.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "python/vm.h"

struct walk {
    struct vm *vm;
    struct intern *names;
    struct arena arena;
    struct wildcard_names wildcards;
    struct pattern pattern;
    sym_t *value; /* one per wildcard */
    value *lists; /* one per wildcard */
    bool follow;
    int depth;
    struct fs_unread unread; /* paths as shown */
    bool closed;             /* nor can the folder be read where it begins: nothing is known */
};

static void try_path(struct walk *walk, const char *path, size_t len)
{
    if (!pattern_match(&walk->pattern, walk->names, &walk->wildcards, path, len, walk->value))
        return;
    for (int i = 0; i < walk->wildcards.n; i++)
        list_push(walk->vm, walk->lists[i], str_from_sym(walk->vm, walk->value[i]));
}

/* What an entry of a directory is: links count as what they lead to. */
static void look_at(const struct dirent *entry, const char *path, bool *is_dir, bool *is_link)
{
    struct stat st;
    *is_link = entry->d_type == DT_LNK;
    *is_dir = entry->d_type == DT_DIR;
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return;
    if (entry->d_type == DT_UNKNOWN)
        *is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    *is_dir = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct subdir {
    char *path; /* in the walk's arena */
    bool is_link;
};

/* dir: the directory to read; shown: how its entries begin ("" for the working directory). */
static void walk_dir(struct walk *walk, const char *dir, const char *shown)
{
    DIR *stream = walk->depth < 200 ? fs_opendir(dir) : NULL;
    VEC(struct subdir) subdirs = {0};
    struct buf path = {0};
    if (!stream && walk->depth < 200 && errno != ENOTDIR) {
        walk->closed |= !walk->depth && errno == EACCES;
        fs_unread_note(&walk->unread, dir, errno);
    }
    walk->depth++;
    for (const struct dirent *entry; stream && (entry = fs_entry(stream));) {
        bool is_dir, is_link;
        buf_reset(&path);
        buf_printf(&path, "%s%s", shown, entry->d_name);
        look_at(entry, buf_text(&path), &is_dir, &is_link);
        if (!is_dir) {
            try_path(walk, buf_text(&path), path.len);
            continue;
        }
        struct subdir subdir = {arena_copy(&walk->arena, buf_text(&path), path.len), is_link};
        vec_push(&subdirs, subdir);
    }
    if (stream && errno)
        fs_unread_note(&walk->unread, dir, errno);
    if (stream)
        closedir(stream);
    for (uint32_t i = 0; i < subdirs.len; i++)
        try_path(walk, subdirs.at[i].path, strlen(subdirs.at[i].path));
    for (uint32_t i = 0; i < subdirs.len; i++)
        if (walk->follow || !subdirs.at[i].is_link)
            walk_dir(walk, subdirs.at[i].path,
                     arena_printf(&walk->arena, "%s/", subdirs.at[i].path));
    walk->depth--;
    vec_free(&subdirs);
    buf_free(&path);
}

/* The directory in front of the first brace that is not doubled. */
static const char *constant_dir(struct walk *walk, const char *pattern)
{
    const char *brace = strchr(pattern, '{');
    while (brace && brace[1] == '{')
        brace = strchr(brace + 1, '{');
    size_t len = brace ? (size_t)(brace - pattern) : strlen(pattern);
    return path_dirname(&walk->arena, arena_copy(&walk->arena, pattern, len));
}

static bool walk_files(struct walk *walk, value files)
{
    struct iter it;
    if (!iter_open(walk->vm, files, &it))
        return false;
    for (value file; (file = iter_next(walk->vm, &it));) {
        value path = path_value(walk->vm, file);
        if (path)
            try_path(walk, str_text(path), as_str(path)->len);
    }
    return !vm_failed(walk->vm);
}

static void walk_tree(struct walk *walk, const char *pattern)
{
    const char *dir = constant_dir(walk, pattern);
    if (!*dir || !strcmp(dir, "."))
        walk_dir(walk, ".", "");
    else
        walk_dir(walk, dir, !strcmp(dir, "/") ? "/" : arena_printf(&walk->arena, "%s/", dir));
}

/* The class of what is found. Raises where a wildcard's name cannot follow a dot. */
static value named_tuple(struct walk *walk)
{
    struct vm *vm = walk->vm;
    value collections = module_import(vm, "collections"), kwargs = dict_new(vm);
    value args[] = {str_from(vm, "Wildcards"), list_new(vm, NULL, 0)};
    for (int i = 0; i < walk->wildcards.n; i++)
        list_push(vm, args[1], str_from_sym(vm, walk->wildcards.name[i]));
    dict_set_str(vm, kwargs, "module", str_from(vm, "snakemake.io"));
    return collections ? vm_call(vm, module_get(vm, collections, "namedtuple"), args, 2, kwargs)
                       : NO_VALUE;
}

static value walk_pattern(struct walk *walk, struct workflow *w, const char *pattern, value files)
{
    int mark = diag_mark(w->diags);
    if (!pattern_parse(&walk->arena, w->names, w->diags, pattern, strlen(pattern), (struct span){0},
                       &walk->wildcards, true, &walk->pattern) ||
        !pattern_check(&walk->pattern, w->names, w->diags, &walk->wildcards)) {
        flow_raise(w, "WildcardError", "%s", diag_last(w->diags));
        diag_drop(w->diags, mark);
        return NO_VALUE;
    }
    value class = named_tuple(walk);
    if (!class)
        return NO_VALUE;
    walk->value = arena_array(&walk->arena, sym_t, walk->wildcards.n + 1);
    walk->lists = arena_array(&walk->arena, value, walk->wildcards.n + 1);
    for (int i = 0; i < walk->wildcards.n; i++)
        walk->lists[i] = list_new(walk->vm, NULL, 0);
    if (!files || files == VALUE_NONE)
        walk_tree(walk, pattern);
    else if (!walk_files(walk, files))
        return NO_VALUE;
    if (walk->unread.n && (walk->closed || !fs_is_absent(walk->unread.error)))
        return vm_raise_errno(walk->vm, walk->unread.error, walk->unread.path);
    if (walk->unread.n)
        warn(w->diags, vm_running(walk->vm), "glob_wildcards may miss files of '%s': %s", pattern,
             fs_unread_text(&walk->unread, "", &walk->arena));
    return vm_call(walk->vm, class, walk->lists, (size_t)walk->wildcards.n, NO_VALUE);
}

/* Among the files that a storage lists, or on the disk of one that is a file system. */
static value walk_storage(struct walk *walk, struct workflow *w, const struct storage_place *place,
                          value files)
{
    if (files && files != VALUE_NONE)
        return flow_raise(w, "WorkflowError",
                          "glob_wildcards: a file of a storage is not looked for among files=");
    if (!storage_matches(w, place, &files))
        return NO_VALUE;
    return walk_pattern(walk, w, files ? place->query : path_normal(&walk->arena, place->query),
                        files);
}

value globwild_native(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    struct walk walk = {.vm = vm, .names = w->names};
    const char *pattern = arg_path(vm, args, 0);
    value files = arg_or(args, 1, NO_VALUE);
    struct storage_place place;
    if (!pattern || !arg_bool(vm, args, 2, false, &walk.follow))
        return NO_VALUE;
    bool stored = flag_find(vm, args->at[0], "storage_object") &&
                  storage_find(w, &walk.arena, pattern, &place);
    value found = stored ? walk_storage(&walk, w, &place, files)
                         : walk_pattern(&walk, w, path_normal(&walk.arena, pattern), files);
    pattern_free(&walk.pattern);
    arena_free(&walk.arena);
    return found;
}
