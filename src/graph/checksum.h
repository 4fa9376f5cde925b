// SPDX-License-Identifier: MIT
/* checksum.h: what small files hold, by their SHA-256: base64 without its padding, 43 characters. A
 * file is read once, and again when its time or size has changed: a list of inputs that many jobs
 * share would otherwise be read by every one. */
#pragma once

#include <sys/stat.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/pool.h"

struct checksum {
    int64_t mtime, size; /* of the file when it was read */
    char *text;          /* in .texts; NULL: could not be read */
};

struct checksums {
    struct map of; /* symbol of a path -> place in .all, + 1 */
    VEC(struct checksum) all;
    struct arena texts;
};

/* The checksum of a file, read anew; in the arena, NULL if it cannot be read. */
char *content_checksum(struct arena *in, const char *path);
/* The same for a file known by a symbol, whose contents are at path and stat as *st; borrowed until
 * the next call. */
const char *checksum_of(struct checksums *known, sym_t name, const char *path,
                        const struct stat *st);
void checksums_free(struct checksums *known);
