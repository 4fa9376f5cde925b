// SPDX-License-Identifier: MIT
/* storage_plugin.c: Snakemake's storage plugins, which run in the python3 child and in porters
 * (texts/storage.py). Which local path a query has is theirs to say; the other way goes by what
 * they have said: a path is that of a known query, or begins as that of a query with wildcards does
 * in front of the first of them, from where on both are the same text. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "flow/porter.h"
#include "flow/state.h"
#include "flow/storage_kind.h"
#include "flow/texts.h"
#include "python/foreign.h"

enum { PLUGIN_ERROR = ECOMM /* which no file system gives; the words are kept by query */ };

/* What a query is to its provider. Texts are in the session arena. */
struct known {
    const char *query, *path, *shown; /* path: of the local copy */
};

struct storage_plugin {
    struct workflow *w;
    struct root storage; /* a Storage over there */
    const char *first;   /* what a porter reads first, or NULL: it can have none */
    size_t first_len;
    const char *program_len; /* of it: the program, in digits */
    VEC(struct known) known;
    VEC(struct known) starts; /* the same up to the first wildcard */
    struct map by_query;      /* symbols of queries, as asked and as known -> 1 + where in known */
    struct map by_path;       /* those of local paths */
    struct map errors;        /* symbols of queries -> those of what is wrong with them */
};

/* ---- the child ---- */

static value ask(struct workflow *w, value of, const char *what, const value *args, size_t n)
{
    value method = foreign_method(w->vm, of, intern_str(w->names, what));
    return vm_call(w->vm, method, args, n, NO_VALUE);
}

/* Takes the exception in flight as text, in the arena. */
static const char *take_error(struct workflow *w, struct arena *in)
{
    value error = vm_take_error(w->vm);
    return arena_str(in, error ? exception_text(w->vm, error) : "");
}

/* A text of the answer, or NULL for None. */
static const char *text_of(struct arena *in, value v)
{
    return v && is_str(v) ? arena_str(in, str_text(v)) : NULL;
}

/* For what is answered by None or what is wrong. False: *why, in the arena. */
static bool have_done(const struct storage_plugin *plugin, const char *what, value list,
                      struct arena *in, const char **why)
{
    value wrong = ask(plugin->w, plugin->storage.v, what, &list, 1);
    *why = wrong ? text_of(in, wrong) : take_error(plugin->w, in);
    return !*why;
}

static value library(struct workflow *w)
{
    return foreign_module(w->vm, "kintsugi_flow_storage", text_storage);
}

const char *storage_plugin_for(struct workflow *w, const char *query)
{
    value text = str_from(w->vm, query), there = library(w);
    value names = there ? ask(w, there, "providers_for", &text, 1) : NO_VALUE;
    size_t n = 0, scheme = strcspn(query, ":");
    const value *name = names ? sequence_items(names, &n) : NULL;
    if (!name)
        return NULL;
    if (n == 1)
        return text_of(&w->arena, name[0]);
    if (n)
        flow_raise(w, "WorkflowError",
                   "several storage plugins know '%s': name one, as in storage.%s(...)", query,
                   str_text(name[0]));
    else
        flow_raise(
            w, "WorkflowError",
            "no installed storage plugin handles '%s' (pip install snakemake-storage-plugin-%.*s)",
            query, (int)scheme, query);
    return NULL;
}

/* ---- opening ---- */

/* What the command line has for a provider: the ends of its options, with lists of words. */
static value words_for(struct workflow *w, const char *provider)
{
    const char *start = arena_printf(&w->arena, "storage-%s-", provider);
    value words = dict_new(w->vm);
    for (const struct storage_option *o = w->options.storage_options; o && o->name; o++) {
        if (strncmp(o->name, start, strlen(start)))
            continue;
        value list = list_new(w->vm, NULL, 0);
        for (const char *const *word = o->words; *word; word++)
            list_push(w->vm, list, str_from(w->vm, *word));
        dict_set_str(w->vm, words, o->name + strlen(start), list);
    }
    return words;
}

static void close_mount(struct storage_mount *mount)
{
    struct storage_plugin *plugin = mount->plugin;
    if (!plugin)
        return;
    heap_unroot(&plugin->storage);
    vec_free(&plugin->known);
    vec_free(&plugin->starts);
    map_free(&plugin->by_query);
    map_free(&plugin->by_path);
    map_free(&plugin->errors);
    mount->plugin = NULL;
}

/* The program of a porter, and how it opens the storage: the first message to it. */
static void set_first(struct storage_plugin *plugin, const char *opening)
{
    struct arena *in = &plugin->w->arena;
    struct buf text = {0};
    plugin->first = NULL;
    if (!opening)
        return;
    buf_str(&text, text_storage);
    plugin->program_len = arena_printf(in, "%zu", text.len);
    buf_add(&text, "1", 2);
    buf_add(&text, opening, strlen(opening) + 1);
    plugin->first = arena_copy(in, text.at, text.len);
    plugin->first_len = text.len;
    buf_free(&text);
}

static bool open_mount(struct workflow *w, struct storage_mount *mount,
                       const struct storage_opening *opening)
{
    struct vm *vm = w->vm;
    value there = library(w);
    value args[] = {str_from(vm, mount->provider),
                    opening->tag ? str_from(vm, opening->tag) : VALUE_NONE,
                    words_for(w, mount->provider),
                    opening->settings ? opening->settings : dict_new(vm),
                    str_new(vm, mount->dir, strlen(mount->dir) - 1),
                    value_bool(mount->keep),
                    value_bool(mount->retrieve),
                    value_bool(opening->is_default),
                    value_bool(!w->options.of_a_job),
                    value_bool(w->options.verbose)};
    size_t n = 0;
    value opened = there ? ask(w, there, "open_storage", args, sizeof args / sizeof *args)
                         : NO_VALUE;
    const value *answer = opened ? sequence_items(opened, &n) : NULL;
    if (!opened && vm_failed_with(vm, "ModuleNotFoundError")) { /* python3 itself */
        const char *why = take_error(w, &w->arena);
        return storage_refuse(
            w, opening,
            arena_printf(&w->arena, "there is no storage provider '%s' here", mount->provider),
            why);
    }
    if (n != 4)
        return false;
    if (answer[0] == VALUE_NONE)
        return storage_refuse(w, opening, str_text(answer[1]), text_of(&w->arena, answer[2]));
    if (mount->plugin) /* what is known of its files stays */
        heap_unroot(&mount->plugin->storage);
    else
        mount->plugin = arena_new(&w->arena, struct storage_plugin);
    mount->plugin->w = w;
    heap_root(vm, &mount->plugin->storage, answer[0]);
    set_first(mount->plugin, text_of(&w->arena, answer[3]));
    return true;
}

/* ---- queries and paths ---- */

static sym_t sym_of(const struct storage_plugin *plugin, const char *text)
{
    return intern_str(plugin->w->names, text);
}

/* A query with wildcards also tells those of the files that they stand for. */
static bool note_start(struct storage_plugin *plugin, const struct known *known)
{
    struct workflow *w = plugin->w;
    const char *in_query = strchr(known->query, '{'), *in_path = strchr(known->path, '{');
    const char *in_shown = strchr(known->shown, '{');
    size_t len = in_query ? strlen(in_query) : 0;
    if (!in_query)
        return true;
    while (len && in_query[len - 1] == '/')
        len--;
    if (!in_path || strlen(in_path) != len || strncmp(in_path, in_query, len))
        return flow_raise(w, "WorkflowError",
                          "the local path of '%s' ('%s') does not keep its wildcards: name such "
                          "files by an input function",
                          known->shown, known->path);
    vec_push(&plugin->starts,
             ((struct known){arena_copy(&w->arena, known->query, (size_t)(in_query - known->query)),
                             arena_copy(&w->arena, known->path, (size_t)(in_path - known->path)),
                             arena_copy(&w->arena, known->shown,
                                        in_shown ? (size_t)(in_shown - known->shown) : 0)}));
    return true;
}

/* What the provider says about a query, asked once. NULL: raised. */
static const struct known *know(struct workflow *w, struct storage_mount *mount, const char *query)
{
    struct storage_plugin *plugin = mount->plugin;
    uint32_t at = map_find(&plugin->by_query, sym_of(plugin, query));
    if (at)
        return &plugin->known.at[at - 1];
    size_t n = 0;
    value text = str_from(w->vm, query), said = ask(w, plugin->storage.v, "place", &text, 1);
    const value *answer = said ? sequence_items(said, &n) : NULL;
    if (n != 4)
        return NULL;
    if (answer[3] != VALUE_NONE)
        return flow_raise(w, "WorkflowError", "Error applying storage provider %s: %s", mount->name,
                          str_text(answer[3])),
               NULL;
    struct known known = {text_of(&w->arena, answer[0]), text_of(&w->arena, answer[1]),
                          text_of(&w->arena, answer[2])};
    vec_push(&plugin->known, known);
    map_set(&plugin->by_query, sym_of(plugin, query), plugin->known.len);
    map_set(&plugin->by_query, sym_of(plugin, known.query), plugin->known.len);
    map_set(&plugin->by_path, sym_of(plugin, known.path), plugin->known.len);
    return note_start(plugin, &known) ? &plugin->known.at[plugin->known.len - 1] : NULL;
}

static const char *path_of(struct workflow *w, struct storage_mount *mount, const char *query,
                           bool copied)
{
    const struct known *known = know(w, mount, query);
    return !known ? NULL : copied ? known->path : known->query;
}

static bool find(const struct storage_mount *mount, struct arena *in, const char *path,
                 struct storage_place *out)
{
    const struct storage_plugin *plugin = mount->plugin;
    const struct map *map = out->copied ? &plugin->by_path : &plugin->by_query;
    uint32_t at = map_find(map, intern_find(plugin->w->names, path, strlen(path)));
    const struct known *start = NULL;
    size_t longest = 0;
    out->query = out->shown = at ? plugin->known.at[at - 1].query : path;
    if (at)
        out->shown = plugin->known.at[at - 1].shown;
    if (at || !out->copied)
        return true;
    for (uint32_t i = 0; i < plugin->starts.len; i++) {
        size_t n = strlen(plugin->starts.at[i].path);
        if (n > longest && !strncmp(path, plugin->starts.at[i].path, n)) {
            start = &plugin->starts.at[i];
            longest = n;
        }
    }
    if (!start)
        return false;
    out->query = arena_printf(in, "%s%s", start->query, path + longest);
    out->shown = arena_printf(in, "%s%s", start->shown, path + longest);
    return true;
}

/* ---- files ---- */

static value queries_of(struct vm *vm, const struct storage_place *const *places, size_t n)
{
    value list = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++)
        list_push(vm, list, str_from(vm, places[i]->query));
    return list;
}

static void note_error(struct storage_plugin *plugin, const char *query, const char *words,
                       struct fs_info *out)
{
    out->error = PLUGIN_ERROR;
    map_set(&plugin->errors, sym_of(plugin, query), sym_of(plugin, words));
}

static void stat_all(const struct storage_place *const *places, size_t n,
                     struct fs_info *const *out)
{
    struct storage_plugin *plugin = places[0]->mount->plugin;
    struct workflow *w = plugin->w;
    struct arena in = {0};
    size_t nseen = 0, parts;
    value list = queries_of(w->vm, places, n), seen = ask(w, plugin->storage.v, "look", &list, 1);
    const value *rows = seen ? sequence_items(seen, &nseen) : NULL;
    const char *why = seen ? "no answer" : take_error(w, &in);
    for (size_t i = 0; i < n; i++) {
        const value *row = i < nseen ? sequence_items(rows[i], &parts) : NULL;
        *out[i] = (struct fs_info){.mtime = -1, .mode = S_IFREG | 0644};
        if (!row)
            note_error(plugin, places[i]->query, why, out[i]);
        else if (is_str(row[2]))
            note_error(plugin, places[i]->query, str_text(row[2]), out[i]);
        else if (!int_get(row[0], &out[i]->mtime) || !int_get(row[1], &out[i]->size))
            note_error(plugin, places[i]->query, "its time cannot be told", out[i]);
    }
    arena_free(&in);
}

static bool size(struct arena *in, const struct storage_place *place, int64_t *out,
                 const char **why)
{
    struct workflow *w = place->mount->plugin->w;
    size_t n = 0;
    value query = str_from(w->vm, place->query),
          told = ask(w, place->mount->plugin->storage.v, "size", &query, 1);
    const value *answer = told ? sequence_items(told, &n) : NULL;
    *why = !told ? take_error(w, in) : n == 2 ? text_of(in, answer[1]) : "no answer";
    errno = ENOENT;
    return !*why && int_get(answer[0], out) && *out >= 0;
}

static const char *error_words(const struct storage_place *place, int error, const char **hint)
{
    const struct storage_plugin *plugin = place->mount->plugin;
    sym_t words = map_find(&plugin->errors,
                           intern_find(plugin->w->names, place->query, strlen(place->query)));
    *hint = "the run continues with the same command when the storage answers again";
    return error == PLUGIN_ERROR && words ? sym_text(plugin->w->names, words) : NULL;
}

static bool fetch(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    struct storage_plugin *plugin = copies[0].place.mount->plugin;
    struct vm *vm = plugin->w->vm;
    value list = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value item[] = {str_from(vm, copies[i].place.query), value_bool(copies[i].link),
                        str_from(vm, copies[i].part)};
        list_push(vm, list, tuple_new(vm, item, 3));
    }
    return have_done(plugin, "fetch", list, in, why);
}

static bool do_with(const char *what, struct arena *in, const struct storage_place *const *places,
                    size_t n, const char **why)
{
    struct storage_plugin *plugin = places[0]->mount->plugin;
    return have_done(plugin, what, queries_of(plugin->w->vm, places, n), in, why);
}

static bool store(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    const struct storage_place **places = arena_array(in, const struct storage_place *, n);
    for (size_t i = 0; i < n; i++)
        places[i] = &copies[i].place;
    return do_with("store", in, places, n, why);
}

static bool remove_place(struct arena *in, const struct storage_place *place, const char **why)
{
    return do_with("remove", in, &place, 1, why);
}

static bool touch(struct arena *in, const struct storage_place *place, const char **why)
{
    return do_with("touch", in, &place, 1, why);
}

static value matches(struct workflow *w, const struct storage_place *place)
{
    size_t n = 0;
    value query = str_from(w->vm, place->query),
          found = ask(w, place->mount->plugin->storage.v, "matches", &query, 1);
    const value *answer = found ? sequence_items(found, &n) : NULL;
    if (n != 2)
        return NO_VALUE;
    return answer[0] != VALUE_NONE ? answer[0]
                                   : flow_raise(w, "WorkflowError", "%s", str_text(answer[1]));
}

static void settle(struct storage_mount *mount)
{
    ask(mount->plugin->w, mount->plugin->storage.v, "close", NULL, 0);
    vm_take_error(mount->plugin->w->vm);
}

/* Reads the program from stdin, so that it stands on no command line. Modules are not looked for in
 * the working directory, where anybody's files may lie. */
static const char boot[] = "import sys\n"
                           "if sys.path and not sys.path[0]: del sys.path[0]\n"
                           "t=b''\n"
                           "while len(t)<int(sys.argv[1]):\n"
                           " t+=sys.stdin.buffer.raw.read(int(sys.argv[1])-len(t)) or sys.exit(1)\n"
                           "g={'__name__':'kintsugi_flow_storage'}\n"
                           "exec(compile(t,'<kintsugi-flow>','exec'),g);g['serve']()\n";

static bool porter(const struct storage_mount *mount, struct porter_start *out)
{
    const struct storage_plugin *plugin = mount->plugin;
    const char *python = plugin->w->options.python;
    *out = (struct porter_start){
        .argv = {python ? python : "python3", "-c", boot, plugin->program_len},
        .first = plugin->first,
        .first_len = plugin->first_len};
    return plugin->first;
}

const struct storage_kind storage_plugin = {
    .open = open_mount,
    .close = close_mount,
    .path = path_of,
    .find = find,
    .error = error_words,
    .stat_all = stat_all,
    .size = size,
    .fetch = fetch,
    .store = store,
    .remove = remove_place,
    .touch = touch,
    .matches = matches,
    .settle = settle,
    .porter = porter,
};
