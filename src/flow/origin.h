// SPDX-License-Identifier: MIT
/* origin.h: where Snakefiles and what belongs to them come from: a path, or a URL. github() and
 * gitlab() are URLs of their hosts' raw files, "gh:OWNER/REPO@REF:PATH" is short for one. */
#pragma once

#include "base/arena.h"
#include "python/native.h"

struct workflow;

/* Where a file named in one that lies in dir is: the name itself if it is absolute or a URL. file:
 * URLs are paths. In the arena. */
char *origin_join(struct arena *in, const char *dir, const char *name);
/* The text of a source, NUL-terminated, in the workflow's arena; NULL: *why says what is wrong. */
char *origin_read(struct workflow *w, const char *origin, size_t *len, const char **why);
/* A local file with that text: itself, or a copy under .snakemake. NULL: raised. */
const char *origin_local(struct workflow *w, const char *origin);
/* Whether text is a URL or a short form of one. */
bool origin_is_remote(const char *text);

/* github(), gitlab() and gitfile(); ends with {0}. */
extern const struct native_def origin_functions[];
