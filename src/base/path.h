// SPDX-License-Identifier: MIT
/* path.h: path arithmetic on text, as Python's os.path does it on POSIX; nothing here touches the
 * disk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

char *path_join(struct arena *in, const char *dir, const char *name); /* absolute name wins */
char *path_normal(struct arena *in, const char *path);                /* os.path.normpath */
char *path_quoted(struct arena *in, const char *path); /* as a word of a shell's command */
char *path_dirname(struct arena *in, const char *path);
const char *path_basename(const char *path); /* borrowed from path */
/* The extension with its dot as os.path.splitext finds it, or "" (borrowed from path). */
const char *path_extension(const char *path);
/* Whether it begins with a slash. */
bool path_is_absolute(const char *path);
/* Whether a relative path begins with "..". A normal one that leads out of its directory does. */
bool path_leads_out(const char *path);
/* What is behind a directory in a path that lies in it, from its '/' on (borrowed from path), ""
 * if it is that directory; NULL: it lies elsewhere. Both are normal, dir is not the root. */
const char *path_inside(const char *path, const char *dir);
/* path made absolute against base and normalised. */
char *path_absolute(struct arena *in, const char *base, const char *path);
/* How to reach path from the directory base; both absolute and normal. */
char *path_relative(struct arena *in, const char *path, const char *base);
