// SPDX-License-Identifier: MIT
/* project.h: a project folder: what its metadata say, and its workflow folder. */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "hpc/accounts.h"

struct project {
    const char *dir;
    int64_t cycles, channels, planes; /* 0: not stated, the workflow counts them in data/raw */
    int64_t rows, columns;            /* of the grid of tiles */
    uint32_t folders;                 /* of cycles in data/raw */
    uint32_t names;                   /* in meta/CHANNELNAMES.txt; 0: there is no such file */
};

/* Reads meta/ and looks at data/raw. False after diagnostics that say what is missing. */
bool project_read(struct arena *in, struct diags *dx, const char *dir, struct project *out);
/* The text of workflow/config.yaml: what the metadata say, and the accounts that may be used. */
void project_config(const struct project *project, const struct accounts *accounts,
                    struct buf *out);
/* Writes a file of it; one that held something else is kept beside it, and that is said. False
 * after a diagnostic. */
bool project_write_file(struct diags *dx, const char *path, const char *text, size_t len);
/* The same for Snakefile, rules and profiles below DIR/workflow. */
bool project_write_workflow(struct diags *dx, const char *dir);
