// SPDX-License-Identifier: MIT
/* storage.c: the providers of a workflow, and which paths are theirs (see storage.h). */
#include "flow/storage.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/http.h"
#include "base/part.h"
#include "base/path.h"
#include "flow/flags.h"
#include "flow/state.h"
#include "flow/storage_kind.h"

/* ---- providers ---- */

static const struct storage_kind *const kinds[] = {&storage_fs, &storage_http, &storage_plugin};

static const struct storage_kind *find_kind(const char *provider)
{
    size_t i = 0;
    while (kinds[i]->name && strcmp(kinds[i]->name, provider))
        i++;
    return kinds[i];
}

static struct storage_mount *find_mount(const struct workflow *w, const char *name)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++)
        if (!strcmp(w->flow->mounts.at[i]->name, name))
            return w->flow->mounts.at[i];
    return NULL;
}

static struct storage_mount *new_mount(struct workflow *w, const struct storage_kind *kind,
                                       const char *name)
{
    const char *prefix = w->options.local_storage_prefix;
    struct storage_mount *mount = arena_new(&w->arena, struct storage_mount);
    mount->name = arena_str(&w->arena, name);
    mount->kind = kind;
    mount->dir = arena_printf(&w->arena, "%s/%s/", prefix ? prefix : ".snakemake/storage", name);
    vec_push(&w->flow->mounts, mount);
    return mount;
}

static bool read_bool(struct vm *vm, value settings, const char *name, bool *out)
{
    value v = settings ? dict_get_str(vm, settings, name) : NO_VALUE;
    return !v || v == VALUE_NONE || value_truth(vm, v, out);
}

bool storage_refuse(struct workflow *w, const struct storage_opening *opening, const char *what,
                    const char *hint)
{
    if (!opening->span.end) /* the evaluator tells the place */
        return flow_raise(w, "WorkflowError", "%s%s%s%s", what, hint ? " (" : "", hint ? hint : "",
                          hint ? ")" : "");
    flow_refuse(w, "WorkflowError", opening->span, "%s", what);
    if (hint)
        diag_hint(w->diags, "%s", hint);
    return false;
}

bool storage_settings_known(struct workflow *w, const struct storage_mount *mount,
                            const struct storage_opening *opening, bool (*know)(const char *name))
{
    static const char known[] =
        " retrieve keep_local auth allow_redirects supports_head max_requests_per_second retries ";
    size_t pos = 0;
    for (value key, item; opening->settings && dict_next(opening->settings, &pos, &key, &item);)
        if (!(know && know(str_text(key))) &&
            !strstr(known, arena_printf(&w->arena, " %s ", str_text(key))))
            return storage_refuse(w, opening,
                                  arena_printf(&w->arena,
                                               "the storage provider %s has no setting '%s' here",
                                               mount->provider, str_text(key)),
                                  NULL);
    return true;
}

/* Registers a provider under a name (its tag, or its own name), with new settings if it is there.
 * NULL: raised. */
static struct storage_mount *add_mount(struct workflow *w, const char *provider, const char *name,
                                       const struct storage_opening *opening)
{
    const struct storage_kind *kind = find_kind(provider);
    struct storage_mount *mount = find_mount(w, name);
    if (mount && mount->kind != kind) {
        mount->kind->close(mount);
        mount->kind = kind;
    }
    bool is_new = !mount;
    mount = mount ? mount : new_mount(w, kind, name);
    mount->provider = arena_str(&w->arena, provider);
    mount->retrieve = !w->options.not_retrieve_storage;
    mount->keep = w->options.keep_storage;
    if (read_bool(w->vm, opening->settings, "retrieve", &mount->retrieve) &&
        read_bool(w->vm, opening->settings, "keep_local", &mount->keep) &&
        kind->open(w, mount, opening))
        return mount;
    if (is_new) { /* nobody is to ask it: code may catch what was raised */
        kind->close(mount);
        w->flow->mounts.len--;
    }
    return NULL;
}

bool storage_has_option(const struct workflow *w, const char *option)
{
    static const char start[] = "storage-";
    for (uint32_t i = 0; i < w->flow->mounts.len; i++) {
        const char *provider = w->flow->mounts.at[i]->provider;
        const char *rest = option + strlen(start) + strlen(provider);
        if (!strncmp(option + strlen(start), provider, strlen(provider)) && *rest == '-')
            return true;
    }
    return false;
}

bool workflow_has_storage(const struct workflow *w)
{
    return w->flow->mounts.len > 0;
}

/* ---- paths ---- */

/* Whose a file is that stays where it is, by the beginnings of such; NULL: nobody's. */
static struct storage_mount *mount_by_start(const struct storage_prefixes *starts,
                                            const char *query)
{
    struct storage_mount *mount = NULL;
    size_t longest = 0;
    for (uint32_t i = 0; i < starts->len; i++) {
        size_t n = strlen(starts->at[i].text);
        if ((!mount || n > longest) && !strncmp(starts->at[i].text, query, n)) {
            mount = starts->at[i].mount;
            longest = n;
        }
    }
    return mount;
}

static const struct storage_mount *unfetched_mount(const struct workflow *w, const char *query)
{
    const struct storage_mount *mount = mount_by_start(&w->flow->unfetched, query);
    if (mount || !http_is_url(query))
        return mount;
    mount = find_mount(w, "http");
    return mount && mount->kind == &storage_http ? mount : NULL;
}

static void note_unfetched(struct workflow *w, struct storage_mount *mount, const char *query)
{
    struct storage_prefixes *starts = mount->kind->own_path ? &w->flow->in_place
                                                            : &w->flow->unfetched;
    const char *text = arena_copy(&w->arena, query, strcspn(query, "{"));
    for (uint32_t i = 0; i < starts->len; i++)
        if (!strcmp(starts->at[i].text, text))
            return;
    vec_push(starts, ((struct storage_prefix){text, mount}));
}

/* A copy lies below the directory of its provider's; what a wildcard or a URL leads out of it is a
 * file of somebody's, to which nothing is fetched. */
static bool is_copy(const struct storage_mount *mount, struct arena *in, const char *path)
{
    size_t n = strlen(mount->dir);
    return !strncmp(path, mount->dir, n) &&
           !(strstr(path + n, "..") && path_leads_out(path_normal(in, path + n)));
}

bool storage_find(const struct workflow *w, struct arena *in, const char *path,
                  struct storage_place *out)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++) {
        const struct storage_mount *mount = w->flow->mounts.at[i];
        *out = (struct storage_place){
            .kind = mount->kind, .mount = mount, .copied = true, .keep = mount->keep};
        if (is_copy(mount, in, path) && mount->kind->find(mount, in, path, out))
            return true;
    }
    const struct storage_mount *mount = unfetched_mount(w, path);
    if (!mount && (!w->flow->mounts.len || !http_is_url(path)))
        return false;
    *out = (struct storage_place){.kind = &storage_http, .mount = mount};
    out->query = arena_str(in, path);
    out->shown = http_shown(in, out->query);
    if (mount && mount->kind != &storage_http) {
        out->kind = mount->kind;
        mount->kind->find(mount, in, out->query, out);
    }
    return true;
}

const char *storage_copy_of(struct workflow *w, const char *path)
{
    struct arena in = {0};
    struct storage_place place;
    bool copied = storage_find(w, &in, path, &place) && place.copied;
    arena_free(&in);
    struct storage_mount *mount = copied ? NULL : mount_by_start(&w->flow->unfetched, path);
    mount = copied || mount ? mount : mount_by_start(&w->flow->in_place, path);
    const char *copy = mount && mount->kind->store ? mount->kind->path(w, mount, path, true) : NULL;
    if (!copy)
        vm_take_error(w->vm);
    return copy;
}

const char *storage_shown(const struct workflow *w, struct arena *in, const char *path)
{
    struct storage_place place;
    return workflow_has_storage(w) && storage_find(w, in, path, &place) ? place.shown : path;
}

const char *storage_default(struct workflow *w, const char *path)
{
    const char *provider = w->options.default_storage_provider;
    const char *prefix = w->options.default_storage_prefix;
    struct storage_mount *mount = provider ? find_mount(w, provider) : NULL;
    if (!mount)
        return path;
    size_t n = prefix ? strlen(prefix) : 0;
    const char *query = arena_printf(&w->arena, "%s%s%s", n ? prefix : "",
                                     n && prefix[n - 1] != '/' ? "/" : "",
                                     path_normal(&w->arena, path));
    return mount->kind->path(w, mount, query, true);
}

void storage_end(struct workflow *w)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++)
        w->flow->mounts.at[i]->kind->close(w->flow->mounts.at[i]);
    vec_free(&w->flow->mounts);
    vec_free(&w->flow->unfetched);
    vec_free(&w->flow->in_place);
}

/* ---- directories of local copies ---- */

static const int64_t DAY_NS = (int64_t)24 * 3600 * 1000000000;

struct emptying {
    struct arena in;
    const char *root;
    int64_t old_ns;         /* what is half fetched since before that time was left by a crash,
                               also of another machine */
    VEC(const char *) dirs; /* outer ones first */
};

static bool note_entry(void *user, const char *path, bool is_dir)
{
    struct emptying *emptying = user;
    const char *entry = path_join(&emptying->in, emptying->root, path);
    bool part = part_is_one(path),
         left = part && (part_is_left(path) || fs_info_of(entry).mtime < emptying->old_ns);
    if (left)
        fs_remove_tree(entry);
    else if (is_dir)
        vec_push(&emptying->dirs, entry);
    return !part;
}

void storage_prune(const struct workflow *w)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++) {
        if (w->flow->mounts.at[i]->kind->settle)
            w->flow->mounts.at[i]->kind->settle(w->flow->mounts.at[i]);
        struct emptying emptying = {.root = w->flow->mounts.at[i]->dir,
                                    .old_ns = clock_wall_ns() - DAY_NS};
        vec_push(&emptying.dirs, emptying.root);
        if (fs_is_dir(emptying.root))
            fs_walk(emptying.root, false, note_entry, &emptying, NULL);
        while (emptying.dirs.len) /* those that are not empty stay */
            rmdir(emptying.dirs.at[--emptying.dirs.len]);
        vec_free(&emptying.dirs);
        arena_free(&emptying.in);
    }
}

/* ---- the object `storage` ---- */

struct storage {
    struct object object;
    const char *name; /* storage.NAME; NULL: storage itself */
};

/* Which provider a query without one means. NULL: raised. */
static const char *infer_provider(struct workflow *w, const char *query)
{
    const char *scheme_end = strstr(query, "://");
    if (http_is_url(query))
        return "http";
    return scheme_end ? storage_plugin_for(w, query) : "fs";
}

/* What a call says beside what it says of the file: settings, for a provider that is not there
 * yet. */
static value other_settings(struct vm *vm, value kwargs)
{
    value settings = dict_new(vm);
    size_t pos = 0;
    for (value key, item; kwargs && dict_next(kwargs, &pos, &key, &item);)
        if (strcmp(str_text(key), "query") && strcmp(str_text(key), "retrieve") &&
            strcmp(str_text(key), "keep_local"))
            dict_set(vm, settings, key, item);
    return settings;
}

/* One query as a flagged path, which keeps the flags that the query has. */
static value stored_path(struct workflow *w, const char *name, value query, value kwargs)
{
    struct vm *vm = w->vm;
    value path = path_value(vm, query), flags = dict_new(vm);
    if (!path)
        return vm_failed(vm) ? NO_VALUE
                             : vm_raise(vm, "TypeError", "a storage query must be a text");
    const char *text = str_text(path);
    name = name ? name : infer_provider(w, text);
    struct storage_mount *mount = name ? find_mount(w, name) : NULL;
    if (name && !mount)
        mount = add_mount(w, name, name,
                          &(struct storage_opening){.settings = other_settings(vm, kwargs)});
    bool retrieve = mount && mount->retrieve, keep = mount && mount->keep;
    if (!mount || !read_bool(vm, kwargs, "retrieve", &retrieve) ||
        !read_bool(vm, kwargs, "keep_local", &keep))
        return NO_VALUE;
    text = mount->kind->path(w, mount, text, retrieve);
    if (text && !retrieve && strcmp(mount->name, "http"))
        note_unfetched(w, mount, text);
    dict_set_str(vm, flags, "keep_local", value_bool(keep));
    value stored = text ? str_flagged(vm, str_from(vm, text), str_flags(vm, path)) : NO_VALUE;
    return stored ? flag_value(vm, stored, "storage_object", flags) : NO_VALUE;
}

static value storage_call(struct vm *vm, value self, value args, value kwargs)
{
    struct workflow *w = workflow_of(vm);
    const char *name = ((const struct storage *)as_object(self))->name;
    size_t n, nqueries;
    const value *at = sequence_items(args, &n);
    value query = n ? at[0] : kwargs ? dict_get_str(vm, kwargs, "query") : NO_VALUE;
    if (!query || n > 1)
        return vm_raise(vm, "TypeError", "storage() takes one query");
    const value *queries = is_list(query) ? sequence_items(query, &nqueries) : NULL;
    if (!queries)
        return stored_path(w, name, query, kwargs);
    value list = list_new(vm, NULL, 0);
    for (size_t i = 0; i < nqueries; i++) {
        value path = stored_path(w, name, queries[i], kwargs);
        if (!path)
            return NO_VALUE;
        list_push(vm, list, path);
    }
    return list;
}

static value storage_attr(struct vm *vm, value self, sym_t name);

static const struct type type_storage = {.object = {.type = &type_type},
                                         .name = "snakemake.storage.StorageRegistry",
                                         .size = sizeof(struct storage),
                                         .call = storage_call,
                                         .get_attr = storage_attr};

static value storage_attr(struct vm *vm, value self, sym_t name)
{
    const char *text = sym_text(vm_names(vm), name);
    if (text[0] == '_' || ((const struct storage *)as_object(self))->name)
        return NO_VALUE;
    struct storage *named = object_new(vm, &type_storage);
    named->name = text;
    return from_object(named);
}

value storage_object(struct workflow *w)
{
    const char *provider = w->options.default_storage_provider;
    if (provider &&
        !add_mount(w, provider, provider, &(struct storage_opening){.is_default = true}))
        return NO_VALUE;
    if (provider && !find_mount(w, provider)->kind->store)
        return flow_raise(
            w, "WorkflowError",
            "Default storage provider must be a read-write storage provider, but %s is not.",
            provider);
    return from_object(object_new(w->vm, &type_storage));
}

/* ---- the statement ---- */

bool storage_statement(struct workflow *w, const struct node *statement,
                       const struct directive_args *args)
{
    const char *provider = NULL;
    value settings = dict_new(w->vm);
    for (uint32_t i = 0; i < args->n; i++) {
        if (!args->name[i])
            return flow_refuse(w, "SyntaxError", args->span[i], "'storage' takes name=value items");
        bool names = !strcmp(flow_text(w, args->name[i]), "provider");
        if (names && is_str(args->at[i]))
            provider = str_text(args->at[i]);
        else if (!names)
            dict_set_str(w->vm, settings, flow_text(w, args->name[i]), args->at[i]);
    }
    if (!provider)
        return flow_refuse(w, "WorkflowError", statement->span,
                           "Storage provider must be specified (provider=\"...\").");
    struct storage_opening opening = {statement->text, settings, statement->span, false};
    return add_mount(w, provider, statement->text ? statement->text : provider, &opening) &&
           /* as in Snakemake, what the first one with a tag sets holds for that without */
           (find_mount(w, provider) || add_mount(w, provider, provider, &opening));
}
