// SPDX-License-Identifier: MIT
/* origin.h: where Snakefiles and what belongs to them come from: a path, a URL, or a file that a
 * local git repository knows at a version, git+file:///REPO/PATH@VERSION. github() and gitlab() are
 * URLs of their hosts' raw files, "gh:OWNER/REPO@REF:PATH" is short for one. */
#pragma once

#include "base/arena.h"
#include "python/native.h"

struct workflow;

/* Where a file named in one that lies in dir is: the name itself if it is absolute or a URL. file:
 * URLs are paths. In the arena. */
char *origin_join(struct arena *in, const char *dir, const char *name);
/* Where it lies; the name of the file alone. In the arena. */
char *origin_dirname(struct arena *in, const char *origin);
const char *origin_basename(struct arena *in, const char *origin);
/* The text of a source, NUL-terminated, in the workflow's arena; NULL: *why says what is wrong. */
char *origin_read(struct workflow *w, const char *origin, size_t *len, const char **why);
/* A local file with that text: itself, or a copy under .snakemake that keeps its name; what lies
 * beside it comes to lie beside the copy. Copies are made once a run; those of a GitHub or GitLab
 * repository's version or commit once and for all. *path NULL: there is no such file. False:
 * raised. */
bool origin_find(struct workflow *w, const char *origin, const char **path);
/* The same of a file that must be there. NULL: raised. */
const char *origin_local(struct workflow *w, const char *origin);
/* Whether text is a URL or a short form of one. */
bool origin_is_remote(const char *text);
/* A file of a GitHub repository; host NULL: github.com. */
char *origin_github(struct arena *in, const char *host, const char *repo, const char *ref,
                    const char *path);

/* github(), gitlab() and gitfile(); ends with {0}. */
extern const struct native_def origin_functions[];
