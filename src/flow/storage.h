// SPDX-License-Identifier: MIT
/* storage.h: files that live elsewhere. A provider's files have local copies under a directory of
 * its own, and are known to the whole engine by the path of that copy:
 *
 *     storage.fs("shared/a.txt")        .snakemake/storage/fs/shared/a.txt
 *     storage.fs("/data/a.txt")         .snakemake/storage/fs/__abspath__/data/a.txt
 *     storage("https://h.org/a.txt")    .snakemake/storage/http/https/h.org/a.txt
 *     storage(url, retrieve=False)      https://h.org/a.txt
 *     storage.s3("s3://bucket/a.txt")   .snakemake/storage/s3/bucket/a.txt, as the plugin says
 *
 * so that a path alone says where the file is. What exists, and since when, is asked of the
 * storage; the run fetches and stores copies. */
#pragma once

#include "base/fs.h"
#include "flow/workflow.h"

struct node;
struct directive_args;

/* Where a file lives. */
struct storage_place {
    const struct storage_kind *kind;
    /* its provider, until the workflow ends; NULL: a URL of none */
    const struct storage_mount *mount;
    const char *query; /* a path or URL */
    const char *shown; /* the same without secrets */
    bool copied;       /* jobs see a local copy; else the query itself */
    bool keep;         /* the copy stays when nobody needs it any more */
};

/* A file and its local copy. */
struct storage_copy {
    struct storage_place place;
    const char *path; /* of the copy */
    /* to be fetched: a symbolic link serves as well where the storage is a file system */
    bool link;
    bool optional; /* to be fetched: it need not be in the storage */
    /* under what name it is while it is on its way, beside the path or, to be stored, in the
     * storage where that is a file system; NULL: one of its own */
    const char *part;
};

/* What can be done with one. */
enum storage_act { STORAGE_FETCH, STORAGE_STORE, STORAGE_REMOVE };

/* Whether there is any provider. */
bool workflow_has_storage(const struct workflow *w);
/* Whether the file of that path lives in a storage. In the arena. */
bool storage_find(const struct workflow *w, struct arena *in, const char *path,
                  struct storage_place *out);
/* How a storage knows the file of that path, without secrets, in the arena; the path itself if it
 * is in none. */
const char *storage_shown(const struct workflow *w, struct arena *in, const char *path);
/* The path that the local copy would have of what is read as its storage has it (retrieve=False),
 * in the session arena; NULL: it is none such, or can only be read. */
const char *storage_copy_of(struct workflow *w, const char *path);
/* The path of the file itself where the storage is a file system; else NULL. */
const char *storage_own_path(const struct storage_place *place);
/* Existence, time and size as the storage tells them, of each; spread: or NULL. */
void storage_stat_many(const struct storage_place *places, size_t n, struct fs_info *out,
                       fs_spread *spread);
void storage_stat(const struct storage_place *place, struct fs_info *out);
/* The same of a local copy, as the storage would tell it. */
void storage_stat_path(const char *path, struct fs_info *out);
/* What is told where storage_stat gives an error for a place (fs_unknown_text), in the arena;
 * *hint: what helps, or NULL. */
const char *storage_unknown_text(struct arena *in, const struct storage_place *place, int error,
                                 const char **hint);
/* The bytes of a file. False: it is not there (errno says so, *why is NULL), or nobody knows (*why,
 * in the arena). */
bool storage_size(struct arena *in, const struct storage_place *place, int64_t *out,
                  const char **why);
/* Brings files to their local paths, but those of which a copy as new is there. False: *why says
 * what is wrong, in the arena. */
bool storage_fetch(struct arena *in, const struct storage_copy *copies, size_t n, const char **why);
/* One of these, or STORAGE_REMOVE, for one file. */
bool storage_carry(struct arena *in, enum storage_act act, const struct storage_copy *copy,
                   const char **why);
/* Removes the file from the storage. */
bool storage_remove(struct arena *in, const struct storage_place *place, const char **why);
/* Whether there is a provider that an option (storage-PROVIDER-SETTING) is about. */
bool storage_has_option(const struct workflow *w, const char *option);
/* Forgets all providers. */
void storage_end(struct workflow *w);
/* What a file of a storage is matched against by glob_wildcards(): *files is to be iterated over,
 * NO_VALUE: those of the file system. False: raised. */
bool storage_matches(struct workflow *w, const struct storage_place *place, value *files);
/* Makes the file in the storage as new as now. */
bool storage_touch(struct arena *in, const struct storage_place *place, const char **why);
/* The run has ended: removes directories of local copies that are empty, and what a crash has left
 * half fetched a day ago or earlier (several runs may share the directories). */
void storage_prune(const struct workflow *w);

/* A path that a rule or the command line names, under the default storage if there is one. In the
 * workflow's arena; NULL: raised. */
const char *storage_default(struct workflow *w, const char *path);

/* The object `storage`; options are checked. NO_VALUE: raised. */
value storage_object(struct workflow *w);
/* A `storage [TAG]:` statement. False: raised. */
bool storage_statement(struct workflow *w, const struct node *statement,
                       const struct directive_args *args);
