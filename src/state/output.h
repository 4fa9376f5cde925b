// SPDX-License-Identifier: MIT
/* output.h: what is kept of an output, in our store (record.h) and in Snakemake's (foreign.h,
 * mirror.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

/* What made an output. Texts are borrowed when writing; when reading they live in the state until
 * it is closed. */
struct output_record {
    sym_t path;
    const char *rule;
    const char *code;      /* text compared by the code trigger */
    const char *params;    /* sorted reprs, one a line */
    const char *inputs;    /* sorted paths, one a line */
    const char *software;  /* fingerprint of the environment; "" if none */
    const char *shell;     /* the command as it ran; "" if none */
    const char *log;       /* log paths, one a line */
    const char *checksums; /* "path\tsum" of small inputs, one a line; sums: see graph/checksum.h */
    int64_t start_ns, end_ns;
    int64_t mtime_ns, size; /* of the output when it was complete; 0: not known */
    bool incomplete;        /* a job that makes it was started and not ended */
    bool foreign;           /* read from Snakemake's own metadata */
};

/* Not NULL, and not only known to be incomplete: then there is nothing that could be compared. */
static inline bool output_is_known(const struct output_record *record)
{
    return record && !(record->incomplete && !*record->rule);
}
