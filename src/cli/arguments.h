// SPDX-License-Identifier: MIT
/* arguments.h: the command lines of the small verbs: a table of options with where their values go.
 *
 *     bool json; const char *every = NULL;
 *     struct argument table[] = {{"--json", NULL, &json, NULL, "as JSON"},
 *                                {"--watch", "S", NULL, &every, "again every S seconds"}, {0}};
 *     if (!arguments_parse(&words, table, "accounts [NAME ...]", argc, argv)) return words.status;
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/pool.h"

struct argument {
    const char *names; /* "--dry-run -n"; ends the table if NULL */
    const char *value; /* what follows, for help; NULL: nothing does */
    bool *flag;        /* set to true if given */
    const char **word; /* set to what follows */
    const char *help;
};

struct arguments {
    VEC(const char *) words; /* the others, NULL-terminated; borrowed from argv */
    int status;              /* after false: the exit status */
};

/* Options are as those of run: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, flags as -ab. False
 * if --help was printed, or after an error on stderr. */
bool arguments_parse(struct arguments *arguments, const struct argument *table, const char *usage,
                     int argc, const char *const *argv);
void arguments_free(struct arguments *arguments);
/* The numbers that an option takes. */
struct number_range {
    double least, most;
    bool whole;
};
/* The number that an option's word says; false after an error on stderr. NULL leaves *out alone. */
bool arguments_number(const char *option, const char *word, struct number_range range, double *out);
