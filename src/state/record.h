// SPDX-License-Identifier: MIT
/* record.h: what is kept from run to run, in .snakemake/kintsugi.db: every output with what made it, every attempt.
 * One writer; changes of one turn of the event loop are one transaction, on disk before state_commit returns. The file
 * system may be a network one: no shared-memory journal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"

struct state;

/* What made an output. Texts are borrowed when writing; when reading they live in the state until it is closed. */
struct output_record {
    sym_t path;
    const char *rule;
    const char *code;      /* text compared by the code trigger */
    const char *params;    /* sorted reprs, one a line */
    const char *inputs;    /* sorted paths, one a line */
    const char *software;  /* fingerprint of the environment; "" if none */
    const char *shell;     /* the command as it ran; "" if none */
    const char *log;       /* log paths, one a line */
    const char *checksums; /* "path\tsha256:hex" of small inputs, one a line */
    int64_t start_ns, end_ns;
    bool incomplete;       /* a job that makes it was started and not ended */
    bool foreign;          /* read from Snakemake's own metadata */
};

/* Opens or makes the store below dir (usually "."); NULL after a diagnostic. readonly: nothing is created or written. */
struct state *state_open(const char *dir, struct intern *names, struct diags *dx, bool readonly);
void state_close(struct state *state);

/* The record of an output; NULL if nothing is known. All records are read at the first call; where ours know nothing,
 * Snakemake's .snakemake/metadata is looked at. */
const struct output_record *state_find(struct state *state, sym_t path);

/* A transaction is open from the first change on; commit makes it durable. False after a diagnostic (disk full). */
bool state_begin_outputs(struct state *state, const sym_t *paths, uint32_t n); /* incomplete from now on */
bool state_end_output(struct state *state, const struct output_record *record); /* complete, with this record */
bool state_drop_outputs(struct state *state, const sym_t *paths, uint32_t n);   /* forget: removed or failed */
bool state_commit(struct state *state);

/* A run and its attempts, for status, report and run-time statistics. */
struct attempt_record {
    const char *rule, *wildcards; /* "sample=A,unit=1" */
    int attempt;
    int status, signal;
    int64_t start_ns, end_ns;
    double cpu_s;
    int64_t max_rss_kb;
    const char *external_id, *host, *resources; /* resources: "mem_mb=500,gres=gpu:1" */
};
bool state_begin_run(struct state *state, const char *command_line);
bool state_add_attempt(struct state *state, const struct attempt_record *attempt);
bool state_end_run(struct state *state, int exit_status);
