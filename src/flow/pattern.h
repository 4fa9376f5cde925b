// SPDX-License-Identifier: MIT
/* pattern.h: a path with wildcards, "mapped/{sample}.{unit,\d+}.bam": matched against a path, or
 * filled in.
 *
 * Parsed once into literals and slots. The slots of a rule's patterns are numbered over the rule's
 * wildcards, so that matching yields one array of symbols per rule. Patterns whose constraints are
 * all the default `.+` and that hold one wildcard are matched by prefix and suffix alone; all
 * others by PCRE2 (JIT), with Snakemake's regular expression: first occurrence
 * `(?P<name>constraint)`, later ones a back-reference, anchored at both ends. */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/regex.h"

struct pattern_part {
    const char *text; /* literal text, or NULL for a wildcard */
    uint32_t len;
    int slot;               /* wildcard: index into the rule's wildcards */
    bool first;             /* the first occurrence of its wildcard in this pattern */
    const char *constraint; /* of a first occurrence, NULL: `.+`. Holds for this pattern alone. */
    struct regex *check; /* the constraint alone, compiled when pattern_allows first asks; owned */
};

struct pattern {
    sym_t text;  /* as written, constraints included */
    sym_t plain; /* constraints removed: what rules.x.output shows */
    struct pattern_part *part;
    uint16_t nparts, nslots; /* nslots: distinct wildcards; 0: a plain path, equal to .plain */
    bool fast;               /* prefix/suffix match serves */
    uint32_t prefix, suffix; /* bytes of literal text at both ends */
    struct regex *regex;     /* compiled at first use; owned */
    struct span span;
};

/* A rule's wildcards: names in order of first appearance and the constraint of each (NULL:
 * `.+`). */
struct wildcard_names {
    sym_t *name;
    const char **constraint;
    uint16_t n, cap;
};

/* A wildcard in a text: where it stands, braces included, and what it says. */
struct wildcard_at {
    size_t at, end;
    const char *name; /* borrowed from the text, not terminated */
    size_t name_len;
    const char *constraint; /* NULL: none */
    size_t constraint_len;
};
/* The first wildcard at or behind from, or false. "{{x}}" holds one: there is no escape. */
bool wildcard_next(const char *text, size_t len, size_t from, struct wildcard_at *out);
/* The slot of a name, or -1. */
int wildcard_slot(const struct wildcard_names *wildcards, sym_t name);
/* Adds a name that is not there yet; its slot. */
int wildcards_add(struct arena *in, struct wildcard_names *wildcards, sym_t name);
/* The text with every wildcard's value in its place; NULL if one is not among wildcards, whose name
 * is then in *unknown. In the arena. */
char *wildcards_fill(struct arena *in, struct intern *names, const struct wildcard_names *wildcards,
                     const sym_t *value, const char *text, size_t len, sym_t *unknown);

/* Parses text; unknown names are added to *wildcards if add, else they are an error ("Wildcards in
 * input files cannot be determined from output files: 'x'"). Constraints found inline are entered
 * where none stands yet. */
bool pattern_parse(struct arena *in, struct intern *names, struct diags *dx, const char *text,
                   size_t len, struct span span, struct wildcard_names *wildcards, bool add,
                   struct pattern *out);

/* Fills value[slot] for the wildcards of this pattern; others stay. False: path does not match. */
bool pattern_match(struct pattern *pattern, struct intern *names,
                   const struct wildcard_names *wildcards, const char *path, size_t len,
                   sym_t *value);

/* The path with the values filled in, in the arena. */
char *pattern_text(const struct pattern *pattern, struct arena *in, const struct intern *names,
                   const sym_t *value);
/* The symbol of that path. */
sym_t pattern_apply(const struct pattern *pattern, struct intern *names, const sym_t *value);

/* Gives the wildcard of that slot a constraint where the pattern has none of its own: what a rule's
 * or the workflow's wildcard_constraints do. constraint is borrowed and must live as long as the
 * pattern. */
void pattern_constrain(struct pattern *pattern, int slot, const char *constraint);
/* Compiles the regular expression now, so that a bad constraint is complained about at its
 * place. */
bool pattern_check(struct pattern *pattern, struct intern *names, struct diags *dx,
                   const struct wildcard_names *wildcards);
/* A path that does not match: the wildcard whose constraint is in the way, if its value, which is
 * filled in with the others, were it free, does not match; else NULL. */
const struct pattern_part *pattern_barrier(const struct pattern *pattern, struct arena *in,
                                           struct intern *names,
                                           const struct wildcard_names *wildcards, const char *path,
                                           size_t len, sym_t *value);
/* Whether values fulfil the constraints of this pattern as Snakemake asks when it tries the
 * wildcards of a consumer: each constraint must match at the beginning of its value. */
bool pattern_allows(struct pattern *pattern, struct intern *names, const sym_t *value);

/* The text with the constraints that pattern_constrain gave it written in, "{x}" as "{x,[0-9]+}".
 * In the arena. */
const char *pattern_shown(const struct pattern *pattern, struct arena *in,
                          const struct intern *names);

/* The literal text with which every path begins that the pattern may make: its own, and what the
 * constraint of a wildcard right behind it demands ("out/" of "out/{x}", "out/s" of
 * "out/{x,s[0-9]+}"). In the arena. */
const char *pattern_lead(const struct pattern *pattern, struct arena *in);

/* Frees what it owns; it matches nothing then. */
void pattern_free(struct pattern *pattern);
