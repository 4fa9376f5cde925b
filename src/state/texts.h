// SPDX-License-Identifier: MIT
/* texts.h: the table `text`, which holds what many records share (rules, code, lists of inputs),
 * once each. Ids are never given again: another run in the same directory may know them. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "base/pool.h"
#include "state/db.h"

struct text {
    const char *body; /* NULL: there is none of this id */
    bool used;        /* a row refers to it */
    bool sure;        /* nobody has swept it away since it was read */
};

struct texts {
    struct db *db;            /* borrowed */
    struct arena *in;         /* borrowed */
    VEC(struct text *) pages; /* by id, so many on each; NULL: none of them is there */
    uint32_t last;            /* id */
    struct map ids;           /* hash -> id */
    struct query *add, *again, *drop;
    int64_t version; /* of the file when it was read */
};

/* Reads all; false after a diagnostic. The rows that refer to them are read next, each reference
 * told by texts_use. */
bool texts_load(struct texts *texts, struct db *db, struct arena *in);
void texts_free(struct texts *texts);
/* The text of an id, "" if there is none; and the same for a row. */
const char *texts_at(const struct texts *texts, int64_t id);
const char *texts_use(struct texts *texts, int64_t id);
/* The id of a text, in a transaction that is begun if there is none; written if it is new. 0 for
 * NULL and after a diagnostic. */
int64_t texts_id(struct texts *texts, const char *text);
/* Removes those that no row refers to if they are the larger part. False after a diagnostic. */
bool texts_sweep(struct texts *texts);
