// SPDX-License-Identifier: MIT
/* jobeval_report.h: what report() says of a file of a job. */
#pragma once

#include "flow/jobeval.h"

struct report_label {
    const char *name, *text;
};

/* What stands in report(...), evaluated; texts in the eval's scratch arena, NULL where not
 * given. */
struct report_mark {
    const char *category, *subcategory;
    const struct report_label *label;
    uint32_t nlabels;
    const char *caption;         /* reStructuredText, templates filled in */
    const char *const *patterns; /* of files in a directory */
    uint32_t npatterns;
    const char *htmlindex; /* of a directory */
};

/* Wildcards beyond those of the job: what a pattern found. */
struct report_names {
    struct wildcard_names wildcards;
    const sym_t *value;
};

/* A file of a directory that one of the patterns fits. */
struct report_found {
    const char *path;
    struct report_names names; /* the pattern's and the job's */
};

/* The mark of a file with FLAG_REPORT. names: the wildcards that count, NULL: the job's. False:
 * raised. */
bool eval_report_mark(struct job_eval *eval, const struct job_file *file,
                      const struct report_names *names, struct report_mark *out);
/* Only what a mark says of a directory with patterns: these. False: it has none. What raises counts
 * as none: the whole mark tells it. */
bool eval_report_directory(struct job_eval *eval, const struct job_file *file,
                           struct report_mark *out);
/* The files in a directory that fit a pattern, in the order of glob_wildcards(), in scratch; *n of
 * them. NULL after a diagnostic. */
const struct report_found *eval_report_find(struct job_eval *eval, const char *dir,
                                            const char *pattern, uint32_t *n);
/* A name with texts: one, or a list of them. */
struct report_entry {
    const char *name;
    const char *const *text;
    uint32_t ntexts;
    bool is_list;
};
/* What a YAML file with a report's metadata says, a YTE template; in the arena. NULL: raised, *n
 * entries. */
const struct report_entry *workflow_metadata(struct workflow *workflow, struct arena *in,
                                             const char *path, uint32_t *n);
/* The text of the workflow's `report:` with its templates filled in, in the arena; "" if there is
 * none. NULL: raised. */
const char *workflow_description(struct workflow *workflow, struct arena *in);
