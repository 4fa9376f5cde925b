// SPDX-License-Identifier: MIT
/* storage_kind.h: what each kind of storage is asked for: a row of functions. storage.c knows whose
 * a path is, transfer.c moves bytes; both ask the rows. */
#pragma once

#include "flow/storage.h"
#include "python/value.h"

/* How a provider comes to be: by a statement, or by the first call that needs it. */
struct storage_opening {
    const char *tag;  /* of the statement; NULL: none */
    value settings;   /* dict: what the Snakefile sets; NO_VALUE: nothing */
    struct span span; /* the statement; zero: a call, whose place the evaluator knows */
    bool is_default;  /* of all paths */
};

/* A storage provider under its name. In the session arena. */
struct storage_mount {
    const char *name, *dir; /* dir: of the local copies, with a slash at its end */
    const char *provider;
    const struct storage_kind *kind;
    bool retrieve, keep;
    struct http_settings *http;    /* http alone */
    struct storage_plugin *plugin; /* plugins alone */
};

/* What a porter of its kind is told of a provider, beside the query (porter.h). */
enum { STORAGE_FACTS = 8 };
struct storage_facts {
    const char *name;                /* of the kind */
    const char *fact[STORAGE_FACTS]; /* texts, "" for nothing */
    size_t n;
};
struct porter_start;

struct storage_kind {
    const char *name; /* of the provider; NULL: any other */
    /* Takes the settings, of a mount that may have had others before. False: raised. */
    bool (*open)(struct workflow *w, struct storage_mount *mount,
                 const struct storage_opening *opening);
    /* Gives back what the mount owns. */
    void (*close)(struct storage_mount *mount);
    /* The path by which the engine knows a query: of its local copy, or the query itself. In the
     * session arena; NULL: raised. */
    const char *(*path)(struct workflow *w, struct storage_mount *mount, const char *query,
                        bool copied);
    /* Sets out->query and out->shown, in the arena, for a path; out->copied: under the mount's dir.
     * False: the path is none of its. */
    bool (*find)(const struct storage_mount *mount, struct arena *in, const char *path,
                 struct storage_place *out);
    /* The path of the file itself; NULL: this is no file system. */
    const char *(*own_path)(const struct storage_place *place);
    /* What an error of stat means, and what helps; NULL: what the system says. */
    const char *(*error)(const struct storage_place *place, int error, const char **hint);
    /* What is there: any thread may ask for one; or, where stat is NULL, those of one mount are
     * asked for together. */
    void (*stat)(const struct storage_place *place, struct fs_info *out);
    void (*stat_all)(const struct storage_place *const *places, size_t n,
                     struct fs_info *const *out);
    /* As storage_size; NULL: stat tells. */
    bool (*size)(struct arena *in, const struct storage_place *place, int64_t *out,
                 const char **why);
    /* Copies files of one mount, which are there, to the part of each copy, which is free and whose
     * directory is there. */
    bool (*fetch)(struct arena *in, const struct storage_copy *copies, size_t n, const char **why);
    /* Stores the same way, removes, makes newer; NULL: what is there can only be read. */
    bool (*store)(struct arena *in, const struct storage_copy *copies, size_t n, const char **why);
    bool (*remove)(struct arena *in, const struct storage_place *place, const char **why);
    bool (*touch)(struct arena *in, const struct storage_place *place, const char **why);
    /* What a query with wildcards may match: something to iterate over; NO_VALUE: raised. NULL: it
     * has no lists. */
    value (*matches)(struct workflow *w, const struct storage_place *place);
    /* No copies are wanted any more. NULL: nothing to be done. */
    void (*settle)(struct storage_mount *mount);
    /* As porter_start; NULL: porters of this program do. */
    bool (*porter)(const struct storage_mount *mount, struct porter_start *out);
    /* The facts for an order, in the arena; and in the porter, in the arena there: they make up a
     * mount. NULL: there are none. */
    void (*tell)(const struct storage_place *place, struct arena *in, struct storage_facts *out);
    void (*hear)(struct storage_mount *mount, struct arena *in, const struct storage_facts *facts);
};

extern const struct storage_kind storage_fs, storage_http, storage_plugin;

/* The plugin that knows a query, in the session arena; NULL: raised. */
const char *storage_plugin_for(struct workflow *w, const char *query);

/* An error of the statement or call that opens a provider, with what helps, or NULL. Always
 * false. */
bool storage_refuse(struct workflow *w, const struct storage_opening *opening, const char *what,
                    const char *hint);
/* Whether a Snakefile sets only what providers know: all of them, or this one, of which know (or
 * NULL) tells. False: raised. */
bool storage_settings_known(struct workflow *w, const struct storage_mount *mount,
                            const struct storage_opening *opening, bool (*know)(const char *name));
/* Does the same with one copy after the other, up to the first that fails. */
bool storage_each(struct arena *in, const struct storage_copy *copies, size_t n,
                  bool (*one)(struct arena *in, const struct storage_copy *copy, const char **why),
                  const char **why);
/* Sets *why to "cannot WHAT 'PATH': errno". Always false. */
bool storage_failed(struct arena *in, const char **why, const char *what, const char *path);
