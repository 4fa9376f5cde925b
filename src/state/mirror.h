// SPDX-License-Identifier: MIT
/* mirror.h: Snakemake's records in a database (--persistence-backend db): what is recorded here is
 * written there too, in its form, and what it knows is read where our store knows nothing. Only
 * SQLite files. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "state/output.h"

struct mirror;

/* url: "sqlite:///PATH", or NULL: metadata.db beside our store. dir: the directory that holds
 * .snakemake. NULL after a diagnostic. */
struct mirror *mirror_open(const char *dir, const char *url, bool readonly, struct diags *dx);
/* What was not committed is lost; NULL is fine. */
void mirror_close(struct mirror *mirror);
/* Fills a record (all but path; texts in the arena); false if there is none. */
bool mirror_read(struct mirror *mirror, const char *output, struct arena *in,
                 struct output_record *record);
/* Writes or removes a record, in a transaction that is opened if there is none; makes it durable.
 * False after a diagnostic. */
bool mirror_write(struct mirror *mirror, const char *output, const struct output_record *record);
bool mirror_forget(struct mirror *mirror, const char *output);
bool mirror_commit(struct mirror *mirror);
