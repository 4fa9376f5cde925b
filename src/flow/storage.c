// SPDX-License-Identifier: MIT
/* storage.c: the providers of a workflow, and which paths are theirs (see storage.h). */
#include "flow/storage.h"

#include <string.h>
#include <unistd.h>

#include "base/http.h"
#include "base/path.h"
#include "flow/flags.h"
#include "flow/http_settings.h"
#include "flow/state.h"

/* ---- providers ---- */

static const struct provider {
    const char *name;
    enum storage_kind kind;
} providers[] = {{"fs", STORAGE_FS}, {"http", STORAGE_HTTP}};

static const struct provider *find_provider(const char *name)
{
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++)
        if (!strcmp(providers[i].name, name))
            return &providers[i];
    return NULL;
}

static struct storage_mount *find_mount(const struct workflow *w, const char *name)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++)
        if (!strcmp(w->flow->mounts.at[i].name, name))
            return &w->flow->mounts.at[i];
    return NULL;
}

static void no_provider(struct workflow *w, const char *name)
{
    flow_raise(w, "WorkflowError",
               "There is no storage provider '%s' here: fs (file systems) and http are built in, "
               "Snakemake's storage plugins are not read",
               name);
}

/* Registers a provider under a name (its tag, or its own name), with new settings if it is there.
 * NULL: raised. */
static struct storage_mount *add_mount(struct workflow *w, const char *provider, const char *name)
{
    const struct provider *known = find_provider(provider);
    const char *prefix = w->options.local_storage_prefix;
    struct storage_mount *mount = find_mount(w, name);
    if (!known)
        return no_provider(w, provider), NULL;
    if (!mount) {
        vec_push(&w->flow->mounts, (struct storage_mount){0});
        mount = &w->flow->mounts.at[w->flow->mounts.len - 1];
    }
    mount->name = arena_str(&w->arena, name);
    mount->kind = known->kind;
    mount->dir = arena_printf(&w->arena, "%s/%s/", prefix ? prefix : ".snakemake/storage", name);
    mount->retrieve = !w->options.not_retrieve_storage;
    mount->keep = w->options.keep_storage;
    if (mount->kind != STORAGE_HTTP)
        return mount;
    mount->http = mount->http ? mount->http : arena_new(&w->arena, struct http_settings);
    return http_settings_start(w, strcmp(name, provider) ? name : NULL, mount->http) ? mount : NULL;
}

bool workflow_has_storage(const struct workflow *w)
{
    return w->flow->mounts.len > 0;
}

/* ---- paths ---- */

static const char *local_suffix(struct workflow *w, enum storage_kind kind, const char *query)
{
    if (kind == STORAGE_FS)
        return *query == '/' ? arena_printf(&w->arena, "__abspath__%s", query) : query;
    const char *rest = strstr(query, "://");
    return arena_printf(&w->arena, "%.*s%s", (int)(rest - query), query, rest + 2);
}

static const char *query_of(struct arena *in, enum storage_kind kind, const char *suffix)
{
    static const char mark[] = "__abspath__/";
    if (kind == STORAGE_FS)
        return strncmp(suffix, mark, strlen(mark)) ? arena_str(in, suffix)
                                                   : arena_str(in, suffix + strlen(mark) - 1);
    size_t n = strcspn(suffix, "/");
    return arena_printf(in, "%.*s:/%s", (int)n, suffix, suffix + n);
}

/* How the server of a URL that stays where it is is asked: as the provider says that has it. */
static const struct http_manners *manners_of(const struct workflow *w, const char *url)
{
    const struct flow_state *flow = w->flow;
    const struct storage_mount *mount = find_mount(w, "http");
    const struct http_settings *http = mount ? mount->http : NULL;
    size_t longest = 0;
    for (uint32_t i = 0; i < flow->unfetched.len; i++) {
        size_t n = strlen(flow->unfetched.at[i].text);
        if (n > longest && !strncmp(flow->unfetched.at[i].text, url, n)) {
            http = flow->unfetched.at[i].http;
            longest = n;
        }
    }
    return http ? &http->manners : NULL;
}

static void note_unfetched(struct workflow *w, const struct storage_mount *mount, const char *url)
{
    const char *text = arena_copy(&w->arena, url, strcspn(url, "{"));
    for (uint32_t i = 0; i < w->flow->unfetched.len; i++)
        if (!strcmp(w->flow->unfetched.at[i].text, text))
            return;
    vec_push(&w->flow->unfetched, ((struct storage_prefix){text, mount->http}));
}

bool storage_find(const struct workflow *w, struct arena *in, const char *path, struct storage_place *out)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++) {
        const struct storage_mount *mount = &w->flow->mounts.at[i];
        size_t n = strlen(mount->dir);
        if (strncmp(path, mount->dir, n))
            continue;
        *out = (struct storage_place){mount->kind, query_of(in, mount->kind, path + n), true, mount->keep,
                                      mount->http ? &mount->http->manners : NULL};
        return true;
    }
    if (!w->flow->mounts.len || !http_is_url(path))
        return false;
    *out = (struct storage_place){
        .kind = STORAGE_HTTP, .query = arena_str(in, path), .manners = manners_of(w, path)};
    return true;
}

const char *storage_default(struct workflow *w, const char *path)
{
    const char *provider = w->options.default_storage_provider;
    const char *prefix = w->options.default_storage_prefix;
    const struct storage_mount *mount = provider ? find_mount(w, provider) : NULL;
    if (!mount)
        return path;
    size_t n = prefix ? strlen(prefix) : 0;
    const char *query = arena_printf(&w->arena, "%s%s%s", n ? prefix : "", n && prefix[n - 1] != '/' ? "/" : "",
                                     path_normal(&w->arena, path));
    return arena_printf(&w->arena, "%s%s", mount->dir, local_suffix(w, mount->kind, query));
}

void storage_end(struct workflow *w)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++)
        http_settings_end(w->flow->mounts.at[i].http);
    vec_free(&w->flow->mounts);
    vec_free(&w->flow->unfetched);
}

/* ---- directories of local copies ---- */

struct emptying {
    struct arena in;
    const char *root;
    VEC(const char *) dirs; /* outer ones first */
};

static bool note_dir(void *user, const char *path, bool is_dir)
{
    struct emptying *emptying = user;
    if (is_dir)
        vec_push(&emptying->dirs, path_join(&emptying->in, emptying->root, path));
    return true;
}

void storage_prune(const struct workflow *w)
{
    for (uint32_t i = 0; i < w->flow->mounts.len; i++) {
        struct emptying emptying = {.root = w->flow->mounts.at[i].dir};
        vec_push(&emptying.dirs, emptying.root);
        if (fs_is_dir(emptying.root))
            fs_walk(emptying.root, false, note_dir, &emptying, NULL);
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
    if (!scheme_end)
        return "fs";
    no_provider(w, arena_copy(&w->arena, query, (size_t)(scheme_end - query)));
    return NULL;
}

static bool read_bool(struct vm *vm, value kwargs, const char *name, bool *out)
{
    value v = kwargs ? dict_get_str(vm, kwargs, name) : NO_VALUE;
    return !v || v == VALUE_NONE || value_truth(vm, v, out);
}

static bool valid_query(struct workflow *w, const struct storage_mount *mount, const char *query)
{
    bool url = strstr(query, "://");
    if (mount->kind == STORAGE_FS ? !url : http_is_url(query))
        return true;
    flow_raise(w, "WorkflowError", "Error applying storage provider %s: '%s' is %s", mount->name, query,
               mount->kind == STORAGE_FS ? "a URL, but should be a path" : "no http:// or https:// URL");
    return false;
}

/* One query as a flagged path. */
static value stored_path(struct workflow *w, const char *name, value query, value kwargs)
{
    struct vm *vm = w->vm;
    value path = path_value(vm, query), flags = dict_new(vm);
    if (!path)
        return vm_failed(vm) ? NO_VALUE : vm_raise(vm, "TypeError", "a storage query must be a text");
    const char *text = str_text(path);
    name = name ? name : infer_provider(w, text);
    struct storage_mount *mount = name ? find_mount(w, name) : NULL;
    if (name && !mount)
        mount = add_mount(w, name, name);
    if (!mount || !valid_query(w, mount, text))
        return NO_VALUE;
    bool retrieve = mount->retrieve, keep = mount->keep;
    if (!read_bool(vm, kwargs, "retrieve", &retrieve) || !read_bool(vm, kwargs, "keep_local", &keep))
        return NO_VALUE;
    if (!retrieve && mount->kind == STORAGE_FS && *text != '/')
        text = path_normal(&w->arena, text);
    else if (!retrieve && mount->http && strcmp(mount->name, "http"))
        note_unfetched(w, mount, text);
    else if (retrieve)
        text = arena_printf(&w->arena, "%s%s", mount->dir, local_suffix(w, mount->kind, text));
    dict_set_str(vm, flags, "keep_local", value_bool(keep));
    return flag_value(vm, str_from(vm, text), "storage_object", flags);
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

static const struct type type_storage = {.object = {.type = &type_type}, .name = "snakemake.storage.StorageRegistry",
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
    if (provider && !add_mount(w, provider, provider))
        return NO_VALUE;
    if (provider && find_mount(w, provider)->kind == STORAGE_HTTP)
        return flow_raise(w, "WorkflowError",
                          "Default storage provider must be a read-write storage provider, but http is not.");
    return from_object(object_new(w->vm, &type_storage));
}

/* ---- the statement ---- */

static bool set_from(struct workflow *w, struct storage_mount *mount, const struct directive_args *args,
                     const char *shown, struct span span)
{
    static const char *const harmless = " provider auth allow_redirects supports_head max_requests_per_second retries ";
    for (uint32_t i = 0; i < args->n; i++) {
        const char *name = flow_text(w, args->name[i]);
        bool *out = !strcmp(name, "retrieve") ? &mount->retrieve : !strcmp(name, "keep_local") ? &mount->keep : NULL;
        bool of_http = mount->http && http_settings_know(name);
        if (out && !value_truth(w->vm, args->at[i], out))
            return false;
        /* The place is the statement's: the line of the setting may show a password. */
        if (of_http && !http_settings_set(w, mount->http, name, args->at[i], span))
            return false;
        if (!out && !strstr(harmless, arena_printf(&w->arena, " %s ", name)))
            return flow_refuse(w, "WorkflowError", args->span[i],
                               "the storage provider %s has no setting '%s' here", shown, name);
    }
    return true;
}

/* As in Snakemake, what the first provider of a kind sets holds for the one without a tag, too. */
static bool share_settings(struct workflow *w, const struct storage_mount *tagged, const char *provider)
{
    const struct storage_mount from = *tagged; /* which a new one moves */
    if (find_mount(w, provider))
        return true;
    struct storage_mount *mount = add_mount(w, provider, provider);
    if (!mount)
        return false;
    mount->retrieve = from.retrieve;
    mount->keep = from.keep;
    http_settings_end(mount->http);
    mount->http = from.http ? http_settings_copy(w, from.http) : NULL;
    return true;
}

bool storage_statement(struct workflow *w, const struct node *statement,
                       const struct directive_args *args)
{
    const char *provider = NULL;
    for (uint32_t i = 0; i < args->n; i++) {
        if (!args->name[i])
            return flow_refuse(w, "SyntaxError", args->span[i], "'storage' takes name=value items");
        if (!strcmp(flow_text(w, args->name[i]), "provider") && is_str(args->at[i]))
            provider = str_text(args->at[i]);
    }
    if (!provider)
        return flow_refuse(w, "WorkflowError", statement->span,
                           "Storage provider must be specified (provider=\"...\").");
    struct storage_mount *mount = add_mount(w, provider, statement->text ? statement->text : provider);
    return mount && set_from(w, mount, args, provider, statement->span) && share_settings(w, mount, provider);
}
