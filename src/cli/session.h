// SPDX-License-Identifier: MIT
/* session.h: everything of one invocation of `run`, opened layer by layer and closed in reverse. */
#pragma once

#include "cli/options.h"
#include "flow/workflow.h"
#include "graph/fresh.h"
#include "graph/select.h"
#include "report/log.h"
#include "state/record.h"

enum exit_status { EXIT_OK = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

struct deploy;

struct session {
    struct arena arena;
    struct intern *names;
    struct sources *sources;
    struct diags *diags;
    struct options options;
    struct log log;
    struct workflow_options workflow_options;
    struct workflow *workflow;
    struct graph *graph;
    struct state *state;
    struct fresh_options fresh;
    struct cut cut;            /* --until, --omit-from */
    struct selection first;    /* --prioritize */
    struct capacity *capacity; /* of a Slurm site (capacity.h); NULL: not asked for */
    struct deploy *deploy;     /* makes the software of jobs; NULL: not needed so far */
    const char *self;          /* path of this program */
    const char *started_in;    /* the directory it was called in, absolute */
    /* the directory that --directory names, made for a run that shall leave nothing; or NULL */
    const char *made;
    const char *made_in;   /* the last directory above it that was there, absolute */
    const char *snakefile; /* absolute */
    int cores;             /* 0: not given */
    bool of_a_job;         /* it evaluates the run: block of one job; set behind session_open */
    int max_threads;       /* of a job; 0: as many as it asks for */
    int exit_status;       /* a Snakefile called sys.exit(): its status; -1: none did */
};

/* Reads the command line and profiles, and says on stderr which; again: that was said before.
 * False: diagnostics; the exit status is EXIT_USAGE. */
bool session_open(struct session *s, const char *self, bool again, int argc,
                  const char *const *argv);
/* The path of the Snakefile, absolute; NULL if there is none of a usual name. */
const char *session_snakefile(struct session *s);
/* Finds and reads the workflow, in its directory. readonly: if that is not there it is made for now
 * only, and a warning says so. */
bool session_load(struct session *s, bool readonly);
/* The records; readonly: there may be none. */
bool session_open_state(struct session *s, bool readonly);
/* Targets, graph, times, decision. */
bool session_build(struct session *s, bool readonly);
/* Prints what the diagnostics hold to stderr. */
void session_complain(struct session *s);
void session_close(struct session *s);

/* What --quiet asks for (enum quiet). */
unsigned session_quiet(const struct options *options);
