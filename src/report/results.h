// SPDX-License-Identifier: MIT
/* results.h: the files that belong into a report, with what report() says of them. */
#pragma once

#include "flow/jobeval_report.h"
#include "graph/graph.h"
#include "report/log.h"

/* Of results without a category; it stands last. */
#define CATEGORY_OTHER "Other"

enum result_kind { RESULT_FILE, RESULT_IMAGE, RESULT_TABLE, RESULT_TEXT, RESULT_PAGE };

struct result {
    const char *path;     /* as the workflow names it, or inside of a directory output */
    const char *name;     /* shown */
    const char *filename; /* below its folder in an archive: "sub/page.html" */
    char id[17];          /* of that folder; scripts compute the same with report_href() */
    const char *mime;
    enum result_kind kind;
    struct report_mark mark;
    const char *wildcards; /* "a=1, b=2" */
    const char *params;    /* JSON of the named ones, or "" */
    int64_t size;
    job_id job;
    const char *const *aux; /* other files of a directory with an htmlindex */
    uint32_t naux;
};

struct results {
    struct arena arena;       /* holds all texts */
    VEC(struct result) list;  /* by category, subcategory, name */
    VEC(const char *) copies; /* of files in storages, which are there for the report only */
};

/* Looks through all needed jobs. archive: directories with an htmlindex are possible. False after a
 * diagnostic: a marked file does not exist, a function of report() raised, ... */
bool results_collect(struct graph *g, bool archive, struct log *log, struct results *out);
/* Removes these copies, but while a run is alive in the directory, which may count on them. */
void results_remove_copies(const struct results *results, const struct workflow *w);
void results_free(struct results *results);
/* The media type by the name of a file; NULL: not known. */
const char *media_type(const char *path);
