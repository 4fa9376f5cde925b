// SPDX-License-Identifier: MIT
/* session.h: everything of one invocation of `run`; setup.h fills it. */
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
    bool of_a_job;         /* it evaluates the run: block of one job; set behind setup_open */
    int max_threads;       /* of a job, if that is given */
    int exit_status;       /* of a sys.exit() that ends the program; -1: there is none */
};

/* The path of the Snakefile, absolute; NULL if there is none of a usual name. */
const char *session_snakefile(struct session *s);
/* Prints what the diagnostics hold to stderr. */
void session_complain(struct session *s);
/* What --quiet asks for (enum quiet). */
unsigned session_quiet(const struct options *options);
