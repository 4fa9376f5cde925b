// SPDX-License-Identifier: MIT
/* scriptview.h: what a script may know of its job, and the texts that are run for it in each
 * language: a preamble that makes it known, and the script. Shared by jobeval_script.c and
 * scriptlanguages.c. */
#pragma once

#include "flow/jobeval.h"

enum { SCRIPT_PARTS = 6 };
/* The parts that are named lists, in the order of Snakemake's own object. */
extern const char *const script_part_names[SCRIPT_PARTS];

struct script_view {
    struct job_eval *eval;
    value part[SCRIPT_PARTS];
    value config;
    const char *path, *dir; /* of the script */
};

/* What a script at a path knows of the job. path NULL, or false: raised. */
bool script_view_open(struct job_eval *eval, const char *path, struct script_view *view);
/* Writes a file of a name of its own under dir: tmpXXXXXX.script.py; its path in scratch, NULL:
 * raised. */
const char *script_write_file(struct job_eval *eval, const char *dir, const char *name,
                              const struct buf *text);
/* Adds the shell's words that end with an error where PATH lacks the program which a script (what:
 * "script", "tool") needs. */
void script_demand(struct buf *out, const char *what, const char *path, const char *program);
/* The rule's name. */
const char *script_rule_name(const struct script_view *view);

/* The Python that makes `snakemake` known, and a call of the preamble's function with the script's
 * path, as one literal for exec() in names of its own, where _script_names are those of the script.
 * False: raised. */
bool script_python_quoted(const struct script_view *view, const char *function, struct buf *out);

/* The file that is run. Python reads the script from its own place, so that its errors name that.
 * False: raised. */
typedef bool script_writer(const struct script_view *view, const char *source, size_t len,
                           struct buf *out);
script_writer script_python, script_bash, script_r, script_rmd, script_julia, script_rust,
    script_xonsh, script_hy;
