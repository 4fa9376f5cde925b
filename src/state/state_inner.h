// SPDX-License-Identifier: MIT
/* state_inner.h: the inside of struct state, shared by record.c (outputs) and history.c (runs,
 * attempts, submissions). */
#pragma once

#include "base/map.h"
#include "base/pool.h"
#include "state/db.h"
#include "state/foreign.h"
#include "state/mirror.h"
#include "state/record.h"
#include "state/texts.h"

/* What is known of one output. */
struct entry {
    struct output_record *record; /* in state->arena; NULL: nothing is known */
    int64_t row;                  /* of table output; 0: none */
    bool looked;                  /* for its marker and Snakemake's record */
};

/* Statements used again and again; prepared at first use. */
enum statement {
    ADD_OUTPUT,
    SET_OUTPUT,
    SET_INCOMPLETE,
    DROP_OUTPUT,
    GET_SHELL,
    ADD_ATTEMPT,
    STATEMENTS
};

struct state {
    char *dir;            /* owned */
    struct intern *names; /* borrowed */
    struct diags *dx;     /* borrowed */
    struct db *db;        /* NULL: there is no store yet, and none is to be made */
    struct foreign *foreign;
    struct mirror *mirror; /* Snakemake's database, or NULL */
    state_namer *name;     /* of outputs in both; NULL: their paths */
    void *name_user;
    struct arena name_in; /* the last one */
    bool readonly, loaded;
    struct arena arena; /* records and texts */
    POOL(struct entry) entries;
    VEC(uint32_t) by_path; /* by symbol: entry, or 0 */
    struct texts texts;
    VEC(sym_t) ended; /* whose markers go when the record is on disk */
    struct query *statement[STATEMENTS];
    int64_t run;            /* row of this run; 0: none */
    int64_t next_commit_ns; /* monotonic; before it, commits wait */
    int64_t stake_ns;       /* how long the attempts took that wait for it */
    bool changed;           /* since the last commit */
};

/* An end is kept as the time since the start, which takes half the room; and read again. A number
 * as large as a start is a time itself, as older stores have it. */
static inline int64_t state_time_since(int64_t start_ns, int64_t end_ns)
{
    int64_t since = end_ns > start_ns ? end_ns - start_ns : 0;
    return since < start_ns ? since : end_ns;
}
static inline int64_t state_end_time(int64_t start_ns, int64_t kept)
{
    return kept < start_ns ? start_ns + kept : kept;
}

/* Removes what no record refers to any more, if that is much. False after a diagnostic. */
bool state_sweep(struct state *state);
/* The prepared statement, in a transaction; NULL after a diagnostic. */
struct query *state_statement(struct state *state, enum statement which);
