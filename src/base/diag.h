// SPDX-License-Identifier: MIT
/* diag.h: what the user is told when something is wrong: a headline, the place with its source line
 * and carets, notes with places of their own, a hint. Fallible functions return bool and read
 *
 *     return complain(dx, span, "rule '%s' has no output", name);
 *
 * The diagnostics of a session are collected and printed by the roof (cli), so that parsing can go
 * on and report several. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/source.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

struct buf;
struct diags; /* collects; owns its texts */

/* An empty collection, the caller's; sources are borrowed and outlive it. */
struct diags *diags_new(struct sources *sources);
/* What was not printed is lost; NULL is fine. */
void diags_free(struct diags *dx);
/* Those it was made with. */
struct sources *diags_sources(const struct diags *dx);

/* Records an error; always false. The kind is Snakemake's or Python's class name where users expect
 * one ("SyntaxError", "MissingInputException"), or NULL: then just "error". */
bool complain(struct diags *dx, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool complain_kind(struct diags *dx, const char *kind, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Records a warning. */
void warn(struct diags *dx, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds to the diagnostic recorded last: a note with a place (or {0}), or a hint. */
void diag_note(struct diags *dx, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_hint(struct diags *dx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The hint what to do about a full disk, if error (an errno) says so. */
void diag_hint_full(struct diags *dx, int error);
/* The hint "did you mean '...'?", and whether there is one: near is not NULL. */
bool diag_meant(struct diags *dx, const char *near);

/* Errors recorded and not yet printed or dropped. */
int diag_errors(const struct diags *dx);
/* For trying an alternative: a mark, and forgetting what came after it. */
int diag_mark(const struct diags *dx);
void diag_drop(struct diags *dx, int mark);
/* Forgets n of them from the mark on, unless they have been printed. */
void diag_remove(struct diags *dx, int mark, int n);
/* Puts those from the mark on into the order of their places. */
void diag_sort(struct diags *dx, int mark);
/* The headline of the last diagnostic, "" if none; borrowed. */
const char *diag_last(const struct diags *dx);
/* Its kind, or NULL. */
const char *diag_kind(const struct diags *dx);
/* The last diagnostic in one line, with its kind and place: "KeyError: 'x' (Snakefile:4)", and its
 * hints; nothing if there is none. */
void diag_last_told(const struct diags *dx, struct buf *out);

/* Puts the last diagnostic aside, as long as it is not known whether it matters; what diag_return
 * wants to record it again, as the last one. */
uint32_t diag_put_aside(struct diags *dx);
void diag_return(struct diags *dx, uint32_t aside);
/* Makes the last diagnostic one of that kind; its own kind, if it is another, and headline
 * stand behind the text. */
void diag_wrap(struct diags *dx, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints all in order to out and forgets them. color: with escape sequences. Errors with a class
 * name say their line in words too, as Python does, for those who look for it there.
 *
 *     MissingInputException: rule 'b' needs 'x.txt', which no rule makes
 *       --> Snakefile:12:9 (line 12, column 9)
 *        |
 *     12 |     input: "x.txt"
 *        |            ^^^^^^^
 *       note: wildcard 'sample' comes from this pattern
 *       --> Snakefile:14:10
 *       hint: the nearest existing file is 'y.txt' */
void diag_print(struct diags *dx, FILE *out, bool color);
