// SPDX-License-Identifier: MIT
/* unittests.h: --generate-unit-tests: a test in pytest for each rule, made from the inputs and
 * outputs of one of its jobs. */
#pragma once

#include "graph/graph.h"
#include "report/log.h"

struct unittest_options {
    const char *dir; /* where they go, absolute */
    /* where the tests are to be called, absolute; paths in them are relative to it */
    const char *root;
    const char *snakefile;          /* absolute */
    const char *const *configfiles; /* of the command line, absolute, NULL-terminated; or NULL */
    const char *const *methods;     /* of --software-deployment-method; or NULL */
};

/* Rules that have a test keep it. False after a diagnostic. */
bool unittests_write(struct graph *g, struct log *log, const struct unittest_options *options);
