// SPDX-License-Identifier: MIT
/* parse.h: text to tree. Reports every syntax error it can recover from through the diagnostics,
 * with the place where an open bracket began, and Python's wording ("SyntaxError") where users know
 * it. */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "syntax/ast.h"

struct parse_options {
    bool python; /* plain Python: no Snakemake keywords (an imported .py file) */
};

/* A BLOCK with the statements of source (an id of dx's sources), in the arena; NULL if anything was
 * wrong (then at least one diagnostic has been recorded). */
struct node *parse_source(struct arena *in, struct intern *names, struct diags *dx, int source,
                          const struct parse_options *options);

/* A single expression, as for eval() and the command line's resource expressions. */
struct node *parse_expression(struct arena *in, struct intern *names, struct diags *dx, int source);

/* The parts of an f-string body or of a format string's field are parsed by the same expression
 * parser at their place in the source, so that carets point into the string. */
